"""What Dealog knows of mlir-opt beside which it runs: its passes by name, and the class names that reports use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import resources

from dealog.diagnostics import Diagnostic, did_you_mean
from dealog.passes import INSIDE_PIPELINES, PASSES, PIPELINES

_CLASS_NAMES: Mapping[str, str] = {
    "bufferization-lower-deallocations": "LowerDeallocationsPass",
    "convert-bufferization-to-memref": "ConvertBufferizationToMemRefPass",
}


@cache
def mlir_opt_passes() -> frozenset[str]:
    """The names of the passes and pass pipelines of mlir-opt 22."""
    text = resources.files("dealog").joinpath("mlir_opt_passes.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def class_name(pass_name: str) -> str:
    """The name under which mlir-opt reports the pass: `expand-realloc` is `ExpandReallocPass`."""
    made = "".join(word.capitalize() for word in pass_name.split("-")) + "Pass"
    return _CLASS_NAMES.get(pass_name, made)


def no_such_pass(name: str, declared: Collection[str] = ()) -> Diagnostic:
    """The error for a pass that Dealog does not have: that it is mlir-opt's, or what may have been meant. Passes that
    a user's rule files declare are `declared`."""
    if name in mlir_opt_passes():
        return Diagnostic(
            f"'{name}' is a pass of mlir-opt that Dealog does not have",
            hint=f"run it before or after: dealog opt … | mlir-opt --{name}",
        )
    hint = did_you_mean(name, [*PASSES, *PIPELINES, *declared, *(p.name for p in INSIDE_PIPELINES)])
    return Diagnostic(f"'{name}' does not refer to a registered pass or pass pipeline", hint=hint)
