"""Programs in which some buffers are allocated, and so freed, by other operations than the rest: each is freed once, by
the operation that goes with it, or the program is refused as two kinds become one.

``gpu.alloc`` stands for the other kind. To be run, it is made a ``memref.alloc`` again in what comes out.
"""

from __future__ import annotations

import random
import re

import pytest

from tests.support import generate, unstructured
from tests.support.execute import Program, execute
from tests.support.nightly import NIGHTLY, one_in
from tests.support.soundness import deallocated_all

PASSES = ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref")
KINDS = ("private", "loops", "wild")
MIXED = "buffers that different operations free go on as one here"
WRONG = "what is freed here is to be freed by gpu.dealloc"
"""What is said of a deallocation of the text, which stays as it is where the allocation is made another."""


def _program(kind: str, seed: int) -> str:
    if kind == "wild":
        return generate.program(seed, size=8 + seed % 24, wild=True)
    return unstructured.program(kind, seed, 3 + seed % 7)


def _made_by_another(text: str, seed: int) -> str:
    """Some of the allocations, or all, become those of another kind."""
    chance = random.Random(f"kinds/{seed}")
    share = chance.choice((0.1, 0.5, 1.0))
    return re.sub(r"memref\.alloc\(", lambda it: "gpu.alloc(" if chance.random() < share else it[0], text)


@pytest.mark.parametrize("kind", one_in(3, KINDS))
def test_each_is_freed_by_its_own_operation(kind: str) -> None:
    sources = {seed: _program(kind, seed) for seed in range(100 if NIGHTLY else 6)}
    outputs, both = {}, 0
    made = {str(seed): _made_by_another(text, seed) for seed, text in sources.items()}
    for seed, (output, refused) in zip(sources, deallocated_all(made, PASSES).values(), strict=True):
        frees = "memref.dealloc" in sources[seed]
        assert output is not None or refused == (MIXED,) or (frees and refused == (WRONG,)), (seed, refused)
        if output is not None:
            both += "gpu.dealloc" in output and "memref.dealloc" in output
            outputs[seed] = output.replace("gpu.alloc", "memref.alloc").replace("gpu.dealloc", "memref.dealloc")
    assert both
    ran = execute([Program(str(seed), text) for seed, text in outputs.items()])
    without = execute([Program(str(seed), sources[seed], frees=False) for seed in outputs])
    assert [(it.program.name, fault) for it in ran for fault in it.faults] == []
    assert [it.values for it in ran] == [it.values for it in without]
