"""What an inserted operation rests on: the decisions of the passes that led to it.

A decision is a tuple of an output relation of a pass. An operation that a pass made in place of another
(`Operation.ancestor`) rests on what was decided about that one, and, if that was inserted itself, on what it
rests on; of these, those about other buffers than its own are left out. What the ownership-based deallocation
and the folding make out of nothing rests on what they decided about the place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dealog.asking.reasons import decisions_of
from dealog.asking.stage import Stage
from dealog.explain.proof import GroundAtom
from dealog.extensions import relation_names
from dealog.frontend import Block, Module, Operation, Value, is_memref
from dealog.frontend.ir import Reason
from dealog.rewriter.build import memref_count

Entity: TypeAlias = "Operation | Block | Value"

VIEWS = (
    "memref.extract_strided_metadata",
    "memref.reinterpret_cast",
    "memref.cast",
    "memref.extract_aligned_pointer_as_index",
)
_DEALLOC = "bufferization.dealloc"
_MADE_FOR = {
    _DEALLOC: ("freed_if", "retained", "edge_condition", "cloned"),
    "memref.extract_strided_metadata": ("freed_if", "cloned"),
    "memref.reinterpret_cast": ("freed_if", "cloned"),
    "arith.xori": ("edge_condition", "must_not_own"),
    "arith.andi": ("edge_condition", "freed_if"),
    "arith.select": ("ends_with_choice", "selected", "cloned"),
    "cf.assert": ("must_not_own",),
    "scf.if": ("cloned", "selected"),
    "scf.yield": ("cloned", "selected"),
    "bufferization.clone": ("cloned", "selected"),
}
"""For what the ownership-based deallocation makes: the relations that it is made by, about its block, the
operation that it stands in front of, or its operands."""
_CONSTANT_WANTED = ("made_before", "made_at_start", "made_behind", "made_late", "makes_constant", "wants_constant")
_HANDING = ("grows_entry", "passes_ownership")
_MANY = 8  # decisions of one kind about a constant


@dataclass(frozen=True, eq=False)
class Decision:
    """A tuple of an output relation; `number` counts those of a run.

    `buffers` are those that it is about (a base buffer stands for what it was extracted from), `entities` all
    operations, blocks and values that it names, `carrying` says that it only tells how another is carried out.
    """

    number: int
    stage: Stage
    fact: GroundAtom
    carrying: bool
    buffers: frozenset[Value]
    entities: frozenset[Entity]


def origin(value: Value) -> Value:
    """The buffer that `value`, a base buffer, a cast or a pointer that passes made, was made of."""
    passed = set()  # where control never comes, values may be made of each other in a circle
    owner = value.owner
    while isinstance(owner, Operation) and owner.inserted and owner.name in VIEWS and value not in passed:
        passed.add(value)
        value = owner.operands[0]
        owner = value.owner
    return value


class Provenance:
    """The decisions of a run, and those that each inserted operation rests on (`of`).

    Of the stages of a run, each is to be given to `decide` before its pass runs, and to `attribute` after.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.decisions: list[Decision] = []
        self.of: dict[Operation, list[Decision]] = {}
        self._here: list[Decision] = []
        self._by_fact: dict[Reason, Decision] = {}  # of the pass at hand
        self._edits = frozenset(relation_names("edits"))
        self._decides = False  # whether it decides anything but edits, which is not marked
        self._about: dict[Entity | str, list[Decision]] = {}
        self._anchors: dict[Block, dict[Operation, Operation | None]] = {}
        self._negating: dict[Operation | Block, list[Decision]] = {}  # by what defines the value that is replaced
        self._there: set[Operation | Block] = set()  # before the pass

    # ---- decisions

    def decide(self, stage: Stage) -> None:
        """Take down what the pass of `stage` decided."""
        self._here, self._by_fact = [], {}
        marked = bool(decisions_of(stage.program))
        self._decides = not marked and any(stage.carries_out(relation.name) for relation in stage.program.outputs)
        self._about = defaultdict(list)
        self._negating = defaultdict(list)
        if stage.idle:
            return
        stage.require([relation.name for relation in stage.deciding])
        for relation in stage.deciding:
            columns = [column.name for column in relation.columns]
            for values in stage.database.tuples(relation.name):
                entities = [e for v in values if (e := entity(stage, v)) is not None]
                decision = Decision(
                    len(self.decisions),
                    stage,
                    GroundAtom(relation.name, values),
                    stage.carries_out(relation.name),
                    frozenset(_buffers(stage, columns, values, entities)),
                    frozenset(entities),
                )
                self.decisions.append(decision)
                self._here.append(decision)
                self._by_fact[relation.name, values] = decision
                if relation.name == "negated":
                    self._negating[stage.facts.values[str(values[0])].owner].append(decision)
                if decision.carrying and relation.name in self._edits:
                    continue  # what they carry out is told
                for each in dict.fromkeys([*entities, *(str(v) for v in values if isinstance(v, str))]):
                    self._about[each].append(decision)

    # ---- what they led to

    def attribute(self, stage: Stage) -> None:
        """Find out what the operations rest on that the pass of `stage` has made, and those that it changed."""
        if stage.idle:
            return
        self._change(stage)
        self._anchors = {}
        self._there = {*stage.facts.operations.values(), *stage.facts.blocks.values()}
        known = set(self.of)
        constants = []
        for op in self.module.walk():
            if op.inserted and op not in known:
                self.of[op] = self._reasons(op, stage)
                if not self.of[op] and op.name == "arith.constant":
                    constants.append(op)
        if constants:
            self._wanted(constants)

    def _change(self, stage: Stage) -> None:
        """Operations that were there, and of whose operands something was decided."""
        for decision in self._here:
            values = [e for e in decision.entities if isinstance(e, Value)]
            if decision.fact.relation == "used_constant":
                for value in values:
                    if isinstance(value.owner, Operation):
                        self._add(value.owner, decision)
            elif decision.fact.relation in _REPLACED:
                value_name = decision.fact.values[_REPLACED[decision.fact.relation]]
                for op, _, _ in stage.database.lookup("operand", (2,), [value_name]):
                    self._add(stage.facts.operations[str(op)], decision)

    def _add(self, op: Operation, decision: Decision) -> None:
        rests_on = self.of.get(op)
        if rests_on is not None and decision not in rests_on:
            rests_on.append(decision)

    def _reasons(self, op: Operation, stage: Stage) -> list[Decision]:
        if op.reasons and not self._decides:  # the edits that made it are all that was decided
            return [self._by_fact[reason] for reason in dict.fromkeys(op.reasons)]
        parent = op.parent
        if op.ancestor is not None:
            found = [*self.of.get(op.ancestor, ()), *self._about.get(op.ancestor, ())]
            return _narrowed([*found, *self._negating.get(op.ancestor, ())], op)
        if op.name == "func.func":
            name = op.attributes["sym_name"].strip('"')
            found = [d for d in self._about.get(name, ()) if d.fact.relation == "helper_function"]
            return found + [d for d in self._here if d.fact.relation == "needs_helper" and d.entities & _around(op)]
        inherits = op.name not in _MADE_FOR or _is_in_helper(parent)
        if inherits and parent is not None and parent.inserted and parent not in self._there:
            return list(self.of[parent])
        if op.name == "arith.constant":
            return self._constant(op, stage)
        return self._made_here(op, stage)

    def _made_here(self, op: Operation, stage: Stage) -> list[Decision]:
        """What was decided about the place of `op`, as far as it can have led to it."""
        block, anchor = self._place(op)
        wanted = _MADE_FOR.get(op.name, ())
        places: list[Entity] = [e for e in (block, anchor) if e is not None]
        if block is not None and anchor is not None and anchor is not block.operations[-1]:
            places.remove(block)  # what stands amid a block is there for what follows
        found = dict.fromkeys(d for place in places for d in self._about.get(place, ()))
        for operand in op.operands:  # what a function returns may be told by its choice alone
            for decision in self._about.get(operand, ()):
                if decision.fact.relation == "selected" and any(_block_of(e) is block for e in decision.entities):
                    found[decision] = None
        fitting = [d for d in found if d.fact.relation in wanted]
        edge = _edge(op)
        fitting = [d for d in fitting if d.fact.relation not in _BY_EDGE or edge in (None, d.fact.values[1])]
        if op.name == "arith.xori":  # what negates a condition is there for the edge on which it does not hold
            fitting = [d for d in fitting if d.fact.relation != "edge_condition" or not d.fact.values[3]] or fitting
        return _narrowed(fitting or list(found), op)

    def _place(self, op: Operation) -> tuple[Block | None, Operation | None]:
        """The block around `op` that was there before the pass, and the operation that was there and that `op`
        stands before."""
        block = op.block
        while block is not None and block not in self._there and block.parent_op.block is not None:
            op, block = block.parent_op, block.parent_op.block
        if block is None:
            return None, None
        if block not in self._anchors:
            anchors = self._anchors[block] = {}
            anchor = None
            for each in reversed(block.operations):
                anchors[each] = anchor
                anchor = each if each in self._there else anchor
        return block, self._anchors[block][op]

    def _constant(self, op: Operation, stage: Stage) -> list[Decision]:
        """A constant is made once for all that want it: some of what wants it."""
        text = op.attributes.get("value", "")
        function = op.parent
        while function is not None and function not in stage.facts.functions.values():
            function = function.parent
        found: dict[str, list[Decision]] = defaultdict(list)
        for decision in self._about.get(text, ()):
            if decision.fact.relation in _CONSTANT_WANTED and function in set(_functions(decision)):
                found[decision.fact.relation].append(decision)
        return [d for name in _CONSTANT_WANTED for d in found[name][:_MANY]]

    def _wanted(self, constants: Collection[Operation]) -> None:
        """Let constants for which the rules want no place rest on what the operations rest on that use them, and on
        what these pass on."""
        values = {op.results[0]: op for op in constants}
        for op in self.module.walk():
            for operand in dict.fromkeys(op.operands):
                if operand in values:
                    handing = [d for d in self._about.get(op, ()) if d.fact.relation in _HANDING]
                    of = self.of[values[operand]]
                    of += [d for d in (*handing, *self.of.get(op, ())) if d not in of][: _MANY - len(of)]


_BY_EDGE = ("retained", "edge_condition")
_REPLACED = {"becomes": 0, "negated": 0, "wants_constant": 2}
"""The column of what is replaced."""


def entity(stage: Stage, identifier: object) -> Entity | None:
    """What is called `identifier` at `stage`."""
    if not isinstance(identifier, str):
        return None
    facts = stage.facts
    found = facts.values.get(identifier) or facts.operations.get(identifier) or facts.blocks.get(identifier)
    return found or facts.functions.get(identifier)


def _buffers(
    stage: Stage, columns: Collection[str], values: tuple[str | int, ...], entities: Iterable[Entity]
) -> Iterator[Value]:
    """The buffers that a tuple is about; a number in the lists of a deallocation stands for its buffer there."""
    numbers = dict(zip(columns, values, strict=True))
    if "index" in numbers and isinstance(entity(stage, values[0]), Operation):
        row = stage.database.lookup("dealloc_memref", (0, 1), (values[0], numbers["index"]))
        for _, _, value in row:
            yield origin(stage.facts.values[str(value)])
            return
    for each in entities:
        if isinstance(each, Value) and is_memref(each.type):
            yield origin(each)


def _narrowed(decisions: Iterable[Decision], op: Operation) -> list[Decision]:
    """Of `decisions`, those about the buffers of `op` and those about no buffer; all, where none is about them."""
    found = list(dict.fromkeys(decisions))
    freed, touched = _touched(op)
    about = [d for d in found if d.buffers & (touched if d.fact.relation == "retained" else freed)]
    if not about:
        return found
    kept = set(about)
    return [d for d in found if d in kept or not d.buffers]


def _touched(op: Operation) -> tuple[set[Value], set[Value]]:
    """The buffers that `op` works on, as far as they may be freed, and all of them."""
    every = {origin(v) for v in op.operands}
    if op.name == _DEALLOC:
        count = memref_count(op)
        return {origin(v) for v in op.operands[:count]}, every
    if op.regions:
        every |= {origin(v) for inner in op.walk() for v in inner.operands}
    for result in op.results:
        if result.type == "i1":
            every |= set(_conditioned(result))
    return every, every


def _conditioned(condition: Value) -> Iterator[Value]:
    """What the deallocations behind it in its block free on `condition`."""
    owner = condition.owner
    block = owner.block if isinstance(owner, Operation) else owner
    for op in block.operations if block is not None else ():
        if op.name == _DEALLOC and condition in op.operands:
            count = memref_count(op)
            for i in range(count):
                if op.operands[count + i] is condition:
                    yield origin(op.operands[i])


def _edge(op: Operation) -> int | None:
    """For a deallocation, the number of the successor that it is made for: a block gets one for each, in order."""
    if op.name != _DEALLOC or op.block is None:
        return None
    made = [o for o in op.block.operations if o.name == _DEALLOC and o.inserted and o.ancestor is None]
    return made.index(op) if op in made else None


def _block_of(entity: Entity) -> Block | None:
    """The block in which a buffer is defined."""
    if not isinstance(entity, Value) or "memref" not in entity.type:
        return None
    return entity.owner if isinstance(entity.owner, Block) else entity.owner.block


def _is_in_helper(op: Operation | None) -> bool:
    """Whether `op` is, or belongs to, a function that was made."""
    while op is not None:
        if op.inserted and op.name == "func.func":
            return True
        op = op.parent
    return False


def _around(op: Operation) -> set[Entity]:
    found: set[Entity] = set()
    while op.parent is not None:
        op = op.parent
        found.add(op)
    return found


def _functions(decision: Decision) -> Iterator[Operation]:
    """The functions that a decision is about something in."""
    functions = decision.stage.facts.functions
    known = set(functions.values())
    for each in decision.entities:
        op = each.owner if isinstance(each, Value) else each
        at: Operation | None = op.parent_op if isinstance(op, Block) else op
        while at is not None:
            if at in known:
                yield at
            at = at.parent
