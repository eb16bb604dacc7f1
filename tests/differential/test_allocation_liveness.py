"""MLIR's `-optimize-allocation-liveness`, which moves deallocations up, takes whatever Dealog writes."""

from __future__ import annotations

import re

import pytest

from tests.support import tools
from tests.support.cases import CORPUS, examples
from tests.support.dealog import run_dealog
from tests.support.nightly import NIGHTLY

# It takes a memref.realloc for a deallocation, and moves it after its uses: none of these leave any.
PIPELINES = {
    "mlir": ("buffer-deallocation-pipeline", "convert-bufferization-to-memref"),
    "ownership": ("expand-realloc=emit-deallocs=false", "ownership-based-buffer-deallocation"),
    "static": ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref"),
}
STRIDE = 1 if NIGHTLY else 30
BEHIND_A_TERMINATOR = re.compile("must be the last operation in the parent block|must terminate its parent block")
"""It takes what a call returns for what the call was given, and what regions chose for all that they chose from: a
deallocation of these goes after a terminator that hands on the result (docs/differences.md). Or it crashes on that. So
it does where a branch hands on what was freed to an argument that nothing uses."""
MOVED_TOO_FAR = 0.04
"""The largest share of outputs to which that may happen."""


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_it_takes_what_dealog_writes(pipeline: str) -> None:
    parts = [part for path in sorted(CORPUS.rglob("*.mlir")) for part in tools.split(path.read_text())]
    parts = [re.sub(r"//\s*expected-.*", "", part) for part in parts]  # what mlir-opt heeds, asked or not
    parts += [case.text for case in examples()] if NIGHTLY else []
    first = list(PIPELINES).index(pipeline)
    outputs = [run_dealog(part, PIPELINES[pipeline], allow_unregistered=True).text for part in parts[first::STRIDE]]
    written = [text for text in outputs if text is not None]
    assert len(written) > len(outputs) // 2
    taken = tools.run_mlir_opt(written, "-allow-unregistered-dialect", "-optimize-allocation-liveness")
    refused = [output for output in taken if not output.ok]
    unknown = [each.errors for each in refused if not each.crashed and not BEHIND_A_TERMINATOR.search(each.errors)]
    assert unknown == []
    assert len(refused) <= max(1, MOVED_TOO_FAR * len(written)), [output.errors for output in refused]


def test_it_moves_what_is_freed_by_hand_after_a_terminator() -> None:
    """Where MLIR mends that, the exception above can go."""
    text = """
func.func private @g(%x: memref<4xf32>) -> memref<4xf32>
func.func @f() -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  %r = call @g(%b) : (memref<4xf32>) -> memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %r : memref<4xf32>
}
"""
    (output,) = tools.run_mlir_opt([text], "-optimize-allocation-liveness")
    assert BEHIND_A_TERMINATOR.search(output.errors)
