"""cf: branches between the blocks of a region, and assertions; and `ub`."""

from __future__ import annotations

from typing import Any

from dealog.execution.compiler import FunctionCompiler, control, step
from dealog.execution.faults import Stop
from dealog.execution.heap import poison
from dealog.execution.machine import Code, Exit, Registers, Step
from dealog.execution.numbers import zero_of
from dealog.frontend import Operation, is_memref, parse_memref


def _edge(c: FunctionCompiler, op: Operation, number: int) -> Exit:
    successor = op.successors[number]
    block = successor.block
    forwarded = op.operands[successor.start : successor.end]
    return c.jump(c.code(block), c.registers(forwarded), c.registers(block.arguments))


@control("cf.br")
def _br(c: FunctionCompiler, op: Operation, code: Code) -> None:
    code.end(_edge(c, op, 0), op)


@control("cf.cond_br")
def _cond_br(c: FunctionCompiler, op: Operation, code: Code) -> None:
    condition = c.register(op.operands[0])
    true, false = _edge(c, op, 0), _edge(c, op, 1)

    def branch(registers: Registers) -> tuple[Code, Registers]:
        return true(registers) if registers[condition] else false(registers)

    code.end(branch, op)


@control("cf.switch")
def _switch(c: FunctionCompiler, op: Operation, code: Code) -> None:
    flag = c.register(op.operands[0])
    mask = c.scalar(op, op.operands[0].type).mask
    default = _edge(c, op, 0)
    cases: dict[Any, Exit] = {}
    values = c.integers(op, "case_values") if len(op.successors) > 1 else []
    if len(values) != len(op.successors) - 1:
        c.attribute(op, "case_values that match the successors")
    for number, value in enumerate(values, 1):
        cases.setdefault(value & mask, _edge(c, op, number))

    def branch(registers: Registers) -> tuple[Code, Registers]:
        return cases.get(registers[flag], default)(registers)

    code.end(branch, op)


@step("cf.assert")
def _assert(c: FunctionCompiler, op: Operation) -> Step:
    condition = c.register(op.operands[0])
    message = op.attributes.get("msg", '""').strip('"')

    def check(registers: Registers) -> None:
        if not registers[condition]:
            raise Stop("assertion", f"the assertion failed: {message}")

    return check


@step("ub.poison")
def _poison(c: FunctionCompiler, op: Operation) -> None:
    # Any value is a poison value; this one is at least the same in every run.
    for result in op.results:
        is_buffer = is_memref(result.type)
        value = poison(parse_memref(result.type).rank or 0, op) if is_buffer else zero_of(result.type)
        c.constant(result, value)


@control("ub.unreachable")
def _unreachable(c: FunctionCompiler, op: Operation, code: Code) -> None:
    def fail(registers: Registers) -> tuple[Code, Registers]:
        raise Stop("undefined-behaviour", "what was said to be unreachable is reached")

    code.end(fail, op)
