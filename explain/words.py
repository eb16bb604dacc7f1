"""The words of an answer: sentences from the documentation of relations, and places in the source.

The comment above a relation, `live_out(block, value): the buffer `value` may be used on some path from the
end of `block`.`, is a sentence with holes; put the values of a tuple in, and it says what the tuple means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from dealog.diagnostics import SourceText
from dealog.engine import Position, Relation, Value
from dealog.explain.proof import Absent, Aggregated, Compared, GroundAtom, Premise
from dealog.frontend import Block, Module, Operation
from dealog.frontend import Value as IRValue
from dealog.frontend.facts import Facts

_END = re.compile(r"[.;:](?:\s|$)")
_ASIDE = re.compile(r"\s\((?!from 0)(?:[^()\s]+\s+){4,}[^()]*\)")
_LETTERS = "nmkl"  # for numbers that may be any
_OPERATORS = {"!=": "≠", "<=": "≤", ">=": "≥"}
_AGGREGATES = {"count": "the number of", "sum": "the sum over", "min": "the minimum of", "max": "the maximum of"}


def sentence(relation: Relation, values: Sequence[Value | None], spell: Words, missing: str = "any") -> str:
    """What the documentation says of a tuple of `relation`; a value that is None is `missing` some column."""
    return template(relation, [None if v is None else spell.value(v) for v in values], missing)


def template(relation: Relation, values: Sequence[str | None], missing: str) -> str:
    """The documentation of `relation` with `values` for its columns."""
    names = [column.name for column in relation.columns]
    text = _telling(relation.documentation, relation.name, names)
    if text is None:
        shown = ", ".join("_" if v is None else v for v in values)
        return f"{relation.name}({shown})"
    by_name = dict(zip(names, values, strict=True))
    letters: dict[str, str] = {}
    numbers = {column.name for column in relation.columns if column.base == "number"}

    def put(match: re.Match[str]) -> str:
        name, ordinal = match[1], match[2]
        if name not in by_name:
            return match[0]
        value = by_name[name]
        if value is None:
            if name not in numbers:
                return f"{missing} {name.replace('_', ' ')}"
            value = letters.setdefault(name, _LETTERS[len(letters) % len(_LETTERS)])
        return _ordinal(value) if ordinal else value

    return re.sub(r"`([^`]*)`(-th\b)?", put, text)


def _telling(doc: str, name: str, columns: Sequence[str]) -> str | None:
    """The part of a documentation that says what a tuple means: clauses until every column was named, without
    long asides."""
    head = re.match(rf"{re.escape(name)}\([^)]*\):\s*", doc)
    if head is None:
        return None
    rest = " ".join(doc[head.end() :].split())
    rest = _ASIDE.sub(lambda aside: aside[0] if any(f"`{c}`" in aside[0] for c in columns) else "", rest)
    for end in _END.finditer(rest):
        if all(f"`{column}`" in rest[: end.start()] for column in columns):
            return rest[: end.start()]
    return rest.rstrip(".")


def _ordinal(text: str) -> str:
    try:
        number = int(text)
    except ValueError:
        return f"{text}-th"
    teens = 10 <= number % 100 < 20
    return f"{text}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


@dataclass(frozen=True)
class Place:
    """Where something stands: a line of the source, or, for what a pass made, beside one."""

    line: int
    text: str
    made_by: str | None = None

    @property
    def short(self) -> str:
        """Where it stands, without the text there."""
        return f"line {self.line}" if self.made_by is None else f"made by {self.made_by} at line {self.line}"

    def __str__(self) -> str:
        return f"{self.short}: {self.text}" if self.made_by is None else self.short


@dataclass
class Places:
    """Finds operations, blocks and values of a module by their identifiers in `facts`.

    `made` tells which pass made an operation that is not from the source.
    """

    module: Module
    facts: Facts
    made: Mapping[Operation, str] = field(default_factory=dict)

    def find(self, identifier: Value) -> Place | None:
        """The place of `identifier`; None where it is not an operation, block or value."""
        if not isinstance(identifier, str):
            return None
        facts = self.facts
        entity: Operation | Block | IRValue | None = (
            facts.operations.get(identifier) or facts.blocks.get(identifier) or facts.values.get(identifier)
        )
        if entity is None:
            function = facts.functions.get(identifier)
            return self._of(function, function.offset) if function is not None else None
        return self._of(_operation(entity), entity.offset)

    def offset(self, entity: Operation | Block | IRValue) -> int:
        """Where `entity` stands in the source, as `anchor` has it for what a pass made."""
        return entity.offset if entity.offset >= 0 else self.anchor(_operation(entity))

    def anchor(self, op: Operation) -> int:
        """Where `op` stands in the source; for what a pass made, where the operation stood in whose place it was
        made, or else where the operation after it stands."""
        at: Operation | None = op
        while at is not None and at.offset < 0:
            at = at.ancestor
        if at is not None:
            return at.offset
        at = op
        while at is not None:
            if at.offset >= 0:
                return at.offset
            block = at.block
            if block is not None:
                behind = block.operations[block.operations.index(at) + 1 :]
                for other in behind:
                    if other.offset >= 0:
                        return other.offset
            at = at.parent
        return 0

    def anchors(self) -> dict[Operation, int]:
        """The `anchor` of every operation of the module as it stands now: in one go, as blocks may be long."""
        standing: dict[Operation, int] = {}  # of an operation, or else of what stands after it or around it
        found: dict[Operation, int] = {}
        for op in self.module.walk():  # what is around an operation comes before it
            if op.block is None:
                standing[op] = max(op.offset, 0)
            found[op] = standing[op]
            at: Operation | None = op
            while at is not None and at.offset < 0:
                at = at.ancestor
            if at is not None:
                found[op] = at.offset
            for block in (block for region in op.regions for block in region.blocks):
                behind = -1
                for inner in reversed(block.operations):
                    behind = inner.offset if inner.offset >= 0 else behind
                    standing[inner] = behind if behind >= 0 else standing[op]
        return found

    def _of(self, op: Operation, offset: int) -> Place:
        source: SourceText = self.module.source
        made = None
        if offset < 0:
            if op.offset < 0:
                made = self.made.get(op, "a pass")
            offset = self.anchor(op)
        line = source.position(offset)[0]
        return Place(line, source.line(line).strip(), made)


def _operation(entity: Operation | Block | IRValue) -> Operation:
    """The operation that `entity` is, or belongs to."""
    if isinstance(entity, IRValue):
        return _operation(entity.owner)
    return entity.parent_op if isinstance(entity, Block) else entity


@dataclass(frozen=True)
class Words:
    """How values are spelled, and where they stand."""

    relations: Mapping[str, Relation]
    places: Places | None = None
    function: str | None = None  # the one function that an answer is about: its name goes without saying

    def within(self, atoms: Iterable[Sequence[Value | None]]) -> Words:
        """These words for an answer that is about `atoms`."""
        found = {
            match[1]
            for values in atoms
            for value in values
            if isinstance(value, str)
            for match in re.finditer(r"(@[^/\s]+)/", value)
        }
        known = self.places.facts.functions if self.places is not None else {}
        functions = found & set(known)
        return Words(self.relations, self.places, functions.pop() if len(functions) == 1 else None)

    def value(self, value: Value) -> str:
        """`value` as the user writes it; quotes around nothing."""
        text = str(value) or '""'
        return text.replace(f"{self.function}/", "") if self.function is not None else text

    def atom(self, relation: str, values: Sequence[Value | None], equal: Sequence[tuple[int, int]] = ()) -> str:
        """A tuple as it is asked for; None is `_`, or a variable in columns that have to be `equal`."""
        cells = ["_" if v is None else self.cell(v) for v in values]
        for i, k in equal:
            cells[i] = cells[k] = f"X{i}"
        return f"{relation}({', '.join(cells)})"

    def cell(self, value: Value) -> str:
        """A value as it is written in a query: what is not an identifier of the program is quoted."""
        if isinstance(value, int):
            return str(value)
        text = self.value(value)
        if self.places is not None and self.places.find(value) is not None:
            return text
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

    def fact(self, relation: str, values: Sequence[Value | None], missing: str = "any") -> str:
        """What a tuple means."""
        return sentence(self.relations[relation], values, self, missing)

    def premise(self, premise: Premise) -> str:
        """What a premise says."""
        if isinstance(premise, GroundAtom):
            return self.fact(*premise)
        if isinstance(premise, Absent):
            held = self.atom(premise.relation, premise.pattern)
            return f"not so: {self.fact(premise.relation, premise.pattern)} (no {held} holds)"
        if isinstance(premise, Compared):
            left, right = self.value(premise.left), self.value(premise.right)
            return f"{left} {_OPERATORS.get(premise.op, premise.op)} {right}"
        return self._aggregated(premise)

    def _aggregated(self, premise: Aggregated) -> str:
        if not premise.facts:
            return f"{self.value(premise.value)} is {_AGGREGATES[premise.op]} nothing: {premise.text}"
        count = len(premise.facts)
        over = "this" if count == 1 else f"these {count}"
        return f"{self.value(premise.value)} is {_AGGREGATES[premise.op]} {over}: {premise.text}"

    def place(self, values: Sequence[Value | None]) -> Place | None:
        """Where the first thing that a tuple speaks of and that has a place stands."""
        if self.places is None:
            return None
        for value in values:
            if value is not None and (place := self.places.find(value)) is not None:
                return place
        return None


def where(position: Position) -> str:
    """A place in a rule file: its name and line."""
    return f"{PurePath(position.file).name}:{position.line}"
