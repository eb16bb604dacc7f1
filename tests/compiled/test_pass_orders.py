"""Passes in orders that nobody has thought of: some on allocations, a deallocation, and some after it.

What comes out runs clean and computes what the program computes without any deallocation, or it is refused for a reason
that is known.
"""

from __future__ import annotations

import random

import pytest

from tests.support import generate, medley, oddities, unstructured
from tests.support.execute import Program, execute
from tests.support.nightly import NIGHTLY, one_in
from tests.support.soundness import deallocated

COUNT = 300 if NIGHTLY else 7
BEFORE = (
    "promote-buffers-to-stack", "buffer-hoisting", "buffer-loop-hoisting", "clone-removal", "copy-removal",
    "sink-allocations", "plan-memory", "plan-memory=arena=argument", "plan-memory=arena=global",
    "buffer-results-to-out-params=hoist-static-allocs hoist-dynamic-allocs", "drop-equivalent-buffer-results",
)  # fmt: skip
STATIC = ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref")
LOWERED = "convert-bufferization-to-memref"
DEALLOCATION = (
    STATIC,
    ("buffer-deallocation-pipeline", LOWERED),
    ("buffer-deallocation-pipeline=private-function-dynamic-ownership=true", LOWERED),
)
BEHIND = (
    "clone-removal", "copy-removal", "sink-allocations", "plan-memory", "plan-memory=arena=argument",
    "plan-memory=arena=global", "optimize-allocation-liveness", "static-buffer-deallocation",
    "drop-equivalent-buffer-results",
)  # fmt: skip
KINDS = ("structured", "wild", "odd", "medley", "loops", "switches", "carried", "calls", "private")
REFUSED = {
    # what MLIR's pass does not take
    "Only structured control-flow loops are supported.",
    "Terminators with more than one successor are not supported!",
    "BranchOpInterface operations with multiple successors are not supported yet",
    "memory free side-effect on MemRef value not supported!",
    "a region of this terminator uses a buffer that may have to be freed ahead of the terminator",
    "cannot create out param for dynamically shaped result",
}
NOT_SEEN_THROUGH = {
    # by the static pass in what another has made
    "this buffer has been freed before",
    "this buffer is used after it has been freed",
    "this buffer may still be used after it is freed here",
    "this buffer may be freed here more than once, or while it is used elsewhere",
    "this may be another buffer, which is freed elsewhere",
    "this buffer is kept in memory that outlives it",
    "this buffer is kept in memory that is read where the buffer cannot be",
    "this function takes over a buffer, and does not free it on some path",
    "on some path, no deallocation that the function has frees this buffer",
}


def _program(kind: str, seed: int) -> str:
    if kind == "odd":
        return oddities.odd_program(seed)
    if kind == "medley":
        return medley.program(seed, 3 + seed % 6)
    if kind in ("structured", "wild"):
        return generate.program(seed, size=6 + seed % 16, wild=kind == "wild")
    return unstructured.program(kind, seed, 3 + seed % 5)


def _passes(chance: random.Random) -> tuple[tuple[str, ...], set[str]]:
    """Passes, and what they may refuse a program for."""
    before = chance.sample(BEFORE, chance.randint(0, 3))
    deallocation, behind = chance.choice(DEALLOCATION), chance.sample(BEHIND, chance.randint(0, 3))
    known = REFUSED | oddities.REFUSED | (NOT_SEEN_THROUGH if "static-buffer-deallocation" in behind else set())
    return (*before, *deallocation, *behind), known


@pytest.mark.parametrize("kind", one_in(2, KINDS))
def test_any_order_of_passes(kind: str) -> None:
    seeds = range(COUNT // len(KINDS) + 1)
    sources = {seed: _program(kind, seed) for seed in seeds}
    orders = {seed: _passes(random.Random(f"orders/{kind}/{seed}")) for seed in seeds}
    outputs = {}
    for seed, text in sources.items():
        passes, known = orders[seed]
        output, refused = deallocated(text, passes)
        assert output is not None or known.issuperset(refused), (passes, refused)
        if output is not None:
            outputs[seed] = output
    ran = execute([Program(str(seed), text) for seed, text in outputs.items()])
    without = execute([Program(str(seed), sources[seed], frees=False) for seed in outputs])
    assert [(orders[int(it.program.name)][0], fault) for it in ran for fault in it.faults] == []
    assert [it.values for it in ran] == [it.values for it in without]
