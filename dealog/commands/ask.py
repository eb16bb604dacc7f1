"""`dealog query`, `dealog why` and `dealog why-not`: ask what the rules derived, and why.

What a command needs is imported when it runs, as for the other commands.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dealog import __version__
from dealog.diagnostics import plural
from dealog.files import OutputFile, read_text
from dealog.options import (
    allow_unregistered,
    choose_engine,
    normalize,
    output_path,
    with_deallocation,
    with_extensions,
)

if TYPE_CHECKING:
    from dealog.asking.stage import Stage
    from dealog.deallocation import Deallocation
    from dealog.explain.proof import GroundAtom, Proof
    from dealog.explain.query import Query
    from dealog.explain.tree import Line
    from dealog.explain.words import Words
    from dealog.extensions import Extensions
    from dealog.pipeline import EngineName
    from dealog.session import Session

_Function = TypeVar("_Function", bound=Callable[..., Any])

_MANY = 10  # facts are explained at once
_LINE_DEPTH = 3  # how deep proofs go where all decisions on a line or value are shown


def _common(function: _Function) -> _Function:
    """The options that all these commands have."""
    for option in (
        with_extensions,
        choose_engine("the answers are the same."),
        normalize,
        allow_unregistered,
        with_deallocation,
        click.option(
            "--pass",
            "pass_name",
            metavar="PASS",
            help="Ask about the module as this pass of 'dealog dealloc' sees it, under the pass's rules; as any other "
            "pass would see the module as it was read.",
        ),
    ):
        function = option(function)
    return function


@click.command(short_help="Ask which facts hold, with conditions over all relations.")
@click.argument("input_path", metavar="IN")
@click.argument("text", metavar="[QUERY]", required=False)
@click.option(
    "--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
    help="How the answers are written.",
)  # fmt: skip
@output_path
@_common
def query(input_path: str, text: str | None, form: str, output_path: str, **settings: Any) -> int:
    """Find the values for which the conditions of QUERY hold, over every relation of every pass and analysis.

    \b
        dealog query model.mlir 'may_alias(%a, X), ownership(X, B, O), O != "true"'

    Entities are written as in the program (%a, ^bb1, @f, @f/%a, memref.alloc#3, line:12), variables start
    with a capital, '_' is anything, '!' is not, and texts stand in quotes. Without QUERY, a prompt opens, or
    queries are read from standard input, one a line.

    Exit status: 0 where there are answers, 1 where there are none, or with an error on stderr; of queries from
    standard input, that of the last; after a prompt, 0. A query without variables is answered with 'yes' or 'no'.
    """
    if text is None and input_path == "-":
        raise click.UsageError("the module is read from standard input, so QUERY has to be given")
    session = _session(input_path, **settings)
    stage = session.chosen() or session.input()
    if text is None:
        return _converse(stage, form)
    answer, status = _answer(stage, text, form)
    OutputFile(output_path).write(answer)
    return status


@click.command(short_help="Explain why something holds, or what was decided about a line or value.")
@click.argument("input_path", metavar="IN")
@click.argument("text", metavar="[FACT]", required=False)
@click.option("--line", type=click.IntRange(min=1), help="Show what was decided about this line of IN.")
@click.option("--value", metavar="%A", help="Show what was decided about this value.")
@click.option(
    "--depth",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show N steps of a proof. [default: 20; 3 with --line or --value]",
)
@click.option("--all", "every", is_flag=True, help="Show every way in which it is derived, the shortest first.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "dot", "svg"]), default="text", show_default=True,
    help="How proofs are written.",
)  # fmt: skip
@output_path
@_common
def why(
    input_path: str,
    text: str | None,
    line: int | None,
    value: str | None,
    depth: int | None,
    every: bool,
    form: str,
    output_path: str,
    **settings: Any,
) -> int:
    """Prove FACT, by a proof of the smallest height.

    \b
        dealog why model.mlir 'retained(^bb0, _, %select)'
        dealog why model.mlir --line 42

    A fact is one relation with its arguments, written as for 'dealog query'. A relation that decides
    something in a pass is explained for the module as that pass sees it; any other for the module as it is.

    With --line or --value: all that the passes of 'dealog dealloc' decided there.
    """
    if sum(x is not None for x in (text, line, value)) != 1:
        raise click.UsageError("give one of FACT, --line and --value")
    session = _session(input_path, **settings)
    report = _Report(form, depth, every)
    if text is not None:
        stage, facts = session.holding(text)
        report.add(stage, facts)
    else:
        report.depth = _LINE_DEPTH if depth is None else depth
        shown = session.decided(line, value, report, _Report(form, report.depth, every))
        assert isinstance(shown, _Report)
        report = shown
    OutputFile(output_path).write(report.written())
    return 0


@click.command("why-not", short_help="Explain why something does not hold.")
@click.argument("input_path", metavar="IN")
@click.argument("text", metavar="FACT")
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Ask why not N times. [default: 4]")
@output_path
@_common
def why_not(input_path: str, text: str, depth: int | None, output_path: str, **settings: Any) -> int:
    """Show, for each rule that could have derived FACT, the first condition that fails.

    \b
        dealog why-not model.mlir 'freed_if(^bb0, %select, _)'

    Where that condition is itself derived, the same is asked of it.
    """
    session = _session(input_path, **settings)
    lines = session.absence(text, depth)
    OutputFile(output_path).write(_rendered(lines))
    return 0


# ---------------------------------------------------------------------------------------------- finding


def _session(
    input_path: str,
    engine: EngineName,
    normalize: bool,
    allow_unregistered: bool,
    deallocation: Deallocation,
    pass_name: str | None,
    extensions: Extensions,
) -> Session:
    """The session on the module that the options name."""
    from dealog.job import read_module
    from dealog.pipeline import Engine
    from dealog.session import Session, check_pass, steps_for
    from dealog.splitting import Chunk
    from dealog.stopwatch import Stopwatch

    check_pass(pass_name, steps_for(pass_name, deallocation, extensions))
    text, name = read_text(input_path)
    module = read_module(Chunk(text, 1), name, Stopwatch(show=False), allow_unregistered, normalize, extensions)
    return Session(module, Engine(engine), extensions, deallocation, pass_name)


# -------------------------------------------------------------------------------------------- reporting


class _Report:
    """Proofs, collected while the stages they belong to last, in the format asked for."""

    def __init__(self, form: str, depth: int | None, every: bool) -> None:
        self.form, self.depth, self.every = form, depth, every
        self.shown = 0
        self._lines: list[Line] = []
        self._data: list[dict[str, Any]] = []
        self._pictures: list[str] = []

    def add(self, stage: Stage, facts: list[GroundAtom], limit: int | None = _MANY) -> None:
        """Prove `facts` at `stage`; of more than `limit`, only the first."""
        from dealog.explain.tree import Line
        from dealog.session import heading

        if not facts:
            return
        shown = facts if limit is None else facts[:limit]
        if self._lines:
            self._lines.append(Line("", ""))
        self._lines.append(Line("", heading(stage)))
        proofs: list[dict[str, Any]] = []
        for i, fact in enumerate(shown):
            if i and self.form == "text":
                self._lines.append(Line("", ""))
            found = stage.prover.proofs(fact) if self.every else [stage.prover.prove(fact)]
            for proof in found:
                _check(proof, stage)
                self.shown += 1
                words = stage.words.within([f.values for f in (*shown, *proof.steps)])
                self._tell(proof, stage, words, proofs)
        if len(facts) > len(shown):
            self._lines.append(Line("", f"... and {len(facts) - len(shown)} more like this; narrow the fact"))
        self._data.append({"stage": stage.name, "facts": len(facts), "proofs": proofs})

    def _tell(self, proof: Proof, stage: Stage, words: Words, proofs: list[dict[str, Any]]) -> None:
        from dealog.explain import drawing
        from dealog.explain.tree import tree

        if self.form == "text":
            self._lines += tree(proof, stage.program, words, self.depth)
        elif self.form == "json":
            proofs.append(drawing.as_data(proof, stage.program, words))
        elif not self._pictures:
            draw = drawing.as_dot if self.form == "dot" else drawing.as_svg
            self._pictures.append(draw(proof, stage.program, words))

    def written(self) -> str:
        """All of it."""
        from dealog.data import json_text
        from dealog.diagnostics import DealogError, Diagnostic

        if self.form == "json":
            return json_text(self._data)
        if self.form == "text":
            return _rendered(self._lines)
        if self.shown > 1:
            hint = "narrow the fact until one is left"
            raise DealogError(Diagnostic(f"a picture shows one proof, and these are {self.shown}", hint=hint))
        return self._pictures[0]


def _check(proof: Proof, stage: Stage) -> None:
    """Check every step of `proof` again before it is shown."""
    from dealog.explain.proof import faults

    for fault in faults(proof, stage.program, stage.database):
        raise AssertionError(f"a proof that is none: {fault}")


def _rendered(lines: Iterable[Line]) -> str:
    """Lines as text; on a terminal wrapped to its width, with the branches and remarks in colour."""
    if not sys.stdout.isatty():
        return "".join(f"{line}\n" for line in lines)
    from dealog.asking.terminal import coloured

    return coloured(lines)


# ---------------------------------------------------------------------------------------------- queries


def _answer(stage: Stage, text: str, form: str) -> tuple[str, int]:
    """The answer to a query, and the exit status that goes with it."""
    from dealog.explain.query import as_csv, as_json
    from dealog.explain.query_reader import parse_query

    query = parse_query(text, stage.program, stage.entities)
    stage.ask(query)
    rows = query.answers(stage.database)
    status = 0 if rows else 1
    if form == "json":
        return as_json(query, rows) + "\n", status
    if form == "csv":
        return as_csv(query, rows), status
    if not query.columns:
        return "yes\n" if rows else "no\n", status
    if not rows:
        return "no answers\n", status
    return _table(query, rows, stage), status


def _table(query: Query, rows: list[tuple[str | int, ...]], stage: Stage) -> str:
    rows = sorted(rows, key=lambda row: [natural(value) for value in row])
    words = stage.words.within(rows)
    cells = [[words.value(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(query.columns, *cells, strict=True)]
    numbers = [all(isinstance(row[i], int) for row in rows) for i in range(len(widths))]

    def line(row: Iterable[str]) -> str:
        shown = (
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        )
        return "  ".join(shown).rstrip() + "\n"

    return "".join([line(query.columns), line("─" * width for width in widths), *map(line, cells)])


def _converse(stage: Stage, form: str) -> int:
    """Answer queries as they come. From standard input the status is that of the last; at a prompt it is 0."""
    from dealog.diagnostics import DealogError
    from dealog.messages import report

    if sys.stdin.isatty():
        from dealog.asking.terminal import prompt

        click.echo(_banner(stage))
        lines = prompt(stage)
    else:
        lines = (line for line in sys.stdin)
    status = 0
    for line in lines:
        text = line.strip()
        if not text or text.startswith("//"):
            continue
        if sys.stdin.isatty() and re.fullmatch(r"help(\s+\w+)?|\?", text):
            click.echo(_help(stage, text.partition(" ")[2].strip()))
            continue
        try:
            answer, status = _answer(stage, text, form)
            click.echo(answer, nl=False)
        except DealogError as error:
            for diagnostic in error.diagnostics:
                report(diagnostic)
            status = 1
    return 0 if sys.stdin.isatty() else status


_HELP = """\
A query is one condition or several with commas between: may_alias(%a, X), !buffer(X), N > 3
  %a, ^bb1, @f, memref.alloc#3, line:12   entities, as the program has them
  X                                       a variable: anything that begins with a capital
  _                                       anything at all
  !relation(…)                            what does not hold
help RELATION   what a relation means      Tab    completes relations, and what fits a column
quit            leave (or Ctrl-D)          Up     earlier queries"""


def _banner(stage: Stage) -> str:
    facts = stage.facts
    functions = sum(any(region.blocks for region in op.regions) for op in facts.functions.values())
    name, relations = stage.module.source.name, len(stage.program.relations)
    return (
        f"Dealog {__version__}: {name}, {plural(functions, 'function')}, {relations} relations. "
        "'help' tells how to ask, Ctrl-D leaves."
    )


def _help(stage: Stage, name: str) -> str:
    """How to ask, or what a relation means."""
    from dealog.diagnostics import did_you_mean

    if not name:
        return _HELP
    relation = stage.program.relations.get(name)
    if relation is None:
        hint = did_you_mean(name, stage.program.relations)
        return f"there is no relation {name}" + (f"; {hint}" if hint else "")
    return f"{relation.signature}\n{relation.documentation}"


def natural(value: str | int) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts numbers in names as numbers: `%2` comes before `%10`."""
    if isinstance(value, int):
        return ((0, value, ""),)
    parts = re.split(r"(\d+)", value)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part)
