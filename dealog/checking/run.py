"""Finds the findings in a module: derives the marked relations, and puts their tuples into the user's words."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from dealog.asking.stage import Stage, stage_called, stage_names
from dealog.checking.findings import COLUMN, INPUT, FindingKind, declared, reduced, relations_of
from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.engine import Program, Tuple, Value, solve
from dealog.explain.query import Entities
from dealog.explain.words import Places, Words
from dealog.frontend.facts import Facts, export_facts
from dealog.pipeline import decided, pass_runs

if TYPE_CHECKING:
    from dealog.extensions import Extensions
    from dealog.frontend import Module, Operation
    from dealog.pipeline import Engine, Step

_PLAIN = re.compile(r"(?:@[\w$.:@-]+|(?:@[\w$.:@-]+/)?(?:[%^][\w$.-]+(?:#\d+)?|[a-z]\w*\.[\w$.]+#\d+))(?:'\d+)?")


@dataclass(frozen=True)
class Spot:
    """A stretch of a line of the source, as character offsets."""

    source: SourceText = field(repr=False)
    offset: int
    end: int


@dataclass(frozen=True)
class TextEdit:
    """The text at `[start, end)` of the source becomes `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Finding:
    """One finding, as it is reported. `fact` is the tuple behind it as `dealog why` takes it, `function` what it is in,
    `edits` what mends it, in the order of the text; they are empty where nothing does."""

    kind: FindingKind
    spot: Spot
    message: str
    notes: tuple[tuple[Spot, str], ...]
    fact: str
    function: str | None
    edits: tuple[TextEdit, ...] = ()

    @property
    def diagnostic(self) -> Diagnostic:
        """It as a message, with the name of the finding after it."""
        return Diagnostic(
            f"{self.message} [{self.kind.name}]",
            self.kind.level,
            self.spot.source,
            self.spot.offset,
            tuple(Diagnostic(message, "note", spot.source, spot.offset) for spot, message in self.notes),
            self.kind.help,
        )


def erasure(text: str, start: int, end: int) -> TextEdit:
    """What takes `[start, end)` out: its lines, comments included, where nothing else stands there."""
    from dealog.frontend.lexer import line_start

    line = line_start(text, start)
    rest = re.compile(r"[ \t]*(?://[^\r\n]*)?(?:\r\n?|\n|\Z)").match(text, end)
    if not text[line:start].strip() and rest is not None:
        return TextEdit(line, rest.end(), "")
    following = re.compile(r"[ \t]*").match(text, end)
    assert following is not None
    return TextEdit(start, following.end(), "")


def find(
    module: Module, kinds: Collection[FindingKind], steps: Sequence[Step], engine: Engine, extensions: Extensions
) -> tuple[list[Finding], tuple[Diagnostic, ...]]:
    """The findings of `kinds` in `module`, each once and in the order of the source.

    Those on later stages take running the passes `steps`, which changes `module`; what is found before a pass that is
    not among them is not looked for. Where one of them refuses the module, the second part of the answer says why, and
    the findings are those up to there.

    Raises:
        DealogError: the rules of `extensions` are wrong, or an engine fails.
    """
    found: list[Finding] = []
    refused: tuple[Diagnostic, ...] = ()
    names = stage_names(steps)
    wanted = {kind.stage for kind in kinds} & {INPUT, *names}
    if INPUT in wanted:
        options = {name: value for step in steps for name, value in step.options.items()}
        facts = export_facts(module, extensions.structure, options, details=True)
        found += _found(Seen(INPUT, module, facts), kinds, engine, extensions)
        wanted.remove(INPUT)
    made: dict[Operation, str] = {}
    runs = pass_runs(module, steps, extensions, locations=True, just_run=engine.begins_embedded) if wanted else ()
    try:
        for name, one in zip(names, runs, strict=False):
            one.details = name in wanted  # the pass itself may do without them
            derived = decided(one, engine) if one.has_work else None
            if name in wanted:
                found += _found(Seen(name, module, one.facts, dict(made)), kinds, engine, extensions)
                wanted.remove(name)
            if derived is not None:
                one.carry_out(derived)
                made |= {op: one.step.pass_.name for op in module.walk() if op.offset < 0 and op not in made}
            if not wanted:
                break
    except DealogError as error:
        refused = error.diagnostics
    once = {(f.spot.offset, f.kind.name, f.message, _offsets(f)): f for f in reversed(found)}
    return [once[key] for key in sorted(once)], refused


def unreported(
    refused: Iterable[Diagnostic], findings: Iterable[Finding], extensions: Extensions
) -> tuple[Diagnostic, ...]:
    """Of what a pass refuses, all but what `findings` report at the same place, as `reported_by` has it."""
    refused = tuple(refused)
    if not refused:
        return ()
    same = extensions.made("reported_by", _reported_by)
    places = {(finding.spot.offset, finding.kind.name) for finding in findings}
    names = {name for _, name in places}
    return tuple(
        each
        for each in refused
        if not any((each.message, name) in same and (each.offset, name) in places for name in names)
    )


def _reported_by(program: Program) -> set[Tuple]:
    from dealog.engine import solve

    return set(solve(program, {}, outputs=("reported_by",))["reported_by"])  # of no module: which messages there may be


def stage_for(
    relation: str, module: Module, steps: Sequence[Step], engine: Engine, extensions: Extensions
) -> Stage | None:
    """The stage at which the relation called `relation` is reported as a finding; None where that is the input, or
    nowhere.

    Raises:
        DealogError: wrong rules, or a module that an earlier pass refuses.
    """
    program = extensions.everything()
    known = program.relations.get(relation)
    if known is None or not known.annotations:
        return None
    kind = next((kind for kind in declared(program) if kind.name == relation), None)
    if kind is None or kind.stage == INPUT or kind.stage not in stage_names(steps):
        return None
    return under_all_rules(stage_called(kind.stage, module, steps, engine, extensions), extensions)


def under_all_rules(stage: Stage, extensions: Extensions) -> Stage:
    """The module of `stage`, under all rules there are."""
    return Stage(stage.name, stage.module, extensions.everything(), stage.facts, stage.engine, stage.made)


def _offsets(finding: Finding) -> tuple[int, ...]:
    return tuple(spot.offset for spot, _ in finding.notes)


@dataclass
class Seen:
    """A module at a stage: what comes next is the pass called `name`, or it is as it was read (`INPUT`). `made` says
    which pass has made an operation."""

    name: str
    module: Module
    facts: Facts
    made: Mapping[Operation, str] = field(default_factory=dict)


def _found(seen: Seen, kinds: Iterable[FindingKind], engine: Engine, extensions: Extensions) -> list[Finding]:
    here = [kind for kind in kinds if kind.stage == seen.name]
    wanted = relations_of(here)
    by = partial(solve, outputs=wanted, engine=engine.name, compile=engine.compile, timeout=engine.timeout)

    def whole() -> tuple[Program, Mapping[str, list[Tuple]]]:
        return extensions.everything(), seen.facts.relations

    if engine.begins_embedded:
        derived = by(*reduced(extensions).for_run(seen.facts.relations), whole=whole)
    else:
        derived = by(*whole())
    reporting = _Reporting(seen, derived)
    return [
        reporting.finding(kind, values) for kind in here for values in derived[kind.name]
        if reporting.is_here(kind, values)
    ]  # fmt: skip


class _Reporting:
    """Puts tuples into words: the user's names, and places in the user's text."""

    def __init__(self, seen: Seen, derived: Mapping[str, Sequence[Tuple]]) -> None:
        self.derived, self.facts = derived, seen.facts
        self.places = Places(seen.module, seen.facts, seen.made)
        self.words, self.entities = Words({}, self.places), Entities(self.places)
        self.source: SourceText = seen.module.source
        self.mended: dict[str, dict[Tuple, list[Tuple]]] = {}

    def is_here(self, kind: FindingKind, values: Tuple) -> bool:
        """Whether the module has all that a finding is to be shown at: rule files may state what is in another one."""
        facts = self.facts
        known = facts.operations, facts.values, facts.blocks, facts.functions
        places = kind.place, *(note.place for note in kind.notes)
        return all(any(values[place] in names for names in known) for place in places)

    def finding(self, kind: FindingKind, values: Tuple) -> Finding:
        columns = {column.name: value for column, value in zip(kind.relation.columns, values, strict=True)}

        def worded(text: str) -> str:
            return COLUMN.sub(lambda match: self.called(columns[match[1]]), text)

        notes = tuple((self.spot(str(values[note.place])), worded(note.message)) for note in kind.notes)
        fact = f"{kind.name}({', '.join(self.asked(value) for value in values)})"
        spot = self.spot(str(values[kind.place]))
        where = self.function(str(values[kind.place]))
        return Finding(kind, spot, worded(kind.message), notes, fact, where, self.edits(kind, values))

    def edits(self, kind: FindingKind, values: Tuple) -> tuple[TextEdit, ...]:
        """What the relations that mend findings of `kind` say of the finding `values`, as changes of the text."""
        edits: set[TextEdit] = set()
        for fix in kind.fixes:
            rows = self.mended.get(fix.relation)
            if rows is None:
                rows = self.mended[fix.relation] = {}
                for row in self.derived[fix.relation]:
                    rows.setdefault(row[: len(values)], []).append(row[len(values) :])
            for row in rows.get(values, ()):
                operations = [self.facts.operations[str(name)] for name in row]
                if any(op.offset < 0 or op.end < 0 for op in operations):
                    return ()
                start, end = operations[0].offset, operations[0].end
                gone = erasure(self.source.text, start, end)
                edits.add(gone)
                if fix.kind == "moves":
                    if any(self._is_taken(value, operations[1]) for value in self.results[str(row[0])]):
                        return ()
                    comment = self.source.text[end : gone.end].rstrip()
                    edits.add(self._moved(self.source.text[start:end] + comment, operations[1].offset))
        return tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))

    @cached_property
    def results(self) -> Mapping[str, Sequence[str]]:
        """What facts call the results of each operation."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for operation, _, value in self.facts.relations["result"]:
            found[str(operation)].append(str(value))
        return found

    def _is_taken(self, called: str, before: Operation) -> bool:
        """Whether the text has another value of the same name where that which is `called` so in facts would be seen if
        it were defined right before `before`."""
        values, around = self.facts.values, before.parent
        end = around.end if around is not None and around.end >= 0 else len(self.source.text)
        first = called.partition("'")[0]
        names = itertools.chain([first], (f"{first}'{number}" for number in itertools.count(2)))
        same = itertools.takewhile(values.__contains__, names)
        return any(before.offset < values[name].owner.offset < end for name in same if name != called)

    def _moved(self, operation: str, to: int) -> TextEdit:
        """The text of an operation, put in front of what stands at `to`, on a line of its own."""
        from dealog.frontend.lexer import line_end, line_start

        text = self.source.text
        line = line_start(text, to)
        lead = text[line:to]
        return TextEdit(to, to, f"{operation}{line_end(text, to)}" + ("" if lead.strip() else lead))

    def called(self, value: Value) -> str:
        """What the user calls `value`."""
        facts, name = self.facts, str(value)
        if name in facts.values:
            owner = facts.values[name].owner
            return facts.values[name].name or f"that {getattr(owner, 'name', 'block')} returns"
        if name in facts.operations:
            return facts.operations[name].name
        if name in facts.blocks:
            block = facts.blocks[name]
            return block.label or f"the block in {block.parent_op.name}"
        return name

    def asked(self, value: Value) -> str:
        """`value` as it is written in a question: by its short name where there is but one of it."""
        words, named = self.words, self.entities.named
        if not isinstance(value, str) or not named(value):
            return words.cell(value)
        short = value.rpartition("/")[2]
        name = short if list(named(short)) == [value] else value
        return name if _PLAIN.fullmatch(name) else f'"{value}"'

    def function(self, identifier: str) -> str | None:
        """The function that an entity is, or is in."""
        if identifier in self.facts.functions:
            return identifier
        name = identifier.rpartition("/")[0]
        return name if name in self.facts.functions else None

    def spot(self, identifier: str) -> Spot:
        """Where an entity stands; of what a pass made, where it was put in."""
        facts, text = self.facts, self.source.text
        entity = (
            facts.values.get(identifier)
            or facts.blocks.get(identifier)
            or facts.functions.get(identifier)
            or facts.operations[identifier]
        )
        offset = self.places.offset(entity)
        line_end = text.find("\n", offset)
        stretch = text[offset : line_end if line_end >= 0 else len(text)]
        name = re.match(r"[%^][\w$.-]+", stretch)
        if entity.offset >= 0 and identifier not in facts.operations and name is not None:
            return Spot(self.source, offset, offset + name.end())
        end = offset + len(re.sub(r"\s*(//.*)?$", "", stretch))
        stop = facts.operations[identifier].end if identifier in facts.operations else -1
        return Spot(self.source, offset, max(offset + 1, min(end, stop) if stop > offset else end))
