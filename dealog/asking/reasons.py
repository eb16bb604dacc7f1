"""Why operations are as they are: each holds the edits that made or changed it, and each edit follows from decisions.

A relation of a pass that decides something is marked in the comment above its declaration::

    // freed_after(definer, op): `definer` is freed right after `op`.
    // @decision: `definer` is not used after `op`
    .decl freed_after(definer: Value, op: Operation)

`dealog why --line` and `--value` report its tuples. The text is for comments on what is inserted because of a tuple; a
column's name in backticks stands for what the user calls the entity in that column. A mark without a text makes no
comment. Which decisions an edit follows from is read off its derivation. A pass without marks decides by its edits.

What a pass makes in place of an operation that an earlier pass made (`Operation.ancestor`) rests on the decisions
after that one, too. Of all these, decisions about other buffers than the edit names are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dealog.explain.proof import GroundAtom
from dealog.extensions import relation_names, same_buffer_edits
from dealog.frontend import Block, Operation, Value, is_memref

if TYPE_CHECKING:
    from dealog.asking.stage import Stage
    from dealog.engine import Program
    from dealog.engine import Value as Cell
    from dealog.frontend import Module
    from dealog.frontend.ir import Reason

Entity: TypeAlias = "Operation | Block | Value"

_COLUMN = re.compile(r"`(\w+)`")
_SHOWN = 2  # decisions in a comment
_MANY = 8  # decisions of one relation that an edit follows from


def decisions_of(program: Program) -> Mapping[str, str]:
    """The relations that are marked as decisions and lead to an output of `program`, with the text of the mark."""
    found = {}
    needed = program.needed_for(relation.name for relation in program.outputs)
    for name, relation in program.relations.items():
        if "@decision" in relation.doc and name in needed:
            for mark in relation.annotations:
                if mark.name == "decision":
                    found[name] = " ".join(mark.text.lstrip(": ").split())
    return found


def origin(value: Value) -> Value:
    """The buffer that `value`, a base buffer, a cast or a pointer that passes made, was made of."""
    passed = set()  # where control never comes, values may be made of each other in a circle
    owner = value.owner
    followed = same_buffer_edits()
    while isinstance(owner, Operation) and value not in passed and any(r in followed for r, _ in owner.reasons):
        passed.add(value)
        value = owner.operands[0]
        owner = value.owner
    return value


def entity(stage: Stage, identifier: object) -> Entity | None:
    """What is called `identifier` at `stage`."""
    if not isinstance(identifier, str):
        return None
    facts = stage.facts
    found = facts.values.get(identifier) or facts.operations.get(identifier) or facts.blocks.get(identifier)
    return found or facts.functions.get(identifier)


def _buffers(stage: Stage, fact: GroundAtom) -> set[Value]:
    """The buffers that a decision names."""
    named = (entity(stage, value) for value in fact.values)
    return {origin(value) for value in named if isinstance(value, Value) and is_memref(value.type)}


class Derivations:
    """The decisions of one stage that its edits follow from."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.texts = stage.marks
        self._edits = frozenset(relation_names("edits"))
        self._leading: dict[str, bool] = {}
        self._made_of: dict[Cell, Cell] | None = None
        self._known: dict[Reason, tuple[GroundAtom, ...]] = {}

    def behind(self, edit: Reason) -> tuple[GroundAtom, ...]:
        """The nearest decisions that `edit` follows from, by one derivation of each step; `edit` itself where there are
        none. It has to be an edit of this stage."""
        known = self._known.get(edit)
        if known is None:
            found = tuple(self._about(edit, self._nearest(GroundAtom(*edit))))
            known = self._known[edit] = found or (GroundAtom(*edit),)
        return known

    def _nearest(self, edit: GroundAtom) -> Iterator[GroundAtom]:
        open_: Sequence[GroundAtom] = [edit]
        seen = set(open_)
        counted: Counter[str] = Counter()
        database, prover = self.stage.database, self.stage.prover
        while open_:
            following: list[GroundAtom] = []
            for fact in open_:
                if not database.holds(*fact):
                    continue
                derivations = prover.derivations(fact)
                for needed in derivations[0].needed if derivations else ():
                    if needed in seen:
                        continue
                    seen.add(needed)
                    if needed.relation in self.texts:
                        counted[needed.relation] += 1
                        if counted[needed.relation] <= _MANY:
                            yield needed
                    elif self._leads(needed.relation):
                        following.append(needed)
            open_ = following

    def _leads(self, relation: str) -> bool:
        """Whether `relation` is derived from decisions."""
        known = self._leading.get(relation)
        if known is None:
            needed = self.stage.program.needed_for([relation])
            known = self._leading[relation] = any(name in needed for name in self.texts)
        return known

    def _about(self, edit: Reason, found: Iterable[GroundAtom]) -> Iterator[GroundAtom]:
        """Those of `found` that are about the buffers that `edit` names, or about none."""
        named = self.buffers(edit)
        for fact in found:
            about = _buffers(self.stage, fact)
            if not named or not about or about & named:
                yield fact

    def buffers(self, edit: Reason) -> set[Value]:
        """The buffers that `edit` names, by themselves or by what it makes of them."""
        if self._made_of is None:
            rows = (row for name in same_buffer_edits() for row in self.stage.database.tuples(name))
            self._made_of = {row[0]: row[1] for row in rows}
        found = set()
        for cell in edit[1]:
            passed: set[Cell] = set()
            while cell in self._made_of and cell not in passed:
                passed.add(cell)
                cell = self._made_of[cell]
            value = entity(self.stage, cell)
            if isinstance(value, Value) and is_memref(value.type):
                found.add(origin(value))
        return found

    def on_values(self, identifiers: Iterable[str]) -> list[GroundAtom]:
        """The decisions behind the edits that name one of the values `identifiers`."""
        wanted = set(identifiers)
        found: dict[GroundAtom, None] = {}
        for relation in self.stage.program.outputs:
            if relation.name in self._edits:
                for row in self.stage.database.tuples(relation.name):
                    if not wanted.isdisjoint(row):
                        found.update(dict.fromkeys(self.behind((relation.name, row))))
        return [fact for fact in found if fact.relation in self.texts]


@dataclass(frozen=True, eq=False)
class Decision:
    """A tuple by which a pass decides; `number` counts those of a run.

    `entities` are the operations, blocks and values that it names, `buffers` those among them that are buffers (a base
    buffer stands for what it was extracted from); `carrying` says that it only tells how another is carried out.
    """

    number: int
    stage: Stage
    fact: GroundAtom
    carrying: bool
    text: str
    buffers: frozenset[Value]
    entities: frozenset[Entity]


class Reasons:
    """The decisions of a run, and those that each operation rests on which a pass made or changed (`of`)."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.decisions: list[Decision] = []
        self.of: dict[Operation, list[Decision]] = {}
        self._by_fact: dict[GroundAtom, Decision] = {}  # of the pass at hand
        self._seen: Counter[Operation] = Counter()  # how many edits of each operation are known

    def follow(self, stages: Iterable[Stage], every: bool = False) -> Iterator[Stage]:
        """Each of `stages`, before its pass runs; what the passes before it did is known here by then. With `every`,
        `decisions` has all of the stage already, also those that lead to nothing."""
        before: Stage | None = None
        for stage in stages:
            if before is not None:
                self.learn(before)
            self.enter(stage, every)
            yield stage
            before = stage
        if before is not None:
            self.learn(before)

    def enter(self, stage: Stage, every: bool = False) -> None:
        """The pass of `stage` is the next."""
        self._by_fact = {}
        if stage.idle:
            return
        stage.require([relation.name for relation in stage.deciding])
        for relation in stage.deciding if every else ():
            for row in stage.database.tuples(relation.name):
                self._decision(stage, GroundAtom(relation.name, row))

    def learn(self, stage: Stage) -> None:
        """The pass of `stage` has run: find out what the operations rest on that it made or changed."""
        if stage.idle:
            return
        derivations = Derivations(stage)
        for op in self.module.walk():
            known = self._seen[op]
            if len(op.reasons) > known:
                self._seen[op] = len(op.reasons)
                self._attribute(op, dict.fromkeys(op.reasons[known:]), derivations)

    def _decision(self, stage: Stage, fact: GroundAtom) -> Decision:
        known = self._by_fact.get(fact)
        if known is None:
            entities = frozenset(e for v in fact.values if (e := entity(stage, v)) is not None)
            text = self._said(stage, fact) if not stage.carries_out(fact.relation) else ""
            known = self._by_fact[fact] = Decision(
                len(self.decisions), stage, fact, stage.carries_out(fact.relation), text,
                frozenset(_buffers(stage, fact)), entities,
            )  # fmt: skip
            self.decisions.append(known)
        return known

    def _attribute(self, op: Operation, edits: Iterable[Reason], derivations: Derivations) -> None:
        """Let `op` rest on the decisions behind `edits`, and on those behind the operation in whose place it is."""
        stage = derivations.stage
        found: dict[Decision, None] = {}
        if op.ancestor is not None and op not in self.of:
            named = {buffer for edit in edits for buffer in derivations.buffers(edit)}
            inherited = self.of.get(op.ancestor, ())
            about = any(decision.buffers & named for decision in inherited)
            found.update((d, None) for d in inherited if not about or not d.buffers or d.buffers & named)
        for edit in edits:
            found.update((self._decision(stage, fact), None) for fact in derivations.behind(edit))
        self.of[op] = list(dict.fromkeys([*self.of.get(op, ()), *found]))

    # ---- words

    def comment(self, op: Operation) -> str | None:
        """Why `op` was inserted, by the first pass that has a text for that."""
        texts: dict[str, None] = {}
        by: Stage | None = None
        for decision in self.of.get(op, ()):
            if decision.text and by in (None, decision.stage):
                by = decision.stage
                texts[decision.text] = None
        shown = list(texts)[:_SHOWN]
        if len(texts) > _SHOWN:
            shown.append(f"{len(texts) - _SHOWN} more")
        return ", and ".join(shown) or None

    def _said(self, stage: Stage, fact: GroundAtom) -> str:
        text = stage.marks.get(fact.relation, "")
        columns = stage.program.relations[fact.relation].columns
        values = {column.name: value for column, value in zip(columns, fact.values, strict=True)}
        return _COLUMN.sub(lambda match: _called(stage, values[match[1]]), text)


def _called(stage: Stage, value: Cell) -> str:
    """What the user calls `value`; of an operation, where it stands, too."""
    facts, name = stage.facts, str(value)
    if name in facts.values:
        return facts.values[name].name
    if name in facts.operations:
        return _placed(stage, facts.operations[name])
    if name in facts.blocks:
        block = facts.blocks[name]
        parent = block.parent_op
        if block.label:
            return block.label
        for function, op in facts.functions.items():
            if op is parent:
                return function if len(block.region.blocks) == 1 else f"the entry block of {function}"
        which = "the region" if len(parent.regions) == 1 else f"region {block.region.index}"
        return f"{which} of {_placed(stage, parent)}"
    return name


def _placed(stage: Stage, op: Operation) -> str:
    return f"{op.name} in line {stage.module.source.position(op.offset)[0]}" if op.offset >= 0 else op.name
