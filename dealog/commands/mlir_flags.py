"""Commands that take their flags as mlir-opt does, and the flags that passes are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dealog.options import declared_by, note_arguments, pass_defaults
from dealog.passes import INSIDE_PIPELINES, PASSES, PIPELINES
from dealog.splitting import DEFAULT_MARKER

if TYPE_CHECKING:
    from dealog.pipeline import Step

_VALUES_WHEN_BARE = {"split-input-file": DEFAULT_MARKER, "verify-diagnostics": "all"}
_FLAG = re.compile(r"--?([A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)


class UsageError(click.UsageError):
    """A wrong command line, with advice."""

    def __init__(self, message: str, hint: str | None = None, ctx: click.Context | None = None) -> None:
        super().__init__(message, ctx)
        self.hint = hint


class MlirCommand(click.Command):
    """A command that takes its flags as mlir-opt does.

    One dash or two, pass flags in any place (their order is the order of the pipeline), pass options after
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
        """Write the options to the help text, and the passes after them."""
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


def steps_of(ctx: click.Context, _parameter: click.Parameter, values: Sequence[str]) -> list[Step]:
    """The steps that the flags of passes stand for, each given as `name{options}`; the callback of the option."""
    from dealog.pipeline import make_steps

    defaults = pass_defaults(ctx)
    declared = declared_by(ctx)
    parts = (value.partition("{") for value in values)
    return [
        step
        for name, _, options in parts
        for step in make_steps(name, options.removesuffix("}"), defaults, declared)
    ]


def names_of_passes(ctx: click.Context, parameter: click.Parameter, values: Sequence[str]) -> frozenset[str]:
    """The names of passes that `--mlir-print-ir-before` and `-after` are given, with commas or one by one; the
    callback of these options. Raises `UsageError` for a name that no pass has."""
    names = [name for value in values for name in value.split(",")]
    known = [*PASSES, *(pass_.name for pass_ in INSIDE_PIPELINES), *declared_by(ctx)]
    for name in names:
        if name not in known:
            from dealog.diagnostics import did_you_mean

            hint = did_you_mean(name, known) or "'dealog opt --list-passes' shows the passes"
            raise UsageError(f"{parameter.opts[0]} names a pass, and there is no pass '{name}'", hint)
    return frozenset(names)


def list_passes(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """List the passes as mlir-opt does, and leave; the callback of `--list-passes`."""
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
