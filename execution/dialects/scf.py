"""scf: structured control flow, laid out flat. Parallel loops run their iterations in order."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dealog.execution.compiler import REGION_TERMINATORS, FunctionCompiler, control, mover
from dealog.execution.faults import Stop, unsupported
from dealog.execution.machine import Code, Registers, Step
from dealog.frontend import Operation

REGION_TERMINATORS.update(
    ("scf.yield", "scf.condition", "scf.reduce", "scf.reduce.return", "scf.forall.in_parallel")
)

Bounds = Callable[[Registers], "Iterator[Sequence[int]]"]


def loop(
    c: FunctionCompiler,
    op: Operation,
    code: Code,
    iterations: Bounds,
    inductions: Sequence[int],
    carried: Sequence[int],
    initial: Sequence[int],
) -> tuple[Code, Code, Step]:
    """A counted loop: for each element of `iterations` the induction registers are set and the body is run.

    `initial` is moved to `carried` before; the results are left there. Returns the code of the head, to which
    the body has to come back, the code after the loop, and what to do at the end of each iteration.
    """
    head, body, after = Code(), c.code(op.regions[0].blocks[0]), Code()
    heap, scoped = c.heap, c.is_scope(op)
    state = c.hidden()
    start = mover(initial, carried)
    finish = mover(carried, c.registers(op.results))
    single = inductions[0] if len(inductions) == 1 else None

    def enter(registers: Registers) -> tuple[Code, Registers]:
        start(registers)
        registers[state] = iterations(registers)
        return head, registers

    def next_iteration(registers: Registers) -> tuple[Code, Registers]:
        point = next(registers[state], None)
        if point is None:
            finish(registers)
            return after, registers
        if scoped:
            heap.enter()
        if single is not None:
            registers[single] = point[0]
        else:
            for register, value in zip(inductions, point, strict=True):
                registers[register] = value
        return body, registers

    def leave_scope(registers: Registers) -> None:
        if scoped:
            heap.leave(op)

    code.end(enter, op)
    head.end(next_iteration, op)
    return head, after, leave_scope


def counted(lower: int, upper: int, step: int, mask: int) -> Iterator[tuple[int]]:
    """The iterations of a one-dimensional loop; the bounds are signed, or unsigned, as the loop compares
    them."""
    if step <= 0:
        raise Stop("undefined-behaviour", f"the step of the loop is {step}, and has to be positive")
    return ((i & mask,) for i in range(lower, upper, step))


def close_loop(c: FunctionCompiler, op: Operation, head: Code, carried: Sequence[int], at_end: Step) -> None:
    """Give the body of a loop with loop-carried values its closer."""

    def close(terminator: Operation, code: Code) -> None:
        move = mover(c.registers(terminator.operands), carried)

        def again(registers: Registers) -> tuple[Code, Registers]:
            move(registers)
            at_end(registers)
            return head, registers

        code.end(again, terminator)

    c.region(op.regions[0], close)


@control("scf.for")
def _for(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    kind = c.scalar(op, op.operands[0].type)
    low, high, by, *initial = c.registers(op.operands)
    induction, *carried = c.registers(op.regions[0].blocks[0].arguments)
    signed, mask = kind.signed, kind.mask
    is_unsigned = "unsignedCmp" in op.attributes

    def iterations(registers: Registers) -> Iterator[Sequence[int]]:
        lower, upper, step = registers[low], registers[high], registers[by]
        if is_unsigned:
            return counted(lower, upper, step, mask)
        return counted(signed(lower), signed(upper), signed(step), mask)

    head, after, at_end = loop(c, op, code, iterations, (induction,), carried, initial)
    close_loop(c, op, head, carried, at_end)
    return after


def space(bounds: Sequence[tuple[int, int, int]], mask: int) -> Iterator[Sequence[int]]:
    """The iterations of a nest of loops with these lower and upper bounds and steps, the last innermost."""
    for _, _, step in bounds:
        if step <= 0:
            raise Stop("undefined-behaviour", f"the step of the loop is {step}, and has to be positive")
    points = itertools.product(*(range(*bound) for bound in bounds))
    return (tuple(i & mask for i in point) for point in points)


@control("scf.parallel")
def _parallel(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    arguments = c.registers(op.regions[0].blocks[0].arguments)
    count = len(arguments)
    operands = c.registers(op.operands)
    lower, upper, steps = operands[:count], operands[count : 2 * count], operands[2 * count : 3 * count]
    kind = c.scalar(op, "index")
    signed, mask = kind.signed, kind.mask

    def iterations(registers: Registers) -> Iterator[Sequence[int]]:
        ends = (lower, upper, steps)
        return space([tuple(signed(registers[e[k]]) for e in ends) for k in range(count)], mask)  # type: ignore[misc]

    carried = [c.hidden() for _ in op.results]
    head, after, at_end = loop(c, op, code, iterations, arguments, carried, operands[3 * count :])

    def close(terminator: Operation, end: Code) -> None:
        _reduce(c, terminator, end, head, carried, at_end)

    c.region(op.regions[0], close)
    return after


def _reduce(
    c: FunctionCompiler, op: Operation, code: Code, head: Code, carried: Sequence[int], at_end: Step
) -> None:
    """`scf.reduce` ends an iteration: each of its regions combines an accumulator with an operand."""
    values = c.registers(op.operands)
    for number, region in enumerate(op.regions):
        after = Code()
        left, right = c.registers(region.blocks[0].arguments)

        def close(terminator: Operation, end: Code, after: Code = after, number: int = number) -> None:
            end.end(c.jump(after, c.registers(terminator.operands), (carried[number],)), terminator)

        entry = c.region(region, close)
        code.end(c.jump(entry, (carried[number], values[number]), (left, right)), op)
        code = after

    def again(registers: Registers) -> tuple[Code, Registers]:
        at_end(registers)
        return head, registers

    code.end(again, op)


@control("scf.forall")
def _forall(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    if op.results:
        raise unsupported(op, "'scf.forall' on tensors is not interpreted")
    arguments = c.registers(op.regions[0].blocks[0].arguments)
    operands = iter(c.registers(op.operands))
    upper = _bounds(c, op, "staticUpperBound", 0)
    lower = _bounds(c, op, "staticLowerBound", 0, len(upper))
    steps = _bounds(c, op, "staticStep", 1, len(upper))
    ends = [
        [(bound, -1 if bound is not None else next(operands)) for bound in end]
        for end in (lower, upper, steps)
    ]
    kind = c.scalar(op, "index")
    signed, mask = kind.signed, kind.mask

    def iterations(registers: Registers) -> Iterator[Sequence[int]]:
        bounds: list[Any] = [
            tuple(fixed if fixed is not None else signed(registers[register]) for fixed, register in triple)
            for triple in zip(*ends, strict=True)
        ]
        return space(bounds, mask)

    head, after, at_end = loop(c, op, code, iterations, arguments, (), ())
    close_loop(c, op, head, (), at_end)
    return after


def _bounds(c: FunctionCompiler, op: Operation, name: str, default: int, count: int = 0) -> list[int | None]:
    if count and name not in op.attributes and "staticUpperBound" in op.attributes:
        return [default] * count
    return c.mixed(op, name)


def close_with(c: FunctionCompiler, op: Operation, after: Code) -> Callable[[Operation, Code], None]:
    """A closer for regions whose terminator's operands are the results of the operation around."""
    results = c.registers(op.results)

    def close(terminator: Operation, code: Code) -> None:
        code.end(c.jump(after, c.registers(terminator.operands), results), terminator)

    return close


@control("scf.if")
def _if(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    condition = c.register(op.operands[0])
    close = close_with(c, op, after)
    then = c.region(op.regions[0], close)
    has_else = len(op.regions) > 1 and op.regions[1].blocks
    other = c.region(op.regions[1], close) if has_else else after

    def branch(registers: Registers) -> tuple[Code, Registers]:
        return (then if registers[condition] else other), registers

    code.end(branch, op)
    return after


@control("scf.index_switch")
def _index_switch(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    flag = c.register(op.operands[0])
    mask = c.scalar(op, "index").mask
    close = close_with(c, op, after)
    default, *others = [c.region(region, close) for region in op.regions]
    values = c.integers(op, "cases") if others else []
    if len(values) != len(others):
        c.attribute(op, "cases that match the regions")
    cases = {value & mask: other for value, other in zip(values, others, strict=True)}

    def branch(registers: Registers) -> tuple[Code, Registers]:
        return cases.get(registers[flag], default), registers

    code.end(branch, op)
    return after


@control("scf.execute_region")
def _execute_region(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    entry = c.region(op.regions[0], close_with(c, op, after))
    code.end(c.jump(entry), op)
    return after


@control("scf.while")
def _while(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    before_arguments = c.registers(op.regions[0].blocks[0].arguments)
    results = c.registers(op.results)
    after_arguments = c.registers(op.regions[1].blocks[0].arguments)

    def close_after(terminator: Operation, end: Code) -> None:
        end.end(c.jump(before, c.registers(terminator.operands), before_arguments), terminator)

    def close_before(terminator: Operation, end: Code) -> None:
        condition, *values = c.registers(terminator.operands)
        go_on = c.jump(body, values, after_arguments)
        finish = c.jump(after, values, results)

        def branch(registers: Registers) -> tuple[Code, Registers]:
            return go_on(registers) if registers[condition] else finish(registers)

        end.end(branch, terminator)

    before = c.region(op.regions[0], close_before)
    body = c.region(op.regions[1], close_after)
    code.end(c.jump(before, c.registers(op.operands), before_arguments), op)
    return after
