"""The executable semantics: runs MLIR over a heap that checks every access.

    outcome = run(module, "@main", ["[1, 2, 3, 4]", 3])
    outcome.results, outcome.faults, outcome.statistics

func, cf, scf, memref, arith, index, math, ub, sequential affine, bufferization's `dealloc` and `clone`, and the
witnesses of shape; linalg and all of affine by way of `lower`, which needs `mlir-opt`. What is left is refused by name.
"""

from __future__ import annotations

from dealog.execution.arguments import Contents, split_arguments
from dealog.execution.faults import Fault, FaultKind, Unsupported
from dealog.execution.heap import Statistics
from dealog.execution.interpreter import Outcome, not_interpreted, run
from dealog.execution.lowering import lower
from dealog.execution.machine import Limits

__all__ = [
    "Contents",
    "Fault",
    "FaultKind",
    "Limits",
    "Outcome",
    "Statistics",
    "Unsupported",
    "lower",
    "not_interpreted",
    "run",
    "split_arguments",
]
