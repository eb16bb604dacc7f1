"""Checks many files, in processes side by side where that is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dealog.checking import suppressions
from dealog.checking.findings import FindingKind, every_kind
from dealog.checking.run import Finding, TextEdit, find, unreported
from dealog.deallocation import DEFAULT_DEALLOCATION, Deallocation
from dealog.diagnostics import DealogError, Diagnostic, SourceText

if TYPE_CHECKING:
    from dealog.extensions import Extensions
    from dealog.frontend import Module
    from dealog.pipeline import Engine


@dataclass(frozen=True)
class Task:
    """What to look for, and how files are read. `only` and `ignore` choose among the findings that there are."""

    engine: Engine
    extensions: Extensions
    only: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    deallocation: Deallocation = DEFAULT_DEALLOCATION
    allow_unregistered: bool = False
    normalize: bool = False
    split_marker: str | None = None

    def kinds(self) -> list[FindingKind]:
        """The findings to look for.

        Raises:
            DealogError: the rules are wrong, or a finding is named that does not exist.
        """
        from dealog.diagnostics import did_you_mean

        kinds = every_kind(self.extensions)
        names = [kind.name for kind in kinds]
        for name in (*self.only, *self.ignore):
            if name not in names:
                hint = did_you_mean(name, names) or "'dealog check --list' shows what findings there are"
                raise DealogError(Diagnostic(f"there is no finding '{name}'", hint=hint))
        return [kind for kind in kinds if (not self.only or kind.name in self.only) and kind.name not in self.ignore]


@dataclass(frozen=True)
class Suppressed:
    """A finding that is not reported: a comment means it (`reason` is what that says), or it is in the baseline."""

    finding: Finding
    by: str
    reason: str = ""


@dataclass(frozen=True)
class FileResult:
    """What checking one file came to; `source` is None for a file that could not be read.

    `errors` kept it from finding more: the file is not MLIR, or a pass refuses it.
    """

    name: str
    source: SourceText | None
    findings: Sequence[Finding] = ()
    suppressed: Sequence[Suppressed] = ()
    errors: Sequence[Diagnostic] = ()
    warnings: Sequence[Diagnostic] = field(default=())


def check_path(path: str, task: Task) -> FileResult:
    """Check the file at `path`; `-` is standard input.

    Raises:
        DealogError: the rules are wrong. What is wrong with the file is part of the result.
    """
    from dealog.files import STDIN_NAME, read_text

    task.kinds()
    try:
        text, name = read_text(path)
    except DealogError as error:
        return FileResult(STDIN_NAME if path == "-" else path, None, errors=error.diagnostics)
    return check_text(text, name, task)


def check_text(text: str, name: str, task: Task) -> FileResult:
    """Check `text`, which the user knows as `name`; see `check_path`."""
    from dealog.splitting import Chunk, split

    chunks = [Chunk(text, 1)]
    warnings: list[Diagnostic] = []
    if task.split_marker is not None:
        chunks, warnings = split(text, name, task.split_marker)
    results = [_check_chunk(chunk.text, name, chunk.first_line, task) for chunk in chunks]
    findings: list[Finding] = []
    suppressed: list[Suppressed] = []
    at = 0
    for chunk, result in zip(chunks, results, strict=True):
        findings += [_shifted(finding, at) for finding in result.findings]
        suppressed += [replace(each, finding=_shifted(each.finding, at)) for each in result.suppressed]
        at += len(chunk.text) + len(task.split_marker or "")
    source = results[0].source if len(results) == 1 else SourceText(name, text)
    return FileResult(
        name, source, findings, suppressed,
        [error for result in results for error in result.errors],
        [*warnings, *(warning for result in results for warning in result.warnings)],
    )  # fmt: skip


def _shifted(finding: Finding, by: int) -> Finding:
    """`finding` with its edits for the whole text, of which what was checked begins at `by`."""
    edits = tuple(TextEdit(edit.start + by, edit.end + by, edit.text) for edit in finding.edits)
    return replace(finding, edits=edits)


def _check_chunk(text: str, name: str, first_line: int, task: Task) -> FileResult:
    known = [kind.name for kind in every_kind(task.extensions)]
    comments = suppressions.read(SourceText(name, text, first_line), known)
    try:
        module = read(text, name, task, first_line)
    except DealogError as error:
        source = SourceText(name, text, first_line)
        return FileResult(name, source, errors=error.diagnostics, warnings=comments.warnings)
    found, refused = find(module, task.kinds(), task.deallocation.steps(), task.engine, task.extensions)
    reported, suppressed = [], []
    for finding in found:
        comment = comments.of(finding)
        if comment is None:
            reported.append(finding)
        else:
            suppressed.append(Suppressed(finding, "comment", comment.reason))
    refused_besides = unreported(refused, reported, task.extensions)
    return FileResult(name, module.source, reported, suppressed, refused_besides, comments.warnings)


def read(text: str, name: str, task: Task, first_line: int = 1) -> Module:
    """The module in `text`, as `task` has files read.

    Raises:
        DealogError: it is not MLIR.
    """
    from dealog.job import read_module
    from dealog.splitting import Chunk
    from dealog.stopwatch import Stopwatch

    chunk, stopwatch = Chunk(text, first_line), Stopwatch(show=False)
    return read_module(chunk, name, stopwatch, task.allow_unregistered, task.normalize, task.extensions)


def check_all(paths: Sequence[str], task: Task, jobs: int) -> Iterator[FileResult]:
    """Check files, in the order of `paths`, in up to `jobs` processes.

    Raises:
        DealogError: as `check_path` does; a process died.
    """
    jobs = min(jobs, len(paths))
    if jobs <= 1 or "-" in paths:
        for path in paths:
            yield check_path(path, task)
        return
    from concurrent.futures.process import BrokenProcessPool
    from functools import partial

    from dealog.processes import died, pool

    task.kinds()  # errors in the rules are reported once, here
    with pool(jobs) as processes:
        try:
            yield from processes.map(partial(check_path, task=task), paths)
        except BrokenProcessPool:
            raise died(1) from None


def processors() -> int:
    """How many processes can run at the same time."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
