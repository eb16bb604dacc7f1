"""Which facts a program can make use of: those that some atom in some rule may match.

An atom that names a constant matches the facts with that constant. An atom beside one that does, in the same
body, and sharing a variable with it, matches the facts that join with those: a step of the semi-join reduction
of Bernstein and Chiu ("Using semi-joins to solve relational queries", 1981). What a program states of many names is
reduced by the names that there are. A body with an atom that matches nothing asks for nothing, and derives nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property

from dealog.engine.program import (
    Atom,
    Base,
    BodyLiteral,
    Constant,
    Negation,
    Program,
    Rule,
    Tuple,
    Value,
    Variable,
    aggregates,
    literal_terms,
)

Rows = list[Tuple]


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
        self.stated = frozenset(fact.relation for fact in program.facts)
        self.columns: dict[tuple[str, int], frozenset[Value]] = {}
        self.grouped: dict[tuple[str, int], dict[Value, Rows]] = {}
        self.possible: set[int] = set()  # the bodies that may hold
        self.derived = {name for name in facts if program.rules_of[name]}  # what may have tuples, of what is derived
        for stratum in program.strata:
            self.look_at_all([rule for name in stratum if name in needed for rule in program.rules_of[name]])

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
                out[name] = [row for row in rows if any(row[c] in values for c, values in wanted.items())]
        return {name: rows for name, rows in out.items() if rows}

    def look_at_all(self, rules: Collection[Rule]) -> None:
        """Look at the rules of a stratum: at bodies that may hold as long as that lets others do so."""
        waiting = [(rule, body) for rule in rules for body in rule.alternatives]
        looking = True
        while looking:
            looking = False
            put_off = []
            for rule, body in waiting:
                if not self.may_hold(body):
                    put_off.append((rule, body))
                    continue
                looking = True
                self.possible.add(id(body))
                self.derived.update(head.relation for head in rule.heads)
                self.look_at(body)
                self.look_into([a for head in rule.heads for a in head.arguments])
            waiting = put_off

    def may_hold(self, body: Iterable[BodyLiteral]) -> bool:
        """Whether each atom of `body` matches a fact, or what is derived."""
        for atom in body:
            if isinstance(atom, Atom):
                rows = self.matching(atom)
                if not rows if rows is not None else not self.facts.get(atom.relation, atom.relation in self.derived):
                    return False
        return True

    def look_at(self, body: Collection[BodyLiteral]) -> None:
        joined = _Joined(self, [x for x in body if isinstance(x, Atom)])
        for literal in body:
            atom = literal.atom if isinstance(literal, Negation) else literal
            if isinstance(atom, Atom):
                self.pick(atom, joined)
            self.look_into(literal_terms(literal))

    def look_into(self, terms: Iterable[object]) -> None:
        """Look at the aggregates in `terms`, whose variables are their own."""
        for aggregate in aggregates(terms):  # type: ignore[arg-type]
            for literal in aggregate.body:
                atom = literal.atom if isinstance(literal, Negation) else literal
                if isinstance(atom, Atom):
                    self.pick(atom, None)
                self.look_into(literal_terms(literal))

    def pick(self, atom: Atom, joined: _Joined | None) -> None:
        wanted = self.picked.get(atom.relation)
        if wanted is None:
            return
        column, values = self.narrowest(atom, joined)
        if column is None:
            self.picked[atom.relation] = None
        else:
            wanted.setdefault(column, set()).update(values)

    def narrowest(self, atom: Atom, joined: _Joined | None) -> tuple[int | None, Collection[Value]]:
        """A column of `atom` and all values that may stand there; None where they are not known."""
        bases: tuple[Base, ...] = self.program.relations[atom.relation].bases
        constants = [(i, a.value) for i, a in enumerate(atom.arguments) if isinstance(a, Constant)]
        for i, value in constants:
            if bases[i] == "symbol":
                return i, (value,)
        if joined is not None:
            for i, argument in enumerate(atom.arguments):
                if isinstance(argument, Variable) and argument.name in joined.values:
                    return i, joined.values[argument.name]
        if joined is not None and atom.relation in self.stated:
            for i, argument in enumerate(atom.arguments):
                if isinstance(argument, Variable) and (values := joined.given(argument.name)) is not None:
                    return i, values
        for i, value in constants:
            return i, (value,)
        return None, ()

    def column(self, relation: str, column: int) -> frozenset[Value]:
        """The values in a column of the facts of `relation`."""
        known = self.columns.get((relation, column))
        if known is None:
            known = self.columns[relation, column] = frozenset([row[column] for row in self.facts[relation]])
        return known

    def matching(self, atom: Atom) -> Rows | None:
        """The facts that `atom` matches by the symbols it names; None where it names none, or is derived."""
        if self.program.rules_of[atom.relation]:
            return None
        bases = self.program.relations[atom.relation].bases
        for i, argument in enumerate(atom.arguments):
            if isinstance(argument, Constant) and bases[i] == "symbol":
                groups = self.grouped.get((atom.relation, i))
                if groups is None:
                    groups = self.grouped[atom.relation, i] = {}
                    for row in self.facts.get(atom.relation, ()):
                        groups.setdefault(row[i], []).append(row)
                return groups.get(argument.value, [])
        return None


class _Joined:
    """What the atoms of a body that name constants say of its variables."""

    def __init__(self, selection: _Selection, atoms: list[Atom]) -> None:
        self.selection, self.atoms = selection, atoms

    @cached_property
    def values(self) -> dict[str, set[Value]]:
        return dict(self._values())

    def given(self, variable: str) -> Collection[Value] | None:
        """Values that a variable may have by a relation that is given, and not stated by the program; None where
        there is no such atom."""
        selection = self.selection
        for atom in self.atoms:
            name = atom.relation
            if name in selection.facts and name not in selection.stated and not selection.program.rules_of[name]:
                for i, argument in enumerate(atom.arguments):
                    if isinstance(argument, Variable) and argument.name == variable:
                        return selection.column(name, i)
        return None

    def _values(self) -> Iterator[tuple[str, set[Value]]]:
        for atom in self.atoms:
            rows = self.selection.matching(atom)
            if rows is not None:
                for i, argument in enumerate(atom.arguments):
                    if isinstance(argument, Variable):
                        yield argument.name, {row[i] for row in rows}
