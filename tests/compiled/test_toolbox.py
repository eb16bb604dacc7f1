"""What the passes on allocations make of generated programs runs clean once deallocated, and computes the same."""

from __future__ import annotations

import re

import pytest

from tests.support import generate, unstructured
from tests.support.dealog import run_dealog
from tests.support.nightly import NIGHTLY, nightly, one_in
from tests.support.soundness import judge
from tests.support.toolbox import ON_ALLOCATIONS

COUNT = 24 if NIGHTLY else 3
DEALLOCATED = ("buffer-deallocation-pipeline", "convert-bufferization-to-memref")
PASSES = (
    *ON_ALLOCATIONS,
    "buffer-hoisting=no-more-often",
    "buffer-loop-hoisting=no-more-often max-hoisted-bytes=64",
    "plan-memory=arena=argument",
    "plan-memory=arena=global",
    "buffer-results-to-out-params",
    "buffer-results-to-out-params=hoist-static-allocs hoist-dynamic-allocs",
)
REFUSED = "cannot create out param for dynamically shaped result"
ROUNDS = """\
func.func @f() -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %start = arith.constant 5.0 : f32
  %half = arith.constant 0.5 : f32
  %x = memref.alloc() : memref<4xf32>
  memref.store %start, %x[%zero] : memref<4xf32>
  cf.br ^bb1(%x, %zero, %start : memref<4xf32>, index, f32)
^bb1(%before: memref<4xf32>, %i: index, %sum: f32):
  %y = memref.alloc() : memref<4xf32>
  memref.store %sum, %y[%zero] : memref<4xf32>
  %old = memref.load %before[%zero] : memref<4xf32>
  %less = arith.mulf %sum, %half : f32
  %all = arith.addf %less, %old : f32
  %next = arith.addi %i, %one : index
  %more = arith.cmpi ult, %next, %three : index
  cf.cond_br %more, ^bb1(%y, %next, %all : memref<4xf32>, index, f32), ^bb2
^bb2:
  return %all : f32
}
"""
"""Each round of a loop of blocks reads what the round before allocated when it has allocated its own."""

REUSED = """\
func.func @f() -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %start = arith.constant 5.0 : f32
  %r = scf.for %i = %zero to %three step %one iter_args(%s = %start) -> (f32) {
    %n = arith.addi %i, %three : index
    %a = memref.alloc(%n) : memref<?xf32>
    memref.store %s, %a[%i] : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%zero] : memref<?xf32>
    FREE %a
    %c = memref.alloc(%n) : memref<?xf32>
    memref.store %start, %c[%zero] : memref<?xf32>
    %y = memref.load %b[%zero] : memref<?xf32>
    FREE %b
    %d = memref.alloc(%n) : memref<?xf32>
    memref.store %y, %d[%zero] : memref<?xf32>
    %z = memref.load %c[%zero] : memref<?xf32>
    FREE %c
    %w = memref.load %d[%zero] : memref<?xf32>
    FREE %d
    %sum = arith.addf %z, %w : f32
    scf.yield %sum : f32
  }
  return %r : f32
}
"""


@pytest.mark.parametrize("freed", [False, True], ids=["kept", "freed"])
def test_reused_memory_is_not_needed_any_more(freed: bool) -> None:
    lines = [re.sub("FREE (.*)", r"memref.dealloc \1 : memref<?xf32>", line) for line in REUSED.splitlines()]
    text = "\n".join(line for line in lines if freed or "dealloc" not in line)
    planned = run_dealog(text, ["plan-memory"]).unwrap()
    assert planned.count("memref.alloc(") == 2 and planned.count("memref.dealloc") == 2 * freed
    verdicts = judge({"reused": text}, ("plan-memory",) if freed else ("plan-memory", *DEALLOCATED))
    assert verdicts["reused"].word == "clean", verdicts["reused"].faults


@pytest.mark.parametrize("name", one_in(5, sorted(PASSES)))
def test_generated_programs_run_clean(name: str) -> None:
    programs = {f"structured-{s}": generate.program(s, size=8 + s % 24) for s in range(COUNT)}
    verdicts = judge(programs, (name, *DEALLOCATED))
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not [fault for fault in wrong if not fault.endswith(REFUSED)], "\n".join(wrong)
    assert len(wrong) < COUNT


def test_rounds_of_a_loop_keep_what_they_hand_on() -> None:
    (verdict,) = judge({"rounds": ROUNDS}, ("plan-memory", "static-buffer-deallocation")).values()
    assert verdict.word == "clean", verdict.faults


@nightly
@pytest.mark.parametrize("kind", ["loops", "switches", "carried"])
def test_plans_of_graphs_of_blocks_run_clean(kind: str) -> None:
    programs = {f"{kind}-{seed}": unstructured.program(kind, seed, 3 + seed % 7) for seed in range(COUNT)}
    verdicts = judge(programs, ("plan-memory", "static-buffer-deallocation", DEALLOCATED[1]))
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in v.faults]
    assert not wrong, "\n".join(wrong)
    # (Where a program frees by hand, an arena that is lent to several block arguments at once may seem needed.)
    refused = [f"{case}: {reason}" for case, v in verdicts.items() for reason in v.refused]
    assert len(refused) <= COUNT // 50, "\n".join(refused)


@pytest.mark.parametrize("name", ["clone-removal", "copy-removal"])
def test_what_is_deallocated_stays_clean(name: str) -> None:
    """Copies that the deallocation inserted go, with the deallocations that this makes one too many."""
    programs = {f"structured-{s}": generate.program(s, size=8 + s % 24) for s in range(100, 100 + COUNT)}
    verdicts = judge(programs, (DEALLOCATED[0], name, DEALLOCATED[1]))
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["plan-memory", pytest.param("copy-removal", marks=nightly)])
def test_generated_programs_run_clean_under_asan(name: str) -> None:
    programs = {f"structured-{s}": generate.program(s, size=12 + s % 24) for s in range(200, 200 + COUNT // 2)}
    verdicts = judge(programs, (DEALLOCATED[0], name, DEALLOCATED[1]), sanitize=True)
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not wrong, "\n".join(wrong)
