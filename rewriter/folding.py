"""Carry out fold-inserted-code: simplify what the other rewriters inserted, as `rules/passes/fold_inserted_code.dl`
derived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from dealog.frontend import Module, edits
from dealog.frontend.facts import Facts
from dealog.frontend.ir import Block, Operation, Value

from .build import Builder, memref_count
from .replacing import Relations


def fold_inserted_code(module: Module, facts: Facts, relations: Relations) -> None:
    """Rewrite `module` in place; only operations and values that Dealog made change.

    `facts` are those that `relations` were derived from; `relations` holds the output relations of the pass.
    """
    _Folding(module, facts, relations).fold()


class _Folding:
    def __init__(self, module: Module, facts: Facts, relations: Relations) -> None:
        self.module = module
        self.facts = facts
        self.relations = relations
        self.final: dict[Value, Value] = {}  # what takes the place of a value
        self.constants: dict[tuple[str, str], Value] = {}  # by function and text
        self.replacements: dict[Block, dict[Operation, list[Operation]]] = defaultdict(dict)

    def fold(self) -> None:
        operations = list(self.module.walk())
        self._find_constants()
        self._find_values()
        for op in operations:
            edits.replace_operands(op, self.final)
        self._drop()
        self._change_operations(operations)

    # ---- values

    def _find_constants(self) -> None:
        values, relations = self.facts.values, self.relations
        for function, text, value in relations["used_constant"]:
            self.constants[str(function), str(text)] = values[str(value)]
        for function, text in sorted(relations["makes_constant"], reverse=True):
            op = self.facts.functions[str(function)]
            made = _constant(self._builder(op), str(text))
            op.regions[0].blocks[0].prepend(made)
            self.constants[str(function), str(text)] = made.results[0]

    def _find_values(self) -> None:
        values, relations, final = self.facts.values, self.relations, self.final
        final.update({values[str(value)]: values[str(other)] for value, other in relations["becomes"]})
        for function, text, value in relations["wants_constant"]:
            final[values[str(value)]] = self.constants[str(function), str(text)]
        functions = {str(value): str(function) for value, function in relations["negated_in"]}
        negations: dict[Value, Operation] = {}
        for value, condition in relations["negated"]:
            negated = values[str(value)]
            before = negated.owner
            assert isinstance(before, Operation)
            assert before.block is not None
            true = self.constants[functions[str(value)], "true"]
            made = self._builder(before).negation(values[str(condition)], true)
            made.ancestor = before
            self.replacements[before.block].setdefault(before, [before]).insert(0, made)
            negations[negated] = made
        results = {negated: made.results[0] for negated, made in negations.items()}
        final.update({value: results[other] for value, other in final.items() if other in results})
        final.update(results)
        for made in negations.values():
            edits.replace_operands(made, final)

    # ---- companions

    def _drop(self) -> None:
        operations, values, relations = self.facts.operations, self.facts.values, self.relations
        operands: dict[Operation, set[int]] = defaultdict(set)
        for op, operand in relations["dropped_operand"]:
            operands[operations[str(op)]].add(int(operand))
        owners: dict[Operation | Block, set[Value]] = defaultdict(set)
        for (value,) in relations["dropped"]:
            owners[values[str(value)].owner].add(values[str(value)])
        for operation, dropped in operands.items():
            edits.drop_operands(operation, dropped)
        for owner, companions in owners.items():
            if isinstance(owner, Block):
                edits.drop_arguments(owner, companions)
            else:
                edits.drop_results(owner, companions)

    # ---- operations

    def _change_operations(self, operations: Sequence[Operation]) -> None:
        named, relations = self.facts.operations, self.relations
        taken = {named[str(op)]: int(region) for op, region in relations["taken_region"]}
        erased = {named[str(op)] for (op,) in relations["erased"]}
        spared: dict[Operation, set[int]] = defaultdict(set)
        for op, index in relations["spared"]:
            spared[named[str(op)]].add(int(index))
        for operation in operations:
            if operation.block is None:
                continue
            replacements = self.replacements[operation.block]
            if operation in erased:
                replacements[operation] = replacements.get(operation, [operation])[:-1]
            elif operation in spared:
                replacements[operation] = [self._without(operation, spared[operation])]
        # Inner operations come behind outer ones, so backwards a region is done before it is taken out.
        for operation in reversed(operations):
            for region in operation.regions:
                for block in region.blocks:
                    if replaced := self.replacements.get(block):
                        block.replace(replaced)
            if operation in taken and operation.block is not None:
                blocks = operation.regions[taken[operation]].blocks
                self.replacements[operation.block][operation] += _taken_out(blocks[0]) if blocks else []

    def _without(self, op: Operation, spared: set[int]) -> Operation:
        """A deallocation without the memrefs with these numbers; its results are those of `op`."""
        size = memref_count(op)
        kept = [index for index in range(size) if index not in spared]
        names = iter([value.name for value in op.results])
        build = Builder(lambda _: next(names), op.generic)
        buffers = [op.operands[index] for index in kept]
        conditions = [op.operands[size + index] for index in kept]
        made = build.dealloc(buffers, conditions, op.operands[2 * size :])
        made.ancestor = op
        made.results = op.results
        for value in made.results:
            value.owner = made
        return made

    def _builder(self, beside: Operation) -> Builder:
        return Builder(lambda hint: self.module.fresh_name(beside, hint), beside.generic)


def _constant(build: Builder, text: str) -> Operation:
    return build.constant(text == "true") if text in ("true", "false") else build.index(int(text.split()[0]))


def _taken_out(block: Block) -> list[Operation]:
    """The operations of `block`, taken out of it, but for its terminator."""
    operations = block.operations[:-1]
    for op in operations:
        op.block = None
    block.operations = []
    return operations
