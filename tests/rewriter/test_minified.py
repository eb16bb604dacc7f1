"""What passes make of a text does not depend on the blanks and comments in it."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from tests.support.cases import Case, corpus
from tests.support.dealog import command
from tests.support.minified import commented, minified
from tests.support.nightly import NIGHTLY, one_in
from tests.support.tools import run_mlir_opt

PASSES = [
    ["dealloc"],
    ["dealloc", "--pipeline=mlir", "--private-function-dynamic-ownership"],
    ["opt", "--buffer-results-to-out-params"],
    ["opt", "--drop-equivalent-buffer-results"],
    ["opt", "--buffer-deallocation", "--mlir-print-debuginfo"],
    ["opt", "--ownership-based-buffer-deallocation=private-function-dynamic-ownership", "--mlir-print-debuginfo"],
    ["opt", "--expand-realloc", "--copy-removal", "--convert-signatures"],
]
RESULTS = """
func.func private @one(%c: i1) -> memref<4xf32> attributes {test.x} {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32> loc("x")
}
func.func private @two(%m: memref<4xf32>, %c: i1) -> (memref<4xf32>, i32) {
  %z = arith.constant 1 : i32
  return %m, %z : memref<4xf32>, i32
}
func.func private @made(%c: i1) -> (memref<4xf32>, i32) {
  %a = memref.alloc() : memref<4xf32>
  %z = arith.constant 1 : i32
  return %a, %z : memref<4xf32>, i32
}
func.func private @given(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32> loc(fused["a", "b"])
}
func.func @f(%c: i1, %m: memref<4xf32>) -> i32 {
  %0 = call @one(%c) : (i1) -> memref<4xf32> loc("y")
  %1:2 = call @two(%0, %c) : (memref<4xf32>, i1) -> (memref<4xf32>, i32)
  %2:2 = call @made(%c) : (i1) -> (memref<4xf32>, i32)
  %3 = call @given(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %1#0, %m : memref<4xf32> to memref<4xf32>
  %4 = arith.addi %1#1, %2#1 : i32
  %5 = func.call @one(%c) : (i1) -> memref<4xf32>
  return %4 : i32
}
func.func @g() {
  %0 = memref.alloc() : memref<4xf32>
  return
}
func.func @h(%n: index) -> memref<?xf32> {
  %z = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%z][%n] : memref<64xi8> to memref<?xf32>
  return %v : memref<?xf32>
}
"""
FOLDERS = ("", "lowering", "odd", "static") if NIGHTLY else ("",)
CASES = [
    Case("results", RESULTS),
    *(
        case
        for folder in FOLDERS
        for case in one_in(16, corpus(folder))
        if "allow-unregistered" not in (case.says("options") or "")
    ),
]


@pytest.mark.parametrize(
    ("arguments", "spaced"),
    one_in(5, list(itertools.product(PASSES, [minified, commented]))),
    ids=lambda each: getattr(each, "__name__", None) or each[-1 if len(each) < 3 else 1],
)
def test_blanks_and_comments_do_not_matter(arguments: list[str], spaced: Callable[[str], str]) -> None:
    names, usual_texts, other_texts = [], [], []
    for case in CASES:
        usual, other = (command(*arguments, stdin=text) for text in (case.text, spaced(case.text)))
        assert usual.status == other.status, (case.name, usual.err, other.err)
        if usual.status == 0:
            names.append(case.name)
            usual_texts.append(usual.out)
            other_texts.append(other.out)
    assert "results" in names
    for name, usual, other in zip(names, run_mlir_opt(usual_texts), run_mlir_opt(other_texts), strict=True):
        assert other.unwrap() == usual.unwrap(), name
