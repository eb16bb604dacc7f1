"""Private functions that return one new buffer by two results, or two: an i1 says which, and nothing is cloned."""

from __future__ import annotations

import itertools

import pytest

from tests.rules.derive import derive
from tests.support import exchanges, generate
from tests.support.dealog import command, run_dealog
from tests.support.nightly import one_in

STATIC = ("static_buffer_deallocation",)
STATIC_PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"

REGIONS = f"""
  %r = scf.if %e -> ({T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %a : {T}
  }}
  return FIRST, SECOND : {T}, {T}"""
BLOCKS = f"""
  cf.cond_br %e, ^x, ^y(%a : {T})
^x:
  %b = memref.alloc() : {T}
  cf.br ^y(%b : {T})
^y(%r: {T}):
  return FIRST, SECOND : {T}, {T}"""
TOGETHER = f"""
  %b = memref.alloc() : {T}
  %p = memref.alloc() : {T}
  cf.cond_br %e, ^y(%a, %a : {T}, {T}), ^y(%p, %b : {T}, {T})
^y(%o: {T}, %r: {T}):
  return FIRST, SECOND : {T}, {T}"""
VIEWED = f"""
  %b = memref.alloc() : {T}
  %s = arith.select %e, %a, %b : {T}
  %q = memref.cast %s : {T} to memref<?xf32>
  %r = memref.cast %q : memref<?xf32> to {T}
  return FIRST, SECOND : {T}, {T}"""
VIEWS = f"""
  %b = memref.alloc() : {T}
  %p = memref.cast %a : {T} to memref<?xf32>
  %q = memref.cast %b : {T} to memref<?xf32>
  %s = arith.select %e, %p, %q : memref<?xf32>
  %r = memref.cast %s : memref<?xf32> to {T}
  return FIRST, SECOND : {T}, {T}"""
BODIES = {"regions": REGIONS, "blocks": BLOCKS, "together": TOGETHER, "viewed": VIEWED, "views": VIEWS}


def program(body: str, swapped: bool, through: bool) -> str:
    """A function returns %a and %r, perhaps through another one; its caller writes to both and reads both."""
    a, r = ("%o" if body == "together" else "%a"), "%r"
    text = BODIES[body].replace("FIRST", r if swapped else a).replace("SECOND", a if swapped else r)
    results = f"({T}, {T})"
    on = f"""func.func private @on(%c: i1, %d: i1) -> {results} {{
  %r:2 = call @two(%c, %d) : (i1, i1) -> {results}
  return %r#1, %r#0 : {T}, {T}
}}
"""
    return f"""func.func private @two(%c: i1, %d: i1) -> {results} {{
  %e = arith.andi %c, %d : i1
  %a = memref.alloc() : {T}{text}
}}
{on if through else ""}func.func @f(%c: i1, %d: i1, %x: f32, %y: f32) -> f32 {{
  %i = arith.constant 0 : index
  %r:2 = call @{"on" if through else "two"}(%c, %d) : (i1, i1) -> {results}
  memref.store %x, %r#0[%i] : {T}
  memref.store %y, %r#1[%i] : {T}
  %z = memref.load %r#0[%i] : {T}
  memref.store %z, %r#1[%i] : {T}
  %w = memref.load %r#0[%i] : {T}
  return %w : f32
}}
"""


def runs_alike(text: str, out: str) -> None:
    """`out` gives what `text` does, whatever the two conditions are, and frees what is allocated."""
    for c, d in itertools.product(("true", "false"), repeat=2):
        wanted, run = (
            command("exec", "-", "--lower=never", *how, f"--args={c}, {d}, 1, 2", stdin=module)
            for how, module in ((("--no-ownership",), text), ((), out))
        )
        assert (run.status, run.out) == (0, wanted.out), run.err


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("body", "through"), [*((body, False) for body in BODIES), ("regions", True), ("viewed", True)]
)
def test_what_is_written_by_one_name_is_read_by_the_other(body: str, swapped: bool, through: bool) -> None:
    text = program(body, swapped, through)
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "clone" not in out and "dealog.owned_" in out
    runs_alike(text, out)
    assert run_dealog(out, STATIC_PASS).unwrap() == out


def test_which_results_may_be_one() -> None:
    shared, sole, origins, made = derive(
        program("regions", False, False), "returned_shared", "sole_origin", "returned_origin", "made_new", rules=STATIC
    )
    assert shared == {("@two", 1, 0)} and {row[1:] for row in sole} == {(0, "@two/%a")}
    assert origins == {("@two/%a", "@two/%a"), ("@two/%r", "@two/%a"), ("@two/%r", "@two/%b")}
    assert made == {("@two/%a",), ("@two/%b",)}
    results, elsewhere, times, unsure = derive(
        program("regions", False, False), "shared_result", "returned_elsewhere", "shared_at_times", "may_be_unreturned",
        rules=STATIC,
    )  # fmt: skip
    assert results == {("%r#1", "%r#0")} and not unsure
    assert {row[1:] for row in elsewhere} == {(1, "@two/%a")} and {row[1:] for row in times} == {(1, "@two/%r")}
    by_another, goes, at, sources, may, sole = derive(
        program("together", False, False), "returned_by_another", "given_to_other", "origin_at", "returned_source",
        "may_be_origin", "is_sole_origin", rules=STATIC,
    )  # fmt: skip
    assert by_another >= {("@two/%a",), ("@two/%p",)} and {row[2] for row in goes} >= {"@two/%a"} and not sole
    assert {row[1:] for row in at} == {("@two/%a", 0), ("@two/%a", 1), ("@two/%b", 1), ("@two/%p", 0)}
    assert ("@two/%r", "@two/%b") in sources and {row[1:] for row in may} == {
        (0, "@two/%a"), (0, "@two/%p"), (1, "@two/%a"), (1, "@two/%b")
    }  # fmt: skip
    assert {origin for _, origin in derive(program("regions", False, False), "is_sole_origin", rules=STATIC)} == {
        "@two/%a"
    }


ARGUMENT = f"""
  %r = scf.if %e -> ({T}) {{
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}"""
CHOSEN = f"{ARGUMENT}\n  %s = arith.select %d, %r, %a : {T}"
CROSSED = f"""
  %r:2 = scf.if %c -> ({T}, {T}) {{
    scf.yield %a, %a : {T}, {T}
  }} else {{
    %s:2 = scf.if %d -> ({T}, {T}) {{
      scf.yield %a, %m : {T}, {T}
    }} else {{
      scf.yield %m, %a : {T}, {T}
    }}
    scf.yield %s#0, %s#1 : {T}, {T}
  }}"""
BESIDE = f"""
  %r:2 = scf.if %e -> ({T}, {T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b, %a : {T}, {T}
  }} else {{
    %b = memref.alloc() : {T}
    scf.yield %b, %b : {T}, {T}
  }}"""
GIVEN = {
    "an argument": (ARGUMENT, "%a", "%r"),
    "an argument, first": (ARGUMENT, "%r", "%a"),
    "chosen from that": (CHOSEN, "%s", "%a"),
    "either one": (CROSSED, "%r#0", "%r#1"),
    "new beside another name": (BESIDE, "%a", "%r#1"),
}


def given(name: str) -> str:
    """A function gets %m and returns that or new buffers by two results; its caller writes to all three."""
    body, *results = GIVEN[name]
    return f"""func.func private @two(%c: i1, %d: i1, %m: {T}) -> ({T}, {T}) {{
  %e = arith.andi %c, %d : i1
  %a = memref.alloc() : {T}{body}
  return {", ".join(results)} : {T}, {T}
}}
func.func @f(%c: i1, %d: i1, %x: f32, %y: f32) -> f32 {{
  %i = arith.constant 0 : index
  %o = memref.alloc() : {T}
  memref.store %y, %o[%i] : {T}
  %r:2 = call @two(%c, %d, %o) : (i1, i1, {T}) -> ({T}, {T})
  memref.store %x, %r#0[%i] : {T}
  memref.store %y, %r#1[%i] : {T}
  %z = memref.load %r#0[%i] : {T}
  %u = memref.load %o[%i] : {T}
  %v = arith.addf %z, %u : f32
  memref.store %v, %r#1[%i] : {T}
  %w = memref.load %r#0[%i] : {T}
  return %w : f32
}}
"""


ON = f"""func.func private @on(%c: i1, %d: i1, %m: {T}) -> ({T}, {T}) {{
  %r:2 = call @two(%c, %d, %m) : (i1, i1, {T}) -> ({T}, {T})
  return %r#1, %r#0 : {T}, {T}
}}
"""


@pytest.mark.parametrize(
    ("name", "ends", "through"), one_in(3, list(itertools.product(GIVEN, (False, True), (False, True))))
)
def test_what_is_an_argument_at_times_is_written_to_as_well(name: str, ends: bool, through: bool) -> None:
    text = given(name)
    if ends:  # with the call, the caller needs its buffer by no other name
        text = text.replace(f"  %u = memref.load %o[%i] : {T}\n", "").replace("%z, %u", "%z, %x")
    if through:
        text = text.replace("func.func @f", f"{ON}func.func @f").replace("@two(%c, %d, %o)", "@on(%c, %d, %o)")
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "clone" not in out
    runs_alike(text, out)
    assert run_dealog(out, STATIC_PASS).unwrap() == out


def test_an_argument_beside_a_new_buffer() -> None:
    arguments, unmade, shared = derive(
        given("an argument"), "may_be_argument", "is_not_made", "returned_shared", rules=STATIC
    )
    assert arguments == {("@two", 1, "@two/%m")} and not unmade and shared == {("@two", 1, 0)}
    beside, stays, too = derive(
        given("an argument"), "argument_beside", "stays_with_caller", "returned_too", rules=STATIC
    )
    assert beside == {("@two/%m",)} == stays and {row[1:] for row in too} == {(1, "@two/%a")}
    asked, becomes, lent, ours, back = derive(
        given("chosen from that"), "returned_with_another", "becomes_returned_with_another", "borrowed_to_return",
        "ours_beside", "lent_back", rules=STATIC,
    )  # fmt: skip
    assert {row[1:] for row in asked} == {(0, "@two/%s")} and not ours and {row[1:] for row in back} == {(0,)}
    assert {row[1:] for row in becomes} == {(0, "@two/%s"), (0, "@two/%r")} and lent == {("@two/%r",)}
    ours = derive(program("regions", False, False), "ours_beside", rules=STATIC)
    assert {row[1:] for row in ours} == {(1,)}


def test_of_several_names_the_one_that_is_returned_takes_a_buffer_over() -> None:
    becomes, first = derive(given("new beside another name"), "becomes_returned", "first_on_way", rules=STATIC)
    assert {(row[0], row[3]) for row in becomes} == {("@two/%a", 1), ("@two/%b'2", 1)}
    assert {(row[0], row[3]) for row in first} >= {("@two/%a", 1), ("@two/%b'2", 1), ("@two/%b", 0)}


def test_what_a_loop_takes_goes_two_ways() -> None:
    """What it takes becomes its result as well, where it does not run: that says nothing of which is the first."""
    text = generate.program(111, size=23, wild=False)
    ways, becomes = derive(text, "goes_two_ways", "becomes_returned", rules=STATIC)
    assert ways and not {op for (op,) in ways} & {op for _, op, *_ in becomes}
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert run_dealog(out, STATIC_PASS).unwrap() == out


def test_one_of_two_arguments_is_no_new_one() -> None:
    text = given("an argument").replace("%m: memref<4xf32>)", "%m: memref<4xf32>, %n: memref<4xf32>)")
    text = text.replace("scf.yield %a", "%q = arith.select %d, %m, %n : memref<4xf32>\n    scf.yield %q")
    text = text.replace("%d, %o) : (i1, i1, memref<4xf32>)", "%d, %o, %o) : (i1, i1, memref<4xf32>, memref<4xf32>)")
    assert {row[1] for row in derive(text, "is_not_made", rules=STATIC)} == {1}
    assert derive(text, "returned_shared", rules=STATIC) == set()


def test_callers_that_hand_an_argument_on_get_a_clone() -> None:
    """Out of the loop, %r#1 could not be %r#0, of which the name ends there."""
    text = given("an argument")
    moved = text.replace("  memref.store %x, %r#0", f"""  %one = arith.constant 1 : index
  %k = scf.for %j = %i to %one step %one iter_args(%p = %o) -> ({T}) {{
    %q:2 = call @two(%c, %d, %o) : (i1, i1, {T}) -> ({T}, {T})
    scf.yield %q#1 : {T}
  }}
  memref.store %x, %r#0""", 1)
    by, goes, shared = derive(moved, "moved_by_callers", "goes_on_moved", "returned_shared", rules=STATIC)
    assert by == {("@two", 1)} and ("%q#1",) in goes and shared == set()
    here = text.replace("  memref.store %x, %r#0", f"""  %k = scf.if %d -> ({T}) {{
    scf.yield %r#1 : {T}
  }} else {{
    scf.yield %o : {T}
  }}
  memref.store %x, %k[%i] : {T}
  memref.store %x, %r#0""", 1)
    assert derive(here, "moved_by_callers", "goes_on_moved", rules=STATIC) == (set(), set())
    out = run_dealog(here, STATIC_PASS).unwrap()
    assert "clone" not in out
    runs_alike(here, out)


def test_what_is_only_given_back_is_no_new_buffer() -> None:
    again = f"""func.func private @again(%m: {T}) -> {T} {{
  return %m : {T}
}}
"""
    text = again + given("an argument").replace(
        "  %a = memref.alloc()", f"  %g = call @again(%m) : ({T}) -> {T}\n  %a = memref.alloc()"
    ).replace("scf.yield %m", "scf.yield %g")
    given_back, made, there, arguments = derive(
        text, "only_given_back", "may_return_made", "may_be_made_there", "may_be_argument", rules=STATIC
    )
    assert given_back == {("@two/%g",)} and made == {("@two", 0), ("@two", 1)} and ("@two/%r",) in there
    assert arguments == {("@two", 1, "@two/%m")}
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "clone" not in out
    runs_alike(text, out)


@pytest.mark.parametrize("number", [26, 137])
def test_functions_that_exchange_what_they_return(number: int) -> None:
    """Their results go on where they could not be one buffer. (`tests/compiled` runs more of these programs.)"""
    passes = ("static-buffer-deallocation-pipeline",)
    out = run_dealog(exchanges.program(number, 3 + number % 7), passes).unwrap()
    assert run_dealog(out, passes).unwrap() == out


def test_what_the_text_frees_by_both_names_is_two() -> None:
    both = "".join(f"  memref.dealloc %r#{i} : {T}\n" for i in (0, 1))
    text = program("regions", False, False).replace("  return %w", both + "  return %w")
    freed, results = derive(text, "freed_anyway", "shared_result", rules=STATIC)
    assert freed == {("%r#0",), ("%r#1",)} and not results
    view = f"  %v = memref.cast %r#1 : {T} to memref<?xf32>\n  memref.dealloc %v : memref<?xf32>\n"
    text = program("regions", False, False).replace("  return %w", view + "  return %w")
    freed, results = derive(text, "freed_anyway", "shared_result", rules=STATIC)
    assert freed == {("%r#1",)} and not results


def test_what_goes_on_beside_a_clone_is_seen() -> None:
    """A buffer is handed over to one name and lent to another, on one way: of the two, one is returned as a clone."""
    text = f"""
func.func private @two(%c: i1, %a: {T}, %b: {T}) -> ({T}, {T}) {{
  %n = memref.alloc() : {T}
  %m = arith.select %c, %a, %b : {T}
  cf.cond_br %c, ^y(%n, %n : {T}, {T}), ^y(%n, %m : {T}, {T})
^y(%o: {T}, %r: {T}):
  return %r, %o : {T}, {T}
}}
func.func @f(%c: i1, %x: f32, %a: {T}) {{
  %i = arith.constant 0 : index
  %r:2 = call @two(%c, %a, %a) : (i1, {T}, {T}) -> ({T}, {T})
  memref.store %x, %r#0[%i] : {T}
  %y = memref.load %r#1[%i] : {T}
  memref.store %y, %a[%i] : {T}
  return
}}
"""
    beside, lent = derive(text, "cloned_beside", "lent_as", rules=STATIC)
    assert {row[1:] for row in beside} == {(0, 1)} and ("@two/%n", "@two/%r") in lent


def test_results_of_a_call_that_always_are_one_have_one_origin() -> None:
    text = f"""
func.func private @inner() -> ({T}, {T}) {{
  %n = memref.alloc() : {T}
  return %n, %n : {T}, {T}
}}
func.func private @two(%c: i1) -> ({T}, {T}) {{
  %p:2 = call @inner() : () -> ({T}, {T})
  %q = memref.alloc() : {T}
  cf.cond_br %c, ^y(%p#1, %p#0 : {T}, {T}), ^y(%p#1, %q : {T}, {T})
^y(%o: {T}, %r: {T}):
  return %r, %o : {T}, {T}
}}
"""
    assert derive(text, "returned_shared", rules=STATIC) == {("@two", 0, 1)}


def test_what_parts_of_a_module_say_of_each_other() -> None:
    text = program("regions", False, False)
    assert ("@two", "@two", "returns shared", 1, 0) in derive(text, "function_summary", rules=STATIC)
    declared = f"func.func private @two(i1, i1) -> ({T}, {T})\n{text[text.index('func.func @f') :]}"
    said = [("@two", "returns", 0, 0), ("@two", "returns shared", 1, 0)]
    assert derive(declared, "shared_result", rules=STATIC, given={"said_elsewhere": said}) == {("%r#1", "%r#0")}
    text = given("an argument")
    alone, caller = text[: text.index("func.func @f")], text[text.index("func.func @f") :]
    assert derive(alone, "returned_shared", rules=STATIC) == {("@two", 1, 0)}
    moved = {"said_elsewhere": [("@two", "is handed on", 1, 0)]}
    assert derive(alone, "returned_shared", rules=STATIC, given=moved) == set()
    declared = f"func.func private @two(i1, i1, {T}) -> ({T}, {T})\n{caller}"
    goes = declared.replace("  %z = memref.load %r#0", f"  cf.br ^b(%r#1 : {T})\n^b(%p: {T}):\n  %z = memref.load %p")
    seen = {"said_elsewhere": [("@two", "returns", 0, 0), ("@two", "gives another", 1, 0)]}
    said_there, made = derive(goes, "function_summary", "may_return_made", rules=STATIC, given=seen)
    assert ("@f", "@two", "is handed on", 1, 0) in said_there and made == {("@two", 1)}


USES = {
    "a view": f"""
  %q = memref.cast %k : {T} to memref<?xf32>
  %w = memref.load %q[%i] : memref<?xf32>""",
    "a choice": f"""
  %n = memref.alloc() : {T}
  memref.store %x, %n[%i] : {T}
  %y = arith.select %d, %k, %n : {T}
  %w = memref.load %y[%i] : {T}""",
    "a region": f"""
  %y = scf.if %d -> ({T}) {{
    scf.yield %k : {T}
  }} else {{
    %n = memref.alloc() : {T}
    memref.store %x, %n[%i] : {T}
    scf.yield %n : {T}
  }}
  %w = memref.load %y[%i] : {T}""",
    "a block": f"""
  cf.cond_br %d, ^x(%k : {T}), ^y
^y:
  %n = memref.alloc() : {T}
  memref.store %x, %n[%i] : {T}
  cf.br ^x(%n : {T})
^x(%y: {T}):
  %w = memref.load %y[%i] : {T}""",
}


@pytest.mark.parametrize("result", [1, 2])
@pytest.mark.parametrize("use", USES)
def test_the_other_buffer_lives_as_long(use: str, result: int) -> None:
    results = f"({T}, {T}, {T})"
    text = f"""func.func private @three(%c: i1) -> {results} {{
  %a = memref.alloc() : {T}
  %r = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %a : {T}
  }}
  return %a, %r, %r : {T}, {T}, {T}
}}
func.func @f(%c: i1, %d: i1, %x: f32) -> f32 {{
  %i = arith.constant 0 : index
  %r:3 = call @three(%c) : (i1) -> {results}
  memref.store %x, %r#0[%i] : {T}
  memref.store %x, %r#1[%i] : {T}
  %k = memref.cast %r#{result} : {T} to {T}{USES[use]}
  return %w : f32
}}
"""
    out = run_dealog(text, STATIC_PASS).unwrap()
    assert "clone" not in out
    for given in ("true, true", "true, false", "false, true", "false, false"):
        run = command("exec", "-", "--lower=never", "--entry=@f", f"--args={given}, 2", stdin=out)
        assert (run.status, run.out) == (0, "f32=2.0\n"), run.err
