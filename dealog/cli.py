"""The command line, with mlir-opt's habits: `dealog opt`, `dealog dealloc`, `dealog facts`.

What a command needs is imported when it runs, so that `dealog --help` and small inputs are quick.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dealog import __version__
from dealog.commands.ask import query, why, why_not
from dealog.commands.check import check
from dealog.commands.exec import exec_
from dealog.commands.lsp import lsp_
from dealog.commands.report import report_
from dealog.commands.rules import rules_
from dealog.diagnostics import DealogError
from dealog.files import OutputFile, read_text, reason
from dealog.options import (
    allow_unregistered,
    choose_engine,
    choose_pipeline,
    declared_by,
    input_path,
    normalize,
    note_arguments,
    output_path,
    pass_defaults,
    unknown_effects,
    with_deallocation,
    with_extensions,
)
from dealog.passes import INSIDE_PIPELINES, PASSES, PIPELINES
from dealog.splitting import DEFAULT_MARKER

if TYPE_CHECKING:
    from dealog.deallocation import Deallocation, PipelineName
    from dealog.expected_diagnostics import Mode
    from dealog.extensions import Extensions
    from dealog.job import Job
    from dealog.pipeline import EngineName, Step
    from dealog.scale.settings import Scale
    from dealog.timing import Display
    from dealog.unknown_effects import UnknownEffects

_Function = TypeVar("_Function", bound=Callable[..., Any])

_PROGRAM_NAME = "program.dl"
_VALUES_WHEN_BARE = {"split-input-file": DEFAULT_MARKER, "verify-diagnostics": "all"}
_FLAG = re.compile(r"--?([A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)


class UsageError(click.UsageError):
    """A wrong command line, with advice."""

    def __init__(self, message: str, hint: str | None = None, ctx: click.Context | None = None) -> None:
        super().__init__(message, ctx)
        self.hint = hint


class MlirCommand(click.Command):
    """A command that takes its flags as mlir-opt does.

    One dash or two, pass flags in any place (their order is the order of the pipeline), pass options behind
    the flag: `-some-pass=option=value`, `--some-pass="option=value other=value"`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line; options may be spelled as mlir-opt's are. Raises `UsageError`."""
        try:
            return super().parse_args(ctx, list(self._spelled_for_click(ctx, args)))
        except click.NoSuchOption as error:
            raise self._no_such_option(error.option_name, ctx) from error

    def _spelled_for_click(self, ctx: click.Context, args: list[str]) -> list[str]:
        takes_value = {
            name for p in self.params if isinstance(p, click.Option) and not p.is_flag for name in p.opts
        }
        note_arguments(ctx, args)
        out: list[str] = []
        for i, arg in enumerate(args):
            match = _FLAG.fullmatch(arg)
            if arg == "--":
                return out + args[i:]
            if re.fullmatch(r"-j\d+", arg):
                out += ["-j", arg[2:]]
                continue
            if match is None or (out and out[-1] in takes_value):
                out.append(arg)  # a file, `-`, or the value of the option before
                continue
            name, value = match.groups()
            known = name in PASSES or name in PIPELINES
            if not known and self._takes_passes() and len(name) > 1 and f"--{name}" not in self._own_flags():
                known = name in declared_by(ctx)
            if known and self._takes_passes():
                out.append(f"--pass={name}{{{value or ''}}}")
                continue
            if value is None:
                value = _VALUES_WHEN_BARE.get(name)
            flag = f"-{name}" if len(name) == 1 else f"--{name}"
            if len(name) == 1 and value is not None:
                out += [flag, value]
            else:
                out.append(flag if value is None else f"{flag}={value}")
        return out

    def _own_flags(self) -> set[str]:
        return {flag for p in self.params for flag in (*p.opts, *p.secondary_opts)}

    def _takes_passes(self) -> bool:
        return any(p.name == "passes" for p in self.params)

    def _no_such_option(self, option: str, ctx: click.Context) -> UsageError:
        from dealog.diagnostics import did_you_mean

        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        known = {name for p in options for name in (*p.opts, *p.secondary_opts)}
        known -= {"--pass"}
        if self._takes_passes():
            from dealog.mlir_opt import mlir_opt_passes, no_such_pass

            if (name := option.lstrip("-").partition("=")[0]) in mlir_opt_passes():
                wrong = no_such_pass(name)
                return UsageError(wrong.message, wrong.hint, ctx)
            known |= {f"--{name}" for name in (*PASSES, *PIPELINES, *declared_by(ctx))}
        return UsageError(f"unknown option '{option}'", did_you_mean(option, known), ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options to the help text, and the passes behind them."""
        super().format_options(ctx, formatter)
        if self._takes_passes():
            with formatter.section("Passes, run in the order given"):
                rows = []
                for pass_ in (*PASSES.values(), *declared_by(ctx).values()):
                    rows.append((f"--{pass_.name}", pass_.summary))
                    rows += [(f"  ={option.name}=<{option.placeholder}>", option.summary) for option in pass_.options]
                rows += [(f"--{pipeline.name}", pipeline.summary) for pipeline in PIPELINES.values()]
                formatter.write_dl(rows)


class MlirGroup(click.Group):
    """The commands; one that does not exist is answered with the closest."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names. Raises `UsageError` where there is none."""
        if args and args[0] not in self.commands:
            from dealog.diagnostics import did_you_mean

            hint = did_you_mean(args[0], self.commands) or f"the commands are: {', '.join(self.commands)}"
            raise UsageError(f"there is no command '{args[0]}'", hint, ctx)
        return super().resolve_command(ctx, args)


def _steps(ctx: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> list[Step]:
    from dealog.pipeline import make_steps

    defaults = pass_defaults(ctx)
    declared = declared_by(ctx)
    parts = (value.partition("{") for value in values)
    return [
        step
        for name, _, options in parts
        for step in make_steps(name, options.removesuffix("}"), defaults, declared)
    ]


def _named_passes(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> frozenset[str]:
    """The names of passes that `--mlir-print-ir-before` and `-after` are given, with commas or one by one."""
    names = [name for value in values for name in value.split(",")]
    known = [*PASSES, *(pass_.name for pass_ in INSIDE_PIPELINES), *declared_by(ctx)]
    for name in names:
        if name not in known:
            from dealog.diagnostics import did_you_mean

            hint = did_you_mean(name, known) or "'dealog opt --list-passes' shows the passes"
            raise UsageError(f"{parameter.opts[0]} names a pass, and there is no pass '{name}'", hint)
    return frozenset(names)


def _list_passes(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """The passes as mlir-opt lists them."""
    if not wanted or ctx.resilient_parsing:
        return
    lines = ["Passes:"]
    every = (*PASSES.values(), *declared_by(ctx).values())
    for pass_ in sorted(every, key=lambda pass_: pass_.name):
        lines.append(f"  --{pass_.name:<47} -   {pass_.summary}")
        lines += [f"    --{option.listed:<45} - {option.summary}" for option in pass_.options]
    lines.append("Pass Pipelines:")
    for pipeline in PIPELINES.values():
        lines.append(f"  --{pipeline.name:<47} -   {pipeline.summary}")
        options = [
            option for pass_, fixed in pipeline.passes for option in pass_.options if f"{option.name}=" not in fixed
        ]
        lines += dict.fromkeys(f"    --{option.listed:<45} - {option.summary}" for option in options)
    click.echo("\n".join(lines))
    ctx.exit()


def _options(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_passes = click.option("--pass", "passes", multiple=True, hidden=True, callback=_steps)


def _some_number(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("this is no number of seconds", param=option)
    return value


_engine = _options(
    choose_engine("auto: the embedded engine, and Soufflé for what takes long, if it is on PATH.", default="auto"),
    click.option("--compile", is_flag=True, help="Have Soufflé compile the rules once, and keep the result."),
    click.option(
        "--engine-timeout",
        type=click.FloatRange(min=0, min_open=True),
        callback=_some_number,
        metavar="SECONDS",
        help="Give up when evaluating the rules of one pass takes longer.",
    ),
)
_pass_names: dict[str, Any] = {"multiple": True, "metavar": "PASS", "callback": _named_passes}
_printing = _options(
    click.option("--mlir-print-ir-before-all", "before_all", is_flag=True, help="Print the IR before each pass."),
    click.option("--mlir-print-ir-after-all", "after_all", is_flag=True, help="Print the IR after each pass."),
    click.option("--mlir-print-ir-before", "before", help="Print the IR before this pass.", **_pass_names),
    click.option("--mlir-print-ir-after", "after", help="Print the IR after this pass.", **_pass_names),
    click.option(
        "--mlir-print-ir-after-change", "after_change", is_flag=True,
        help="Print the IR after passes only where they changed it; alone, after all that did.",
    ),
    click.option(
        "--mlir-print-ir-after-failure", "after_failure", is_flag=True, help="Print the IR after a pass that failed."
    ),
    click.option(
        "--mlir-print-ir-module-scope", "module_scope", is_flag=True,
        help="Print the whole module, too, for passes nested in operations.",
    ),
    click.option(
        "--mlir-print-op-generic", "generic", is_flag=True,
        help="Print the generic form. Where the input has custom forms, mlir-opt has to be on PATH.",
    ),
    click.option(
        "--mlir-print-debuginfo", "locations", is_flag=True,
        help="Print operations with their locations, inserted ones included.",
    ),
    click.option("--mlir-timing", "timing", is_flag=True, help="Report on stderr how long each pass took."),
    click.option(
        "--mlir-timing-display", "timing_display", type=click.Choice(["tree", "list"]), default="tree",
        help="Report in the order of the run, or the longest first.",
    ),
    click.option("--dump-pass-pipeline", "dump_pipeline", is_flag=True, help="Print on stderr the passes that run."),
    click.option(
        "--no-implicit-module", "no_implicit_module", is_flag=True,
        help="Put no module around the input, which then has to be a single operation.",
    ),
    click.version_option(__version__, prog_name="dealog"),
)
_run = _options(
    output_path,
    click.option(
        "--split-input-file",
        "split_marker",
        metavar="[=MARKER]",
        help=f"Split the input at lines that end with the marker (by default '{DEFAULT_MARKER}') and process "
        "each chunk separately.",
    ),
    click.option(
        "--output-split-marker",
        "output_marker",
        metavar="MARKER",
        default=DEFAULT_MARKER,
        help="What to write between the outputs of chunks.",
    ),
    click.option(
        "--verify-diagnostics",
        "verify",
        type=click.Choice(["all", "only-expected"]),
        metavar="[=all|only-expected]",
        help="Check that the diagnostics are those that 'expected-error {{…}}' comments in the input say.",
    ),
    click.option(
        "--verify-each",
        is_flag=True,
        help="Verify the module after each pass, not only before the first and after the last.",
    ),
    click.option("--no-verify", is_flag=True, help="Do not verify the module."),
    unknown_effects,
    allow_unregistered,
    normalize,
    with_extensions,
    click.option(
        "--annotate", is_flag=True, help="Give every inserted operation a comment with the reason for it."
    ),
    click.option("--time-passes", is_flag=True, help="Show on stderr how long each stage took."),
    _engine,
    _printing,
    click.option(
        "-j", "--jobs", type=click.IntRange(min=1), metavar="N", default=1,
        help="Decide functions, and files, in so many processes.",
    ),
    click.option(
        "--incremental", is_flag=True,
        help="Keep in the cache folder what was decided, and decide only what has changed.",
    ),
    click.option(
        "--cluster", metavar="ADDRESS", help="Decide on a Dask cluster, whose scheduler is at ADDRESS (tcp://…)."
    ),
)


@click.group(
    cls=MlirGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="dealog")
@click.pass_context
def dealog(ctx: click.Context) -> None:
    """Buffer deallocation for MLIR, decided in Datalog.

    The file '-' is standard input. Exit status: 0, or 1 with errors on stderr; a file with errors has no output.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@dealog.command(cls=MlirCommand, short_help="Run passes, as mlir-opt does.")
@input_path
@_passes
@click.option(
    "--pass-pipeline", "-p", metavar="TEXT",
    help="The passes as 'builtin.module(pass{option=value},func.func(pass),any(pass))'.",
)  # fmt: skip
@click.option(
    "--list-passes", is_flag=True, is_eager=True, expose_value=False, callback=_list_passes,
    help="Show the passes and their options, and read no module.",
)  # fmt: skip
@_run
def opt(input_path: str, passes: list[Step], pass_pipeline: str | None, **settings: Any) -> None:
    """Read MLIR, run the passes in the order of their flags, and write MLIR.

    Flags are written as for mlir-opt: with one dash or two, and options of a pass behind its flag. Without
    passes the output is the input, byte for byte.
    """
    if pass_pipeline is not None:
        from dealog.pipeline import anchor, parse_pipeline

        if passes:
            raise UsageError("--pass-pipeline cannot be used together with pass flags")
        ctx = click.get_current_context()
        passes = parse_pipeline(pass_pipeline, pass_defaults(ctx), declared_by(ctx))
        settings["anchor"] = anchor(pass_pipeline)
    _transform((input_path,), passes, **settings)


@dealog.command(cls=MlirCommand, short_help="Deallocate all buffers: the main job.")
@click.argument("input_paths", metavar="[IN]...", nargs=-1)
@with_deallocation
@_run
def dealloc(input_paths: tuple[str, ...], deallocation: Deallocation, **settings: Any) -> None:
    """Read bufferized MLIR and write it with all deallocations: each buffer is freed right behind its last use.

    With --pipeline=mlir the passes of MLIR's pipeline decide, as mlir-opt's would.

    Several files, and all of a folder, are written to a folder (-o DIR), those that are wrong left out.
    """
    _transform(input_paths, deallocation.steps(), **settings)


@dealog.command(cls=MlirCommand, short_help="Write the facts that the rules of a pass work on.")
@input_path
@_passes
@click.option("-o", "directory", metavar="DIR", required=True, help="The directory for the .facts files.")
@choose_pipeline
@allow_unregistered
@normalize
@with_extensions
def facts(
    input_path: str,
    passes: list[Step],
    directory: str,
    pipeline: PipelineName,
    allow_unregistered: bool,
    normalize: bool,
    extensions: Extensions,
) -> None:
    """Write the .facts files of a module, for Soufflé by hand.

    They are those of the pass whose flag is given, with its options; by default of the pass of 'dealog dealloc' that
    decides where buffers are freed. Where rules are added, the program that comes of it is written, too.
    """
    from dealog import rules
    from dealog.deallocation import Deallocation
    from dealog.frontend.facts import export_facts
    from dealog.pipeline import make_steps

    if directory == "-":
        raise UsageError("facts are several files, and written to a folder", "name it: -o DIR")
    if len(passes) > 1:
        raise UsageError("the facts are about one module and one pass; give one pass flag at most")
    defaults = pass_defaults(click.get_current_context())
    step = passes[0] if passes else make_steps(Deallocation(pipeline).deciding_pass, "", defaults)[0]
    declared = isinstance(step.pass_.program, Path)
    path = Path(step.pass_.program) if declared else rules.program(str(step.pass_.program))
    program = extensions.program(step.pass_.program)
    module = _read(input_path, allow_unregistered, normalize, extensions)
    relations = export_facts(module, extensions.structure, step.options).relations
    _write_facts(program, relations, directory, with_program=bool(extensions))
    shown = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    if extensions:
        shown = os.path.join(directory, _PROGRAM_NAME)
    click.echo(f"now, for example: mkdir -p OUT && souffle -F {directory} -D OUT {shown}", err=True)


@dealog.command(short_help="Say whether MLIR is valid.")
@input_path
@click.option(
    "--split-input-file", "split_marker", is_flag=False, flag_value=DEFAULT_MARKER, metavar="[=MARKER]",
    help=f"Split the input at lines that end with the marker (by default '{DEFAULT_MARKER}').",
)  # fmt: skip
@allow_unregistered
@normalize
@with_extensions
@_engine
def verify(
    input_path: str,
    split_marker: str | None,
    allow_unregistered: bool,
    normalize: bool,
    extensions: Extensions,
    engine: EngineName,
    compile: bool,
    engine_timeout: float | None,
) -> None:
    """Read MLIR and check it by the rules of what is valid: Dealog's, and those that are added.

    Nothing is written. The exit status is 0, or 1 with all that is wrong on stderr.
    """
    from dealog.job import Job, transform
    from dealog.messages import is_terminal, report
    from dealog.pipeline import Engine
    from dealog.stopwatch import Stopwatch

    job = Job(
        steps=(),
        engine=Engine(engine, compile, engine_timeout),
        split_marker=split_marker,
        allow_unregistered=allow_unregistered,
        normalize=normalize,
        extensions=extensions,
    )
    text, name = read_text(input_path)
    with Stopwatch(show=is_terminal()) as stopwatch:
        transform(text, name, job, stopwatch, report)


def _read(path: str, allow_unregistered: bool, normalize: bool, extensions: Extensions) -> Any:
    from dealog.job import read_module
    from dealog.messages import is_terminal
    from dealog.splitting import Chunk
    from dealog.stopwatch import Stopwatch

    text, name = read_text(path)
    with Stopwatch(show=is_terminal()) as stopwatch:
        return read_module(Chunk(text, 1), name, stopwatch, allow_unregistered, normalize, extensions)


def _write_facts(program: Any, relations: Any, directory: str, with_program: bool) -> None:
    """Write into a folder beside `directory` first: when anything fails, nothing is left half written."""
    import shutil
    import tempfile

    from dealog.engine import write_facts
    from dealog.engine.extending import as_one_file

    try:
        target = Path(directory)
        target.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=target, prefix=".facts."))
        try:
            write_facts(program, relations, temporary)
            if with_program:
                (temporary / _PROGRAM_NAME).write_text(as_one_file(program), "utf-8")
            for file in sorted(temporary.iterdir()):
                os.replace(file, target / file.name)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise DealogError(f"cannot write facts to '{directory}': {reason(error)}") from error


def _transform(
    input_paths: Sequence[str],
    steps: list[Step],
    *,
    output_path: str,
    split_marker: str | None,
    output_marker: str,
    verify: Mode | None,
    verify_each: bool,
    no_verify: bool,
    unknown_effects: UnknownEffects,
    allow_unregistered: bool,
    normalize: bool,
    annotate: bool,
    time_passes: bool,
    engine: EngineName,
    compile: bool,
    engine_timeout: float | None,
    extensions: Extensions,
    timing: bool,
    timing_display: Display,
    dump_pipeline: bool,
    no_implicit_module: bool,
    generic: bool,
    locations: bool,
    jobs: int,
    incremental: bool,
    cluster: str | None,
    anchor: str | None = None,
    **dumped: Any,
) -> None:
    from dealog.dumps import Dumps
    from dealog.job import Job, transform
    from dealog.messages import is_terminal, report
    from dealog.pipeline import MODULE, Engine, written
    from dealog.scale import settings
    from dealog.stopwatch import Stopwatch

    if normalize and verify:
        raise UsageError("--normalize drops the comments that --verify-diagnostics reads; use one of the two")
    if compile and engine == "embedded":
        raise UsageError("--compile is for Soufflé; it cannot be used with --engine embedded")
    if verify_each and no_verify:
        raise UsageError("--verify-each and --no-verify exclude each other")
    if verify_each and annotate:
        raise UsageError("--verify-each cannot be used with --annotate; the passes run as one there")
    if split_marker == "":
        raise UsageError("the marker of --split-input-file is empty")
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
    if annotate and job.dumps:
        raise UsageError("--annotate runs all passes at once; it cannot be used together with --mlir-print-ir-…")
    if generic and (locations or annotate):
        with_ = "--mlir-print-debuginfo" if locations else "--annotate"
        raise UsageError(f"mlir-opt prints the generic form, and drops what {with_} adds; use one of the two")
    if dump_pipeline:
        text = written(steps, anchor or MODULE)
        count = len(re.findall(r"^  [\w]", text, re.MULTILINE))  # as mlir-opt counts: nested ones are one
        click.echo(f"Pass Manager with {count} passes:\n{text}\n", err=True)
    scale = settings.Scale(jobs, cluster, incremental)
    if cluster is not None and jobs > 1:
        raise UsageError("-j is about processes of this machine; it cannot be used together with --cluster")
    to_folder = output_path.endswith(os.sep) or os.path.isdir(output_path)
    if len(input_paths) > 1 or any(os.path.isdir(path) or (path != "-" and to_folder) for path in input_paths):
        return _transform_files(input_paths, output_path, job, scale, time_passes)
    text, name = read_text(input_paths[0] if input_paths else "-")
    output = OutputFile(output_path)
    stopwatch = Stopwatch(show=is_terminal())
    try:
        with stopwatch:
            if scale or (len(text) >= settings.LARGE and not (time_passes or timing)):
                from dealog.scale.run import Runner

                with Runner(scale, job, stopwatch) as runner:
                    result = runner.text(text, name, report)
            else:
                result = transform(text, name, job, stopwatch, report)
    finally:
        if time_passes:
            click.echo(stopwatch.table(), err=True)
        if timing:
            click.echo(job.timing.report(timing_display), err=True)
    output.write(result)


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


dealog.add_command(exec_)
dealog.add_command(report_)
dealog.add_command(check)
for _command in (query, why, why_not, rules_, lsp_):
    dealog.add_command(_command)
