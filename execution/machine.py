"""The machine: straight-line code that is run block by block, with a stack of its own.

However deep a program nests or recurses, this loop does not recurse: a region is a jump, a call pushes a
frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import length_hint
from typing import TYPE_CHECKING, Any

from dealog.execution.faults import Stop
from dealog.execution.heap import Buffer, Heap
from dealog.frontend import Module, Operation

if TYPE_CHECKING:
    from dealog.execution.compiler import Function

Registers = list[Any]
Step = Callable[[Registers], None]
Exit = Callable[[Registers], "tuple[Code, Registers]"]
External = Callable[..., Sequence[Any]]


class Code:
    """A basic block of compiled operations: `body` is run in order, `exit` says what comes next. `ops` are
    the operations that the entries of `body` were made of, `exit_op` the one that `exit` was."""

    __slots__ = ("body", "exit", "exit_op", "ops")

    def __init__(self) -> None:
        self.body: list[Step] = []
        self.ops: list[Operation] = []
        self.exit: Exit = _no_exit
        self.exit_op: Operation | None = None

    def add(self, step: Step, op: Operation) -> None:
        """Append an operation."""
        self.body.append(step)
        self.ops.append(op)

    def end(self, exit: Exit, op: Operation) -> None:
        """Set what comes after the body."""
        self.exit = exit
        self.exit_op = op


def _no_exit(registers: Registers) -> tuple[Code, Registers]:
    raise AssertionError("a block was compiled without an end")


@dataclass(frozen=True)
class Limits:
    """How far a run may go before it is stopped: steps, frames on the call stack, bytes live on the heap."""

    steps: int = 100_000_000
    depth: int = 100_000
    heap: int = 1 << 30


class Faulted(Exception):
    """A `Stop` together with the operation at which it happened."""

    def __init__(self, stop: Stop, op: Operation | None) -> None:
        super().__init__(stop.message)
        self.stop = stop
        self.op = op


class Machine:
    """What is shared by all code of one run."""

    def __init__(
        self, module: Module, limits: Limits, externals: Mapping[str, External], *, liveness: bool = False
    ) -> None:
        self.module = module
        self.limits = limits
        self.externals = externals
        self.heap = Heap(limits.heap, liveness)
        self.stack: list[tuple[Registers, Code, Sequence[int]]] = []
        self.globals: dict[Operation, Buffer] = {}
        self.functions: dict[Operation, Function] = {}
        self.symbols: dict[Operation, dict[str, Operation]] = {}  # by symbol table
        self.uninitialized: dict[Operation, Buffer] = {}  # reads of what nobody has written

    def run(self, function: Function, arguments: Iterable[Any]) -> list[Any]:
        """Call `function` and run until it returns its results. Raises `Faulted`, and `DealogError` for what
        is not interpreted."""
        end = Code()
        results: Registers = [None] * len(function.result_types)
        caller = Code()
        call = function.call_with(range(len(function.argument_registers)), range(len(results)), end)
        caller.end(call, function.op)
        self._loop(caller, list(arguments) + results, end, results)
        return results

    def _loop(self, code: Code, registers: Registers, end: Code, results: Registers) -> None:
        remaining = limit = self.limits.steps
        first = registers
        steps = None
        try:
            while code is not end:
                body = code.body
                remaining -= len(body) + 1
                if remaining < 0:
                    raise Stop(
                        "step-limit",
                        f"the program has not ended after {limit} steps",
                        hint="--max-steps sets the limit",
                    )
                steps = iter(body)
                for step in steps:
                    step(registers)
                steps = None  # what fails now is the exit
                code, registers = code.exit(registers)
            results[:] = first[: len(results)]
        except Stop as stop:
            raise Faulted(stop, self._at(code, steps)) from None
        except ZeroDivisionError:
            raise Faulted(Stop("undefined-behaviour", "division by zero"), self._at(code, steps)) from None
        finally:
            self.heap.statistics.steps = limit - remaining

    @staticmethod
    def _at(code: Code, steps: Any) -> Operation | None:
        if steps is None:
            return code.exit_op
        return code.ops[len(code.ops) - length_hint(steps) - 1]
