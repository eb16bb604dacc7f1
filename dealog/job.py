"""What `dealog opt` and `dealog dealloc` do with an input text: parse, run the passes, print."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from dealog import expected_diagnostics, splitting
from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.dumps import Dumps
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.mlir_opt import class_name
from dealog.pipeline import ANY, MODULE, Engine, Step, run_one_by_one
from dealog.splitting import Chunk
from dealog.stopwatch import Stopwatch
from dealog.timing import Timing
from dealog.unknown_effects import UnknownEffects, with_effects
from dealog.verification import Verdict, Verifier

if TYPE_CHECKING:
    from dealog.frontend import Module


Verification = Literal["none", "around", "each"]
"""When to verify the module: not at all, before the first pass and after the last, or after each, too."""


@dataclass(frozen=True)
class Job:
    """The settings of one run; `split_marker` is None for input that is one module.

    `anchor` names the operation that the pipeline runs on, where it says so; `implicit_module` is false where the
    input has to be one operation. `generic` and `locations` say how the output is printed. `parts` is asked first for
    the output for a module and its name, and gives None where that takes the whole module at once.
    """

    steps: Sequence[Step]
    engine: Engine
    split_marker: str | None = None
    output_marker: str = splitting.DEFAULT_MARKER
    verify: expected_diagnostics.Mode | None = None
    verification: Verification = "around"
    unknown_effects: UnknownEffects = "refuse"
    allow_unregistered: bool = False
    normalize: bool = False
    annotate: bool = False
    extensions: Extensions = NO_EXTENSIONS
    anchor: str | None = None
    implicit_module: bool = True
    generic: bool = False
    locations: bool = False
    dumps: Dumps = field(default_factory=Dumps)
    timing: Timing = field(default_factory=Timing)
    parts: Callable[[str, str], str | None] | None = None


def read_module(
    chunk: Chunk,
    name: str,
    stopwatch: Stopwatch,
    allow_unregistered: bool,
    normalize: bool,
    extensions: Extensions = NO_EXTENSIONS,
) -> Module:
    """Parse `chunk` of the file `name`.

    Raises `DealogError` for text that is not MLIR, for operations of unknown dialects unless those are
    allowed, and for extensions that are wrong.
    """
    from dealog.frontend import parse  # late: the command has to start fast

    text, first_line = chunk.text, chunk.first_line
    if normalize:
        from dealog.normalize import normalize as print_generic

        with stopwatch("normalize"):
            text = print_generic(text, name, first_line, allow_unregistered)
        name, first_line = f"{name} (normalized)", 1
    with stopwatch("parse"):
        source = SourceText(name, text, first_line)
        module = parse(source, syntax_dirs=extensions.syntax_dirs, others=extensions.texts)
    if not allow_unregistered:
        from dealog.registry import unregistered

        if errors := unregistered(module, extensions):
            raise DealogError(errors)
    return module


def transform(text: str, name: str, job: Job, stopwatch: Stopwatch, report: Callable[[Diagnostic], None]) -> str:
    """The output for the input `text` of the file `name`; warnings go to `report`.

    Raises `DealogError` with the errors of all chunks or, when diagnostics are to be verified, with what
    differs from the expected ones.
    """
    chunks = [Chunk(text, 1)]
    if job.split_marker is not None:
        chunks, warnings = splitting.split(text, name, job.split_marker)
        for warning in warnings:
            report(warning)
    outputs: list[str] = []
    errors: list[Diagnostic] = []
    for chunk in chunks:
        done = job.parts(chunk.text, name) if job.parts is not None else None
        output, emitted = (done, ()) if done is not None else _process(chunk, name, job, stopwatch)
        outputs.append(output)
        errors.extend(_verified(chunk, name, emitted, job.verify))
    if errors:
        raise DealogError(errors)
    return splitting.join(outputs, job.output_marker)


def _process(chunk: Chunk, name: str, job: Job, stopwatch: Stopwatch) -> tuple[str, Iterable[Diagnostic]]:
    timing = job.timing
    try:
        with timing("Parser", -1):
            module = read_module(chunk, name, stopwatch, job.allow_unregistered, job.normalize, job.extensions)
            if job.unknown_effects != "refuse":
                job = replace(job, extensions=with_effects(module, job.extensions, job.unknown_effects))
            verifier = None
            if job.verification != "none":
                verifier = Verifier(job.engine, job.extensions, stopwatch, steps=job.steps)
            valid = Verdict(verifier, module)
            if job.annotate or job.dumps or job.verification == "each":
                valid()
            elif job.steps:
                valid.begin()
            with _unless(valid):
                _check_anchor(module, job)
        with _unless(valid):
            if job.annotate:
                from dealog.asking.annotate import run_annotated

                with stopwatch("passes, with comments"):
                    run_annotated(module, job.steps, job.engine, job.extensions)
            else:
                _run(module, job, stopwatch, verifier if job.verification == "each" else None, valid)
            valid()
        if verifier is not None and job.steps and (job.verification == "around" or job.annotate):
            verifier.verify(module, after="the passes")
        with timing("Output", len(job.steps)), stopwatch("print"):
            return _printed(module, job), ()
    except DealogError as error:
        return "", error.diagnostics


@contextmanager
def _unless(valid: Callable[[], None]) -> Iterator[None]:
    """Where something goes wrong with a module that is not valid, that is the error."""
    try:
        yield
    except Exception:
        valid()
        raise


def _run(
    module: Module, job: Job, stopwatch: Stopwatch, verifier: Verifier | None, before_any: Callable[[], None]
) -> None:
    """Run the passes, with the IR around them on stderr where that is asked for; a `verifier` has a look at the module
    after each. For `before_any` see `run_one_by_one`."""
    runs = run_one_by_one(module, job.steps, job.engine, stopwatch, job.extensions, before_any=before_any)
    if job.dumps:
        runs = job.dumps.around(module, job.steps, runs, _show, partial(_generic, module, job))
    for place, step in enumerate(job.steps):
        with job.timing(class_name(step.pass_.name), place, stopwatch.seconds):
            next(runs)
            if verifier is not None:
                verifier.verify(module, after=step.pass_.name)


def _show(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _printed(module: Module, job: Job) -> str:
    from dealog.frontend import print_module

    if job.locations:
        from dealog.debuginfo import add_locations

        add_locations(module)
    return _generic(module, job, print_module(module))


def _generic(module: Module, job: Job, text: str) -> str:
    """`text`, a print of `module` or of a part of it, in the generic form where that is asked for. The attributes
    that a custom form implies are mlir-opt's to tell."""
    if not job.generic or all(op.generic for op in module.walk() if op is not module.operation or op.offset >= 0):
        return text
    from dealog.normalize import normalize

    name = f"{module.source.name} (result)"
    return normalize(text, name, 1, job.allow_unregistered, "--mlir-print-op-generic", job.implicit_module)


def _check_anchor(module: Module, job: Job) -> None:
    """Raise `DealogError` where the input is not what the pipeline runs on."""
    top = MODULE
    if not job.implicit_module and module.operation.offset < 0:
        inside = [op for region in module.operation.regions for block in region.blocks for op in block.operations]
        if len(inside) != 1:
            message = f"source must contain a single top-level operation, found: {len(inside)}"
            raise DealogError(Diagnostic(message, source=module.source, offset=0))
        top = inside[0].name
    if job.anchor is not None and job.anchor not in (ANY, top):
        message = f"can't run '{job.anchor}' pass manager on '{top}' op"
        raise DealogError(Diagnostic(message, source=module.source, offset=0))


def _verified(
    chunk: Chunk, name: str, emitted: Iterable[Diagnostic], mode: expected_diagnostics.Mode | None
) -> Iterable[Diagnostic]:
    if mode is None:
        return emitted
    return expected_diagnostics.verify(SourceText(name, chunk.text, chunk.first_line), emitted, mode)
