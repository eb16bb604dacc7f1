"""Receivers that always are one allocation, and so are other names of it."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"

SWAPPED = f"""
func.func @f(%n: index, %m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %v = memref.cast %a : {T} to memref<?xf32>
  %w = memref.cast %a : {T} to memref<?xf32>
  %r, %s, %t = scf.for %i = %c0 to %n step %c1
      iter_args(%x = %v, %y = %w, %z = %a) -> (memref<?xf32>, memref<?xf32>, {T}) {{
    %b = memref.alloc() : {T}
    scf.yield %y, %x, %b : memref<?xf32>, memref<?xf32>, {T}
  }}
  memref.copy %s, %m : memref<?xf32> to {T}
  return
}}
"""


def test_names_that_change_places() -> None:
    """%x and %y are views of %a for ever, %z is another buffer in the second iteration."""
    handed, views, asked, may, same, source, other = derive(
        SWAPPED, "handed_on_as", "view_of_new", "asked_whether_same", "may_be_asked", "always_same", "same_source",
        "gets_other", rules=STATIC,
    )  # fmt: skip
    assert handed >= {("scf.for#6", 3, "%a"), ("scf.for#6", 4, "%a"), ("scf.for#6", 5, "%a")}
    assert views == {("%a", "%a"), ("%v", "%a"), ("%w", "%a"), ("%b", "%b")}
    assert asked == {("%a",)}
    assert may == {(f"%{name}",) for name in "avwxyzrst"}
    assert same == {("%x",), ("%y",), ("%r",), ("%s",)}
    assert source == {("%x", "%v"), ("%r", "%v"), ("%y", "%w"), ("%s", "%w")}
    assert other == {("%z",), ("%t",)}


def test_the_first_way_is_followed() -> None:
    becomes, order, least, way, first = derive(
        SWAPPED, "becomes", "way_order", "least_order", "first_way", "first_from", rules=STATIC
    )
    assert {row for row in becomes if row[2] == "%z"} == {("scf.for#6", 5, "%z"), ("scf.yield#8", 2, "%z")}
    assert {row for row in order if row[0] == "%x"} == {("%x", "scf.for#6", 3, -1), ("%x", "scf.yield#8", 0, 0)}
    assert ("%x", -1) in least and ("%x", "scf.for#6", 3) in way and ("%x", "scf.yield#8", 0) not in way
    assert first == {(f"%{name}", "%a") for name in "avwxyzrst"}


IN_A_REGION = f"""
func.func @f(%c: i1, %m: {T}) {{
  KEPT
  %r, %s = scf.if %c -> ({T}, {T}) {{
    MADE
    scf.yield %a, %a : {T}, {T}
  }} else {{
    scf.yield OTHER, OTHER : {T}, {T}
  }}
  memref.copy %r, %s : {T} to {T}
  return
}}
"""


@pytest.mark.parametrize(
    ("kept", "made", "other", "same"),
    [
        (f"%a = memref.alloc() : {T}", "", "%a", {("%r",), ("%s",)}),
        ("", f"%a = memref.alloc() : {T}", "%m", set()),  # on another way it is not
        (f"%a = memref.alloc() : {T}", "", "%m", set()),
    ],
)
def test_results_of_regions(kept: str, made: str, other: str, same: set[tuple[str]]) -> None:
    text = IN_A_REGION.replace("KEPT", kept).replace("MADE", made).replace("OTHER", other)
    assert derive(text, "always_same", rules=STATIC) == same


def test_names_that_go_out_of_scope() -> None:
    """The allocation is made anew each time, and its name cannot be seen outside."""
    text = f"""
    func.func @f(%m: {T}) {{
      %r, %s = scf.execute_region -> ({T}, {T}) {{
        %a = memref.alloc() : {T}
        cf.br ^bb1(%a, %a : {T}, {T})
      ^bb1(%x: {T}, %y: {T}):
        scf.yield %x, %y : {T}, {T}
      }}
      memref.copy %r, %s : {T} to {T}
      return
    }}"""
    same, ends = derive(text, "always_same", "ends_with_region_of", rules=STATIC)
    assert same == {("%x",), ("%y",)} and ("scf.yield#4", "%a") in ends


def test_what_the_text_frees() -> None:
    text = f"""
    func.func @f(%m: {T}, %c: i1) {{
      %a = memref.alloc() : {T}
      cf.cond_br %c, ^bb1(%a : {T}), ^bb2
    ^bb1(%x: {T}):
      %v = memref.cast %x : {T} to memref<?xf32>
      memref.dealloc %v : memref<?xf32>
      return
    ^bb2:
      memref.copy %a, %m : {T} to {T}
      return
    }}"""
    freed, same, named, refused, edits = derive(
        text, "may_end_as", "always_same", "rooted_in", "refused", "freed_at", rules=STATIC
    )
    assert freed == {("%v",), ("%x",), ("%a",)} and same == {("%x",)}
    assert {value for value, definer in named if definer == "%a"} == {"%a", "%x", "%v"}
    assert not refused and {(value, where) for value, _, where, _ in edits} == {("%a", "after")}


def test_what_a_function_returns() -> None:
    """Both regions hand %a over, and it is used by its own name behind: there is nothing to clone."""
    text = f"""
    func.func @f(%c: i1, %m: {T}) -> {T} {{
      %a = memref.alloc() : {T}
      %r = scf.if %c -> ({T}) {{
        scf.yield %a : {T}
      }} else {{
        scf.yield %a : {T}
      }}
      memref.copy %a, %m : {T} to {T}
      return %r : {T}
    }}"""
    ends, same, cloned = derive(text, "may_end_as", "always_same", "cloned_for_caller", rules=STATIC)
    assert ends == {("%r",), ("%a",)} and same == {("%r",)} and cloned == set()


@pytest.mark.parametrize(("other", "same"), [("%v", {("%r",), ("%x",)}), ("%b", set())])
def test_choices(other: str, same: set[tuple[str]]) -> None:
    text = f"""
    func.func @f(%m: {T}, %c: i1) {{
      %a = memref.alloc() : {T}
      %b = memref.alloc() : {T}
      %v = memref.subview %a[0] [4] [1] : {T} to {T}
      %r = arith.select %c, %a, {other} : {T}
      cf.br ^bb1(%r : {T})
    ^bb1(%x: {T}):
      memref.copy %x, %a : {T} to {T}
      return
    }}"""
    assert derive(text, "always_same", rules=STATIC) == same


@pytest.mark.parametrize("other", ["%a", "%b"])
def test_what_is_lent_on_and_freed(other: str) -> None:
    """%a is lent to %r, and that to %x, which the text frees: it is %a, or one of two."""
    text = f"""
    func.func @f(%m: {T}, %c: i1) {{
      %a = memref.alloc() : {T}
      %b = memref.alloc() : {T}
      %r = arith.select %c, %a, {other} : {T}
      cf.br ^bb1(%r : {T})
    ^bb1(%x: {T}):
      memref.copy %x, %a : {T} to {T}
      memref.copy %r, %b : {T} to {T}
      memref.dealloc %x : {T}
      return
    }}"""
    lenders, refused = derive(text, "may_free_lender", "refused", rules=STATIC)
    assert bool(refused) == (other == "%b") and (("memref.dealloc#7", "%a") in lenders) == (other == "%b")


def test_ways_that_are_never_taken() -> None:
    """The text frees the buffer on a way that a constant excludes: what goes on from there is an argument, not that."""
    text = f"""
    func.func @f(%m: {T}) {{
      %true = arith.constant true
      %a = memref.alloc() : {T}
      cf.cond_br %true, ^bb2(%a : {T}), ^bb1
    ^bb1:
      memref.dealloc %a : {T}
      cf.br ^bb2(%m : {T})
    ^bb2(%r: {T}):
      memref.copy %r, %m : {T} to {T}
      memref.dealloc %r : {T}
      return
    }}"""
    way, other, same, refused = derive(text, "unreached_way", "gets_other", "always_same", "refused", rules=STATIC)
    assert way == {("cf.br#5", 0, "%r")} and other == {("%r",)} and same == refused == set()


TWICE = """
func.func @f(%c: i1, %d: i1, %o: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %a : memref<4xf32>
  cf.cond_br %d, ^to(%s : memref<4xf32>), ^to(%a : memref<4xf32>)
^to(%x: memref<4xf32>):
  %w = memref.cast %x : memref<4xf32> to memref<?xf32>
  memref.copy %w, %o : memref<?xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
"""


def test_a_branch_that_goes_to_one_block_twice() -> None:
    """One of its two ways is followed, so that there is one buffer that %x is, and not one of two."""
    source, way, several = derive(TWICE, "same_source", "first_way", "several_roots", rules=STATIC)
    assert source == {("%s", "%a"), ("%x", "%s")} and several == set()
    assert way == {("%s", "arith.select#2", 1), ("%x", "cf.cond_br#3", 1)}
