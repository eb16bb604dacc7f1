"""The examples on the page about the static deallocation are what comes out, and its table names the rule files."""

import re
import shlex
from pathlib import Path

import pytest

from dealog import rules
from tests.support.dealog import command, run_dealog

TEXT = (Path(__file__).parents[2] / "docs" / "static_deallocation.md").read_text("utf-8")
SHOWN = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("number", range(len(SHOWN) // 2))
def test_an_example(number: int) -> None:
    source, shown = SHOWN[2 * number : 2 * number + 2]
    assert run_dealog(source, ["static-buffer-deallocation"], "embedded").unwrap() == shown
    assert run_dealog(shown, ["static-buffer-deallocation"], "embedded").unwrap() == shown  # nothing is left to do


def test_the_table_names_every_rule_file() -> None:
    files = {path.name for path in rules.programs() if path.parent.name == "static"}
    assert set(re.findall(r"^\| `(\w+\.dl)`", TEXT, re.MULTILINE)) == files


ASKED = sorted(set(re.findall(r"`dealog (why|query) (\w+)\.mlir ([^`]+)`( \(here, none\))?", TEXT)))


@pytest.mark.parametrize(("asking", "file", "question", "none"), ASKED)
def test_questions_have_answers(asking: str, file: str, question: str, none: str) -> None:
    sources = [source for source in SHOWN[::2] if f"@{file}(" in source]
    assert sources
    runs = [command(asking, "-", *shlex.split(question), stdin=source) for source in sources]
    assert any(run.status == 0 for run in runs) == (not none)
    assert all(run.err == "" or "does not hold" in run.err for run in runs)
