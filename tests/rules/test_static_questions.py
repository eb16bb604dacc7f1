"""Why a buffer is not freed by its own name, why an i1 goes with one, and why nothing is decided about one."""

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


UNDECIDED = """
memref.global "private" @kept : memref<2xf32> = dense<0.0>
func.func private @takes(%x: memref<2xf32>) {
  memref.dealloc %x : memref<2xf32>
  return
}
func.func private @by_hand(%c: i1, %n: memref<2xf32>) {
  %true = arith.constant true
  %own = memref.alloc() : memref<2xf32>
  %one = arith.select %c, %own, %n : memref<2xf32>
  %not = arith.xori %c, %true : i1
  scf.if %c {
    memref.dealloc %one : memref<2xf32>
  }
  scf.if %not {
    memref.dealloc %own : memref<2xf32>
  }
  return
}
func.func @f(%c: i1, %m: memref<2xf32>, %box: memref<1xmemref<2xf32>>) {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  %s = memref.alloca() : memref<2xf32>
  %z = arith.select %c, %s, %m : memref<2xf32>
  %g = memref.get_global @kept : memref<2xf32>
  %l = memref.load %box[%i] : memref<1xmemref<2xf32>>
  %h = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  call @takes(%t) : (memref<2xf32>) -> ()
  return
}
"""


def test_why_nothing_is_decided() -> None:
    others, reasons = derive(UNDECIDED, "answers_to", "undecided_because", rules=STATIC)
    assert {tuple(v.rpartition("/")[2] for v in row) for row in others} == {
        ("%v", "%a"), ("%z", "%s"), ("%z", "%m"), ("%one", "%own"), ("%one", "%n"),
    }  # fmt: skip
    why: dict[str, set[str]] = {}
    for value, reason in reasons:
        why.setdefault(value.rpartition("/")[2], set()).add(reason.removeprefix("it belongs to "))
    assert why["%m"] == {"the callers of this function"} and why["%g"] == {"a global variable"}
    assert why["%s"] == {"it is freed automatically at the end of its scope"}
    assert why["%l"] == {"the memory that it is read from"}
    assert why["%h"] == {"whoever frees it by hand"} and why["%t"] == {"it is given to what takes it over"}
    assert why["%x"] == {"the text frees it"} and "the function frees it on conditions of its own" in why["%own"]
    assert "%a" not in why and "%v" not in why
    chosen = UNDECIDED.replace("%t = memref.alloc()", "%t = memref.alloc() {dealog.managed}")
    left = derive(chosen, "undecided_because", rules=STATIC)
    assert ("%a", "the pass leaves it alone, as other operations are chosen") in left
