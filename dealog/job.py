"""What `dealog opt` and `dealog dealloc` do with an input text: parse, run the passes, print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dealog import expectations, splitting
from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.pipeline import Engine, Step, run
from dealog.splitting import Chunk
from dealog.stages import Stages

if TYPE_CHECKING:
    from dealog.frontend import Module


@dataclass(frozen=True)
class Job:
    """The settings of one run; `split_marker` is None for input that is one module."""

    steps: Sequence[Step]
    engine: Engine
    split_marker: str | None = None
    output_marker: str = splitting.DEFAULT_MARKER
    verify: expectations.Mode | None = None
    allow_unregistered: bool = False
    normalize: bool = False
    annotate: bool = False
    extensions: Extensions = NO_EXTENSIONS


def read_module(
    chunk: Chunk,
    name: str,
    stages: Stages,
    allow_unregistered: bool,
    normalize: bool,
    extensions: Extensions = NO_EXTENSIONS,
) -> Module:
    """Parse `chunk` of the file `name`.

    Raises `DealogError` for text that is no MLIR, for operations of unknown dialects unless those are
    allowed, and for extensions that are wrong.
    """
    from dealog.frontend import parse  # late: the command has to start fast

    text, first_line = chunk.text, chunk.first_line
    if normalize:
        from dealog.normalize import normalize as print_generic

        with stages("normalize"):
            text = print_generic(text, name, first_line, allow_unregistered)
        name, first_line = f"{name} (normalized)", 1
    with stages("parse"):
        module = parse(SourceText(name, text, first_line), syntax_dirs=extensions.syntax_dirs)
    if not allow_unregistered:
        from dealog.registry import unregistered

        if errors := unregistered(module, extensions):
            raise DealogError(errors)
    return module


def transform(text: str, name: str, job: Job, stages: Stages, report: Callable[[Diagnostic], None]) -> str:
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
        output, emitted = _process(chunk, name, job, stages)
        outputs.append(output)
        errors.extend(_verified(chunk, name, emitted, job.verify))
    if errors:
        raise DealogError(errors)
    return splitting.join(outputs, job.output_marker)


def _process(chunk: Chunk, name: str, job: Job, stages: Stages) -> tuple[str, Iterable[Diagnostic]]:
    from dealog.frontend import print_module

    try:
        module = read_module(chunk, name, stages, job.allow_unregistered, job.normalize, job.extensions)
        if job.annotate:
            from dealog.asking.annotate import run_annotated

            with stages("passes, with comments"):
                run_annotated(module, job.steps, job.engine, job.extensions)
        else:
            run(module, job.steps, job.engine, stages, job.extensions)
    except DealogError as error:
        return "", error.diagnostics
    with stages("print"):
        return print_module(module), ()


def _verified(
    chunk: Chunk, name: str, emitted: Iterable[Diagnostic], mode: expectations.Mode | None
) -> Iterable[Diagnostic]:
    if mode is None:
        return emitted
    return expectations.verify(SourceText(name, chunk.text, chunk.first_line), emitted, mode)
