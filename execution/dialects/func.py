"""func: calls, direct and indirect, and returns."""

from __future__ import annotations

from dealog.execution.compiler import Function, FunctionCompiler, control, step
from dealog.execution.faults import Stop
from dealog.execution.machine import Code, Machine, Registers
from dealog.frontend import Operation

SYMBOL_TABLES = frozenset(("builtin.module", "gpu.module"))


def lookup(machine: Machine, op: Operation, reference: str) -> Operation | None:
    """The operation that the symbol `reference` (`@f`, `@module::@f`) names at `op`."""
    table: Operation | None = op
    while table is not None and table.name not in SYMBOL_TABLES:
        table = table.parent
    for part in reference.strip().split("::"):
        if table is None:
            return None
        name = part.strip().removeprefix("@").strip('"')
        table = _symbols(machine, table).get(name)
    return table


def _symbols(machine: Machine, table: Operation) -> dict[str, Operation]:
    found = machine.symbols.get(table)
    if found is None:
        found = machine.symbols[table] = {}
        for region in table.regions:
            for block in region.blocks:
                for op in block.operations:
                    if (name := op.attributes.get("sym_name")) is not None:
                        found[name.strip('"')] = op
    return found


def function(machine: Machine, op: Operation) -> Function:
    """The function that `op` defines or declares."""
    found = machine.functions.get(op)
    if found is None:
        found = machine.functions[op] = Function(machine, op)
    return found


def _callee(c: FunctionCompiler, op: Operation, name: str) -> Function:
    reference = c.attribute(op, name)
    found = lookup(c.machine, op, reference)
    if found is None or found.name != "func.func":
        raise op.error(f"'{reference}' does not reference a valid function")
    return function(c.machine, found)


@control("func.call")
def _call(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    then = Code()
    callee = _callee(c, op, "callee")
    if len(callee.argument_types) != len(op.operands) or len(callee.result_types) != len(op.results):
        raise op.error(f"@{callee.name} has another number of arguments or results")
    code.end(callee.call_with(c.registers(op.operands), c.registers(op.results), then), op)
    return then


@control("func.call_indirect")
def _call_indirect(c: FunctionCompiler, op: Operation, code: Code) -> Code:
    then = Code()
    callee, *sources = c.registers(op.operands)
    targets = c.registers(op.results)

    def call(registers: Registers) -> tuple[Code, Registers]:
        called = registers[callee]
        if not isinstance(called, Function):
            raise Stop("undefined-behaviour", "the value that is called is not a function")
        return called.call_with(sources, targets, then)(registers)

    code.end(call, op)
    return then


@step("func.constant")
def _constant(c: FunctionCompiler, op: Operation) -> None:
    c.constant(op.results[0], _callee(c, op, "value"))


@control("func.return")
def _return(c: FunctionCompiler, op: Operation, code: Code) -> None:
    stack, heap = c.machine.stack, c.heap
    sources = c.registers(op.operands)
    scoped = c.is_scope(c.function.op)

    def leave(registers: Registers) -> tuple[Code, Registers]:
        if scoped:
            heap.leave(op)
        caller, then, targets = stack.pop()
        for target, source in zip(targets, sources, strict=True):
            caller[target] = registers[source]
        return then, caller

    code.end(leave, op)
