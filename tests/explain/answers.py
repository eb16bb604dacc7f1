"""Looks again at what :mod:`dealog.explain.absence` answers, with another way of matching than its search."""

from __future__ import annotations

from collections.abc import Iterator

from dealog.engine import Program
from dealog.explain.absence import Answer, Failure, Inquirer, Question, agreeing
from dealog.explain.database import Database
from dealog.explain.evaluate import holds, named, unify


def faults(answer: Answer, program: Program, database: Database) -> Iterator[str]:
    """What is wrong with `answer`; nothing, if of each clause the conditions before the failing one can be met, and
    with it they cannot."""
    yield from _answer_faults(answer, Inquirer(program, database))


def _answer_faults(answer: Answer, inquirer: Inquirer) -> Iterator[str]:
    evaluator, question = inquirer.evaluator, answer.question
    if any(True for _ in agreeing(question, evaluator)):
        yield f"{question} holds"
    clauses = inquirer.prover.clauses[question.relation]
    if not answer.repeated and not answer.cut and len(answer.failures) != len(clauses):
        yield f"{question} has {len(clauses)} clauses, not {len(answer.failures)}"
    for failed in answer.failures:
        yield from _failure_faults(failed, question, inquirer)
    for below in answer.below.values():
        yield from _answer_faults(below, inquirer)


def _failure_faults(failed: Failure, question: Question, inquirer: Inquirer) -> Iterator[str]:
    evaluator, body = inquirer.evaluator, failed.clause.body
    bindings = unify(failed.clause.head, question.pattern)
    if (failed.literal is None) != (bindings is None):
        yield f"{question}: the head of {failed.clause.rule.position} was misread"
    if bindings is None or failed.literal is None:
        return
    plan = evaluator.plan(body, bindings, in_order=True)
    before = plan.literals[: failed.satisfied]
    if plan.literals[failed.satisfied] is not failed.literal:
        yield f"{question}: {failed.literal} is not the condition number {failed.satisfied}"
    for literal in before:
        if not holds(evaluator, literal, failed.bindings, body):
            yield f"{question}: {literal.position.text} does not hold"
    through = named((*before, failed.literal), "again")
    if any(True for _ in evaluator.matches(through, bindings)):
        yield f"{question}: {failed.literal.position.text} does not fail"
