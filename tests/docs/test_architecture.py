"""What the page about the architecture quotes is derived, stated and made as it says."""

import ast
import re
from pathlib import Path

import pytest

from dealog import rules
from tests.rules.derive import derive
from tests.support.dealog import run_dealog

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text("utf-8")
BEFORE, AFTER = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)
FACTS = [line for block in re.findall(r"```facts\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]


def test_the_output_is_what_comes_out() -> None:
    assert run_dealog(BEFORE, ["static-buffer-deallocation"], "embedded").unwrap() == AFTER


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_holds(fact: str) -> None:
    relation, _, arguments = fact.partition("(")
    row = ast.literal_eval(f"({arguments[:-1]},)")
    assert row in derive(BEFORE, relation, rules=("static_buffer_deallocation",))


def test_the_rules_are_stated() -> None:
    stated = "".join(path.read_text("utf-8") for path in rules.programs())
    for rule in re.findall(r"```rule\n(.*?)```", TEXT, re.DOTALL):
        assert rule in stated


def test_what_is_named_is_there() -> None:
    for name in re.findall(r"`((?:\w+/)+[\w.]*)`", TEXT):
        assert (ROOT / name).exists(), name
