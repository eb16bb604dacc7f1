"""Runs tests of rules: small modules with comments that say what has to hold for them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from dealog.deallocation import DEFAULT_DEALLOCATION, Deallocation
from dealog.diagnostics import DealogError, Diagnostic, SourceText, did_you_mean, plural
from dealog.extensions import Extensions
from dealog.rulebook import expectations
from dealog.rulebook.expectations import Cell, Expectation, Expectations
from dealog.splitting import DEFAULT_MARKER, Chunk, split

if TYPE_CHECKING:
    from dealog.asking.stage import Stage
    from dealog.engine import Tuple
    from dealog.explain.query import Query
    from dealog.explain.tree import Line
    from dealog.frontend import Module
    from dealog.pipeline import Engine, Step

_SHOWN = 3  # of many tuples, this many are shown
_LINES = 8  # of a proof, or of why there is none
_DEPTH = 2
_COMMENTS = re.compile(r"//[^\r\n]*")


@dataclass(frozen=True)
class Result:
    """How a test came out: `failed` of its `expectations` are not met, for the reasons in `diagnostics`."""

    name: str
    expectations: int
    failed: int
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all that the file expects holds."""
        return not self.diagnostics


def find(paths: Sequence[Path]) -> list[Path]:
    """The files `paths`, and all `*.mlir` files in the folders among them, at any depth.

    Raises `DealogError` where there are none.
    """
    found: list[Path] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
            continue
        inside = sorted(path.rglob("*.mlir"))
        if not inside:
            raise DealogError(Diagnostic(f"there is no test in {path}", hint="tests are files with the ending .mlir"))
        found += inside
    return list(dict.fromkeys(found))


def run(
    path: Path, engine: Engine, extensions: Extensions, deallocation: Deallocation = DEFAULT_DEALLOCATION
) -> Iterator[Result]:
    """Run the tests of a file: each of its modules, as `// -----` divides them, is one. They are about the passes of
    `deallocation`, or of another pipeline if that alone has the pass that a test names.

    Raises `DealogError` for a file that cannot be read, and for rule files that are wrong.
    """
    from dealog.files import read_text

    extensions.everything()  # what is wrong with the rules is not what a test is about
    text, name = read_text(str(path))
    chunks, warnings = split(text, name, DEFAULT_MARKER)
    none = True
    for chunk in chunks:
        if "//" not in chunk.text and not chunk.text.strip():
            continue
        test = _Test(chunk, name, engine, extensions, deallocation)
        result = test.result(alone=len(chunks) == 1)
        if result is not None:
            none = False
            yield result
    for warning in warnings:
        none = False
        yield Result(_title(warning.source, warning.offset), 0, 0, (replace(warning, severity="error"),))
    if none:
        yield Result(name, 0, 0, (_nothing(SourceText(name, text)),))


def line(result: Result) -> str:
    """How a test came out, in a line."""
    if result.passed:
        return f"PASS: {result.name} ({plural(result.expectations, 'expectation')})"
    if not result.failed:
        return f"FAIL: {result.name}"
    return f"FAIL: {result.name} ({result.failed} of {plural(result.expectations, 'expectation')} failed)"


def summary(results: Sequence[Result]) -> str:
    """How all tests came out, in a line."""
    failed = sum(not result.passed for result in results)
    expectations = sum(result.expectations for result in results)
    shown = f"{plural(len(results), 'test')}, {plural(expectations, 'expectation')}"
    return f"{shown}: {failed} failed" if failed else f"{shown}: all passed"


def _nothing(source: SourceText) -> Diagnostic:
    hint = "a comment such as // expect: may_alias(%a, %b) says what has to hold"
    return Diagnostic("this test expects nothing", source=source, offset=0, hint=hint)


def _title(source: SourceText | None, offset: int | None) -> str:
    assert source is not None and offset is not None
    return f"{source.name}:{source.position(offset)[0]}"


@dataclass
class _Test:
    """One module with its expectations."""

    chunk: Chunk
    name: str
    engine: Engine
    extensions: Extensions
    deallocation: Deallocation
    source: SourceText = field(init=False)

    def __post_init__(self) -> None:
        self.source = SourceText(self.name, self.chunk.text, self.chunk.first_line)

    def result(self, alone: bool) -> Result | None:
        """How it comes out; None for a part without a module and without expectations."""
        text = self.source.text
        has_module = bool(_COMMENTS.sub("", text).strip())
        start = len(text) - len(text.lstrip())
        title = _title(self.source, start)
        try:
            expected = expectations.read(self.source)
        except DealogError as error:
            return Result(title, len(error.diagnostics), len(error.diagnostics), error.diagnostics)
        if not len(expected):
            fault = replace(_nothing(self.source), offset=start)
            return Result(title, 0, 0, (fault,)) if has_module or alone else None
        failures: list[Diagnostic] = []
        if expected.diagnostics:
            failures += self.diagnostics(expected)
        if expected.queries:
            failures += self.queries(expected)
        return Result(title, len(expected), min(len(failures), len(expected)), tuple(failures))

    def module(self) -> Module:
        from dealog.job import read_module
        from dealog.stopwatch import Stopwatch

        return read_module(self.chunk, self.name, Stopwatch(show=False), True, False, self.extensions)

    def steps(self, expected: Expectations) -> tuple[list[Step], str | None]:
        """The passes of `dealog dealloc`, with the options that `pass:` gives; and the name of that pass."""
        from dealog.asking.stage import stage_names
        from dealog.deallocation import every_deallocation

        if expected.pass_ is None:
            return self.deallocation.steps(), None
        name, _, options = expected.pass_.text.removesuffix("}").partition("{")
        try:
            every = [self.deallocation, *every_deallocation()]
            chosen = next((each for each in every if name in stage_names(each.steps())), every[0])
            steps = chosen.steps(options)
            names = stage_names(steps)
            if name not in names:
                hint = did_you_mean(name, names) or f"its passes are: {', '.join(names)}"
                raise DealogError(Diagnostic(f"'dealog dealloc' has no pass '{name}'", hint=hint))
        except DealogError as error:
            placed = (replace(d, source=self.source, offset=expected.pass_.offset) for d in error.diagnostics)
            raise DealogError(placed) from error
        return steps, name

    # ---- diagnostics

    def diagnostics(self, expected: Expectations) -> list[Diagnostic]:
        """How the diagnostics of the passes, and the findings, differ from the expected ones."""
        from dealog.expected_diagnostics import verify

        try:
            steps, name = self.steps(expected)
        except DealogError as error:
            return list(error.diagnostics)
        errors = self.errors(steps, name)
        # what is found, and what is not in question here, is let pass; any error that nobody expects is not
        unexpected = [d for d in verify(self.source, errors) if d.message.startswith("unexpected ")]
        missing = verify(self.source, [*errors, *self.findings(steps)], "only-expected")
        return [*unexpected, *missing]

    def errors(self, steps: Sequence[Step], name: str | None) -> list[Diagnostic]:
        """What the pass `name` refuses, or what any does."""
        from dealog.asking.stage import stages

        try:
            reached = False
            for stage in stages(self.module(), steps, self.engine, self.extensions):
                if reached:
                    break
                reached = stage.name == name
        except DealogError as error:
            return list(error.diagnostics)
        return []

    def findings(self, steps: Sequence[Step]) -> list[Diagnostic]:
        from dealog.checking.findings import every_kind
        from dealog.checking.run import find

        kinds = every_kind(self.extensions)
        try:
            found, _ = find(self.module(), kinds, steps, self.engine, self.extensions)
        except DealogError:
            return []  # the module cannot be read, which is an error of its own
        return [replace(finding.diagnostic, message=finding.message) for finding in found]

    # ---- queries

    def queries(self, expected: Expectations) -> list[Diagnostic]:
        """A diagnostic for each expectation that is not met."""
        from dealog.asking.stage import input_stage, stage_called

        try:
            steps, name = self.steps(expected)
            module = self.module()
            if name is None:
                options = {key: value for step in steps for key, value in step.options.items()}
                stage = input_stage(module, options, self.engine, self.extensions)
            else:
                stage = stage_called(name, module, steps, self.engine, self.extensions)
        except DealogError as error:
            return list(error.diagnostics)
        failures: list[Diagnostic] = []
        asked: list[tuple[Expectation, Query]] = []
        for expectation in expected.queries:
            try:
                asked.append((expectation, self.parsed(expectation.query, expectation.offset, stage)))
            except DealogError as error:
                failures += error.diagnostics
        stage.require({name for _, query in asked for name in query.relations})  # in one run
        for expectation, query in asked:
            try:
                failures += self.unmet(expectation, query, stage)
            except DealogError as error:
                failures += error.diagnostics
        return sorted(failures, key=lambda d: d.offset or 0)

    def parsed(self, text: str, offset: int, stage: Stage) -> Query:
        """The query `text`, which is at `offset`. Raises `DealogError` that points there."""
        from dealog.explain.query_reader import parse_query

        try:
            return parse_query(text, stage.program, stage.entities)
        except DealogError as error:
            placed = (replace(d, source=self.source, offset=offset + (d.offset or 0)) for d in error.diagnostics)
            raise DealogError(placed) from error

    def unmet(self, expectation: Expectation, query: Query, stage: Stage) -> Iterator[Diagnostic]:
        """Why an expectation is not met."""
        rows = query.answers(stage.database)
        place = {"source": self.source, "offset": expectation.offset}
        text = expectation.query
        if expectation.kind == "expect" and not rows:
            notes = [*_instead(query, stage), *_why_not(query, stage)]
            yield Diagnostic(f"{text} does not hold", **place, notes=tuple(notes))  # type: ignore[arg-type]
        elif expectation.kind == "expect-not" and rows:
            notes = [*_answers(query, rows, stage), *_why(query, rows, stage)]
            yield Diagnostic(f"{text} holds", **place, notes=tuple(notes))  # type: ignore[arg-type]
        elif expectation.kind == "expect-all":
            yield from self.others(expectation, query, rows, stage)

    def others(
        self, expectation: Expectation, query: Query, rows: Sequence[Tuple], stage: Stage
    ) -> Iterator[Diagnostic]:
        """How the answers differ from all that are expected."""
        free = [name for name in query.columns if name not in query.domains]
        if not free:
            hint = "variables start with a capital; for a yes or no there are expect and expect-not"
            message = "the query has no variables, so there are no answers to list"
            raise self.fault(expectation.offset, message, hint)
        covered: set[Tuple] = set()
        for row in expectation.rows:
            if len(row) != len(free):
                message = f"this is {plural(len(row), 'value')}, and the variables are {', '.join(free)}"
                raise self.fault(row[0].offset, message, "several values stand in parentheses, '_' is any")
            found = self.covered(expectation, query, free, row, stage)
            if not found:
                pairs = zip(free, row, strict=True)
                wanted = ", ".join(f"{name} = {cell.text}" for name, cell in pairs if cell.text != "_")
                message = f"{expectation.query} has no answer{f' with {wanted}' if wanted else ''}"
                yield Diagnostic(message, source=self.source, offset=row[0].offset)
            covered |= found
        extra = [row for row in rows if row not in covered]
        if extra:
            notes = [*_answers(query, extra, stage), *_why(query, extra, stage)]
            message = f"{expectation.query} has {plural(len(extra), 'other answer')}"
            yield Diagnostic(message, source=self.source, offset=expectation.offset, notes=tuple(notes))

    def covered(
        self, expectation: Expectation, query: Query, free: Sequence[str], row: Sequence[Cell], stage: Stage
    ) -> set[Tuple]:
        """The answers that have the values `row`: those of the query with an equation for each."""
        text = expectation.query
        starts: list[tuple[int, Cell]] = []
        for name, cell in zip(free, row, strict=True):
            if cell.text != "_":
                text += f", {name} = "
                starts.append((len(text), cell))
                text += cell.text
        try:
            narrowed = self.parsed(text, 0, stage)
        except DealogError as error:
            shown = error.diagnostics[0]
            at = expectation.offset + (shown.offset or 0)
            for start, cell in starts:
                if (shown.offset or 0) >= start - len(" = "):
                    at = cell.offset + max(0, (shown.offset or 0) - start)
            raise DealogError(replace(shown, offset=at)) from error
        at_columns = [narrowed.columns.index(name) for name in query.columns]
        return {tuple([answer[i] for i in at_columns]) for answer in narrowed.answers(stage.database)}

    def fault(self, offset: int, message: str, hint: str | None = None) -> DealogError:
        return DealogError(Diagnostic(message, source=self.source, offset=offset, hint=hint))


# ---- notes: what holds instead, and why ------------------------------------------------------------------------------


def _note(text: str, lines: Sequence[str] = ()) -> Diagnostic:
    return Diagnostic("\n".join([text, *(f"  {line}" for line in lines)]), severity="note")


def _instead(query: Query, stage: Stage) -> Iterator[Diagnostic]:
    """Tuples that nearly are what a fact asks for."""
    from dealog.explain.absence import Question

    if not _is_fact(query):
        return
    found: list[Tuple] = []
    for pattern in query.patterns():
        found += stage.inquirer.near(Question(query.atom.relation, pattern))
    if found:
        words = stage.words.within(found)
        shown = [words.atom(query.atom.relation, values) for values in dict.fromkeys(found[:_SHOWN])]
        yield _note(f"instead there is {', '.join(shown)}")


def _why_not(query: Query, stage: Stage) -> Iterator[Diagnostic]:
    from dealog.explain.absence import Question
    from dealog.explain.tree import absence

    if not _is_fact(query):
        return
    for pattern in islice(query.patterns(), 1):
        answer = stage.inquirer.ask(Question(query.atom.relation, pattern), _DEPTH)
        yield _note("why not:", _first(absence(answer, stage.program, stage.words.within([pattern]))))


def _answers(query: Query, rows: Sequence[Tuple], stage: Stage) -> Iterator[Diagnostic]:
    if query.columns:
        words = stage.words.within(rows)
        shown = [", ".join(f"{n} = {words.cell(v)}" for n, v in zip(query.columns, row, strict=True)) for row in rows]
        more = f"; and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
        yield _note(f"with {'; '.join(shown[:_SHOWN])}{more}")


def _why(query: Query, rows: Sequence[Tuple], stage: Stage) -> Iterator[Diagnostic]:
    """The proof of the first of the answers `rows` to a fact."""
    from dealog.engine import Variable
    from dealog.explain.proof import GroundAtom
    from dealog.explain.tree import tree

    if not _is_fact(query):
        return
    known = dict(zip(query.columns, rows[0], strict=True))
    atom = query.atom
    for fact in stage.matching(query):
        pairs = zip(atom.arguments, fact.values, strict=True)
        if all(known[term.name] == value for term, value in pairs if isinstance(term, Variable)):
            proof = stage.prover.prove(GroundAtom(atom.relation, fact.values))
            words = stage.words.within([needed.values for needed in proof.steps])
            yield _note("why:", _first(tree(proof, stage.program, words, _DEPTH)))
            return


def _first(lines: Iterator[Line]) -> list[str]:
    shown = [str(line) for line in islice(lines, _LINES + 1)]
    return [*shown[:_LINES], "…"] if len(shown) > _LINES else shown


def _is_fact(query: Query) -> bool:
    """Whether a query is one relation with plain arguments."""
    from dealog.engine import Atom, Functor

    first, *others = query.literals
    if not isinstance(first, Atom) or any(isinstance(term, Functor) for term in first.arguments):
        return False
    return all(isinstance(literal, Atom) and literal.relation in query.domains for literal in others)
