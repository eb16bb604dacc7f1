"""Carry out `--buffer-deallocation-simplification`: take deallocations apart as
`rules/passes/simplification/simplification.dl` derived."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from dealog.frontend import Module
from dealog.frontend.facts import Facts
from dealog.frontend.ir import Operation, Value

from .build import memref_count
from .replacing import Relations, Replacing, Sequel


def simplify_deallocations(module: Module, facts: Facts, relations: Relations) -> None:
    """Rewrite `module` in place, from the output relations of the pass."""
    simplification = _Simplification(module, facts, relations)
    for op in module.walk():
        simplification.visit(op)
    simplification.replacing.finish()


class _Simplification:
    def __init__(self, module: Module, facts: Facts, relations: Relations) -> None:
        self.replacing = Replacing(module)
        self.changing = {facts.operations[str(op)] for (op,) in relations["changes"]}
        self.unused = {facts.operations[str(op)] for *_, op in relations["unused_allocation"]}
        self.freed: dict[Operation, dict[int, Value]] = defaultdict(dict)
        for op, index, value in relations["freed"]:
            self.freed[facts.operations[str(op)]][int(index)] = facts.values[str(value)]
        self.left = _numbers(facts, ((op, index) for op, index, _ in relations["left"]))
        self.always = _numbers(facts, relations["freed_always"])
        self.alone = _numbers(facts, relations["freed_alone"])
        self.again = _pairs(facts, ((op, first, index) for op, index, first in relations["freed_twice"]))
        self.same_retained = {
            (facts.operations[str(op)], int(index)): int(first)
            for op, index, first in relations["retained_twice"]
        }
        self.retained = _pairs(facts, relations["retains_for"])
        self.added = _pairs(facts, ((op, retained, index) for op, index, retained in relations["adds_condition"]))

    def visit(self, op: Operation) -> None:
        if op in self.unused:
            self.replacing.replace(op)  # by nothing
        elif op in self.changing:
            self._split(op)

    def _split(self, op: Operation) -> None:
        """Replace one deallocation: first those of one memref, then the one of all memrefs that are entangled."""
        sequel = self.replacing.replace(op)
        left, alone = sorted(self.left.get(op, ())), self.alone.get(op, set())
        parts: dict[int, list[Value]] = defaultdict(list)  # retained memref -> what its updated condition is made of
        for index in left:
            if index in alone:
                self._free(sequel, [index], parts, first=False)
        self._free(sequel, [index for index in left if index not in alone], parts, first=True)
        for retained, result in enumerate(op.results):
            first = self.same_retained.get((op, retained), retained)
            value = self._disjunction(sequel, parts[first], sorted(self.added.get((op, retained), ())))
            self.replacing.values[result] = value

    def _free(
        self, sequel: Sequel, indices: list[int], parts: dict[int, list[Value]], first: bool
    ) -> None:
        if not indices:
            return
        op, size = sequel.op, memref_count(sequel.op)
        conditions = [self._condition(sequel, index) for index in indices]
        kept = sorted({r for index in indices for r in self.retained.get((op, index), ())})
        buffers = [self.freed[op][index] for index in indices]
        dealloc = sequel.build.dealloc(buffers, conditions, [op.operands[2 * size + r] for r in kept])
        sequel.operations.append(dealloc)
        for retained, result in zip(kept, dealloc.results, strict=True):
            parts[retained].insert(0 if first else len(parts[retained]), result)

    def _condition(self, sequel: Sequel, index: int) -> Value:
        """The condition of a memref, and of the same memref where it stands again in the list."""
        op, size = sequel.op, memref_count(sequel.op)
        indices = [index, *sorted(self.again.get((op, index), ()))]
        always = [i for i in indices if i in self.always.get(op, ())]
        if always:
            return op.operands[size + always[0]]
        return _join(sequel, list(dict.fromkeys(op.operands[size + i] for i in indices)))

    def _disjunction(self, sequel: Sequel, parts: list[Value], added: Sequence[int]) -> Value:
        op, size = sequel.op, memref_count(sequel.op)
        always = [i for i in added if i in self.always.get(op, ())]
        if always:
            return op.operands[size + always[0]]
        values = [*parts, *dict.fromkeys(op.operands[size + i] for i in added)]
        return _join(sequel, values) if values else sequel.constant(False)


def _join(sequel: Sequel, values: Sequence[Value]) -> Value:
    joined = values[0]
    for value in values[1:]:
        joined = sequel.add(sequel.build.disjunction(joined, value))
    return joined


def _numbers(facts: Facts, rows: Iterable[tuple[str | int, ...]]) -> dict[Operation, set[int]]:
    result: dict[Operation, set[int]] = defaultdict(set)
    for op, index in rows:
        result[facts.operations[str(op)]].add(int(index))
    return result


def _pairs(facts: Facts, rows: Iterable[tuple[str | int, ...]]) -> dict[tuple[Operation, int], set[int]]:
    result: dict[tuple[Operation, int], set[int]] = defaultdict(set)
    for op, key, index in rows:
        result[facts.operations[str(op)], int(key)].add(int(index))
    return result
