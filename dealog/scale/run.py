"""`-j`, `--cluster` and `--incremental`: one module or many files, in parts or whole, by whoever does the work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError, Diagnostic
from dealog.scale.cut import NotCut
from dealog.scale.module import is_cut, stands_for, transformed
from dealog.scale.settings import Scale
from dealog.scale.store import Store, key
from dealog.scale.workers import Here, Workers, workers

if TYPE_CHECKING:
    from dealog.job import Job
    from dealog.stopwatch import Stopwatch

_WORTH_IT = 32 * 1024  # characters; a smaller module is done before it is cut
_SMALL_FILE = 256 * 1024  # of several files, those up to this many characters are tasks as they are


@dataclass(frozen=True)
class _File:
    """A file as a task."""

    text: str
    name: str
    job: Job


@dataclass(frozen=True)
class _Outcome:
    """The output for a file, or what is wrong with it."""

    text: str | None
    errors: Sequence[Diagnostic] = ()
    warnings: Sequence[Diagnostic] = field(default=())


def _whole(file: _File) -> _Outcome:
    """Transform a file at once."""
    from dealog.job import transform
    from dealog.stopwatch import Stopwatch

    warnings: list[Diagnostic] = []
    try:
        text = transform(file.text, file.name, file.job, Stopwatch(show=False), warnings.append)
    except DealogError as error:
        return _Outcome(None, error.diagnostics, warnings)
    return _Outcome(text, (), warnings)


class Runner:
    """Transforms texts as `scale` says. Use as a context manager."""

    def __init__(self, scale: Scale, job: Job, stopwatch: Stopwatch) -> None:
        """Raises `DealogError` where there is no such cluster."""
        self.job, self.stopwatch = job, stopwatch
        self.workers: Workers = workers(scale.jobs, scale.cluster)
        stored: AbstractContextManager[Store | None] = Store() if scale.incremental and is_cut(job) else nullcontext()
        self.stored = stored
        self.store: Store | None = None
        self.alone = isinstance(self.workers, Here)

    def __enter__(self) -> Runner:
        self.store = self.stored.__enter__()
        self.workers.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.workers.__exit__(kind, error, None)
        self.stored.__exit__(None, None, None)

    def text(self, text: str, name: str, report: Callable[[Diagnostic], None]) -> str:
        """The output for one input. Raises `DealogError` for what is wrong with it."""
        from dealog.job import transform

        return transform(text, name, replace(self.job, parts=self._in_parts), self.stopwatch, report)

    def _in_parts(self, text: str, name: str) -> str | None:
        """What becomes of the module `text`; None where that takes the whole of it."""
        if not is_cut(self.job) or (len(text) < _WORTH_IT and self.store is None):
            return None
        whole = key(("whole", stands_for(self.job), text))
        if self.store is not None and isinstance(known := self.store.get(whole), str):
            return known
        try:
            with self.stopwatch("functions"):
                done = transformed(text, name, self.job, self.workers, self.store, self.stopwatch.say)
        except NotCut:
            return None
        if self.store is not None:
            self.store.put(whole, done)
        return done

    def files(self, paths: Sequence[str], report: Callable[[Diagnostic], None]) -> Iterator[tuple[str, str]]:
        """The outputs for files, each with its path, in the order in which they are done.

        Raises:
            DealogError: when all are done, with what is wrong with files; for these there is no output.
        """
        from dealog.files import read_text

        errors: dict[int, Sequence[Diagnostic]] = {}
        large: list[int] = []
        waiting: dict[int, tuple[bytes, str]] = {}
        most = 4 * self.workers.count
        stands = stands_for(self.job) if self.store is not None else ""

        def take() -> Iterator[tuple[str, str]]:
            number, outcome = self.workers.next_done()
            assert isinstance(outcome, _Outcome)
            whole, path = waiting.pop(number)
            for warning in outcome.warnings:
                report(warning)
            if outcome.text is None:
                errors[number] = outcome.errors
                return
            if self.store is not None and not outcome.warnings:
                self.store.put(whole, outcome.text)
            yield path, outcome.text

        for number, path in enumerate(paths):
            self.stopwatch.say(f"files: {number} of {len(paths)}")
            try:
                text, name = read_text(path)
            except DealogError as error:
                errors[number] = error.diagnostics
                continue
            if len(text) > _SMALL_FILE:
                large.append(number)
                continue
            whole = key(("whole", stands, text))
            if self.store is not None and isinstance(known := self.store.get(whole), str):
                yield path, known
                continue
            waiting[number] = whole, path
            self.workers.submit(number, (_whole, _File(text, name, self.job)))
            while len(waiting) >= most:
                yield from take()
        while waiting:
            yield from take()
        for number in large:
            text, name = read_text(paths[number])
            try:
                yield paths[number], self.text(text, name, report)
            except DealogError as error:
                errors[number] = error.diagnostics
        if errors:
            raise DealogError([each for number in sorted(errors) for each in errors[number]])


def outputs(inputs: Sequence[str], folder: str) -> dict[str, str]:
    """For each file of `inputs`, which are files and folders, where in `folder` its output goes: where it stands below
    the folder that was named, or else below the one that all files have in common. What an earlier run wrote to
    `folder` is not an input, where that stands in a folder of `inputs`.

    Raises:
        DealogError: a folder has no MLIR, or two files would be written to one place.
    """
    from dealog.checking.paths import Selection, collect

    target = Path(folder).resolve()
    named = [path for path in inputs if not os.path.isdir(path)]
    base = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in named]) if named else ""
    found = {path: os.path.relpath(os.path.abspath(path), base) for path in named}
    for path in inputs:
        if os.path.isdir(path):
            holds_output = Path(path).resolve() in target.parents
            for file in collect([path], Selection(Path(path))):
                if not (holds_output and target in Path(file).resolve().parents):
                    found[file] = os.path.relpath(file, path)
    by_place: dict[str, str] = {}
    for path, place in found.items():
        if place in by_place:
            message = f"'{by_place[place]}' and '{path}' would both be written to '{os.path.join(folder, place)}'"
            raise DealogError(Diagnostic(message, hint="name a folder that holds both"))
        by_place[place] = path
    return {path: os.path.join(folder, place) for path, place in found.items()}
