"""A rule of the user's that sharpens aliasing (two pools share no memory) removes run-time checks from the output."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.nightly import nightly
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


def _deep(name: str, depth: int = 7) -> str:
    """The buffer `%old`, or one of several new ones of its pool, out of regions in regions."""
    if depth == 0:
        return ""
    inner = f"%{name}{depth - 1}" if depth > 1 else f"%{name}"
    return f"""\
  %{name}{depth} = scf.if %c -> (memref<?xi64>) {{
    %new = "mydb.alloc"(%n) {{pool = @{name}}} : (index) -> memref<?xi64>
    "mydb.sort"(%{name}, %new) : (memref<?xi64>, memref<?xi64>) -> ()
    scf.yield %new : memref<?xi64>
  }} else {{
{_deep(name, depth - 1)}    scf.yield {inner} : memref<?xi64>
  }}
"""


# The regions are so deep that buffers are not followed back out of all of them with what tells whether they are owned.
DEEP = f"""\
func.func @f(%n: index, %c: i1) {{
  %dictionary = "mydb.lookup"() {{key = "a", pool = @dictionary}} : () -> memref<?xi64>
  %results = "mydb.lookup"() {{key = "b", pool = @results}} : () -> memref<?xi64>
{_deep("dictionary")}{_deep("results")}\
  "mydb.sort"(%dictionary7, %results7) : (memref<?xi64>, memref<?xi64>) -> ()
  return
}}
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


@nightly
def test_run_time_checks_go(folder, dealog, engine):
    without, sharper = (deallocated(dealog, DEEP, engine, *rules) for rules in ((), POOLS))
    assert checks(without) == (3, 1) and checks(sharper) == (0, 0)
    assert frees(without) == frees(sharper) == 2


def test_what_a_loop_frees_is_its_own(folder, dealog, engine):
    """Nothing is compared without the rule, either."""
    without, sharper = (deallocated(dealog, LOOP, engine, *rules) for rules in ((), POOLS))
    assert checks(without) == checks(sharper) == (0, 0) and frees(without) == frees(sharper) == 4


def test_the_example_of_the_tutorial(folder, dealog, engine):
    def output(*arguments: str | Path) -> str:
        run = dealog("dealloc", EXAMPLE / "growing.mlir", *MLIR, "--engine", engine, *DIALECT, *arguments)
        assert (run.status, run.err) == (0, "")
        return run.out

    without, sharper = output(), output(*POOLS)
    assert checks(without) == (5, 2) and checks(sharper) == (4, 0)  # what is left is about buffers of one pool
    assert frees(without) == frees(sharper) == 4


@pytest.mark.parametrize(
    "change",
    [
        ("pool = @dictionary", "pool = @results"),  # there is one pool
        ('"mydb.lookup"() {key = "a", pool = @dictionary}', '"mydb.lookup"() {key = "a"}'),  # one is not told
    ],
    ids=["one pool", "no pool"],
)
def test_run_time_checks_stay_where_the_rule_says_nothing(folder, dealog, engine, change):
    changed = DEEP.replace(*change)
    assert changed != DEEP
    without = deallocated(dealog, changed, engine)
    assert checks(without) != (0, 0)
    assert deallocated(dealog, changed, engine, *POOLS) == without
