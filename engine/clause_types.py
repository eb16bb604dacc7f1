"""The types of a clause: what the columns declare, and what is compared and computed with, has to fit together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from dealog.engine.program import (
    Aggregate,
    Atom,
    Base,
    BodyLiteral,
    Comparison,
    Constant,
    Functor,
    Negation,
    Position,
    Relation,
    Term,
    Type,
    Variable,
)
from dealog.engine.scope import Scope, clause_aggregates


class ClauseTypes:
    """The types of one clause.

    Variables that are compared with each other form a class and share a type: the most special of those that
    the columns of positive atoms declare (`declared`), or else just the base of what they are equated with
    (`bases`). What does not fit goes to `fault`.
    """

    def __init__(
        self, relations: Mapping[str, Relation], types: Mapping[str, Type], fault: Callable[..., None]
    ) -> None:
        self.relations, self.types, self.fault = relations, types, fault
        self.parent: dict[object, object] = {}
        self.declared: dict[object, list[tuple[str, Position]]] = {}
        self.equated: list[tuple[object, Base]] = []
        self.bases: dict[object, Base] = {}
        self.scope: Scope | None = None
        self.scope_id = 0
        self.scopes: Mapping[int, Scope] = {}

    def check(
        self, heads: Sequence[Atom], body: Collection[BodyLiteral], known_scopes: Mapping[int, Scope]
    ) -> None:
        """Check the clause of `heads` and `body`; `known_scopes` are those of its aggregates."""
        self.scopes = known_scopes
        self.collect(body)
        for aggregate in clause_aggregates(heads, body):
            self.enter(aggregate)
            self.collect(aggregate.body)
        self.leave()
        for class_of, uses in self.declared.items():
            self.meet(class_of, uses)
        for key, base in self.equated:
            self.bases.setdefault(self.find(key), base)
        self.verify(body)
        for aggregate in clause_aggregates(heads, body):
            self.enter(aggregate)
            self.verify(aggregate.body)
            if aggregate.target is not None:
                self.expect(aggregate.target, "number")
        self.leave()
        for head in heads:
            self.verify_arguments(head, head=True)

    def enter(self, aggregate: Aggregate) -> None:
        """Go into an aggregate: its variables hide those of the same name outside."""
        self.scope, self.scope_id = self.scopes[id(aggregate)], id(aggregate)

    def leave(self) -> None:
        """Go back to the clause around the aggregate."""
        self.scope = None

    # classes of variables

    def key(self, variable: Variable) -> object:
        """What stands for a variable in this scope."""
        if self.scope is not None and variable.name in self.scope.local:
            return (self.scope_id, variable.name)
        return variable.name

    def find(self, key: object) -> object:
        """The class that a variable is in (union-find)."""
        while (parent := self.parent.get(key, key)) != key:
            key = parent
        return key

    def typed_like(self, term: Term) -> object | None:
        """The variable whose type a term has: itself, or what `min`, `max` and `sum` run over."""
        if isinstance(term, Variable):
            return self.key(term)
        if isinstance(term, Aggregate) and isinstance(term.target, Variable):
            return (id(term), term.target.name)
        return None

    def collect(self, body: Iterable[BodyLiteral]) -> None:
        """Note which types the literals ask of each variable."""
        for literal in body:
            if isinstance(literal, Comparison):
                left, right = self.typed_like(literal.left), self.typed_like(literal.right)
                if left is not None and right is not None:
                    self.unite(left, right)
                for key, other in ((left, literal.right), (right, literal.left)):
                    base = None if isinstance(other, Variable) else self.base_of(other)
                    if key is not None and base is not None:
                        self.equated.append((key, base))
        for literal in body:
            if isinstance(literal, Atom):
                for column, argument in zip(
                    self.relations[literal.relation].columns, literal.arguments, strict=True
                ):
                    if isinstance(argument, Variable):
                        uses = self.declared.setdefault(self.find(self.key(argument)), [])
                        uses.append((column.type, argument.position))

    def unite(self, left: object, right: object) -> None:
        """Make one class of two."""
        left, right = self.find(left), self.find(right)
        if left != right:
            self.parent[right] = left
            if moved := self.declared.pop(right, None):
                self.declared.setdefault(left, []).extend(moved)

    # types

    def ancestors(self, name: str) -> list[str]:
        """A type and all types above it, from the inside out."""
        out = [name]
        while (known := self.types.get(out[-1])) is not None:
            out.append(known.parent)
        return out

    def base(self, name: str) -> Base:
        """The base type of a named type."""
        known = self.types.get(name)
        return known.base if known is not None else name  # type: ignore[return-value]

    def meet(self, class_of: object, uses: list[tuple[str, Position]]) -> None:
        """Narrow the uses of one class to the most special type; every other has to be above it."""
        best, where = uses[0]
        for name, place in uses[1:]:
            if best in self.ancestors(name):
                best, where = name, place
            elif name not in self.ancestors(best):
                note = where.note(f"it has the type {best} here")
                hint = "a value has one type: both have to be the same, or one derive from the other"
                self.fault(place, f"{name} and {best} have no value in common", hint, note)
        self.declared[class_of] = [(best, where)]

    def type_of(self, term: Term) -> tuple[str, Position] | None:
        """The declared type that a term has through its variable, if it has one."""
        key = self.typed_like(term)
        uses = self.declared.get(self.find(key)) if key is not None else None
        return uses[0] if uses else None

    def base_of(self, term: Term) -> Base | None:
        """Whether a term is a symbol or a number; None where that is not known."""
        if isinstance(term, Constant):
            return "symbol" if isinstance(term.value, str) else "number"
        if isinstance(term, Functor):
            return "symbol" if term.op in ("cat", "to_string") else "number"
        if isinstance(term, Aggregate):
            return "number"
        if (found := self.type_of(term)) is not None:
            return self.base(found[0])
        if isinstance(term, Variable):
            return self.bases.get(self.find(self.key(term)))
        return None

    # verification

    def verify(self, body: Iterable[BodyLiteral]) -> None:
        """Report the arguments and comparisons of a body whose types do not fit."""
        for literal in body:
            if isinstance(literal, Atom):
                self.verify_arguments(literal)
            elif isinstance(literal, Negation):
                self.verify_arguments(literal.atom)
            elif isinstance(literal, Comparison):
                if not (self.verify_inside(literal.left) and self.verify_inside(literal.right)):
                    continue
                left, right = self.base_of(literal.left), self.base_of(literal.right)
                if left is not None and right is not None and left != right:
                    message = f"a {left} is compared with a {right}: {literal.position.text}"
                    self.fault(literal.position, message, "to_string(...) makes a symbol of a number")
                elif literal.op not in ("=", "!=") and "symbol" in (left, right):
                    message = f"{literal.op} between symbols: not in the portable part of Datalog"
                    self.fault(
                        literal.position, message, "symbols can be compared with = and != only"
                    )

    def verify_arguments(self, atom: Atom, head: bool = False) -> None:
        """Report the arguments of an atom whose types do not fit its columns."""
        columns = self.relations[atom.relation].columns
        for column, argument in zip(columns, atom.arguments, strict=True):
            if not self.verify_inside(argument):
                continue
            found = self.base_of(argument)
            note = column.position.note(f"{atom.relation}.{column.name} is declared as {column.type}")
            if found is not None and found != column.base:
                shown = argument.position.text
                message = f"{shown} is a {found}, and {atom.relation}.{column.name} is a {column.base}"
                self.fault(argument.position, message, None, note)
            elif (
                head
                and (declared := self.type_of(argument)) is not None
                and column.type not in self.ancestors(declared[0])
            ):
                message = f"{argument.position.text} has the type {declared[0]}, which is not a {column.type}"
                hint = "declare the columns alike, or make one type derive from the other"
                self.fault(
                    argument.position, message, hint, declared[1].note(f"a {declared[0]} here"), note
                )

    def verify_inside(self, term: Term) -> bool:
        """Whether the arguments of functors in `term` are such as these take; the first that is not is reported."""
        if not isinstance(term, Functor):
            return True
        wanted: Base = "symbol" if term.op == "cat" else "number"
        return all(self.verify_inside(a) and self.expect(a, wanted, joins=term.op == "+") for a in term.arguments)

    def expect(self, term: Term, wanted: Base, joins: bool = False) -> bool:
        """Whether a term may have the type that is wanted; if not, that is reported."""
        found = self.base_of(term)
        if found is None or found == wanted:
            return True
        hint = "cat(…) joins symbols" if joins else None
        if wanted == "symbol":
            hint = "to_string(...) makes a symbol of a number"
        self.fault(term.position, f"{term.position.text} is a {found}, and a {wanted} is needed here", hint)
        return False
