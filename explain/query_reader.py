"""Reads queries: a grammar, the names of a module, and whether it all fits the relations of a program."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from dealog.diagnostics import DealogError, Diagnostic, SourceText, did_you_mean, plural
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
    Variable,
    Wildcard,
)
from dealog.engine.program import NUMBER_MAX, literal_terms, variables
from dealog.engine.scope import grounded
from dealog.explain.query import KINDS, Entities, Query


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
    check = _Checker(source, program, entities, {name: values for name, (_, values) in reader.domains.items()})
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
        left, op, right = items
        if op in ("/", "%") and isinstance(right, Constant) and right.value == 0:  # nothing would ever hold
            raise DealogError(right.position.error("division by zero"))
        return Functor(str(op), (left, right), self._at(meta))

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

    def __init__(
        self, source: SourceText, program: Program, entities: Entities, domains: Mapping[str, Sequence[str]]
    ) -> None:
        self.source, self.program, self.entities, self.domains = source, program, entities, domains
        self.things: dict[str, tuple[str, str]] = {}  # variable -> what kind of thing it is, and where that is said
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
            message = f"{atom.relation} has {plural(relation.arity, 'column')}, not {len(atom.arguments)}"
            raise DealogError(atom.position.error(message, f"it is {_signature(relation)}"))
        for term, column in zip(atom.arguments, relation.columns, strict=True):
            self.expect(term, column.base, f"the column {column.name} of {atom.relation}")
            if column.type in KINDS:
                self.expect_kind(term, column.type, f"the column {column.name} of {atom.relation}")

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

    def expect_kind(self, term: Term, kind: str, what: str) -> None:
        """Check that `term`, in a column that names things of this kind, is none of another."""
        if isinstance(term, Constant):
            name, these = str(term.value), [term.value]
        elif isinstance(term, Variable) and term.name in self.domains:
            name, these = term.name, list(self.domains[term.name])
        elif isinstance(term, Variable):
            before, there = self.things.setdefault(term.name, (kind, what))
            if before != kind:
                message = f"{what} holds {kind.lower()}s, but {there} holds {before.lower()}s: {term.name} is not both"
                raise DealogError(term.position.error(message))
            return
        else:
            return
        kinds = {found for each in these for found in self.entities.kinds(each)}
        if kinds and kind not in kinds:
            found = " or ".join(sorted(f"{'an' if k[0] in 'AEIO' else 'a'} {k.lower()}" for k in kinds))
            written = self.source.text[term.position.offset : term.position.end] or name
            raise DealogError(term.position.error(f"{what} holds {kind.lower()}s, and {written} is {found}"))

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


def _signature(relation: Relation) -> str:
    return f"{relation.name}({', '.join(c.name for c in relation.columns)})"
