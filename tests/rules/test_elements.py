"""Which element of memory is read, which one was written, and which ones are written each time before they are read."""

from __future__ import annotations

import pytest

from .derive import derive

T = "memref<4xi64>"
H = f"memref<2x{T}>"

NAMES = f"""
func.func private @give() -> {H}
func.func @f(%argument: {H}, %n: index, %c: i1, %v: {T}) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hex = arith.constant 0x1 : index
  %h = memref.alloc() : {H}
  %stack = memref.alloca() : {H}
  %p = memref.alloc() : memref<2x3x{T}>
  %one = arith.select %c, %h, %stack : {H}
  %other = arith.select %c, %h, %argument : {H}
  %cast = memref.cast %h : {H} to memref<?x{T}>
  %got = func.call @give() : () -> {H}
  scf.for %i = %c0 to %n step %c1 iter_args(%w = %h) -> ({H}) {{
    scf.for %j = %c0 to %n step %c1 iter_args(%x = %argument) -> ({H}) {{
      memref.store %v, %ACCESS
      scf.yield %one : {H}
    }}
    scf.yield %one : {H}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("access", "element"),
    [
        (f"h[%c0] : {H}", "[0 : index]"),
        (f"h[%zero] : {H}", "[0 : index]"),
        (f"h[%c1] : {H}", "[1 : index]"),
        (f"stack[%c1] : {H}", "[1 : index]"),
        (f"one[%c1] : {H}", "[1 : index]"),
        (f"w[%c1] : {H}", "[1 : index]"),
        (f"p[%c0, %c1] : memref<2x3x{T}>", "[0 : index][1 : index]"),
        (f"p[%c1, %c0] : memref<2x3x{T}>", "[1 : index][0 : index]"),
        (f"p[%c1, %i] : memref<2x3x{T}>", None),
        (f"h[%i] : {H}", None),
        (f"h[%hex] : {H}", None),
        (f"argument[%c0] : {H}", None),
        (f"other[%c0] : {H}", None),
        (f"x[%c0] : {H}", None),
        (f"cast[%c0] : memref<?x{T}>", None),
        (f"got[%c0] : {H}", None),
    ],
)
def test_which_element_of_an_allocation_is_meant(access: str, element: str | None) -> None:
    """Known, unless an index varies, or the memory may be a view that starts elsewhere."""
    fixed = derive(NAMES.replace("ACCESS", access), "fixed_element")
    assert {row[1] for row in fixed} == ({element} if element else set())


STEPS = f"""
func.func @f(%n: index, %c: i1, %g: {H}) {{
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : {H}
  %k = memref.alloc() : {H}
  scf.for %i = %c0 to %n step %c0 iter_args(%w = %h) -> ({H}) {{
    %a = memref.alloc() : {T}
    memref.store %a, %w[%c0] : {H}
    memref.store %a, %g[%i] : {H}
    scf.if %c {{
      %l = memref.load %w[%c0] : {H}
    }}
    scf.yield %h : {H}
  }}
  COPY
  return
}}
"""
FIRST, SECOND, LOAD = "memref.store#6", "memref.store#7", "memref.load#9"
ROUND = "scf.for#4.0"


def test_how_elements_are_named() -> None:
    text = STEPS.replace("COPY", "")
    access, index, small, known = derive(text, "element_access", "access_index", "small_index", "known_index")
    assert access == {(FIRST, "%w"), (SECOND, "%g"), (LOAD, "%w")}
    assert index == {(FIRST, 0, "%c0"), (SECOND, 0, "%i"), (LOAD, 0, "%c0")}
    assert small == {(number, f"{number} : index") for number in range(4)}
    assert known == {("%c0", "0 : index")}
    named, first, means = derive(text, "index_named", "first_indices", "means_element")
    assert named == {(FIRST, 0, "0 : index"), (SECOND, 0, "%i"), (LOAD, 0, "0 : index")}
    assert {row for row in first if row[0] == FIRST} == {(FIRST, 0, ""), (FIRST, 1, "[0 : index]")}
    assert means == {(FIRST, "%w", "[0 : index]"), (SECOND, "%g", "[%i]"), (LOAD, "%w", "[0 : index]")}
    hands, asked, elsewhere, varies, forwards = derive(
        text, "hands_whole", "elements_asked", "may_start_elsewhere", "varying_index", "forwards_to"
    )
    assert hands == {("%w", "%h")} and asked == {("%w",), ("%g",), ("%h",)}
    assert elsewhere == {("%g",)} and varies == {(SECOND,)}
    ways = (("scf.for#4", 3), ("scf.yield#11", 0))
    assert forwards == {(*by, value) for by in ways for value in ("%w", "scf.for#4#0")}


def test_what_is_written_where_and_read_where() -> None:
    text = STEPS.replace("COPY", "")
    writes, first, within, anew = derive(text, "writes_element", "first_written", "read_within", "written_anew")
    assert writes == {("%w", "[0 : index]", ROUND, 1), ("%g", "[%i]", ROUND, 2)} == first
    assert within == {(LOAD, 0, "scf.if#8.0", 0), (LOAD, 1, ROUND, 3), (LOAD, 2, "^bb0", 3)}
    assert anew == {(LOAD, 1, ROUND, 1, 3)}
    put, reads, could, within = derive(text, "put_at", "reads_place", "could_meet", "put_within")
    assert put == {("%w", "[0 : index]", "%a", FIRST), ("%h", "[0 : index]", "%a", FIRST), ("%g", "", "%a", SECOND)}
    assert reads == {(LOAD, "[0 : index]", "%w"), (LOAD, "[0 : index]", "%h")}
    assert could == {(LOAD, "%a", "%w", FIRST), (LOAD, "%a", "%h", FIRST)}
    assert within == {(FIRST, ROUND, 1), (FIRST, "^bb0", 3), (SECOND, ROUND, 2), (SECOND, "^bb0", 3)}


def test_what_is_copied_from_memory() -> None:
    text = STEPS.replace("COPY", f"memref.copy %h, %k : {H} to {H}\n%u = memref.load %k[%c0] : {H}")
    holds, whole, copied, anew = derive(text, "holds_element", "whole_memory_copied", "copied_at", "written_anew")
    assert {("%h",), ("%k",), ("%g",), ("%w",)} <= holds
    assert whole == {("memref.copy#12",)} and copied == {("%k", "%a")} and anew == set()


def test_an_element_does_not_hold_what_is_written_to_another() -> None:
    text = f"""
func.func @f(%i: index, %j: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : {H}
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %c = memref.alloc() : {T}
  memref.store %a, %h[%c0] : {H}
  memref.store %b, %h[%c1] : {H}
  memref.store %c, %h[%i] : {H}
  %first = memref.load %h[%c0] : {H}
  %any = memref.load %h[%j] : {H}
  return
}}
"""

    def met(text: str) -> tuple[set[object], ...]:
        meets, loaded, holds = derive(text, "meets", "loaded_by", "memory_holds")
        assert {row[1] for row in holds} == {"%a", "%b", "%c"}
        return tuple({value for op, value, _ in meets if (name, op) in loaded} for name in ("%first", "%any"))

    assert met(text) == ({"%a", "%c"}, {"%a", "%b", "%c"})
    assert met(text.replace("memref.store %b, %h[%c1]", "memref.store %b, %h[%i]"))[0] == {"%a", "%b", "%c"}


AGAIN = f"""
func.func @f(%n: index, %c: i1, %k: {H}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : {H}
  OUTSIDE
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.alloc() : {T}
    BEFORE
    scf.if %c {{
      %l = memref.load %h[%c1] : {H}
      %x = memref.load %l[%c0] : {T}
    }}
    AFTER
  }}
  return
}}
"""
WRITE = f"memref.store %a, %h[%c1] : {H}"


def _again(outside: str = "", before: str = "", after: str = "") -> str:
    return AGAIN.replace("OUTSIDE", outside).replace("BEFORE", before).replace("AFTER", after)


@pytest.mark.parametrize(
    ("outside", "before", "after"),
    [
        ("", WRITE, ""),
        ("", f"{WRITE}\n%j = arith.addi %i, %c1 : index", ""),
        ("", f"{WRITE}\nmemref.store %a, %h[%c0] : {H}", ""),
        ("", f"{WRITE}\nmemref.store %a, %h[%c1] : {H}", ""),
        ("", f"memref.store %a, %h[%i] : {H}\n%z = arith.addi %i, %i : index", "// [%i]"),
        ("", WRITE, WRITE),
        (f"%o = memref.alloc() : {T}", f"memref.store %o, %h[%c1] : {H}", WRITE),
    ],
)
def test_what_is_written_anew_in_each_round_is_not_what_an_earlier_one_has_written(
    outside: str, before: str, after: str
) -> None:
    text = _again(outside, before, after)
    if "// [%i]" in after:
        text = text.replace("%l = memref.load %h[%c1]", "%l = memref.load %h[%i]")
    renewed, inside, around, gone = derive(text, "renewed_in", "renewed_inside", "renewed_around", "gone_by")
    read, block, _, _ = next(iter(renewed))
    assert block.startswith("scf.for#")
    assert {row[0] for row in inside} == {read} and {row[1] for row in inside} == {"^bb0"}
    assert {row[1] for row in around} == {block, "^bb0"}
    assert gone == set()


@pytest.mark.parametrize(
    ("outside", "before", "after"),
    [
        ("", "", WRITE),
        (f"%o = memref.alloc() : {T}\nmemref.store %o, %h[%c1] : {H}", "", WRITE),
        ("", f"scf.if %c {{ {WRITE} }}", ""),
        ("", f"memref.store %a, %h[%i] : {H}", ""),
        (f"%o = memref.alloc() : {T}", f"memref.store %o, %h[%c0] : {H}", WRITE),
        (f"%o = memref.alloc() : {T}", f"memref.store %o, %k[%c1] : {H}", WRITE),
        (f"%o = memref.alloc() : {H}", f"{WRITE}\nmemref.copy %h, %o : {H} to {H}", ""),
        (
            f"%o = memref.alloc() : {H}\n%t = memref.alloc() : memref<1xi32>",
            f"{WRITE}\nmemref.dma_start %o[%c0], %h[%c0], %c1, %t[%c0] : {H}, {H}, memref<1xi32>",
            "",
        ),
    ],
)
def test_it_may_be_where_that_is_not_sure(outside: str, before: str, after: str) -> None:
    """Written later, or before the rounds, on a condition, at another index, to other memory; or memory is copied."""
    renewed, gone = derive(_again(outside, before, after), "renewed_in", "gone_by")
    assert {row[1] for row in renewed} <= {"^bb0"}
    assert {row[1] for row in gone} == {"%a"}


def test_what_is_written_in_between_may_be_read() -> None:
    """By whatever name, and also where that is on a condition, or in a call; nothing that is written before."""
    outside = "\n".join(f"%{name} = memref.alloc() : {T}" for name in ("b", "d", "e", "o", "z"))
    outside += f"\n%other = arith.select %c, %h, %k : {H}\nmemref.store %z, %h[%c1] : {H}"
    before = f"""
    memref.store %o, %h[%c1] : {H}
    scf.if %c {{ memref.store %b, %h[%i] : {H} }}
    memref.store %d, %other[%c1] : {H}"""
    text = _again(outside, before, f"memref.store %e, %h[%c1] : {H}")
    meets = derive(text, "meets")
    assert {row[1] for row in meets} == {"%o", "%b", "%d"}
    behind = f"memref.store %z, %h[%c1] : {H}"
    text = text.replace("%l =", "scf.for %q = %c0 to %n step %c1 {\n%l =").replace("%x = ", f"{behind}\n}}\n// ")
    assert {row[1] for row in derive(text, "meets")} == {"%o", "%b", "%d", "%z"}


def test_the_innermost_block_counts() -> None:
    """In both loops the element is written; the inner one is what is read."""
    text = _again(
        f"%o = memref.alloc() : {T}",
        f"memref.store %o, %h[%c1] : {H}\nscf.for %q = %c0 to %n step %c1 {{\n%b = memref.alloc() : {T}\n"
        f"memref.store %b, %h[%c1] : {H}\n%y = arith.addi %i, %i : index",
        "}",
    )
    renewed, meets, gone, refused = derive(text, "renewed_in", "meets", "gone_by", "refused")
    assert len(renewed) == 1
    assert {row[1] for row in meets} == {"%b"}
    assert gone == refused == set()


def test_rounds_of_blocks() -> None:
    """The memory is from before the cycle; in each round its element is written before it is read, or after that."""
    text = f"""
func.func @f(%c: i1) {{
  %zero = arith.constant 0 : index
  %h = memref.alloc() : {H}
  cf.br ^loop
^loop:
  %a = memref.alloc() : {T}
  FIRST
  %y = arith.addi %zero, %zero : index
  %l = memref.load %h[%zero] : {H}
  %x = memref.load %l[%zero] : {T}
  THEN
  cf.cond_br %c, ^loop, ^done
^done:
  return
}}
"""
    write = f"memref.store %a, %h[%zero] : {H}"
    text = text.replace("%y = arith.addi %zero, %zero : index", f"scf.if %c {{ memref.store %a, %h[%y] : {H} }}")
    text = text.replace("%zero = arith", "%y = arith.constant 1 : index\n  %zero = arith", 1)
    names = ("reads_around", "gone_by", "needed_by")
    around, gone, needed = derive(text.replace("FIRST", write).replace("THEN", ""), *names)
    assert around and gone == set() and {row[1] for row in needed} == {"%a"}
    gone = derive(text.replace("FIRST", "").replace("THEN", write), "gone_by")
    assert {row[1] for row in gone} == {"%a"}
