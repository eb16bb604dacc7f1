"""I1s that a call writes to a list, each a conjunction of what another list has at its index: as MLIR's helper does."""

from __future__ import annotations

import pytest

from tests.rules.derive import Rows, derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
I1S = "memref<?xi1>"
ADDRESSES = "memref<?xindex>"

# `%t` is the argument, beside `false`, or a new buffer. What `@f` returns is never the argument, but a copy of it.
LISTED = f"""
func.func private @helper(%m: {ADDRESSES}, %owned: {I1S}, %list: {I1S}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : {ADDRESSES}
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.load %m[%i] : {ADDRESSES}
    %first = arith.cmpi ne, %a, %c0 : index
    %o = memref.load %owned[READ] : {I1S}
    %b = COMBINED
    memref.store %b, %list[%i] : {I1S}
    MORE
  }}
  return
}}
func.func private @f(%k: i1, %p: {T}) -> {T} {{
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %k, ^bb1(%p, %false : {T}, i1), ^bb2
^bb2:
  %x = memref.alloc() : {T}
  memref.copy %p, %x : {T} to {T}
  cf.br ^bb1(%x, %true : {T}, i1)
^bb1(%t: {T}, %g: i1):
  %r = scf.if %g -> ({T}) {{
    scf.yield %t : {T}
  }} else {{
    %y = memref.alloc() : {T}
    memref.copy %t, %y : {T} to {T}
    scf.yield %y : {T}
  }}
  return %r : {T}
}}
func.func private @g(%k: i1, %p: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %t, %g = scf.if %k -> ({T}, i1) {{
    scf.yield %p, FLAG : {T}, i1
  }} else {{
    %x = memref.alloc() : {T}
    memref.copy %p, %x : {T} to {T}
    scf.yield %x, %true : {T}, i1
  }}
  %addresses = memref.alloc() : memref<2xindex>
  %os = memref.alloc() : memref<2xi1>
  %a = memref.extract_aligned_pointer_as_index %t : {T} -> index
  memref.store %a, %addresses[%c0] : memref<2xindex>
  memref.store %c0, %addresses[%c1] : memref<2xindex>
  memref.store %g, %os[%c0] : memref<2xi1>
  memref.store %false, %os[%c1] : memref<2xi1>
  %bs = memref.alloc() : memref<2xi1>
  %m = memref.cast %addresses : memref<2xindex> to {ADDRESSES}
  %o = memref.cast %os : memref<2xi1> to {I1S}
  %b = memref.cast %bs : memref<2xi1> to {I1S}
  call @helper(%m, %o, %b) : ({ADDRESSES}, {I1S}, {I1S}) -> ()
  AGAIN
  %c0_again = arith.constant 0 : index
  %h = memref.load %bs[AT] : memref<2xi1>
  scf.if %h {{
    memref.dealloc %t : {T}
  }}
  memref.dealloc %addresses : memref<2xindex>
  memref.dealloc %os : memref<2xi1>
  memref.dealloc %bs : memref<2xi1>
  return
}}
func.func @h(%k: i1, %p: {T}) {{
  %q = memref.alloc() : {T}
  memref.copy %p, %q : {T} to {T}
  %r = call @f(%k, %q) : (i1, {T}) -> {T}
  call @g(%k, %r) : (i1, {T}) -> ()
  memref.dealloc %q : {T}
  memref.dealloc %r : {T}
  return
}}
"""


def listed(
    *, combined: str = "arith.andi %first, %o : i1", read: str = "%i", more: str = "", flag: str = "%false",
    again: str = "", at: str = "%c0",
) -> str:  # fmt: skip
    text = LISTED.replace("COMBINED", combined).replace("READ", read).replace("MORE", more)
    return text.replace("FLAG", flag).replace("AGAIN", again).replace("[AT]", f"[{at}]")


def short(rows: Rows) -> Rows:
    """The rows without the functions that names stand in."""
    return {tuple(cell.split("/")[-1] if isinstance(cell, str) else cell for cell in row) for row in rows}


@pytest.mark.parametrize(
    ("text", "owned"),
    [
        (listed(), "%g"),
        (listed(combined="arith.andi %o, %first : i1"), "%g"),
        (listed(at="%c0_again"), "%g"),
        (listed(at="%c1"), "%false"),
        (listed(combined="arith.ori %first, %o : i1"), None),
        (listed(read="%c0"), None),
        (listed(more=f"memref.store %first, %list[%c0] : {I1S}"), None),
        (listed(again="memref.store %true, %bs[%c0] : memref<2xi1>"), None),
        (listed(again="memref.store %true, %os[%c0] : memref<2xi1>"), None),
    ],
)
def test_what_is_known_of_an_i1_from_a_list(text: str, owned: str | None) -> None:
    found, narrows, parts, writes, reads, given, else_, same, constants = map(
        short,
        derive(
            text, "listed_flag", "narrows", "i1_conjunct", "writes_at", "reads_at", "given_list", "writes_else",
            "same_index", "constant_index", rules=STATIC,
        ),
    )  # fmt: skip
    assert found == ({("%h", "%bs", owned)} if owned else set())
    assert {memory for _, _, memory, _ in writes} == {"%list", "%os"} | ({"%bs"} if "%true, %bs" in text else set())
    assert {memory for _, memory, _ in reads} == {"%owned", "%bs"} and (parts != set()) == ("arith.andi" in text)
    assert narrows == ({("@helper", 2, 1)} if "arith.andi" in text and "%owned[%i]" in text else set())
    assert else_ == ({("@helper", 2)} if "%first, %list" in text else set())
    assert ({(1, "%os"), (2, "%bs")} <= {(operand, memory) for _, operand, memory in given}) == (narrows != set())
    assert {text for _, text in constants} <= {"0 : index", "1 : index"} and same != set()


def test_an_argument_that_a_list_says_is_not_owned() -> None:
    assert derive(listed(), "may_free_argument", rules=STATIC) == set()
    assert run_dealog(listed(), PASS).text == listed()
    assert ("@g", 1) in derive(listed(flag="%true"), "may_free_argument", rules=STATIC)


@pytest.mark.parametrize("flag", ["%false", "%true", "%k"])
def test_an_argument_that_is_copied_before_it_is_returned(flag: str) -> None:
    text = listed().replace("^bb1(%p, %false : ", f"^bb1(%p, {flag} : ")
    copied, back = derive(text, "copied_unless_ours", "may_give_back", rules=STATIC)
    assert short(copied) == {("%r", "%p", flag), ("%r", "%x", "%true")}
    assert (("@f", 0, 1) in back) == (flag != "%false")


def test_a_result_that_is_copied_before_it_is_returned() -> None:
    text = f"""
func.func private @f(%n: index, %k: i1, %p: {T}) -> {T} {{
  %false = arith.constant false
  %t, %g = scf.for %i = %n to %n step %n iter_args(%q = %p, %o = %false) -> ({T}, i1) {{
    scf.yield %q, FLAG : {T}, i1
  }}
  %r = scf.if %g -> ({T}) {{
    scf.yield %t : {T}
  }} else {{
    %y = memref.alloc() : {T}
    memref.copy %t, %y : {T} to {T}
    scf.yield %y : {T}
  }}
  return %r : {T}
}}
func.func @g(%n: index, %k: i1, %p: {T}) {{
  %r = call @f(%n, %k, %p) : (index, i1, {T}) -> {T}
  memref.copy %r, %p : {T} to {T}
  return
}}
"""
    for flag in ("%false", "%k"):
        copied, back = derive(text.replace("FLAG", flag), "copied_unless_ours", "may_give_back", rules=STATIC)
        assert {value for _, value, _ in short(copied)} == {"%q", "%p"}
        assert (("@f", 0, 2) in back) == (flag == "%k")
