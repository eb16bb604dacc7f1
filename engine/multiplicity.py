"""How many tuples of a relation have the same values in some of its columns, at most.

In facts they are counted. Where rules derive a relation, its rules tell: what they join, from the given values on, and
how many ways each step has. So the grounder can be spared relations of its own: where few tuples differ in what `_`
stands for, it may as well go through them; and where no order of joining makes much more than there is to begin with,
it may choose one by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from operator import itemgetter

from dealog.engine.program import (
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Program,
    Term,
    Tuple,
    Variable,
    aggregates,
    argument_names,
    variables,
)
from dealog.engine.scope import grounded, scopes

ONE = 1
FEW = 4
MANY = 5
"""No more than one, than a few, or more: nothing else is distinguished."""

_LONGEST = 8
"""Of this many atoms it is still asked in which orders they can be joined."""

_FIRST = 200
"""Where many of the first facts are alike, the others need not be looked at."""

Body = tuple[BodyLiteral, ...]


class Multiplicities:
    """What is found for a run of `program` over `facts`, in which the bodies of rules in `possible` may hold, by their
    identities (`id`)."""

    def __init__(
        self, program: Program, facts: Mapping[str, Sequence[Tuple]], possible: Collection[int] | None = None
    ) -> None:
        self.program, self.facts, self.possible = program, facts, possible
        self.known: dict[tuple[str, tuple[int, ...]], int] = {}
        self.counts: dict[tuple[str, tuple[int, ...]], int] = {}

    def of(self, relation: str, columns: tuple[int, ...]) -> int:
        """How many tuples of `relation` have the same values in `columns`: `ONE`, `FEW` or `MANY`."""
        found = self.known.get((relation, columns))
        if found is None:
            most = self.most(relation, columns)
            found = self.known[relation, columns] = ONE if most <= ONE else FEW if most <= FEW else MANY
        return found

    def most(self, relation: str, columns: tuple[int, ...]) -> int:
        """How many tuples of `relation` have the same values in `columns`, at most; from `MANY` on any number."""
        if len(columns) == self.program.relations[relation].arity:
            return ONE
        if not columns or relation in self.program.recursive:
            return MANY
        total = self.most_alike(relation, columns) if relation in self.facts else 0
        for head, body in self.clauses(relation):
            if total >= MANY:
                break
            total += self.ways(head, body, columns)
        return total

    def clauses(self, relation: str) -> Iterator[tuple[Atom, Body]]:
        """The clauses that may derive tuples of `relation`."""
        for rule in self.program.rules_of[relation]:
            for body in rule.alternatives:
                if self.possible is None or id(body) in self.possible:
                    yield from ((head, body) for head in rule.heads if head.relation == relation)

    def ways(self, head: Atom, body: Body, columns: tuple[int, ...]) -> int:
        """How many tuples `body` derives that have the same values in `columns` of `head`, at most."""
        given = {argument.name for argument in _at(head, columns) if isinstance(argument, Variable)}
        others = [argument for i, argument in enumerate(head.arguments) if i not in columns]
        if any(True for _ in aggregates(others)):
            return MANY
        wanted = {variable.name for argument in others for variable in variables(argument)}
        return self.steps([literal for literal in body if isinstance(literal, Atom)], given, wanted, head, body)

    def steps(self, atoms: list[Atom], bound: set[str], wanted: set[str], head: Atom, body: Body) -> int:
        """How many values `wanted` may have together where the variables in `bound` have one each."""
        total = ONE
        equations = [x for x in body if isinstance(x, Comparison) and x.op == "="]
        known = scopes((head,), body) if equations else {}
        while not wanted <= (bound := grounded(equations, bound, known=known) if equations else bound):
            atom, ways = self.next_step(atoms, bound)
            total *= ways
            if atom is None or total > FEW:
                return MANY
            atoms.remove(atom)
            bound = bound | argument_names(atom)
        return total

    def next_step(self, atoms: Collection[Atom], bound: Collection[str]) -> tuple[Atom | None, int]:
        """Of the `atoms` that have further variables the one with the fewest ways, and how many these are."""
        best: Atom | None = None
        fewest = MANY
        for atom in atoms:
            if fewest > ONE and not argument_names(atom) <= set(bound):
                ways = self.of(atom.relation, _given(atom, bound))
                if ways < fewest:
                    best, fewest = atom, ways
        return best, fewest

    def most_alike(self, relation: str, columns: tuple[int, ...]) -> int:
        """How many facts of `relation` have the same values in `columns`, at most; from `MANY` on any number."""
        known = self.counts.get((relation, columns))
        if known is None:
            known = 1
            if len(columns) == 1 or all(self.most_alike(relation, (column,)) > 1 for column in columns):
                for rows in (self.facts[relation][:_FIRST], self.facts[relation]):
                    shown = list(map(itemgetter(*columns), rows))
                    if len(set(shown)) < len(shown) and (known := max(Counter(shown).values())) >= MANY:
                        break
            self.counts[relation, columns] = known
        return known


def in_any_order(atoms: Sequence[Atom], of: Callable[[str, tuple[int, ...]], int]) -> bool:
    """Whether `atoms` can be joined one by one in any order in which each shares a variable with those before it:
    however one begins, there are no more than a few ways for each tuple of one of the atoms. (An atom of no relation is
    what was joined before.)

    `of` tells how many tuples of a relation have the same values in some columns, as `Multiplicities.of` does.
    """
    if len(atoms) > _LONGEST:
        return False
    names = [argument_names(atom) for atom in atoms]

    def ways(at: int, bound: Set[str]) -> int:
        if names[at] <= bound:
            return ONE
        return of(atoms[at].relation, _given(atoms[at], bound)) if atoms[at].relation else MANY

    def lead_to_all(first: int, part: Collection[int]) -> bool:
        bound, total, left = set(names[first]), ONE, set(part) - {first}
        while left:
            near = [at for at in left if names[at] & bound]
            if not near:
                return False
            fewest, at = min((ways(at, bound), at) for at in near)
            total *= fewest
            if total > FEW:
                return False
            bound |= names[at]
            left.remove(at)
        return True

    parts = {frozenset([at]) for at in range(len(atoms))}
    for _ in atoms[1:]:
        parts = {
            part | {at}
            for part in parts
            for at in range(len(atoms))
            if at not in part and any(names[at] & names[other] for other in part)
        }
        if not parts or not all(any(lead_to_all(first, part) for first in part) for part in parts):
            return False
    return True


def _at(atom: Atom, columns: Collection[int]) -> list[Term]:
    return [atom.arguments[column] for column in columns]


def _given(atom: Atom, bound: Collection[str]) -> tuple[int, ...]:
    """The columns of `atom` that have a value where the variables in `bound` have."""
    return tuple(
        i
        for i, argument in enumerate(atom.arguments)
        if isinstance(argument, Constant) or (isinstance(argument, Variable) and argument.name in bound)
    )
