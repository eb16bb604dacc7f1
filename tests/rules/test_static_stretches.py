"""Blocks that control passes one after the other, and what is live through them; ownership that came along."""

from __future__ import annotations

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
MODULE = ("builtin.module#0.0",)  # its block, a stretch by itself

ROW = """
func.func @f(%c: i1, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb1
^bb1:
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb4
^bb2:
  %x = memref.load %b[%i] : memref<2xf32>
  cf.br ^bb3
^bb3:
  %y = memref.load %a[%i] : memref<2xf32>
  cf.br ^bb4
^bb4:
  %z = memref.load %a[%i] : memref<2xf32>
  return
}
"""

OWN_OUTPUT = """
func.func @f(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^new, ^bb1(%m, %false : memref<2xf32>, i1)
^new:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb1(%a, %true : memref<2xf32>, i1)
^bb1(%r: memref<2xf32>, %own: i1):
  %v = memref.cast %r : memref<2xf32> to memref<?xf32>
  %o = scf.if %own -> (memref<2xf32>) {
    scf.yield %r : memref<2xf32>
  } else {
    %k = bufferization.clone %r : memref<2xf32> to memref<2xf32>
    scf.yield %k : memref<2xf32>
  }
  return %o : memref<2xf32>
}
"""


# Between ^bb0 and ^bb6 there is a loop: ^bb1, ^bb2 and, over ^bb3 or not, ^bb4. ^bb7 is a loop by itself.
LOOPS = """
func.func @f(%c: i1, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.br ^bb1
^bb1:
  %h = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb6
^bb2:
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  %x = memref.load %a[%i] : memref<2xf32>
  cf.br ^bb4
^bb4:
  cf.br ^bb5
^bb5:
  cf.br ^bb1
^bb6:
  %y = memref.load %h[%i] : memref<2xf32>
  cf.br ^bb7
^bb7:
  cf.cond_br %c, ^bb7, ^bb8
^bb8:
  %z = memref.load %b[%i] : memref<2xf32>
  return
}
"""


def test_stretches() -> None:
    continues, continued, stretch, comes_after, rejoins, outermost = derive(
        ROW, "continues", "continued", "stretch", "comes_after", "rejoins", "outermost", rules=STATIC
    )
    assert continues == {("^bb0", "^bb1"), ("^bb2", "^bb3")}
    assert continued == {("^bb1",), ("^bb3",)}
    assert rejoins == {("^bb1", "^bb4")} and outermost == {("^bb0",), MODULE}
    assert stretch - {(*MODULE, *MODULE, 0)} == {
        ("^bb0", "^bb0", 0), ("^bb1", "^bb0", 1), ("^bb4", "^bb0", 3), ("^bb2", "^bb2", 0), ("^bb3", "^bb2", 1),
    }  # fmt: skip
    assert comes_after == {("^bb2", "^bb4")}


def test_where_ways_come_together_again() -> None:
    branches, arm, passed_from, leads_on, all_lead_on, within = derive(
        ROW, "branches", "arm", "passed_from", "leads_on", "all_lead_on", "within_stretch", rules=STATIC
    )
    assert branches == {("^bb0", 1), ("^bb1", 2), ("^bb2", 1), ("^bb3", 1)}
    assert arm == {("^bb2", "^bb1")} and passed_from == {("^bb2", "^bb2"), ("^bb3", "^bb2")}
    assert leads_on == all_lead_on == {("^bb1", 0, "^bb4"), ("^bb1", 1, "^bb4")}
    assert within == {("^bb2", "^bb1")}


def test_what_leaves_the_ways_does_not_come_together() -> None:
    left = ROW.replace("  cf.br ^bb3", "  cf.cond_br %c, ^bb3, ^bb5").replace("return\n", "return\n^bb5:\n  return\n")
    rejoins, outermost = derive(left, "rejoins", "outermost", rules=STATIC)
    assert rejoins == set() and outermost == {MODULE, ("^bb0",), ("^bb2",), ("^bb3",), ("^bb4",), ("^bb5",)}


def test_loops_between_blocks() -> None:
    retreats, leaves_loop, enters_loop, left_from, heads_loop, rejoins, within, goes_on, stretch = derive(
        LOOPS, "retreats", "leaves_loop", "enters_loop", "loop_left_from", "heads_loop", "rejoins", "within_stretch",
        "goes_on_from", "stretch", rules=STATIC,
    )  # fmt: skip
    assert retreats == {("^bb5", "^bb1"), ("^bb7", "^bb7")}
    assert leaves_loop == {("^bb1", "^bb6"), ("^bb7", "^bb8")}
    assert enters_loop == {("^bb0", "^bb1"), ("^bb6", "^bb7")}
    assert left_from == {("^bb1", "^bb1"), ("^bb7", "^bb7")}
    assert heads_loop == {("^bb1", "^bb0"), ("^bb7", "^bb6")}
    assert rejoins == {("^bb0", "^bb6"), ("^bb2", "^bb4"), ("^bb6", "^bb8")}
    assert within == {("^bb1", "^bb0"), ("^bb2", "^bb0"), ("^bb3", "^bb2"), ("^bb7", "^bb6")}
    assert goes_on == {("^bb0",), ("^bb2",), ("^bb4",), ("^bb6",)}
    assert {t for t in stretch if t[1] == "^bb0"} == {("^bb0", "^bb0", 0), ("^bb6", "^bb0", 2), ("^bb8", "^bb0", 4)}


def test_what_is_needed_between_blocks() -> None:
    """%a is used in the loop, %h is made there and used after it; of %b, which lives through it, nothing is stated."""
    used_between, followed, needed_in, freed = derive(
        LOOPS, "used_between", "followed_between", "own_need_in", "freed_at", rules=STATIC
    )
    assert used_between == {("%a", "^bb2"), ("%a", "^bb0")}
    assert followed == {*used_between, ("%h", "^bb0")}
    assert needed_in == {("^bb1", "%a"), ("^bb2", "%a"), ("^bb3", "%a"), ("^bb4", "%a"), ("^bb6", "%h")}
    assert freed == {
        ("%a", "true", "start", "^bb6"),
        ("%b", "true", "after", "memref.load#14"),
        ("%h", "true", "start", "^bb2"),
        ("%h", "true", "after", "memref.load#11"),
    }


# %x is %b, or borrows from %a, which is used under its own name after the branches.
LENT_THROUGH = """
func.func @f(%c: i1, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2(%a : memref<2xf32>)
^bb1:
  %b = memref.alloc() : memref<2xf32>
  cf.br ^bb2(%b : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  %y = memref.load %x[%i] : memref<2xf32>
  cf.br ^bb5
^bb4:
  cf.br ^bb5
^bb5:
  %z = memref.load %a[%i] : memref<2xf32>
  return
}
"""


def test_what_is_lent_between_blocks_and_needed_after_them() -> None:
    """%a is lent to %x, which is not needed in ^bb4; %a is needed there by its name, which nothing states."""
    asked, named_past, named_past_all, lives_anyway, followed, lent_in, freed = derive(
        LENT_THROUGH, "asked_past", "named_past", "named_past_all", "lives_anyway", "followed_between",
        "lent_needed_in", "freed_at", rules=STATIC,
    )  # fmt: skip
    assert lent_in == {("^bb1", "%a"), ("^bb2", "%a"), ("^bb3", "%a")}
    assert followed == {("%a", "^bb0"), ("%x", "^bb2")}
    assert asked == {("%a", block) for block in ("^bb0", "^bb1", "^bb2", "^bb3", "^bb5")}
    assert named_past == {(block, "%a") for block in ("^bb0", "^bb1", "^bb2", "^bb3")}
    assert named_past_all == {("^bb2", "%a"), ("^bb3", "%a")}
    assert lives_anyway == {("%a", "cf.cond_br#5"), ("%a", "cf.br#7")}
    assert {place for place in freed if place[0] == "%a"} == {("%a", "true", "after", "memref.load#9")}


def test_what_is_needed_in_stretches() -> None:
    defined_on, used_on, used_at, last_index, needed_in, past, needed_out, freed = derive(
        ROW, "defined_on", "used_on", "used_on_at", "last_index", "own_need_in", "own_need_past", "own_need_out",
        "freed_at", rules=STATIC,
    )  # fmt: skip
    assert defined_on == {("%a", "^bb0"), ("%b", "^bb0")}
    assert used_on == {("%a", "^bb2"), ("%b", "^bb2"), ("%a", "^bb0"), ("%b", "^bb0")}
    assert last_index <= used_at and {(value, first) for value, first, _ in used_at} == used_on
    assert last_index == {("%a", "^bb2", 1), ("%b", "^bb2", 0), ("%a", "^bb0", 3), ("%b", "^bb0", 2)}
    assert needed_in == {("^bb2", "%a"), ("^bb2", "%b"), ("^bb4", "%a")}
    assert past == {("^bb2", "%a")}
    assert needed_out == {("^bb0", "%a"), ("^bb1", "%b"), ("^bb3", "%a")}
    assert freed == {
        ("%a", "true", "after", "memref.load#9"),
        ("%b", "true", "after", "memref.load#5"),
        ("%b", "true", "start", "edge 1 of cf.cond_br#4"),
    }


def test_ownership_that_came_along() -> None:
    copies, by_hand, ours, names = derive(
        OWN_OUTPUT, "copies_unless", "freed_by_hand", "ours_to_free", "has_other_names", rules=STATIC
    )
    assert copies == {("scf.if#7",)} and by_hand == {("@f",)} and ours == set()
    assert names == {("%a",), ("%m",), ("%r",), ("%v",), ("%k",), ("%o",)}
