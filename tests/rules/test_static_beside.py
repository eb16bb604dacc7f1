"""What private functions are given beside an argument that the text frees there, and that may be the same buffer."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
V = "memref<2xf32, strided<[1], offset: 1>>"
BESIDE = f"""
func.func private @frees_one(%c: i1, %x: {T}, %y: {V}) {{
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %x : {T}
  return
^bb2:
  %zero = arith.constant 0 : index
  %w = memref.load %y[%zero] : {V}
  return
}}
func.func private @passes(%c: i1, %p: {T}, %q: {V}) {{
  call @frees_one(%c, %p, %q) : (i1, {T}, {V}) -> ()
  return
}}
func.func @f(%c: i1) {{
  %a = memref.alloc() : {T}
  %t = memref.subview %a[1] [2] [1] : {T} to {V}
  call @passes(%c, %a, %t) : (i1, {T}, {V}) -> ()
  return
}}
func.func @g(%c: i1) {{
  %b = memref.alloc() : {T}
  %d = memref.alloc() : {T}
  %u = memref.subview %d[1] [2] [1] : {T} to {V}
  call @passes(%c, %b, %u) : (i1, {T}, {V}) -> ()
  return
}}
"""


def test_a_view_is_given_beside_what_is_freed() -> None:
    gives, back, same, beside, lies, freed = derive(
        BESIDE, "gives_freed", "led_back", "same_given", "given_beside", "lies_beside", "freed_after", rules=STATIC
    )
    assert {row[1:] for row in gives} == {("@frees_one", 1), ("@passes", 1)}
    named = {(value.rpartition("/")[2], source.rpartition("/")[2]) for value, source in back}
    assert {("%t", "%a"), ("%q", "%p"), ("%u", "%d")} <= named and ("%u", "%b") not in named
    assert same == {("@passes/func.call#1", "@frees_one", 1, 2), ("func.call#3", "@passes", 1, 2)}
    assert beside == {("@frees_one", 1, 2), ("@passes", 1, 2)}
    assert {(value[-2:], source[-2:]) for value, source in lies} == {("%y", "%x"), ("%q", "%p")}
    assert {(value[-2:], "memref.load" in op) for value, op in freed} >= {("%x", True)}


@pytest.mark.parametrize("unlike", [True, False])
def test_what_is_freed_by_two_names(unlike: bool) -> None:
    text = f"""
      func.func private @frees_either(%c: i1, %x: {T}, %y: {T}) {{
        scf.if %c {{
          memref.dealloc %x : {T}
        }} else {{
          memref.dealloc %y : {T}
        }}
        return
      }}
      func.func @f(%c: i1) {{
        %a = memref.alloc() : {T}
        %b = memref.alloc() : {T}
        call @frees_either(%c, %a, {"%b" if unlike else "%a"}) : (i1, {T}, {T}) -> ()
        return
      }}
    """
    refused, two = derive(text, "refused", "frees_by_two_names", rules=STATIC)
    assert len(two) == (not unlike)
    assert {message for _, _, message in refused} == (
        set() if unlike else {"what is called here frees a buffer that it is given by two names"}
    )


@pytest.mark.parametrize("held", ["%a", "%b"])
def test_what_is_freed_may_be_read_from_memory_beside_it(held: str) -> None:
    text = f"""
      func.func private @frees(%c: i1, %x: {T}, %y: memref<1x{T}>) -> f32 {{
        %zero = arith.constant 0 : index
        %v = memref.load %x[%zero] : {T}
        scf.if %c {{
          memref.dealloc %x : {T}
        }}
        %l = memref.load %y[%zero] : memref<1x{T}>
        %w = memref.load %l[%zero] : {T}
        %s = arith.addf %v, %w : f32
        return %s : f32
      }}
      func.func @f(%c: i1) -> f32 {{
        %zero = arith.constant 0 : index
        %a = memref.alloc() : {T}
        %b = memref.alloc() : {T}
        %h = memref.alloc() : memref<1x{T}>
        memref.store {held}, %h[%zero] : memref<1x{T}>
        %r = call @frees(%c, %a, %h) : (i1, {T}, memref<1x{T}>) -> f32
        return %r : f32
      }}
    """
    refused = derive(text, "refused", rules=STATIC)
    message = "what is called here frees a buffer that it may read from memory, too"
    assert {message for _, _, message in refused} == ({message} if held == "%a" else set())


def test_what_a_call_gives_back_leads_back_to_what_it_was_given() -> None:
    text = f"""
      func.func private @same(%x: {T}) -> {T} {{
        return %x : {T}
      }}
      func.func private @frees(%x: {T}, %y: {T}, %n: index) {{
        memref.copy %y, %x : {T} to {T}
        memref.dealloc %x : {T}
        return
      }}
      func.func @f(%n: index) {{
        %a = memref.alloc() : {T}
        %r = call @same(%a) : ({T}) -> {T}
        call @frees(%a, %r, %n) : ({T}, {T}, index) -> ()
        return
      }}
    """
    kept, frees, lie, back, refused = derive(
        text, "hands_back_kept", "may_free_argument", "may_lie_in_buffer", "led_back", "refused", rules=STATIC
    )
    assert kept == {("%r", "%a")} and frees == {("@frees", 0)} and lie == {("%a",), ("%r",)}
    assert back == {("%a", "%a"), ("%r", "%r"), ("%r", "%a")}
    assert refused == set()  # it is used before it is freed
