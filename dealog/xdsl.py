"""Dealog as a pass of xDSL: the module goes over as text, and comes back with its deallocations.

    from dealog.xdsl import DealogPass
    DealogPass("buffer-deallocation-pipeline").apply(context, module)

`pip install dealog[xdsl]` brings xDSL; `xdsl-opt -p 'dealog{pipeline="dealloc"}'` then knows the pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.printer import Printer
from xdsl.rewriter import Rewriter
from xdsl.universe import Universe
from xdsl.utils.exceptions import PassFailedException

from dealog.api import Module
from dealog.diagnostics import DealogError

_MADE = ("arith", "bufferization", "cf", "func", "memref", "scf")  # dialects of what passes insert


@dataclass(frozen=True)
class DealogPass(ModulePass):
    """Runs passes of Dealog; `pipeline` is what `dealog.Module.run` takes.

    Operations that xDSL has no definition of (`bufferization.dealloc`, say) come back as unregistered ones. What a
    pass refuses is raised as xDSL's `PassFailedException`, with the messages and lines of the text that went over.
    """

    name = "dealog"

    pipeline: str = "dealloc"
    engine: str = "auto"
    allow_unregistered_dialect: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes on `op`, in place."""
        if self.engine not in ("auto", "souffle", "embedded"):
            raise PassFailedException(f"there is no engine '{self.engine}'; there are auto, souffle and embedded")
        stream = StringIO()
        Printer(stream=stream, print_generic_format=True).print_op(op)
        try:
            given = Module.parse(
                stream.getvalue(), "<xdsl>", engine=self.engine,  # type: ignore[arg-type]
                allow_unregistered_dialect=self.allow_unregistered_dialect,
            )  # fmt: skip
            text = given.run(self.pipeline).text
        except DealogError as error:
            raise PassFailedException(str(error)) from error
        made = _parse(ctx, text)
        op.detach_region(op.body)
        op.add_region(Rewriter().move_region_contents_to_new_regions(made.body))
        op.attributes = made.attributes


def _parse(ctx: Context, text: str) -> ModuleOp:
    reading = ctx.clone()
    every = get_all_dialects()
    for name in _MADE:
        if name not in reading.registered_dialect_names:
            reading.register_dialect(name, every[name])
    reading.allow_unregistered = True
    return Parser(reading, text, "<dealog>").parse_module()


UNIVERSE = Universe(all_passes={"dealog": lambda: DealogPass})
"""What `xdsl-opt` finds in an environment that has Dealog."""
