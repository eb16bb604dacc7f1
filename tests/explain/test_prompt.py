"""The prompt of `dealog query`, at a terminal; and the entry that `dealog exec` finds."""

import os
import pty
import subprocess

import pytest

from tests.cli.command import COMMAND, clean_environment, dealog

TEXT = """\
func.func @f(%c: i1) {
  %b2 = memref.alloc() : memref<4xf32>
  %b10 = memref.alloc() : memref<4xf32>
  return
}
"""


def at_a_prompt(folder, typed):
    """The exit status, and what the terminal showed."""
    (folder / "in.mlir").write_text(TEXT)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "query", "in.mlir"], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
        env=clean_environment(TERM="dumb", HOME=str(folder), XDG_STATE_HOME=str(folder), PROMPT_TOOLKIT_NO_CPR="1"),
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, typed.encode())
    seen = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(ours)
    return process.wait(timeout=60), seen.decode()


def test_a_session_at_a_terminal(tmp_path):
    typed = "help\nhelp may_alias\nbuffer(X)\nbuffer(%c)\nnonsense(\nbuffer(%b\t)\nquit\n"
    status, seen = at_a_prompt(tmp_path, typed)
    assert status == 0, seen
    assert "in.mlir, 1 function, " in seen and "'help' tells how to ask" in seen
    assert "A query is one condition or several" in seen and "may_alias(value: Value, other: Value)" in seen
    assert seen.index("%b2\r\n") < seen.index("%b10\r\n")
    assert "error:" in seen and "no\r\n" in seen


def test_the_status_from_standard_input_is_that_of_the_last(tmp_path):
    (tmp_path / "in.mlir").write_text(TEXT)
    assert dealog("query", "in.mlir", stdin="buffer(%b2)\nbuffer(%c)\n", cwd=tmp_path).status == 1
    assert dealog("query", "in.mlir", stdin="buffer(%c)\nbuffer(%b2)\n", cwd=tmp_path).status == 0


@pytest.mark.parametrize(
    ("typed", "there", "missing"),
    [("may_alias(", "%b2", "^bb0"), ("live_in(", "^bb0", "%b2"), ("live_in(^bb0, %", "%b2", "^bb0")],
)
def test_completion_of_what_fits_a_column(typed, there, missing):
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from dealog.asking.stage import input_stage
    from dealog.asking.terminal import completer
    from dealog.frontend import parse
    from dealog.pipeline import Engine

    stage = input_stage(parse(TEXT), {}, Engine("embedded"))
    found = {each.text for each in completer(stage).get_completions(Document(typed), CompleteEvent())}
    assert there in found and missing not in found


ONE = """\
func.func private @g() {
  return
}
func.func @run() -> i32 {
  %x = arith.constant 7 : i32
  return %x : i32
}
"""


def test_exec_finds_the_only_entry():
    assert dealog("exec", "-", stdin=ONE).out == "i32=7\n"
    several = dealog("exec", "-", stdin=ONE + ONE.replace("@run", "@go").replace("@g()", "@h()"))
    assert several.status == 1 and "choose by --entry: @run, @go" in several.err
    assert "no public function" in dealog("exec", "-", stdin=ONE.partition("func.func @run")[0]).err
