"""The command line, with mlir-opt's habits: `dealog opt`, `dealog dealloc`, `dealog facts`.

What a command needs is imported when it runs, so that `dealog --help` and small inputs are quick.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dealog import __version__
from dealog.commands.ask import query, why, why_not
from dealog.commands.check import check
from dealog.commands.exec import exec_
from dealog.commands.lsp import lsp_
from dealog.commands.mlir_flags import MlirCommand, MlirGroup, UsageError, list_passes, names_of_passes, steps_of
from dealog.commands.report import report_
from dealog.commands.rules import rules_
from dealog.commands.transform import transform_inputs
from dealog.diagnostics import DealogError
from dealog.files import read_text, reason, shown
from dealog.options import (
    allow_unregistered,
    choose_engine,
    choose_pipeline,
    declared_by,
    input_path,
    normalize,
    output_path,
    pass_defaults,
    unknown_effects,
    with_deallocation,
    with_extensions,
)
from dealog.splitting import DEFAULT_MARKER

if TYPE_CHECKING:
    from dealog.deallocation import Deallocation, PipelineName
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName, Step

_Function = TypeVar("_Function", bound=Callable[..., Any])

_PROGRAM_NAME = "program.dl"


def _options(*options: Callable[[_Function], _Function]) -> Callable[[_Function], _Function]:
    def decorate(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


_passes = click.option("--pass", "passes", multiple=True, hidden=True, callback=steps_of)


def _some_number(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise click.BadParameter("this is not a number of seconds", param=option)
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
_pass_names: dict[str, Any] = {"multiple": True, "metavar": "PASS", "callback": names_of_passes}
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
        help="Decide functions, and files, in N processes.",
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
    "--list-passes", is_flag=True, is_eager=True, expose_value=False, callback=list_passes,
    help="Show the passes and their options, and read no module.",
)  # fmt: skip
@_run
def opt(input_path: str, passes: list[Step], pass_pipeline: str | None, **settings: Any) -> None:
    """Read MLIR, run the passes in the order of their flags, and write MLIR.

    Flags are written as for mlir-opt: with one dash or two, and options of a pass after its flag. Without
    passes the output is the input, byte for byte.
    """
    if pass_pipeline is not None:
        from dealog.pipeline import anchor, parse_pipeline

        if passes:
            raise UsageError("--pass-pipeline cannot be used together with pass flags")
        ctx = click.get_current_context()
        passes = parse_pipeline(pass_pipeline, pass_defaults(ctx), declared_by(ctx))
        settings["anchor"] = anchor(pass_pipeline)
    transform_inputs((input_path,), passes, **settings)


@dealog.command(cls=MlirCommand, short_help="Deallocate all buffers: the main job.")
@click.argument("input_paths", metavar="[IN]...", nargs=-1)
@with_deallocation
@_run
def dealloc(input_paths: tuple[str, ...], deallocation: Deallocation, **settings: Any) -> None:
    """Read bufferized MLIR and write it with all deallocations: each buffer is freed right after its last use.

    With --pipeline=mlir the passes of MLIR's pipeline decide, as mlir-opt's would.

    Several files, and all of a folder, are written to a folder (-o DIR), those that are wrong left out.
    """
    transform_inputs(input_paths, deallocation.steps(), **settings)


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
    file = os.path.join(directory, _PROGRAM_NAME) if extensions else shown(path)
    click.echo(f"now, for example: mkdir -p OUT && souffle -F {directory} -D OUT {file}", err=True)


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


dealog.add_command(exec_)
dealog.add_command(report_)
dealog.add_command(check)
for _command in (query, why, why_not, rules_, lsp_):
    dealog.add_command(_command)
