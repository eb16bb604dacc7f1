"""Where allocations move down to, on small IR."""

from __future__ import annotations

from tests.rules.derive import derive

SINKING = ("sink_allocations",)

REGIONS = """
func.func @f(%c: i1, %n: index, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  scf.for %i = %n to %n step %n {
    memref.copy %m, %d : memref<4xf32> to memref<4xf32>
  }
  scf.if %c {
    memref.copy %m, %m : memref<4xf32> to memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  }
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  return
}
"""

BLOCKS = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.br ^bb1
^bb1:
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb2, ^bb4
^bb3:
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb4
^bb4:
  return
}
"""


def test_regions() -> None:
    sinking, home, by_name, in_region, only, inside, to_region, goes, region, from_, there, at_once, before = derive(
        REGIONS,
        "sinking",
        "sinks_from",
        "called_by_name",
        "called_in_region",
        "only_caller",
        "called_inside",
        "sinks_to_region",
        "goes_inside",
        "sunk_region",
        "needed_from",
        "needed_there",
        "needed_at_once",
        "sunk_before",
        rules=SINKING,
    )
    assert {row[0] for row in sinking} == {row[0] for row in home} == {"%a", "%b", "%d"}
    assert {op.partition("#")[0] for value, op in by_name if value == "%a"} == {"scf.if", "memref.copy"}
    assert len(in_region) == 5 and len(only) == 5 and {value for value, *_ in inside} == {"%a", "%d"}
    assert len(to_region) == 4 and {row[0] for row in goes} == {"%a"} and len(region) == 3
    assert from_ == {("%a", 1), ("%b", 5), ("%d", 3)} and len(there) == 3
    assert at_once == {("%d",)}
    assert {value for *_, value in before} == {"%a", "%b"}
    assert {anchor.partition("#")[0] for _, anchor, _ in before} == {"memref.copy"}


def test_blocks() -> None:
    first, at, between, ahead, could, alone, to, end, before, moved = derive(
        BLOCKS,
        "first_caller",
        "caller_at",
        "sunk_between",
        "ahead_of_callers",
        "could_sink_to",
        "repeated_alone",
        "sinks_to",
        "sunk_to_end",
        "sunk_before",
        "operation_moved",
        rules=SINKING,
    )
    assert first == {("%a", 2), ("%b", 2)} and {i for value, _, i in at if value == "%a"} == {2, 3}
    assert ("%a", "^bb1", "^bb1") in between and ahead == {("%a", 1), ("%b", 2)}
    assert could == {("%a", "^bb1"), ("%b", "^bb2"), ("%b", "^bb1")} and alone == {("%b", "^bb2")}
    assert to == {("%a", "^bb1"), ("%b", "^bb1")}
    assert {row[1:] for row in end} == {("^bb1", "%a"), ("^bb1", "%b")} and before == set()
    assert {row[1:3] for row in moved} == {("end", "^bb1")}
