"""bufferization: `dealloc` by its definition, and `clone`."""

from __future__ import annotations

from dealog.execution.compiler import FunctionCompiler, step
from dealog.execution.dialects.memref import allocation, buffer_of
from dealog.execution.heap import Buffer, copy
from dealog.execution.machine import Registers, Step
from dealog.frontend import Operation
from dealog.frontend.types import is_memref


@step("bufferization.dealloc")
def _dealloc(c: FunctionCompiler, op: Operation) -> Step:
    """Every memref whose condition holds is freed unless an alias of it is retained, and of memrefs that
    alias each other one is. The updated condition of a retained memref is the disjunction of the conditions
    of the memrefs that alias it."""
    count = sum(not is_memref(value.type) for value in op.operands)
    memrefs = c.registers(op.operands[:count])
    conditions = c.registers(op.operands[count : 2 * count])
    retained = c.registers(op.operands[2 * count :])
    results = c.registers(op.results)
    heap = c.heap
    checks = count * len(retained) + count * (count - 1) // 2

    def dealloc(registers: Registers) -> None:
        heap.statistics.alias_checks += checks
        owned: dict[Buffer, bool] = {}
        for register, condition in zip(memrefs, conditions, strict=True):
            buffer = buffer_of(registers[register]).buffer.root
            owned[buffer] = owned.get(buffer, False) or bool(registers[condition])
        kept = [buffer_of(registers[register]).buffer.root for register in retained]
        freed = set(kept)
        for register, condition in zip(memrefs, conditions, strict=True):
            memref = registers[register]
            if registers[condition] and memref.buffer.root not in freed:
                freed.add(memref.buffer.root)
                heap.free(memref, op)
        for result, buffer in zip(results, kept, strict=True):
            registers[result] = int(owned.get(buffer, False))

    return dealloc


@step("bufferization.clone")
def _clone(c: FunctionCompiler, op: Operation) -> Step:
    (source,) = c.registers(op.operands)
    target = c.register(op.results[0])
    heap = c.heap
    allocate = allocation(c, op, c.memref_type(op, op.results[0]), "heap")

    def clone(registers: Registers) -> None:
        memref = buffer_of(registers[source])
        heap.statistics.clones += 1
        new = allocate(memref.sizes, None)
        copy(heap, memref, new)
        registers[target] = new

    return clone
