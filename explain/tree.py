"""Answers as text: indented trees that tell a shared part once, and the text of a source line once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dealog.engine import Constant, Program, Value, Variable
from dealog.explain.absence import Answer, Failure, Question
from dealog.explain.proof import Aggregated, GroundAtom, Premise, Proof
from dealog.explain.words import Words, where

DEPTH = 20
"""How deep a tree goes unless something else is asked for."""

_RANGED = 8  # of what an aggregate ranges over, this many facts are shown


@dataclass(frozen=True)
class Line:
    """A line of a tree: what draws the branches, what it says, and a remark on that."""

    branches: str
    text: str
    remark: str = ""

    def __str__(self) -> str:
        return f"{self.branches}{self.text}{f'  [{self.remark}]' if self.remark else ''}"


def tree(proof: Proof, program: Program, words: Words, depth: int | None = None) -> Iterator[Line]:
    """The lines of a proof: the goal, and under each fact what it rests on, down to `depth` steps.

    The words of a step are those of its relation, in brackets its relation and the line of the rule; what is
    given has the line of the source in brackets. A fact that was shown before is marked so, without its proof.
    """
    limit = DEPTH if depth is None else depth
    stated = {(fact.relation, fact.values): fact.position for fact in program.facts}
    shown: set[GroundAtom] = set()
    lines: set[str] = set()
    stack: list[tuple[str, str, Premise, int]] = [("", "", proof.goal, 0)]
    while stack:
        branch, inner, premise, level = stack.pop()
        text, below = words.premise(premise), _below(premise, proof)
        remark = ""
        if isinstance(premise, GroundAtom):
            derivation = proof.steps[premise]
            if derivation is not None:
                remark = f"{premise.relation}, {where(derivation.clause.rule.position)}"
                if premise in shown:
                    remark, below = f"{premise.relation}, as shown above", []
            elif premise in stated:
                remark = f"{premise.relation}, {where(stated[premise])}"
            else:
                place = words.place(premise.values)
                remark = f"{premise.relation}, given"
                if place is not None:
                    remark = place.short if str(place) in lines else str(place)
                    lines.add(str(place))
            if level < limit or not below:
                shown.add(premise)
        if below and level >= limit:
            hidden = f"rests on {len(below)} more"
            remark, below = f"{remark}; {hidden}" if remark else hidden, []
        yield Line(branch, text, remark)
        for i, child in enumerate(below):  # pushed backwards: the first comes next
            last = i == 0
            branch, beneath = ("└─ ", "   ") if last else ("├─ ", "│  ")
            stack.append((inner + branch, inner + beneath, child, level + 1))


def _below(premise: Premise, proof: Proof) -> list[Premise]:
    """What a premise rests on, the last first."""
    if isinstance(premise, GroundAtom):
        derivation = proof.steps[premise]
        return [*reversed(derivation.premises)] if derivation is not None else []
    if isinstance(premise, Aggregated):
        return [*reversed(premise.facts[:_RANGED])]
    return []


# -------------------------------------------------------------------------------------------- why not


def absence(answer: Answer, program: Program, words: Words) -> Iterator[Line]:
    """The lines of an answer to "why not": what does not hold, and under it, for each rule that could have
    derived it, the first condition that fails, down to what that comes down to."""
    shown: set[Question] = set()
    yield from _absence(answer, program, words, "", "", shown)


def _absence(
    answer: Answer, program: Program, words: Words, branch: str, inner: str, shown: set[Question]
) -> Iterator[Line]:
    question = answer.question
    asked = words.atom(question.relation, question.pattern, question.equal)
    text = f"not so: {words.fact(question.relation, question.pattern, 'any')}"
    if answer.repeated or (question in shown and answer.failures):
        yield Line(branch, text, f"{asked}, as shown above")
        return
    if answer.cut:
        yield Line(branch, text, f"{asked}; --depth goes deeper")
        return
    shown.add(question)
    yield Line(branch, text, asked)
    items = _items(answer, program, words)
    for i, (line, failure) in enumerate(items):
        own, beneath = ("└─ ", "   ") if i == len(items) - 1 else ("├─ ", "│  ")
        yield Line(inner + own, line.text, line.remark)
        beneath = inner + beneath
        if failure is not None and failure in answer.below:
            below = answer.below[failure]
            yield from _absence(below, program, words, beneath + "└─ ", beneath + "   ", shown)
        elif failure is not None and failure.present is not None:
            for line in tree(failure.present, program, words, _PRESENT):
                own = "   " if line.branches else "└─ "
                yield Line(beneath + own + line.branches, line.text, line.remark)


def _items(answer: Answer, program: Program, words: Words) -> list[tuple[Line, Failure | None]]:
    """What stands under a question: where each rule fails, those that fail alike together; or what is given
    instead."""
    question = answer.question
    if not answer.failures:
        given = program.relations[question.relation].is_input
        lines = [Line("", "the module has no such fact" if given else "no rule and no file says so")]
        for values in answer.near:
            place = words.place(values)
            shown = f"but: {words.fact(question.relation, values)}"
            lines.append(Line("", shown, place.short if place is not None else ""))
        return [(line, None) for line in lines]
    alike: dict[str, list[Failure]] = {}
    for failure in answer.failures:
        alike.setdefault(_failure(failure, question, words), []).append(failure)
    out: list[tuple[Line, Failure | None]] = []
    for text, failures in alike.items():
        if failures[0].literal is None:
            places = list(dict.fromkeys(where(f.clause.rule.position) for f in failures))
            out.append((Line("", text, ", ".join(places)), None))
        else:
            out += [(Line("", text, where(f.clause.rule.position)), f) for f in failures]
    return out


_PRESENT = 2  # how deep it is shown why something holds that must not


def _failure(failure: Failure, question: Question, words: Words) -> str:
    """Where a rule fails."""
    literal, clause = failure.literal, failure.clause
    if literal is None:
        return _clash(failure, question, words)
    bound = {
        v.name
        for v, value in zip(clause.head.arguments, question.pattern, strict=True)
        if isinstance(v, Variable) and value is not None
    }
    found = ", ".join(
        f"{name} = {words.value(value)}"
        for name, value in failure.bindings.items()
        if name not in bound and " " not in name
    )
    found = f" (with {found})" if found else ""
    if failure.missing is not None:
        return f"a rule fails at {literal.position.text}{found}"
    if failure.present is not None:
        return f"a rule fails at {literal.position.text}{found}, as this holds:"
    if failure.unequal is not None:
        shown = words.premise(failure.unequal)
        return f"a rule fails at {literal.position.text}{found}: {shown} is false"
    return f"a rule fails at {literal.position.text}{found}"


def _clash(failure: Failure, question: Question, words: Words) -> str:
    """How the head of a rule differs from what is asked."""
    columns = words.relations[question.relation].columns
    first: dict[str, tuple[str, Value]] = {}
    for column, term, value in zip(columns, failure.clause.head.arguments, question.pattern, strict=True):
        if value is None:
            continue
        if isinstance(term, Constant) and term.value != value:
            return f"a rule derives it only with {words.cell(term.value)} as {column.name}"
        if isinstance(term, Variable):
            other, known = first.setdefault(term.name, (column.name, value))
            if known != value:
                return f"a rule derives it only where {other} and {column.name} are the same"
    raise ValueError(f"{failure.clause.head} can be what is asked")
