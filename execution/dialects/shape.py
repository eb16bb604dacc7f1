"""shape: witnesses that are known, and what is done under them."""

from __future__ import annotations

from dealog.execution.compiler import REGION_TERMINATORS, FunctionCompiler, control, step
from dealog.execution.dialects.scf import close_with
from dealog.execution.faults import Stop
from dealog.execution.machine import Code, Registers
from dealog.frontend import Operation

REGION_TERMINATORS.add("shape.assuming_yield")


@step("shape.const_witness")
def _const_witness(c: FunctionCompiler, op: Operation) -> None:
    c.constant(op.results[0], int(c.attribute(op, "passing").strip() == "true"))


@control("shape.assuming")
def _assuming(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    after = Code()
    witness = c.register(op.operands[0])
    entry = c.region(op.regions[0], close_with(c, op, after))

    def enter(registers: Registers) -> tuple[Code, Registers]:
        if not registers[witness]:
            raise Stop("assertion", "the witness does not hold")
        return entry, registers

    code.end(enter, op)
    return after
