"""What each pass of a pipeline did to the module, to be compared with the edits that the operations hold.

What a pass did is found without asking it: the module is looked at before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from dealog.asking.reasons import Entity, Reasons
from dealog.asking.stage import Stage, stages
from dealog.diagnostics import DealogError
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend import Block, Module, Operation, Value
from dealog.frontend.ir import Reason
from dealog.pipeline import Engine, Step

_EMBEDDED = Engine("embedded")


@dataclass(frozen=True)
class Change:
    """What a pass did to the operation `op`: it was inserted, removed, moved to another block or renamed; or an
    operand, a result or an argument of a block in it was added, dropped or replaced; or the operations of a block in it
    were reordered; or, of a function, the type was changed.

    `about` is what was changed, with what that was part of; `edits` are those that the pass made `op` hold.
    """

    kind: str
    op: Operation
    about: tuple[Entity, ...]
    edits: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.op.name} at {self.op.offset}"


@dataclass(frozen=True, eq=False)
class Done:
    """A pass that has run: the stage before it, and what it did; `refused` where it did not run."""

    stage: Stage
    changes: tuple[Change, ...]
    refused: bool = False


class Passes:
    """Runs `steps` on `module`: each pass that has run comes while the relations of its stage are at hand.
    `reasons` says what the operations rest on that were made or changed so far."""

    def __init__(
        self, module: Module, steps: Sequence[Step], extensions: Extensions = NO_EXTENSIONS, engine: Engine = _EMBEDDED
    ) -> None:
        self.module = module
        self.reasons = Reasons(module)
        self._stages = stages(module, steps, engine, extensions)

    def __iter__(self) -> Iterator[Done]:
        stage = next(self._stages, None)
        while stage is not None:
            self.reasons.enter(stage)
            before = _Snapshot(self.module)
            try:
                following = next(self._stages, None)
            except DealogError:
                yield Done(stage, (), refused=True)
                return
            self.reasons.learn(stage)
            found = _changes(before, _Snapshot(self.module))
            yield Done(stage, tuple(replace(change, edits=tuple(before.edits(change))) for change in found))
            stage = following


class _Snapshot:
    """What can change about the operations of a module, as it is now."""

    def __init__(self, module: Module) -> None:
        self.operands: dict[Operation, list[Value]] = {}
        self.results: dict[Operation, list[Value]] = {}
        self.arguments: dict[Operation, dict[Block, list[Value]]] = {}
        self.blocks: dict[Operation, Block | None] = {}
        self.types: dict[Operation, str | None] = {}
        self.owners: dict[Value, Operation | Block] = {}
        self.names: dict[Operation, str] = {}
        self.held: dict[Operation, int] = {}
        self.order: dict[Block, list[Operation]] = {}
        for op in module.walk():
            self.operands[op], self.results[op] = list(op.operands), list(op.results)
            self.blocks[op], self.names[op], self.held[op] = op.block, op.name, len(op.reasons)
            self.types[op] = op.attributes.get("function_type") if op.name == "func.func" else None
            self.order.update((b, list(b.operations)) for r in op.regions for b in r.blocks)
            self.arguments[op] = {b: list(b.arguments) for r in op.regions for b in r.blocks}
            self.owners.update((value, op) for value in op.results)
            self.owners.update((value, b) for b, values in self.arguments[op].items() for value in values)

    def edits(self, change: Change) -> Iterator[Reason]:
        """The edits that the operation of `change` holds by now, or where a block was reordered, those in it."""
        block = change.about[0]
        ops = block.operations if change.kind == "reordered" and isinstance(block, Block) else [change.op]
        return (edit for op in ops for edit in op.reasons[self.held.get(op, 0) :])


def _changes(before: _Snapshot, after: _Snapshot) -> Iterator[Change]:
    """What was done to the operations from one look to the next."""
    for op, block in before.blocks.items():
        around = () if block is None else (block.parent_op,)
        if op not in after.operands:
            yield Change("removed", op, (op, *around))
            continue
        yield from _operands(op, before, after)
        yield from _listed("result", op, op, before.results[op], after.results[op])
        for b, arguments in after.arguments[op].items():
            yield from _listed("argument", op, b, before.arguments[op].get(b, []), arguments)
        if before.types[op] != after.types[op]:
            yield Change("type grown", op, (op, *(b for b in after.arguments[op])))
        if before.names[op] != after.names[op]:
            yield Change("renamed", op, (op,))
        if block is not after.blocks[op]:
            yield Change("moved", op, (op, *around))
    for block, operations in after.order.items():
        stayed = [op for op in before.order.get(block, ()) if after.blocks.get(op) is block]
        if stayed != [op for op in operations if before.blocks.get(op) is block]:
            yield Change("reordered", block.parent_op, (block,))
    yield from (Change("inserted", op, (op,)) for op in after.operands if op not in before.operands)


def _operands(op: Operation, before: _Snapshot, after: _Snapshot) -> Iterator[Change]:
    """How the operands have changed; of those that stand in the place of others, the first took their places."""
    old, new = before.operands[op], after.operands[op]
    if old == new:
        return
    matched = SequenceMatcher(None, [id(v) for v in old], [id(v) for v in new], autojunk=False)
    for _, start, end, first, last in (code for code in matched.get_opcodes() if code[0] != "equal"):
        replaced = min(end - start, last - first)
        for value in old[start : start + replaced]:
            yield Change("operand replaced", op, (op, value, before.owners[value]))
        yield from (Change("operand dropped", op, (op,)) for _ in old[start + replaced : end])
        yield from (Change("operand added", op, (op,)) for _ in new[first + replaced : last])


def _listed(
    what: str, op: Operation, owner: Operation | Block, before: Iterable[Value], after: Iterable[Value]
) -> Iterator[Change]:
    old, new = set(before), set(after)
    yield from (Change(f"{what} added", op, (owner,)) for value in after if value not in old)
    yield from (Change(f"{what} dropped", op, (value, owner)) for value in before if value not in new)
