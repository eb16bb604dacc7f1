"""Replacing operations by others: what the lowering passes share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dealog.frontend import Module, edits
from dealog.frontend.ir import Block, Operation, Value

from .build import Builder

Relations = Mapping[str, Sequence[tuple[str | int, ...]]]


class Replacing:
    """Collects what operations of `module` are replaced by; nothing changes until `finish`."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.replacements: dict[Block, dict[Operation, Sequence[Operation]]] = defaultdict(dict)
        self.values: dict[Value, Value] = {}
        self.constants: dict[tuple[Block, str], Value] = {}  # by block and text

    def replace(self, op: Operation) -> Sequel:
        """Replace `op` by the operations that are put into the sequel. Of the operations of one block, those
        that come first are to be replaced first: they share constants."""
        sequel = Sequel(self, op)
        self.replacements[sequel.block][op] = sequel.operations
        return sequel

    def finish(self) -> None:
        """Change the module."""
        for block, replacements in self.replacements.items():
            for op, operations in replacements.items():
                _hand_on(op, operations)
            block.replace(replacements)
        if not self.values:
            return
        final: dict[Value, Value] = {}
        for value in self.values:
            self._settle(value, final)
        for op in self.module.walk():
            edits.replace_operands(op, final)

    def _settle(self, value: Value, final: dict[Value, Value]) -> None:
        """Put into `final` what takes the place of `value`, and of all that leads there."""
        way: dict[Value, None] = {}
        while value in self.values and value not in final:
            if value in way:
                value = self._break(value)
                break
            way[value] = None
            value = self.values[value]
        end = final.get(value, value)
        for passed in way:
            final[passed] = end

    def _break(self, value: Value) -> Value:
        """What takes the place of the condition `value`, which depends on itself: that is only possible where control
        never comes."""
        op = value.owner
        assert isinstance(op, Operation) and value.type == "i1"
        at = next(block for block, replaced in self.replacements.items() if op in replaced)
        made = Builder(lambda hint: self.module.fresh_name(at, hint), op.generic).constant(False)
        at.prepend(made)
        return made.results[0]


def _hand_on(op: Operation, operations: Sequence[Operation]) -> None:
    """What is made in place of `op` is made for the reason that `op` was made for."""
    for made in operations:
        for inner in made.walk():
            inner.ancestor = op
            inner.comment = inner.comment or op.comment


class Sequel:
    """The operations that replace `op`, in order."""

    def __init__(self, replacing: Replacing, op: Operation) -> None:
        assert op.block is not None
        self.replacing = replacing
        self.op = op
        self.block = op.block
        self.operations: list[Operation] = []
        self.build = Builder(lambda hint: replacing.module.fresh_name(op, hint), op.generic)

    def add(self, made: Operation) -> Value:
        """Put an operation with one result last; that result."""
        self.operations.append(made)
        (value,) = made.results
        return value

    def do(self, made: Operation) -> None:
        """Put an operation without results last."""
        assert not made.results
        self.operations.append(made)

    def constant(self, value: int | bool) -> Value:
        """An index or i1 constant; one of each value is enough for what is made in a block."""
        key = (self.block, repr(value))
        known = self.replacing.constants.get(key)
        if known is None:
            made = self.build.constant(value) if isinstance(value, bool) else self.build.index(value)
            known = self.replacing.constants[key] = self.add(made)
        return known

    def naming(self, index: int = 0) -> Builder:
        """A builder for the operation whose result is to replace result `index` of `op`: it takes its name
        over, unless that is one of a group (`%0#1`)."""
        name = self.op.results[index].name
        return Builder(lambda _: name, self.op.generic) if name and "#" not in name else self.build

    def replaces(self, value: Value, index: int = 0) -> None:
        """Let `value` stand wherever result `index` of `op` did."""
        self.replacing.values[self.op.results[index]] = value
