"""Why something does not hold: for each rule that could have derived it, the first condition that fails.

A rule is followed from what is asked about to what is found by it, and in the order in which it is written among
conditions that find equally few tuples (what only tests waits until its variables have values), with every way to
satisfy the conditions so far; the condition that no way gets past is the one that fails. Where that condition is
itself derived, the same question is asked of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dealog.engine import Atom, BodyLiteral, Comparison, Negation, Program, Tuple, Value, Variable
from dealog.engine.program import literal_terms, variables
from dealog.explain.database import Database
from dealog.explain.evaluate import Bindings, Clause, Evaluator, NoValue, unify
from dealog.explain.proof import Compared, GroundAtom, Proof, Prover

DEPTH = 4
"""How deep the question goes unless something else is asked for."""

Pattern = tuple[Value | None, ...]
_NEAR = 3  # of the tuples that nearly fit, this many are shown


@dataclass(frozen=True)
class Question:
    """Why no tuple of `relation` agrees with `pattern`, in which None stands for any value; the columns of each
    pair in `equal` have to have the same one."""

    relation: str
    pattern: Pattern
    equal: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class Failure:
    """The condition of `clause` at which it fails, with the variables that have values by then.

    Just one of these tells what is the matter: `missing`, a fact that would have to hold; `present`, one that
    would have to be absent, with its proof; `unequal`, a comparison that is false; none of them, where the
    rule's head cannot be what is asked, or a term has no value.
    """

    clause: Clause
    literal: BodyLiteral | None
    bindings: Mapping[str, Value]
    satisfied: int  # how many conditions hold before it
    missing: Question | None = None
    present: Proof | None = None
    unequal: Compared | None = None


@dataclass(eq=False)
class Answer:
    """Why `question` has the answer "no": a failure for each clause, and what that comes down to."""

    question: Question
    failures: list[Failure] = field(default_factory=list)
    below: dict[Failure, Answer] = field(default_factory=dict)
    near: list[Tuple] = field(default_factory=list)  # tuples of the relation that nearly fit
    repeated: bool = False  # the same is asked further up
    cut: bool = False  # the depth was reached


class Inquirer:
    """Asks why not, over the rules of `program` and the complete relations of `database`."""

    def __init__(self, program: Program, database: Database, prover: Prover | None = None) -> None:
        self.program, self.database = program, database
        self.prover = prover if prover is not None else Prover(program, database)
        self.evaluator = self.prover.evaluator
        self._with_equal: dict[tuple[int, tuple[tuple[int, int], ...]], Clause] = {}

    def ask(self, question: Question, depth: int = DEPTH) -> Answer:
        """Why nothing agrees with `question`, `depth` questions deep.

        Raises:
            ValueError: something does agree with it.
        """
        if any(True for _ in agreeing(question, self.evaluator)):
            raise ValueError(f"{question} holds")
        return self._ask(question, depth, ())

    def _ask(self, question: Question, depth: int, above: tuple[Question, ...]) -> Answer:
        answer = Answer(question)
        if question in above:
            answer.repeated = True
            return answer
        clauses = self.prover.clauses[question.relation]
        if not clauses:
            answer.near = self.near(question)
            return answer
        if depth <= 0:
            answer.cut = True
            return answer
        for clause in clauses:
            failure = self.failure(self._equal(clause, question.equal), question.pattern)
            if failure.missing is not None:
                answer.below[failure] = self._ask(failure.missing, depth - 1, (*above, question))
            answer.failures.append(failure)
        return answer

    def _equal(self, clause: Clause, equal: tuple[tuple[int, int], ...]) -> Clause:
        """`clause` with the condition that these columns of its head are equal."""
        if not equal:
            return clause
        known = self._with_equal.get((clause.number, equal))
        if known is None:
            terms = clause.head.arguments
            conditions = [Comparison("=", terms[i], terms[k], terms[i].position) for i, k in equal]
            known = replace(clause, body=(*clause.body, *conditions))
            self._with_equal[clause.number, equal] = known
        return known

    def failure(self, clause: Clause, pattern: Pattern) -> Failure:
        """The first condition that fails of a clause that derives nothing that agrees with `pattern`."""
        bindings = unify(clause.head, pattern)
        if bindings is None:
            return Failure(clause, None, {}, 0)
        plan = self.evaluator.plan(clause.body, bindings, in_order=True)
        reached = 0
        best = dict(bindings)
        env = dict(bindings)
        stack: list[Iterator[None]] = []
        if plan.steps:
            stack.append(plan.steps[0](env))
        while stack:
            if next(stack[-1], self) is self:
                stack.pop()
                continue
            at = len(stack)
            if at == len(plan.steps):
                raise ValueError(f"{clause.rule.position} derives {pattern}")
            if at > reached:
                reached, best = at, self._bound(plan.literals[:at], bindings, env)
            stack.append(plan.steps[at](env))
        return self._failed(clause, plan.literals[reached], best, reached)

    def _bound(self, literals: Sequence[BodyLiteral], bindings: Bindings, env: Bindings) -> dict[str, Value]:
        """The variables that have values once `literals` are matched."""
        names = {v.name for literal in literals for t in literal_terms(literal) for v in variables(t)}
        return {name: value for name, value in env.items() if name in names or name in bindings}

    def _failed(self, clause: Clause, literal: BodyLiteral, bindings: Mapping[str, Value], reached: int) -> Failure:
        evaluator, body = self.evaluator, clause.body
        try:
            if isinstance(literal, Atom):
                pattern = evaluator.pattern(literal, bindings, body)
                missing = Question(literal.relation, pattern, _repeated(literal, pattern))
                return Failure(clause, literal, bindings, reached, missing=missing)
            if isinstance(literal, Negation):
                pattern = evaluator.pattern(literal.atom, bindings, body)
                found = next(iter(evaluator.having(literal.atom.relation, pattern)))
                proof = self.prover.prove(GroundAtom(literal.atom.relation, found))
                return Failure(clause, literal, bindings, reached, present=proof)
            if isinstance(literal, Comparison):
                sides = (literal.left, literal.right)
                left, right = (evaluator.value(t, bindings, body) for t in sides)
                unequal = Compared(literal.op, left, right)
                return Failure(clause, literal, bindings, reached, unequal=unequal)
        except (KeyError, NoValue):
            pass
        return Failure(clause, literal, bindings, reached)

    def near(self, question: Question) -> list[Tuple]:
        """Tuples that agree with `question` in as many columns as any do, the first of these the same; to
        agree in numbers alone says nothing."""
        bases = self.program.relations[question.relation].bases
        asked = [(i, value) for i, value in enumerate(question.pattern) if value is not None]
        scored: dict[tuple[int, int], list[Tuple]] = {}
        for values in self.database.tuples(question.relation):
            same = [i for i, value in asked if values[i] == value]
            if any(bases[i] == "symbol" for i in same):
                scored.setdefault((-len(same), same[0]), []).append(values)
        return scored[min(scored)][:_NEAR] if scored else []


def agreeing(question: Question, evaluator: Evaluator) -> Iterator[Tuple]:
    """The tuples that agree with `question`."""
    for values in evaluator.having(question.relation, question.pattern):
        if all(values[i] == values[k] for i, k in question.equal):
            yield values


def _repeated(atom: Atom, pattern: Pattern) -> tuple[tuple[int, int], ...]:
    """The pairs of columns in which the same variable stands that has no value yet."""
    first: dict[str, int] = {}
    pairs = []
    for i, (term, value) in enumerate(zip(atom.arguments, pattern, strict=True)):
        if value is None and isinstance(term, Variable):
            if term.name in first:
                pairs.append((first[term.name], i))
            first.setdefault(term.name, i)
    return tuple(pairs)
