"""Two results of a call may be one buffer: where the name of one ends, the other takes that buffer along."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import executed, run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
LOWERED = (*PASS, "convert-bufferization-to-memref")
T = "memref<4xf32>"
CALL = "@main/func.call#5"

TWO = f"""func.func private @two(%c: i1) -> ({T}, {T}) {{
  %a = memref.alloc() : {T}
  %r = scf.if %c -> ({T}) {{
    scf.yield %a : {T}
  }} else {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }}
  return %a, %r : {T}, {T}
}}
"""
MAIN = f"""func.func @main(%d: i1, %e: i1) -> f32 {{
  %i = arith.constant 0 : index
  %f = arith.constant 2.0 : f32
  %o = scf.if %d -> ({T}) {{
    %x, %y = func.call @two(%e) : (i1) -> ({T}, {T})
    memref.store %f, %x[%i] : {T}
    memref.store %f, %y[%i] : {T}
    scf.yield %y : {T}
  }} else {{
    %n = memref.alloc() : {T}
    memref.store %f, %n[%i] : {T}
    scf.yield %n : {T}
  }}
  memref.store %f, %o[%i] : {T}
  %v = memref.load %o[%i] : {T}
  return %v : f32
}}
"""
LOOP = f"""func.func @main(%d: i1, %e: i1) -> f32 {{
  %i = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %f = arith.constant 2.0 : f32
  %n = memref.alloc() : {T}
  %o = scf.for %k = %i to %two step %one iter_args(%w = %n) -> ({T}) {{
    %x, %y = func.call @two(%e) : (i1) -> ({T}, {T})
    %z = arith.select %d, %x, %y : {T}
    memref.store %f, %z[%i] : {T}
    memref.store %f, %y[%i] : {T}
    scf.yield %y : {T}
  }}
  memref.store %f, %o[%i] : {T}
  %v = memref.load %o[%i] : {T}
  return %v : f32
}}
"""
GIVEN = ("true, true", "true, false", "false, true", "false, false")
PUBLIC = TWO.replace("private", "public")
DECLARED = f"func.func private @two(i1) -> ({T}, {T})\n"
THREE = TWO.replace("@two", "@three").replace(f"({T}, {T})", f"({T}, {T}, {T})").replace(
    f"return %a, %r : {T}, {T}", f"return %a, %r, %r : {T}, {T}, {T}")  # fmt: skip
ONE_OF_THREE = f"func.func private @three(i1) -> ({T}, {T}, {T})\n" + MAIN.replace(
    f"%x, %y = func.call @two(%e) : (i1) -> ({T}, {T})", f"%x, %z, %y = func.call @three(%e) : (i1) -> ({T}, {T}, {T})"
)
PROGRAMS = {
    "out of a region": TWO + MAIN,
    "around a loop": TWO + LOOP,
    "of a public function": PUBLIC + MAIN,
    "of a public function, around a loop": PUBLIC + LOOP,
    "of a declared function": DECLARED + MAIN,
    "one of three": ONE_OF_THREE,
}


def linked(text: str) -> str:
    for declared, body in ((DECLARED, TWO), (ONE_OF_THREE.splitlines()[0] + "\n", THREE)):
        text = text.replace(declared, body)
    return text


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_cloned_and_all_is_freed_once(name: str) -> None:
    text = PROGRAMS[name]
    out = run_dealog(text, LOWERED).unwrap()
    assert "memref.copy" not in out
    for given in GIVEN:
        assert executed(linked(out), given) == executed(linked(text), given, "--no-ownership"), given
    assert run_dealog(out, PASS).unwrap() == out


def test_what_is_lent_to_which_result() -> None:
    asked = ("lent_result", "ends_first", "carries_result", "known_by_pointers", "reached_otherwise", "may_be_further")
    assert derive(TWO + MAIN, *asked, rules=STATIC) == (
        {("@main/%y", "@main/%x")},
        {("@main/%x",)},
        {("@main/%y", "@main/%x"), ("@main/%o", "@main/%x")},
        set(), set(), set(),
    )  # fmt: skip
    assert derive(ONE_OF_THREE, *asked, rules=STATIC) == (
        {("@main/%y", "@main/%x"), ("@main/%y", "@main/%z"), ("@main/%z", "@main/%x")},
        {("@main/%x",), ("@main/%z",)},
        {(f"@main/%{value}", f"@main/%{other}") for value, other in ("yx", "yz", "zx", "ox", "oz")},
        {("@main/%y", "@main/%x"), ("@main/%y", "@main/%z")},
        set(), set(),
    )  # fmt: skip


@pytest.mark.parametrize("declared", [TWO, DECLARED])
@pytest.mark.parametrize("name", ["x", "y"])
@pytest.mark.parametrize(
    "use",
    [
        f"%h = memref.alloca() : memref<1x{T}>\n    memref.store %x, %h[%i] : memref<1x{T}>",
        f"%p = memref.extract_aligned_pointer_as_index %x : {T} -> index\n    func.call @sees(%p) : (index) -> ()",
    ],
)
def test_what_may_be_reached_otherwise_is_not_lent(use: str, name: str, declared: str) -> None:
    """By memory, or by its address: no i1 goes along there."""
    kept = MAIN.replace("    scf.yield %y", f"    {use.replace('%x', f'%{name}')}\n    scf.yield %y")
    text = f"{declared}func.func private @sees(index)\n{kept}"
    lent, otherwise = derive(text, "lent_result", "reached_otherwise", rules=STATIC)
    assert (lent, otherwise) == (set(), {("@main/%x",)})


def test_what_may_not_be_ours_is_not_lent() -> None:
    """Both results may be what the call is given."""
    given = f"    %g = memref.alloc() : {T}\n    %x, %y = func.call @two(%e, %g) : (i1, {T}) -> ({T}, {T})\n"
    main = MAIN.replace(f"    %x, %y = func.call @two(%e) : (i1) -> ({T}, {T})\n", given)
    text = DECLARED.replace("(i1)", f"(i1, {T})") + main
    lent, otherwise = derive(text, "lent_result", "reached_otherwise", rules=STATIC)
    assert (lent, otherwise) == (set(), {("@main/%x",)})


def test_a_result_that_may_be_a_third_one() -> None:
    """%x may be %y, and %y may be %x: nothing tells which of the two is to be lent."""
    either = f"""func.func private @two(%c: i1) -> ({T}, {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %q = arith.select %c, %a, %b : {T}
  %r:2 = scf.if %c -> ({T}, {T}) {{
    scf.yield %a, %b : {T}, {T}
  }} else {{
    scf.yield %q, %q : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}
}}
"""
    further, lent = derive(either + MAIN, "may_be_further", "lent_result", rules=STATIC)
    assert (further, lent) == ({("@main/%x", "@main/%y"), ("@main/%y", "@main/%x")}, set())


# ---- what the text frees so ------------------------------------------------------------------------------------------


def freed(text: str = TWO + MAIN) -> str:
    return run_dealog(text, PASS).unwrap()


def messages(text: str) -> set[str]:
    return {diagnostic.message for diagnostic in run_dealog(text, PASS).diagnostics}


def test_how_it_is_followed() -> None:
    assert derive(freed(), "lent_result", "reached_otherwise", rules=STATIC) == (set(), {("@main/%x",)})
    asked = ("comes_as_result", "may_be_result", "one_of_results", "shares_made", "goes_on_followed")
    assert derive(freed(), *asked, rules=STATIC) == (
        {(CALL, "@main/%y", "@main/%x")},
        {(CALL, "@main/%y", "@main/%x")},
        set(),
        {("@main/%x", CALL)},
        {("@main/scf.yield#16", 0, "@main/%x")},
    )
    made, is_made = derive(freed(), "made_up_to", "is_made", rules=STATIC)
    assert {row[0] for row in made} == {"@main/%x"}
    assert {(row[4], row[5]) for row in is_made} == {("@main/%y", 0), ("@main/%y", 1)}  # as %e says
    assert derive(freed(ONE_OF_THREE), "one_of_results", rules=STATIC) == {("@main/%y",)}


def test_i1s_of_other_results() -> None:
    """The i1 that comes with %y is about that, as an attribute says, not about %x, which is freed on it, too."""
    size = f"  %z = arith.constant 0 : index\n  %s = memref.dim %a, %z : {T}\n  %k = arith.cmpi eq, %z, %s: index\n"
    text = freed(TWO.replace("  %r = scf.if %c", f"{size}  %r = scf.if %k") + MAIN)
    assert "dealog.owned_1 = 2" in text
    states, beside = derive(text, "states_some", "comes_beside", rules=STATIC)
    assert states == {("@two", 2)}
    assert {value for value, _ in beside} <= {"@main/%y"}
    assert run_dealog(text, PASS).unwrap() == text


@pytest.mark.parametrize("name", PROGRAMS)
def test_freeing_it_always_is_noticed(name: str) -> None:
    text = freed(PROGRAMS[name])
    line = next(line for line in text.splitlines() if "scf.if %other" in line)
    assert messages(text.replace(line, line.replace(line.split()[1], "%true"))) & {
        "this buffer has been freed before", "this buffer is used after it has been freed",
        "this buffer may be freed here more than once, or while it is used elsewhere",
        "what is made from this buffer is needed where the buffer cannot be",
    }  # fmt: skip


def test_a_use_by_the_other_name() -> None:
    """%y may be %x, which is freed by then."""
    text = f"""{freed().split("func.func @main")[0]}func.func @main(%d: i1) -> f32 {{
  %true = arith.constant true
  %i = arith.constant 0 : index
  %x, %y = func.call @two(%d) : (i1) -> ({T}, {T})
  %own = arith.xori %d, %true : i1
  memref.dealloc %x : {T}
  %v = memref.load %y[%i] : {T}
  scf.if %own {{
    memref.dealloc %y : {T}
  }}
  return %v : f32
}}
"""
    assert messages(text) == {"this buffer is used after it has been freed"}
    free = f"  memref.dealloc %x : {T}\n"
    assert messages(text.replace(free, "").replace("  scf.if %own", f"{free}  scf.if %own")) == set()


# ---- what the text frees as another result ---------------------------------------------------------------------------

ELSEWHERE = "this may be another buffer, which is freed elsewhere"


@pytest.mark.parametrize("declared", [PUBLIC, DECLARED])
def test_freeing_what_may_be_another_result(declared: str) -> None:
    """Callers get no i1 of %y: were %x freed too, that could be the same buffer."""
    text = declared + f"""func.func @main(%d: i1) {{
  %x, %y = func.call @two(%d) : (i1) -> ({T}, {T})
  memref.dealloc %y : {T}
  return
}}
"""
    assert messages(text) == {ELSEWHERE}
    assert derive(text, "frees_other_result", "may_be_by_address", rules=STATIC) == (
        {("@main/memref.dealloc#2", "@main/%x")},
        {("@main/%x",)},
    )
    assert messages(text.replace("memref.dealloc %y", "memref.dealloc %x")) == set()
    assert messages(text.replace("  return\n}\n", f"  memref.dealloc %x : {T}\n  return\n}}\n")) == set()
    assert messages(text.replace("memref.dealloc %y", "func.call @takes(%y) : (memref<4xf32>) -> () //") + f"""
func.func private @takes(%a: {T}) {{
  memref.dealloc %a : {T}
  return
}}
""") == {ELSEWHERE}


def test_of_two_results_one_is_always_ours() -> None:
    """Where one goes on, it is ours, or it is the other one, which is: no i1 has to be made up for it."""
    text = f"""func.func private @get(i1) -> ({T}, {T})
func.func @f(%c: i1, %i: index, %n: index, %s: index) -> f32 {{
  %z:2 = func.call @get(%c) : (i1) -> ({T}, {T})
  %q = scf.for %k = %i to %n step %s iter_args(%p = %z#0) -> ({T}) {{
    %r:2 = func.call @get(%c) : (i1) -> ({T}, {T})
    scf.yield %r#1 : {T}
  }}
  %v = memref.load %q[%i] : {T}
  return %v : f32
}}
"""
    out = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert out.count("arith.ori") == 1
    folded = run_dealog(text, ("static-buffer-deallocation-pipeline",)).unwrap()
    assert "arith.ori" not in folded and "arith.xori" not in folded and "scf.yield %r#1 :" in folded
    assert run_dealog(folded, ("static-buffer-deallocation-pipeline",)).unwrap() == folded
