"""What the classic deallocation makes of programs runs clean: no late use, nothing freed twice, the same results."""

from __future__ import annotations

import re

import pytest

from tests.support import generate
from tests.support.execute import Program, execute
from tests.support.nightly import NIGHTLY
from tests.support.soundness import deallocated_all, judge

LOWER = "convert-bufferization-to-memref"
CLASSIC = ("buffer-deallocation", LOWER)
CHAIN = ("classic-buffer-deallocation-pipeline", LOWER)
chains = pytest.mark.parametrize("passes", [CLASSIC, CHAIN], ids=["pass", "pipeline"])
COUNT = 50 if NIGHTLY else 4
REFUSED = "this buffer cannot be freed in one place: no block comes after all its uses where it is known"
LEAKED = re.compile(r": \d+ leaked, [^a-z]*$")

BLOCKS = """
memref.global "private" @sum : memref<1xf32> = dense<0.0>
func.func private @f(%c: i1, %d: i1, %x: f32) -> f32 {
  %z = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  cf.cond_br %c, ^bb1, ^bb3(%a : memref<2xf32>)
^bb1:
  %b = memref.alloc() : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  cf.cond_br %d, ^bb2(%a : memref<2xf32>), ^bb2(%b : memref<2xf32>)
^bb2(%p: memref<2xf32>):
  cf.br ^bb3(%p : memref<2xf32>)
^bb3(%q: memref<2xf32>):
  cf.br ^bb4
^bb4:
  %y = memref.load %q[%z] : memref<2xf32>
  %w = memref.load %a[%z] : memref<2xf32>
  %s = arith.addf %y, %w : f32
  cf.br ^bb5
^bb5:
  return %s : f32
}
func.func @main() -> f32 {
  %one = arith.constant 1.0 : f32
  %t = arith.constant true
  %f = arith.constant false
  %r = call @f(%t, %f, %one) : (i1, i1, f32) -> f32
  %s = call @f(%t, %t, %r) : (i1, i1, f32) -> f32
  %u = call @f(%f, %t, %s) : (i1, i1, f32) -> f32
  return %u : f32
}
"""

LOOPS = """
func.func @main() -> f32 {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %n = arith.constant 5 : index
  %x = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<2xf32>)
  %r = scf.for %i = %z to %n step %o iter_args(%a = %m) -> (memref<2xf32>) {
    %c = arith.cmpi eq, %i, %o : index
    %q = scf.if %c -> (memref<2xf32>) {
      %b = memref.alloc() : memref<2xf32>
      linalg.map ins(%a : memref<2xf32>) outs(%b : memref<2xf32>) (%e: f32, %init: f32) {
        %g = arith.addf %e, %e : f32
        linalg.yield %g : f32
      }
      scf.yield %b : memref<2xf32>
    } else {
      scf.yield %a : memref<2xf32>
    }
    scf.yield %q : memref<2xf32>
  }
  %s = scf.for %i = %z to %z step %o iter_args(%a = %r) -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  %y = memref.load %s[%z] : memref<2xf32>
  return %y : f32
}
"""


@pytest.mark.parametrize("program", [BLOCKS, LOOPS], ids=["blocks", "loops"])
@chains
def test_programs_run_clean_and_nothing_leaks(program: str, passes: tuple[str, ...]) -> None:
    (verdict,) = judge({"program": program}, passes).values()
    assert verdict.word == "clean", verdict


@chains
def test_generated_programs_run(passes: tuple[str, ...]) -> None:
    """What a call returns is not freed, so these may leak; nothing else is wrong with them. Whoever calls a function
    from outside frees nothing here: that one buffer is returned twice, or an argument, is left so, as in MLIR 19."""
    programs = {f"structured-{s}": generate.program(s, size=8 + s % 24) for s in range(COUNT)}
    outputs = deallocated_all(programs, passes)
    refused = [why for _, said in outputs.values() for why in said]
    assert set(refused) <= {REFUSED} and len(refused) <= COUNT // 3
    texts = {name: text for name, (text, _) in outputs.items() if text is not None}
    ran = execute([Program(name, text, frees=False) for name, text in texts.items()])
    without = execute([Program(name, programs[name], frees=False) for name in texts])
    faults = [(it.program.name, fault) for it in ran for fault in it.faults if not LEAKED.search(fault)]
    assert faults == []
    assert [it.values for it in ran] == [it.values for it in without]
