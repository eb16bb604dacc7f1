"""What a terminal sees: colour, progress; and the message for a fault of Dealog itself."""

import subprocess
import sys

from .command import ALLOC, COMMAND, clean_environment, dealog, on_terminal

WRONG = "func.func @f() {\n  return %x : i32\n}\n"
SLOW = """
import sys, threading, time
from dealog import __main__, stopwatch
stopwatch._QUIET_SECONDS = {seconds}
appeared, appear = threading.Event(), stopwatch.Stopwatch._appear
def noted(self):
    appear(self)
    appeared.set()
stopwatch.Stopwatch._appear = noted
parse = __import__("dealog.frontend").frontend.parse
def slow(*arguments, **options):
    if appeared.wait({patience}):
        time.sleep(0.6)  # what is shown is drawn some times in a second
    return parse(*arguments, **options)
__import__("dealog.frontend").frontend.parse = slow
sys.exit(__main__.main(["opt", {path!r}, "-o", "/dev/null"]))
"""
FAULTY = """
import sys
from dealog import __main__, job
def faulty(*arguments):
    raise RuntimeError("the world is upside down\\nand more")
job.transform = faulty
sys.exit(__main__.main(["opt"]))
"""


def test_colour_on_a_terminal(tmp_path):
    (tmp_path / "wrong.mlir").write_text(WRONG)
    status, seen = on_terminal([*COMMAND, "opt", str(tmp_path / "wrong.mlir")])
    assert status == 1
    assert "\x1b[31m\x1b[1merror:" in seen
    assert "\x1b[32m" in seen  # the caret


def test_no_colour_when_it_is_not_wanted(tmp_path):
    (tmp_path / "wrong.mlir").write_text(WRONG)
    command = [*COMMAND, "opt", str(tmp_path / "wrong.mlir")]
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        status, seen = on_terminal(command, **variables)
        assert status == 1
        assert ": error: " in seen
        assert "\x1b" not in seen


def test_no_colour_in_a_file():
    assert "\x1b" not in dealog("opt", stdin=WRONG, FORCE_COLOR="").err


def test_progress_on_a_terminal(tmp_path):
    (tmp_path / "in.mlir").write_text(ALLOC)
    code = SLOW.format(seconds=0.1, patience=60, path=str(tmp_path / "in.mlir"))
    status, seen = on_terminal([sys.executable, "-c", code])
    assert status == 0
    assert "parse" in seen


def test_no_progress_for_quick_work(tmp_path):
    (tmp_path / "in.mlir").write_text(ALLOC)
    code = SLOW.format(seconds=60, patience=0.1, path=str(tmp_path / "in.mlir"))
    assert on_terminal([sys.executable, "-c", code]) == (0, "")


def test_no_progress_in_a_file(tmp_path):
    (tmp_path / "in.mlir").write_text(ALLOC)
    code = SLOW.format(seconds=0.1, patience=0.5, path=str(tmp_path / "in.mlir"))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=clean_environment(), check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_internal_errors_ask_for_a_report():
    done = subprocess.run(
        [sys.executable, "-c", FAULTY], input=b"", capture_output=True, env=clean_environment(), check=False
    )
    error = done.stderr.decode()
    assert (done.returncode, done.stdout) == (1, b"")
    assert error.startswith("error: internal error, please report it")
    assert "(RuntimeError: the world is upside down)" in error
    assert "DEALOG_DEBUG=1" in error
    assert error.count("\n") == 1


def test_internal_errors_show_the_traceback_on_demand():
    environment = clean_environment(DEALOG_DEBUG="1")
    done = subprocess.run(
        [sys.executable, "-c", FAULTY], input=b"", capture_output=True, env=environment, check=False
    )
    assert done.returncode == 1
    assert "Traceback" in done.stderr.decode()
