"""`dealog check`: report what the rules find in modules.

What the command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dealog.deallocation import DEFAULT_PIPELINE
from dealog.files import OutputFile
from dealog.options import (
    allow_unregistered,
    choose_engine,
    given_extensions,
    normalize,
    output_path,
    settings_of,
    with_deallocation,
    with_extensions,
)  # fmt: skip
from dealog.splitting import DEFAULT_MARKER

if TYPE_CHECKING:
    from dealog.checking.batch import FileResult, Task
    from dealog.checking.findings import FindingKind
    from dealog.checking.formats import Checked
    from dealog.deallocation import Deallocation
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName

_ERROR = 2  # the exit status: 1 is for findings


class _Command(click.Command):
    """A command whose errors make the exit status 2, whatever they are."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        made: click.Context = _with_status(lambda: super(_Command, self).make_context(*args, **kwargs))
        return made

    def invoke(self, ctx: click.Context) -> Any:
        return _with_status(lambda: super(_Command, self).invoke(ctx))


def _with_status(action: Callable[[], Any]) -> Any:
    try:
        return action()
    except (click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        error.status = _ERROR  # type: ignore[attr-defined]
        raise


@click.command(
    cls=_Command, short_help="Tell what the rules find in modules: wasted buffers, clones, run-time checks."
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "sarif", "github"]), default="text", show_default=True,
    help="How the findings are written; sarif is SARIF 2.1.0, github what GitHub Actions shows beside the code.",
)  # fmt: skip
@output_path
@click.option("--only", multiple=True, metavar="NAME", help="Look for this finding alone. May be given more than once.")
@click.option("--ignore", multiple=True, metavar="NAME", help="Leave this finding out. May be given more than once.")
@click.option(
    "--fail-on", type=click.Choice(["error", "warning", "note", "never"]),
    help="From which severity on a finding makes the exit status 1.  [default: warning]",
)  # fmt: skip
@click.option(
    "--baseline", type=click.Path(path_type=Path), metavar="FILE", help="Do not report the findings in this file."
)
@click.option(
    "--write-baseline", "new_baseline", type=click.Path(path_type=Path), metavar="FILE",
    help="Write all findings to this file as a baseline, and report none.",
)  # fmt: skip
@click.option("--fix", is_flag=True, help="Fix in the files what can be fixed, and report the rest.")
@click.option("--diff", is_flag=True, help="Show what --fix would change, and change nothing.")
@click.option(
    "-j", "--jobs", type=click.IntRange(min=0), default=0, metavar="N",
    help="Check so many files at the same time; 0, the default, is as many as there are processors.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--split-input-file", "split", is_flag=True, help=f"Modules in a file are parted by '{DEFAULT_MARKER}'.")
@click.option("--list", "listing", is_flag=True, help="Show what findings there are, and read no module.")
@choose_engine("the findings are the same.")
@normalize
@allow_unregistered
@with_deallocation
@with_extensions
@click.pass_context
def check(
    ctx: click.Context,
    paths: Sequence[str],
    form: str,
    output_path: str,
    only: Sequence[str],
    ignore: Sequence[str],
    fail_on: str | None,
    baseline: Path | None,
    new_baseline: Path | None,
    fix: bool,
    diff: bool,
    jobs: int,
    watch: bool,
    split: bool,
    listing: bool,
    engine: EngineName,
    normalize: bool,
    allow_unregistered: bool,
    deallocation: Deallocation,
    extensions: Extensions,
) -> int:
    """Report findings about bufferized MLIR: those that come with Dealog, and those that rule files given by --rules
    or --dialect declare.

    \b
        dealog check model.mlir
        dealog check src/ --fix
        dealog check src/ --rules ours.dl --format sarif -o findings.sarif

    A PATH is a file, '-' for standard input, or a folder: then all *.mlir in it are checked, or what the settings
    include and do not exclude. Without a PATH it is what the settings include, or else standard input.

    Each finding is a fact that the rules derive, and says how to ask for its proof. A comment in the file,
    '// dealog: ignore[NAME] why', on the line of a finding or above it, says that it is meant.

    Exit status: 0 when there is nothing to report, 1 with a finding of the severity of --fail-on or worse, 2 with
    errors: a file that cannot be read, or that 'dealog dealloc' refuses for
    something that no finding reports. Findings are reported in any case, but where a
    path names nothing.
    """
    from dealog.checking.batch import Task, processors
    from dealog.checking.paths import DEFAULT_INCLUDE, Selection
    from dealog.pipeline import Engine

    settings = settings_of(ctx)
    task = Task(
        Engine(engine), extensions, tuple(only or settings.check.only), tuple(ignore or settings.check.ignore),
        deallocation, allow_unregistered, normalize, DEFAULT_MARKER if split else None,
    )  # fmt: skip
    kinds = task.kinds()
    if listing:
        OutputFile(output_path).write(_listed(kinds, form))
        return 0
    if watch and (output_path != "-" or form != "text" or new_baseline):
        raise click.UsageError("--watch shows findings as text on standard output")
    if (fix or diff) and (normalize or watch):
        other = "--watch" if watch else "--normalize"
        raise click.UsageError(f"--fix changes files as they are; it does not go with {other}")
    flags = {
        "--normalize": normalize,
        "--allow-unregistered-dialect": allow_unregistered,
        f"--pipeline={deallocation.pipeline}": deallocation.pipeline != DEFAULT_PIPELINE,
        "--private-function-dynamic-ownership": deallocation.dynamic_ownership,
        **{f"--only-function={name}": True for name in deallocation.only_functions},
    }
    selection = Selection(settings.folder, settings.check.include or DEFAULT_INCLUDE, settings.check.exclude)
    default = [os.path.relpath(settings.folder)] if settings.check.include is not None else ["-"]
    if baseline is None and new_baseline is None:
        baseline = settings.check.baseline
    run = _Run(
        paths=list(paths) or default,
        selection=selection,
        task=task,
        kinds=kinds,
        asked=[*(flag for flag, is_set in flags.items() if is_set), *given_extensions()],
        jobs=jobs or processors(),
        baseline=baseline,
        fail_on=fail_on or settings.check.fail_on or "warning",
    )
    if watch:
        return run.watch()
    output = OutputFile(output_path)
    checked = run.checked(fix, diff)
    if new_baseline is not None:
        return run.write_baseline(checked, new_baseline)
    output.write(_written(checked, form, output_path))
    run.show(checked, with_count=form == "text")
    return run.status(checked)


@dataclass
class _Run:
    """One run of the command."""

    paths: Sequence[str]
    selection: Any
    task: Task
    kinds: Sequence[FindingKind]
    asked: Sequence[str]
    jobs: int
    baseline: Path | None
    fail_on: str

    def files(self) -> list[str]:
        from dealog.checking.paths import collect

        return collect(self.paths, self.selection)

    def checked(self, fix: bool = False, diff: bool = False) -> Checked:
        """All that is found, after mending where that is asked for."""
        from dealog.checking.batch import check_all
        from dealog.messages import is_terminal
        from dealog.stopwatch import Stopwatch

        files = self.files()
        if (fix or diff) and "-" in files:
            raise click.UsageError("--fix changes files, and standard input is none")
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
            return _ERROR
        return 1 if any(finding.kind.level in failing for _, finding in checked) else 0

    def write_baseline(self, checked: Checked, path: Path) -> int:
        from dealog.checking.baseline import as_baseline
        from dealog.messages import report_all

        found = [(file.name, finding) for file, finding in checked]
        OutputFile(str(path)).write(as_baseline(found, path))
        click.echo(f"{path}: {len(found)} finding{'s' * (len(found) != 1)}", err=True)
        report_all(checked.errors)
        return _ERROR if checked.errors else 0

    def watch(self) -> int:
        """Check what changes, again and again, and everything where the rules do; the exit status is that of the last
        check."""
        import time

        from dealog.checking.batch import check_all
        from dealog.diagnostics import DealogError
        from dealog.messages import report_all

        seen: dict[str, tuple[int, int] | None] = {}
        results: dict[str, FileResult] = {}
        status, told = 0, ""
        by: object = None
        try:
            while True:
                try:
                    extensions, now = self._rules()
                    if now != by:
                        by, results = now, {}
                        self.task = replace(self.task, extensions=extensions)
                        self.kinds = self.task.kinds()
                    files, told = self.files(), ""
                except DealogError as error:
                    if not seen and not told:
                        raise
                    files, status, by = [], _ERROR, None
                    if str(error) != told:
                        report_all(error.diagnostics)
                    seen, told = {}, str(error)
                if "-" in files:
                    raise click.UsageError("--watch looks at files, and standard input is none")
                stamps = {path: _stamp(path) for path in files}
                changed = [path for path in files if path not in results or stamps[path] != seen[path]]
                if changed or set(files) != set(seen):
                    fresh = zip(changed, check_all(changed, self.task, self.jobs), strict=True)
                    results = {path: result for path, result in results.items() if path in stamps} | dict(fresh)
                    known = self._read_baseline()
                    checked = self._checked([known(results[path]) for path in files])
                    status = self.status(checked)
                    if sys.stdout.isatty():
                        click.clear()
                    click.echo(_written(checked, "text", "-"), nl=False)
                    self.show(checked)
                    sys.stdout.flush()
                seen = stamps
                time.sleep(_INTERVAL)
        except KeyboardInterrupt:
            return status


    def _rules(self) -> tuple[Extensions, object]:
        """The rule files and dialects as they are, and something that changes with them.

        Raises:
            DealogError: rule files are wrong.
        """
        from dealog.extensions import Extensions

        fresh = Extensions(self.task.extensions.rules, self.task.extensions.dialects)
        syntax = [(path, _stamp(path)) for folder in fresh.syntax_dirs for path in sorted(folder.glob("*.lark"))]
        return fresh, (fresh.made_from, syntax)


def _stamp(path: str | Path) -> tuple[int, int] | None:
    """Changes when the file at `path` does; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


_INTERVAL = 0.3  # seconds between two looks at the files


def _listed(kinds: Sequence[FindingKind], form: str) -> str:
    """What findings there are."""
    from dealog.checking.formats import kinds_as_json

    if form == "json":
        return kinds_as_json(kinds)
    if form != "text":
        raise click.UsageError("--list is written as text or as json")
    width = max((len(kind.name) for kind in kinds), default=0)
    return "".join(f"{kind.name:{width}}  {kind.level:7}  {kind.summary}\n" for kind in kinds)


def _written(checked: Checked, form: str, output_path: str) -> str:
    from dealog.checking.formats import as_github, as_json, as_sarif, as_text
    from dealog.messages import coloured

    if form != "text":
        return {"json": as_json, "sarif": as_sarif, "github": as_github}[form](checked)
    text = as_text(checked)
    return coloured(text) if output_path == "-" and sys.stdout.isatty() else text
