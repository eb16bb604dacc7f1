"""`dealog check --watch`: check what changes, again and again."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dealog.commands.check_run import ERROR, Run, written
from dealog.diagnostics import DealogError
from dealog.messages import report_all

if TYPE_CHECKING:
    from dealog.checking.batch import FileResult
    from dealog.extensions import Extensions

_INTERVAL = 0.3  # seconds between two looks at the files
_Stamp = tuple[int, int] | None


def keep_checking(run: Run) -> int:
    """Check what changes until Ctrl-C, and everything where the rules do; the exit status is that of the last check.

    Raises:
        DealogError: rules or paths are wrong at the first look; later, that is reported.
        click.UsageError: standard input is among the files.
    """
    watched = _Watched(run)
    try:
        while True:
            watched.look()
            time.sleep(_INTERVAL)
    except KeyboardInterrupt:
        return watched.status


class _Watched:
    """The files of a run, as they were at the last look, and what was found in them."""

    def __init__(self, run: Run) -> None:
        self.status = 0
        self._run = run
        self._rules: object = None  # changes with the rules
        self._stamps: dict[str, _Stamp] = {}
        self._results: dict[str, FileResult] = {}
        self._reported = ""  # the error that kept the last look from finding files

    def look(self) -> None:
        """Check what changed since the last look."""
        files = self._files()
        if "-" in files:
            raise click.UsageError("--watch looks at files, and standard input is not a file")
        stamps = {path: _stamp(path) for path in files}
        changed = [path for path in files if path not in self._results or stamps[path] != self._stamps[path]]
        if changed or set(files) != set(self._stamps):
            self._check(files, changed)
        self._stamps = stamps

    def _files(self) -> list[str]:
        """The files that there are now, under the rules as they are now; none where an error keeps them from being
        found, which is reported once."""
        try:
            extensions, rules = self._extensions()
            if rules != self._rules:
                self._rules, self._results = rules, {}
                self._run.task = replace(self._run.task, extensions=extensions)
                self._run.kinds = self._run.task.kinds()
            files = self._run.files()
        except DealogError as error:
            if not self._stamps and not self._reported:
                raise
            if str(error) != self._reported:
                report_all(error.diagnostics)
            self.status, self._rules, self._stamps, self._reported = ERROR, None, {}, str(error)
            return []
        self._reported = ""
        return files

    def _extensions(self) -> tuple[Extensions, object]:
        """The rule files and dialects as they are, and something that changes with them.

        Raises:
            DealogError: rule files are wrong.
        """
        from dealog.extensions import Extensions

        before = self._run.task.extensions
        fresh = Extensions(before.rules, before.dialects)
        syntax = [(path, _stamp(path)) for folder in fresh.syntax_dirs for path in sorted(folder.glob("*.lark"))]
        return fresh, (fresh.made_from, syntax)

    def _check(self, files: Sequence[str], changed: Sequence[str]) -> None:
        """Check the files that `changed`, and show what is found in all."""
        from dealog.checking.batch import check_all

        fresh = zip(changed, check_all(changed, self._run.task, self._run.jobs), strict=True)
        self._results = {path: self._results[path] for path in files if path in self._results} | dict(fresh)
        checked = self._run.without_known([self._results[path] for path in files])
        self.status = self._run.status(checked)
        if sys.stdout.isatty():
            click.clear()
        click.echo(written(checked, "text", "-"), nl=False)
        self._run.show(checked)
        sys.stdout.flush()


def _stamp(path: str | Path) -> _Stamp:
    """Changes when the file at `path` does; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
