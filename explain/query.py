"""Queries: conjunctions over relations in which the program's entities are written as the user wrote them.

`%a`, `^bb1` and operations such as `memref.alloc#3` stand for every entity of that name, in whatever
function; `@f/%a` is one of them; `line:12` stands for what is on that line. A name that stands for several
things is one thing at a time: in all places of a query the same, and a column of the answer tells which.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import resources
from itertools import product
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.engine import (
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Functor,
    Negation,
    Position,
    Program,
    Relation,
    Term,
    Tuple,
    Value,
    Variable,
    Wildcard,
)
from dealog.engine.program import NUMBER_MAX, literal_terms, variables
from dealog.engine.scope import grounded
from dealog.explain.database import Database
from dealog.explain.evaluate import Evaluator, named
from dealog.explain.words import Places

_UNIQUE = re.compile(r"'[0-9]+$")
_SHORT = re.compile(r"(?<![\w/@%^.])(?:[%^][\w$.-]+(?:#[0-9]+)?|[a-z]\w*\.[\w$.]+#[0-9]+)(?:'[0-9]+)?")


class Entities:
    """The names of what is in a module."""

    def __init__(self, places: Places) -> None:
        self.places = places
        facts = places.facts
        self.identifiers = [*facts.values, *facts.blocks, *facts.operations, *facts.functions]
        self.functions = list(facts.functions)
        regions = [str(row[0]) for row in facts.relations["region"]]
        self._named: dict[str, list[str]] = {}
        for identifier in (*self.identifiers, *regions):
            for name in _names(identifier):
                self._named.setdefault(name, []).append(identifier)

    def named(self, name: str) -> Sequence[str]:
        """The identifiers that the user's `name` may stand for."""
        return self._named.get(name, ())

    def spelled(self, text: str) -> list[str]:
        """What `text`, such as `end %a`, may be with the functions of the names in it; itself, if that makes
        no difference."""
        names = _SHORT.findall(text)
        found = []
        for function in self.functions if names else ():
            if all(f"{function}/{name}" in self._named for name in names):
                found.append(_SHORT.sub(lambda match, f=function: f"{f}/{match[0]}", text))  # type: ignore[misc]
        return found or [text]

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
        domains = list(self.domains.items())
        for choice in product(*(values for _, values in domains)):
            chosen = dict(zip(self.domains, choice, strict=True))
            yield tuple(
                chosen.get(t.name) if isinstance(t, Variable) else t.value if isinstance(t, Constant) else None
                for t in self.atom.arguments
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


def parse_query(text: str, program: Program, entities: Entities) -> Query:
    """Read a query.

    Raises:
        DealogError: it cannot be read, or does not fit the relations of `program` or the module's names;
            positioned in `text`.
    """
    source = SourceText("<query>", text)
    reader = _Reader(source, entities)
    try:
        tree = _grammar().parse(text)
        literals: list[BodyLiteral] = reader.transform(tree)
    except UnexpectedInput as error:
        raise DealogError(_syntax_error(source, error)) from error
    except VisitError as error:
        raise error.orig_exc from error
    check = _Checker(source, program)
    for literal in literals:
        check.literal(literal)
    check.variables(literals, set(reader.domains))
    domains = [Atom(n, (Variable(n, p),), p) for n, (p, _) in reader.domains.items()]
    found = {name: values for name, (_, values) in reader.domains.items()}
    columns = [v.name for literal in literals for t in literal_terms(literal) for v in variables(t)]
    return Query((*literals, *domains), tuple(dict.fromkeys(columns)), found)


def parse_fact(text: str, program: Program, entities: Entities) -> Query:
    """Read a fact: a query of one positive atom.

    Raises:
        DealogError: as for `parse_query`, and for what is more or other than that.
    """
    query = parse_query(text, program, entities)
    extra = [x for x in query.literals[1:] if not (isinstance(x, Atom) and x.relation in query.domains)]
    if extra or not isinstance(query.literals[0], Atom):
        source = SourceText("<query>", text)
        at = (extra or [query.literals[0]])[0].position
        hint = "ask for one relation with its arguments, such as 'retained(^bb0, _, %a)'"
        raise DealogError(Diagnostic("a fact is one relation", source=source, offset=at.offset, hint=hint))
    seen: set[str] = set()
    for term in query.atom.arguments:
        if isinstance(term, Functor):
            raise DealogError(term.position.error("a fact has plain values, nothing to compute"))
        if isinstance(term, Variable) and term.name not in query.domains:
            if term.name in seen:
                hint = "'dealog query' finds the values for which it holds"
                raise DealogError(term.position.error(f"{term.name} stands in the fact twice", hint))
            seen.add(term.name)
    return query


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint with the names closest to `word`, or None when there is nothing like it."""
    close = get_close_matches(word, sorted(set(known)), n=3, cutoff=0.6)
    return "did you mean " + " or ".join(f"'{name}'" for name in close) + "?" if close else None


# ------------------------------------------------------------------------------------------ reading


@cache
def _grammar() -> Lark:
    text = resources.files("dealog.explain").joinpath("query.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", start="query", propagate_positions=True)


def _syntax_error(source: SourceText, error: UnexpectedInput) -> Diagnostic:
    at = error.pos_in_stream
    offset = len(source.text.rstrip()) if at is None or at < 0 else at
    token = getattr(error, "token", None)
    if not source.text.strip():
        message = "the query is empty"
    elif token is not None and token.type == "$END":
        message, offset = "the query ends too early", len(source.text.rstrip())
    elif token is not None:
        message = f"'{token}' is not expected here"
    else:
        message = f"'{source.text[offset : offset + 1]}' cannot start anything here"
    hint = "a query reads like 'may_alias(%a, X), !buffer(X), I > 2'"
    if source.text.count('"') % 2:
        message, hint = "a string is not closed", "close it with '\"'"
        offset = source.text.rindex('"')
    return Diagnostic(message, source=source, offset=offset, hint=hint)


@v_args(meta=True)
class _Reader(Transformer[Token, Any]):
    """Makes literals of a parse tree, with entities resolved."""

    def __init__(self, source: SourceText, entities: Entities) -> None:
        super().__init__()
        self.source, self.entities = source, entities
        self.domains: dict[str, tuple[Position, tuple[str, ...]]] = {}

    def _at(self, meta: Any) -> Position:
        return Position(self.source, meta.start_pos, meta.end_pos)

    def query(self, _: Any, items: list[Any]) -> list[Any]:
        return items

    def negation(self, meta: Any, items: list[Any]) -> Negation:
        return Negation(items[0], self._at(meta))

    def comparison(self, meta: Any, items: list[Any]) -> Comparison:
        return Comparison(str(items[1]), items[0], items[2], self._at(meta))

    def atom(self, meta: Any, items: list[Any]) -> Atom:
        name, *arguments = items
        return Atom(str(name), tuple(a for a in arguments if a is not None), self._at(meta))

    def functor(self, meta: Any, items: list[Any]) -> Functor:
        return Functor(str(items[1]), (items[0], items[2]), self._at(meta))

    def variable(self, meta: Any, items: list[Any]) -> Variable:
        return Variable(str(items[0]), self._at(meta))

    def wildcard(self, meta: Any, _: list[Any]) -> Wildcard:
        return Wildcard(self._at(meta))

    def number(self, meta: Any, items: list[Any]) -> Constant:
        value = int(items[-1])
        if value > NUMBER_MAX:
            raise DealogError(self._at(meta).error(f"{value} does not fit into 32 bits"))
        return Constant(value, self._at(meta))

    def negative(self, meta: Any, items: list[Any]) -> Constant:
        return Constant(-int(self.number(meta, items).value), self._at(meta))

    def string(self, meta: Any, items: list[Any]) -> Term:
        written = str(items[0])
        value: str = re.sub(r"\\(.)", r"\1", written[1:-1])
        return self._one_of(written, self.entities.spelled(value), meta)

    def entity(self, meta: Any, items: list[Any]) -> Term:
        name = str(items[0])
        found = self.entities.named(name)
        if not found:
            where = self._at(meta)
            hint = did_you_mean(name, self.entities.names())
            raise DealogError(where.error(f"the module has no {_kind(name)} {name}", hint))
        return self._one_of(name, found, meta)

    def line(self, meta: Any, items: list[Any]) -> Term:
        name = str(items[0])
        found = self.entities.on_line(int(name.partition(":")[2]))
        if not found:
            hint = "lines are those of the input; name one on which an operation or a label starts"
            raise DealogError(self._at(meta).error(f"nothing stands on line {name.partition(':')[2]}", hint))
        return self._one_of(name, found, meta)

    def bare(self, meta: Any, items: list[Any]) -> Term:
        name = str(items[0])
        hint = f'a variable starts with a capital, a text stands in quotes: {name.capitalize()}, "{name}"'
        raise DealogError(self._at(meta).error(f"'{name}' is neither a value nor a variable", hint))

    def _one_of(self, name: str, values: Sequence[str], meta: Any) -> Term:
        where = self._at(meta)
        if len(values) == 1:
            return Constant(values[0], where)
        self.domains.setdefault(name, (where, tuple(values)))
        return Variable(name, where)


def _kind(name: str) -> str:
    last = name.rpartition("/")[2]
    return {"%": "value", "^": "block", "@": "function"}.get(last[:1], "operation")


class _Checker:
    """Whether literals fit the relations of a program."""

    def __init__(self, source: SourceText, program: Program) -> None:
        self.source, self.program = source, program
        self.bases: dict[str, tuple[str, str]] = {}  # variable -> its type, and what that is known from

    def literal(self, literal: BodyLiteral) -> None:
        if isinstance(literal, Comparison):
            self.comparison(literal)
            return
        atom = literal.atom if isinstance(literal, Negation) else literal
        assert isinstance(atom, Atom)
        relation = self.program.relations.get(atom.relation)
        if relation is None:
            message = f"there is no relation {atom.relation}"
            raise DealogError(atom.position.error(message, did_you_mean(atom.relation, self.program.relations)))
        if len(atom.arguments) != relation.arity:
            message = f"{atom.relation} has {_columns(relation.arity)}, not {len(atom.arguments)}"
            raise DealogError(atom.position.error(message, f"it is {_signature(relation)}"))
        for term, column in zip(atom.arguments, relation.columns, strict=True):
            self.expect(term, column.base, f"the column {column.name} of {atom.relation}")

    def comparison(self, comparison: Comparison) -> None:
        for term in (comparison.left, comparison.right):
            if isinstance(term, Wildcard):
                raise DealogError(term.position.error("'_' is any value, there is nothing to compare"))
        left, right = (self.base(t) for t in (comparison.left, comparison.right))
        if comparison.op not in ("=", "!=") and "symbol" in (left, right):
            message = f"{comparison.op} is for numbers; names can be compared with = and != only"
            raise DealogError(comparison.position.error(message))
        if left is not None and right is not None and left != right:
            message = f"a {_KINDS[left]} is compared with a {_KINDS[right]}"
            raise DealogError(comparison.position.error(message))

    def expect(self, term: Term, base: str, what: str) -> None:
        found = self.base(term)
        if found is not None and found != base:
            raise DealogError(term.position.error(f"{what} holds {_KINDS[base]}s, not {_KINDS[found]}s"))
        if isinstance(term, Variable):
            self.bases.setdefault(term.name, (base, what))

    def base(self, term: Term) -> str | None:
        if isinstance(term, Constant):
            return "number" if isinstance(term.value, int) else "symbol"
        if isinstance(term, Functor):
            for argument in term.arguments:
                if isinstance(argument, Wildcard) or self.base(argument) == "symbol":
                    raise DealogError(argument.position.error(f"'{term.op}' is for numbers"))
            return "number"
        if isinstance(term, Variable):
            if term.name in self.bases:
                return self.bases[term.name][0]
            return None if term.name[:1].isupper() else "symbol"
        return None

    def variables(self, literals: Sequence[BodyLiteral], domains: set[str]) -> None:
        """Every variable must have a value from a positive atom."""
        bound = grounded(literals, domains)
        for literal in literals:
            for term in literal_terms(literal):
                for variable in variables(term):
                    if variable.name not in bound:
                        message = f"{variable.name} has no value: nothing that holds names it"
                        hint = "use it in a relation without '!' before it, or write '_'"
                        raise DealogError(variable.position.error(message, hint))


_KINDS = {"symbol": "name", "number": "number"}


def _columns(count: int) -> str:
    return f"{count} column{'s' * (count != 1)}"


def _signature(relation: Relation) -> str:
    return f"{relation.name}({', '.join(c.name for c in relation.columns)})"


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
