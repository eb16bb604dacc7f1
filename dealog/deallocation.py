"""Which deallocation is run, asked about and reported on: a pipeline of `dealog dealloc`, and what it is given.

Everything that speaks of `dealog dealloc` gets its passes from `Deallocation.steps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from dealog.diagnostics import DealogError, Diagnostic, did_you_mean
from dealog.passes import DEALLOCATION, STATIC_DEALLOCATION, Pipeline

if TYPE_CHECKING:
    from dealog.pipeline import Step

PipelineName = Literal["static", "mlir"]
PIPELINE_NAMES: tuple[PipelineName, ...] = get_args(PipelineName)
DEFAULT_PIPELINE: PipelineName = "static"

_PIPELINES: Mapping[PipelineName, Pipeline] = {"static": STATIC_DEALLOCATION, "mlir": DEALLOCATION}
_DECIDING: Mapping[PipelineName, str] = {
    "static": "static-buffer-deallocation",
    "mlir": "ownership-based-buffer-deallocation",
}
_DYNAMIC = "private-function-dynamic-ownership"
_ONLY = "only-function"


@dataclass(frozen=True)
class Deallocation:
    """One of the pipelines of `dealog dealloc`, with its options."""

    pipeline: PipelineName = DEFAULT_PIPELINE
    dynamic_ownership: bool = False
    only_functions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises `DealogError` where there is no such pipeline."""
        if self.pipeline not in _PIPELINES:
            hint = did_you_mean(str(self.pipeline), PIPELINE_NAMES) or f"there are {' and '.join(PIPELINE_NAMES)}"
            raise DealogError(Diagnostic(f"'dealog dealloc' has no pipeline '{self.pipeline}'", hint=hint))

    @property
    def deciding_pass(self) -> str:
        """The name of the pass of the pipeline that decides where buffers are freed."""
        return _DECIDING[self.pipeline]

    def steps(self, options: str = "") -> list[Step]:
        """The passes, with further `options` as mlir-opt takes them.

        Raises:
            DealogError: the pipeline has no such option.
        """
        from dealog.pipeline import expand

        if self.dynamic_ownership and self.pipeline != "mlir":
            raise DealogError(Diagnostic(f"--{_DYNAMIC} belongs to --pipeline=mlir", hint="add --pipeline=mlir"))
        if self.only_functions and self.pipeline != "static":
            raise DealogError(Diagnostic(f"--{_ONLY} belongs to --pipeline=static", hint="add --pipeline=static"))
        chosen = ",".join(self.only_functions)
        if self.only_functions and not all(name.strip() for name in chosen.split(",")):  # a list would not have it
            raise DealogError(f"there is no function '' to choose: --{_ONLY} takes a name")
        own = [_DYNAMIC] if self.dynamic_ownership else []
        own += [f"{_ONLY}={chosen}"] if self.only_functions else []
        return expand(_PIPELINES[self.pipeline], " ".join([*own, options]))


DEFAULT_DEALLOCATION = Deallocation()


def every_deallocation() -> list[Deallocation]:
    """All pipelines, the default one first."""
    return [Deallocation(name) for name in sorted(PIPELINE_NAMES, key=lambda name: name != DEFAULT_PIPELINE)]
