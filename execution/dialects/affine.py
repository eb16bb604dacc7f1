"""affine: loops, conditions and accesses whose bounds and subscripts are affine maps, as attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dealog.execution.affine_expressions import AffineMap, integer_set
from dealog.execution.compiler import REGION_TERMINATORS, FunctionCompiler, control, step
from dealog.execution.dialects.memref import position, signed, uninitialized
from dealog.execution.dialects.scf import close_loop, close_with, counted, loop
from dealog.execution.faults import unsupported
from dealog.execution.heap import MemRef
from dealog.execution.machine import Code, Registers, Step
from dealog.execution.numbers import INDEX_WIDTH, zero_of
from dealog.frontend import Operation

REGION_TERMINATORS.add("affine.yield")
_MASK = (1 << INDEX_WIDTH) - 1


def _evaluate(map: AffineMap, operands: Sequence[int]) -> Callable[[Registers], tuple[int, ...]]:
    """The map's results, signed, for operands in registers."""
    evaluate = map.evaluate
    return lambda registers: evaluate([signed(registers[i]) for i in operands])


@step("affine.apply")
def _apply(c: FunctionCompiler, op: Operation) -> Step:
    evaluate = _evaluate(c.affine_map(op, "map"), c.registers(op.operands))
    target = c.register(op.results[0])

    def apply(registers: Registers) -> None:
        registers[target] = evaluate(registers)[0] & _MASK

    return apply


@step("affine.min", "affine.max")
def _min_max(c: FunctionCompiler, op: Operation) -> Step:
    evaluate = _evaluate(c.affine_map(op, "map"), c.registers(op.operands))
    target = c.register(op.results[0])
    choose: Callable[[Sequence[int]], int] = min if op.name == "affine.min" else max

    def extreme(registers: Registers) -> None:
        registers[target] = choose(evaluate(registers)) & _MASK

    return extreme


@step("affine.load")
def _load(c: FunctionCompiler, op: Operation) -> Step:
    source, *operands = c.registers(op.operands)
    evaluate = _evaluate(c.affine_map(op, "map"), operands)
    target = c.register(op.results[0])
    zero = zero_of(op.results[0].type)
    heap = c.heap

    def load(registers: Registers) -> None:
        memref: MemRef = registers[source]
        at = position(c, memref, [i & _MASK for i in evaluate(registers)])
        value = heap.readable(memref.buffer)[at]
        registers[target] = uninitialized(c, op, memref, zero) if value is None else value

    return load


@step("affine.store")
def _store(c: FunctionCompiler, op: Operation) -> Step:
    value, into, *operands = c.registers(op.operands)
    evaluate = _evaluate(c.affine_map(op, "map"), operands)
    heap = c.heap

    def store(registers: Registers) -> None:
        memref: MemRef = registers[into]
        at = position(c, memref, [i & _MASK for i in evaluate(registers)])
        heap.writable(memref.buffer)[at] = registers[value]

    return store


@control("affine.for")
def _for(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    lower, upper = c.affine_map(op, "lowerBoundMap"), c.affine_map(op, "upperBoundMap")
    operands = c.registers(op.operands)
    first = lower.dimensions + lower.symbols
    second = first + upper.dimensions + upper.symbols
    low, high = _evaluate(lower, operands[:first]), _evaluate(upper, operands[first:second])
    by = int(c.attribute(op, "step").partition(":")[0])
    induction, *carried = c.registers(op.regions[0].blocks[0].arguments)

    def iterations(registers: Registers) -> Iterator[Sequence[int]]:
        return counted(max(low(registers)), min(high(registers)), by, _MASK)

    head, after, at_end = loop(c, op, code, iterations, (induction,), carried, operands[second:])
    close_loop(c, op, head, carried, at_end)
    return after


@control("affine.if")
def _if(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    try:
        contains = integer_set(c.attribute(op, "condition")).contains
    except ValueError as error:
        raise unsupported(op, f"{error}, which is not read") from None
    operands = c.registers(op.operands)
    close = close_with(c, op, after)
    then = c.region(op.regions[0], close)
    other = c.region(op.regions[1], close) if len(op.regions) > 1 and op.regions[1].blocks else after

    def branch(registers: Registers) -> tuple[Code, Registers]:
        return (then if contains([signed(registers[i]) for i in operands]) else other), registers

    code.end(branch, op)
    return after
