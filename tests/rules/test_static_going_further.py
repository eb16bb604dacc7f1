"""Where callers hand on one of several buffers that they gave, and own."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
FURTHER = """
memref.global "private" @g : memref<2xf32>
func.func private @either(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) -> memref<2xf32> {
  %s = arith.select %c, %m, %n : memref<2xf32>
  return %s : memref<2xf32>
}
func.func private @pick(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) -> memref<2xf32> {
  cf.cond_br %c, ^bb1(%m : memref<2xf32>), ^bb1(%n : memref<2xf32>)
^bb1(%r: memref<2xf32>):
  return %r : memref<2xf32>
}
func.func private @through(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}
func.func @f(%c: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %e = call @either(%c, %a, %b) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  %y = scf.execute_region -> memref<2xf32> {
    %d = memref.alloc() : memref<2xf32>
    %p = func.call @pick(%c, %a, %d) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
    %t = func.call @through(%p) : (memref<2xf32>) -> memref<2xf32>
    scf.yield %t : memref<2xf32>
  }
  cf.br ^bb1(%e : memref<2xf32>)
^bb1(%r: memref<2xf32>):
  memref.copy %y, %r : memref<2xf32> to memref<2xf32>
  %x = memref.load %r[%i] : memref<2xf32>
  return %x : f32
}
"""
GLOBAL = """
memref.global "private" @g : memref<2xf32>
func.func private @fixed(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %g = memref.get_global @g : memref<2xf32>
  %s = arith.select %c, %m, %g : memref<2xf32>
  return %s : memref<2xf32>
}
func.func private @outer(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %r = call @fixed(%c, %m) : (i1, memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %e = call @outer(%c, %a) : (i1, memref<2xf32>) -> memref<2xf32>
  USE
  return
}
"""


def test_one_of_several_arguments_that_goes_further() -> None:
    """@either may return one of its arguments as it is: what it returns is handed on where both have their names. @pick
    may not, as the name of one ends, by way of what @through gives back."""
    one_of, owned, given, named, further, leaves, further_from, handed_back, part_of_several = derive(
        FURTHER, "gives_one_of", "may_be_owned", "given_owned", "named_in", "goes_further", "hands_out_by",
        "goes_further_from", "handed_back", "part_of_several", rules=STATIC,
    )  # fmt: skip
    assert one_of == {("@either", 0), ("@pick", 0)}
    assert {name for (name,) in owned if "@" not in str(name)} == {f"%{name}" for name in "abdepryt"}
    assert {(op, source) for op, _, _, source in given} == {
        ("func.call#3", "%a"), ("func.call#3", "%b"), ("func.call#6", "%a"), ("func.call#6", "%d"),
        ("func.call#7", "%p"),
    }  # fmt: skip
    regions = {value: {region for name, region, _ in named if name == value} for value, _, _ in named}
    assert {value: len(found) for value, found in regions.items()} == {"%e": 1, "%p": 2, "%t": 2, "%r": 1, "%y": 2}
    assert {place for _, _, place in named} == {"first"}
    assert leaves == {("scf.yield#8", 0)}
    assert further == {("%a",), ("%d",), ("%p",), ("%t",)}
    assert further_from == {("@pick", 0), ("@through", 0)}
    assert handed_back == {("@either", 0, 1), ("@either", 0, 2), ("@through", 0, 0)}
    assert part_of_several == {("%e",)}


def test_what_is_handed_on_or_chosen() -> None:
    assert derive(FURTHER, "moves_from", rules=STATIC) == {
        ("@either/%s", "@either/%m"), ("@either/%s", "@either/%n"), ("@pick/%r", "@pick/%m"), ("@pick/%r", "@pick/%n"),
        ("%r", "%e"), ("%y", "%t"),
    }  # fmt: skip


def test_names_of_later_blocks_may_end_at_the_next() -> None:
    text = FURTHER.replace("  %a = memref.alloc", "  cf.br ^bb0\n^bb0:\n  %a = memref.alloc")
    named, further_from = derive(text, "named_in", "goes_further_from", rules=STATIC)
    assert {place for _, _, place in named} == {"first", "later"} and ("@either", 0) in further_from


@pytest.mark.parametrize(
    ("use", "clones"),
    [
        ("memref.copy %e, %m : memref<2xf32> to memref<2xf32>", 0),
        ("cf.br ^bb1(%e : memref<2xf32>)\n^bb1(%x: memref<2xf32>):\n"
         "  memref.copy %x, %m : memref<2xf32> to memref<2xf32>", 0),
        ("memref.dealloc %e : memref<2xf32>", 1),
    ],
)  # fmt: skip
def test_an_argument_or_a_global_variable_that_goes_through_two_functions(use: str, clones: int) -> None:
    text = GLOBAL.replace("USE", use)
    perhaps, several = derive(text, "perhaps_not_given", "several_roots", rules=STATIC)
    assert perhaps == (set() if clones else {("@outer/%r",), ("%e",)}) and perhaps <= several
    output = run_dealog(text, STATIC_PASS).unwrap()
    assert output.count("bufferization.clone") == clones


STATIC_PASS = ("static-buffer-deallocation",)


def test_what_is_owned_and_returned() -> None:
    """Where it can be one argument only, the caller goes on owning that, and a global variable is cloned for it."""
    text = GLOBAL.replace("-> memref<2xf32> {\n  %r", "-> memref<2xf32> {\n  %k = memref.alloc() : memref<2xf32>\n  %r")
    returned, further_from = derive(
        text.replace("@fixed(%c, %m)", "@fixed(%c, %k)").replace("USE", ""), "returned_further", "goes_further_from",
        rules=STATIC,
    )  # fmt: skip
    assert ("@outer/%r",) in returned and further_from == {("@fixed", 0)}


def test_one_of_several_arguments_or_a_new_buffer() -> None:
    """On the path on which @outer returns one of its arguments, it returns `false` beside it."""
    text = (
        FURTHER.split("func.func @f")[0]
        + """
func.func private @outer(%n: i32, %c: i1, %m: memref<2xf32>, %o: memref<2xf32>) -> memref<2xf32> {
  %d = arith.trunci %n : i32 to i1
  cf.cond_br %d, ^bb1, ^bb2
^bb1:
  %r = call @either(%c, %m, %o) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
^bb2:
  %a = memref.alloc() : memref<2xf32>
  WHAT
  return %RESULT : memref<2xf32>
}
func.func @f(%n: i32, %c: i1, %m: memref<2xf32>) {
  %b = memref.alloc() : memref<2xf32>
  %s = call @outer(%n, %c, %b, %m) : (i32, i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  memref.copy %s, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
    )
    new = text.replace("WHAT", "").replace("%RESULT", "%a")
    roots, several, ends, returned = derive(
        new, "returned_root", "returns_several", "returns_what_ends", "returned_indicator", rules=STATIC
    )
    first, second = "@outer/func.return#4", "@outer/func.return#6"
    assert roots == {(first, 0, "@outer/%m"), (first, 0, "@outer/%o"), (second, 0, "@outer/%a")}
    assert several == {(first, 0)} and ends == set()
    assert returned == {(first, 0, "false"), (second, 0, "true")}
    mixed = text.replace(
        "WHAT", "%q = func.call @either(%c, %a, %o) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>"
    ).replace("%RESULT", "%q")
    assert derive(mixed, "returns_what_ends", rules=STATIC) == {("@outer/func.return#7", 0)}


def test_what_is_freed_on_a_condition_alone_is_left_to_the_text() -> None:
    """A clone in its place would be freed there, and not what the caller gave."""
    text = """
func.func private @either(%c: i1, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
  %r = arith.select %c, %x, %y : memref<2xf32>
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %d: i1) {
  %zero = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %r = call @either(%c, %a, %b) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  scf.if %c {
    MORE
    memref.dealloc %r : memref<2xf32>
  }
  return
}
"""
    alone, busy, further = derive(
        text.replace("MORE", ""), "frees_only", "does_other_work", "goes_further_from", rules=STATIC
    )
    assert alone == {("memref.dealloc#7",)} and busy == set() and further == set()
    more = text.replace("MORE", "memref.store %v, %r[%zero] : memref<2xf32>")
    alone, busy, further = derive(more, "frees_only", "does_other_work", "goes_further_from", rules=STATIC)
    assert alone == set() and busy == {("scf.if#6.0",)} and further == {("@either", 0)}
