"""Matches rule bodies against relations: what all of explanation stands on.

The relations are complete when this starts (an engine has derived them), so there is no order of strata to
keep and negation is a look. The meaning of terms is that of the engines: numbers of 32 bits that wrap around,
`/` toward zero, aggregates over the distinct valuations of their variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dealog.engine import (
    Aggregate,
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Functor,
    Negation,
    Program,
    Rule,
    Term,
    Truth,
    Tuple,
    Value,
    Variable,
    Wildcard,
)
from dealog.engine.program import aggregates, literal_terms, variables
from dealog.engine.scope import is_materialized, scope_of
from dealog.explain.database import Database

Bindings = dict[str, Value]
"""Variables with their values."""


@dataclass(frozen=True, eq=False)
class Clause:
    """One head and one alternative of a rule, made ready to be matched.

    Each `_` of a positive atom is a variable of its own (so that a match tells which tuple was used), and
    what is computed in an atom or in the head is an equation at the end of the body; `number` counts the
    clauses of a program.
    """

    rule: Rule
    head: Atom
    body: tuple[BodyLiteral, ...]
    written: int  # how many literals of the body stand so in the rule
    number: int


class Clauses(Mapping[str, Sequence[Clause]]):
    """The clauses that derive each relation of `program`, in its order: made ready when they are asked for."""

    def __init__(self, program: Program) -> None:
        self._written: dict[str, list[tuple[Rule, Atom, Sequence[BodyLiteral], int]]] = {
            name: [] for name in program.relations
        }
        number = 0
        for rule in program.rules:
            for head in rule.heads:
                for body in rule.alternatives:
                    self._written[head.relation].append((rule, head, body, number))
                    number += 1
        self._ready: dict[str, Sequence[Clause]] = {}

    def __getitem__(self, relation: str) -> Sequence[Clause]:
        ready = self._ready.get(relation)
        if ready is None:
            ready = self._ready[relation] = [_clause(*written) for written in self._written[relation]]
        return ready

    def __iter__(self) -> Iterator[str]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)


def _clause(rule: Rule, head: Atom, body: Sequence[BodyLiteral], number: int) -> Clause:
    literals = named(body)
    written = len(body)
    arguments: list[Term] = []
    for i, term in enumerate(head.arguments):
        if isinstance(term, Variable | Constant):
            arguments.append(term)
        else:
            variable = Variable(f"head {i}", term.position)
            arguments.append(variable)
            literals.append(Comparison("=", variable, term, term.position))
    return Clause(rule, replace(head, arguments=tuple(arguments)), tuple(literals), written, number)


def named(body: Iterable[BodyLiteral], prefix: str = "any") -> list[BodyLiteral]:
    """`body` with a variable in place of each `_` and each computed term that stand directly in a positive
    atom; what such a variable has to be equal to follows at the end."""
    out: list[BodyLiteral] = []
    equations: list[BodyLiteral] = []
    for i, literal in enumerate(body):
        if isinstance(literal, Atom) and any(isinstance(a, Wildcard | Functor) for a in literal.arguments):
            arguments: list[Term] = []
            for k, term in enumerate(literal.arguments):
                if isinstance(term, Wildcard | Functor):
                    variable = Variable(f"{prefix} {i} {k}", term.position)
                    arguments.append(variable)
                    if isinstance(term, Functor):
                        equations.append(Comparison("=", variable, term, term.position))
                else:
                    arguments.append(term)
            literal = replace(literal, arguments=tuple(arguments))
        out.append(literal)
    return [*out, *equations]


def unify(atom: Atom, values: Sequence[Value | None]) -> Bindings | None:
    """What the variables of a clause's head are for the tuple `values`, in which None stands for any value;
    None where the head cannot be that tuple."""
    bindings: Bindings = {}
    for term, value in zip(atom.arguments, values, strict=True):
        if value is None:
            continue
        if isinstance(term, Constant):
            if term.value != value:
                return None
        elif isinstance(term, Variable) and bindings.setdefault(term.name, value) != value:
            return None
    return bindings


# ------------------------------------------------------------------------------------------------ terms


class NoValue(Exception):
    """A term has no value: a division that has no result, or the least of nothing."""


class Evaluator:
    """Matches bodies of literals against the relations of `database`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._plans: dict[tuple[int, frozenset[str], bool], _Plan] = {}
        self._kept: list[object] = []  # what plans are found by: an id must not be given away
        self._aggregates: dict[int, tuple[tuple[BodyLiteral, ...], frozenset[str], tuple[str, ...]]] = {}

    def matches(self, body: Sequence[BodyLiteral], bindings: Mapping[str, Value]) -> Iterator[Bindings]:
        """Every way to bind the variables of `body` beyond `bindings` such that all of it holds."""
        plan = self.plan(body, bindings)
        env = dict(bindings)
        for _ in _run(plan.steps, env):
            yield dict(env)

    def plan(self, body: Sequence[BodyLiteral], bound: Iterable[str], *, in_order: bool = False) -> _Plan:
        """The order in which `body` is matched where the variables `bound` have values.

        With `in_order`, what is known leads to what it is found by, and the order in which the conditions are
        written decides among those that find equally few tuples; without, the quickest goes first, found or not.
        """
        names = frozenset(bound)
        key = (id(body), names, in_order)
        plan = self._plans.get(key)
        if plan is None:
            self._kept.append(body)
            plan = self._plans[key] = _Planner(self, body, names, in_order).plan()
        return plan

    def value(self, term: Term, env: Mapping[str, Value], body: Sequence[BodyLiteral]) -> Value:
        """The value of `term`, which stands in a clause with this `body`.

        Raises:
            NoValue: it has none.
            KeyError: a variable in it has no value yet.
        """
        if isinstance(term, Variable):
            return env[term.name]
        if isinstance(term, Constant):
            return term.value
        if isinstance(term, Aggregate):
            return self.aggregate(term, env, body)[0]
        if isinstance(term, Wildcard):
            raise KeyError("_")
        return _apply(term.op, [self.value(a, env, body) for a in term.arguments])

    def aggregate(
        self, aggregate: Aggregate, env: Mapping[str, Value], body: Sequence[BodyLiteral]
    ) -> tuple[Value, list[Bindings]]:
        """The value of `aggregate`, and the valuations of its variables that it is taken over.

        Raises:
            NoValue: `min` or `max` over nothing.
        """
        literals, injected, local = self._scope(aggregate, body)
        outside = {name: env[name] for name in injected}
        found: dict[Tuple, Bindings] = {}
        for match in self.matches(literals, outside):
            found.setdefault(tuple([match[name] for name in local]), match)
        every = list(found.values())
        if aggregate.target is None:
            return len(every), every
        target = aggregate.target
        values = [self.value(target, match, literals) for match in every]
        if aggregate.op == "sum":
            return _wrapped(sum(int(v) for v in values)), every
        if not values:
            raise NoValue
        best = min(values) if aggregate.op == "min" else max(values)
        return best, every

    def literals(self, aggregate: Aggregate, body: Sequence[BodyLiteral]) -> Sequence[BodyLiteral]:
        """The body of `aggregate`, as its valuations are matched."""
        return self._scope(aggregate, body)[0]

    def _scope(
        self, aggregate: Aggregate, body: Sequence[BodyLiteral]
    ) -> tuple[tuple[BodyLiteral, ...], frozenset[str], tuple[str, ...]]:
        known = self._aggregates.get(id(aggregate))
        if known is None:
            self._kept.append(aggregate)
            scope = scope_of(aggregate, body)
            literals = tuple(named(aggregate.body))
            counted = literals if not is_materialized(aggregate) else aggregate.body
            terms = [t for literal in counted for t in literal_terms(literal)]
            local = dict.fromkeys(v.name for t in terms for v in variables(t) if v.name not in scope.injected)
            known = self._aggregates[id(aggregate)] = (literals, scope.injected, tuple(local))
        return known

    def needs(self, term: Term, body: Sequence[BodyLiteral]) -> set[str]:
        """The variables that have to have values before `term` has one."""
        out = {v.name for v in variables(term)}
        for aggregate in aggregates((term,)):
            out |= self._scope(aggregate, body)[1]
        return out

    def compares(self, comparison: Comparison, env: Mapping[str, Value], body: Sequence[BodyLiteral]) -> bool:
        """Whether a comparison all of whose variables have values holds."""
        try:
            left, right = (self.value(t, env, body) for t in (comparison.left, comparison.right))
        except NoValue:
            return False
        return _COMPARE[comparison.op](left, right)

    def pattern(self, atom: Atom, env: Mapping[str, Value], body: Sequence[BodyLiteral]) -> tuple[Value | None, ...]:
        """The arguments of `atom` as far as they have values; None where they have none.

        Raises:
            NoValue: an argument can have no value.
        """
        out: list[Value | None] = []
        for term in atom.arguments:
            try:
                out.append(self.value(term, env, body))
            except KeyError:
                out.append(None)
        return tuple(out)

    def derivable(self, clauses: Iterable[Clause], pattern: Sequence[Value | None]) -> Iterator[Tuple]:
        """The tuples that agree with `pattern`, in which None stands for any value, and that one of `clauses`
        derives from the relations at hand."""
        for clause in clauses:
            bindings = unify(clause.head, pattern)
            if bindings is not None:
                for match in self.matches(clause.body, bindings):
                    yield tuple([self.value(t, match, clause.body) for t in clause.head.arguments])

    def having(self, relation: str, pattern: Sequence[Value | None]) -> Iterable[Tuple]:
        """The tuples of `relation` that agree with `pattern`, in which None stands for any value."""
        columns = tuple(i for i, value in enumerate(pattern) if value is not None)
        return self.database.lookup(relation, columns, [pattern[i] for i in columns])  # type: ignore[misc]


_COMPARE: Mapping[str, Callable[[Value, Value], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,  # type: ignore[operator]
    "<=": lambda a, b: a <= b,  # type: ignore[operator]
    ">": lambda a, b: a > b,  # type: ignore[operator]
    ">=": lambda a, b: a >= b,  # type: ignore[operator]
}


def _wrapped(number: int) -> int:
    """`number` in 32 bits."""
    return (number + 2**31) % 2**32 - 2**31


def _apply(op: str, values: Sequence[Value]) -> Value:
    if op == "cat":
        return "".join(str(v) for v in values)
    if op == "to_string":
        return str(values[0])
    numbers = [int(v) for v in values]
    if op == "min":
        return min(numbers)
    if op == "max":
        return max(numbers)
    if op == "neg":
        return _wrapped(-numbers[0])
    left, right = numbers
    if op in "/%":
        if right == 0 or (left == -(2**31) and right == -1):
            raise NoValue
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return _wrapped(quotient if op == "/" else left - quotient * right)
    return _wrapped({"+": left + right, "-": left - right, "*": left * right}[op])


# ------------------------------------------------------------------------------------------------ plans

Step = Callable[[Bindings], Iterator[None]]
_ENDED = object()


@dataclass(frozen=True, eq=False)
class _Plan:
    """How a body is matched: the literals in order, and what each does to the bindings."""

    literals: tuple[BodyLiteral, ...]
    steps: tuple[Step, ...]


class _Planner:
    """Finds an order for a body: what only tests comes as soon as it can, then the atom that the fewest tuples
    can match."""

    def __init__(
        self, evaluator: Evaluator, body: Sequence[BodyLiteral], bound: frozenset[str], in_order: bool
    ) -> None:
        self.evaluator, self.body, self.bound, self.in_order = evaluator, body, set(bound), in_order

    def plan(self) -> _Plan:
        waiting = list(self.body)
        literals: list[BodyLiteral] = []
        steps: list[Step] = []
        while waiting:
            literal = self._next(waiting)
            waiting = [x for x in waiting if x is not literal]
            literals.append(literal)
            steps.append(self._step(literal))
        return _Plan(tuple(literals), tuple(steps))

    def _next(self, waiting: Sequence[BodyLiteral]) -> BodyLiteral:
        ready = [x for x in waiting if not isinstance(x, Atom) and self._is_ready(x)]
        if ready:
            return ready[0]
        atoms = [x for x in waiting if isinstance(x, Atom)]
        if not atoms:
            raise ValueError("a body that leaves variables without values")
        if self.in_order:
            known = [a for a in atoms if any(map(self._has_value, a.arguments))]
            return min(known or atoms[:1], key=lambda atom: max(self._cost(atom), 1))
        return min(atoms, key=self._cost)

    def _cost(self, atom: Atom) -> int:
        """How many tuples agree with what is bound, at most."""
        columns = tuple(i for i, term in enumerate(atom.arguments) if self._has_value(term))
        return self.evaluator.database.most(atom.relation, columns)

    def _has_value(self, term: Term) -> bool:
        return not isinstance(term, Wildcard) and self.evaluator.needs(term, self.body) <= self.bound

    def _is_ready(self, literal: BodyLiteral) -> bool:
        if isinstance(literal, Comparison) and literal.op == "=" and self._solved(literal) is not None:
            return True
        return all(self._has_value(t) or isinstance(t, Wildcard) for t in literal_terms(literal))

    def _solved(self, equation: Comparison) -> tuple[str, Term] | None:
        """The variable that `equation` gives a value, and the term that has it."""
        for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if self._has_value(one) or not self._has_value(other):
                continue
            if isinstance(one, Variable):
                return one.name, other
            if isinstance(one, Functor) and one.op in "+-" and len(one.arguments) == 2:
                left, right = one.arguments  # addition wraps around, so it can be undone always
                if isinstance(left, Variable) and self._has_value(right):
                    return left.name, Functor("-" if one.op == "+" else "+", (other, right), one.position)
                if isinstance(right, Variable) and self._has_value(left):
                    terms = (other, left) if one.op == "+" else (left, other)
                    return right.name, Functor("-", terms, one.position)
        return None

    def _step(self, literal: BodyLiteral) -> Step:
        evaluator, body = self.evaluator, self.body
        if isinstance(literal, Atom):
            return self._scan(literal)
        if isinstance(literal, Comparison) and literal.op == "=" and (solved := self._solved(literal)):
            name, term = solved
            self.bound.add(name)

            def assign(env: Bindings) -> Iterator[None]:
                try:
                    env[name] = evaluator.value(term, env, body)
                except NoValue:
                    return
                yield

            return assign

        def test(env: Bindings) -> Iterator[None]:
            if holds(evaluator, literal, env, body):
                yield

        return test

    def _scan(self, atom: Atom) -> Step:
        evaluator, body, relation = self.evaluator, self.body, atom.relation
        known = [(i, t) for i, t in enumerate(atom.arguments) if self._has_value(t)]
        columns = tuple(i for i, _ in known)
        terms = [t for _, t in known]
        new: list[tuple[int, str]] = []
        again: list[tuple[int, str]] = []  # a variable that stands in the atom twice
        for i, term in enumerate(atom.arguments):
            if i in columns or not isinstance(term, Variable):
                continue
            if term.name in self.bound:
                again.append((i, term.name))
            else:
                self.bound.add(term.name)
                new.append((i, term.name))
        lookup, value = evaluator.database.lookup, evaluator.value
        plain = [t.name if isinstance(t, Variable) else None for t in terms]

        def scan(env: Bindings) -> Iterator[None]:
            try:
                key = [
                    env[name] if name is not None else value(term, env, body)
                    for name, term in zip(plain, terms, strict=True)
                ]
            except NoValue:
                return
            for row in lookup(relation, columns, key):
                for i, name in new:
                    env[name] = row[i]
                if not again or all(env[name] == row[i] for i, name in again):
                    yield

        return scan


def _run(steps: Sequence[Step], env: Bindings) -> Iterator[None]:
    """Every way in which all of `steps` go through, one after the other; there may be many of them."""
    under_way: list[Iterator[None]] = []
    while True:
        if len(under_way) < len(steps):
            under_way.append(iter(steps[len(under_way)](env)))
        else:
            yield
        while under_way and next(under_way[-1], _ENDED) is _ENDED:
            under_way.pop()
        if not under_way:
            return


def holds(evaluator: Evaluator, literal: BodyLiteral, env: Mapping[str, Value], body: Sequence[BodyLiteral]) -> bool:
    """Whether `literal`, in which everything has a value (a `_` aside), is true."""
    if isinstance(literal, Truth):
        return literal.value
    if isinstance(literal, Comparison):
        return evaluator.compares(literal, env, body)
    atom = literal.atom if isinstance(literal, Negation) else literal
    try:
        found = next(iter(evaluator.having(atom.relation, evaluator.pattern(atom, env, body))), None)
    except NoValue:
        return False
    return (found is None) == isinstance(literal, Negation)
