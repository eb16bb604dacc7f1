"""Runs a function of a module over the checked heap, and says what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.execution import dialects as _dialects
from dealog.execution.arguments import Argument, ArgumentReader, Contents, write_value
from dealog.execution.compiler import is_interpreted
from dealog.execution.dialects.func import function, lookup
from dealog.execution.faults import Fault, FaultKind, Stop, Unsupported
from dealog.execution.heap import Buffer, MemRef, Statistics
from dealog.execution.lowering import original_position
from dealog.execution.machine import External, Faulted, Limits, Machine
from dealog.execution.numbers import scalar
from dealog.frontend import Module, Operation

assert _dialects.__all__  # importing them has entered what the operations mean

Uninitialized = Literal["ignore", "warning", "error"]


@dataclass
class Outcome:
    """What a run came to.

    `results` are Python values: signed integers, floats, `Contents` for memrefs; `written` is the same as
    text, one line each. `arguments` is what the memrefs among the arguments held at the end, by position.
    `faults` is empty when nothing was wrong; when a fault stopped the program there are no results.
    `warnings` are reads of elements that nobody had written.
    """

    results: list[Any] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    arguments: dict[int, Contents] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)

    @property
    def ok(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults

    @property
    def kinds(self) -> list[FaultKind]:
        """The kinds of all faults."""
        return [fault.kind for fault in self.faults]


def run(
    module: Module,
    entry: str = "@main",
    args: Sequence[Argument] = (),
    *,
    seed: int = 0,
    limits: Limits | None = None,
    check_ownership: bool = True,
    uninitialized: Uninitialized = "warning",
    liveness: bool = False,
    externals: Mapping[str, External] | None = None,
    original: SourceText | None = None,
) -> Outcome:
    """Call the function `entry` with `args` (see `dealog.execution.arguments`; numbers and lists are taken
    too).

    The caller of the function is played by the rules of the function boundary: it owns the arguments and gets
    to own the results. With `check_ownership` whatever is left on the heap then is a leak, and a result that
    is an argument's buffer, a global or on the stack is a fault: so it should be after deallocation. Without,
    only what goes wrong on the way is looked at, which is right for programs that do not free anything yet.

    `externals` implements functions that are only declared: name (without `@`) to a Python function that
    takes register values and returns a sequence of them. `original` is the text that the module was lowered
    from (see `dealog.execution.lowering`): diagnostics point into it.

    Raises `DealogError` for an entry that is not there, arguments that do not fit, and operations that are
    not interpreted. What goes wrong in the program comes back as faults.
    """
    machine = Machine(module, limits or Limits(), externals or {}, liveness=liveness)
    definition = _definition(machine, module, entry)
    called = function(machine, definition)
    arguments = ArgumentReader(machine.heap, seed).read(definition, called.argument_types, args)
    outcome = Outcome(statistics=machine.heap.statistics)
    reporter = _Reporter(module, original)
    try:
        values = machine.run(called, arguments)
        caller = _Caller(machine, called.result_types, definition, outcome)
        caller.read(values)
        if liveness:
            outcome.statistics.liveness_bytes = machine.heap.liveness_bound()
        if check_ownership:
            caller.own(values)
    except Unsupported as error:
        if original is None:
            raise
        at = original_position(error.op, original)
        raise Unsupported(error.op, error.message, original, at) from None
    except Faulted as faulted:
        outcome.faults.append(reporter.fault(faulted.stop, faulted.op))
        outcome.results, outcome.written = [], []
    else:
        if check_ownership:
            outcome.faults += reporter.leaks(machine.heap.live, definition)
    for number, value in enumerate(arguments):
        if isinstance(value, MemRef) and value.buffer.cells is not None:
            outcome.arguments[number] = _contents(value)
    if uninitialized != "ignore":
        found = reporter.uninitialized(machine.uninitialized.items(), uninitialized)
        (outcome.faults if uninitialized == "error" else outcome.warnings).extend(found)
    return outcome


def _definition(machine: Machine, module: Module, entry: str) -> Operation:
    """The function `entry`. Raises `DealogError`, with the functions that there are, where it is none of them."""
    definition = lookup(machine, module.operation, entry)
    if definition is not None and definition.name == "func.func":
        return definition
    names = [op.attributes.get("sym_name", "").strip('"') for op in module.walk() if op.name == "func.func"]
    shown = ", ".join(f"@{name}" for name in names[:8]) + (", ..." if len(names) > 8 else "")
    raise DealogError(Diagnostic(f"there is no function '{entry}'", hint=f"the functions are: {shown or 'none'}"))


def not_interpreted(module: Module) -> list[Operation]:
    """The operations of `module` that have no meaning here, one for each name."""
    found: dict[str, Operation] = {}
    for op in module.walk():
        if op.name not in _STRUCTURE and not is_interpreted(op.name):
            found.setdefault(op.name, op)
    return list(found.values())


_STRUCTURE = frozenset(("builtin.module", "func.func", "memref.global"))


class _Caller:
    """Plays the caller of the entry function."""

    def __init__(self, machine: Machine, types: Sequence[str], entry: Operation, outcome: Outcome) -> None:
        self.machine = machine
        self.types = types
        self.entry = entry
        self.outcome = outcome

    def read(self, values: Sequence[Any]) -> None:
        """Read the results."""
        for number, (value, type) in enumerate(zip(values, self.types, strict=True)):
            if isinstance(value, MemRef):
                if value.buffer.cells is None:
                    stop = self.machine.heap.gone(value.buffer, f"read as result {number}")
                    raise Faulted(stop, self.entry)
                self.outcome.results.append(_contents(value))
                self.outcome.written.append(str(self.outcome.results[-1]))
            else:
                self.outcome.results.append(_plain(value, type))
                self.outcome.written.append(f"{type}={write_value(value, type)}")

    def own(self, values: Sequence[Any]) -> None:
        """Free the buffers among the results."""
        for number, value in enumerate(values):
            if isinstance(value, MemRef):
                self._own(number, value)

    def _own(self, number: int, value: MemRef) -> None:
        buffer = value.buffer.root
        if buffer.kind == "heap":
            if buffer.cells is not None:  # two results may be one buffer
                self.machine.heap.release(buffer, None)
            return
        what = {
            "argument": f"the buffer of argument {buffer.name}, which its caller owns",
            "global": f"the global @{buffer.name}",
        }.get(buffer.kind, "on the stack")
        stop = Stop(
            "function-boundary",
            f"result {number} is {what}, and the caller will free it",
            hint="a function returns buffers of its own; before deallocation, run with --no-ownership",
        )
        raise Faulted(stop, self.entry)


def _contents(memref: MemRef) -> Contents:
    cells = memref.buffer.cells
    element = memref.buffer.element
    values = [cells[at] for at in memref.positions()]
    return Contents(memref.sizes, element, tuple(_plain(value, element) for value in values))


def _plain(value: Any, type: str) -> Any:
    if isinstance(value, MemRef):
        return _contents(value) if value.buffer.cells is not None else None
    kind = scalar(type)
    if kind is None or kind.is_float or value is None:
        return value
    return kind.signed(value) if kind.width > 1 and not type.startswith("u") else value


class _Reporter:
    """Makes diagnostics, at the place in the text that the user knows."""

    def __init__(self, module: Module, original: SourceText | None) -> None:
        self.module = module
        self.original = original

    def fault(self, stop: Stop, op: Operation | None) -> Fault:
        notes = tuple(self._diagnostic(text, at, "note") for text, at in stop.notes if at is not None)
        return Fault(stop.kind, self._diagnostic(stop.message, op, "error", notes, stop.hint))

    def leaks(self, live: Iterable[Buffer], entry: Operation) -> list[Fault]:
        """A fault for each operation of which buffers are left."""
        left: dict[Operation | None, list[Buffer]] = {}
        for buffer in live:
            left.setdefault(buffer.allocated_by, []).append(buffer)
        faults = []
        for op, buffers in left.items():
            size = sum(buffer.size for buffer in buffers)
            what = "a buffer is" if len(buffers) == 1 else f"{len(buffers)} buffers are"
            end = self._diagnostic("the program ends when this function returns", entry, "note")
            message = f"{what} leaked, {size} bytes: allocated here and never freed"
            faults.append(Fault("leak", self._diagnostic(message, op, "error", (end,))))
        return faults

    def uninitialized(
        self, reads: Iterable[tuple[Operation, Buffer]], severity: Literal["warning", "error"]
    ) -> list[Fault]:
        return [
            Fault(
                "uninitialized-read",
                self._diagnostic(
                    "an element that was never written is read, as zero",
                    op,
                    severity,
                    (self._diagnostic("it was allocated here", buffer.allocated_by, "note"),),
                ),
            )
            for op, buffer in reads
        ]

    def _diagnostic(
        self,
        message: str,
        op: Operation | None,
        severity: Literal["error", "warning", "note"],
        notes: tuple[Diagnostic, ...] = (),
        hint: str | None = None,
    ) -> Diagnostic:
        source, offset = self.module.source, None if op is None or op.offset < 0 else op.offset
        if op is not None and self.original is not None:
            source, offset = self.original, original_position(op, self.original)
        return Diagnostic(message, severity, source, offset, notes, hint)
