"""What the ownership-based deallocation inserts, and in which order: its decisions as edits."""

from __future__ import annotations

from .derive import derive

BRANCH = """
func.func @f(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  memref.copy %m, %x : memref<2xf32> to memref<2xf32>
  return %x : memref<2xf32>
}
"""
LOOP = """
func.func @f(%n: index, %c: i1) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%s = %a) -> (memref<2xf32>) {
    scf.if %c {
      %b = memref.alloc() : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
    }
    scf.yield %s : memref<2xf32>
  }
  return
}
"""
RETURN = "func.func @f(%m: memref<2xf32>) -> memref<2xf32> {\n  return %m : memref<2xf32>\n}\n"
NESTED = """
func.func @f(%c: i1) {
  scf.if %c {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %b, %b : memref<2xf32> to memref<2xf32>
  }
  return
}
"""


def test_ownership_that_is_passed_on_is_that_after_the_deallocation():
    updated, passed, values = derive(BRANCH, "updated", "last_passed", "indicator_value")
    assert derive(BRANCH, "companion_called") == {("%x", "own %x")}
    assert updated == {
        ("^bb0", 0, "%a", "%a after ^bb0 by 0"),
        ("^bb0", 0, "%m", "%m after ^bb0 by 0"),
        ("^bb0", 1, "%m", "%m after ^bb0 by 1"),
    }
    assert passed == {("cf.cond_br#2", 0, 1), ("cf.cond_br#2", 1, 2)}
    assert values >= {("true", "true"), ("false", "false"), ("own %x", "own %x"), ("end %m", "own at the end %m")}


def test_what_flows_in_is_freed_first_then_arguments_then_what_is_made():
    order, frees, total = derive(BRANCH, "freeing_order", "frees_next", "buffer_total")
    assert total == {(3,)}
    assert order == {("^bb0", "%a", 8), ("^bb1", "%m", 1), ("^bb1", "%x", 4)}
    assert frees == {
        ("^bb0", 8, "%a", "true"),
        ("^bb1", 1, "%m freed in ^bb1", "end %m"),
        ("^bb1", 4, "%x freed in ^bb1", "own %x"),
        ("^bb1", 9, "base_buffer of owned 0 of func.return#4", "true"),
    }


def test_each_way_out_gets_a_deallocation_with_its_condition():
    deallocations, taken, phases, edges = derive(BRANCH, "deallocation_on", "edge_taken", "phase", "edge_phase")
    assert deallocations == {
        ("^bb0", 0, "^bb0 by 0"), ("^bb0", 1, "^bb0 by 1"), ("^bb1", 0, "^bb1 by 0"),
    }  # fmt: skip
    assert taken == {("^bb0", 0, "%c"), ("^bb0", 1, "not taken ^bb0")}
    bases, conditions = derive(BRANCH, "base_called", "freed_on_condition")
    assert bases == {("^bb1", "%m", "%m freed in ^bb1"), ("^bb1", "%x", "%x freed in ^bb1")}
    assert conditions == set()
    (first,) = (order for name, order in phases if name == "bases")
    (end,) = (order for name, order in phases if name == "end")
    orders = [first, *(order for _, *both, _ in sorted(edges) for order in both), end]
    assert orders == sorted(orders)


def test_what_is_handed_over_is_retained_first():
    forwarded, order = derive(BRANCH, "first_forwarded", "retention_order")
    assert forwarded == {("^bb0", 0, "%a", 1), ("^bb0", 1, "%m", 2)}
    assert order == {("^bb0", 0, "%a", 1), ("^bb0", 0, "%m", 10000001), ("^bb0", 1, "%m", 2)}


def test_copies_of_what_is_returned_are_freed_too():
    edits = ("deallocation_frees", "deallocation_retains")
    copies, views, frees, retains = derive(RETURN, "returned_copy", "copied_view", *edits)
    assert copies == {("func.return#1", 0, "clone 0 of func.return#1")}
    assert views == set()
    assert frees == {("^bb0 by 0", 3, "clone 0 of func.return#1", "true")}
    (name,) = {value for _, _, value, _ in retains}
    assert name == "clone 0 of func.return#1"
    assert derive(BRANCH, "copied_view") == {("func.return#4", 0)}


def test_regions_are_handed_what_they_do_not_own():
    assert derive(LOOP, "last_entry") == {("scf.for#2", 3)}


def test_constants_stand_where_they_are_wanted_first():
    places, inside, wanted, first = derive(LOOP, "entry_place", "place_of", "constant_wanted", "constant_wanted_first")
    assert places == {("scf.for#2.0", 1), ("scf.if#3.0", 1)}
    assert {("memref.alloc#1", "@f", 0), ("memref.copy#5", "@f", 1), ("func.return#8", "@f", 2)} <= inside
    assert wanted == {("@f", constant, place) for constant in ("true", "false") for place in (-1, 1)}
    assert first == {("@f", "true", -1), ("@f", "false", -1)}
    starts, at_start = derive(LOOP, "starts_entry", "constant_at_start")
    assert starts == {("@f", "false", 1), ("@f", "true", 0)}
    assert at_start == {("@f", "false", 999999999), ("@f", "true", 1000000000)}
    assert derive(NESTED, "unplaced", "constant_at_start") == ({("@f", "true", 0)}, {("@f", "true", 0)})


def test_constants_for_calls_stand_right_before_them():
    text = """
func.func private @g() -> memref<2xf32>
func.func @f() {
  %a = func.call @g() : () -> memref<2xf32>
  memref.copy %a, %a : memref<2xf32> to memref<2xf32>
  return
}
"""
    assert derive(text, "constant_before") == {("@f", "true", "func.call#1")}
