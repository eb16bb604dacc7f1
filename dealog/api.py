"""Dealog from Python: modules, what the rules derive about them, and why.

The names are those of the command line: `Module.run` is `dealog opt`, `Module.dealloc` is `dealog dealloc`, and so on.
Import them from `dealog`. What is wrong with a text, a query or a rule is raised as `DealogError`, with the messages
that the command line shows.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from dealog import notebook
from dealog.deallocation import DEFAULT_PIPELINE, Deallocation, PipelineName
from dealog.diagnostics import DealogError, Diagnostic
from dealog.extensions import Extensions, fault_of_dialect, fault_of_rule_file
from dealog.pipeline import Engine, EngineName, Step
from dealog.rules import option as option_file

if TYPE_CHECKING:
    from dealog.asking.stage import Stage
    from dealog.checking.batch import FileResult, Task
    from dealog.checking.formats import Checked
    from dealog.frontend import Module as IRModule
    from dealog.session import Session

Cell = str | int
"""What a column of a relation holds: the name of an entity or another text, or a number."""

_StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class _Settings:
    extensions: Extensions
    engine: Engine
    allow_unregistered: bool
    normalize: bool
    deallocation: Deallocation


class Module:
    """An MLIR module as text, and all that can be done with it and asked about it.

    A module does not change: `run` and `fix` return new ones. `str(module)` is its text. In a notebook, a module
    shows its text, and one that passes have made how it differs from what they were given.
    """

    def __init__(self, text: str, name: str, settings: _Settings, source: str, steps: tuple[Step, ...] = ()) -> None:
        """Not to be called: use `Module.parse` and `Module.read`."""
        self._text, self._name, self._settings = text, name, settings
        self._source, self._steps = source, steps

    # ---- making

    @classmethod
    def parse(
        cls,
        text: str,
        name: str = "<text>",
        *,
        rules: Iterable[_StrPath] = (),
        dialects: Iterable[_StrPath] = (),
        engine: EngineName = "auto",
        engine_timeout: float | None = None,
        allow_unregistered_dialect: bool = False,
        normalize: bool = False,
        pipeline: PipelineName = DEFAULT_PIPELINE,
        private_function_dynamic_ownership: bool = False,
        only_functions: Iterable[str] = (),
        trust_external_results: bool = False,
    ) -> Module:
        """Read MLIR text, which messages call `name`. The options are those of the command line, and hold for all that
        is done with the module; a `dealog.toml` is not looked for. `pipeline`, "static" or "mlir", is what `dealloc`
        runs, and what questions and reports are about.

        Raises:
            DealogError: the text is not MLIR, or has operations of a dialect that is not known; a rule file or a
                dialect is wrong; there is no such pipeline, or no such time.
        """
        if engine_timeout is not None and not 0 < engine_timeout < math.inf:
            raise DealogError(f"engine_timeout is a number of seconds above 0, not {engine_timeout}")
        trusted = [option_file("trust-external-results")] if trust_external_results else []
        extensions = Extensions((*trusted, *map(Path, rules)), tuple(map(Path, dialects)))
        faults = [fault for path in extensions.rules if (fault := fault_of_rule_file(path))]
        faults += [fault for path in extensions.dialects if (fault := fault_of_dialect(path))]
        if faults:
            raise DealogError(faults)
        settings = _Settings(
            extensions, Engine(engine, False, engine_timeout), allow_unregistered_dialect, normalize,
            Deallocation(pipeline, private_function_dynamic_ownership, tuple(only_functions)),
        )  # fmt: skip
        if normalize:
            from dealog.normalize import normalize as print_generic

            text = print_generic(text, name, 1, allow_unregistered_dialect)
            settings = replace(settings, normalize=False)
        module = cls(text, name, settings, text)
        module._ir()
        return module

    @classmethod
    def read(cls, path: _StrPath, **options: Any) -> Module:
        """Read the file at `path`; for `options` see `parse`.

        Raises:
            DealogError: the file cannot be read, or as `parse` does.
        """
        from dealog.files import read_text

        text, name = read_text(os.fspath(path))
        return cls.parse(text, name, **options)

    def _ir(self) -> IRModule:
        """The module, read anew: what is done with it may change it."""
        from dealog.job import read_module
        from dealog.splitting import Chunk
        from dealog.stopwatch import Stopwatch

        own = self._settings
        return read_module(
            Chunk(self._text, 1), self._name, Stopwatch(show=False), own.allow_unregistered, own.normalize,
            own.extensions,
        )  # fmt: skip

    # ---- the text

    @property
    def text(self) -> str:
        """The module as MLIR text."""
        return self._text

    @property
    def name(self) -> str:
        """What messages call the text."""
        return self._name

    @property
    def source(self) -> str:
        """The text that was read, before any pass ran."""
        return self._source

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        ran = f" after {len(self._steps)} passes" if self._steps else ""
        return f"<dealog.Module {self._name}{ran}, {self._text.count(chr(10))} lines>"

    def diff(self) -> str:
        """How the text differs from what was read, as a unified diff; empty where it does not."""
        from difflib import unified_diff

        before, after = (text.splitlines(keepends=True) for text in (self._source, self._text))
        return "".join(unified_diff(before, after, self._name, self._name))

    def write(self, path: _StrPath) -> None:
        """Write the text to a file.

        Raises:
            DealogError: the file cannot be written.
        """
        from dealog.files import OutputFile

        OutputFile(os.fspath(path)).write(self._text)

    def _repr_html_(self) -> str:
        return notebook.diff(self.diff()) if self._text != self._source else notebook.code(self._text)

    # ---- passes

    def run(self, pipeline: str | Sequence[str]) -> Module:
        """The module after passes: `dealog opt`.

        `pipeline` is the name of a pass or a pipeline, with options after it as in
        `"expand-realloc=emit-deallocs=false"`; a list of such names; or mlir-opt's notation,
        `"builtin.module(expand-realloc{emit-deallocs=false})"`. Passes that are run on a module that passes have made
        still know what these have inserted.

        Raises:
            DealogError: there is no such pass or option, or a pass refuses the module.
        """
        from dealog.pipeline import make_steps, parse_pipeline

        defaults = {"private-function-dynamic-ownership": str(self._settings.deallocation.dynamic_ownership).lower()}
        declared = self._settings.extensions.passes
        steps: list[Step] = []
        if isinstance(pipeline, str) and "(" in pipeline:
            steps = parse_pipeline(pipeline, defaults, declared)
        else:
            for flag in [pipeline] if isinstance(pipeline, str) else pipeline:
                name, _, options = flag.lstrip("-").partition("=")
                steps += self._deallocation() if name == "dealloc" else make_steps(name, options, defaults, declared)
        return self._after(steps)

    def dealloc(self) -> Module:
        """The module with all deallocations: `dealog dealloc`.

        Raises:
            DealogError: a pass refuses the module.
        """
        return self._after(self._deallocation())

    def _deallocation(self) -> list[Step]:
        return self._settings.deallocation.steps()

    def _after(self, steps: Sequence[Step]) -> Module:
        from dealog.job import Job, transform
        from dealog.stopwatch import Stopwatch

        own = self._settings
        every = (*self._steps, *steps)
        job = Job(every, own.engine, allow_unregistered=own.allow_unregistered, extensions=own.extensions)
        text = transform(self._source, self._name, job, Stopwatch(show=False), lambda _: None)
        return Module(text, self._name, own, self._source, every)

    # ---- questions

    def _session(self, pass_name: str | None = None) -> Session:
        from dealog.session import Session

        own = self._settings
        return Session(self._ir(), own.engine, own.extensions, own.deallocation, pass_name)

    @cached_property
    def relations(self) -> Relations:
        """All relations, by name: the facts about the module, and what is derived from them when it is asked for."""
        return Relations(self._session().input())

    def relations_of(self, pass_name: str) -> Relations:
        """The relations of a pass of `dealog dealloc`, for the module as that pass sees it.

        Raises:
            DealogError: there is no such pass, or an earlier one refuses the module.
        """
        stage = self._session(pass_name).chosen()
        assert stage is not None
        return Relations(stage)

    def query(self, text: str, *, pass_name: str | None = None) -> Answers:
        """The answers to a query such as `"may_alias(%a, X), !buffer(X)"`: `dealog query`.

        Raises:
            DealogError: the query is wrong.
        """
        from dealog.explain.query_reader import parse_query

        stage = self._session(pass_name).chosen() if pass_name is not None else self.relations._stage
        assert stage is not None
        query = parse_query(text, stage.program, stage.entities)
        stage.ask(query)
        rows = query.answers(stage.database)
        return Answers(tuple(query.columns), tuple(tuple(row) for row in rows), text)

    def why(
        self,
        fact: str | None = None,
        *,
        line: int | None = None,
        value: str | None = None,
        pass_name: str | None = None,
        depth: int | None = None,
        all: bool = False,
    ) -> Sequence[Proof]:
        """Proofs of a fact such as `"retained(^bb0, _, %a)"`, or, with `line` or `value`, of all that the passes of
        `dealog dealloc` decided there: `dealog why`. `depth` is how deep they are shown, `all` whether a fact is
        proved in every way in which it is derived.

        Raises:
            DealogError: the fact does not hold, or nothing was decided there.
        """
        if sum(x is not None for x in (fact, line, value)) != 1:
            raise TypeError("give one of fact, line and value")
        session = self._session(pass_name)
        report = _Proofs(depth, all)
        if fact is not None:
            report.add(*session.holding(fact))
        else:
            report.depth = _LINE_DEPTH if depth is None else depth
            shown = session.decided(line, value, report, _Proofs(report.depth, all))
            assert isinstance(shown, _Proofs)
            report = shown
        return _Shown(report.found)

    def why_not(self, fact: str, *, pass_name: str | None = None, depth: int | None = None) -> Absence:
        """Why a fact does not hold: `dealog why-not`.

        Raises:
            DealogError: it does hold, or is not a fact.
        """
        return Absence(fact, tuple(map(str, self._session(pass_name).absence(fact, depth))))

    # ---- findings and reports

    def _task(self, only: Sequence[str] = (), ignore: Sequence[str] = ()) -> Task:
        from dealog.checking.batch import Task

        own = self._settings
        return Task(
            own.engine, own.extensions, tuple(only), tuple(ignore), own.deallocation, own.allow_unregistered
        )

    def check(self, *, only: Sequence[str] = (), ignore: Sequence[str] = ()) -> CheckResult:
        """What is worth changing: `dealog check`. Comments in the text that say that a finding is meant hold.

        Raises:
            DealogError: `only` or `ignore` names no finding, or rules are wrong.
        """
        from dealog.checking.batch import check_text
        from dealog.checking.formats import Checked

        task = self._task(only, ignore)
        result = check_text(self._text, self._name, task)
        return CheckResult(Checked(task.kinds(), [result]), result)

    def fix(self, *, only: Sequence[str] = (), ignore: Sequence[str] = ()) -> Module:
        """The module with what `check` finds mended, where it can be: `dealog check --fix`."""
        from dealog.checking.batch import check_text, read
        from dealog.checking.fixes import mend

        task = self._task(only, ignore)
        text, _ = mend(
            self._text,
            lambda text: check_text(text, self._name, task).findings,
            lambda text: read(text, self._name, task),
        )
        return Module(text, self._name, self._settings, text)

    def facts(self) -> Mapping[str, tuple[tuple[Cell, ...], ...]]:
        """The facts about the module that rules start from, by relation: `dealog facts`."""
        from dealog.frontend.facts import export_facts

        found = export_facts(self._ir(), self._settings.extensions.structure).relations
        return {name: tuple(rows) for name, rows in found.items()}

    def exec(
        self,
        entry: str | None = None,
        arguments: Iterable[str | int | float] = (),
        *,
        seed: int = 0,
        ownership: bool = True,
        lower: Literal["auto", "always", "never"] = "auto",
    ) -> Execution:
        """Run a function over a heap that checks every access: `dealog exec`.

        `entry` is the function (by default `@main`, or the only public one), and `arguments` are written as for
        `--args`. `ownership=False` does not ask that all be freed at the end. What goes wrong in the program is part of
        the answer.

        Raises:
            DealogError: there is no such function, the arguments do not fit it, or an operation cannot be run.
        """
        from dealog.commands.exec import Program
        from dealog.diagnostics import SourceText
        from dealog.execution import Limits

        name = entry if entry is None or entry.startswith("@") else f"@{entry}"
        source = SourceText(self._name, self._text)
        program = Program(
            source, name, tuple(map(str, arguments)), seed, ownership, "warning", Limits(), False,
            self._settings.extensions,
        )  # fmt: skip
        outcome = program.run(lower)
        return Execution(
            outcome.ok, tuple(outcome.written), tuple(fault.diagnostic for fault in outcome.faults),
            tuple(fault.diagnostic for fault in outcome.warnings),
        )  # fmt: skip

    def report(self) -> Report:
        """The page about the deallocation of the module: `dealog report`.

        Raises:
            DealogError: a pass refuses the module.
        """
        from dealog.report import render
        from dealog.report_contents.account import findings_in, report_on

        own, steps = self._settings, self._deallocation()
        shown = report_on(self._ir(), steps, own.engine, own.extensions)
        found = findings_in(self._ir(), steps, own.engine, own.extensions, shown)
        return Report(render(shown, found))


# ---- relations and answers


@dataclass(frozen=True)
class Relation(Sequence[tuple[Cell, ...]]):
    """A relation: what a tuple means, the names of its columns, and its tuples in a fixed order."""

    name: str
    columns: tuple[str, ...]
    documentation: str
    rows: tuple[tuple[Cell, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Cell, ...] | Sequence[tuple[Cell, ...]]:
        return self.rows[index]

    def dicts(self) -> list[dict[str, Cell]]:
        """The tuples as dictionaries by column, as data frames take them."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def _repr_html_(self) -> str:
        return notebook.table(self.columns, self.rows, self.documentation)


class Relations(Mapping[str, Relation]):
    """Relations by name; each is computed when it is first asked for."""

    def __init__(self, stage: Stage) -> None:
        """Not to be called: see `Module.relations`."""
        self._stage = stage

    def __getitem__(self, name: str) -> Relation:
        known = self._stage.program.relations.get(name)
        if known is None:
            raise KeyError(name)
        self._stage.require([name])
        rows = tuple(tuple(row) for row in self._stage.database.tuples(name))
        return Relation(name, tuple(column.name for column in known.columns), known.documentation, rows)

    def __iter__(self) -> Iterator[str]:
        return iter(self._stage.program.relations)

    def __len__(self) -> int:
        return len(self._stage.program.relations)

    def __contains__(self, name: object) -> bool:
        return name in self._stage.program.relations


@dataclass(frozen=True)
class Answers(Sequence[tuple[Cell, ...]]):
    """The answers to a query: a row for each, with a column for each variable. One without variables holds where there
    is a row, so answers are true where there are any."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    query: str

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[Cell, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Cell, ...] | Sequence[tuple[Cell, ...]]:
        return self.rows[index]

    def dicts(self) -> list[dict[str, Cell]]:
        """The answers as dictionaries by variable."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def _repr_html_(self) -> str:
        return notebook.table(self.columns, self.rows, self.query)


# ---- proofs

_LINE_DEPTH = 3


@dataclass(frozen=True)
class Proof:
    """A proof of a fact at a stage: "input", or the name of a pass. `str(proof)` is its tree, `data` the proof for
    `json.dumps`."""

    fact: str
    stage: str
    lines: tuple[tuple[str, str, str], ...] = field(repr=False)
    data: dict[str, Any] = field(repr=False)
    picture: str = field(repr=False)

    def __str__(self) -> str:
        shown = (f"{branches}{text}" + (f"  [{remark}]" if remark else "") for branches, text, remark in self.lines)
        return "\n".join(shown)

    def svg(self) -> str:
        """The proof as a picture."""
        return self.picture

    def _repr_html_(self) -> str:
        return notebook.tree(self.lines, self.stage)


class _Proofs:
    """Collects proofs while the stages that they belong to last."""

    def __init__(self, depth: int | None, every: bool) -> None:
        self.depth, self.every = depth, every
        self.found: list[Proof] = []

    @property
    def shown(self) -> int:
        return len(self.found)

    def add(self, stage: Stage, facts: Sequence[Any], limit: int | None = None) -> None:
        from dealog.explain import drawing
        from dealog.explain.tree import tree

        for fact in facts:
            for proof in stage.prover.proofs(fact) if self.every else [stage.prover.prove(fact)]:
                words = stage.words.within([each.values for each in proof.steps])
                lines = tuple(
                    (line.branches, line.text, line.remark) for line in tree(proof, stage.program, words, self.depth)
                )
                data = drawing.as_data(proof, stage.program, words)
                picture = drawing.as_svg(proof, stage.program, words)
                named = f"{fact.relation}({', '.join(map(str, fact.values))})"
                self.found.append(Proof(named, stage.name, lines, data, picture))


class _Shown(tuple[Proof, ...]):
    """Proofs that a notebook shows one below the other."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return "".join(proof._repr_html_() for proof in self)


@dataclass(frozen=True)
class Absence:
    """Why a fact does not hold; `str(absence)` tells."""

    fact: str
    lines: tuple[str, ...] = field(repr=False)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        return notebook.code(str(self))


# ---- findings


@dataclass(frozen=True)
class Finding:
    """One finding. Lines and columns count from 1, ends are after the last character."""

    name: str
    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str | None
    help: str | None
    stage: str
    fact: str
    fixable: bool


class CheckResult(Sequence[Finding]):
    """The findings in a module, in the order of the text, and what kept the check from finding more (`errors`)."""

    def __init__(self, checked: Checked, result: FileResult) -> None:
        """Not to be called: see `Module.check`."""
        self._checked = checked
        self.errors: tuple[Diagnostic, ...] = tuple(result.errors)
        self._findings = []
        for found in result.findings:
            start, end = (found.spot.source.position(at) for at in (found.spot.offset, found.spot.end))
            self._findings.append(
                Finding(
                    found.kind.name, found.kind.level, found.message, *start, *end, found.function, found.kind.help,
                    found.kind.stage, found.fact, bool(found.edits),
                )
            )  # fmt: skip

    def __len__(self) -> int:
        return len(self._findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Finding]: ...
    def __getitem__(self, index: int | slice) -> Finding | Sequence[Finding]:
        return self._findings[index]

    def __str__(self) -> str:
        from dealog.checking.formats import as_text

        return as_text(self._checked) + "".join(f"{error.render()}\n" for error in self.errors)

    def __repr__(self) -> str:
        return f"<dealog.CheckResult: {self._checked.count}>"

    def json(self) -> str:
        """The findings as `dealog check --format json` writes them."""
        from dealog.checking.formats import as_json

        return as_json(self._checked)

    def sarif(self) -> str:
        """The findings as SARIF 2.1.0."""
        from dealog.checking.formats import as_sarif

        return as_sarif(self._checked)

    def _repr_html_(self) -> str:
        columns = ("line", "severity", "finding", "message")
        rows = [(found.line, found.severity, found.name, found.message) for found in self]
        return notebook.table(columns, rows, self._checked.count)


@dataclass(frozen=True)
class Execution:
    """What a run came to: `ok` where nothing went wrong, what was printed (the results, one a line), and what is said
    of the heap: `faults` and `warnings`."""

    ok: bool
    output: tuple[str, ...]
    faults: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Report:
    """A page about a deallocation; `html` is all of it, in one file. A notebook shows it inline."""

    html: str = field(repr=False)

    def write(self, path: _StrPath) -> None:
        """Write the page to a file.

        Raises:
            DealogError: the file cannot be written.
        """
        from dealog.files import OutputFile

        OutputFile(os.fspath(path)).write(self.html)

    def _repr_html_(self) -> str:
        return notebook.frame(self.html)
