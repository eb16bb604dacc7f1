"""Copies that go: as the older documents print it, and as mlir-opt canonicalizes clones."""

from __future__ import annotations

import pytest

from dealog.frontend import parse
from tests.support import tools
from tests.support.cases import corpus
from tests.support.compare import functions
from tests.support.dealog import run_dealog

CASES = {case.name: case.text for case in corpus("toolbox/copies")}

PRINTED = {
    ("clone-removal", "clones", "dynamic_allocation"): """\
func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %1 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
  return %1 : memref<?x?xf32>
}""",
    ("clone-removal", "clones", "reuse_target"): """\
func.func @reuse_target(%arg0: memref<2xf32>) {
  %temp = memref.alloc() : memref<2xf32>
  linalg.exp ins(%arg0 : memref<2xf32>) outs(%temp : memref<2xf32>)
  memref.dealloc %temp : memref<2xf32>
  return
}""",
    ("copy-removal", "copies", "dynamic_allocation"): """\
func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %7 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %8 = memref.dim %7, %c0 : memref<?x?xf32>
  %c1 = arith.constant 1 : index
  %9 = memref.dim %7, %c1 : memref<?x?xf32>
  return %7 : memref<?x?xf32>
}""",
    ("copy-removal=arguments-are-distinct=true", "copies", "reuse_target"): """\
func.func @reuse_target(%arg0: memref<2xf32>, %result: memref<2xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
    } ins(%arg0 : memref<2xf32>) outs(%result : memref<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = math.exp %x : f32
    linalg.yield %z : f32
  }
  return
}""",
}


@pytest.mark.parametrize(("flag", "case", "function"), PRINTED)
def test_the_examples_of_the_older_documents(flag: str, case: str, function: str) -> None:
    """As they are printed there; where a test dialect writes, linalg does here."""
    assert PRINTED[flag, case, function] in run_dealog(CASES[case], [flag]).unwrap()


MORE_HERE = {
    "on_two_ways": "MLIR leaves both clones, as the source is freed by two operations.",
    "freed_in_another_block": "MLIR only looks for a deallocation in the block of the clone.",
}
KEPT_HERE = {
    "source_written": "The source is written to before the clone is read.",
    "clone_written": "The clone is written to before its source is read.",
    "another_may_be_the_source": "The other argument, which is written to, may be the source.",
    "part_of_a_buffer": "The part would be freed in place of the whole, or outlive it.",
    "kept_in_memory": "The source is written to by the name that it is read from memory by.",
    "source_of_a_loop": "The clone is written to, and each round starts from the source.",
}


def test_clones_go_as_in_mlir() -> None:
    ours = run_dealog(CASES["clones"], ["clone-removal"]).unwrap()
    theirs = tools.run_mlir_opt([CASES["clones"]], "-canonicalize")[0].unwrap()
    counts = [{name: text.count("bufferization.clone") for name, text in functions(t).items()} for t in (ours, theirs)]
    assert counts[0].keys() == counts[1].keys()
    more = {name for name in counts[0] if counts[0][name] < counts[1][name]}
    kept = {name for name in counts[0] if counts[0][name] > counts[1][name]}
    assert (more, kept) == (set(MORE_HERE), set(KEPT_HERE))


@pytest.mark.parametrize("case", CASES)
def test_what_is_left_is_valid(case: str) -> None:
    output = run_dealog(CASES[case], ["copy-removal"]).unwrap()
    assert tools.run_mlir_opt([output], "-verify-each")[0].text is not None
    assert sum(1 for _ in parse(output, "out.mlir").walk()) < sum(1 for _ in parse(CASES[case], "in.mlir").walk())
    assert run_dealog(output, ["copy-removal"]).unwrap() == output
