"""What the documentation shows is what comes out."""

import re
from pathlib import Path

import pytest

from dealog import rules
from dealog.extensions import Extensions
from dealog.job import Job, transform
from dealog.passes import INSIDE_PIPELINES, PASSES
from dealog.pipeline import Engine, make_steps
from dealog.stopwatch import Stopwatch
from tests.support.dealog import run_dealog

DOCS = Path(__file__).parents[2] / "docs"


TEXT = (DOCS / "ownership.md").read_text("utf-8")
SHOWN = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("number", [0, 4])
def test_the_examples_of_the_ownership_page(number: int) -> None:
    source, shown = SHOWN[number : number + 2]
    assert run_dealog(source, ["ownership-based-buffer-deallocation"], "embedded").unwrap() == shown


def test_the_example_of_what_is_taken_over(tmp_path: Path) -> None:
    source, shown = SHOWN[2:4]
    (taught,) = re.findall(r"```\n(known_effects.*?)```", TEXT, re.DOTALL)
    path = tmp_path / "queue.dl"
    path.write_text(taught)
    steps = make_steps("ownership-based-buffer-deallocation")
    job = Job(steps, Engine("embedded"), extensions=Extensions(rules=(path,)))
    assert transform(source, "push.mlir", job, Stopwatch(show=False), lambda _: None) == shown


def test_the_table_names_every_file_of_rules() -> None:
    programs = {pass_.program for pass_ in (*PASSES.values(), *INSIDE_PIPELINES)}
    others = {path for folder in ("findings", "verify") for path in (rules.folder() / folder).rglob("*.dl")}
    files = {path.stem for path in rules.programs() if path not in others}
    assert files - programs <= set(re.findall(r"`(\w+)\.dl`", TEXT)) <= files
