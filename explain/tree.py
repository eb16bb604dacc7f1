"""Proofs as text: an indented tree that tells a shared part once, and the text of a source line once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dealog.engine import Program
from dealog.explain.proof import Aggregated, GroundAtom, Premise, Proof
from dealog.explain.words import Words, where

DEPTH = 20
"""How deep a tree goes unless something else is asked for."""

_RANGED = 8  # of what an aggregate ranges over, so many facts are shown


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
    given has the line of the source in brackets. A fact that was told before is marked so and not told again.
    """
    limit = DEPTH if depth is None else depth
    stated = {(fact.relation, fact.values): fact.position for fact in program.facts}
    told: set[GroundAtom] = set()
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
                if premise in told:
                    remark, below = f"{premise.relation}, as shown above", []
            elif premise in stated:
                remark = f"{premise.relation}, {where(stated[premise])}"
            else:
                place = words.place(premise.values)
                remark = f"{premise.relation}, given"
                if place is not None:
                    remark = place.short if str(place) in lines else str(place)
                    lines.add(str(place))
            told.add(premise)
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
