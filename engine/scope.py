"""Which variables have a value, and whose they are: groundedness and the scopes of aggregates.

Soufflé's rules (its `Ground` and `Aggregate` analyses), for one alternative of a rule at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from dealog.engine.program import (
    Aggregate,
    Atom,
    BodyLiteral,
    Comparison,
    Functor,
    Term,
    Variable,
    Wildcard,
    aggregates,
    argument_names,
    literal_terms,
    variables,
)


@dataclass(frozen=True)
class Scope:
    """The variables of one aggregate: `injected` ones have their value from outside, `local` ones are its."""

    injected: frozenset[str]
    local: frozenset[str]


def clause_aggregates(heads: Iterable[Atom], body: Iterable[BodyLiteral]) -> Iterator[Aggregate]:
    """The outermost aggregates of a clause, those of the heads last."""
    for literal in body:
        yield from aggregates(literal_terms(literal))
    for head in heads:
        yield from aggregates(head.arguments)


def clause_variables(heads: Iterable[Atom], body: Iterable[BodyLiteral]) -> Iterator[Variable]:
    """The variables of a clause outside its aggregates, in the order they are written."""
    for head in heads:
        for term in head.arguments:
            yield from variables(term)
    for literal in body:
        for term in literal_terms(literal):
            yield from variables(term)


def scope_of(aggregate: Aggregate, body: Collection[BodyLiteral]) -> Scope:
    """The scope of an aggregate that stands in a clause with this body (or in its head).

    A variable of the target is local. Any other is injected if the rest of the body binds it.
    """
    target = {v.name for v in variables(aggregate.target)} if aggregate.target is not None else set()
    used = target | {v.name for v in clause_variables((), aggregate.body)}
    injected = (used - target) & grounded(body, without=aggregate)
    return Scope(frozenset(injected), frozenset(used - injected))


def scopes(heads: Iterable[Atom], body: Collection[BodyLiteral]) -> Mapping[int, Scope]:
    """The scope of every aggregate of a clause, by the aggregate's `id`."""
    return {id(a): scope_of(a, body) for a in clause_aggregates(heads, body)}


def positive_atoms(body: Iterable[BodyLiteral]) -> list[Atom]:
    """The atoms of a body that are not negated."""
    return [literal for literal in body if isinstance(literal, Atom)]


def is_materialized(aggregate: Aggregate) -> bool:
    """Whether Soufflé makes a relation of the aggregate's body, with a column for each named variable: where
    there are several positive atoms, or one in which a variable repeats."""
    atoms = positive_atoms(aggregate.body)
    names = [v.name for argument in atoms[0].arguments for v in variables(argument)] if atoms else []
    return len(atoms) > 1 or len(set(names)) < len(names)


def binding_atoms(aggregate: Aggregate, scope: Scope, body: Iterable[BodyLiteral]) -> dict[str, Atom | None]:
    """For each injected variable that the aggregate uses but does not bind itself: the first atom of the
    surrounding body that binds it, which Soufflé copies into the relation that it makes of the aggregate."""
    if not is_materialized(aggregate):
        return {}
    atoms = positive_atoms(body)
    return {
        name: next(
            (a for a in atoms if any(isinstance(x, Variable) and x.name == name for x in a.arguments)), None
        )
        for name in sorted(scope.injected - grounded(aggregate.body))
    }


def has_wildcard(term: Term) -> bool:
    """Whether `_` stands anywhere in a term, aggregates left out."""
    return isinstance(term, Wildcard) or (
        isinstance(term, Functor) and any(has_wildcard(a) for a in term.arguments)
    )


def grounded(
    body: Collection[BodyLiteral],
    initial: Iterable[str] = (),
    without: Aggregate | None = None,
    known: Mapping[int, Scope] | None = None,
) -> set[str]:
    """The variables that the literals of `body` bind, `initial` being bound already.

    A positive atom binds the variables that are its arguments; `x = term` binds `x` when the term has a
    value. An aggregate has a value always, except for `without`; or, given the scopes in `known`, when the
    variables that are injected into it are bound.
    """
    bound = set(initial)
    equations: list[tuple[str, Term]] = []
    for literal in body:
        if isinstance(literal, Atom):
            bound |= argument_names(literal)
        elif isinstance(literal, Comparison) and literal.op == "=":
            for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
                if isinstance(one, Variable):
                    equations.append((one.name, other))

    def has_value(term: Term) -> bool:
        if any(v.name not in bound for v in variables(term)) or has_wildcard(term):
            return False
        return all(
            a is not without and (known is None or known[id(a)].injected <= bound)
            for a in aggregates((term,))
        )

    changed = True
    while changed:
        changed = False
        for name, term in equations:
            if name not in bound and has_value(term):
                bound.add(name)
                changed = True
    return bound
