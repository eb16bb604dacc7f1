"""Functions that free on conditions of their own: what they free twice, use after that, or leave under other names."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
AGAIN = "this buffer has been freed before"
TWO_NAMES = "this buffer has been freed before, or is freed under another name"
USED = "this buffer is used after it has been freed"
GOES_ON = "on some path, no deallocation that the function has frees a buffer that goes on here"

HAND = f"""
func.func @f(%n: index, %c: i1, %d: i1, %m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  FIRST
  %t, %g = scf.if %c -> ({T}, i1) {{
    THEN
    scf.yield %a, %true : {T}, i1
  }} else {{
    ELSE
    scf.yield %m, %false : {T}, i1
  }}
  memref.copy %t, %m : {T} to {T}
  LAST
  return
}}
"""
FREE_T = f"scf.if %g {{\n memref.dealloc %t : {T}\n }}"
FREE_A = f"memref.dealloc %a : {T}"
COPY_T = f"memref.copy %t, %m : {T} to {T}"


def hand(last: str, *, first: str = "", then: str = "", otherwise: str = FREE_A) -> str:
    return HAND.replace("FIRST", first).replace("THEN", then).replace("ELSE", otherwise).replace("LAST", last)


def messages(text: str) -> set[str]:
    return {diagnostic.message for diagnostic in run_dealog(text, PASS).diagnostics}


@pytest.mark.parametrize(
    ("last", "twice"),
    [
        (FREE_T, False),
        (f"{FREE_T}\n {FREE_T}", True),
        (f"{FREE_T}\n memref.dealloc %t : {T}", True),
        (f"%v = memref.cast %t : {T} to {T}\n {FREE_T}\n memref.dealloc %v : {T}", True),
        (f"%h = arith.andi %g, %d : i1\n {FREE_T}\n scf.if %h {{\n memref.dealloc %t : {T}\n }}", True),
        (f"{FREE_T}\n cf.br ^bb1\n^bb1:\n {FREE_T}", True),
    ],
)
def test_what_is_freed_twice(last: str, twice: bool) -> None:
    text = hand(last)
    at, names, stands, before, both, by, found = derive(
        text, "hand_freed_at", "hand_name", "freed_along", "frees_before", "both_hold", "takes_by",
        "freed_twice_on_way", rules=STATIC,
    )  # fmt: skip
    assert ("%t", "%t") in names and (("%t", "%v") in names) == ("%v" in last)
    assert {(value, op) for value, op, *_ in stands} == {(value, where) for value, _, where, _ in at}
    assert {condition for _, condition in by} >= {"%g"} and ("%g", "%g") in both
    assert (found != set()) == twice and {value for value, _, _ in found} == ({"%t"} if twice else set())
    assert (before != set()) == twice
    assert (AGAIN in messages(text)) == twice


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"last": FREE_T}, False),
        ({"last": f"{FREE_T}\n {FREE_A}", "otherwise": ""}, True),
        ({"last": FREE_T, "first": FREE_A, "otherwise": ""}, True),
        ({"last": f"{FREE_A}\n {FREE_T}", "otherwise": ""}, True),
    ],
)
def test_what_is_freed_by_its_own_name_and_goes_on(given: dict[str, str], wrong: bool) -> None:
    text = hand(**given)
    goes, within, found = derive(text, "goes_on_owned", "goes_on_within", "freed_by_two_names", rules=STATIC)
    ((name, op),) = goes
    assert name == "%a" and op.startswith("scf.yield") and {block for each, block in within if each == op} >= {"^bb0"}
    assert {(value, other) for _, value, other in found} == ({("%a", op)} if wrong else set())
    assert (TWO_NAMES in messages(text)) == wrong


def test_what_a_call_gives_back_as_new() -> None:
    text = f"""
func.func private @f(%k: i1, %p: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  %t = scf.if %k -> ({T}) {{
    %x = memref.alloc() : {T}
    memref.copy %p, %x : {T} to {T}
    scf.yield %x : {T}
  }} else {{
    scf.yield %p : {T}
  }}
  return %t, %true : {T}, i1
}}
func.func @g(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %t, %o = call @f(%c, %a) : (i1, {T}) -> ({T}, i1)
  memref.copy %t, %m : {T} to {T}
  scf.if %o {{
    memref.dealloc %t : {T}
  }}
  LAST
  return
}}
"""
    never = text.replace("LAST", "")
    goes_on, ends = derive(never, "result_goes_on", "ends_at", rules=STATIC)
    assert goes_on == set() and "%a" not in {owner for owner, _ in ends}
    assert messages(never) != set()


@pytest.mark.parametrize(
    ("last", "used"),
    [
        (f"{COPY_T}\n {FREE_T}", False),
        (f"{FREE_T}\n {COPY_T}", True),
        (f"{FREE_T}\n cf.br ^bb1\n^bb1:\n {COPY_T}", True),
    ],
)
def test_what_is_used_after_it_was_freed_on_an_i1(last: str, used: bool) -> None:
    text = hand(last)
    reads, after = derive(text, "reads_name", "read_after", rules=STATIC)
    assert {op.split("#")[0] for op, value in reads if value == "%t"} == {"memref.copy"}
    assert {value for _, value, _ in after} == ({"%t"} if used else set())
    assert (USED in messages(text)) == used


# ---- names that a buffer goes on by ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "complete"),
    [
        (FREE_T, True),
        (f"scf.if %d {{\n {FREE_T}\n }}", False),
        (f"scf.if %d {{\n {FREE_T}\n }} else {{\n {FREE_T}\n }}", True),
        (f"cf.cond_br %d, ^bb1, ^bb2\n^bb1:\n return\n^bb2:\n {FREE_T}", False),
        (f"scf.index_switch %n\n case 0 {{\n scf.yield\n }}\n default {{\n {FREE_T}\n scf.yield\n }}", False),
        (f"scf.for %i = %c0 to %n step %c1 {{\n {FREE_T}\n }}", False),
        (f"scf.execute_region {{\n {FREE_T}\n scf.yield\n }}", True),
    ],
)
def test_a_receiver_that_is_not_freed_on_some_path(last: str, complete: bool) -> None:
    new = f"%x = memref.alloc() : {T}\n memref.copy %m, %x : {T} to {T}"
    text = hand(last, first=FREE_A, then=new, otherwise="").replace("scf.yield %a", "scf.yield %x")
    owned, names, gets, lent, itself, again, leaves, unfreed = derive(
        text, "takes_owned", "name_of_owner", "gets_owned", "gets_lent", "ends_itself", "handed_on_again",
        "leaves_scope", "unfreed_receiver", rules=STATIC,
    )  # fmt: skip
    assert owned == gets == lent == {("%t",)} and {("%t", "%t"), ("%x", "%x")} <= names
    assert ("%t",) in itself and ("%x",) not in itself and again == set()
    assert (unfreed == set()) == (leaves == set()) == complete
    assert (GOES_ON in messages(text)) == (not complete)


def test_a_result_of_a_loop_that_nothing_frees() -> None:
    text = f"""
func.func @f(%n: index, %m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %t, %g = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = FLAG) -> ({T}, i1) {{
    scf.if %q {{
      memref.dealloc %p : {T}
    }}
    %b = memref.alloc() : {T}
    memref.copy %m, %b : {T} to {T}
    scf.yield %b, %true : {T}, i1
  }}
  memref.copy %t, %m : {T} to {T}
  return
}}
"""
    owned, handed, false, lends, unfreed = derive(
        text.replace("FLAG", "%true"), "takes_owned", "handed_on_at", "hands_on_false", "lends_there",
        "unfreed_receiver", rules=STATIC,
    )  # fmt: skip
    assert owned == {("%t",), ("%p",)} and {value for value, _, _ in handed} == {"%a", "%b"}
    assert false == set() and lends == set() and {receiver for _, receiver, _ in unfreed} == {"%t"}
    false, lends = derive(text.replace("FLAG", "%false"), "hands_on_false", "lends_there", rules=STATIC)
    assert len(false) == 1 and {value for _, value in lends} == {"%a"}


def test_what_is_freed_on_both_sides() -> None:
    """As the pass writes it where one side lacks the deallocation."""
    text = hand(f"scf.if %g {{\n memref.dealloc %t : {T}\n }} else {{\n memref.dealloc %t : {T}\n }}")
    new = f"%y = memref.alloc() : {T}\n memref.copy %m, %y : {T} to {T}\n scf.yield %y, %false"
    text = text.replace("scf.yield %m, %false", new)
    assert derive(text, "freed_on_both_sides", "unfreed_allocation", rules=STATIC) == ({("%t",)}, set())
    assert run_dealog(text, PASS).text == text
