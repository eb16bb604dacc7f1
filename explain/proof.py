"""Proofs of derived tuples: which rule, with which values, over which facts, down to what is given.

A proof is found after the fact, over the parsed rules and the complete relations, so that it is the same
whatever engine derived them. Its *height* is 0 for a given fact, else one more than the greatest height among
what its last step needs; a fact that holds because something does not (a negation) or because of a comparison
needs nothing for that, and one that rests on an aggregate needs all that the aggregate ranges over.

`Prover.prove` gives a proof of the smallest height there is. Why that is sure: all derivations of all facts
within a distance `d` of the goal are looked at (every way in which a rule yields a fact, not some), and
heights are dealt out over them in stages, height 1 before height 2 and so on, so that each is the smallest
that these derivations allow (Knuth's generalization of Dijkstra's algorithm, for `1 + max`). A proof of
height `h` uses nothing further from its goal than `h`; so a height of at most `d` is the smallest of all. If
the goal's is greater, the distance is doubled, until it is not or until there is nothing further away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from dealog.engine import Aggregate, Atom, BodyLiteral, Comparison, Negation, Program, Tuple, Value
from dealog.engine.program import aggregates, literal_terms
from dealog.explain.database import Database
from dealog.explain.evaluate import Bindings, Clause, Clauses, Evaluator, NoValue, holds, unify

_FIRST_DISTANCE = 4
_LARGE = 10**9  # proofs drawn as trees can be exponentially large: sizes beyond this count as alike


class GroundAtom(NamedTuple):
    """A tuple of a relation."""

    relation: str
    values: Tuple


@dataclass(frozen=True)
class Absent:
    """No tuple of `relation` agrees with `pattern`, in which None stands for any value."""

    relation: str
    pattern: tuple[Value | None, ...]


@dataclass(frozen=True)
class Compared:
    """The comparison `left op right` holds."""

    op: str
    left: Value
    right: Value


@dataclass(frozen=True)
class Aggregated:
    """The aggregate `op` over all that `facts` say has this `value`."""

    op: str
    text: str
    value: Value
    facts: tuple[GroundAtom, ...]


Premise: TypeAlias = "GroundAtom | Absent | Compared | Aggregated"


@dataclass(frozen=True, eq=False)
class Derivation:
    """One way in which a clause yields a fact: with these values for its variables, from these premises."""

    clause: Clause
    bindings: Mapping[str, Value]
    premises: tuple[Premise, ...]

    @cached_property
    def needed(self) -> tuple[GroundAtom, ...]:
        """The facts that have to be proved for it, each once."""
        found: dict[GroundAtom, None] = {}
        for premise in self.premises:
            if isinstance(premise, GroundAtom):
                found[premise] = None
            elif isinstance(premise, Aggregated):
                found.update(dict.fromkeys(premise.facts))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Proof:
    """A proof of `goal`: for each fact in it the derivation, or None where it is given. Shared parts stand
    in it once; `heights` has the height of the proof of each fact."""

    goal: GroundAtom
    steps: Mapping[GroundAtom, Derivation | None]
    heights: Mapping[GroundAtom, int]

    @property
    def height(self) -> int:
        """How many rules the longest way down from the goal applies."""
        return self.heights[self.goal]


@dataclass(frozen=True, eq=False)
class Proofs:
    """Proofs of all `goals`, as `Proof` has one: what several of them need stands in `steps` once."""

    goals: tuple[GroundAtom, ...]
    steps: Mapping[GroundAtom, Derivation | None]
    heights: Mapping[GroundAtom, int]


class Prover:
    """Finds proofs over the rules of `program` and the complete relations of `database`."""

    def __init__(self, program: Program, database: Database) -> None:
        self.program, self.database = program, database
        self.clauses = Clauses(program)
        self.evaluator = Evaluator(database)
        self._derivations: dict[GroundAtom, list[Derivation]] = {}

    def derivations(self, fact: GroundAtom) -> Sequence[Derivation]:
        """Every derivation of `fact` by one step; none for a given fact."""
        known = self._derivations.get(fact)
        if known is None:
            known = self._derivations[fact] = []
            if not self.database.is_given(*fact):
                for clause in self.clauses[fact.relation]:
                    bindings = unify(clause.head, fact.values)
                    if bindings is not None:
                        for match in self.evaluator.matches(clause.body, bindings):
                            known.append(Derivation(clause, match, self._premises(clause, match)))
        return known

    def prove(self, goal: GroundAtom) -> Proof:
        """A proof of `goal` of the smallest height; among those, of the fewest steps that can be had without
        looking at more than one fact at a time.

        Raises:
            ValueError: `goal` does not hold.
        """
        proofs = self.prove_all([goal])
        return Proof(goal, proofs.steps, proofs.heights)

    def prove_all(self, goals: Sequence[GroundAtom]) -> Proofs:
        """Proofs of `goals`, each as `prove` finds it, in one search: what is near to several goals is looked at
        once.

        Raises:
            ValueError: one of them does not hold.
        """
        graph = _Graph(self, goals)
        while True:
            heights = graph.heights()
            if graph.complete or all(heights.get(goal, _LARGE) <= graph.distance for goal in goals):
                break
            graph.grow()
        for goal in goals:
            if goal not in heights:
                raise ValueError(f"{goal} does not hold")
        best = graph.best(heights)
        steps = _needed(goals, best)
        return Proofs(tuple(goals), steps, {fact: heights[fact] for fact in steps})

    def proofs(self, goal: GroundAtom) -> list[Proof]:
        """A proof for each derivation of `goal` that does not rest on `goal` itself, the lowest first; all
        below the last step is of the smallest height that does not rest on `goal`.

        Raises:
            ValueError: `goal` does not hold.
        """
        if self.database.is_given(*goal):
            return [self.prove(goal)]
        graph = _Graph(self, [goal])
        while not graph.complete:
            graph.grow()
        heights = graph.heights(without=goal)
        best = graph.best(heights)
        found = []
        for derivation in self.derivations(goal):
            if all(fact in heights for fact in derivation.needed):
                height = 1 + max((heights[f] for f in derivation.needed), default=0)
                found.append(_proof(goal, derivation, best, {**heights, goal: height}))
        if not found:
            raise ValueError(f"{goal} does not hold")
        return sorted(found, key=lambda p: (p.height, len(p.steps)))

    def _premises(self, clause: Clause, match: Bindings) -> tuple[Premise, ...]:
        evaluator, body = self.evaluator, clause.body
        out: list[Premise] = []
        for i, literal in enumerate(body):
            if isinstance(literal, Atom):
                out.append(self._fact(literal, match, body))
            elif isinstance(literal, Negation):
                out.append(Absent(literal.atom.relation, evaluator.pattern(literal.atom, match, body)))
            for aggregate in aggregates(literal_terms(literal)):
                out.append(self._aggregated(aggregate, match, clause))
            if isinstance(literal, Comparison) and i < clause.written:
                left, right = (evaluator.value(t, match, body) for t in (literal.left, literal.right))
                out.append(Compared(literal.op, left, right))
        return tuple(out)

    def _fact(self, atom: Atom, match: Bindings, body: Sequence[BodyLiteral]) -> GroundAtom:
        values = [self.evaluator.value(t, match, body) for t in atom.arguments]
        return GroundAtom(atom.relation, tuple(values))

    def _aggregated(self, aggregate: Aggregate, match: Bindings, clause: Clause) -> Aggregated:
        value, every = self.evaluator.aggregate(aggregate, match, clause.body)
        literals = self.evaluator.literals(aggregate, clause.body)
        facts: dict[GroundAtom, None] = {}
        for found in every:
            for literal in literals:
                if isinstance(literal, Atom):
                    facts[self._fact(literal, found, literals)] = None
        return Aggregated(aggregate.op, aggregate.position.text, value, tuple(facts))


class _Graph:
    """The derivations of all facts within some distance of any of some goals."""

    def __init__(self, prover: Prover, goals: Sequence[GroundAtom]) -> None:
        self.prover = prover
        self.distance = 0
        self.seen: dict[GroundAtom, None] = dict.fromkeys(goals)
        self.frontier = list(self.seen)  # facts whose derivations have not been looked at
        self._go(_FIRST_DISTANCE)

    @property
    def complete(self) -> bool:
        return not self.frontier

    def grow(self) -> None:
        """Look twice as far."""
        self._go(2 * self.distance)

    def _go(self, distance: int) -> None:
        while self.distance < distance and self.frontier:
            self.distance += 1
            following: list[GroundAtom] = []
            for fact in self.frontier:
                for derivation in self.prover.derivations(fact):
                    for needed in derivation.needed:
                        if needed not in self.seen:
                            self.seen[needed] = None
                            following.append(needed)
            self.frontier = following

    def heights(self, without: GroundAtom | None = None) -> dict[GroundAtom, int]:
        """The smallest height of each fact that can be proved from what has been looked at, not using
        `without`."""
        heights: dict[GroundAtom, int] = {}
        waiting: dict[GroundAtom, list[list[int | GroundAtom]]] = {}  # fact -> [missing, derived fact]
        given: list[GroundAtom] = []
        derived: list[GroundAtom] = []
        unseen = set(self.frontier)
        for fact in self.seen:
            if self.prover.database.is_given(*fact):
                given.append(fact)
                continue
            if fact in unseen or fact == without:
                continue
            for derivation in self.prover.derivations(fact):
                if not derivation.needed:
                    derived.append(fact)
                    continue
                entry: list[int | GroundAtom] = [len(derivation.needed), fact]
                for needed in derivation.needed:
                    waiting.setdefault(needed, []).append(entry)
        height = 0
        stage = given
        while stage or height == 0:
            new = [] if height else list(derived)
            for fact in stage:
                heights[fact] = height
            for fact in stage:
                for entry in waiting.get(fact, ()):
                    entry[0] -= 1  # type: ignore[operator]
                    if entry[0] == 0:
                        new.append(entry[1])  # type: ignore[arg-type]
            stage = [fact for fact in dict.fromkeys(new) if fact not in heights]
            height += 1
        return heights

    def best(self, heights: Mapping[GroundAtom, int]) -> dict[GroundAtom, Derivation | None]:
        """A derivation of the smallest height for each fact that has one, and of those the smallest."""
        sizes: dict[GroundAtom, int] = {}
        best: dict[GroundAtom, Derivation | None] = {}
        for fact in sorted(heights, key=heights.__getitem__):
            if heights[fact] == 0:
                sizes[fact], best[fact] = 1, None
                continue
            found: tuple[tuple[int, int], Derivation] | None = None
            for derivation in self.prover.derivations(fact):
                if any(heights.get(f, _LARGE) >= heights[fact] for f in derivation.needed):
                    continue
                size = min(_LARGE, 1 + sum(sizes[f] for f in derivation.needed))
                order = (size, derivation.clause.number)
                if found is None or order < found[0]:
                    found = order, derivation
            assert found is not None
            sizes[fact], best[fact] = found[0][0], found[1]
        return best


def _proof(
    goal: GroundAtom,
    last: Derivation | None,
    best: Mapping[GroundAtom, Derivation | None],
    heights: Mapping[GroundAtom, int],
) -> Proof:
    steps = _needed([goal], {**best, goal: last})
    return Proof(goal, steps, {fact: heights[fact] for fact in steps})


def _needed(
    goals: Sequence[GroundAtom], best: Mapping[GroundAtom, Derivation | None]
) -> dict[GroundAtom, Derivation | None]:
    """The derivations in `best` of `goals` and of all that these need."""
    steps = {goal: best[goal] for goal in goals}
    work = [fact for derivation in steps.values() if derivation is not None for fact in derivation.needed]
    while work:
        fact = work.pop()
        if fact not in steps:
            derivation = steps[fact] = best[fact]
            work += derivation.needed if derivation is not None else ()
    return steps


# ----------------------------------------------------------------------------------------------- checking


def faults(proof: Proof | Proofs, program: Program, database: Database) -> Iterator[str]:
    """What is wrong with `proof`: nothing, if it is one.

    Every step is looked at again by itself: that a given fact is given; that its rule is one of the program
    and has, with the values of the step, the fact as its head; that each condition of the rule holds in the
    relations; that all that it needs is proved in the proof, at a smaller height.
    """
    evaluator = Evaluator(database)
    for fact, derivation in proof.steps.items():
        if not database.holds(*fact):
            yield f"{fact} does not hold"
        if derivation is None:
            if not database.is_given(*fact):
                yield f"{fact} is not given"
            continue
        clause = derivation.clause
        if clause.rule not in program.rules_of[fact.relation]:
            yield f"{fact} comes from a rule that the program does not have"
        yield from _step_faults(fact, derivation, evaluator)
        heights = [proof.heights.get(f) for f in derivation.needed]
        if proof.heights[fact] != 1 + max((h for h in heights if h is not None), default=0):
            yield f"the height of {fact} is not that of its step"
        if None in heights:
            yield f"{fact} needs something that is not proved"


def _step_faults(fact: GroundAtom, derivation: Derivation, evaluator: Evaluator) -> Iterator[str]:
    clause, bindings = derivation.clause, derivation.bindings
    try:
        head = tuple(evaluator.value(t, bindings, clause.body) for t in clause.head.arguments)
        if head != fact.values:
            yield f"the rule yields {head}, not {fact}"
        for literal in clause.body:
            if not holds(evaluator, literal, bindings, clause.body):
                yield f"{literal.position.text} does not hold for {fact}"
            if isinstance(literal, Atom):
                values = tuple(evaluator.value(t, bindings, clause.body) for t in literal.arguments)
                if GroundAtom(literal.relation, values) not in derivation.needed:
                    yield f"{fact} does not say that it needs {literal.relation}{values}"
    except (KeyError, NoValue) as error:
        yield f"a term of the rule of {fact} has no value: {error}"


def walk(proof: Proof | Proofs) -> list[GroundAtom]:
    """The facts of a proof, each after all that it rests on."""
    return sorted(proof.steps, key=lambda fact: proof.heights[fact])
