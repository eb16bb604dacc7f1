"""Dominator trees, and where allocations could stand further up, on small IR."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support import unstructured

TREE = ("dominator_tree", "dominance")
HOISTING = ("buffer_hoisting",)
LOOPS = ("buffer_loop_hoisting",)

LADDER = """
func.func @f(%c: i1, %n: index, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb4(%m : memref<2xf32>)
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %k = arith.addi %n, %n : index
  %d = memref.alloc(%k) : memref<?xf32>
  cf.br ^bb4(%a : memref<2xf32>)
^bb3:
  cf.br ^bb4(%m : memref<2xf32>)
^bb4(%x: memref<2xf32>):
  %g = memref.alloc() : memref<2xf32>
  memref.dealloc %g : memref<2xf32>
  cf.cond_br %c, ^bb4(%m : memref<2xf32>), ^bb5
^bb5:
  return
}
"""

ODD = """
func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}
"""

REGIONS = """
func.func @f(%c: i1, %n: index, %m: memref<?xf32>) {
  %zero = arith.constant 0 : index
  scf.for %i = %zero to %n step %n {
    scf.for %j = %zero to %n step %n {
      %a = memref.alloc(%n) : memref<?xf32>
      %b = memref.alloc(%i) : memref<?xf32>
      %s = memref.alloca() : memref<2xf32>
      %g = memref.alloc() : memref<2xf32>
      memref.dealloc %g : memref<2xf32>
    }
  }
  %r = scf.if %c -> (memref<?xf32>) {
    %d = memref.alloc(%n) : memref<?xf32>
    scf.yield %d : memref<?xf32>
  } else {
    scf.yield %m : memref<?xf32>
  }
  return
}
"""


def test_the_tree_of_a_ladder() -> None:
    ahead, at, last, before, meeting, climbing, parent, depth, back, above, odd = derive(
        LADDER,
        "comes_ahead",
        "ahead_at",
        "last_ahead",
        "ahead_of",
        "meeting",
        "climbing",
        "tree_parent",
        "dominator_depth",
        "goes_back",
        "above_end",
        "odd_region",
        rules=TREE,
    )
    assert ("^bb0", "^bb4") in ahead and ("^bb4", "^bb4") not in ahead
    assert {row for row in at if row[0] == "^bb4"} == {("^bb4", 0, "^bb0"), ("^bb4", 2, "^bb2"), ("^bb4", 3, "^bb3")}
    assert last == {("^bb1", "^bb0"), ("^bb2", "^bb1"), ("^bb3", "^bb1"), ("^bb4", "^bb3"), ("^bb5", "^bb4")}
    assert before == {("^bb4", "^bb3", "^bb2"), ("^bb4", "^bb2", "^bb0")}
    assert {row for row in meeting if row[0] == "^bb4"} == {
        ("^bb4", "^bb3", "^bb3"),
        ("^bb4", "^bb2", "^bb1"),
        ("^bb4", "^bb0", "^bb0"),
    }
    assert ("^bb4", "^bb2", "^bb3", "^bb2") in climbing
    assert parent == {("^bb1", "^bb0"), ("^bb2", "^bb1"), ("^bb3", "^bb1"), ("^bb4", "^bb0"), ("^bb5", "^bb4")}
    assert {(b, n) for b, n in depth if b.startswith("^")} == {
        ("^bb0", 0), ("^bb1", 1), ("^bb2", 2), ("^bb3", 2), ("^bb4", 1), ("^bb5", 2),
    }  # fmt: skip
    assert back == {("^bb4", "^bb4")} and above == {("^bb4", "^bb4")} and odd == set()


def test_a_cycle_with_two_entries_is_odd() -> None:
    (odd,) = (derive(ODD, "odd_region", rules=TREE),)
    assert odd == {("func.func#0:0",)}


@pytest.mark.parametrize("kind", unstructured.KINDS)
def test_the_tree_is_what_dominance_says(kind: str) -> None:
    """`dominance.dl` reads like the definition; the tree is the fast form of it."""
    for seed in range(6):
        text = unstructured.program(kind, seed, 8)
        parent, odd, slow, block = derive(
            text, "tree_parent", "odd_region", "immediately_dominates", "block", rules=TREE
        )
        region = {b: r for b, r, _ in block}
        strange = {r for (r,) in odd}
        assert {(b, d) for b, d in parent if region[b] not in strange} == {
            (b, d) for d, b in slow if region[b] not in strange
        }


def test_uses_below_another_use_are_not_compared() -> None:
    chain = """
func.func @f(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb1
^bb1:
  memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  cf.br ^bb2
^bb2:
  memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
    behind, compared = derive(chain, "below_another", "compared_blocks", rules=HOISTING)
    assert behind == {("%a", "^bb1"), ("%a", "^bb2")}
    assert compared == {("%a", "^bb0", "^bb0")}


def test_hoisting_between_blocks() -> None:
    interest, uses, use_depth, compared, one, all_uses, depends, dependency, bound, block, reached, to, moved = derive(
        LADDER,
        "memory_of_interest",
        "used_at_depth",
        "use_depth",
        "compared_blocks",
        "dominates_use",
        "dominates_uses",
        "depends_on_block",
        "dependency_depth",
        "bound_depth",
        "bound_block",
        "hoisted_to_depth",
        "hoisted_to",
        "operation_moved",
        rules=HOISTING,
    )
    assert {value for value, _ in interest} == {"%a", "%d", "%g"}
    assert {(value, b) for value, b, _ in uses if value == "%a"} == {("%a", f"^bb{n}") for n in (1, 2, 4)}
    assert use_depth == {("%a", 0), ("%d", 0), ("%g", 0)}
    assert ("%a", "^bb1", "^bb4") in compared
    assert ("%a", "^bb0", 0) in one and ("%a", "^bb1", 1) in one
    assert all_uses == {("%a", "^bb0"), ("%d", "^bb2"), ("%g", "^bb4")}
    assert depends == {("%d", "^bb2", 0)} and dependency == {("%d", 0)}
    assert bound == {("%a", 0), ("%d", 0), ("%g", 0)}
    assert {(value, b) for value, b, _ in block} == {("%a", "^bb0"), ("%d", "^bb2"), ("%g", "^bb4")}
    assert reached == {("%a", 0), ("%d", 0)}  # %g is freed by hand
    assert to == {("%a", "^bb0"), ("%d", "^bb2")}
    assert {row[1:3] for row in moved} == {("end", "^bb0")}


def test_hoisting_out_of_regions() -> None:
    placed, regions, by_use, passed, bound, order, to, moved = derive(
        REGIONS,
        "placed_in",
        "placed_in_region",
        "reached_by_use",
        "passed_regions",
        "bound_to_place",
        "place_in_text",
        "hoisted_to",
        "operation_moved",
        rules=HOISTING,
    )
    assert {depth for value, _, _, depth in placed if value == "%a"} == {0, 1, 2}
    assert {depth for value, _, depth in regions if value == "%d"} == {0, 1}
    assert len([row for row in by_use if row[0] == "%d"]) == 2
    assert len(passed) == 3
    assert bound == {("%g",)}
    assert {value for value, _ in order} == {"%a", "%b", "%d", "%g"}
    assert ("%d", "^bb0") in to
    assert len(moved) == 1 and {row[1] for row in moved} == {"before"}


def test_hoisting_out_of_loops() -> None:
    buffers, out, one_by_one, ahead, moved = derive(
        REGIONS, "loop_buffer", "out_of_loops", "one_by_one", "ahead_of_loop", "operation_moved", rules=LOOPS
    )
    assert {(value, rank) for value, _, rank in buffers} == {("%a", 0), ("%b", 0), ("%d", 0), ("%g", 0), ("%s", 1)}
    assert {row for row in out if row[0] in ("%a", "%b", "%s")} == {
        *(("%a", n) for n in (0, 1, 2)),
        *(("%s", n) for n in (0, 1, 2)),
        *(("%b", n) for n in (0, 1)),
    }
    assert ("%g", 0) not in out and ("%d", 1) not in out
    assert len(one_by_one) == 2
    outer, inner = sorted({loop for _, loop in ahead})
    assert ahead == {("%a", outer), ("%s", outer), ("%b", inner)}
    assert {row[1] for row in moved} == {"before"} and len(moved) == 3


OFTEN = """
func.func @f(%c: i1, %n: index, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)
^bb1:
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb2(%a : memref<4xf32>)
^bb2(%x: memref<4xf32>):
  %v = scf.execute_region -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %w = scf.if %c -> (memref<4xf32>) {
    %d = memref.alloc() : memref<4xf32>
    scf.yield %d : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  scf.for %i = %zero to %n step %one {
    %e = memref.alloc() : memref<5xf32>
    scf.for %j = %zero to %three step %one {
      %g = memref.alloc() : memref<6xf32>
      %h = memref.alloc(%n) : memref<?xf32>
      scf.if %c {
        %k = memref.alloc() : memref<7xf32>
      }
    }
  }
  return
}
"""


def test_what_runs_just_as_often() -> None:
    along, first, once = derive(OFTEN, "passed_along", "first_along", "runs_its_region", rules=HOISTING)
    assert along == {("^bb2", "^bb0")}
    assert {("^bb2", "^bb0"), ("^bb1", "^bb1"), ("^bb0", "^bb0")} <= first
    names = {op.partition("#")[0] for (op,) in once}
    assert names == {"scf.execute_region", "scf.for"} and len(once) == 2  # one loop has a known number of rounds


def test_hoisting_no_more_often() -> None:
    leaves, limit, to, moved = derive(
        OFTEN, "may_leave_region", "limited_to_block", "hoisted_to", "operation_moved",
        rules=HOISTING, no_more_often="true",
    )  # fmt: skip
    assert {value for value, depth in leaves if depth == 0} == {"%b", "%g", "%h"}
    assert ("%a", "^bb1", 0) in limit and ("%b", "^bb0", 1) in limit
    assert dict(to)["%b"] == "^bb2" and dict(to)["%a"] == "^bb1" and dict(to)["%d"] not in ("^bb0", "^bb2")
    assert [row[1] for row in moved] == ["before"]
    everywhere = derive(OFTEN, "hoisted_to", rules=HOISTING)
    assert dict(everywhere)["%a"] == "^bb0" and dict(everywhere)["%d"] == "^bb2"
    ahead = dict(derive(OFTEN, "ahead_of_loop", rules=LOOPS, no_more_often="true"))
    anyway = dict(derive(OFTEN, "ahead_of_loop", rules=LOOPS, no_more_often="false"))
    assert set(ahead) == {"%g", "%h"} and ahead["%g"] == ahead["%h"] != anyway["%g"]
    assert set(anyway) == {"%e", "%g", "%h"} and anyway["%e"] == anyway["%g"] == anyway["%h"]


def test_hoisting_of_small_buffers() -> None:
    largest, large, to = derive(
        OFTEN, "largest_hoisted", "too_large_to_hoist", "ahead_of_loop", rules=LOOPS, max_hoisted_bytes="20"
    )
    assert largest == {(20,)}
    assert {value for (value,) in large} == {"%g", "%h", "%k"}
    assert {value for value, _ in to} == {"%e"}
    assert derive(OFTEN, "hoisted_to", rules=HOISTING, max_hoisted_bytes="15") == set()
