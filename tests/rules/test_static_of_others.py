"""Functions that free an argument on some paths only, where a caller gives one that it does not own."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
MESSAGE = (
    "this function frees a buffer on some paths only, which a caller does not own, or frees on conditions of its own"
)
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
    assert gets == (set() if owned else {("@some", 1, "others"), ("@passes", 1, "others")})
    assert ((gives, "others") in others) == (not owned)
    assert {f for _, f, _ in holds} == (set() if owned else {"@some", "@passes"})
    at_fault = not owned and function is not ALL
    assert (("@some",) in frees) == at_fault
    assert {message for _, _, message in refused} == ({MESSAGE} if at_fault else set())


def test_where_it_would_be_freed() -> None:
    somewhere = derive(_called(SOME, "%w"), "freed_somewhere", rules=STATIC)
    assert {value.rpartition("/")[2] for (value,) in somewhere} == {"%x"}


TOLD = f"""
func.func private @some(%c: i1, %x: {T}) -> i1 {{
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^free, ^keep
^free:
  memref.dealloc %x : {T}
  return %false : i1
^keep:
  KEEP
  return %true : i1
}}
func.func @f(%c: i1) {{
  %a = memref.alloc() : {T}
  %left = call @some(%c, %a) : (i1, {T}) -> i1
  cf.br ^next(%a, %left : {T}, i1)
^next(%y: {T}, %l: i1):
  scf.if %l {{
    memref.dealloc %y : {T}
  }}
  return
}}"""


@pytest.mark.parametrize("keep", ["", f"memref.dealloc %x : {T}"])
def test_what_a_caller_frees_on_an_i1_that_it_gets(keep: str) -> None:
    """@some says by an i1 whether it is still there."""
    text = TOLD.replace("KEEP", keep)
    others, by_hand, refused, owners = derive(
        text, "of_others", "left_to_hand", "refused", "owner_elsewhere", rules=STATIC
    )
    assert owners == {("others",), ("the text",)}
    assert ("@some/%x", "the text") in others and {("%a",), ("%y",)} <= by_hand
    assert {message for _, _, message in refused} == (set() if keep else {MESSAGE})


def test_what_a_caller_frees_on_conditions_may_be_returned() -> None:
    """@some frees its argument, or returns it, and whoever calls it frees what it returns."""
    text = f"""{RETURNS}
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %r = call @some(%c, %a) : (i1, {T}) -> {T}
  memref.copy %r, %m : {T} to {T}
  cf.cond_br %c, ^free, ^next(%r, %true : {T}, i1)
^free:
  memref.dealloc %r : {T}
  cf.br ^next(%m, %false : {T}, i1)
^next(%x: {T}, %own: i1):
  memref.copy %x, %m : {T} to {T}
  scf.if %own {{
    memref.dealloc %x : {T}
  }}
  return
}}"""
    holds, freed, refused = derive(text, "holds_of_others", "freed_for_others", "refused", rules=STATIC)
    assert (freed, refused) == (set(), set())
    assert {owner for _, _, owner in holds} == {"the text"}
