"""Runs Dealog's passes over a text, in this process."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dealog.__main__ import main
from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend import print_module
from dealog.job import Job, read_module, transform
from dealog.pipeline import Engine, EngineName, Step, make_steps, run_one_by_one
from dealog.splitting import Chunk
from dealog.stopwatch import Stopwatch
from tests.support.apart import apart
from tests.support.nightly import NIGHTLY

OWNERSHIP = "ownership-based-buffer-deallocation"
DYNAMIC_OWNERSHIP = "ownership-based-buffer-deallocation=private-function-dynamic-ownership=true"


@dataclass(frozen=True)
class Run:
    """What a run of the command came to."""

    status: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """The first lines of the errors."""
        return [line for line in self.err.splitlines() if "error: " in line]


def command(*arguments: str | Path, stdin: str | bytes = "", cwd: Path | None = None) -> Run:
    """Run `dealog` with `arguments` as `tests.cli.command.dealog` does, but in this process, which is faster."""
    given = io.TextIOWrapper(io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin), "utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    before, sys.stdin = sys.stdin, given
    try:
        with contextlib.chdir(cwd or "."), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main([str(argument) for argument in arguments])
    finally:
        sys.stdin = before
    run = Run(status, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]
    assert "Traceback" not in run.err and "internal error" not in run.err, run.err
    return run


@dataclass(frozen=True)
class DealogOutput:
    """What Dealog made of a text, or the diagnostics that it refused it with."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()

    def unwrap(self) -> str:
        """The text; an assertion failure with the diagnostics where there is none."""
        assert self.text is not None, "\n".join(diagnostic.render() for diagnostic in self.diagnostics)
        return self.text


def run_dealog(
    text: str, passes: Sequence[str], engine: EngineName = "embedded", *, allow_unregistered: bool = False,
    extensions: Extensions = NO_EXTENSIONS, verify: bool = NIGHTLY,
) -> DealogOutput:
    """Runs passes and pipelines, written as flags without their dashes, over the module of a text.

    With `verify`, as in ``make nightly``, what goes in and what comes out is verified, as the command does.
    """
    return apart(_run_dealog, text, tuple(passes), engine, allow_unregistered, extensions, verify)


def _run_dealog(
    text: str, passes: Sequence[str], engine: EngineName, allow_unregistered: bool, extensions: Extensions, verify: bool
) -> DealogOutput:
    parts = (flag.partition("=") for flag in passes)
    steps = [step for name, _, options in parts for step in make_steps(name, options)]
    job = Job(
        steps, Engine(engine), allow_unregistered=allow_unregistered, extensions=extensions,
        verification="around" if verify else "none",
    )  # fmt: skip
    try:
        return DealogOutput(transform(text, "<stdin>", job, Stopwatch(show=False), lambda _: None))
    except DealogError as error:
        return DealogOutput(None, tuple(error.diagnostics))


def run_stages(text: str, steps: Sequence[Step]) -> list[str]:
    """The text of a module after each step of a pipeline. What one step knows of the others is not lost."""
    return apart(_run_stages, text, tuple(steps))


def _run_stages(text: str, steps: Sequence[Step]) -> list[str]:
    stopwatch, engine = Stopwatch(show=False), Engine("embedded")
    module = read_module(Chunk(text, 1), "<stdin>", stopwatch, allow_unregistered=False, normalize=False)
    return [print_module(module) for _ in run_one_by_one(module, steps, engine, stopwatch)]


def executed(text: str, given: str, *options: str) -> str:
    """What `dealog exec` prints of a call of `main` with the arguments `given`, on its checked heap: values, or what
    went wrong."""
    run = command("exec", "-", "--lower=never", "--entry=@main", f"--args={given}", *options, stdin=text)
    return run.out if run.status == 0 else run.err
