"""`--annotate`: every operation that a pass inserts gets a comment with its reason.

The reason of a deallocation is read off the relations of the ownership-based deallocation: which buffers a
block is responsible for, as what, and what is still needed. It stays with whatever later passes make of the
deallocation (see `dealog.rewriter.materialiser`); the rest is told by what an operation is there for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dealog.asking.reasons import Reasons
from dealog.asking.stage import Stage, stages
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.rewriter.build import memref_count

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.ir import Operation, Value
    from dealog.pipeline import Engine, Step

_LISTED = 3  # of the buffers of one deallocation, so many are named
_MADE_FOR = {
    "expand-realloc": "expands a memref.realloc",
    "ownership-based-buffer-deallocation": "for the deallocations of this function",
    "buffer-deallocation-simplification": "for a deallocation that was simplified",
    "fold-inserted-code": "what is left of inserted code",
    "bufferization-lower-deallocations": "lowers a bufferization.dealloc",
    "convert-bufferization-to-memref": "lowers a bufferization.clone or bufferization.dealloc",
}
_HELPER = "compares at run time what is to be freed with what is kept, for the deallocations that call it"


def run_annotated(
    module: Module, steps: Sequence[Step], engine: Engine, extensions: Extensions = NO_EXTENSIONS
) -> None:
    """Run `steps` on `module`, in place, and give every inserted operation a comment.

    Raises `DealogError` as `dealog.pipeline.run` does.
    """
    annotator = Annotator(module)
    before: Stage | None = None
    for stage in stages(module, steps, engine, extensions):
        if before is not None:
            annotator.annotate(before)
        if not stage.idle:
            stage.require([relation.name for relation in stage.program.outputs])
        before = stage
    if before is not None:
        annotator.annotate(before)


class Annotator:
    """Comments on the operations that passes insert into `module`: after each pass, its stage is to be given to
    `annotate`."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.known: set[Operation] = set()
        self.reasons: dict[Value, str] = {}  # why a buffer is freed
        self.perhaps_owned: set[Value] = set()

    def annotate(self, stage: Stage) -> None:
        """Comment on what the pass of `stage` has made."""
        self._learn(stage)
        reasons = Reasons(stage)
        skip: set[Operation] = set()
        for op in self.module.walk():
            if op.parent in skip:
                skip.add(op)
                self.known.add(op)
            elif op.inserted and op not in self.known:
                self.known.add(op)
                if reasons.decisions and op.reasons:
                    op.comment = reasons.comment(op)
                elif op.name == "func.func":
                    op.comment = _HELPER
                    skip.add(op)
                elif op.name == "scf.yield":
                    op.comment = None
                elif op.name == "bufferization.dealloc":
                    op.comment = self._deallocation(op)
                elif op.comment is None:
                    op.comment = self._purpose(op, stage)
                else:
                    op.comment = self._part(op, op.comment)

    def _learn(self, stage: Stage) -> None:
        """Take down why each buffer is freed, if the pass of `stage` has decided that."""
        if stage.idle or "freed_if" not in stage.program.relations:
            return
        words, values = stage.words, stage.facts.values
        has = stage.database.holds
        allocated = {v for v, _ in stage.database.tuples("allocation")}
        returned = {v for v, _ in stage.database.tuples("call_result")}
        for block, value, indicator in stage.database.tuples("freed_if"):
            short = words.within([(block, value)]).value
            place = stage.places.find(value)
            line = f" in line {place.line}" if place is not None else ""
            if has("flows_in", (block, value)):
                reason = f"live into {short(block)}" if "^" in short(block) else "live from before"
            elif value in allocated:
                reason = f"allocated{line}"
            elif value in returned:
                reason = f"returned by the call{line}"
            elif has("region_result", (value,)):
                reason = f"a result{line}"
            else:
                reason = f"an argument of {short(block)}" if "^" in short(block) else "an argument"
            self.reasons[values[str(value)]] = reason
            if indicator != "true":
                self.perhaps_owned.add(values[str(value)])

    def _deallocation(self, op: Operation) -> str:
        count = memref_count(op)
        freed = []
        for operand in op.operands[:count]:
            buffer = self._allocation(operand)
            reason = self.reasons.get(buffer)
            owned = " if owned" if buffer in self.perhaps_owned else ""
            freed.append(f"{buffer.name}{owned}{f' ({reason})' if reason is not None else ''}")
        kept = [self._allocation(buffer).name for buffer in op.operands[2 * count :]]
        if not freed:
            return "frees nothing"
        text = f"frees {_listed(freed)}"
        return f"{text} unless that is {_listed(kept, 'or')}, still needed" if kept else text

    def _part(self, op: Operation, comment: str) -> str:
        """What `op`, which was made in place of a deallocation with this comment, does towards that."""
        if op.name == "memref.dealloc":
            buffer = self._allocation(op.operands[0])
            if buffer in self.reasons:
                return f"frees {buffer.name} ({self.reasons[buffer]})"
        elif op.name == "scf.if":
            return comment
        return re.sub(r" \([^()]*\)", "", comment).replace("frees", "to free", 1)

    def _allocation(self, buffer: Value) -> Value:
        """The buffer that `buffer` is the base buffer of, if it was made for that."""
        from dealog.frontend.ir import Operation

        owner = buffer.owner
        extracting = ("memref.extract_strided_metadata", "memref.reinterpret_cast")
        passed = set()  # where control never comes, values may be made of each other in a circle
        while isinstance(owner, Operation) and owner.inserted and owner.name in extracting and buffer not in passed:
            passed.add(buffer)
            buffer = owner.operands[0]
            owner = buffer.owner
        return buffer

    def _purpose(self, op: Operation, stage: Stage) -> str:
        """What an operation that is no deallocation is there for."""
        pass_name = stage.name.partition(":")[0]
        if pass_name != "ownership-based-buffer-deallocation":
            return _MADE_FOR.get(pass_name, f"made by {pass_name}")
        name = op.name
        if name in ("memref.extract_strided_metadata", "memref.reinterpret_cast"):
            return f"the base of {self._allocation(op.results[0]).name}, to free that"
        if name == "arith.constant":
            return "owned" if op.attributes.get("value") == "true" else "not owned"
        if name == "arith.andi":
            return "owned, and this branch is taken"
        if name == "arith.xori":
            return "the opposite condition"
        if name == "arith.select":
            return "owned, by the branch that is taken"
        if name == "cf.assert":
            return "what is freed by hand must not be freed twice"
        if name == "bufferization.clone":
            takers = {stage.facts.operations[str(name)] for name, _ in stage.database.tuples("cloned_for")}
            for taker in takers:
                if op.results[0] in taker.operands:
                    return f"a copy of {op.operands[0].name} for {taker.name} to take over"
            return f"{op.operands[0].name} is returned, and may be somebody else's"
        if name == "scf.if":
            return "returned as it is where it is owned, else as a copy"
        return _MADE_FOR[pass_name]


def _listed(names: Sequence[str], last: str = "and") -> str:
    names = list(dict.fromkeys(names))
    more = len(names) - _LISTED
    if more > 1:
        return f"{', '.join(names[:_LISTED])} and {more} more"
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
