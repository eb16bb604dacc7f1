"""I1s that compare addresses of buffers, one by one or by lists: as MLIR's pass and its helper have them."""

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
        (listed(again=f"memref.store %true, %b[%c0] : {I1S}"), None),
        (listed(again="memref.copy %os, %bs : memref<2xi1> to memref<2xi1>"), None),
        (listed(again=f"call @helper(%m, %o, %b) : ({ADDRESSES}, {I1S}, {I1S}) -> ()"), None),
        (listed(again="memref.store %true, %os[%c0] : memref<2xi1>"), "%g"),
    ],
)
def test_what_is_known_of_an_i1_from_a_list(text: str, owned: str | None) -> None:
    found, changed, names, narrows, parts, writes, reads, given, else_ = map(
        short,
        derive(
            text, "listed_flag", "changed_elsewhere", "names_list", "narrows", "i1_conjunct", "writes_at", "reads_at",
            "given_list", "writes_else", rules=STATIC,
        ),
    )  # fmt: skip
    assert found == ({("%h", "%bs", owned)} if owned else set())
    other = any(line in text for line in ("memref.copy %os", "%true, %b[", ") -> ()\n  call @helper"))
    assert (("%bs",) in changed) == other
    assert narrows == set() or {("%bs", "%bs"), ("%bs", "%b"), ("%os", "%o")} <= names
    assert {"%list", "%os"} <= {memory for _, _, memory, _ in writes}
    assert {memory for _, memory, _ in reads} == {"%owned", "%bs"} and (parts != set()) == ("arith.andi" in text)
    assert narrows == ({("@helper", 2, 1)} if "arith.andi" in text and "%owned[%i]" in text else set())
    assert else_ == ({("@helper", 2)} if "%first, %list" in text else set())
    assert ({(1, "%os"), (2, "%bs")} <= {(operand, memory) for _, operand, memory in given}) == (narrows != set())
    indices, constants, keys = map(short, derive(text, "index_of_list", "constant_index", "index_key", rules=STATIC))
    assert {text for _, text in constants} <= {"0 : index", "1 : index"} and keys == constants | {("%i", "%i")}
    assert indices == {(index,) for index, _ in keys}


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


CALLER = f"""func.func @m(%k: i1, %q: {T}) {{
  %c = memref.alloc() : {T}
  memref.copy %q, %c : {T} to {T}
  %s, %u = call @f(%k, %c) : (i1, {T}) -> ({T}, i1)
  memref.copy %s, %q : {T} to {T}
  scf.if %u {{
    memref.dealloc %s : {T}
  }}
  memref.dealloc %c : {T}
  return
}}
"""

SAME = f"""
func.func private @g(%k: i1, %p: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %k, ^bb1(%p, FLAG : {T}, i1), ^bb2
^bb2:
  %x = memref.alloc() : {T}
  memref.copy %p, %x : {T} to {T}
  cf.br ^bb1(%x, %true : {T}, i1)
^bb1(%t: {T}, %f: i1):
  return %t, %f : {T}, i1
}}
func.func private @f(%k: i1, %p: {T}) -> ({T}, i1) {{
  %r, %o = call @g(%k, %p) : (i1, {T}) -> ({T}, i1)
  %a = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %b = memref.extract_aligned_pointer_as_index %p : {T} -> index
  %e = arith.cmpi eq, ORDER : index
  %h = arith.andi PARTS : i1
  %n = arith.cmpi ne, %a, %b : index
  %d = arith.andi %n, %o : i1
  scf.if %d {{
    memref.dealloc %r : {T}
  }}
  return %p, %h : {T}, i1
}}
{CALLER}"""


@pytest.mark.parametrize("parts", ["%e, %o", "%o, %e"])
@pytest.mark.parametrize("order", ["%a, %b", "%b, %a"])
@pytest.mark.parametrize("flag", ["%false", "%true"])
def test_a_buffer_that_is_ours_as_it_is_another_that_is(flag: str, order: str, parts: str) -> None:
    text = SAME.replace("FLAG", flag).replace("ORDER", order).replace("PARTS", parts)
    address, same, owned, others, calls, free = derive(
        text, "address_of", "same_address", "same_if_owned", "same_as_others", "returns_i1", "may_free_argument",
        rules=STATIC,
    )  # fmt: skip
    assert {("%a", "%r"), ("%b", "%p")} <= short(address) and short(same) == {("%e", "%a", "%b"), ("%e", "%b", "%a")}
    assert {("%h", "%p", "%r", "%o"), ("%e", "%p", "%r", "true")} <= short(owned)
    assert {("%h", "%p"), ("%e", "%p")} <= short(others) and len(calls) == 2
    assert (("@f", 1) in free) == (flag == "%true")
    if flag == "%false":
        assert run_dealog(text, PASS).text == text


# What goes on is `%p`, which the function frees where it is one of the listed buffers, and that is owned.
GATHERED = f"""
func.func private @helper(%goes_on: {ADDRESSES}, %listed: {ADDRESSES}, %owned: {I1S}, %list: {I1S}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %n = memref.dim %listed, %c0 : {ADDRESSES}
  memref.store FIRST, %list[%c0] : {I1S}
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.load %listed[%i] : {ADDRESSES}
    %o = memref.load %owned[%i] : {I1S}
    %b = memref.load %goes_on[%c0] : {ADDRESSES}
    %e = arith.cmpi PREDICATE, %b, %a : index
    scf.if %e {{
      %w = memref.load %list[%c0] : {I1S}
      %v = arith.ori %w, %o : i1
      memref.store %v, %list[%c0] : {I1S}
    }}
  }}
  return
}}
func.func private @f(%k: i1, %p: {T}) -> ({T}, i1) {{
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r = memref.alloc() : {T}
  memref.copy %p, %r : {T} to {T}
  %as = memref.alloc() : memref<1xindex>
  %bs = memref.alloc() : memref<1xindex>
  %os = memref.alloc() : memref<1xi1>
  %ls = memref.alloc() : memref<1xi1>
  %a = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %b = memref.extract_aligned_pointer_as_index %p : {T} -> index
  memref.store %a, %as[%c0] : memref<1xindex>
  memref.store %b, %bs[%c0] : memref<1xindex>
  memref.store %true, %os[%c0] : memref<1xi1>
  %1 = memref.cast %bs : memref<1xindex> to {ADDRESSES}
  %2 = memref.cast %as : memref<1xindex> to {ADDRESSES}
  %3 = memref.cast %os : memref<1xi1> to {I1S}
  %4 = memref.cast %ls : memref<1xi1> to {I1S}
  call @helper(%1, %2, %3, %4) : ({ADDRESSES}, {ADDRESSES}, {I1S}, {I1S}) -> ()
  %h = memref.load %ls[%c0] : memref<1xi1>
  memref.dealloc %as : memref<1xindex>
  memref.dealloc %bs : memref<1xindex>
  memref.dealloc %os : memref<1xi1>
  memref.dealloc %ls : memref<1xi1>
  memref.dealloc %r : {T}
  return %p, %h : {T}, i1
}}
{CALLER}"""


@pytest.mark.parametrize(
    ("first", "predicate", "known"), [("%false", "eq", True), ("%true", "eq", False), ("%false", "ne", False)]
)
def test_a_buffer_that_is_ours_as_it_is_one_of_a_list(first: str, predicate: str, known: bool) -> None:
    text = GATHERED.replace("FIRST", first).replace("PREDICATE", predicate)
    gathers, inside, disjuncts, runs, wrong, gathered, equal, reads = derive(
        text, "gathers_owned", "gathers_in", "i1_disjunct", "runs_if", "gathers_else", "gathered_owned",
        "compares_equal", "reads_address_at", rules=STATIC,
    )  # fmt: skip
    assert {(value, owned) for _, value, _, _, owned, _ in short(inside)} == {("%v", "%owned")}
    assert {value for value, _ in short(disjuncts)} == {"%v"} and "%e" in {condition for _, condition in short(runs)}
    found = predicate == "eq"
    assert short(gathers) == ({("@helper", 3, 0, 1, 2, "%v")} if found else set())
    assert short(gathered) == ({("%v",)} if found else set()) and wrong == (
        {("@helper", 3)} if first == "%true" else set()
    )
    assert ("%e" in {condition for condition, *_ in short(equal)}) == found
    assert ({memory for _, memory, _ in short(reads)} == {"%goes_on", "%listed"}) == found
    filled, before, behind, stores, values, others, asked, freed, free = derive(
        text, "listed_before", "written_before", "read_after_call", "address_written", "listed_value", "listed_other",
        "asked_of_list", "freed_of_list", "may_free_argument", rules=STATIC,
    )  # fmt: skip
    assert {(op, memory, key) for op, memory, key, _ in before} == {(op, memory, key) for op, memory, key, _ in filled}
    pairs = {(memory, value) for _, memory, _, value in short(filled)}
    assert ({("%as", "%r"), ("%bs", "%p"), ("%os", "%true")} <= pairs) == found and len(stores) == 2
    assert {(condition, argument) for _, argument, _, condition, _ in short(behind)} == (
        {("%h", 3)} if found else set()
    )
    assert {(condition, value) for condition, value, *_ in short(values)} == ({("%h", "%p")} if known else set())
    assert {(value, condition) for *_, value, condition in short(others)} == ({("%r", "%true")} if known else set())
    assert asked == freed and {(others, owned) for _, others, owned in freed} == ({(1, 2)} if known else set())
    assert (("@f", 1) in free) == (not known)
