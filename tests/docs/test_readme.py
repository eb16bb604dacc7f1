"""The first example of the README is what comes out."""

import re
from pathlib import Path

from tests.support.dealog import command

TEXT = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def test_the_example_is_what_comes_out() -> None:
    source, shown = re.findall(r"```mlir\n(.*?)```", TEXT, re.DOTALL)
    assert command("dealloc", stdin=source).out == shown
    assert "bufferization.dealloc" not in shown and command("dealloc", "--pipeline=mlir", stdin=source).out != shown
