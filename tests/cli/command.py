"""Runs the command as users do: a process of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.support.dealog import Run

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
    *arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None, **environment: str
) -> Run:
    """Run `dealog` with `arguments`; messages are plain text and no debugging variable is inherited."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env=clean_environment(**environment),
        timeout=60,
        check=False,
    )
    run = Run(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in run.err, run.err
    return run


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
