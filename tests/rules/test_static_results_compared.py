"""Several results of one call, where the callee is not to be seen, or calls that are not seen may get them, too: two
may be one buffer, and the addresses tell."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import executed, run_dealog
from tests.support.nightly import NIGHTLY, one_in

STATIC = ("static_buffer_deallocation",)
STATIC_PASS = ("static-buffer-deallocation",)
LOWERED = (*STATIC_PASS, "convert-bufferization-to-memref")
T = "memref<4xf32>"
WRITTEN = "this may be written to here, and be two results of a call, or only one of them"
GIVEN = ("true, true", "true, false", "false, true", "false, false")

THREE = f"""(%c: i1, %d: i1) -> ({T}, {T}, {T}) {{
  %i = arith.constant 0 : index
  %x = arith.constant 2.0 : f32
  %y = arith.constant 3.0 : f32
  %a = memref.alloc() : {T}
  memref.store %x, %a[%i] : {T}
  %p, %q = scf.if %c -> ({T}, {T}) {{
    scf.yield %a, %a : {T}, {T}
  }} else {{
    %b = memref.alloc() : {T}
    memref.store %y, %b[%i] : {T}
    %s = scf.if %d -> {T} {{
      scf.yield %b : {T}
    }} else {{
      %e = memref.alloc() : {T}
      memref.store %y, %e[%i] : {T}
      scf.yield %e : {T}
    }}
    scf.yield %b, %s : {T}, {T}
  }}
  return %a, %p, %q : {T}, {T}, {T}
}}
"""
"""One buffer by all three results, two, or three."""
DECLARED = f"func.func private @three(i1, i1) -> ({T}, {T}, {T})\n"
CALLEES = {
    "declared": DECLARED,
    "public": f"func.func @three{THREE}",
    "private": f"func.func private @three{THREE}",
}

GET = f"%r:3 = func.call @three(%c, %d) : (i1, i1) -> ({T}, {T}, {T})"
USES: dict[str, tuple[str, tuple[str, ...]]] = {
    "at once": (f"{GET}\n  memref.store %f, %r#1[%i] : {T}", ("%r#0", "%r#1", "%r#2")),
    "the first is read last": (GET, ("%r#2", "%r#0")),
    "one only": (GET, ("%r#2",)),
    "as one name": (f"""{GET}
  %s = arith.select %d, %r#1, %r#2 : {T}
  memref.store %f, %s[%i] : {T}""", ("%r#0", "%s")),
    "out of a region": (f"""{GET}
  %n = memref.alloc() : {T}
  memref.store %f, %n[%i] : {T}
  %z = scf.if %d -> {T} {{
    scf.yield %r#1 : {T}
  }} else {{
    scf.yield %n : {T}
  }}
  memref.store %f, %z[%i] : {T}""", ("%z", "%r#0", "%r#2")),
    "called in a region": (f"""%n = memref.alloc() : {T}
  memref.store %f, %n[%i] : {T}
  %z, %w = scf.if %d -> ({T}, {T}) {{
    {GET}
    memref.store %f, %r#0[%i] : {T}
    scf.yield %r#2, %r#0 : {T}, {T}
  }} else {{
    scf.yield %n, %n : {T}, {T}
  }}""", ("%z", "%n", "%w")),
    "called in a loop": (f"""%j = arith.constant 1 : index
  %k = arith.constant 3 : index
  %n = memref.alloc() : {T}
  memref.store %f, %n[%i] : {T}
  %m = memref.alloc() : {T}
  memref.store %f, %m[%i] : {T}
  %z, %w = scf.for %l = %i to %k step %j iter_args(%p = %n, %q = %m) -> ({T}, {T}) {{
    %v = memref.load %p[%i] : {T}
    %u = memref.load %q[%i] : {T}
    %s = arith.addf %v, %u : f32
    {GET}
    memref.store %s, %r#0[%i] : {T}
    scf.yield %r#2, %r#1 : {T}, {T}
  }}""", ("%z", "%w")),
    "arguments of a block": (f"""{GET}
  cf.cond_br %d, ^x(%r#2, %r#0 : {T}, {T}), ^x(%r#1, %r#2 : {T}, {T})
^x(%z: {T}, %w: {T}):
  memref.store %f, %z[%i] : {T}""", ("%w", "%z")),
    "views": (f"""{GET}
  %v = memref.cast %r#2 : {T} to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to {T}
  memref.store %f, %w[%i] : {T}""", ("%r#0", "%w")),
    "in memory": (f"""{GET}
  %k = memref.alloc() : memref<2x{T}>
  memref.store %r#2, %k[%i] : memref<2x{T}>
  %z = memref.load %k[%i] : memref<2x{T}>
  memref.store %f, %z[%i] : {T}""", ("%r#0", "%z")),
}  # fmt: skip
"""What callers do with the results, and what they read then."""


def using(body: str, read: tuple[str, ...]) -> str:
    lines, sum_ = [], "%f"
    for number, value in enumerate(read):
        lines.append(f"  %l{number} = memref.load {value}[%i] : {T}")
        lines.append(f"  %a{number} = arith.addf {sum_}, %l{number} : f32")
        lines.append(f"  %t{number} = arith.mulf %a{number}, %f : f32")
        sum_ = f"%t{number}"
    return f"""func.func @main(%c: i1, %d: i1) -> f32 {{
  %i = arith.constant 0 : index
  %f = arith.constant 7.0 : f32
  {body}
{chr(10).join(lines)}
  return {sum_} : f32
}}
"""


def same_values(text: str, out: str) -> None:
    """`text` and `out`, which has its deallocations, are linked with a body of what is declared, and run."""
    for given in GIVEN:
        wanted, got = (
            executed(module.replace(DECLARED, CALLEES["private"]), given, *how)
            for module, how in ((text, ("--no-ownership",)), (out, ()))
        )
        assert got == wanted, given


def same_results(text: str, out: str) -> None:
    """So they are, and a second run changes nothing."""
    same_values(text, out)
    assert run_dealog(out, STATIC_PASS).unwrap() == out


@pytest.mark.parametrize("callee", CALLEES if NIGHTLY else ["declared", "public"])
@pytest.mark.parametrize("name", USES)
def test_what_may_be_one_buffer_is_freed_once(name: str, callee: str) -> None:
    """What is written by one name is read by the other; a second run changes nothing."""
    text = CALLEES[callee] + using(*USES[name])
    if (name, callee) == ("in memory", "private"):  # no i1 goes along through memory
        assert [d.message for d in run_dealog(text, LOWERED).diagnostics] == [WRITTEN]
        return
    out = run_dealog(text, LOWERED).unwrap()
    # Which of the other results the third one is, no i1 says, and only one of these goes out of the block.
    assert ("memref.copy" in out) == (callee == "private" and name in ("called in a region", "called in a loop"))
    assert ("extract_aligned_pointer_as_index" in out) == (callee != "private")
    same_results(text, out)


GIVES = f"""func.func private @gives(%a: {T}, %c: i1, %d: i1) -> ({T}, {T}) {{
  %i = arith.constant 0 : index
  %x = arith.constant 5.0 : f32
  %p, %q = scf.if %c -> ({T}, {T}) {{
    %b = memref.alloc() : {T}
    memref.store %x, %b[%i] : {T}
    %s = scf.if %d -> {T} {{
      scf.yield %b : {T}
    }} else {{
      scf.yield %a : {T}
    }}
    scf.yield %s, %b : {T}, {T}
  }} else {{
    scf.yield %a, %a : {T}, {T}
  }}
  return %p, %q : {T}, {T}
}}
"""
GIVES_DECLARED = f"func.func private @gives({T}, i1, i1) -> ({T}, {T})\n"


@pytest.mark.parametrize("given", ["%n", "%r#1"])
def test_results_that_may_also_be_what_the_call_is_given(given: str) -> None:
    """By the results of an unseen call, another call is given what may be a result of both."""
    body = f"""%n = memref.alloc() : {T}
  memref.store %f, %n[%i] : {T}
  {GET}
  %p, %q = func.call @gives({given}, %c, %d) : ({T}, i1, i1) -> ({T}, {T})
  memref.store %f, %p[%i] : {T}"""
    text = GIVES_DECLARED + DECLARED + using(body, ("%p", "%q", "%n", "%r#2"))
    out = run_dealog(text, LOWERED).unwrap()
    same_results(text.replace(GIVES_DECLARED, GIVES), out.replace(GIVES_DECLARED, GIVES))


MIDDLE = f"""func.func private @middle(%c: i1, %d: i1) -> ({T}, {T}) {{
  {GET}
  return RESULTS : {T}, {T}
}}
"""
BOTH = f"%p, %q = func.call @middle(%c, %d) : (i1, i1) -> ({T}, {T})"


@pytest.mark.parametrize("results", ["%r#0, %r#2", "%r#2, %r#1"])
def test_one_may_end_as_a_result_that_is_not_returned(results: str) -> None:
    """Then a private function returns a clone, which must not be written to; what only reads does not see it."""
    middle = DECLARED + MIDDLE.replace("RESULTS", results)
    refusal = run_dealog(middle + using(f"{BOTH}\n  memref.store %f, %p[%i] : {T}", ("%p", "%q")), STATIC_PASS)
    assert [d.message for d in refusal.diagnostics] == [WRITTEN]
    text = middle + using(BOTH, ("%p", "%q"))
    same_results(text, run_dealog(text, LOWERED).unwrap())


@pytest.mark.parametrize("results", ["%r#0, %r#2", "%r#2, %r#1"])
def test_a_public_function_returns_a_clone_only_of_what_it_does_not_return(results: str) -> None:
    middle = DECLARED + MIDDLE.replace("RESULTS", results).replace("private", "public")
    text = middle + using(f"{BOTH}\n  memref.store %f, %p[%i] : {T}", ("%p", "%q"))
    same_values(text, run_dealog(text, LOWERED).unwrap())


FOUR = f"func.func private @four(i1, i1) -> ({T}, {T}, {T}, {T})\n"
CHOSEN = f"""func.func private @four(%c: i1, %d: i1) -> ({T}, {T}, {T}, {T}) {{
  %i = arith.constant 0 : index
  %f = arith.constant 2.0 : f32
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  memref.store %f, %a[%i] : {T}
  memref.store %f, %b[%i] : {T}
  %s = arith.select %c, %a, %b : {T}
  %t = arith.select %d, %a, %b : {T}
  return %a, %b, %s, %t : {T}, {T}, {T}, {T}
}}
"""
LAST = f"""func.func @last(%c: i1, %d: i1) -> ({T}, {T}, {T}) {{
  %r:4 = func.call @four(%c, %d) : (i1, i1) -> ({T}, {T}, {T}, {T})
  return %r#3, %r#2, %r#1 : {T}, {T}, {T}
}}
"""


@pytest.mark.parametrize("write", ["%p#0", "%p#1", "%p#2"])
def test_one_of_several_is_kept(write: str) -> None:
    """What @last returns may be the buffer that it frees, or one that another result owns."""
    call = f"%p:3 = func.call @last(%c, %d) : (i1, i1) -> ({T}, {T}, {T})\n  memref.store %f, {write}[%i] : {T}"
    text = FOUR + LAST + using(call, ("%p#0", "%p#1", "%p#2"))
    out = run_dealog(text, LOWERED).unwrap()
    for given in GIVEN:
        wanted = executed(text.replace(FOUR, CHOSEN), given, "--no-ownership")
        assert executed(out.replace(FOUR, CHOSEN), given) == wanted, given


def test_what_is_kept_as_another_result() -> None:
    kept, one, shape, asked, where, same, before, last, up_to, times, instead, other, chosen = derive(
        FOUR + LAST, "kept_as_other", "kept_as_one", "of_one_shape", "asked_address", "kept_if", "one_buffer_if",
        "kept_before", "kept_last", "kept_up_to", "kept_at_times", "returned_instead", "returned_otherwise_than",
        "kept_instead", rules=STATIC,
    )  # fmt: skip
    pairs = {(k, j) for k in range(3) for j in range(3) if k != j}
    assert {row[1:] for row in kept} == {row[1:] for row in one} == {row[1:] for row in shape} == pairs
    assert {row[1] for row in asked} == {row[1] for row in times} == {row[1] for row in other} == {0, 1, 2}
    assert {row[1:3] for row in where} == pairs and {row[1:3] for row in same} == {(k, j) for k, j in pairs if j < k}
    assert {name.endswith("and ours") for _, k, j, name in where if k < j} == {True}
    assert {row[1:] for row in before} == {(0, 2, 1), (1, 2, 0), (2, 1, 0)}
    assert {row[1:] for row in last} == {(0, 2), (1, 2), (2, 1)}
    assert {row[1:3] for row in up_to} == pairs
    named, unless = derive(FOUR + LAST, "named_up_to", "cloned_unless", rules=STATIC)
    assert {row[1:3] for row in named} == pairs
    assert {row[1:3] for row in unless} == {(k, f"@last/%r#{3 - k}") for k in range(3)}
    assert {(k, name[:10]) for _, k, name in instead} == {(k, f"returned {k}") for k in range(3)}
    assert {(k, j, value[:8]) for _, k, j, value in chosen if j < k} == {(k, j, "returned") for k, j in pairs if j < k}
    assert {(k, j, value) for _, k, j, value in chosen if k < j} == {
        (0, 1, "@last/%r#2"), (0, 2, "@last/%r#1"), (1, 2, "@last/%r#1")
    }  # fmt: skip


@pytest.mark.parametrize("visibility", ["private", "public"])
def test_all_of_them_are_returned(visibility: str) -> None:
    """In another order: the ones that callers get are the ones that it got."""
    body = f"{{\n  {GET}\n  return %r#1, %r#2, %r#0 : {T}, {T}, {T}\n}}\n"
    middle = f"func.func {visibility} @middle(%c: i1, %d: i1) -> ({T}, {T}, {T}) {body}"
    call = f"%p:3 = func.call @middle(%c, %d) : (i1, i1) -> ({T}, {T}, {T})\n  memref.store %f, %p#1[%i] : {T}"
    text = DECLARED + middle + using(call, ("%p#0", "%p#1", "%p#2"))
    same_results(text, run_dealog(text, LOWERED).unwrap())


@pytest.mark.parametrize("visibility", ["private", "public"])
@pytest.mark.parametrize("body", ["THREE", "%n = memref.alloc()"])
def test_what_a_function_returns_that_is_left_alone(body: str, visibility: str) -> None:
    """Its text says what may be one buffer, and callers get no i1 of it."""
    same = f"(%c: i1, %d: i1) -> ({T}, {T}, {T}) {{\n  {body} : {T}\n  return %n, %n, %n : {T}, {T}, {T}\n}}\n"
    callee = f"func.func {visibility} @three{THREE if body == 'THREE' else same}"
    done = run_dealog(callee.replace(visibility, "public"), LOWERED).unwrap().replace("public", visibility)
    text = done + using(*USES["at once"])
    out = run_dealog(text, ("static-buffer-deallocation=only-function=main", LOWERED[1])).unwrap()
    assert ("extract_aligned_pointer_as_index" in out) == (body == "THREE")
    assert derive(text, "gets_no_i1", rules=STATIC, only_function="main") == {("@three",)}
    for given in GIVEN:
        assert executed(out, given) == executed(text, given, "--no-ownership")


def test_one_of_several_is_returned_alone() -> None:
    middle = f"func.func private @middle(%c: i1, %d: i1) -> {T} {{\n  {GET}\n  return %r#2 : {T}\n}}\n"
    call = f"%p = func.call @middle(%c, %d) : (i1, i1) -> {T}\n  memref.store %f, %p[%i] : {T}"
    text = DECLARED + middle + using(call, ("%p",))
    same_results(text, run_dealog(text, LOWERED).unwrap())


@pytest.mark.parametrize("callee", ["declared", "public"])
def test_what_is_compared(callee: str) -> None:
    text = CALLEES[callee] + using(*USES["views"])
    perhaps, compared, total, results, plainly = derive(
        text, "perhaps_result", "perhaps_same", "may_be_total", "compared_results", "reached_call", rules=STATIC
    )
    call = next(iter(plainly))[0]
    values = [f"@main/%r#{number}" for number in range(3)]
    assert plainly == {(call, "@three")}
    assert perhaps == {(values[1], call, 0), (values[2], call, 0), (values[2], call, 1)}
    assert compared == {
        (values[1], call, 2, values[0]), (values[2], call, 2, values[0]), (values[2], call, 3, values[1])
    }  # fmt: skip
    assert total == {(values[1], 1), (values[2], 2)}
    assert results == ({("@three", 1, 0), ("@three", 2, 0), ("@three", 2, 1)} if callee == "public" else set())


def test_an_argument_that_a_public_function_may_return_is_cloned() -> None:
    text = f"""
func.func @f(%a: {T}, %c: i1) -> ({T}, {T}) {{
  %n = memref.alloc() : {T}
  %s = arith.select %c, %a, %n : {T}
  return %n, %s : {T}, {T}
}}
"""
    assert derive(text, "returned_shared", rules=STATIC) == set()
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "scf.if %returned -> (memref<4xf32>) {\n    scf.yield %n" in out and "bufferization.clone %s" in out
    assert run_dealog(out, STATIC_PASS).unwrap() == out


LENT = f"""func.func @f(%c: i1, %d: i1, %x: {T}) -> ({T}, {T}, {T}) {{
  %n = memref.alloc() : {T}
  %m = memref.alloc() : {T}
  memref.copy %x, %n : {T} to {T}
  %s = scf.if %c -> {T} {{
    scf.yield %n : {T}
  }} else {{
    %k = memref.alloc() : {T}
    scf.yield %k : {T}
  }}
  %t = scf.if %d -> {T} {{
    scf.yield %s : {T}
  }} else {{
    %l = memref.alloc() : {T}
    scf.yield %l : {T}
  }}
  return RETURNED
}}
"""


@pytest.mark.parametrize(
    ("returned", "owners"),
    [
        ("%n, %s, %m", {"%s"}),  # where %s is not ours, it is %n
        ("%n, %s, %t", {"%s", "%t"}),  # where %t is not ours, it is %s
        ("%s, %m, %m", set()),  # it always is ours
        ("%s, %t, %m", {"%t"}),
        ("%n, %m, %t", set()),  # nothing returns %s
    ],
)
def test_what_is_lent_by_what_is_returned_is_returned_itself(returned: str, owners: set[str]) -> None:
    text = LENT.replace("RETURNED", f"{returned} : {T}, {T}, {T}")
    found = derive(text, "returned_by_owner", rules=STATIC)
    assert {value for _, value in found} == owners
    out = run_dealog(text, STATIC_PASS).unwrap()
    unless = {value for _, _, value, _ in derive(text, "cloned_unless", rules=STATIC)}
    assert unless.isdisjoint(owners) and ("bufferization.clone" in out) == bool(unless)
    assert run_dealog(out, STATIC_PASS).unwrap() == out


def test_what_is_lent_by_others_is_cloned() -> None:
    given = f"""func.func @f(%c: i1, %x: {T}, %y: {T}) -> ({T}, {T}) {{
  %n = memref.alloc() : {T}
  %s = scf.if %c -> {T} {{
    scf.yield %x : {T}
  }} else {{
    scf.yield %n : {T}
  }}
  return %s, %x : {T}, {T}
}}
"""
    lent, others, owner = derive(given, "may_be_lent", "lent_by_unreturned", "returned_by_owner", rules=STATIC)
    assert lent == set() and {value for _, value in others} == {"%s"} and owner == set()
    text = LENT.replace("RETURNED", f"%n, %s, %t : {T}, {T}, {T}")
    assert {row[1:] for row in derive(text, "may_be_lent", rules=STATIC)} == {("%n", "%s"), ("%s", "%t")}


def test_an_argument_that_a_public_function_returns_is_cloned_each_time() -> None:
    """As the ABI asks for: those who call it may write to what they get."""
    get = f"%m = memref.get_global @k : {T}"
    text = f"""memref.global @k : {T} = dense<1.0>
func.func @f(%a: {T}, %c: i1) -> ({T}, {T}, {T}) {{
  {get}
  %n = memref.alloc() : {T}
  %s = arith.select %c, %a, %m : {T}
  %t = arith.select %c, %a, %n : {T}
  return %s, %t, %m : {T}, {T}, {T}
}}
func.func @g(%b: {T}, %d: i1, %x: f32, %i: index) {{
  %r:3 = func.call @f(%b, %d) : ({T}, i1) -> ({T}, {T}, {T})
  memref.store %x, %r#0[%i] : {T}
  return
}}
"""
    assert derive(text, "always_cloned", rules=STATIC) == {("@f", "%a"), ("@f", "%m"), ("@g", "@g/%b")}
    assert run_dealog(text, STATIC_PASS).unwrap().count("bufferization.clone") == 3


SHIFTED = f"""func.func @f(%o: index) -> (memref<64xi8>, {T}) {{
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%o][] : memref<64xi8> to {T}
  FURTHER
  return %a, %w : memref<64xi8>, {T}
}}
"""


@pytest.mark.parametrize("further", [f"%w = memref.cast %v : {T} to {T}", f"cf.br ^x(%v : {T})\n^x(%w: {T}):"])
def test_a_view_at_another_address_goes_to_unseen_callers_as_a_clone(further: str) -> None:
    """They only see its address; callers that are all seen know better."""
    text = SHIFTED.replace("FURTHER", further)
    shown, shifted = derive(text, "shown_shifted", "may_be_shifted", rules=STATIC)
    assert {operand for _, operand in shown} == {1} and shifted == {("%v",), ("%w",)}
    assert "bufferization.clone %w" in run_dealog(text, STATIC_PASS).unwrap()
    private = text.replace("func @f", "func private @f")
    assert derive(private, "shown_shifted", rules=STATIC) == set()
    assert "bufferization.clone" not in run_dealog(private, STATIC_PASS).unwrap()


I1S = f"""
func.func @f(%c: i1, %d: i1) -> ({T}, {T}) {{
  %x = memref.alloc() : {T}
  %y = memref.alloc() : {T}
  cf.cond_br %c, ^bb1(%x : {T}), ^bb2(%y : {T})
^bb1(%u: {T}):
  cf.cond_br %d, ^bb2(%u : {T}), ^bb2(%x : {T})
^bb2(%z: {T}):
  cf.cond_br %d, ^bb3, ^bb4
^bb3:
  return %x, %z : {T}, {T}
^bb4:
  return OTHER : {T}, {T}
}}
"""


@pytest.mark.parametrize(("other", "asked"), [("%x, %z", set()), ("%x, %x", {("%z",)})])
def test_an_i1_goes_along_only_where_it_is_asked_for(other: str, asked: set[tuple[str]]) -> None:
    """Callers of @f compare what they get; where %z is also freed, that depends on whether it is %x."""
    text = I1S.replace("OTHER", other)
    compared, goes, asks = derive(
        text, "compared_by_callers", "goes_to_comparing_callers", "asks_for_i1", rules=STATIC
    )
    assert {row[1:] for row in compared} == {(1, "%z")}
    assert goes == {("%z",)} and asks == asked
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert ("i1)" in out.split("^bb2")[1]) == bool(asked)
    assert run_dealog(out, STATIC_PASS).unwrap() == out


def test_what_one_result_lends_another() -> None:
    """Where @three returns %q, which may be %b, that belongs to %p."""
    at_end, other, owned = derive(
        CALLEES["public"] + using(*USES["views"]), "handed_over_at_end", "goes_to_other", "owned_by_other", rules=STATIC
    )
    assert at_end == {("@three/%b", "@three/%p"), ("@three/%s", "@three/%q"), ("@three/%e", "@three/%s")}
    assert {row[1:] for row in other} == {(1, "@three/%s"), (1, "@three/%e"), (2, "@three/%b")}
    assert {row[1:] for row in owned} == {(1, "@three/%e"), (2, "@three/%b")}


def test_what_goes_on_in_a_loop_or_leaves_it() -> None:
    text = f"""
func.func @f(%n: index) -> ({T}, {T}) {{
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %p, %q = scf.for %l = %i to %n step %j iter_args(%x = %a, %y = %a) -> ({T}, {T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b, %b : {T}, {T}
  }}
  return %p, %q : {T}, {T}
}}
"""
    two, at_end = derive(text, "leaves_by_two_paths", "handed_over_at_end", rules=STATIC)
    assert {value for value, _ in two} == {"%a", "%b"} and at_end == set()


GIVE = f"func.func private @give({T}, i1, i1) -> {T}\n"
SAME = f"func.func private @give(%m: {T}, %c: i1, %d: i1) -> {T} {{\n  return %m : {T}\n}}\n"
EITHER = f"""func.func private @give(%m: {T}, %c: i1, %d: i1) -> {T} {{
  %r = scf.if %d -> {T} {{
    %n = memref.alloc() : {T}
    memref.copy %m, %n : {T} to {T}
    scf.yield %n : {T}
  }} else {{
    scf.yield %m : {T}
  }}
  return %r : {T}
}}
"""
FURTHER = {
    "at once": "%p = CALL(%r#2, ARGS",
    "a view": f"""%v = memref.cast %r#2 : {T} to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to {T}
  %p = CALL(%w, ARGS""",
    "in another block": f"cf.br ^x(%r#2 : {T})\n^x(%w: {T}):\n  %p = CALL(%w, ARGS",
    "and into another": f"%w = CALL(%r#2, ARGS\n  cf.br ^x(%w : {T})\n^x(%p: {T}):",
    "twice": "%w = CALL(%r#2, ARGS\n  %p = CALL(%w, ARGS",
    "one of two": f"%w = arith.select %d, %r#2, %r#1 : {T}\n  %p = CALL(%w, ARGS",
    "one or a new one": f"""%n = memref.alloc() : {T}
  memref.store %f, %n[%i] : {T}
  %w = scf.if %d -> {T} {{
    scf.yield %r#2 : {T}
  }} else {{
    scf.yield %n : {T}
  }}
  %p = CALL(%w, ARGS""",
    "out of a region": f"""%w = CALL(%r#2, ARGS
  %p = scf.if %d -> {T} {{
    scf.yield %w : {T}
  }} else {{
    scf.yield %r#1 : {T}
  }}""",
}
"""How a result of one call goes to another."""


@pytest.mark.parametrize(
    ("callee", "give"),
    one_in(2, [("declared", GIVE), ("public", SAME), ("public", EITHER), ("private", GIVE)]),
    ids=one_in(2, ["declared, unseen", "public, its argument", "public, either", "private, unseen"]),
)
@pytest.mark.parametrize("name", FURTHER)
def test_what_another_call_is_given(name: str, callee: str, give: str) -> None:
    """What @give returns may be what @three returned by any result: that lives as long."""
    further = FURTHER[name].replace("CALL", "func.call @give").replace("ARGS", f"%c, %d) : ({T}, i1, i1) -> {T}")
    text = give + CALLEES[callee] + using(f"{GET}\n  {further}\n  memref.store %f, %p[%i] : {T}", ("%r#0", "%p"))
    out = run_dealog(text, LOWERED).unwrap()
    same_results(text.replace(GIVE, SAME), out.replace(GIVE, SAME))


def test_what_may_be_one_of_several_is_not_given_for_good() -> None:
    """@give would free a buffer that another result may be."""
    further = f"%p = func.call @give(%r#2, %c, %d) : ({T}, i1, i1) -> {T}"
    text = EITHER + DECLARED + using(f"{GET}\n  {further}", ("%p",))
    assert ("@main/%r#2",) in derive(text, "unsure", rules=STATIC)
    assert derive(text, "given_for_good", rules=STATIC) == set()


def test_an_i1_that_nobody_asks_for_does_not_go_along_either() -> None:
    """Nothing depends on whether %u is ours but whether %y is."""
    text = f"""
func.func @f(%c: i1, %d: i1) -> ({T}, {T}) {{
  %a = memref.alloc() : {T}
  cf.cond_br %c, ^bb1(%a : {T}), ^bb2
^bb1(%x: {T}):
  cf.br ^bb3(%x : {T})
^bb2:
  %b = memref.alloc() : {T}
  cf.br ^bb3(%b : {T})
^bb3(%u: {T}):
  cf.switch %s : i32, [default: ^bb4(%u : {T}), 1: ^bb4(%u : {T})]
^bb4(%y: {T}):
  return %a, %y : {T}, {T}
}}
""".replace("%d: i1", "%s: i32")
    goes, asks = derive(text, "goes_to_comparing_callers", "asks_for_i1", rules=STATIC)
    assert goes == {("%u",), ("%y",)} and asks == set()
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "i1)" not in out.split("^bb3")[1] and run_dealog(out, STATIC_PASS).unwrap() == out


def test_an_i1_is_asked_for_by_what_is_kept() -> None:
    """Where %z is %p, it is returned as it is if that is ours, which an i1 says that callers do not get."""
    text = f"""
memref.global "private" @g : {T} = dense<0.5>
func.func @f(%c: i1, %d: i1, %k: i32) -> ({T}, {T}, {T}) {{
  %g = memref.get_global @g : {T}
  %a = memref.alloc() : {T}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %b = memref.alloc() : {T}
  cf.switch %k : i32, [default: ^bb3(%b : {T}), 1: ^bb3(%b : {T})]
^bb2:
  cf.br ^bb3(%a : {T})
^bb3(%p: {T}):
  %z = arith.select %d, %p, %g : {T}
  return %z, %p, %a : {T}, {T}, {T}
}}
func.func @main(%c: i1, %d: i1) -> f32 {{
  %k = arith.constant 1 : i32
  %i = arith.constant 0 : index
  %x = arith.constant 3.0 : f32
  %p:3 = func.call @f(%c, %d, %k) : (i1, i1, i32) -> ({T}, {T}, {T})
  memref.store %x, %p#2[%i] : {T}
  memref.store %x, %p#1[%i] : {T}
  %y = memref.load %p#2[%i] : {T}
  %t = arith.addf %x, %y : f32
  return %t : f32
}}
"""
    assert derive(text, "asks_for_i1", rules=STATIC) >= {("%p",)}
    same_values(text, run_dealog(text, LOWERED).unwrap())


def test_two_that_are_chosen_crosswise_are_two() -> None:
    text = f"""
func.func @f(%c: i1, %d: i1) -> ({T}, {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %x = arith.select %c, %a, %b : {T}
  %y = arith.select %c, %b, %a : {T}
  return %x, %y : {T}, {T}
}}
"""
    for body, crosswise in ((text, {(0, 1), (1, 0)}), (text.replace("select %c, %b", "select %d, %b"), set())):
        assert {row[1:] for row in derive(body, "chosen_crosswise", rules=STATIC)} == crosswise
        assert ("cmpi" in run_dealog(body, STATIC_PASS).unwrap()) == (not crosswise)


@pytest.mark.parametrize("beside", ["%n", "%r"])
def test_what_a_call_returned_as_new_or_not_is_cloned(beside: str) -> None:
    """Nothing lends it what it is where it is not ours."""
    text = f"""memref.global "private" @k : {T} = dense<1.0>
func.func private @table(%c: i1) -> {T} {{
  %r = scf.if %c -> {T} {{
    %g = memref.get_global @k : {T}
    scf.yield %g : {T}
  }} else {{
    %n = memref.alloc() : {T}
    scf.yield %n : {T}
  }}
  return %r : {T}
}}
func.func @f(%c: i1) -> ({T}, {T}) {{
  %n = memref.alloc() : {T}
  %r = call @table(%c) : (i1) -> {T}
  return %r, {beside} : {T}, {T}
}}
"""
    owner, unless = derive(text, "returned_by_owner", "cloned_unless", rules=STATIC)
    assert owner == set() and {row[1:3] for row in unless} == {(0, "%r")}


# Which of two arguments %x is, the run shows; ^bb1 returns it by both results, ^bb2 beside an argument.
TWICE = f"""func.func @twice(%c: i1, %d: i1, %p: {T}, %q: {T}) -> ({T}, {T}) {{
  %x = scf.if %c -> {T} {{
    SIDE
  }} else {{
    scf.yield %q : {T}
  }}
  cf.cond_br %d, ^bb1, ^bb2
^bb1:
  return %x, %x : {T}, {T}
^bb2:
  return %x, %p : {T}, {T}
}}
func.func @main(%c: i1, %d: i1) -> f32 {{
  %i = arith.constant 0 : index
  %f = arith.constant 3.0 : f32
  %g = arith.constant 5.0 : f32
  %p = memref.alloc() : {T}
  %q = memref.alloc() : {T}
  memref.store %f, %p[%i] : {T}
  memref.store %g, %q[%i] : {T}
  %r:2 = call @twice(%c, %d, %p, %q) : (i1, i1, {T}, {T}) -> ({T}, {T})
  %x = memref.load %r#0[%i] : {T}
  %y = memref.load %r#1[%i] : {T}
  %z = arith.divf %x, %y : f32
  return %z : f32
}}
"""
OURS = f"%n = memref.alloc() : {T}\n    memref.copy %p, %n : {T} to {T}\n    scf.yield %n : {T}"


@pytest.mark.parametrize("side", [f"scf.yield %p : {T}", OURS])
def test_one_value_by_two_results_on_one_way_is_one_buffer(side: str) -> None:
    """Callers compare: they free once what is returned twice, be it a clone of an argument."""
    text = TWICE.replace("SIDE", side)
    same_values(text, run_dealog(text, LOWERED).unwrap())
    first, compared, kept, receivers = derive(
        text, "returned_as_first", "compared_results", "callers_compare", "may_be_receiver", rules=STATIC
    )
    assert {row[1:] for row in first} == {(1, 0)} and compared == {("@twice", 1, 0)}
    assert kept == {("@twice", 1, 0), ("@twice", 0, 1)}
    assert {row[1:] for row in receivers} == {(0, "@twice/%x"), (1, "@twice/%x")}


# The first two results are %l#1, the third may be the same: where it is, callers get the clone of %l#1, and not %l#1.
AGAIN = f"""func.func @again(%c: i1, %n: index, %p: {T}, %q: {T}) -> ({T}, {T}, {T}) {{
  %i = arith.constant 0 : index
  %a = memref.alloc() : {T}
  memref.copy %p, %a : {T} to {T}
  %x = arith.select %c, %a, %q : {T}
  %l:2 = scf.for %k = %i to %n step %n iter_args(%b = %x, %e = %q) -> ({T}, {T}) {{
    scf.yield %e, %x : {T}, {T}
  }}
  return %l#1, %l#1, %l#0 : {T}, {T}, {T}
}}
"""


def test_what_is_kept_is_what_is_returned_instead_of_the_first() -> None:
    kept, may = derive(AGAIN, "kept_as_other", "may_be_kept", rules=STATIC)
    assert all(1 not in row[1:] for row in kept | may) and kept
    output = run_dealog(AGAIN, STATIC_PASS).unwrap()
    returned = output.partition("  return ")[2].split(" : ")[0].split(", ")
    assert returned[0] == returned[1] and not [name for name in returned if "%l" in name]
    assert "select %c, %a, %q" in output and output.count("arith.select") == 1
    assert run_dealog(output, STATIC_PASS).unwrap() == output


# %r is ours at times, %w never: it is what is returned as %r where both are one buffer, though it stands before it.
RANKS = f"""func.func @ranks(%c: i1, %n: index, %p: {T}) -> ({T}, {T}) {{
  %i = arith.constant 0 : index
  %a = memref.alloc() : {T}
  memref.copy %p, %a : {T} to {T}
  %r = scf.if %c -> {T} {{
    scf.yield %a : {T}
  }} else {{
    scf.yield %p : {T}
  }}
  %w = scf.for %k = %i to %n step %n iter_args(%b = %p) -> {T} {{
    scf.yield %r : {T}
  }}
  return %w, %r : {T}, {T}
}}
"""


def test_what_is_ours_is_returned_first() -> None:
    kept, ahead, ranks, either, turn = derive(
        RANKS, "kept_as_other", "given_ahead", "rank_of_return", "kept_or_keeps", "turn", rules=STATIC
    )
    assert {row[1:] for row in kept} == {(0, 1)} and {row[1:] for row in ahead} == {(1, 0)}
    assert {row[1:] for row in ranks} == {(0, 2), (1, 1)} and {row[1:] for row in either} == {(0, 1), (1, 0)}
    assert {row[1:] for row in turn} == {(0, -29990000)}
    output = run_dealog(RANKS, STATIC_PASS).unwrap()
    assert output.count("cmpi eq") == 1 and run_dealog(output, STATIC_PASS).unwrap() == output
    owned = RANKS.replace("scf.yield %p", "%e = memref.alloc() : memref<4xf32>\n    scf.yield %e")
    kept, ranks = derive(owned, "kept_as_other", "rank_of_return", rules=STATIC)
    assert {row[1:] for row in kept} == {(0, 1)} and {row[1:] for row in ranks} == {(0, 2), (1, 0)}


# The third result is %x where that is one of the others, else a clone: what it is lent is chosen, and returned by them.
CHOSEN_TWICE = f"""func.func @f(%c: i1, %d: i1, %p: {T}) -> ({T}, {T}, {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  memref.copy %p, %a : {T} to {T}
  memref.copy %p, %b : {T} to {T}
  %s = arith.select %d, %a, %b : {T}
  %r = scf.if %c -> {T} {{
    scf.yield %s : {T}
  }} else {{
    %n = memref.alloc() : {T}
    memref.copy %p, %n : {T} to {T}
    scf.yield %n : {T}
  }}
  return %a, %b, %r : {T}, {T}, {T}
}}
"""


def test_what_is_lent_by_way_of_a_choice() -> None:
    asked, lent, others, owner = derive(
        CHOSEN_TWICE, "lender_asked", "may_be_lent", "lent_by_unreturned", "returned_by_owner", rules=STATIC
    )
    assert {row[1:] for row in asked} == {("%r",), ("%s",)}
    assert {row[1:] for row in lent} == {("%s", "%r"), ("%a", "%s"), ("%b", "%s")}
    assert others == set() and {row[1:] for row in owner} == {("%r",)}
    assert run_dealog(CHOSEN_TWICE, STATIC_PASS).unwrap() == CHOSEN_TWICE
    given = CHOSEN_TWICE.replace("%d, %a, %b", "%d, %a, %p")
    others, owner = derive(given, "lent_by_unreturned", "returned_by_owner", rules=STATIC)
    assert {row[1:] for row in others} == {("%r",), ("%s",)} and owner == set()
