"""Programs as the static pass writes them: a second run changes nothing, and a mistake in them is an error."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
LEAKS = "on some path, no deallocation that the function has frees this buffer"
TWICE = "this buffer has been freed before"


def refusals(text: str) -> set[str]:
    return {each.message for each in run_dealog(text, PASS).diagnostics}


def stays(text: str) -> None:
    assert run_dealog(text, PASS).unwrap() == text


FRESH_IF = f"""func.func private @fresh(%c: i1, %y: {T}) -> {T} attributes {{dealog.owned_0_if = 0 : i64}} {{
  %r = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %y : {T}
  }}
  return %r : {T}
}}
"""
# Where %c holds, what the call returns is a new buffer, and freed without a look at %c.
IN_REGION = f"""{FRESH_IF}func.func @f(%c: i1, %m: {T}) {{
  scf.if %c {{
    %g = func.call @fresh(%c, %m) : (i1, {T}) -> {T}
    memref.dealloc %g : {T}
  }}
  return
}}
"""
BEHIND_BRANCH = f"""{FRESH_IF}func.func @f(%c: i1, %m: {T}) {{
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  scf.execute_region {{
    %g = func.call @fresh(%c, %m) : (i1, {T}) -> {T}
    memref.dealloc %g : {T}
    scf.yield
  }}
  cf.br ^bb2
^bb2:
  return
}}
"""


@pytest.mark.parametrize("text", [IN_REGION, BEHIND_BRANCH])
def test_a_call_where_its_i1_is_known(text: str) -> None:
    stays(text)
    sides, within = derive(text, "given_on_side", "given_inside", rules=STATIC)
    assert {row[1:] for row in sides} == {("%c", 0)} and {i1 for _, i1 in within} == {"%c"}
    assert derive(text, "surely_stated", rules=STATIC) == {("%g",)}
    other = text.replace("owned_0_if", "owned_0_unless")
    start = text.index("func.func @f")
    never = text[:start].replace("_0_if", "_0_unless") + text[start:].replace("fresh(%c,", "fresh(%false,").replace(
        "{\n", "{\n  %false = arith.constant false\n", 1
    )
    assert derive(never, "surely_stated", rules=STATIC) == {("%g",)}
    assert derive(other, "surely_stated", rules=STATIC) == set() and refusals(other) != set()


def test_the_innermost_choice_counts() -> None:
    """Where %c cannot be both, control never comes; what is there does not count as what the outer choice says."""
    text = f"""{FRESH_IF}func.func @f(%c: i1, %m: {T}) {{
  scf.if %c {{
    scf.if %c {{
    }} else {{
      %g = func.call @fresh(%c, %m) : (i1, {T}) -> {T}
    }}
  }}
  return
}}
"""
    assert {row[1:] for row in derive(text, "given_on_side", rules=STATIC)} == {("%c", 1)}
    assert derive(text, "surely_stated", rules=STATIC) == set()


# %g is a new buffer, or %x, which is one itself at times: it is freed where one of the i1s holds.
MADE = f"""func.func private @made(%y: {T}, %c: i1) -> ({T}, i1) attributes {{dealog.owned_0 = 1 : i64}} {{
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
func.func private @given(%m: {T}, %c: i1, %d: i1) {{
  %x, %own = call @made(%m, %c) : ({T}, i1) -> ({T}, i1)
  %g, %own_0 = call @made(%x, %d) : ({T}, i1) -> ({T}, i1)
  %either = arith.ori %own_0, %own : i1
  %left = arith.andi %own, %own_0 : i1
  scf.if %left {{
    memref.dealloc %x : {T}
  }}
  scf.if %either {{
    memref.dealloc %g : {T}
  }}
  return
}}
func.func @f(%c: i1, %d: i1) {{
  %a = memref.alloc() : {T}
  call @given(%a, %c, %d) : ({T}, i1, i1) -> ()
  memref.dealloc %a : {T}
  return
}}
"""


def test_a_new_buffer_or_one_that_is_ours_at_times() -> None:
    stays(MADE)
    alone, new, several = derive(MADE, "given_alone", "new_by_i1", "one_of_two_given", rules=STATIC)
    assert alone == {("@given/%g", "@given/%either", "@given/%x", "@given/%own")}
    assert new == {("@given/%x", "@given/%own"), ("@given/%g", "@given/%own_0")} and several == set()
    assert derive(MADE, "may_free_argument", rules=STATIC) == set()
    turned = MADE.replace("arith.ori %own_0, %own", "arith.ori %own, %own_0")
    stays(turned)
    assert derive(turned, "given_alone", rules=STATIC) == alone
    assert LEAKS in refusals(MADE.replace("arith.ori", "arith.andi"))
    other = MADE.replace("arith.ori %own_0, %own", "arith.ori %own_0, %d")
    assert ("@given", 0) in derive(other, "may_free_argument", rules=STATIC)


def test_one_of_two_that_a_call_is_given() -> None:
    two = f"%r = arith.select %c, %y, %z : {T}\n  return %r : {T}"
    text = f"""func.func private @one(%c: i1, %y: {T}, %z: {T}) -> {T} {{
  {two}
}}
func.func @f(%c: i1, %m: {T}, %n: {T}) {{
  %r = call @one(%c, %m, %n) : (i1, {T}, {T}) -> {T}
  scf.if %c {{
    memref.dealloc %r : {T}
  }}
  return
}}
"""
    assert derive(text, "one_of_two_given", rules=STATIC) == {("%r",)}


# One buffer by two results: callers own the first, and the second beside an i1 that never holds.
BY_TWO_NAMES = f"""func.func private @twice(%c: i1) -> ({T}, {T}, i1) attributes {{dealog.owned_1 = 2 : i64}} {{
  %false = arith.constant false
  %a = memref.alloc() : {T}
  %r = arith.select %c, %a, %a : {T}
  return %r, %a, %false : {T}, {T}, i1
}}
func.func @f(%c: i1) {{
  %x:2, %own = call @twice(%c) : (i1) -> ({T}, {T}, i1)
  scf.if %own {{
    memref.dealloc %x#1 : {T}
  }}
  memref.dealloc %x#0 : {T}
  return
}}
"""


def test_a_buffer_that_is_returned_by_two_names() -> None:
    stays(BY_TWO_NAMES)
    owned, handed = derive(BY_TWO_NAMES, "owned_with", "handed_to_callers", rules=STATIC)
    assert {row[1:] for row in owned} == {(1, "@twice/%false")} and {row[0] for row in handed} == {"@twice/%a"}
    lost = BY_TWO_NAMES.replace(f"return %r, %a, %false : {T}, {T}, i1", f"return %m, %a, %false : {T}, {T}, i1")
    lost = lost.replace("@twice(%c: i1)", f"@twice(%c: i1, %m: {T})")
    lost = lost.replace("call @twice(%c) : (i1)", f"call @twice(%c, %m) : (i1, {T})")
    lost = lost.replace("func.func @f(%c: i1)", f"func.func @f(%c: i1, %m: {T})")
    assert LEAKS in refusals(lost)
    assert LEAKS not in refusals(lost.replace("%false = arith.constant false", "%false = arith.constant true"))


# A callee frees a buffer of its own, and gets one that was read from memory: it does not free that.
READ = f"""func.func private @own(%y: {T}) {{
  %b = memref.alloc() : {T}
  memref.copy %y, %b : {T} to {T}
  memref.dealloc %b : {T}
  return
}}
func.func private @held(%x: {T}, %z: {T}, %i: index, %j: index) {{
  %box = memref.alloca() : memref<2x{T}>
  memref.store %x, %box[%i] : memref<2x{T}>
  memref.store %z, %box[%j] : memref<2x{T}>
  %y = memref.load %box[%i] : memref<2x{T}>
  call @own(%y) : ({T}) -> ()
  return
}}
func.func @f(%z: {T}, %i: index, %j: index) {{
  %a = memref.alloc() : {T}
  call @held(%a, %z, %i, %j) : ({T}, {T}, index, index) -> ()
  memref.dealloc %a : {T}
  return
}}
"""


def test_what_gets_a_buffer_that_was_read() -> None:
    stays(READ)
    reads, frees = derive(READ, "frees_read", "may_free_argument", rules=STATIC)
    assert reads == frees == set()
    freed = READ.replace("  memref.dealloc %b", f"  memref.dealloc %y : {T}\n  memref.dealloc %b")
    assert ("@held",) in derive(freed, "frees_read", rules=STATIC)
    manual = READ.replace("  memref.dealloc %b", "  memref.dealloc %b {bufferization.manual_deallocation}")
    assert derive(manual, "frees_unclearly", rules=STATIC) == {("@own",), ("@held",), ("@f",)}
    assert ("@held",) in derive(manual, "frees_read", rules=STATIC)
    public = "func.func private @own", "func.func @own"
    assert derive(READ.replace(*public), "frees_read", rules=STATIC) == set()
    assert ("@held",) in derive(freed.replace(*public), "frees_read", rules=STATIC)


# What unreachable blocks hand on does not count: there, %a goes on beside an i1 that holds.
UNREACHED = f"""func.func private @taken(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^end(%m, %false : {T}, i1)
^never:
  cf.br ^end(%m, %true : {T}, i1)
^end(%x: {T}, %own: i1):
  scf.if %own {{
    memref.dealloc %x : {T}
  }}
  return
}}
func.func @f(%c: i1) {{
  %a = memref.alloc() : {T}
  call @taken(%c, %a) : (i1, {T}) -> ()
  memref.dealloc %a : {T}
  return
}}
"""


def test_what_unreachable_blocks_hand_on() -> None:
    stays(UNREACHED)
    assert {(row[2], row[6]) for row in derive(UNREACHED, "gets", rules=STATIC)} == {
        ("@taken/cf.br#3", "@taken/%false")
    }
    come = UNREACHED.replace("cf.br ^end(%m, %false :", "cf.cond_br %c, ^never, ^end(%m, %false :")
    assert ("@taken", 1) in derive(come, "may_free_argument", rules=STATIC)


# A loop that may run its iterations at the same time, in which a buffer is used that is freed on an i1.
AT_ONCE = f"""func.func @f(%c: i1, %n: index, %m: {T}, %v: f32) {{
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  cf.cond_br %c, ^end(%a, %true : {T}, i1), ^other
^other:
  memref.dealloc %a : {T}
  cf.br ^end(%m, %false : {T}, i1)
^end(%x: {T}, %own: i1):
  scf.forall (%i) in (%n) {{
    memref.store %v, %x[%i] : {T}
    %b = memref.alloc() : {T}
    memref.dealloc %b : {T}
  }}
  scf.if %own {{
    memref.dealloc %x : {T}
  }}
  return
}}
"""


def test_a_loop_that_runs_at_once_is_followed() -> None:
    stays(AT_ONCE)
    assert derive(AT_ONCE, "trail_is_lost", rules=STATIC) == set()
    assert ("scf.forall#7",) in derive(AT_ONCE, "repeats_region", rules=STATIC)
    again = AT_ONCE.replace("    %b =", f"    memref.dealloc %x : {T}\n    %b =")
    assert TWICE in refusals(again)
    inside = AT_ONCE.replace(f"  scf.if %own {{\n    memref.dealloc %x : {T}\n  }}\n", "").replace(
        "    %b =", f"    scf.if %own {{\n      memref.dealloc %x : {T}\n    }}\n    %b ="
    )
    assert refusals(inside) >= {LEAKS, TWICE}  # in no round, or in two
    body = f"""
    %b = memref.alloc() : {T}
    %y, %mine = scf.if %c -> ({T}, i1) {{
      scf.yield %b, %true : {T}, i1
    }} else {{
      memref.dealloc %b : {T}
      scf.yield %m, %false : {T}, i1
    }}
    scf.if %mine {{
      memref.dealloc %y : {T}
    }}
"""
    made = AT_ONCE.replace(f"\n    %b = memref.alloc() : {T}\n    memref.dealloc %b : {T}\n", body)
    stays(made)
    assert derive(made, "made_again", rules=STATIC) == {("%b",)}
    assert LEAKS in refusals(made.replace(f"      memref.dealloc %b : {T}\n", ""))


@pytest.mark.parametrize("call", ["func.call_indirect %g", "func.call @copy"])
def test_what_a_function_called_by_its_address_returns_is_not_what_it_was_given(call: str) -> None:
    text = f"""func.func private @copy(%p: {T}) -> {T} {{
  %b = memref.alloc() : {T}
  memref.copy %p, %b : {T} to {T}
  return %b : {T}
}}
func.func private @use(%p: {T}) {{
  %g = func.constant @copy : ({T}) -> {T}
  %r = {call}(%p) : ({T}) -> {T}
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %r : {T} -> memref<f32>, index, index, index
  memref.dealloc %base : memref<f32>
  return
}}
func.func @f() {{
  %a = memref.alloc() : {T}
  %g = func.constant @use : ({T}) -> ()
  func.call_indirect %g(%a) : ({T}) -> ()
  memref.dealloc %a : {T}
  return
}}
"""
    stays(text.strip())
    assert ("@use/%r", "@use/%p") in derive(text, "never_comes_from", rules=STATIC)


@pytest.mark.parametrize("given", ["%x, %a, %b", "%x, %a, %x", "%a, %a, %b"])
def test_what_a_call_gives_back_beside_an_i1_of_another_result(given: str) -> None:
    """The i1 says whether the first result is new; the second one is an argument, whatever it says."""
    text = f"""func.func private @two(%c: i1, %d: i1, %x: {T}, %y: {T}, %z: {T}) -> ({T}, {T}) {{
  %r = scf.if %c -> ({T}) {{
    %n = memref.alloc() : {T}
    scf.yield %n : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  %s = arith.select %d, %y, %z : {T}
  return %r, %s : {T}, {T}
}}
func.func @f(%c: i1, %d: i1, %x: {T}, %i: index) -> f32 {{
  %q = scf.if %d -> ({T}) {{
    %a = memref.alloc() : {T}
    %b = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    memref.copy %x, %b : {T} to {T}
    %r:2 = func.call @two(%c, %d, {given}) : (i1, i1, {T}, {T}, {T}) -> ({T}, {T})
    memref.copy %r#1, %x : {T} to {T}
    memref.copy %r#0, %x : {T} to {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %x : {T}
  }}
  %v = memref.load %q[%i] : {T}
  return %v : f32
}}
"""
    out = run_dealog(text, PASS).unwrap()
    assert "dealog.owned_0" in out
    lost, withheld = derive(out, "trail_is_lost", "comes_with_i1", rules=STATIC)
    assert lost == withheld == set()
    stays(out)


@pytest.mark.parametrize("frees", [False, True])
def test_what_a_public_function_frees_of_its_arguments(frees: bool) -> None:
    """It is known to the calls that are seen, of itself, too."""
    text = f"""func.func @f(%c: i1, %n: index, %p: {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  %i = arith.constant 0 : index
  %r, %own = scf.for %k = %i to %n step %n iter_args(%b = %p, %own_0 = %false) -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    memref.copy %b, %a : {T} to {T}
    scf.if %own_0 {{
      memref.dealloc %b : {T}
    }}
    scf.yield %a, %true : {T}, i1
  }}
  scf.if %c {{
    func.call @f(%c, %n, %r) : (i1, index, {T}) -> ()
  }}
  scf.if %own {{
    memref.dealloc %r : {T}
  }}
  return
}}
func.func @g(%c: i1, %n: index) {{
  %a = memref.alloc() : {T}
  call @f(%c, %n, %a) : (i1, index, {T}) -> ()
  memref.dealloc %a : {T}
  return
}}
"""
    if frees:
        text = text.replace("%own_0 = %false", "%own_0 = %true")
        assert run_dealog(text, ("static-buffer-deallocation",)).text is None
    else:
        stays(text)
    given, opened, followed, may_free, kept = derive(
        text, "names_given", "open_and_frees", "calls_followed", "may_free_argument", "keeps_argument", rules=STATIC
    )
    assert {row[1:] for row in given} == {("@f", 2)} and {("%p", "@f", 2), ("%r", "@f", 2)} <= given
    assert opened == {("@f",), ("@g",)} and {f for _, f in followed} == {"@f"} and len(followed) == 2
    assert may_free == ({("@f", 2)} if frees else set()) and kept == (set() if frees else {("@f", 2)})
