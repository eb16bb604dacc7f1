"""Why a buffer is not freed by its own name, and why an i1 goes with one."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import CARRIED, CHOICE, LOOP

STATIC = ("static_buffer_deallocation",)
OTHERS = """
func.func @f(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %k = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %k : memref<2xf32>
  }
  memref.copy %r, %k : memref<2xf32> to memref<2xf32>
  memref.copy %r, %a : memref<2xf32> to memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  return %b : memref<2xf32>
}
"""
LAST = """
func.func @f(%m: memref<2xf32>, %l: index) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %l to %l step %l iter_args(%x = %a) -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %x, %b : memref<2xf32> to memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  memref.copy %r, %a : memref<2xf32> to memref<2xf32>
  return
}
"""
BY_HAND = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  cf.br ^bb1(%s : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  scf.if %c {
    memref.dealloc %x : memref<2xf32>
  }
  return
}
"""


def test_what_is_handed_over_borrowed_or_returned_is_not_freed_by_its_name() -> None:
    not_freed_by_name, only_lent = derive(OTHERS, "not_freed_by_name", "only_lent", rules=STATIC)
    assert only_lent == {("%r",)}
    assert not_freed_by_name == {("%m",), ("%r",), ("%b",)}


def test_a_loop_that_replaces_its_buffer() -> None:
    not_freed_by_name, ways_differ = derive(LOOP, "not_freed_by_name", "ways_differ", rules=STATIC)
    assert not_freed_by_name == {("%m",), ("%a",), ("%b",)}
    assert ways_differ == set()


def test_the_ways_that_make_an_i1_necessary() -> None:
    gets_ours, gets_foreign, ways_differ = derive(CHOICE, "gets_ours", "gets_foreign", "ways_differ", rules=STATIC)
    assert gets_ours == {("%s",), ("%x",)}
    assert gets_foreign == set()
    assert ways_differ == set()
    gets_ours, gets_foreign, ways_differ = derive(LAST, "gets_ours", "gets_foreign", "ways_differ", rules=STATIC)
    assert (gets_ours, gets_foreign, ways_differ) == ({("%x",), ("%r",)}, {("%x",), ("%r",)}, {("%x",), ("%r",)})
    assert ("%r",) in derive(CARRIED, "ways_differ", rules=STATIC)


def test_a_function_that_frees_on_conditions_of_its_own() -> None:
    freed_by_the_function, not_freed_by_name = derive(
        BY_HAND, "freed_by_the_function", "not_freed_by_name", rules=STATIC
    )
    assert freed_by_the_function == {("%a", "@f")}
    assert ("%a",) in not_freed_by_name
