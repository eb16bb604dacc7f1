"""The passes do to the examples of docs/passes.md what is shown there."""

from __future__ import annotations

import re

import pytest

from tests.support.cases import ROOT
from tests.support.dealog import run_dealog

TEXT = (ROOT / "docs" / "passes.md").read_text()
EXAMPLE = re.compile(r"`dealog opt\s+--([^`]+)`[^`]*```mlir\n(.*?)```[^`]*```mlir\n(.*?)```", re.DOTALL)
EXAMPLES = EXAMPLE.findall(TEXT)


@pytest.mark.parametrize(("flag", "before", "after"), EXAMPLES, ids=[flag for flag, _, _ in EXAMPLES])
def test_the_example_is_what_the_pass_does(flag: str, before: str, after: str) -> None:
    assert run_dealog(before, [flag]).unwrap() == after


def test_every_pass_has_an_example() -> None:
    named = re.findall(r"^## --(\S+)", TEXT, re.MULTILINE)
    assert named
    assert {flag.partition("=")[0] for flag, _, _ in EXAMPLES} == set(named)
