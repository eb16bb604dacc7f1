"""Which facts a program can make use of: those that some atom in some rule may match.

An atom that names a constant matches the facts with that constant. An atom beside one that does, in the same
body, and sharing a variable with it, matches the facts that join with those: a step of the semi-join reduction
of Bernstein and Chiu ("Using semi-joins to solve relational queries", 1981). What a program states of many names is
reduced by the names that there are. A body with an atom that matches nothing asks for nothing, and derives nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from operator import itemgetter

from dealog.engine.program import (
    Atom,
    Constant,
    OfStratum,
    Outline,
    Program,
    Seen,
    Tuple,
    Value,
    Variable,
    outline_of,
)

Rows = list[Tuple]
Bindings = dict[str, Set[Value]]
"""The values that variables may have."""

_MANY = 100
"""A column that has more values than these is not looked into."""

_NOTHING: Bindings = {}


def usable(
    program: Program, needed: Collection[str], outputs: Collection[str], facts: Mapping[str, Rows]
) -> dict[str, Rows]:
    """`facts` without those that no rule of a relation in `needed` can match.

    What is asked for in `outputs` is kept whole.
    """
    return select(program, needed, outputs, facts)[0]


def select(
    program: Program, needed: Collection[str], outputs: Collection[str], facts: Mapping[str, Rows]
) -> tuple[dict[str, Rows], Collection[int]]:
    """What `usable` gives, and which bodies of rules may hold at all, by their identities (`id`)."""
    selection = _Selection(program, needed, outputs, facts)
    return selection.rows(), selection.possible


class _Selection:
    """The values by which the facts of each relation are picked out; None where all of them are wanted."""

    def __init__(
        self, program: Program, needed: Collection[str], outputs: Collection[str], facts: Mapping[str, Rows]
    ) -> None:
        self.program, self.facts = program, facts
        self.picked: dict[str, dict[int, set[Value]] | None] = {
            name: None if name in outputs else {} for name in facts
        }
        self.columns: dict[tuple[str, int], frozenset[Value] | None] = {}
        self.grouped: dict[tuple[str, int], dict[Value, Rows]] = {}
        self.projected: dict[tuple[str, int, Value, int], set[Value]] = {}
        self.possible: set[int] = set()  # the bodies that may hold
        self.derived: dict[str, list[set[Value] | None]] = {}  # what may be derived: the values in each column
        self.there = {name for name, rows in facts.items() if rows}  # the relations that may have tuples
        for name in facts:
            if program.rules_of[name]:
                columns = (self.column(name, i) for i in range(program.relations[name].arity))
                self.derived[name] = [set(column) if column is not None else None for column in columns]
        for stratum, bodies, is_recursive in program.bodies:
            if not stratum.isdisjoint(needed):
                self.look_at_all(stratum, bodies, is_recursive)

    def rows(self) -> dict[str, Rows]:
        out = {}
        for name, rows in self.facts.items():
            wanted = self.picked[name]
            if wanted is None:
                out[name] = rows
            elif len(wanted) == 1:
                ((column, values),) = wanted.items()
                out[name] = [row for row in rows if row[column] in values]
            else:
                kept: dict[Tuple, None] = {}
                for column, values in wanted.items():
                    kept.update(dict.fromkeys([row for row in rows if row[column] in values]))
                out[name] = list(kept)
        return {name: rows for name, rows in out.items() if rows}

    def look_at_all(self, stratum: frozenset[str], bodies: Collection[OfStratum], is_recursive: bool) -> None:
        """Look at the rules of a stratum: at bodies that may hold as long as that lets others do so."""
        held: dict[int, tuple[Outline, Bindings]] = {}
        before = -1
        while not is_recursive or before != (before := self.size(stratum)):
            for body, outline, heads in bodies:
                if outline[0] <= self.there and (found := self.bindings(outline)) is not None:
                    held[id(body)] = outline, found
                    for head in heads:
                        self.derive(head, found)
            if not is_recursive:
                break
        self.possible.update(held)
        for outline, found in held.values():
            self.look_at(outline, found)

    def size(self, stratum: Collection[str]) -> int:
        """How much is known to be derived in a stratum: it only grows, and a column of many values is the most."""
        size = 0
        for name in stratum:
            if name in self.derived:
                size += 1 + sum(_MANY + 1 if known is None else len(known) for known in self.derived[name])
        return size

    def derive(self, head: Atom, found: Bindings) -> None:
        """Take note of what `head` may be, where the variables have the values in `found`."""
        values: list[Collection[Value] | None] = []
        for argument in head.arguments:
            if isinstance(argument, Constant):
                values.append((argument.value,))
            else:
                values.append(found.get(argument.name) if isinstance(argument, Variable) else None)
        known = self.derived.get(head.relation)
        if known is None:
            self.there.add(head.relation)
            self.derived[head.relation] = [None if v is None or len(v) > _MANY else set(v) for v in values]
            return
        for i, more in enumerate(values):
            if (old := known[i]) is not None:
                if more is not None:
                    old.update(more)
                if more is None or len(old) > _MANY:
                    known[i] = None

    def bindings(self, outline: Outline) -> Bindings | None:
        """The values that variables may have where a body holds, as far as they are known to be few; None where it
        cannot hold, because an atom matches nothing, or two atoms share a variable and no value of it. (Most bodies
        that cannot hold are known before: there is nothing in one of their relations.)"""
        found: Bindings = {name: {value} for name, value in outline[4]}
        for relation, constants, variables in outline[1]:
            picked_by = None
            if constants and not self.program.rules_of[relation]:
                picked_by = next((constant for constant in constants if isinstance(constant[1], str)), None)
            rows = self.matching(relation, *picked_by) if picked_by is not None else None
            if rows is not None and not rows:
                return None
            columns = self.derived.get(relation)
            if columns is not None:
                for i, value in constants:
                    if (of_column := columns[i]) is not None and value not in of_column:
                        return None
            for i, name in variables:
                values: Set[Value] | None
                if picked_by is not None and rows is not None:
                    values = self.values(relation, picked_by, i, rows)
                elif columns is not None:
                    values = columns[i]
                else:
                    values = self.column(relation, i)
                if values is not None:
                    old = found.get(name)
                    found[name] = both = values if old is None else old & values
                    if not both:
                        return None
        return found

    def look_at(self, outline: Outline, found: Bindings) -> None:
        _, atoms, negated, inside, _ = outline
        for seen in atoms:
            self.pick(seen, found)
        for seen in negated:
            self.pick(seen, found)
        for aggregate in inside:
            self.look_at(outline_of(aggregate.body), _NOTHING)  # the variables in it are its own

    def pick(self, seen: Seen, found: Bindings) -> None:
        relation = seen[0]
        wanted = self.picked.get(relation)
        if wanted is None:
            return
        column, values = self.narrowest(seen, found)
        if column is None:
            self.picked[relation] = None
        else:
            wanted.setdefault(column, set()).update(values)

    def narrowest(self, seen: Seen, found: Bindings) -> tuple[int | None, Collection[Value]]:
        """A column of an atom and all values that may stand there; None where they are not known."""
        relation, constants, variables = seen
        for i, value in constants:
            if isinstance(value, str):
                return i, (value,)
        bases = self.program.relations[relation].bases
        known = [
            (bases[i] == "number", len(found[name]), i, found[name])
            for i, name in variables
            if name in found and ((column := self.column(relation, i)) is None or len(found[name]) < len(column))
        ]
        if known:
            _, _, i, values = min(known, key=lambda one: one[:3])
            return i, values
        for i, value in constants:
            return i, (value,)
        return None, ()

    def column(self, relation: str, column: int) -> frozenset[Value] | None:
        """The values in a column of the facts of `relation`; None for many."""
        key = relation, column
        if key not in self.columns:
            rows, value = self.facts[relation], itemgetter(column)
            few = len(set(map(value, rows[: 4 * _MANY]))) <= _MANY  # names of operations mostly differ by this
            found = frozenset(map(value, rows)) if few else frozenset()
            self.columns[key] = found if few and len(found) <= _MANY else None
        return self.columns[key]

    def values(self, relation: str, picked_by: tuple[int, Value], column: int, rows: Rows) -> Set[Value]:
        """The values in a column of `rows`, the facts of `relation` that `picked_by` picks out."""
        key = relation, *picked_by, column
        known = self.projected.get(key)
        if known is None:
            known = self.projected[key] = {row[column] for row in rows}
        return known

    def matching(self, relation: str, column: int, value: Value) -> Rows:
        """The facts of `relation` that have `value` in a column."""
        groups = self.grouped.get((relation, column))
        if groups is None:
            groups = self.grouped[relation, column] = {}
            for row in self.facts.get(relation, ()):
                groups.setdefault(row[column], []).append(row)
        return groups.get(value, [])
