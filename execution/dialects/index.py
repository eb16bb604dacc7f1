"""index: arithmetic on 64 bits."""

from __future__ import annotations

import re

from dealog.execution.compiler import FunctionCompiler, step
from dealog.execution.dialects.arith import apply, chosen, integer_comparisons, integer_operations
from dealog.execution.machine import Step
from dealog.execution.numbers import INDEX_WIDTH, read_scalar, scalar
from dealog.frontend import Operation

_NAMES = {f"index.{name}": name for name in integer_operations(scalar("index"))}  # type: ignore[arg-type]


@step(*_NAMES)
def _operation(c: FunctionCompiler, op: Operation) -> Step:
    return apply(c, op, integer_operations(c.scalar(op, "index"))[_NAMES[op.name]])


@step("index.cmp")
def _cmp(c: FunctionCompiler, op: Operation) -> Step:
    text = re.sub(
        r"#index<cmp_predicate\s*(\w+)>|#index\.cmp_predicate<(\w+)>", r"\1\2", c.attribute(op, "pred")
    )
    return apply(c, op, chosen(c, op, text, integer_comparisons(c.scalar(op, "index"))))


@step("index.constant", "index.bool.constant")
def _constant(c: FunctionCompiler, op: Operation) -> None:
    literal = c.attribute(op, "value").partition(":")[0]
    c.constant(op.results[0], read_scalar(literal, "i1" if "bool" in op.name else "index"))


@step("index.sizeof")
def _sizeof(c: FunctionCompiler, op: Operation) -> None:
    c.constant(op.results[0], INDEX_WIDTH)
