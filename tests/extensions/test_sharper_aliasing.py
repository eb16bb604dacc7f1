"""A rule of the user's that sharpens aliasing (two pools share no memory) removes run-time checks from the output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.tools import run_mlir_opt

EXAMPLE = Path(__file__).parents[2] / "examples" / "mydb"
DIALECT = ("--dialect", EXAMPLE / "dialect")
POOLS = ("--rules", EXAMPLE / "pools.dl")

# As in examples/mydb/growing.mlir, with a loop that MLIR's own tools know, too.
LOOP = """\
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %known = "mydb.lookup"() {key = "a", pool = @dictionary} : () -> memref<?xi64>
  %old = "mydb.lookup"() {key = "b", pool = @results} : () -> memref<?xi64>
  %new, %all = scf.for %i = %c0 to %n step %c1
      iter_args(%sums = %old, %codes = %known) -> (memref<?xi64>, memref<?xi64>) {
    %more = "mydb.alloc"(%n) {pool = @dictionary} : (index) -> memref<?xi64>
    "mydb.encode"(%codes, %more) : (memref<?xi64>, memref<?xi64>) -> ()
    %next = "mydb.alloc"(%n) {pool = @results} : (index) -> memref<?xi64>
    "mydb.aggregate"(%sums, %more, %next) : (memref<?xi64>, memref<?xi64>, memref<?xi64>) -> ()
    scf.yield %next, %more : memref<?xi64>, memref<?xi64>
  }
  "mydb.sort"(%new, %all) : (memref<?xi64>, memref<?xi64>) -> ()
  return
}
"""

# One buffer is freed, and another one is needed in the next block.
BRANCH = """\
func.func @f(%n: index, %c: i1) {
  %known = "mydb.lookup"() {key = "a", pool = @dictionary} : () -> memref<?xi64>
  %old = "mydb.lookup"() {key = "b", pool = @results} : () -> memref<?xi64>
  %sums = scf.if %c -> (memref<?xi64>) {
    %new = "mydb.alloc"(%n) {pool = @results} : (index) -> memref<?xi64>
    "mydb.sort"(%old, %new) : (memref<?xi64>, memref<?xi64>) -> ()
    scf.yield %new : memref<?xi64>
  } else {
    scf.yield %old : memref<?xi64>
  }
  "mydb.sort"(%sums, %sums) : (memref<?xi64>, memref<?xi64>) -> ()
  cf.br ^bb1(%known : memref<?xi64>)
^bb1(%codes: memref<?xi64>):
  "mydb.sort"(%codes, %codes) : (memref<?xi64>, memref<?xi64>) -> ()
  return
}
"""


MLIR = ("--pipeline=mlir", "--no-settings")


def deallocated(dealog, text: str, engine: str, *arguments: str | Path) -> str:
    """The output of the main job, which MLIR takes."""
    Path("in.mlir").write_text(text)
    run = dealog("dealloc", "in.mlir", *MLIR, "--engine", engine, *DIALECT, *arguments)
    assert (run.status, run.err) == (0, "")
    (taken,) = run_mlir_opt([run.out], "--allow-unregistered-dialect")
    assert taken.ok, taken.errors
    return taken.unwrap()


def checks(text: str) -> tuple[int, int]:
    """How many operations compare addresses, and how many calls of the helper there are, which does so, too."""
    return text.count("arith.cmpi"), text.count("call @dealloc_helper")


def frees(text: str) -> int:
    """How many operations free a buffer of the program, by its base."""
    return len(re.findall(r"memref\.dealloc .*: memref<i64>", text))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        pytest.param(LOOP, ((3, 2), 4), ((0, 0), 4), id="in a loop"),
        # what is passed on may be owned, so far, and is freed in the next block where it is
        pytest.param(BRANCH, ((2, 0), 2), ((0, 0), 1), id="across a branch"),
    ],
)
def test_run_time_checks_go(folder, dealog, engine, text, before, after):
    without = deallocated(dealog, text, engine)
    assert (checks(without), frees(without)) == before
    sharper = deallocated(dealog, text, engine, *POOLS)
    assert (checks(sharper), frees(sharper)) == after


def test_the_example_of_the_tutorial(folder, dealog, engine):
    def output(*arguments: str | Path) -> str:
        run = dealog("dealloc", EXAMPLE / "growing.mlir", *MLIR, "--engine", engine, *DIALECT, *arguments)
        assert (run.status, run.err) == (0, "")
        return run.out

    without, sharper = output(), output(*POOLS)
    assert (checks(without), frees(without)) == ((3, 2), 4)
    assert (checks(sharper), frees(sharper)) == ((0, 0), 4)


@pytest.mark.parametrize("text", [LOOP, BRANCH], ids=["in a loop", "across a branch"])
@pytest.mark.parametrize(
    "change",
    [
        ("pool = @dictionary", "pool = @results"),  # there is one pool
        ('"mydb.lookup"() {key = "a", pool = @dictionary}', '"mydb.lookup"() {key = "a"}'),  # one is not told
    ],
    ids=["one pool", "no pool"],
)
def test_run_time_checks_stay_where_the_rule_says_nothing(folder, dealog, engine, text, change):
    changed = text.replace(*change)
    assert changed != text
    without = deallocated(dealog, changed, engine)
    assert checks(without) != (0, 0)
    assert deallocated(dealog, changed, engine, *POOLS) == without
