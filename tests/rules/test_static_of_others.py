"""Functions that free an argument on some paths only, where a caller gives one that it does not own."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
MESSAGE = "this function frees a buffer on some paths only that a caller gives it and does not own"
SOME = f"""
func.func private @some(%c: i1, %x: {T}) {{
  scf.if %c {{
    memref.dealloc %x : {T}
  }}
  return
}}"""
RETURNS = f"""
func.func private @some(%c: i1, %x: {T}) -> {T} {{
  %r = scf.if %c -> ({T}) {{
    memref.dealloc %x : {T}
    %n = memref.alloc() : {T}
    scf.yield %n : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  return %r : {T}
}}"""
ALL = f"""
func.func private @some(%c: i1, %x: {T}) {{
  %r = scf.if %c -> ({T}) {{
    %n = memref.alloc() : {T}
    memref.dealloc %x : {T}
    scf.yield %n : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  memref.dealloc %r : {T}
  return
}}"""


def _called(function: str, gives: str) -> str:
    result = f" -> {T}" if function is RETURNS else " -> ()"
    front = "%q = " if function is RETURNS else ""
    return f"""{function}
      func.func private @passes(%c: i1, %p: {T}) {{
        {front}call @some(%c, %p) : (i1, {T}){result}
        return
      }}
      func.func @f(%c: i1, %m: {T}, %h: memref<1x{T}>) {{
        %zero = arith.constant 0 : index
        %l = memref.load %h[%zero] : memref<1x{T}>
        %a = memref.alloc() : {T}
        %v = memref.cast %m : {T} to memref<?xf32>
        %w = memref.cast %v : memref<?xf32> to {T}
        call @passes(%c, {gives}) : (i1, {T}) -> ()
        return
      }}
    """


@pytest.mark.parametrize("function", [SOME, RETURNS, ALL])
@pytest.mark.parametrize("gives", ["%w", "%l", "%a"])
def test_what_a_caller_does_not_own(function: str, gives: str) -> None:
    others, gets, holds, frees, refused = derive(
        _called(function, gives), "of_others", "gets_of_others", "holds_of_others", "freed_for_others", "refused",
        rules=STATIC,
    )  # fmt: skip
    owned = gives == "%a"
    assert gets == (set() if owned else {("@some", 1), ("@passes", 1)})
    assert ((gives,) in others) == (not owned)
    assert {f for _, f in holds} == (set() if owned else {"@some", "@passes"})
    at_fault = not owned and function is not ALL
    assert (("@some",) in frees) == at_fault
    assert {message for _, _, message in refused} == ({MESSAGE} if at_fault else set())


def test_where_it_would_be_freed() -> None:
    somewhere = derive(_called(SOME, "%w"), "freed_somewhere", rules=STATIC)
    assert {value.rpartition("/")[2] for (value,) in somewhere} == {"%x"}
