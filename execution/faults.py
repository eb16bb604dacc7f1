"""What can go wrong when a program runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.frontend import Operation

FaultKind = Literal[
    "leak",
    "double-free",
    "use-after-free",
    "use-after-scope",
    "invalid-free",
    "out-of-bounds",
    "uninitialized-read",
    "assertion",
    "undefined-behaviour",
    "external-function",
    "function-boundary",
    "step-limit",
    "depth-limit",
    "heap-limit",
]


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, and the diagnostic that tells the user, with notes at the allocation and the
    free."""

    kind: FaultKind
    diagnostic: Diagnostic


class Stop(Exception):
    """Execution cannot go on. `notes` are messages and the operations that they are about; the operation at
    fault is added where the exception is caught."""

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        notes: Iterable[tuple[str, Operation | None]] = (),
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.notes = tuple(notes)
        self.hint = hint


class Unsupported(DealogError):
    """The program has something that is not interpreted here: `message` says what, at the operation `op`.
    Lowering it with mlir-opt may help."""

    def __init__(self, op: Operation, message: str, source: SourceText | None, offset: int | None) -> None:
        hint = "lower it to memref, scf and arith with mlir-opt; 'dealog exec --lower=always' does linalg"
        super().__init__(Diagnostic(message, source=source, offset=offset, hint=hint))
        self.op = op
        self.message = message


def unsupported(op: Operation, message: str) -> Unsupported:
    """That `op` cannot be interpreted, and what to do about it."""
    return Unsupported(op, message, None if op.origin is None else op.origin.source, op.offset)
