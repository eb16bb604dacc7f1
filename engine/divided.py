"""A compact program in parts: those about names that do not occur in the facts of a run are not even read.

A part is called by what names begin with, up to the first dot: for names of operations, that is a dialect.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dealog import cache
from dealog.diagnostics import SourceText
from dealog.engine.compact import Stated, compact, given
from dealog.engine.compact import __file__ as compact_file
from dealog.engine.program import (
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Negation,
    Position,
    Program,
    Rule,
    Tuple,
    Value,
    Variable,
    aggregates,
    argument_names,
    literal_terms,
)
from dealog.engine.translation import keep_translations
from dealog.engine.version import version

_PROTOCOL = 5  # see `dealog.engine.compact`

_Rules = list[tuple[int, Rule, frozenset[str]]]
"""Rules with their numbers in the whole program, and the relations that they read."""
_OfNames = dict[Value, dict[str, list[Tuple]]]
"""What is stated of each name, by relation."""
_Columns = dict[str, tuple[int, ...]]
"""Columns of relations."""


@dataclass
class Divided:
    """A `program` without rules, the `rules` and what is `stated` for all runs, and `parts`: pickled, the rules that
    need a name of the part, and what is stated of its names. `of_names` is what is stated of names that have no part.

    A part is read where one of its names stands in facts, in the columns `needed_in`. What is stated of a name is asked
    for where the name is among what is `known`, or stands in facts or other tuples in the columns `found_in`.
    """

    program: Program
    rules: _Rules
    stated: Stated
    parts: Mapping[str, bytes]
    of_names: _OfNames
    known: frozenset[Value]
    needed_in: _Columns
    found_in: _Columns
    kept_as: str = ""

    def for_run(self, facts: Mapping[str, Collection[Tuple]]) -> tuple[Program, dict[str, Collection[Tuple]]]:
        """The program for a run over `facts`, and what it gets in that."""
        names = {row[i] for name, places in self.needed_in.items() for row in facts.get(name, ()) for i in places}
        parts = frozenset({_part_of(name) for name in names} & self.parts.keys())
        program = self._programs.get(parts)
        if program is None:
            program = self._programs[parts] = self._with(parts)
            if self.kept_as:
                keep_translations(program, self.kept_as)
        return program, given(program, facts, self._asked(facts))

    def _with(self, parts: Collection[str]) -> Program:
        """The program with the rules of `parts`, each where it stands in the whole program."""
        rules = [*self.rules, *(each for part in parts for each in self._part(part)[0])]
        placed = list(self.program.rules)
        read_by: dict[str, list[tuple[Rule, frozenset[str]]]] = {name: [] for name in self.program.relations}
        for number, rule, read in sorted(rules, key=lambda each: each[0]):
            placed[number] = rule
            for name in dict.fromkeys([head.relation for head in rule.heads]):
                read_by[name].append((rule, read))
        return self.program.with_some(placed, read_by)

    def _asked(self, facts: Mapping[str, Collection[Tuple]]) -> Stated:
        """What is stated in general, and of the names that are found."""
        asked = Stated({relation: list(rows) for relation, rows in self.stated.items()})
        found = dict.fromkeys(self.known)
        for relation, columns in self.found_in.items():
            for rows in (facts.get(relation, ()), asked.get(relation, ())):
                for column in columns:
                    found.update(dict.fromkeys([row[column] for row in rows]))
        work = list(found)
        while work:
            name = work.pop()
            part = _part_of(name)
            said = (self._part(part)[1] if part in self.parts else self.of_names).get(name)
            for relation, rows in said.items() if said is not None else ():
                asked.setdefault(relation, []).extend(rows)
                for column in self.found_in.get(relation, ()):
                    for row in rows:
                        if row[column] not in found:
                            found[row[column]] = None
                            work.append(row[column])
        return asked

    def _part(self, part: str) -> tuple[_Rules, _OfNames]:
        known = self._read.get(part)
        if known is None:
            known = self._read[part] = pickle.loads(self.parts[part])
        return known

    @cached_property
    def _read(self) -> dict[str, tuple[_Rules, _OfNames]]:
        return {}

    @cached_property
    def _programs(self) -> dict[frozenset[str], Program]:
        return {}


def load_divided(
    name: str,
    whole: Callable[[], Program],
    outputs: Callable[[Program], Collection[str]],
    made_from: str,
    in_full: bool = False,
) -> Divided:
    """What `dealog.engine.compact.load_compact` gives, in parts. With `in_full`, a run gets all that is stated of the
    outputs, also of names that it does not have."""

    def make() -> Divided:
        program = whole()
        asked = outputs(program)
        return divide(*compact(program, asked), asked if in_full else ())

    stands_for = cache.key([version(), cache.key_of_files([__file__, compact_file]), name, made_from])
    divided: Divided = cache.kept(
        f"parts-{stands_for}", make, lambda made: pickle.dumps(made, _PROTOCOL), pickle.loads
    )
    divided.kept_as = stands_for
    return divided


def divide(program: Program, stated: Stated, in_full: Collection[str] = ()) -> Divided:
    """A compact program, and what is stated with it, in parts. Runs get all that is stated of the relations
    `in_full`."""
    asked_by_name, known, found_in = _names(program, stated, in_full)
    said: dict[str, tuple[_Rules, _OfNames]] = {"": ([], {})}
    for relation in asked_by_name:
        for row in stated[relation]:
            of_names = said.setdefault(_part_of(row[0]), ([], {}))[1]
            of_names.setdefault(row[0], {}).setdefault(relation, []).append(row)
    needed_in: set[tuple[str, int]] = set()
    reads = {id(rule): read for rules in program.read_by_rules.values() for rule, read in rules}
    for number, rule in enumerate(program.rules):
        needs = [_needs(body, program, stated) for body in rule.alternatives]
        part = min(set(needs[0]).intersection(*needs[1:]), default="")
        if part:
            needed_in.update(each[part] for each in needs)
        said.setdefault(part, ([], {}))[0].append((number, rule, reads[id(rule)]))
    rules, of_no_part = said.pop("")
    nothing = Rule((), (), "", Position(SourceText("", ""), 0, 0))
    return Divided(
        program.with_some([nothing] * len(program.rules), {}),
        rules,
        Stated({relation: rows for relation, rows in stated.items() if relation not in asked_by_name}),
        {part: pickle.dumps(each, _PROTOCOL) for part, each in said.items()},
        of_no_part,
        known,
        _by_relation(needed_in),
        _by_relation(found_in),
    )


def _by_relation(columns: Iterable[tuple[str, int]]) -> _Columns:
    by_relation: _Columns = {}
    for relation, column in sorted(columns):
        by_relation[relation] = (*by_relation.get(relation, ()), column)
    return by_relation


def _needs(body: Sequence[BodyLiteral], program: Program, stated: Stated) -> dict[str, tuple[str, int]]:
    """The parts of which facts have to have a name for `body` to hold, and where."""
    needs: dict[str, tuple[str, int]] = {}
    for atom in body:
        if isinstance(atom, Atom) and atom.relation not in stated and not program.rules_of[atom.relation]:
            for column, argument in enumerate(atom.arguments):
                if isinstance(argument, Constant) and (part := _part_of(argument.value)):
                    needs.setdefault(part, (atom.relation, column))
    return needs


def _part_of(name: Value) -> str:
    """The part that `name` belongs to; `""` for none."""
    start, dot, _ = name.partition(".") if isinstance(name, str) else ("", "", "")
    return start if dot else ""


# ---- where rules find names ----------------------------------------------------------------------------------


def _names(
    program: Program, stated: Stated, in_full: Collection[str]
) -> tuple[list[str], frozenset[Value], set[tuple[str, int]]]:
    """The relations, of those that are `stated`, that say something of a name in their first column, which rules have
    always found elsewhere: among these values, or in these columns of facts and of what is stated. Those that are
    asked for `in_full` are none of them."""
    named = (name for name in stated if name not in in_full and program.relations[name].bases[:1] == ("symbol",))
    relations = {name for name in named if not program.rules_of[name]}
    rules = [(rule, body) for rule in program.rules for body in rule.alternatives]
    bodies = [(rule, body, [*_atoms(body), *_atoms(rule.heads)]) for rule, body in rules]
    for _, body, atoms in bodies:
        found = _found(body, stated)
        for atom in atoms:
            first = atom.arguments[0] if atom.arguments else None
            if not isinstance(first, Constant) and not (isinstance(first, Variable) and first.name in found):
                relations.discard(atom.relation)
    known: set[Value] = set()
    columns: set[tuple[str, int]] = set()
    before = -1
    while before != (before := len(columns)):
        for rule, body, atoms in bodies:
            asked = [atom.arguments[0] for atom in atoms if atom.relation in relations]
            asked += [x for head in rule.heads for i, x in enumerate(head.arguments) if (head.relation, i) in columns]
            names = {term.name for term in asked if isinstance(term, Variable)}
            for literal in body:
                if isinstance(literal, Comparison):
                    sides = literal.left, literal.right
                    if any(isinstance(side, Variable) and side.name in names for side in sides):
                        asked += sides
            if not all(isinstance(term, Variable | Constant) for term in asked):
                return [], frozenset(), set()  # it may be put together
            known.update(term.value for term in asked if isinstance(term, Constant))
            names = {term.name for term in asked if isinstance(term, Variable)}
            columns.update(
                (atom.relation, i)
                for atom in body
                if isinstance(atom, Atom)
                for i, term in enumerate(atom.arguments)
                if isinstance(term, Variable) and term.name in names
            )
    given_from_outside = {(name, i) for name, i in columns if name in stated or program.relations[name].is_input}
    return sorted(relations), frozenset(known), given_from_outside


def _found(body: Iterable[BodyLiteral], stated: Collection[str]) -> set[str]:
    """The variables that `body` finds in other relations than those that are `stated`."""
    plain = (literal for literal in body if isinstance(literal, Atom) and literal.relation not in stated)
    return {name for atom in plain for name in argument_names(atom)}


def _atoms(literals: Iterable[BodyLiteral]) -> Iterator[Atom]:
    """The atoms in `literals`, those of negations and aggregates, too."""
    for literal in literals:
        if isinstance(literal, Negation):
            yield literal.atom
        elif isinstance(literal, Atom):
            yield literal
        for aggregate in aggregates(literal_terms(literal)):
            yield from _atoms(aggregate.body)
