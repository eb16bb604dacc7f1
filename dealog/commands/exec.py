"""`dealog exec`: run a program over the checked heap."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dealog.files import read_text
from dealog.options import input_path, with_extensions

if TYPE_CHECKING:
    from dealog.diagnostics import DealogError, SourceText
    from dealog.execution import Limits, Outcome
    from dealog.execution.interpreter import Uninitialized
    from dealog.extensions import Extensions
    from dealog.frontend import Module

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Limit(click.Option):
    """`--max-<name>`: the field of this name of `Limits`, whose defaults are not loaded before they are needed."""

    def get_default(self, ctx: click.Context, call: bool = True) -> int:
        from dealog.execution import Limits

        default: int = getattr(Limits(), (self.name or "").removeprefix("max_"))
        return default


def _limit(flag: str, help: str) -> Callable[[_Command], _Command]:
    return click.option(flag, cls=_Limit, type=click.IntRange(min=1), show_default=True, help=help)


@click.command("exec", short_help="Run a program over a heap that checks every access.")
@input_path
@click.option(
    "--entry", metavar="@F", help="The function that is called; by default @main, or the only one that is public."
)
@click.option(
    "--args",
    "arguments",
    metavar="LIST",
    multiple=True,
    help="Its arguments: scalars ('3, -1.5, true'), for memrefs lists ('[[1, 2], [3, 4]]') or one value for "
    "all elements, 'random', or 'uninitialized'; a type in front where sizes are open "
    "('memref<4x4xf32>=random'). 'random' alone makes all of them up.",
)
@click.option("--seed", default=0, show_default=True, help="What 'random' starts from.")
@click.option(
    "--show-args", is_flag=True, help="Also print what memrefs among the arguments hold at the end."
)
@click.option(
    "--stats",
    is_flag=True,
    help="Print on stderr what was allocated, freed and compared, and how much memory buffers need from their "
    "allocation to their last access.",
)
@click.option(
    "--no-ownership",
    is_flag=True,
    help="Do not ask that all be freed at the end and that results be buffers of the function's own: for "
    "programs in which nothing is deallocated yet.",
)
@click.option(
    "--uninitialized",
    type=click.Choice(["ignore", "warning", "error"]),
    default="warning",
    show_default=True,
    help="What reading an element is that was never written.",
)
@click.option(
    "--lower",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Have the mlir-opt on PATH lower linalg and other dialects to loops first; auto: where something is "
    "not read or not interpreted.",
)
@_limit("--max-steps", "Stop after this many steps.")
@_limit("--max-depth", "The most calls in each other.")
@_limit("--max-heap", "The most bytes live at once.")
@with_extensions
def exec_(
    input_path: str,
    entry: str | None,
    arguments: tuple[str, ...],
    seed: int,
    show_args: bool,
    stats: bool,
    no_ownership: bool,
    uninitialized: str,
    lower: str,
    max_steps: int,
    max_depth: int,
    max_heap: int,
    extensions: Extensions,
) -> int:
    """Run a function of a module and print its results.

    Every allocation, access and free is checked. Leaks, double frees, accesses after a free or out of bounds,
    frees of what is not on the heap or is somebody else's, and failed assertions are errors, at the line
    where they happen and with the lines of the allocation and of the free; the exit status is 1 then. It
    works at any stage of the deallocation pipeline: 'bufferization.dealloc' is run by its definition.
    """
    from dealog.diagnostics import SourceText
    from dealog.execution import Limits
    from dealog.messages import report

    text, name = read_text(input_path)
    program = Program(
        SourceText(name, text),
        entry if entry is None or entry.startswith("@") else f"@{entry}",
        arguments,
        seed,
        not no_ownership,
        cast("Uninitialized", uninitialized),
        Limits(max_steps, max_depth, max_heap),
        stats,
        extensions,
    )
    outcome = program.run(lower)
    for line in outcome.written:
        click.echo(line)
    if show_args:
        for number, contents in sorted(outcome.arguments.items()):
            click.echo(f"argument {number}: {contents}")
    for fault in (*outcome.warnings, *outcome.faults):
        report(fault.diagnostic)
    if stats:
        click.echo(_table(outcome), err=True)
    return 0 if outcome.ok else 1


class Program:
    """A text to be run, by itself or lowered."""

    def __init__(
        self,
        source: SourceText,
        entry: str | None,
        arguments: tuple[str, ...],
        seed: int,
        check_ownership: bool,
        uninitialized: Uninitialized,
        limits: Limits,
        liveness: bool,
        extensions: Extensions,
    ) -> None:
        from dealog.execution import split_arguments

        self.source = source
        self.entry = entry
        self.arguments = [argument for part in arguments for argument in split_arguments(part)]
        self.seed = seed
        self.check_ownership = check_ownership
        self.uninitialized = uninitialized
        self.limits = limits
        self.liveness = liveness
        self.extensions = extensions

    def run(self, lower: str) -> Outcome:
        """Run it, lowered when `lower` says so."""
        from dealog.diagnostics import DealogError
        from dealog.execution import Unsupported
        from dealog.execution import lower as lower_text
        from dealog.frontend import parse
        from dealog.normalize import find_mlir_opt

        if lower == "always":
            tool = find_mlir_opt()
            if tool is None:
                raise DealogError("--lower=always needs mlir-opt, and none is on PATH")
            return self._run(lower_text(self.source, tool), self.source)
        try:
            module = parse(self.source, syntax_dirs=self.extensions.syntax_dirs)
        except DealogError as error:
            return self._otherwise(error, lower)
        try:
            return self._run(module)
        except Unsupported as error:
            return self._otherwise(error, lower)

    def _otherwise(self, error: DealogError, lower: str) -> Outcome:
        """Run it lowered after `error`; where it cannot be lowered, `error` is what is reported."""
        from dealog.diagnostics import DealogError
        from dealog.execution import lower as lower_text
        from dealog.normalize import find_mlir_opt

        tool = find_mlir_opt() if lower == "auto" else None
        if tool is None:
            raise error
        try:
            module = lower_text(self.source, tool)
        except DealogError as lowered:
            raise error from lowered
        return self._run(module, self.source)

    def _run(self, module: Module, original: SourceText | None = None) -> Outcome:
        from dealog.execution import run

        return run(
            module,
            self.entry or _only_entry(module),
            self.arguments,
            seed=self.seed,
            limits=self.limits,
            check_ownership=self.check_ownership,
            uninitialized=self.uninitialized,
            liveness=self.liveness,
            original=original,
        )


def _only_entry(module: Module) -> str:
    """`@main`, or the only public function with a body.

    Raises `DealogError` where there is none, or several.
    """
    from dealog.diagnostics import DealogError, Diagnostic

    inside = [op for region in module.operation.regions for block in region.blocks for op in block.operations]
    names = []
    for op in inside:
        name = op.attributes.get("sym_name", "").strip('"')
        has_body = any(block.operations for region in op.regions for block in region.blocks)
        if name and has_body and "func" in op.name and "private" not in op.attributes.get("sym_visibility", ""):
            names.append(f"@{name}")
    if "@main" in names or len(names) == 1:
        return "@main" if "@main" in names else names[0]
    if not names:
        raise DealogError("there is no public function with a body that could be called")
    listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    raise DealogError(Diagnostic("several functions could be called", hint=f"choose by --entry: {listed}"))


def _table(outcome: Outcome) -> str:
    statistics = outcome.statistics
    rows = {
        "buffers allocated": statistics.allocations,
        "buffers freed": statistics.frees,
        "peak bytes on the heap": statistics.peak_bytes,
        "bytes live at once": statistics.liveness_bytes,
        "stack allocations": statistics.stack_allocations,
        "alias checks": statistics.alias_checks,
        "steps": statistics.steps,
    }
    return "\n".join(f"{name:24}{value:>14,}" for name, value in rows.items() if value is not None)
