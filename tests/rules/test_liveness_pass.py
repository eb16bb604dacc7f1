"""Where deallocations of the text move to, on small IR."""

from __future__ import annotations

from tests.rules.derive import derive

LIVENESS = ("optimize_allocation_liveness",)

FREED = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %h = memref.alloc() : memref<memref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  memref.store %d, %h[] : memref<memref<4xf32>>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  scf.if %c {
    memref.copy %v, %b : memref<?xf32> to memref<4xf32>
  }
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %d : memref<4xf32>
  memref.dealloc %h : memref<memref<4xf32>>
  return
}
"""


def test_deallocations_move_after_the_last_use() -> None:
    by_name, total, block, outlives, needs, at, last, behind, shared, in_place, moved = derive(
        FREED,
        "freed_by_own_name",
        "frees_by_name_total",
        "freed_in_block",
        "outlives_uses",
        "needs",
        "needed_at",
        "last_need",
        "freed_after_last",
        "shared_place",
        "in_its_place",
        "operation_moved",
        rules=LIVENESS,
    )
    assert {value for value, _ in by_name} == {"%a", "%b", "%d", "%h"}
    assert total == {("%a", 1), ("%b", 1), ("%d", 1), ("%h", 1)}
    assert {(value, b) for value, _, b in block} == {(value, "^bb0") for value in ("%a", "%b", "%d", "%h")}
    assert outlives == {("%d",)}
    assert len([row for row in needs if row[0] == "%a"]) == 3  # the cast, the copy, and what it stands in
    assert {row for row in at if row[0] == "%a"} == {("%a", 5), ("%a", 6)}
    assert last == {("%a", 6), ("%b", 6), ("%d", 4), ("%h", 4)}
    assert {value for value, _, _ in behind} == {"%a", "%b", "%h"}
    assert sorted(n for _, _, n in shared) == [1, 2, 2]
    assert in_place == set()
    assert {row[1:2] + row[3:] for row in moved} == {("after", -3), ("after", -2), ("after", -1)}
