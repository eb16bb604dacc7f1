"""Blocks that control passes one after the other, and what is live through them; ownership that came along."""

from __future__ import annotations

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)

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
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a, %true : memref<2xf32>, i1), ^bb1(%m, %false : memref<2xf32>, i1)
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


def test_stretches() -> None:
    continues, continued, stretch, comes_after = derive(
        ROW, "continues", "continued", "stretch", "comes_after", rules=STATIC
    )
    assert continues == {("^bb0", "^bb1"), ("^bb2", "^bb3")}
    assert continued == {("^bb1",), ("^bb3",)}
    assert stretch == {
        ("^bb0", "^bb0", 0), ("^bb1", "^bb0", 1), ("^bb2", "^bb2", 0), ("^bb3", "^bb2", 1), ("^bb4", "^bb4", 0),
    }  # fmt: skip
    assert comes_after == {("^bb0", "^bb2"), ("^bb0", "^bb4"), ("^bb2", "^bb4")}


def test_what_is_needed_in_stretches() -> None:
    defined_on, used_on, used_in, last_block, needed_in, past, needed_out, freed = derive(
        ROW, "defined_on", "used_on", "used_in_block", "last_block", "own_need_in", "own_need_past", "own_need_out",
        "freed_at", rules=STATIC,
    )  # fmt: skip
    assert defined_on == {("%a", "^bb0"), ("%b", "^bb0")}
    assert used_on == {("%a", "^bb2"), ("%b", "^bb2"), ("%a", "^bb4")}
    assert last_block <= used_in and {(value, first) for value, first, _ in used_in} == used_on
    assert last_block == {("%a", "^bb2", 1), ("%b", "^bb2", 0), ("%a", "^bb4", 0)}
    assert needed_in == {("^bb2", "%a"), ("^bb2", "%b"), ("^bb4", "%a")}
    assert past == {("^bb0", "%a"), ("^bb0", "%b"), ("^bb2", "%a")}
    assert needed_out == {("^bb0", "%a"), ("^bb1", "%b"), ("^bb3", "%a")}
    assert freed == {
        ("%a", "true", "after", "memref.load#9"),
        ("%b", "true", "after", "memref.load#5"),
        ("%b", "true", "start", "edge 1 of cf.cond_br#4"),
    }


def test_ownership_that_came_along() -> None:
    came, copies, by_hand, ours, names = derive(
        OWN_OUTPUT, "came_along", "copies_unless", "freed_by_hand", "ours_to_free", "has_other_names", rules=STATIC
    )
    assert came == {("%r",), ("%own",), ("%o",)}
    assert copies == {("scf.if#6",)} and by_hand == {("@f",)} and ours == set()
    assert names == {("%a",), ("%m",), ("%r",), ("%v",), ("%k",), ("%o",)}
