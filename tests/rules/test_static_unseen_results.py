"""Calls of functions whose bodies are not to be seen: what they return may be a buffer that they are given, and the
addresses tell."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import command, run_dealog

STATIC = ("static_buffer_deallocation",)
STATIC_PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
UNSEEN = f"func.func private @unseen({T}, {T}, i1) -> {T}\n"
BODIES = {
    "new": f"""
  %n = memref.alloc() : {T}
  memref.copy %m, %n : {T} to {T}
  return %n : {T}""",
    "first": f"\n  return %m : {T}",
    "second": f"\n  return %o : {T}",
    "either": f"\n  %r = arith.select %c, %m, %o : {T}\n  return %r : {T}",
    "new or first": f"""
  cf.cond_br %c, ^new, ^given(%m : {T})
^new:
  %n = memref.alloc() : {T}
  memref.copy %o, %n : {T} to {T}
  cf.br ^given(%n : {T})
^given(%r: {T}):
  return %r : {T}""",
}
"""What the function may turn out to do."""
CALL = f"%r = func.call @unseen(%a, %b, %c) : ({T}, {T}, i1) -> {T}"
OUT = f"""%q = scf.if %d -> {T} {{
    %e = memref.alloc() : {T}
    memref.store %x, %e[%i] : {T}
    %g = memref.alloc() : {T}
    memref.store %x, %g[%i] : {T}
    %r = func.call @unseen(%e, OTHER, %c) : ({T}, {T}, i1) -> {T}
    scf.yield %r : {T}
  }} else {{
    scf.yield %a : {T}
  }}
  %y = memref.load %q[%i] : {T}"""
USES = {
    "at once": f"{CALL}\n  %y = memref.load %r[%i] : {T}",
    "beside those that it gets": f"""{CALL}
  %w = memref.load %r[%i] : {T}
  memref.store %w, %a[%i] : {T}
  %y = memref.load %b[%i] : {T}""",
    "as one of them": f"""{CALL}
  cf.cond_br %d, ^x(%r : {T}), ^x(%b : {T})
^x(%q: {T}):
  %y = memref.load %q[%i] : {T}""",
    "twice": f"""{CALL}
  %s = func.call @unseen(%r, %a, %d) : ({T}, {T}, i1) -> {T}
  %y = memref.load %s[%i] : {T}""",
    "by one operand": f"""%r = func.call @unseen(%a, %a, %c) : ({T}, {T}, i1) -> {T}
  %y = memref.load %r[%i] : {T}""",
    "in memory": f"""{CALL}
  %k = memref.alloca() : memref<1x{T}>
  memref.store %r, %k[%i] : memref<1x{T}>
  %l = memref.load %k[%i] : memref<1x{T}>
  %y = memref.load %l[%i] : {T}""",
    "round a loop": f"""%one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %q = scf.for %j = %i to %three step %one iter_args(%k = %a) -> {T} {{
    %r = func.call @unseen(%k, %b, %c) : ({T}, {T}, i1) -> {T}
    scf.yield %r : {T}
  }}
  %y = memref.load %q[%i] : {T}""",
    "out of a region": OUT.replace("OTHER", "%b"),
    "out of a region, of two": OUT.replace("OTHER", "%g"),
    "through a function": f"""%r = func.call @through(%a, %b, %c) : ({T}, {T}, i1) -> {T}
  %y = memref.load %r[%i] : {T}""",
    "from a function": f"""%r:2 = func.call @both(%b, %x, %c) : ({T}, f32, i1) -> ({T}, {T})
  %w = memref.load %r#0[%i] : {T}
  %v = memref.load %r#1[%i] : {T}
  %y = arith.addf %w, %v : f32""",
}
THROUGH = f"""func.func private @through(%m: {T}, %o: {T}, %c: i1) -> {T} {{
  %r = func.call @unseen(%m, %o, %c) : ({T}, {T}, i1) -> {T}
  return %r : {T}
}}
func.func private @both(%o: {T}, %x: f32, %c: i1) -> ({T}, {T}) {{
  %i = arith.constant 0 : index
  %a = memref.alloc() : {T}
  memref.store %x, %a[%i] : {T}
  %r = func.call @unseen(%a, %o, %c) : ({T}, {T}, i1) -> {T}
  return %a, %r : {T}, {T}
}}
"""


def program(use: str) -> str:
    return f"""{UNSEEN}{THROUGH if "function" in use else ""}func.func @f(%c: i1, %d: i1, %x: f32, %z: f32) -> f32 {{
  %i = arith.constant 0 : index
  %a = memref.alloc() : {T}
  memref.store %x, %a[%i] : {T}
  %b = memref.alloc() : {T}
  memref.store %z, %b[%i] : {T}
  {USES[use]}
  return %y : f32
}}
"""


def linked(text: str, body: str) -> str:
    """The module, with a body for the function that had none when it was deallocated."""
    assert UNSEEN in text
    return text.replace(UNSEEN, f"func.func private @unseen(%m: {T}, %o: {T}, %c: i1) -> {T} {{{BODIES[body]}\n}}\n")


@pytest.mark.parametrize("use", USES)
def test_whatever_the_function_returns_is_freed_once(use: str) -> None:
    text = program(use)
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "arith.cmpi ne" in out
    for body in BODIES:
        for given in ("true, true", "true, false", "false, true", "false, false"):
            wanted, run = (
                command("exec", "-", "--lower=never", *how, f"--args={given}, 1, 2", stdin=linked(module, body))
                for how, module in ((("--entry=@f", "--no-ownership"), text), (("--entry=@f",), out))
            )
            assert (run.status, run.out) == (0, wanted.out), (body, given, run.err)
    assert run_dealog(out, STATIC_PASS).unwrap() == out


def test_what_is_compared() -> None:
    text = f"""{UNSEEN}func.func @f(%m: {T}, %c: i1) {{
  %a = memref.alloc() : {T}
  %v = memref.cast %a : {T} to {T}
  %r = func.call @unseen(%v, %m, %c) : ({T}, {T}, i1) -> {T}
  %s = func.call @unseen(%a, %r, %c) : ({T}, {T}, i1) -> {T}
  return
}}
"""
    given, come, made, perhaps, total, asked, i1s, before, names, several = derive(
        text, "given_unseen", "may_come_of", "may_be_made", "perhaps_returned", "may_be_total",
        "compared_result", "i1_for", "compared_before", "apart_up_to", "one_of_given",
        rules=STATIC,
    )  # fmt: skip
    assert given == {
        ("func.call#3", 0, "%v"), ("func.call#3", 1, "%m"), ("func.call#4", 0, "%a"), ("func.call#4", 1, "%r")
    }  # fmt: skip
    assert come == {("%a",), ("%v",), ("%m",), ("%r",)}
    assert made == {("%a",), ("%v",), ("%r",)}  # an argument of a public function is not ours
    assert perhaps == {("%r", "func.call#3", 0), ("%s", "func.call#4", 0), ("%s", "func.call#4", 1)}
    assert total == {("%r", 1), ("%s", 2)}
    assert asked == {("%r", "func.call#3"), ("%s", "func.call#4")}
    assert i1s == {("%r", "own %r"), ("%s", "own %s")}
    assert before == {("%s", 1, 0)}
    assert names == {("%r", 0, "own %r"), ("%s", 0, "apart up to 0 from %s"), ("%s", 1, "own %s")}
    assert several == {("%s",)}
    private = text.replace("func.func @f(%m", "func.func private @g(%m")
    private += f"func.func @f(%c: i1) {{\n  %n = memref.alloc() : {T}\n"
    private += f"  call @g(%n, %c) : ({T}, i1) -> ()\n  return\n}}\n"
    assert ("@g/%m",) in derive(private, "may_be_made", rules=STATIC)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("%k = arith.cmpi ne, %p, %q : index", True),
        ("%k = arith.cmpi ne, %q, %p : index", True),
        ("%k = arith.cmpi eq, %p, %q : index", False),
        ("%k = arith.cmpi ne, %p, %p : index", False),
        ("%n = arith.cmpi ne, %p, %q : index\n  %k = arith.andi %n, %c : i1", False),
        ("%n = arith.cmpi ne, %p, %q : index\n  %k = arith.andi %n, %n : i1", True),
    ],
)
def test_comparisons_of_the_text(condition: str, found: bool) -> None:
    text = f"""{UNSEEN}func.func @f(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  %r = func.call @unseen(%a, %m, %c) : ({T}, {T}, i1) -> {T}
  %p = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %q = memref.extract_aligned_pointer_as_index %a : {T} -> index
  {condition}
  scf.if %k {{
    memref.dealloc %a : {T}
  }}
  memref.dealloc %r : {T}
  return
}}
"""
    apart, other, only, differ, addresses = derive(
        text, "compared_apart", "compared_as_other", "only_compares", "differ_if", "address_given", rules=STATIC
    )
    assert addresses == {("%p", "%r"), ("%q", "%a")}
    assert bool({row for row in apart if row[2] == "%k"}) == found
    assert bool({row for row in other if row[0] == "%k"}) == bool({row for row in only if row[0] == "%k"}) == found
    assert {row[0] for row in differ} <= {"%k", "%n"}
    assert {row[0] for row in derive(text, "compared_in", rules=STATIC)} == {row[0] for row in only}
    compared = derive(text, "compares_given", rules=STATIC)
    assert {(each, other) for _, each, other in compared} in ({("%r", "%a"), ("%a", "%r")}, {("%r", "%r")})
    out = command("dealloc", stdin=text)
    if found:
        assert (out.status, out.out) == (0, text)


def test_one_buffer_by_two_operands_that_goes_on() -> None:
    text = program("out of a region, of two").replace("@unseen(%e, %g, %c)", "@unseen(%e, %e, %c)")
    refused, several = derive(text, "refused", "by_several_operands", rules=STATIC)
    assert several == {("%r", "%e")}
    assert {message for _, _, message in refused} == {
        "which of several buffers goes on here is not known, and its name ends here"
    }


def test_what_a_call_returned_may_be_ours() -> None:
    text = f"""{UNSEEN}func.func private @fresh() -> {T}
func.func @f(%m: {T}, %c: i1) {{
  %a = func.call @fresh() : () -> {T}
  %r = func.call @unseen(%a, %m, %c) : ({T}, {T}, i1) -> {T}
  return
}}
"""
    assert derive(text, "perhaps_returned", rules=STATIC) == {("%r", "func.call#2", 0)}


FREED = "  scf.if %own {\n    memref.dealloc %a : memref<4xf32>\n  }\n"
ALWAYS = "  memref.dealloc %a : memref<4xf32>\n"


@pytest.mark.parametrize(
    ("freed", "message"),
    [
        (FREED, None),
        (ALWAYS, "this buffer may still be used after it is freed here"),
        (FREED + ALWAYS, "this buffer has been freed before"),
        (FREED + FREED, "this buffer has been freed before"),
    ],
)
def test_wrong_deallocations_are_refused(freed: str, message: str | None) -> None:
    text = f"""{UNSEEN}func.func @f(%m: {T}, %c: i1) -> f32 {{
  %i = arith.constant 0 : index
  %a = memref.alloc() : {T}
  %r = func.call @unseen(%a, %m, %c) : ({T}, {T}, i1) -> {T}
  %p = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %q = memref.extract_aligned_pointer_as_index %a : {T} -> index
  %own = arith.cmpi ne, %p, %q : index
{freed}  %y = memref.load %r[%i] : {T}
  memref.dealloc %r : {T}
  return %y : f32
}}
"""
    run = command("dealloc", stdin=text)
    if message is None:
        assert (run.status, run.out) == (0, text)
    else:
        assert (run.status, run.out) == (1, "") and message in run.err, run.err


def test_what_is_freed_where_it_may_be_another_is_refused() -> None:
    text = f"""{UNSEEN}func.func @f(%m: {T}, %c: i1) -> f32 {{
  %i = arith.constant 0 : index
  %a = memref.alloc() : {T}
  %r = func.call @unseen(%a, %m, %c) : ({T}, {T}, i1) -> {T}
  %p = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %q = memref.extract_aligned_pointer_as_index %a : {T} -> index
  %own = arith.cmpi ne, %p, %q : index
  %true = arith.constant true
  %not = arith.xori %own, %true : i1
  %y = memref.load %r[%i] : {T}
  scf.if %own {{
    memref.dealloc %r : {T}
  }}
  memref.dealloc %a : {T}
  return %y : f32
}}
"""
    assert command("dealloc", stdin=text).out == text
    run = command("dealloc", stdin=text.replace("scf.if %own", "scf.if %not"))
    assert run.status == 1 and "<stdin>:15:3: error: this buffer has been freed before" in run.err
