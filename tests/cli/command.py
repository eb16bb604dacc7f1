"""Runs the command as users do: in a process of its own."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import traceback
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

import dealog.__main__ as main
from tests.support.dealog import Run, command

COMMAND = [sys.executable, "-m", "dealog"]
ALLOC = """\
func.func @f(%v: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  return
}
"""
"""A buffer that leaks."""


def dealog(
    *arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None, together: bool = False, **environment: str
) -> Run:
    """Run `dealog` with `arguments`; messages are plain text and no debugging variable is inherited. With `together`
    they go where the output goes.

    It is a process of its own. Where nothing is asked of its `environment` it is forked off this one, in which all is
    imported and has been run once: that takes a tenth of the time.
    """
    data = stdin.encode() if isinstance(stdin, str) else stdin
    if environment or sys.platform != "linux":
        done = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            input=data,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE,
            cwd=cwd,
            env=clean_environment(**environment),
            timeout=60,
            check=False,
        )
        run = Run(done.returncode, done.stdout.decode(), (done.stderr or b"").decode())
    else:
        run = _forked([*map(str, arguments)], data, cwd, together)
    assert "Traceback" not in run.err, run.err
    return run


def _forked(arguments: list[str], stdin: bytes, cwd: Path | None, together: bool) -> Run:
    """Run `dealog` in a process that is forked off this one."""
    _warm_up()
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        process = os.fork()
        if process == 0:
            try:
                signal.alarm(60)
                for number, file in enumerate((given, out, out if together else err)):
                    os.dup2(file.fileno(), number)
                os.chdir(cwd or ".")
                environment = clean_environment()
                for name in os.environ.keys() - environment.keys():
                    del os.environ[name]
                sys.argv = ["dealog", *arguments]
                sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
                sys.stdout = open(1, "w", encoding="utf-8", buffering=1 if together else -1)  # noqa: SIM115
                sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
                main.run()
            except BaseException:
                os.write(2, traceback.format_exc().encode())
            finally:
                os._exit(70)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        out.seek(0)
        err.seek(0)
        return Run(status, out.read().decode(), err.read().decode())


@cache
def _warm_up() -> None:
    """Have what most runs need imported, and read."""
    assert command("dealloc", "-", stdin=ALLOC).status == 0


def clean_environment(**more: str) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("DEALOG_DEBUG", "NO_COLOR")} | more


def on_terminal(arguments: list[str], **environment: str) -> tuple[int, str]:
    """Run a command whose stderr is a terminal: exit status, and what the terminal saw."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=clean_environment(**{"TERM": "xterm-256color", **environment}),
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # the terminal is gone when the process is
            break
        if not data:
            break
        seen += data
    os.close(ours)
    return process.wait(timeout=60), seen.decode()
