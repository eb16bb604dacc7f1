"""Queries: conjunctions over relations in which the program's entities are written as the user wrote them.

`%a`, `^bb1` and operations such as `memref.alloc#3` stand for every entity of that name, in whatever
function; `@f/%a` is one of them; `line:12` stands for what is on that line. A name that stands for several
things is one thing at a time: in all places of a query the same, and a column of the answer tells which.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from dealog.engine import Atom, BodyLiteral, Constant, Negation, Tuple, Value, Variable
from dealog.explain.database import Database
from dealog.explain.evaluate import Evaluator, named
from dealog.explain.words import Places

_UNIQUE = re.compile(r"'[0-9]+$")
_QUOTED = re.compile(r'@"((?:[^"\\]|\\.)*)"')
_SHORT = re.compile(r"(?<![\w/@%^.])(?:[%^][\w$.-]+(?:#[0-9]+)?|[a-z]\w*\.[\w$.]+#[0-9]+)(?:'[0-9]+)?")


KINDS = ("Value", "Block", "Operation", "Function", "Region")
"""What things in a module are: the types of the columns that name them."""


class Entities:
    """The names of what is in a module."""

    def __init__(self, places: Places) -> None:
        self.places = places
        facts = places.facts
        self.identifiers = [*facts.values, *facts.blocks, *facts.operations, *facts.functions]
        self.functions = list(facts.functions)
        regions = [str(row[0]) for row in facts.relations["region"]]
        self._named: dict[str, list[str]] = {}
        self._kinds: dict[str, set[str]] = {}
        groups: tuple[Iterable[str], ...] = (facts.values, facts.blocks, facts.operations, facts.functions, regions)
        for kind, these in zip(KINDS, groups, strict=True):
            for identifier in these:
                self._kinds.setdefault(identifier, set()).add(kind)
        for identifier in (*self.identifiers, *regions):
            for name in _names(identifier):
                self._named.setdefault(name, []).append(identifier)

    def named(self, name: str) -> Sequence[str]:
        """The identifiers that the user's `name` may stand for; symbols may be in quotes, as in the program."""
        return self._named.get(name, ()) or self._named.get(_QUOTED.sub(r"@\1", name), ())

    def spelled(self, text: str) -> list[str]:
        """What `text`, such as `end %a`, may be with the functions of the names in it; itself, if that makes
        no difference."""
        names = _SHORT.findall(text)
        found = []
        for function in self.functions if names else ():
            if all(f"{function}/{name}" in self._named for name in names):
                found.append(_SHORT.sub(lambda match, f=function: f"{f}/{match[0]}", text))  # type: ignore[misc]
        return found or [text]

    def kinds(self, identifier: Value | None) -> Collection[str]:
        """What `identifier` is, in the words of `KINDS`; nothing where it is nothing in the module."""
        return self._kinds.get(identifier, ()) if isinstance(identifier, str) else ()

    def known(self, value: Value | None) -> bool:
        """Whether `value` is the identifier of something in the module."""
        return isinstance(value, str) and value in self._named and value in self._named[value]

    def names(self) -> Iterable[str]:
        """Everything that can be written for something."""
        return self._named

    def on_line(self, line: int) -> list[str]:
        """The identifiers of the operations, blocks and values that stand on `line` of the source."""
        found = []
        for identifier in self.identifiers:
            place = self.places.find(identifier)
            if place is not None and place.made_by is None and place.line == line:
                found.append(identifier)
        return found


def _names(identifier: str) -> Iterator[str]:
    """What may be written for `identifier`: itself; without its function; without the number that tells
    namesakes apart."""
    names = {identifier: None}
    short = identifier.rpartition("/")[2] if "/" in identifier else identifier
    names[short] = None
    names[_UNIQUE.sub("", short)] = None
    if identifier.startswith("@") and "/" not in identifier:
        names["@" + identifier.rpartition("@")[2]] = None
    yield from names


@dataclass(frozen=True)
class Query:
    """A query that fits a program and a module: its literals, and the columns of its answer.

    `domains` are the names in it that stand for several things, with these things; each is a variable.
    """

    literals: tuple[BodyLiteral, ...]
    columns: tuple[str, ...]
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def relations(self) -> frozenset[str]:
        """The relations that it asks of."""
        atoms = [x.atom if isinstance(x, Negation) else x for x in self.literals]
        return frozenset(a.relation for a in atoms if isinstance(a, Atom) and a.relation not in self.domains)

    @property
    def atom(self) -> Atom:
        """The first of the literals: all there is of a fact."""
        first = self.literals[0]
        assert isinstance(first, Atom)
        return first

    def patterns(self) -> Iterator[tuple[Value | None, ...]]:
        """What the arguments of a fact may be, None standing for any value: one for each choice of what its
        names stand for."""
        yield from self._patterns(self.atom)

    def patterns_of(self, relation: str) -> list[tuple[Value | None, ...]]:
        """The same for all literals that ask of `relation`."""
        atoms = [x.atom if isinstance(x, Negation) else x for x in self.literals]
        asking = [atom for atom in atoms if isinstance(atom, Atom) and atom.relation == relation]
        return list(dict.fromkeys(pattern for atom in asking for pattern in self._patterns(atom)))

    def _patterns(self, atom: Atom) -> Iterator[tuple[Value | None, ...]]:
        names = dict.fromkeys(t.name for t in atom.arguments if isinstance(t, Variable) and t.name in self.domains)
        for choice in product(*(self.domains[name] for name in names)):
            chosen = dict(zip(names, choice, strict=True))
            yield tuple(
                chosen.get(t.name) if isinstance(t, Variable) else t.value if isinstance(t, Constant) else None
                for t in atom.arguments
            )

    def tuples(self, database: Database) -> list[Tuple]:
        """The tuples of a relation that a fact describes."""
        for name, identifiers in self.domains.items():
            database.put(name, [(identifier,) for identifier in identifiers])
        literals = named(self.literals)
        atom = literals[0]
        assert isinstance(atom, Atom)
        evaluator = Evaluator(database)
        return sorted(
            {
                tuple([evaluator.value(t, match, literals) for t in atom.arguments])
                for match in evaluator.matches(literals, {})
            },
            key=lambda row: [(isinstance(v, str), v) for v in row],
        )

    def answers(self, database: Database) -> list[Tuple]:
        """The distinct values of the columns for which all literals hold, sorted."""
        for name, identifiers in self.domains.items():
            database.put(name, [(identifier,) for identifier in identifiers])
        body = named(self.literals)
        found = {tuple([match[name] for name in self.columns]) for match in Evaluator(database).matches(body, {})}
        return sorted(found, key=lambda row: [(isinstance(v, str), v) for v in row])


# ------------------------------------------------------------------------------------------ answers


def as_json(query: Query, rows: Sequence[Tuple]) -> str:
    """The answer as JSON: an object for each row, by column."""
    return json.dumps([dict(zip(query.columns, row, strict=True)) for row in rows], indent=2, ensure_ascii=False)


def as_csv(query: Query, rows: Sequence[Tuple]) -> str:
    """The answer as CSV with a line of column names."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(query.columns)
    writer.writerows(rows)
    return out.getvalue()
