"""One run of `dealog check`: the files, what is found in them, what is mended, and the exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dealog.diagnostics import plural
from dealog.files import OutputFile

if TYPE_CHECKING:
    from dealog.checking.batch import FileResult, Task
    from dealog.checking.findings import FindingKind
    from dealog.checking.formats import Checked
    from dealog.checking.paths import Selection

ERROR = 2
"""The exit status where something went wrong: 1 is for findings."""


@dataclass
class Run:
    """One run of the command.

    `paths` and `selection` say which files are checked, `task` and its `kinds` for what; `asked` are the arguments by
    which `dealog why` asks under the same rules. Findings in `baseline` are not reported, and those from `fail_on` on
    make the exit status 1.
    """

    paths: Sequence[str]
    selection: Selection
    task: Task
    kinds: Sequence[FindingKind]
    asked: Sequence[str]
    jobs: int
    baseline: Path | None
    fail_on: str

    def files(self) -> list[str]:
        """The files to check. Raises `DealogError` for a path that names nothing."""
        from dealog.checking.paths import collect

        return collect(self.paths, self.selection)

    def checked(self, fix: bool = False, diff: bool = False) -> Checked:
        """All that is found, after mending in the files (`fix`), or beside changes that are only shown (`diff`).

        Raises:
            DealogError: a path names nothing, or the baseline or the rules are wrong.
            click.UsageError: standard input is to be mended.
        """
        from dealog.checking.batch import check_all
        from dealog.messages import is_terminal
        from dealog.stopwatch import Stopwatch

        files = self.files()
        if (fix or diff) and "-" in files:
            raise click.UsageError("--fix changes files, and standard input is not a file")
        known = self._read_baseline()
        results: list[FileResult] = []
        with Stopwatch(show=is_terminal()) as stopwatch:
            for number, result in enumerate(check_all(files, self.task, self.jobs), 1):
                with stopwatch(f"checked {number} of {len(files)} files"):
                    kept = known(result)
                    if fix or diff:
                        kept = self._mended(kept, result, write=fix and not diff)
                    results.append(kept)
        return self._checked(results)

    def without_known(self, results: Sequence[FileResult]) -> Checked:
        """What `results` report, without the findings in the baseline."""
        known = self._read_baseline()
        return self._checked([known(result) for result in results])

    def _checked(self, results: Sequence[FileResult]) -> Checked:
        from dealog.checking.formats import Checked

        return Checked(self.kinds, results, self.asked)

    def _read_baseline(self) -> Callable[[FileResult], FileResult]:
        """What takes the findings in the baseline out of a result."""
        if self.baseline is None:
            return lambda result: result
        from dealog.checking.baseline import Baseline
        from dealog.checking.batch import Suppressed

        baseline = Baseline.read(self.baseline)

        def kept(result: FileResult) -> FileResult:
            known = [finding for finding in result.findings if baseline.takes(finding, result.name)]
            found = [finding for finding in result.findings if finding not in known]
            hidden = [Suppressed(finding, "baseline") for finding in known]
            return replace(result, findings=found, suppressed=[*result.suppressed, *hidden])

        return kept

    def _mended(self, kept: FileResult, result: FileResult, write: bool) -> FileResult:
        """The result for the file after mending, or, without `write`, for the file as it is, the changes shown."""
        from dealog.checking.batch import check_text, read
        from dealog.checking.fixes import mend
        from dealog.diagnostics import DealogError
        from dealog.splitting import Chunk, split

        if kept.source is None or not any(finding.edits for finding in kept.findings):
            return kept
        before = kept.source.text

        def modules(text: str) -> list[Chunk]:
            marker = self.task.split_marker
            return [Chunk(text, 1)] if marker is None else split(text, kept.name, marker)[0]

        def reads(text: str) -> None:
            for chunk in modules(text):
                if chunk.text not in broken:
                    read(chunk.text, kept.name, self.task, chunk.first_line)

        def found(text: str) -> Sequence[Any]:
            return self._read_baseline()(result if text == before else check_text(text, kept.name, self.task)).findings

        broken: set[str] = set()  # what could not be read before need not be read afterwards
        for chunk in modules(before):
            try:
                reads(chunk.text)
            except DealogError:
                broken.add(chunk.text)
        text, count = mend(before, found, reads)
        if text == before:
            return kept
        if not write:
            from difflib import unified_diff

            lines = before.splitlines(keepends=True), text.splitlines(keepends=True)
            click.echo("".join(unified_diff(*lines, kept.name, kept.name)), nl=False)
            return kept
        OutputFile(kept.name).write(text)
        click.echo(f"{kept.name}: {count} mended", err=True)
        return self._read_baseline()(check_text(text, kept.name, self.task))

    def show(self, checked: Checked, with_count: bool = True) -> None:
        """Show the errors and warnings, and how much was found."""
        from dealog.messages import report_all

        report_all([said for file in checked.files for said in (*file.warnings, *file.errors)])
        if with_count:
            click.echo(checked.count, err=True)

    def status(self, checked: Checked) -> int:
        """The exit status."""
        from dealog.checking.findings import LEVELS

        failing = LEVELS[: LEVELS.index(self.fail_on) + 1] if self.fail_on in LEVELS else ()
        if checked.errors:
            return ERROR
        return 1 if any(finding.kind.level in failing for _, finding in checked) else 0

    def write_baseline(self, checked: Checked, path: Path) -> int:
        """Write what is found to `path` as a baseline; the exit status comes back."""
        from dealog.checking.baseline import as_baseline
        from dealog.messages import report_all

        found = [(file.name, finding) for file, finding in checked]
        OutputFile(str(path)).write(as_baseline(found, path))
        click.echo(f"{path}: {plural(len(found), 'finding')}", err=True)
        report_all(checked.errors)
        return ERROR if checked.errors else 0


def written(checked: Checked, form: str, output_path: str) -> str:
    """What is found, in the format `form`; text for a terminal in colour."""
    from dealog.checking.formats import as_github, as_json, as_sarif, as_text
    from dealog.messages import coloured

    if form != "text":
        return {"json": as_json, "sarif": as_sarif, "github": as_github}[form](checked)
    text = as_text(checked)
    return coloured(text) if output_path == "-" and sys.stdout.isatty() else text
