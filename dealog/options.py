"""Options that commands share, and what the project's settings say about them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.core import ParameterSource

from dealog import rules
from dealog.deallocation import DEFAULT_PIPELINE, PIPELINE_NAMES, Deallocation, PipelineName
from dealog.diagnostics import DealogError
from dealog.extensions import Extensions, fault_of_dialect, fault_of_pack, fault_of_rule_file
from dealog.files import current_folder
from dealog.messages import MAX_ERRORS, limit_errors
from dealog.settings import FILE_NAME, Settings, find_settings

if TYPE_CHECKING:
    from dealog.passes import Pass
    from dealog.pipeline import EngineName

_Function = TypeVar("_Function", bound=Callable[..., Any])

_SETTINGS = "dealog.settings"
_DECLARED = "dealog.declared_passes"
_ARGUMENTS = "dealog.arguments"
TRUST_EXTERNAL_RESULTS = "trust-external-results"
_PARAMETERS = {
    "engine": "engine",
    "pipeline": "pipeline",
    "private-function-dynamic-ownership": "private_function_dynamic_ownership",
    "allow-unregistered-dialect": "allow_unregistered",
    "unknown-effects": "unknown_effects",
    TRUST_EXTERNAL_RESULTS: "trust_external_results",
}

input_path = click.argument("input_path", metavar="[IN]", default="-")
output_path = click.option("-o", "output_path", metavar="OUT", default="-", help="Where to write; '-' is stdout.")


def choose_engine(help: str, default: EngineName = "embedded") -> Callable[[_Function], _Function]:
    """The option that chooses what evaluates the rules. The command gets it as the keyword argument `engine`.

    Args:
        help: what there is to know about the choice, for this command.
        default: the engine where none is chosen, neither here nor by the project's settings.
    """
    engines = click.Choice(["auto", "souffle", "embedded"])
    return click.option(
        "--engine", type=engines, default=default, show_default=True, help=f"What evaluates the rules; {help}"
    )


unknown_effects = click.option(
    "--unknown-effects",
    type=click.Choice(["refuse", "none", "ask-mlir"]),
    default="refuse",
    show_default=True,
    help="What to do with operations whose effects on memory no rule describes; none: they neither allocate nor "
    "free; ask-mlir: find out from the mlir-opt on PATH.",
)

allow_unregistered = click.option(
    "--allow-unregistered-dialect/--no-allow-unregistered-dialect",
    "allow_unregistered",
    help="Take operations of dialects that Dealog has neither the syntax nor the meaning of.",
)
normalize = click.option(
    "--normalize", is_flag=True, help="Let the mlir-opt on PATH print the generic form first."
)
choose_pipeline = click.option(
    "--pipeline",
    type=click.Choice(PIPELINE_NAMES),
    default=DEFAULT_PIPELINE,
    show_default=True,
    help="What decides where buffers are freed: the analysis at compile time (static), or MLIR's passes, at run time "
    "where they must (mlir).",
)
dynamic_ownership = click.option(
    "--private-function-dynamic-ownership/--no-private-function-dynamic-ownership",
    help="With --pipeline=mlir: let private functions take and return ownership indicators.",
)


def with_deallocation(function: _Function) -> _Function:
    """The options that choose what 'dealog dealloc' runs. The command gets them as the keyword argument
    `deallocation`."""

    @choose_pipeline
    @dynamic_ownership
    @click.option(
        "--only-function", "only_functions", multiple=True, metavar="NAME",
        help="With --pipeline=static: free the buffers of this function, and leave all others alone. May be given more "
        "than once.",
    )  # fmt: skip
    @wraps(function)
    def command(
        *args: Any,
        pipeline: PipelineName,
        private_function_dynamic_ownership: bool,
        only_functions: tuple[str, ...],
        **kwargs: Any,
    ) -> Any:
        deallocation = Deallocation(pipeline, private_function_dynamic_ownership, only_functions)
        deallocation.steps()  # what is wrong with the options is reported before anything is read
        return function(*args, deallocation=deallocation, **kwargs)

    return cast(_Function, command)


def _limit_errors(_ctx: click.Context, _parameter: click.Parameter, count: int) -> None:
    limit_errors(count)


max_errors = click.option(
    "--max-errors",
    type=click.IntRange(min=0),
    metavar="N",
    default=MAX_ERRORS,
    expose_value=False,
    callback=_limit_errors,
    help=f"Show the first N errors, by default {MAX_ERRORS}; 0 shows all.",
)


def _settings_here() -> Settings:
    """The settings that hold in the current folder; none where that was deleted."""
    folder = current_folder()
    return find_settings(folder) if folder is not None else Settings()


def _read_settings(ctx: click.Context, _parameter: click.Parameter, without: bool) -> None:
    """Look for the settings, and have them stand for what the command line does not say."""
    settings = Settings() if without else _settings_here()
    ctx.meta[_SETTINGS] = settings
    ctx.default_map = {_PARAMETERS[name]: value for name, value in settings.values.items()}


def settings_of(ctx: click.Context) -> Settings:
    """The project's settings, for a command `with_extensions`."""
    found: Settings = ctx.meta.get(_SETTINGS, Settings())
    return found


def pass_defaults(ctx: click.Context) -> Mapping[str, str]:
    """The values that pass options have by the project's settings, unless they are given."""
    settings: Settings = ctx.meta.get(_SETTINGS, Settings())
    return {name: str(value).lower() for name, value in settings.values.items()}


def note_arguments(ctx: click.Context, args: Sequence[str]) -> None:
    """Let `declared_by` know the command line, before that is read."""
    ctx.meta[_ARGUMENTS] = list(args)


def declared_by(ctx: click.Context) -> Mapping[str, Pass]:
    """The passes that rule files declare, those of the settings and those that the command line names. They are
    flags, so this has to be known before the command line can be read.

    Raises `DealogError` where one is declared wrongly.
    """
    known: Mapping[str, Pass] | None = ctx.meta.get(_DECLARED)
    if known is not None:
        return known
    args: list[str] = ctx.meta.get(_ARGUMENTS, [])
    from dealog.passes import declared_passes

    settings = Settings() if "--no-settings" in args else _settings_here()
    files = [*settings.rules]
    folders = [*settings.dialects]
    for flag, into in (("rules", files), ("dialect", folders)):
        for arg, following in zip(args, [*args[1:], ""], strict=False):
            name, equals, value = arg.partition("=")
            if name in (f"--{flag}", f"-{flag}"):
                into.append(Path(value if equals else following))
    files += [file for folder in folders if os.path.isdir(folder) for file in sorted(folder.glob("[!.]*.dl"))]
    found = ctx.meta[_DECLARED] = declared_passes(_each_once(file for file in files if os.path.isfile(file)))
    return found


def with_extensions(function: _Function) -> _Function:
    """The options by which a command is given rules and dialects of the user's, `--no-settings`, and
    `--max-errors`.

    The command gets them as the keyword argument `extensions`: those of the project's settings, and after
    them those of the command line. The settings also become the defaults of the options above and of `engine`.
    """

    @click.option(
        "--rules", "rule_files", metavar="FILE.dl", multiple=True, type=click.Path(path_type=Path),
        help="Add the facts and rules of a file. May be given more than once.",
    )  # fmt: skip
    @click.option(
        "--dialect", "dialect_folders", metavar="DIR", multiple=True, type=click.Path(path_type=Path),
        help="Add a dialect: how it is written (DIR/<dialect>.lark), what it means (DIR/<dialect>.dl), or both. May "
        "be given more than once.",
    )  # fmt: skip
    @click.option(
        "--pack", "packs", metavar="NAME", multiple=True,
        help="Add the rules about a dialect of another project that come with Dealog: 'dealog rules packs' lists them.",
    )  # fmt: skip
    @click.option(
        f"--{TRUST_EXTERNAL_RESULTS}/--no-{TRUST_EXTERNAL_RESULTS}",
        help="Results of functions that are only declared share no memory with what they are given, or with anything "
        "else that is known where they are called.",
    )  # fmt: skip
    @click.option(
        "--no-settings", is_flag=True, is_eager=True, expose_value=False, callback=_read_settings,
        help=f"Do not look for a {FILE_NAME} here and in the folders above.",
    )  # fmt: skip
    @max_errors
    @wraps(function)
    def command(
        *args: Any,
        rule_files: tuple[Path, ...],
        dialect_folders: tuple[Path, ...],
        packs: tuple[str, ...],
        trust_external_results: bool,
        **kwargs: Any,
    ) -> Any:
        faults = [fault for name in packs if (fault := fault_of_pack(name))]
        faults += [fault for path in rule_files if (fault := fault_of_rule_file(path))]
        faults += [fault for path in dialect_folders if (fault := fault_of_dialect(path))]
        if faults:
            raise DealogError(faults)
        settings: Settings = click.get_current_context().meta[_SETTINGS]
        chosen = [rules.packs()[name] for name in (*settings.packs, *packs)]
        if trust_external_results:
            chosen.append(rules.option(TRUST_EXTERNAL_RESULTS))
        extensions = Extensions(
            _each_once((*chosen, *settings.rules, *rule_files)),
            _each_once((*settings.dialects, *dialect_folders)),
        )
        return function(*args, extensions=extensions, **kwargs)

    return cast(_Function, command)


def given_extensions() -> list[str]:
    """The options of `with_extensions` on the command line that is run.

    Another command that is given them has the same rules and dialects, as the settings are the same.
    """
    ctx = click.get_current_context()
    without = ctx.get_parameter_source("no_settings") is ParameterSource.COMMANDLINE
    words = ["--no-settings"] if without else []
    if ctx.get_parameter_source("trust_external_results") is ParameterSource.COMMANDLINE:
        words.append(f"--{'' if ctx.params['trust_external_results'] else 'no-'}{TRUST_EXTERNAL_RESULTS}")
    for flag, parameter in (("--rules", "rule_files"), ("--dialect", "dialect_folders"), ("--pack", "packs")):
        words += [word for path in ctx.params[parameter] for word in (flag, str(path))]
    return words


def _each_once(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple({os.path.realpath(path): path for path in paths}.values())
