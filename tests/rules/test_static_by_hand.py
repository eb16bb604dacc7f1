"""Buffers that functions free by hand, on conditions of their own."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
CHOSEN = f"""
func.func @f(%c: i1, %x: {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  memref.copy %x, %a : {T} to {T}
  memref.copy %x, %b : {T} to {T}
  %s = arith.select %c, %b, %a : {T}
  %v = memref.cast %s : {T} to memref<?xf32>
  scf.if %c {{
    memref.copy %x, %s : {T} to {T}
    THEN
  }} else {{
    ELSE
  }}
  AFTER
  return
}}
"""
A, B, V = f"memref.dealloc %a : {T}", f"memref.dealloc %b : {T}", "memref.dealloc %v : memref<?xf32>"
LATE, AGAIN, LEAKS = (
    "this buffer is used after it has been freed",
    "this buffer has been freed before",
    "on some path, no deallocation that the function has frees this buffer",
)


@pytest.mark.parametrize(
    ("then", "other", "after", "wrong"),
    [
        (A, B, V, set()),
        (A, f"{B}\n    {V}", f"scf.if %c {{\n    {V}\n  }}", set()),
        (B, A, V, {AGAIN, LEAKS}),
        (A, B, f"memref.copy %b, %x : {T} to {T}\n  {V}", {LATE}),
        (A, "", V, {LEAKS}),
        ("", B, V, {LEAKS}),
    ],
)
def test_what_is_not_chosen_is_freed_by_its_own_name(then: str, other: str, after: str, wrong: set[str]) -> None:
    """As `mlir-opt -canonicalize` leaves it of an `scf.if` that yielded the one or the other, and freed the rest."""
    text = CHOSEN.replace("THEN", then).replace("ELSE", other).replace("AFTER", after)
    beside, as_freed = derive(text, "frees_beside_choice", "freed_by_text_as", rules=STATIC)
    assert {value for _, value in beside} == {name for name, op in (("%a", A), ("%b", B)) if op in then + other}
    assert {value for _, value in as_freed} >= {"%v", "%s"}
    output = run_dealog(text, ("static-buffer-deallocation",))
    assert {each.message for each in output.diagnostics} == wrong
    assert wrong or output.text == text


@pytest.mark.parametrize(
    ("on", "other", "wrong"),
    [("%n", f"scf.if %c {{\n    {A}\n  }}", set()), ("%n", "", {LEAKS}), ("%c", "", {LEAKS})],
)
def test_what_is_chosen_is_freed_on_the_i1_that_chose_it(on: str, other: str, wrong: set[str]) -> None:
    text = f"""
func.func @f(%c: i1, %x: {T}) {{
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %a = memref.alloc() : {T}
  memref.copy %x, %a : {T} to {T}
  %s = arith.select %c, %x, %a : {T}
  memref.copy %s, %x : {T} to {T}
  scf.if {on} {{
    memref.dealloc %s : {T}
  }}
  {other}
  return
}}
"""
    assert ("%s",) in derive(text, "has_other_names", rules=STATIC)
    output = run_dealog(text, ("static-buffer-deallocation",))
    assert {each.message for each in output.diagnostics} == wrong
    assert wrong or output.text == text


NESTED = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %s, %own = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    scf.yield %a, %true : {T}, i1
  }} else {{
    scf.yield %m, %false : {T}, i1
  }}
  memref.copy %s, %m : {T} to {T}
  scf.if %own {{
    scf.if %d {{
      memref.dealloc %s : {T}
    }} else {{
      memref.dealloc %s : {T}
    }}
  }}
  return
}}
"""
FREES_S = f"memref.dealloc %s : {T}"
BY_HAND = "no deallocation that the function has, on conditions of its own, frees this buffer"


def test_a_condition_inside_of_another_that_tells_whether_a_buffer_is_owned() -> None:
    """Only where both hold is the buffer freed; the outer one came with it."""
    under, within, picks, inside, one = derive(
        NESTED, "freed_while", "freed_within_region", "just_picks", "enclosed_in", "frees_on_one_side", rules=STATIC
    )
    assert {(value, on) for _, value, on in under} == {("%s", "%own")}
    assert len({region for _, _, region in within}) == 3
    assert len(picks) == 2
    assert {number for _, _, number in inside} == {0} and one == set()
    output = run_dealog(NESTED, ("static-buffer-deallocation",))
    assert output.text == NESTED, output.diagnostics


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        (NESTED.replace(f"else {{\n      {FREES_S}", "else {\n"), {LEAKS}),
        (NESTED.replace("    }\n  }\n  return", f"    }}\n    {FREES_S}\n  }}\n  return"), {AGAIN}),
        (NESTED.replace("  return\n", f"  memref.copy %s, %m : {T} to {T}\n  return\n"), {LATE}),
    ],
)
def test_a_condition_inside_of_another_under_which_a_way_is_wrong(changed: str, wrong: set[str]) -> None:
    assert changed != NESTED
    output = run_dealog(changed, ("static-buffer-deallocation",))
    assert {each.message for each in output.diagnostics} == wrong


@pytest.mark.parametrize("kind", ["select", "scf.if"])
def test_two_conditions_that_say_which_of_two_buffers_is_freed(kind: str) -> None:
    """Where the outer condition holds, one is freed by the name of the choice, and the other by its own."""
    both = f"scf.if %c -> ({T}) {{\n scf.yield %a : {T}\n }} else {{\n scf.yield %b : {T}\n }}"
    choice = f"arith.select %c, %a, %b : {T}" if kind == "select" else both
    text = f"""
func.func @f(%c: i1, %d: i1) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %s = {choice}
  scf.if %c {{
    scf.if %d {{
      {FREES_S}
      {B}
    }} else {{
      {B}
      {FREES_S}
    }}
  }} else {{
    {A}
    {FREES_S}
  }}
  return
}}
"""
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text
    without = text.replace(f"      {FREES_S}\n      {B}", f"      {B}")
    assert {each.message for each in run_dealog(without, ("static-buffer-deallocation",)).diagnostics} == {LEAKS}
