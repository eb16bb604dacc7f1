"""`dealog check`: report what the rules find in modules.

What the command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dealog.commands.check_run import ERROR, Run, written
from dealog.commands.check_watch import keep_checking
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
    from dealog.checking.batch import Task
    from dealog.checking.findings import FindingKind
    from dealog.checking.paths import Selection
    from dealog.deallocation import Deallocation
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName
    from dealog.settings import CheckSettings, Settings


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
        error.status = ERROR  # type: ignore[attr-defined]
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
    help="Check N files at the same time; 0, the default, is as many as there are processors.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@click.option("--split-input-file", "split", is_flag=True, help=f"Modules in a file are parted by '{DEFAULT_MARKER}'.")
@click.option("--list", "listing", is_flag=True, help="Show what findings there are, and read no module.")
@choose_engine("the findings are the same.")
@normalize
@allow_unregistered
@with_deallocation
@with_extensions
def check(
    paths: Sequence[str],
    form: str,
    output_path: str,
    fail_on: str | None,
    baseline: Path | None,
    new_baseline: Path | None,
    fix: bool,
    diff: bool,
    jobs: int,
    watch: bool,
    listing: bool,
    **how: Any,
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
    errors: a file that cannot be read, or that 'dealog dealloc' refuses for something that no finding reports. Findings
    are reported even then, unless a path names nothing.
    """
    from dealog.checking.batch import processors

    settings = settings_of(click.get_current_context())
    task = _task(settings.check, **how)
    kinds = task.kinds()
    if listing:
        OutputFile(output_path).write(_listed(kinds, form))
        return 0
    if watch and (output_path != "-" or form != "text" or new_baseline):
        raise click.UsageError("--watch shows findings as text on standard output")
    if (fix or diff) and (task.normalize or watch):
        other = "--watch" if watch else "--normalize"
        raise click.UsageError(f"--fix changes files as they are; it does not go with {other}")
    run = Run(
        paths=paths or _default_paths(settings),
        selection=_selection(settings),
        task=task,
        kinds=kinds,
        asked=[*_flags(task), *given_extensions()],
        jobs=jobs or processors(),
        baseline=settings.check.baseline if baseline is None and new_baseline is None else baseline,
        fail_on=fail_on or settings.check.fail_on or "warning",
    )
    if watch:
        return keep_checking(run)
    output = OutputFile(output_path)
    checked = run.checked(fix, diff)
    if new_baseline is not None:
        return run.write_baseline(checked, new_baseline)
    output.write(written(checked, form, output_path))
    run.show(checked, with_count=form == "text")
    return run.status(checked)


def _task(
    settings: CheckSettings,
    *,
    only: Sequence[str],
    ignore: Sequence[str],
    split: bool,
    engine: EngineName,
    normalize: bool,
    allow_unregistered: bool,
    deallocation: Deallocation,
    extensions: Extensions,
) -> Task:
    """What is looked for, and how files are read, by the options and the settings."""
    from dealog.checking.batch import Task
    from dealog.pipeline import Engine

    return Task(
        Engine(engine), extensions, tuple(only or settings.only), tuple(ignore or settings.ignore),
        deallocation, allow_unregistered, normalize, DEFAULT_MARKER if split else None,
    )  # fmt: skip


def _selection(settings: Settings) -> Selection:
    """What is checked of a folder."""
    from dealog.checking.paths import DEFAULT_INCLUDE, Selection

    return Selection(settings.folder, settings.check.include or DEFAULT_INCLUDE, settings.check.exclude)


def _default_paths(settings: Settings) -> list[str]:
    """What is checked where no PATH is given."""
    return [os.path.relpath(settings.folder)] if settings.check.include is not None else ["-"]


def _flags(task: Task) -> Iterator[str]:
    """The flags by which another command reads a module as `task` does."""
    if task.normalize:
        yield "--normalize"
    if task.allow_unregistered:
        yield "--allow-unregistered-dialect"
    if task.deallocation.pipeline != DEFAULT_PIPELINE:
        yield f"--pipeline={task.deallocation.pipeline}"
    if task.deallocation.dynamic_ownership:
        yield "--private-function-dynamic-ownership"
    for name in task.deallocation.only_functions:
        yield f"--only-function={name}"


def _listed(kinds: Sequence[FindingKind], form: str) -> str:
    """What findings there are."""
    from dealog.checking.formats import kinds_as_json

    if form == "json":
        return kinds_as_json(kinds)
    if form != "text":
        raise click.UsageError("--list is written as text or as json")
    width = max((len(kind.name) for kind in kinds), default=0)
    return "".join(f"{kind.name:{width}}  {kind.level:7}  {kind.summary}\n" for kind in kinds)
