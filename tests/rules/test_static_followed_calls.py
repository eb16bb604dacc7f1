"""Buffers that are followed along all paths, and that private functions return again."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
V = "memref<?xf32>"
LEAKS = "on some path, no deallocation that the function has frees this buffer"
TWICE = "this buffer has been freed before"

HELPERS = f"""
memref.global "private" @kept : {T} = dense<0.0>

func.func private @same(%y: {T}) -> {T} {{
  return %y : {T}
}}
func.func private @view(%y: {T}) -> {V} {{
  %v = memref.cast %y : {T} to {V}
  return %v : {V}
}}
func.func private @made(%y: {T}, %c: i1) -> ({T}, i1) attributes {{dealog.owned_0 = 1 : i64}} {{
  %true = arith.constant true
  %false = arith.constant false
  %r, %new = scf.if %c -> ({T}, i1) {{
    %b = memref.alloc() : {T}
    scf.yield %b, %true : {T}, i1
  }} else {{
    scf.yield %y, %false : {T}, i1
  }}
  return %r, %new : {T}, i1
}}
func.func private @fresh(%c: i1, %y: {T}) -> {T} attributes {{dealog.owned_0_if = 0 : i64}} {{
  %r = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %y : {T}
  }}
  return %r : {T}
}}
func.func private @kept_or_not(%c: i1, %y: {T}) -> {T} attributes {{dealog.owned_0_unless = 0 : i64}} {{
  %r = scf.if %c -> ({T}) {{
    scf.yield %y : {T}
  }} else {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }}
  return %r : {T}
}}
func.func private @one_of_two(%c: i1, %y: {T}, %z: {T}) -> {T} {{
  %r = arith.select %c, %y, %z : {T}
  return %r : {T}
}}
func.func private @with_i1(%c: i1, %y: {T}) -> ({T}, i1) {{
  return %y, %c : {T}, i1
}}
func.func private @one_with_i1(%c: i1, %y: {T}, %z: {T}) -> ({T}, i1) {{
  %r = arith.select %c, %y, %z : {T}
  return %r, %c : {T}, i1
}}
func.func private @or_kept(%c: i1, %y: {T}) -> {T} {{
  %k = memref.get_global @kept : {T}
  %r = arith.select %c, %y, %k : {T}
  return %r : {T}
}}
"""


def program(*lines: str) -> str:
    body = "\n".join(f"  {line}" for line in lines)
    return f"""{HELPERS}
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  %x, %own = scf.if %c -> ({T}, i1) {{
    scf.yield %a, %true : {T}, i1
  }} else {{
    memref.dealloc %a : {T}
    scf.yield %m, %false : {T}, i1
  }}
{body}
  return
}}
"""


def free_if(condition: str, name: str, type_: str = T) -> str:
    return f"scf.if {condition} {{ memref.dealloc {name} : {type_} }}"


SAME = f"%g = call @same(%x) : ({T}) -> {T}"
VIEW = f"%g = call @view(%x) : ({T}) -> {V}"
MADE = f"%g, %new = call @made(%x, %d) : ({T}, i1) -> ({T}, i1)"
FRESH = f"%g = call @fresh(%d, %x) : (i1, {T}) -> {T}"
NEVER = f"%never = arith.constant false\n  %g = call @fresh(%never, %x) : (i1, {T}) -> {T}"
UNLESS = f"%g = call @kept_or_not(%d, %x) : (i1, {T}) -> {T}"
BOTH = "%both = arith.andi %own, %d : i1"
NOT = "%not = arith.xori %d, %true : i1"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((SAME, free_if("%own", "%g")), set()),
        ((SAME, BOTH, free_if("%both", "%g")), {LEAKS}),
        ((SAME, free_if("%own", "%g"), free_if("%own", "%x")), {TWICE}),
        ((VIEW, free_if("%own", "%g", V)), set()),
        ((VIEW, free_if("%own", "%g", V), free_if("%own", "%x")), {TWICE}),
        ((MADE, free_if("%new", "%g"), free_if("%own", "%x")), set()),
        ((MADE, "%n = arith.xori %new, %true : i1", "%mine = arith.andi %own, %n : i1", free_if("%new", "%g"),
          free_if("%mine", "%g"), "%left = arith.andi %own, %new : i1", free_if("%left", "%x")), set()),
        ((MADE, "%n = arith.xori %new, %true : i1", "%mine = arith.andi %own, %n : i1", free_if("%new", "%g"),
          free_if("%mine", "%g"), free_if("%own", "%x")), {TWICE}),
        ((FRESH, free_if("%d", "%g"), free_if("%own", "%x")), set()),
        ((FRESH, free_if("%d", "%g"), BOTH, free_if("%both", "%x")), {LEAKS}),
        ((FRESH, NOT, "%mine = arith.andi %own, %not : i1", free_if("%d", "%g"), free_if("%mine", "%g"),
          BOTH, free_if("%both", "%x")), set()),
        ((NEVER, free_if("%own", "%g")), set()),
        ((NEVER, BOTH, free_if("%both", "%g")), {LEAKS}),
        ((UNLESS, NOT, free_if("%not", "%g"), free_if("%own", "%x")), set()),
        ((UNLESS, NOT, free_if("%not", "%g"), "%mine = arith.andi %own, %d : i1", free_if("%mine", "%g")), {LEAKS}),
    ],
)  # fmt: skip
def test_what_a_call_returns(lines: tuple[str, ...], expected: set[str]) -> None:
    text = program(*lines)
    assert ("%a",) not in derive(text, "trail_is_lost", rules=STATIC)
    assert {each.message for each in run_dealog(text, ("static-buffer-deallocation",)).diagnostics} == expected


def test_which_results_come_back() -> None:
    each = {
        "%same": f"%same = call @same(%x) : ({T}) -> {T}",
        "%made": MADE.replace("%g", "%made"),
        "%fresh": FRESH.replace("%g", "%fresh"),
        "%unless": UNLESS.replace("%g", "%unless"),
        "%one": f"%one = call @one_of_two(%d, %x, %m) : (i1, {T}, {T}) -> {T}",
        "%with": f"%with, %i = call @with_i1(%d, %x) : (i1, {T}) -> ({T}, i1)",
        "%which": f"%which, %j = call @one_with_i1(%d, %x, %m) : (i1, {T}, {T}) -> ({T}, i1)",
        "%kept": f"%kept = call @or_kept(%d, %x) : (i1, {T}) -> {T}",
    }
    text = program(*each.values(), free_if("%own", "%x"))
    back, may, several, operand, result, new = derive(
        text, "comes_back_as", "may_come_back", "one_of_several", "new_by_operand", "new_by_result", "comes_new",
        rules=STATIC,
    )  # fmt: skip
    assert derive(text, "comes_with_i1", rules=STATIC) == {("%which",), ("%with",)}
    known = {"%same", "%made", "%fresh", "%unless", "%one"}
    assert {(value, source) for _, value, source in back} == {(value, "%x") for value in known} | {("%one", "%m")}
    assert {row[1:] for row in may} == {
        ("%same", "%x", "@same", 0), ("%made", "%x", "@made", 0), ("%fresh", "%x", "@fresh", 0),
        ("%one", "%x", "@one_of_two", 0), ("%one", "%m", "@one_of_two", 0),
        ("%unless", "%x", "@kept_or_not", 0), ("%kept", "%x", "@or_kept", 0), ("%with", "%x", "@with_i1", 0),
        ("%which", "%x", "@one_with_i1", 0), ("%which", "%m", "@one_with_i1", 0),
    }  # fmt: skip
    assert several == {("%one",)}
    assert {row[1:] for row in operand} == {("%fresh", "%d", 1), ("%unless", "%d", 0)}
    assert {row[1:] for row in result} == {("%made", "%new")} and new == {("%made",), ("%fresh",), ("%unless",)}
    assert ("%a",) in derive(text, "trail_is_lost", rules=STATIC)


BOTH_MADE = f"""
func.func private @picked(%c: i1, %y: {T}, %z: {T}) -> ({T}, i1) attributes {{dealog.owned_0 = 1 : i64}} {{
  %true = arith.constant true
  %false = arith.constant false
  %r, %new = scf.if %c -> ({T}, i1) {{
    %s = arith.select %c, %y, %z : {T}
    scf.yield %s, %false : {T}, i1
  }} else {{
    %b = memref.alloc() : {T}
    scf.yield %b, %true : {T}, i1
  }}
  return %r, %new : {T}, i1
}}
"""
PICK = f"%g, %new = call @picked(%d, %x, %m) : (i1, {T}, {T}) -> ({T}, i1)"
NEVER_FREED = "no deallocation that the function has, on conditions of its own, frees this buffer"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((PICK, free_if("%new", "%g"), free_if("%own", "%x")), set()),
        ((PICK, free_if("%d", "%g"), free_if("%own", "%x")), {LEAKS}),
        ((PICK, free_if("%own", "%x"), free_if("%new", "%g"), free_if("%new", "%g")), {TWICE}),
        ((MADE, free_if("%d", "%g"), free_if("%own", "%x")), {LEAKS, TWICE}),
        ((MADE, free_if("%own", "%x"), free_if("%new", "%g"), free_if("%new", "%g")), {TWICE}),
        ((FRESH, NOT, free_if("%not", "%g"), free_if("%own", "%x")), {LEAKS, TWICE}),
        ((UNLESS, free_if("%d", "%g"), free_if("%own", "%x")), {LEAKS, TWICE}),
    ],
)  # fmt: skip
def test_what_a_call_returns_anew(lines: tuple[str, ...], expected: set[str]) -> None:
    text = program(*lines) + BOTH_MADE
    assert {each.message for each in run_dealog(text, ("static-buffer-deallocation",)).diagnostics} == expected


QUESTIONS = (
    "%n = arith.index_castui %d : i1 to index", "%k = arith.constant 5 : index", f"%b = memref.alloc() : {T}",
    *(line for each in ("eq", "slt", "sgt") for line in (
        f"%is_{each} = arith.cmpi {each}, %n, %k : index", f"%y_{each} = arith.select %is_{each}, %b, %x : {T}",
    )),
)  # fmt: skip


def test_what_no_path_frees() -> None:
    kept = program(*QUESTIONS, free_if("%own", "%x"))
    depend, never, ends = derive(kept, "i1s_may_depend", "leaks_in_any_case", "ends_on_path", rules=STATIC)
    assert ("%b",) in depend and never == {("%b",)} and ("%a",) in ends
    assert {each.message for each in run_dealog(kept, ("static-buffer-deallocation",)).diagnostics} == {NEVER_FREED}
    freed = program(*QUESTIONS, free_if("%own", "%x"), f"memref.dealloc %b : {T}")
    assert run_dealog(freed, ("static-buffer-deallocation",)).diagnostics == ()


def test_one_of_two_that_is_not_freed() -> None:
    """It may be `%b`, or `%x`, which may be `%a`; as it is neither freed nor returned, that does not matter."""
    more = (f"%b = memref.alloc() : {T}", f"%g = call @one_of_two(%d, %x, %b) : (i1, {T}, {T}) -> {T}")
    both = f"scf.if %own {{\n    memref.dealloc %x : {T}\n    memref.dealloc %b : {T}\n  }}"
    kept = program(*more, both)
    another, end, as_followed, back = derive(
        kept, "perhaps_another", "another_may_end", "ends_as_followed", "surely_comes_back", rules=STATIC
    )
    assert another >= {("%a",), ("%b",)} <= as_followed and end == set() and back == {("%g",)}
    assert {each.message for each in run_dealog(kept, ("static-buffer-deallocation",)).diagnostics} == {LEAKS}
    read = program(*more, free_if("%own", "%x"), f"memref.dealloc %b : {T}", f"memref.copy %m, %g : {T} to {T}")
    assert run_dealog(read, ("static-buffer-deallocation",)).diagnostics == ()  # %g may be what is not freed
    freed = program(*more, f"%h = memref.cast %g : {T} to {V}", free_if("%own", "%h", V), free_if("%own", "%x"))
    end, ends, on = derive(freed, "another_may_end", "one_ends", "may_go_on", rules=STATIC)
    assert end >= {("%a",), ("%b",)} and ends == {("%g",)} and on == {("%g", "%g"), ("%g", "%h")}
    going = f"%h = scf.if %d -> ({T}) {{ scf.yield %g : {T} }} else {{ scf.yield %m : {T} }}"
    going_on = program(*more, going, f"%k = call @same(%h) : ({T}) -> {T}", free_if("%own", "%x"))
    on, ends = derive(going_on, "may_go_on", "one_ends", rules=STATIC)
    assert {("%g", "%h"), ("%g", "%k")} <= on and ends == set()
    returned = going_on.replace(f"@f(%c: i1, %d: i1, %m: {T}) {{", f"@f(%c: i1, %d: i1, %m: {T}) -> {T} {{")
    returned = returned[: returned.rindex("  return")] + f"  return %k : {T}\n}}\n"
    assert derive(returned, "one_ends", rules=STATIC) == {("%g",)}
    assert ("%a",) in derive(returned, "ends_on_path", rules=STATIC)


def test_one_of_two_that_may_be_another_buffer() -> None:
    one = f"%g = call @one_of_two(%d, %x, %m) : (i1, {T}, {T}) -> {T}"
    others = derive(program(one, free_if("%own", "%g")), "turns_into_other", rules=STATIC)
    assert {("%a", "%g"), ("%m", "%g")} & {row[:2] for row in others} == {("%a", "%g")}
    new = one.replace("one_of_two", "new_or_one")
    made = f"""
func.func private @new_or_one(%c: i1, %y: {T}, %z: {T}) -> {T} attributes {{dealog.owned_0_if = 0 : i64}} {{
  %r = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }} else {{
    %s = arith.select %c, %y, %z : {T}
    scf.yield %s : {T}
  }}
  return %r : {T}
}}
"""
    others = derive(program(new, free_if("%d", "%g"), free_if("%own", "%x")) + made, "other_where", rules=STATIC)
    assert {(a, name, i1, when) for a, name, _, i1, when in others if name == "%g"} >= {
        ("%a", "%g", "%d", 1), ("%a", "%g", "%d", 0),
    }  # fmt: skip


def test_new_buffers_are_followed_from_the_call_on() -> None:
    text = program(MADE, free_if("%new", "%g"), free_if("%own", "%x"))
    perhaps, now, back = derive(text, "perhaps_new", "may_be_new", "surely_comes_back", rules=STATIC)
    assert {value for value, _ in perhaps} == {"%g"} and back == set()
    assert {(value, new) for value, _, _, _, new in now} == {("%g", 0), ("%g", 1)}
    assert {(value, state) for value, state, *_ in derive(text, "reaches_end", rules=STATIC) if value == "%g"} == {
        ("%g", "ahead"), ("%g", "freed"),
    }  # fmt: skip
