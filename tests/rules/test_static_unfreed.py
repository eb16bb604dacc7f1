"""What is left unfreed where a text frees on conditions of its own, and which conditions say nothing of a buffer."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
NO_DEALLOCATION = "no deallocation that the function has, on conditions of its own, frees this buffer"
ON_SOME_PATH = "on some path, no deallocation that the function has frees this buffer"
NOT_THE_OTHER = "this frees one of two buffers, and the other one, which another choice takes, is not freed"

CHOSEN = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %again = arith.xori %not, %true : i1
  %t = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}
  %v = memref.cast %t : {T} to {T}
  memref.copy %m, %v : {T} to {T}
  scf.if WHERE {{
    memref.dealloc %v : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(("where", "tells"), [("%c", True), ("%again", True), ("%d", False)])
def test_which_conditions_tell_of_a_buffer(where: str, tells: bool) -> None:
    """%c chooses %t, of which %v is a view; %d has nothing to do with it."""
    text = CHOSEN.replace("WHERE", where)
    freed, guards, by_guard, may_tell, under, left = derive(
        text, "freed_on_i1", "guard", "freed_by_guard", "may_tell", "freed_under_i1", "left_to_hand", rules=STATIC
    )
    assert {(value, condition) for _, value, condition in freed} == {("%v", where)} and (where,) in guards
    assert {("%v",), ("%t",), ("%a",)} <= by_guard
    assert ((where,) in may_tell) == (under != set()) == (("%t",) in left) == tells
    done = run_dealog(text, PASS).text
    assert derive(text, "twice_negated", rules=STATIC) == {("%again", "%c")}
    assert done is not None and (done == text) == tells
    assert done.count("memref.dealloc") == (1 if tells else 2)


@pytest.mark.parametrize("private", [True, False])
def test_conditions_that_a_caller_gives(private: bool) -> None:
    """Where all calls are seen, the caller may say by it whether a buffer is owned."""
    text = f"""{CHOSEN.replace("WHERE", "%d")}
func.func @g(%k: i1, %o: {T}) {{
  call @f(%k, %k, %o) : (i1, i1, {T}) -> ()
  return
}}
"""
    text = text.replace("func.func @f", "func.func private @f" if private else "func.func @f")
    assert (("%d",) in derive(text, "may_tell", rules=STATIC)) == private


def test_the_condition_of_a_branch_elsewhere() -> None:
    """The branch says by which way control comes, and so which buffer %t is."""
    text = f"""
func.func @f(%c: i1, %m: {T}) {{
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : {T}
  cf.br ^bb3(%a : {T})
^bb2:
  cf.br ^bb3(%m : {T})
^bb3(%t: {T}):
  memref.copy %m, %t : {T} to {T}
  scf.if %c {{
    memref.dealloc %t : {T}
  }}
  return
}}
"""
    assert derive(text, "may_tell", "tells_way", rules=STATIC) == ({("%c",)}, {("%c",)})
    assert run_dealog(text, PASS).text == text


TWO = f"""
func.func @f(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %t = scf.if %c -> ({T}) {{
    scf.yield %a : {T}
  }} else {{
    scf.yield %b : {T}
  }}
  memref.copy %m, %t : {T} to {T}
  scf.if %c {{
    memref.dealloc %t : {T}
  }}
  MORE
  return
}}
"""


@pytest.mark.parametrize(
    ("more", "freed"),
    [
        ("", ""),
        (f"memref.dealloc %b : {T}", "b"),
        (f"%w = memref.cast %b : {T} to {T}\n  memref.dealloc %w : {T}", "b"),
        (f"%w = memref.cast %b : {T} to {T}\n  scf.if %c {{\n  }} else {{\n    memref.dealloc %w : {T}\n  }}", "b"),
    ],
)
def test_what_comes_to_a_deallocation_where_the_i1_does_not_hold(more: str, freed: str) -> None:
    """%a goes out where %c holds, and is freed as %t; %b goes out where it does not."""
    text = TWO.replace("MORE", more)
    lent, unfreed, stays, may, itself, names = derive(
        text, "goes_unfreed", "unfreed_allocation", "stays_unfreed", "may_be_freed_by", "ends_as_itself",
        "name_of_allocation", rules=STATIC,
    )  # fmt: skip
    assert lent == {("%b", "%t", "scf.yield#5", "out", 0)} and stays == {("%t", "scf.yield#5", "out", 0, "%b")}
    assert may == {("%t", "scf.yield#4", "out", 0)}
    assert {("%a", "%a"), ("%b", "%b")} <= names and (("%b", "%w") in names) == ("%w" in more)
    assert itself == ({("%b",)} if freed else set())
    assert unfreed == (set() if freed else {("memref.alloc#2", "%b")})
    leaking = {"%a"} | ({"%b"} if not freed or "else" in more else set())  # %a where %c does not hold
    assert {each for each, _ in derive(text, "leaks_on_path", rules=STATIC)} == leaking
    assert {d.message for d in run_dealog(text, PASS).diagnostics} == {ON_SOME_PATH}


def test_what_nothing_frees() -> None:
    text = TWO.replace("MORE", "")
    ended, told, unfreed = derive(text, "freed_or_given", "freed_on_indicator", "unfreed_allocation", rules=STATIC)
    returned = text.replace(f"%m: {T})", f"%m: {T}) -> {T}").replace("  return\n", f"  return %b : {T}\n")
    assert derive(text, "goes_to_others", rules=STATIC) == set()
    assert derive(returned, "goes_to_others", rules=STATIC) == {("%b",)}
    assert ("%a",) in ended and ("%b",) not in ended and told == {("%t",)}
    assert unfreed == {("memref.alloc#2", "%b")}


ROUND = f"""
func.func @f(%n: index, %m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %t:RESULTS = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %g = %false) -> ({T}, i1) {{
    %b = memref.alloc() : {T}
    memref.copy %x, %b : {T} to {T}
    scf.if %g {{
      memref.dealloc %x : {T}
    }}
    scf.yield %b, %true : {T}, i1
  }}
  memref.copy %m, %t#0 : {T} to {T}
  memref.dealloc %t#0 : {T}
  MORE
  return
}}
""".replace("RESULTS", "2")


def test_what_goes_into_a_loop_beside_false() -> None:
    """The first round does not free %a; where there is none, %a is %t, which is freed: that is another way."""
    text = ROUND.replace("MORE", "")
    lent, beside, unfreed = derive(text, "goes_unfreed", "goes_on_beside", "unfreed_allocation", rules=STATIC)
    assert lent == {("%a", "%x", "scf.for#7", "into", 0)} and beside == set()
    assert unfreed == {("memref.alloc#5", "%a")}
    assert ON_SOME_PATH in {d.message for d in run_dealog(text, PASS).diagnostics}


WAYS = {
    "block": (
        f"cf.br ^bb1(%a, %false, %a : {T}, i1, {T})\n^bb1(%x: {T}, %g: i1, %y: {T}):",
        "",
    ),
    "into": (
        f"%r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %g = %false, %y = %a) -> ({T}, i1, {T}) {{",
        f"scf.yield %x, %g, %y : {T}, i1, {T}\n  }}",
    ),
    "out": (
        f"%x, %g, %y = scf.execute_region -> ({T}, i1, {T}) {{\n    scf.yield %a, %false, %a : {T}, i1, {T}\n  }}",
        "",
    ),
    "past": (
        f"%x, %g, %y = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %h = %false, %q = %a) -> ({T}, i1, {T}) {{\n"
        f"    scf.yield %p, %h, %q : {T}, i1, {T}\n  }}",
        "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_what_goes_on_by_another_name_as_well(way: str) -> None:
    start, end = WAYS[way]
    text = f"""
func.func @f(%n: index, %m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  {start}
  scf.if %g {{
    memref.dealloc %x : {T}
  }}
  memref.copy %m, %y : {T} to {T}
  {end}
  return
}}
"""
    beside = derive(text, "goes_on_beside", rules=STATIC)
    assert ("%a", "%x", way) in {(value, receiver, by) for value, receiver, _, by, _ in beside}
    becomes, several, left = derive(text, "becomes_on_path", "goes_on_several_times", "left_on_path", rules=STATIC)
    assert {(by, name) for _, _, by, _, name in becomes} >= {(way, "%x"), (way, "%y")}
    assert {("%a", way)} <= {(value, by) for value, _, by, _ in several} <= {(value, by) for value, _, by, _ in left}
    alone = text.replace("%y = %a", "%y = %m").replace("%q = %a", "%q = %m").replace("%false, %a", "%false, %m")
    assert derive(alone, "goes_on_beside", rules=STATIC) == set()


def test_what_another_operation_hands_on() -> None:
    text = TWO.replace("MORE", f"%o = arith.select %c, %m, %b : {T}\n  memref.dealloc %o : {T}")
    passed, several = derive(text, "passes_on_name", "passed_on_several_times", rules=STATIC)
    assert {("%b", "scf.yield#5"), ("%b", "arith.select#10")} <= passed and several == {("%b",)}
    chosen, elsewhere, unfreed = derive(text, "hands_on_name", "goes_on_elsewhere", "unfreed_allocation", rules=STATIC)
    assert ("%b", "%b", "arith.select#10", 2) in chosen and elsewhere == {("%b", "scf.yield#5")} and unfreed == set()


OPPOSITE = f"""
func.func @f(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  memref.copy %m, %b : {T} to {T}
  %t = arith.select %c, %a, %b : {T}
  %u = arith.select %c, %b, %a : {T}
  memref.dealloc %u : {T}
  memref.copy %t, %m : {T} to {T}
  MORE
  return
}}
"""


@pytest.mark.parametrize(("more", "goes_on"), [("", False), (f"memref.dealloc %t : {T}", True)])
def test_the_other_one_of_two(more: str, goes_on: bool) -> None:
    text = OPPOSITE.replace("MORE", more)
    other = derive(text, "other_goes_on", rules=STATIC)
    assert other == ({("memref.dealloc#7",), ("memref.dealloc#9",)} if goes_on else set())
    done = run_dealog(text, PASS)
    assert done.text == (text if goes_on else None)
    assert (NOT_THE_OTHER in {d.message for d in done.diagnostics}) == (not goes_on)


CLONED = f"""
  %k = scf.if %c -> ({T}) {{
    scf.yield %s : {T}
  }} else {{
    %n = bufferization.clone %s : {T} to {T}
    scf.yield %n : {T}
  }}
"""


@pytest.mark.parametrize(("cloned", "result"), [("", "%s"), (CLONED, "%k")])
def test_what_a_caller_gets_that_may_be_an_argument(cloned: str, result: str) -> None:
    """%a is freed where it is not %s, which may be %m: nobody can tell who frees that."""
    text = f"""
func.func @f(%c: i1, %m: {T}) -> {T} {{
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %s = arith.select %c, %a, %m : {T}
  {cloned}
  scf.if %not {{
    memref.dealloc %a : {T}
  }}
  return {result} : {T}
}}
"""
    foreign, done = derive(text, "foreign_name", rules=STATIC), run_dealog(text, PASS)
    assert {("%m",), ("%s",)} <= foreign and ("%k",) not in foreign
    assert done.text == (text if cloned else None)
    assert any("and is not cloned" in d.message for d in done.diagnostics) == (not cloned)


UNKNOWN = f"""
func.func private @test(%n: index) -> i1
func.func @f(%c: i1, %n: index, %m: {T}) {{
  %z = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %flag = func.call @test(%n) : (index) -> i1
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  MORE
  scf.if COND {{
    memref.dealloc %t : {T}
  }}
  return
}}
"""
LOOP = f"""scf.for %i = %z to %n step %z iter_args(%x = %a, %o = FLAG) -> ({T}, i1) {{
    scf.yield %x, %o : {T}, i1
  }}"""


@pytest.mark.parametrize(
    ("more", "condition", "sure", "told"),
    [
        (f"cf.br ^bb1(%a : {T})\n^bb1(%t: {T}):", "%flag", False, False),
        (f"cf.br ^bb1(%a, %c : {T}, i1)\n^bb1(%t: {T}, %o: i1):", "%o", False, False),
        (f"cf.br ^bb1(%a, %true : {T}, i1)\n^bb1(%t: {T}, %o: i1):", "%o", True, True),
        (f"%t, %r = {LOOP.replace('FLAG', '%c')}", "%r", False, False),
    ],
)
def test_an_allocation_that_is_freed_on_an_i1_that_need_not_hold(
    more: str, condition: str, sure: bool, told: bool
) -> None:
    """Where nothing says that it holds, %a may be lost; a constant beside it says so."""
    text = UNKNOWN.replace("MORE", more).replace("COND", condition)
    ends, as_told, unfreed = derive(text, "surely_ends", "passed_on_as_known", "unfreed_allocation", rules=STATIC)
    assert (("%a",) in ends) == sure and (("%a",) in as_told) == told
    hands, constant = derive(text, "hands_on_some", "has_constant_i1", rules=STATIC)
    assert hands and (constant == hands) == told
    assert {value for _, value in unfreed} == (set() if sure else {"%a"})
    assert (run_dealog(text, PASS).text == text) == sure


RETURNED = f"""
func.func private @f(%c: i1, %x: index, %y: index, %m: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  %false = arith.constant false
  %b = memref.alloc() : {T}
  memref.copy %m, %b : {T} to {T}
  %p = memref.extract_aligned_pointer_as_index %b : {T} -> index
  %less = arith.cmpi ult, %x, %y : index
  %same = arith.cmpi eq, %x, %p : index
  FIRST
  return %b, FLAG : {T}, i1
}}
func.func @g(%c: i1, %x: index, %m: {T}) {{
  %r, %o = call @f(%c, %x, %x, %m) : (i1, index, index, {T}) -> ({T}, i1)
  memref.copy %r, %m : {T} to {T}
  scf.if %o {{
    memref.dealloc %r : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("flag", "first", "nothing"),
    [
        ("%true", "", False),
        ("%false", "", False),
        ("%c", "", True),
        ("%less", "", True),
        ("%same", "", False),
        ("%c", "scf.if %c {\n}", False),
        ("%c", "%n = arith.xori %c, %true : i1\n cf.cond_br %n, ^bb1, ^bb1\n^bb1:", False),
        ("%c", "%k = arith.select %c, %x, %y : index", True),
        ("%c", f"%k = arith.select %c, %b, %m : {T}", False),
    ],
)
def test_a_new_buffer_that_is_returned_beside_an_i1(flag: str, first: str, nothing: bool) -> None:
    """The caller frees it where the i1 holds. Arguments and comparisons that nothing goes by tell nothing."""
    text = RETURNED.replace("FLAG", flag).replace("FIRST", first)
    told, with_it, tells, made, goes, address, plain, untold, unfreed, several, ends = derive(
        text, "returned_with_indicator", "returned_with", "tells_nothing", "made_up", "goes_by_i1", "compares_address",
        "plain_comparison", "returned_unindicated", "unfreed_allocation", "passed_on_several_times", "ends_before",
        rules=STATIC,
    )  # fmt: skip
    (terminator,) = {op for _, op, _, _ in told}
    assert {("@g/%r", terminator, "%b", flag)} <= told and ("@g/%r", "@g/%o", "@f", 0, 1) in with_it
    assert (flag, flag) in made and plain == {("arith.cmpi",), ("arith.cmpf",)} and len(address) == 1
    assert ((flag,) in tells) == nothing and ends == set()
    if flag == "%c":
        assert ((flag,) in goes) != nothing
    leaks = nothing or flag == "%false"
    assert (("%b", terminator) in untold) == leaks
    assert ("%b" in {name for _, name in unfreed}) == (leaks and several == set())
    assert (NO_DEALLOCATION in {d.message for d in run_dealog(text, PASS).diagnostics}) == (leaks and several == set())


@pytest.mark.parametrize("flag", ["%true", "%false"])
def test_what_a_caller_frees_on_an_i1_and_on_its_opposite(flag: str) -> None:
    """Beside one that holds, a buffer is freed by its caller, whatever is known of the other."""
    text = RETURNED.replace("FLAG", flag).replace("FIRST", "")
    last = f"""%t = arith.constant true
  %n = arith.xori %o, %t : i1
  %w = arith.andi %n, %c : i1
  scf.if %w {{
    memref.dealloc %r : {T}
  }}"""
    text = text.replace(f"    memref.dealloc %r : {T}\n  }}\n", f"    memref.dealloc %r : {T}\n  }}\n  {last}\n")
    names = ("returned_with_indicator", "returned_as_owned", "returned_unindicated")
    indicated, owned, unindicated = derive(text, *names, rules=STATIC)
    assert len({i1 for *_, i1 in indicated if i1 in (flag, "true", "false")}) == 2
    assert {source for *_, source in owned} == {"%b"} and unindicated == set()


@pytest.mark.parametrize("what", ["twice", "stored", "freed"])
def test_what_else_becomes_of_a_buffer_that_is_returned_beside_false(what: str) -> None:
    first = {
        "twice": "",
        "stored": f"""%h = memref.alloc() : memref<{T}>
            memref.store %b, %h[] : memref<{T}>
            memref.dealloc %h : memref<{T}>""",
        "freed": f"memref.dealloc %b : {T}",
    }[what]
    text = RETURNED.replace("FLAG", "%false").replace("FIRST", first)
    if what == "twice":
        text = text.replace(f"return %b, %false : {T}, i1", f"return %b, %false, %b : {T}, i1, {T}").replace(
            f"-> ({T}, i1)", f"-> ({T}, i1, {T})"
        )
        text = text.replace("%r, %o = call", "%r, %o, %s = call").replace("memref.copy %r, %m", "memref.copy %s, %m")
    several, at, given, ends, unfreed = derive(
        text,
        "returned_several_times",
        "returned_at",
        "given_to_others",
        "ends_before",
        "unfreed_allocation",
        rules=STATIC,
    )
    assert (("%b",) in given) == (what == "stored")
    assert (several != set()) == (what == "twice") and {i for _, _, i in at} == ({0, 2} if what == "twice" else {0})
    assert (ends != set()) == (what != "twice")
    assert "%b" not in {name for _, name in unfreed}


FORWARDED = f"""
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %n = arith.xori %c, %true : i1
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  cf.cond_br %c, ^bb1(%a, FIRST : {T}, i1), ^bb1(%a, SECOND : {T}, i1)
^bb1(%r: {T}, %o: i1):
  memref.copy %r, %m : {T} to {T}
  scf.if %o {{
    memref.dealloc %r : {T}
  }}
  return
}}
"""


@pytest.mark.parametrize(
    ("first", "second", "known"),
    [
        ("%c", "%n", {("block", 0, "%c", "true"), ("block", 1, "%n", "true")}),
        ("%n", "%c", {("block", 0, "%n", "false"), ("block", 1, "%c", "false")}),
        ("%true", "%true", set()),
    ],
)
def test_an_i1_that_goes_along_as_a_branch_goes_by_it(
    first: str, second: str, known: set[tuple[str, int, str, str]]
) -> None:
    text = FORWARDED.replace("FIRST", first).replace("SECOND", second)
    on, by, words, opposite, ends, unfreed = derive(
        text, "known_on_way", "branch_by", "side_word", "opposite_word", "surely_ends", "unfreed_allocation",
        rules=STATIC,
    )  # fmt: skip
    assert {fact[1:] for fact in on} == known and {condition for _, condition in by} == {"%c"}
    assert words == {(0, "true"), (1, "false")} and {("%c", "%n"), ("%n", "%c"), ("true", "false")} <= opposite
    assert (("%a",) in ends) == (first != "%n") == (unfreed == set())
    assert (run_dealog(text, PASS).text == text) == (first != "%n")


@pytest.mark.parametrize(("flags", "freed"), [(("%c", "%c"), True), (("%n", "%n"), False)])
def test_an_i1_that_goes_along_with_what_a_region_chose(flags: tuple[str, str], freed: bool) -> None:
    """%a goes out where %c holds, and so beside an i1 that does, or does not."""
    text = f"""
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %n = arith.xori %c, %true : i1
  %t, %g = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    memref.copy %m, %a : {T} to {T}
    scf.yield %a, {flags[0]} : {T}, i1
  }} else {{
    scf.yield %m, {flags[1]} : {T}, i1
  }}
  memref.copy %t, %m : {T} to {T}
  scf.if %g {{
    memref.dealloc %t : {T}
  }}
  return
}}
"""
    known = derive(text, "known_on_way", "unfreed_allocation", rules=STATIC)[0]
    assert {(way, condition, when) for _, way, _, condition, when in known} == {
        ("out", flags[0], "true" if freed else "false"), ("out", flags[1], "false" if freed else "true")
    }  # fmt: skip
    assert (run_dealog(text, PASS).text == text) == freed


@pytest.mark.parametrize("given", ["%a", "%m"])
def test_what_a_call_gives_back_and_is_returned(given: str) -> None:
    """A call that gives the allocation back by another name, which is returned, ends it: so a second run takes it."""
    text = f"""
func.func private @id(%x: {T}) -> {T} {{
  return %x : {T}
}}
func.func @f(%c: i1, %m: {T}) -> {T} {{
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %r = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    memref.copy %m, %b : {T} to {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %a : {T}
  }}
  %g = func.call @id({given}) : ({T}) -> {T}
  memref.copy %r, %m : {T} to {T}
  scf.if %c {{
    memref.dealloc %r : {T}
  }}
  return %g : {T}
}}
"""
    ends, several, unfreed = derive(text, "ends_as_itself", "part_of_several", "unfreed_allocation", rules=STATIC)
    assert ends == ({("%a",)} if given == "%a" else set()) and several == set()
    assert {name for _, name in unfreed} == (set() if given == "%a" else {"%a"})
    output = run_dealog(text, PASS)
    assert (output.text is not None) == (given == "%a")


@pytest.mark.parametrize("reached", [False, True])
def test_regions_in_a_block_that_control_never_comes_to(reached: bool) -> None:
    """What they allocate need not be freed. Each has a first block, as if control came to it."""
    text = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %t = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %m : {T}
  }}
  cf.br {"^dead" if reached else "^end"}
^dead:
  %r = scf.if %d -> ({T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}
  cf.br ^end
^end:
  scf.if %c {{
    memref.dealloc %t : {T}
  }}
  return
}}
"""
    done = run_dealog(text, PASS)
    assert done.text == (None if reached else text)
    assert not reached or {diagnostic.message for diagnostic in done.diagnostics} == {ON_SOME_PATH}
