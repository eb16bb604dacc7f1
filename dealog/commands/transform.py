"""What `dealog opt` and `dealog dealloc` do with their inputs, by their options.

What is needed is imported when a command runs, as for the commands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dealog.commands.mlir_flags import UsageError
from dealog.diagnostics import DealogError
from dealog.files import OutputFile, read_text, reason

if TYPE_CHECKING:
    from dealog.expected_diagnostics import Mode
    from dealog.extensions import Extensions
    from dealog.job import Job
    from dealog.pipeline import EngineName, Step
    from dealog.scale.settings import Scale
    from dealog.stopwatch import Stopwatch
    from dealog.timing import Display
    from dealog.unknown_effects import UnknownEffects


def transform_inputs(
    input_paths: Sequence[str],
    steps: Sequence[Step],
    *,
    output_path: str,
    time_passes: bool,
    timing: bool,
    timing_display: Display,
    dump_pipeline: bool,
    jobs: int,
    incremental: bool,
    cluster: str | None,
    **settings: Any,
) -> None:
    """Run `steps` on one input, standard input where none is named, or on several, and write what comes of it.

    Args:
        input_paths: files and folders; `-` is standard input.
        steps: the passes.
        output_path: a file, `-` for standard output, or the folder for several outputs.
        settings: the options that say what is done with a module, see `_job`.

    The others are the options of these names.

    Raises:
        UsageError: options that cannot be used together.
        DealogError: an input that cannot be read or transformed, or an output that cannot be written.
    """
    from dealog.scale.settings import Scale

    job = _job(steps, **settings)
    if dump_pipeline:
        _show_pipeline(job)
    if cluster is not None and jobs > 1:
        raise UsageError("-j is about processes of this machine; it cannot be used together with --cluster")
    scale = Scale(jobs, cluster, incremental)
    to_folder = output_path.endswith(os.sep) or os.path.isdir(output_path)
    if len(input_paths) > 1 or any(os.path.isdir(path) or (path != "-" and to_folder) for path in input_paths):
        _transform_files(input_paths, output_path, job, scale, time_passes)
    else:
        input_path = input_paths[0] if input_paths else "-"
        _transform_file(input_path, output_path, job, scale, time_passes, timing_display if timing else None)


def _job(
    steps: Sequence[Step],
    *,
    split_marker: str | None,
    output_marker: str,
    verify: Mode | None,
    verify_each: bool,
    no_verify: bool,
    unknown_effects: UnknownEffects,
    allow_unregistered: bool,
    normalize: bool,
    annotate: bool,
    engine: EngineName,
    compile: bool,
    engine_timeout: float | None,
    extensions: Extensions,
    no_implicit_module: bool,
    generic: bool,
    locations: bool,
    anchor: str | None = None,
    **dumped: Any,
) -> Job:
    """What the options ask for; `dumped` are those that say when the IR is printed."""
    from dealog.dumps import Dumps
    from dealog.job import Job
    from dealog.pipeline import Engine

    if verify_each and no_verify:
        raise UsageError("--verify-each and --no-verify exclude each other")
    job = Job(
        steps=steps,
        engine=Engine(engine, compile, engine_timeout),
        split_marker=split_marker,
        output_marker=output_marker,
        verify=verify,
        verification="none" if no_verify else "each" if verify_each else "around",
        unknown_effects=unknown_effects,
        allow_unregistered=allow_unregistered,
        normalize=normalize,
        annotate=annotate,
        extensions=extensions,
        anchor=anchor,
        implicit_module=not no_implicit_module,
        generic=generic,
        locations=locations,
        dumps=Dumps(**dumped),
    )
    _check_options(job)
    return job


def _check_options(job: Job) -> None:
    """Raise `UsageError` for options that cannot be used together."""
    if job.normalize and job.verify:
        raise UsageError("--normalize drops the comments that --verify-diagnostics reads; use one of the two")
    if job.engine.compile and job.engine.name == "embedded":
        raise UsageError("--compile is for Soufflé; it cannot be used with --engine embedded")
    if job.verification == "each" and job.annotate:
        raise UsageError("--verify-each cannot be used with --annotate; the passes run as one there")
    if job.split_marker == "":
        raise UsageError("the marker of --split-input-file is empty")
    if job.annotate and job.dumps:
        raise UsageError("--annotate runs all passes at once; it cannot be used together with --mlir-print-ir-…")
    if job.generic and (job.locations or job.annotate):
        with_ = "--mlir-print-debuginfo" if job.locations else "--annotate"
        raise UsageError(f"mlir-opt prints the generic form, and drops what {with_} adds; use one of the two")


def _show_pipeline(job: Job) -> None:
    """Show on stderr the passes that run."""
    from dealog.pipeline import MODULE, written

    text = written(job.steps, job.anchor or MODULE)
    count = len(re.findall(r"^  [\w]", text, re.MULTILINE))  # as mlir-opt counts: nested ones are one
    click.echo(f"Pass Manager with {count} passes:\n{text}\n", err=True)


def _transform_file(
    input_path: str, output_path: str, job: Job, scale: Scale, time_passes: bool, timing: Display | None
) -> None:
    """Transform one input; then show on stderr what took how long, as `time_passes` and `timing` ask for."""
    from dealog.messages import is_terminal
    from dealog.stopwatch import Stopwatch

    text, name = read_text(input_path)
    output = OutputFile(output_path)
    stopwatch = Stopwatch(show=is_terminal())
    timed = time_passes or timing is not None
    try:
        with stopwatch:
            result = _transformed(text, name, job, scale, stopwatch, timed)
    finally:
        if time_passes:
            click.echo(stopwatch.table(), err=True)
        if timing is not None:
            click.echo(job.timing.report(timing), err=True)
    output.write(result)


def _transformed(text: str, name: str, job: Job, scale: Scale, stopwatch: Stopwatch, timed: bool) -> str:
    """The output for `text`: of parts where that is asked for, or where it is large and its passes are not timed."""
    from dealog.job import transform
    from dealog.messages import report
    from dealog.scale.settings import LARGE

    if not scale and (len(text) < LARGE or timed):
        return transform(text, name, job, stopwatch, report)
    from dealog.scale.run import Runner

    with Runner(scale, job, stopwatch) as runner:
        return runner.text(text, name, report)


def _transform_files(
    input_paths: Sequence[str], folder: str, job: Job, scale: Scale, time_passes: bool
) -> None:
    """Transform several files, each of which is written when it is done."""
    from dealog.messages import is_terminal, report
    from dealog.scale.run import Runner, outputs
    from dealog.stopwatch import Stopwatch

    if folder == "-" or (os.path.exists(folder) and not os.path.isdir(folder)):
        raise UsageError("several files are written to a folder", "name it: -o DIR")
    if job.dumps or job.verify is not None:
        raise UsageError("--mlir-print-ir-… and --verify-diagnostics are for one file")
    places = outputs(input_paths, folder)
    stopwatch = Stopwatch(show=is_terminal())
    with stopwatch, Runner(scale, job, stopwatch) as runner:
        for path, text in runner.files(list(places), report):
            try:
                Path(places[path]).parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise DealogError(f"cannot write to '{folder}': {reason(error)}") from error
            OutputFile(places[path]).write(text)
    if time_passes:
        click.echo(stopwatch.table(), err=True)
