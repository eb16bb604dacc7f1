"""`--annotate`: every operation that a pass inserts gets a comment with the decisions that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dealog.asking.reasons import Reasons
from dealog.asking.stage import stages
from dealog.extensions import NO_EXTENSIONS, Extensions

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.ir import Operation
    from dealog.pipeline import Engine, Step


def run_annotated(
    module: Module, steps: Sequence[Step], engine: Engine, extensions: Extensions = NO_EXTENSIONS
) -> None:
    """Run `steps` on `module`, in place, and give every inserted operation a comment.

    Raises `DealogError` as `dealog.pipeline.run` does.
    """
    reasons = Reasons(module)
    for _ in reasons.follow(stages(module, steps, engine, extensions)):
        pass
    annotate(module, reasons)


def annotate(module: Module, reasons: Reasons) -> None:
    """Give each operation of `module` that was inserted the comment that `reasons` has for it. A function that was
    inserted has one, and none on what is in it; nor have the terminators of regions that were inserted."""
    grammar = module.origin.grammar
    covered: set[Operation] = set()
    for op in module.walk():
        parent = op.parent
        if parent in covered:
            covered.add(op)
        elif op.inserted:
            ends = parent is not None and parent.inserted and op.name in grammar.terminators
            op.comment = None if ends else reasons.comment(op)
            if op.name in grammar.isolated:
                covered.add(op)
