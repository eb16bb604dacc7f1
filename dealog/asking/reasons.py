"""Why operations are as they are: each holds the edits that made or changed it, and each edit follows from decisions.

A relation of a pass that decides something is marked in the comment above its declaration::

    // freed_behind(definer, op): `definer` is freed right behind `op`.
    // @decision: `definer` is not used after `op`
    .decl freed_behind(definer: Value, op: Operation)

`dealog why --line` and `--value` report its tuples. The text is for comments on what is inserted because of a tuple; a
column's name in backticks stands for what the user calls the entity in that column. A mark without a text makes no
comment. Which decisions an edit follows from is read off its derivation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dealog.explain.proof import GroundAtom

if TYPE_CHECKING:
    from dealog.asking.stage import Stage
    from dealog.engine import Program
    from dealog.engine import Value as Cell
    from dealog.frontend.ir import Operation, Reason

_COLUMN = re.compile(r"`(\w+)`")
_STEPS = 3  # from an edit to what it follows from, so many at most
_SHOWN = 2  # decisions in a comment


def decisions_of(program: Program) -> Mapping[str, str]:
    """The relations of `program` that are marked as decisions, with the text of the mark, which may be empty."""
    found = {}
    for name, relation in program.relations.items():
        if "@decision" in relation.doc:
            for mark in relation.annotations:
                if mark.name == "decision":
                    found[name] = " ".join(mark.text.lstrip(": ").split())
    return found


class Reasons:
    """Puts what follows from the rules of one stage into words, for comments."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.decisions = decisions_of(stage.program)
        self._texts: dict[GroundAtom, str] = {}

    def comment(self, op: Operation) -> str | None:
        """Why `op` was inserted, where a decision with a text was behind that; `decided` tells which there are."""
        texts: dict[str, None] = {}
        for reason in op.reasons:
            for decision in self.decided(reason):
                if (text := self.decisions[decision.relation]) and len(texts) < _SHOWN:
                    texts[self._said(decision, text)] = None
        return ", and ".join(texts) or None

    def decided(self, reason: Reason) -> Iterator[GroundAtom]:
        """The nearest decisions that an edit of this stage follows from, by one derivation of each step."""
        if reason[0] not in self.stage.program.relations:
            return
        open_: Sequence[GroundAtom] = [GroundAtom(*reason)]
        seen = set(open_)
        for _ in range(_STEPS):
            following: list[GroundAtom] = []
            for fact in open_:
                if not self.stage.database.holds(*fact):
                    continue
                derivations = self.stage.prover.derivations(fact)
                for needed in derivations[0].needed if derivations else ():
                    if needed in seen:
                        continue
                    seen.add(needed)
                    if needed.relation in self.decisions:
                        yield needed
                    else:
                        following.append(needed)
            open_ = following

    def _said(self, decision: GroundAtom, text: str) -> str:
        known = self._texts.get(decision)
        if known is None:
            columns = self.stage.program.relations[decision.relation].columns
            values = {column.name: value for column, value in zip(columns, decision.values, strict=True)}
            known = _COLUMN.sub(lambda match: self._called(values[match[1]]), text)
            self._texts[decision] = known
        return known

    def _called(self, value: Cell) -> str:
        """What the user calls `value`; of an operation, where it stands, too."""
        facts, name = self.stage.facts, str(value)
        if name in facts.values:
            return facts.values[name].name
        if name in facts.operations:
            return self._placed(facts.operations[name])
        if name in facts.blocks:
            block = facts.blocks[name]
            parent = block.parent_op
            return block.label or f"region {parent.regions.index(block.region)} of {self._placed(parent)}"
        return name

    def _placed(self, op: Operation) -> str:
        return f"{op.name} in line {self.stage.module.source.position(op.offset)[0]}" if op.offset >= 0 else op.name
