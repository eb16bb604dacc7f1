"""Paths on which an allocation ends nowhere, in functions that free on conditions of their own."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
ON_SOME_PATH = "on some path, no deallocation that the function has frees this buffer"

SIDES = f"""
func.func @f(%c: i1, %k: index, %n: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : {T}
  memref.copy %n, %m : {T} to {T}
  %r:RESULTS = scf.if %c -> ({T}, i1) {{
    THEN
    scf.yield %n, %false : {T}, i1
  }} else {{
    scf.yield %m, %true : {T}, i1
  }}
  memref.copy %r#0, %n : {T} to {T}
  scf.if %r#1 {{
    memref.dealloc %r#0 : {T}
  }}
  LAST
  return
}}
""".replace("RESULTS", "2")
FREED = f"memref.dealloc %m : {T}"


@pytest.mark.parametrize(
    ("then", "last", "sides"),
    [
        ("", "", {1}),
        (FREED, "", {0, 1}),
        (f"scf.if %c {{\n {FREED}\n }}", "", {0, 1}),
        (f"scf.execute_region {{\n {FREED}\n scf.yield\n }}", "", {0, 1}),
        (f"scf.for %i = %k to %k step %k {{\n {FREED}\n }}", "", {1}),
        (f"%v = memref.cast %m : {T} to {T}\n memref.dealloc %v : {T}", "", {0, 1}),
        ("", f"scf.if %c {{\n {FREED}\n }}", {1}),
    ],
)
def test_a_buffer_that_goes_out_on_one_side(then: str, last: str, sides: set[int]) -> None:
    text = SIDES.replace("THEN", then).replace("LAST", last)
    inside, on_sides, number, ends, within, surely, without, unfreed = derive(
        text, "ends_inside", "ends_on_sides", "last_side", "ends_at", "ends_in", "surely_comes_to_end",
        "comes_without_end", "unfreed_on_path", rules=STATIC,
    )  # fmt: skip
    (chosen,) = {op for op, side in number if op.startswith("scf.if") and ("%m", op, 1) in inside}
    assert {side for name, op, side in inside if name == "%m" and op == chosen} == sides
    assert (("%m", chosen, 1) in on_sides) == (("%m", chosen) in ends) == (sides == {0, 1})
    complete = sides == {0, 1} or last != ""
    assert (("%m",) in surely) == complete and (("%m", "^bb0") in within) == complete
    assert without == (set() if complete else {("%m", "^bb0")})
    assert unfreed == (set() if complete else {("memref.alloc#3", "%m", "^bb0")})
    done = run_dealog(text, PASS)
    assert (ON_SOME_PATH in {d.message for d in done.diagnostics}) == (not complete)


BLOCKS = f"""
func.func @f(%c: i1, %d: i1, %n: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : {T}
  memref.copy %n, %m : {T} to {T}
  cf.cond_br WHICH, ^bb1, ^bb2
^bb1:
  FIRST
  cf.br ^bb3(%n, %false : {T}, i1)
^bb2:
  cf.br ^bb3(%m, %true : {T}, i1)
^bb3(%r: {T}, %f: i1):
  memref.copy %r, %n : {T} to {T}
  cf.cond_br %f, ^bb4, ^bb5
^bb4:
  memref.dealloc %r : {T}
  cf.br ^bb5
^bb5:
  return
}}
"""


@pytest.mark.parametrize(("which", "first"), [("%c", ""), ("%c", FREED), ("%false", "")])
def test_a_buffer_that_goes_out_of_one_block(which: str, first: str) -> None:
    """A branch by a constant never takes one of its ways."""
    text = BLOCKS.replace("FIRST", first).replace("WHICH", which)
    ends, within, without, never, unfreed = derive(
        text, "ends_at", "ends_in", "comes_without_end", "never_taken", "unfreed_on_path", rules=STATIC
    )
    assert {block for name, block in within if name == "%m"} == ({"^bb1", "^bb2"} if first else {"^bb2"})
    names = {op.split("#")[0] for name, op in ends if name == "%m"}
    assert names == {"cf.br"} | ({"memref.dealloc"} if first else set())
    assert never == ({("^bb0", 0)} if which == "%false" else set())
    leaks = not first and which == "%c"
    assert without == {("%m", block) for block in ["^bb0", *(["^bb1", "^bb3", "^bb4", "^bb5"] if leaks else [])]}
    assert unfreed == ({("memref.alloc#3", "%m", "^bb5")} if leaks else set())
    assert (ON_SOME_PATH in {d.message for d in run_dealog(text, PASS).diagnostics}) == leaks


@pytest.mark.parametrize("flag", ["%false", "%true"])
def test_a_buffer_that_is_lent_on_one_side(flag: str) -> None:
    """Beside `false`, the receiver does not free it."""
    text = SIDES.replace("THEN", FREED).replace("LAST", "").replace("%m, %true", f"%m, {flag}")
    lent, ends, unfreed = derive(text, "stays_unfreed", "ends_at", "unfreed_on_path", rules=STATIC)
    yields = {op.split("#")[0] for name, op in ends if name == "%m"} & {"scf.yield"}
    leaks = flag == "%false"
    assert ("%m" in {source for *_, source in lent}) == leaks == (yields == set()) == (unfreed != set())
    assert (ON_SOME_PATH in {d.message for d in run_dealog(text, PASS).diagnostics}) == leaks


@pytest.mark.parametrize("stored", [True, False])
def test_what_else_ends_a_buffer(stored: bool) -> None:
    """What is written to memory is no leak that is seen here."""
    store = f"memref.store %m, %h[] : memref<{T}>" if stored else ""
    text = SIDES.replace("THEN", store).replace("LAST", f"memref.dealloc %h : memref<{T}>")
    text = text.replace("  %m =", f"  %h = memref.alloc() : memref<{T}>\n  %m =")
    assert (("%m",) in derive(text, "surely_comes_to_end", "ends_at", rules=STATIC)[0]) == stored


MAKES = f"func.func private @make() -> {T} {{\n  %a = memref.alloc() : {T}\n  return %a : {T}\n}}\n"


@pytest.mark.parametrize("declared", [False, True])
@pytest.mark.parametrize("then", ["", FREED])
def test_what_a_call_returned(then: str, declared: bool) -> None:
    made = MAKES if not declared else f"func.func private @make() -> {T}\n"
    text = made + SIDES.replace("THEN", then).replace("LAST", "")
    text = text.replace(f"%m = memref.alloc() : {T}", f"%m = func.call @make() : () -> {T}")
    owned, names, unfreed = derive(text, "left_owned", "name_of_allocation", "unfreed_on_path", rules=STATIC)
    assert "%m" in {value for value, _ in owned} and ("%m", "%m") in names
    assert ("%m" in {value for _, value, _ in unfreed}) == (not then)
    assert (ON_SOME_PATH in {d.message for d in run_dealog(text, PASS).diagnostics}) == (not then)


@pytest.mark.parametrize("freed", [False, True])
def test_an_argument_that_is_taken_over(freed: bool) -> None:
    text = f"""
func.func private @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %r, %o = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    memref.copy %m, %a : {T} to {T}
    {FREED if freed else ""}
    scf.yield %a, %true : {T}, i1
  }} else {{
    scf.yield %m, %true : {T}, i1
  }}
  memref.copy %r, %r : {T} to {T}
  scf.if %o {{
    memref.dealloc %r : {T}
  }}
  return
}}
func.func @g(%c: i1, %n: {T}) {{
  %m = memref.alloc() : {T}
  memref.copy %n, %m : {T} to {T}
  call @f(%c, %m) : (i1, {T}) -> ()
  return
}}
"""
    taken, keeps = derive(text, "taken_to_hand", "keeps_taken", rules=STATIC)
    assert taken == {("%m", "@f")} and keeps == (set() if freed else {("@f", "%m", "^bb0")})
    done = run_dealog(text, PASS)
    message = "this function takes over a buffer, and does not free it on some path"
    assert (done.text == text) == freed == (message not in {d.message for d in done.diagnostics})


@pytest.mark.parametrize("compared", [True, False])
def test_an_argument_that_is_freed_where_it_is_another_buffer(compared: bool) -> None:
    """Only the run tells, and perhaps it never is: MLIR's pass has such i1s where nothing is taken over."""
    text = f"""
func.func private @f(%c: i1, %n: index, %m: {T}) {{
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %x = memref.extract_aligned_pointer_as_index %a : {T} -> index
  %y = memref.extract_aligned_pointer_as_index %m : {T} -> index
  %e = arith.cmpi ult, {"%x, %y" if compared else "%n, %n"} : index
  %f = arith.andi %e, %c : i1
  cf.cond_br %c, ^bb1(%a, %c : {T}, i1), ^bb1(%m, %f : {T}, i1)
^bb1(%r: {T}, %o: i1):
  memref.copy %r, %r : {T} to {T}
  scf.if %o {{
    memref.dealloc %r : {T}
  }}
  return
}}
func.func @g(%c: i1, %k: index, %n: {T}) {{
  %m = memref.alloc() : {T}
  memref.copy %n, %m : {T} to {T}
  call @f(%c, %k, %m) : (i1, index, {T}) -> ()
  return
}}
"""
    taken, asked, run_time = derive(text, "taken_to_hand", "asked_of_taken", "freed_by_comparing", rules=STATIC)
    assert taken == {("%m", "@f")} and asked == {("%m", "%c"), ("%m", "%f"), ("%m", "%e")}
    assert run_time == ({("%m",)} if compared else set())


@pytest.mark.parametrize(
    ("last", "other", "found"),
    [("", "^l(%n, %false : memref<4xf32>, i1)", True), ("", "^b", True), (FREED, "^b", False)],
)
def test_a_buffer_that_goes_by_one_edge(last: str, other: str, found: bool) -> None:
    """The edge on which it is not handed on has to free it, too; where the text does so somewhere, it is believed."""
    text = f"""
func.func @f(%c: i1, %n: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %m = memref.alloc() : {T}
  memref.copy %n, %m : {T} to {T}
  cf.cond_br %c, ^l(%m, %true : {T}, i1), {other}
^b:
  {last}
  return
^l(%x: {T}, %own: i1):
  memref.copy %x, %n : {T} to {T}
  scf.if %own {{
    memref.dealloc %x : {T}
  }}
  return
}}
"""
    by_edge, on_edge, unfreed = derive(text, "goes_by_edge", "ends_on_edge", "unfreed_on_path", rules=STATIC)
    assert {(name, op.split("#")[0]) for name, op in by_edge} == ({("%m", "cf.cond_br")} if found else set())
    assert on_edge == ({("%m", "^bb0", 0)} if found else set())
    assert {name for _, name, _ in unfreed} == ({"%m"} if found else set())
    assert (ON_SOME_PATH in {d.message for d in run_dealog(text, PASS).diagnostics}) == found


# What is not chosen is freed on conditions, so the function is left to what it frees by itself.
CHOSEN = f"""  %e = memref.alloc() : {T}
  %s = arith.select %p, %r, %e : {T}
  %not = arith.xori %p, %true : i1
  scf.if %not {{
    memref.dealloc %r : {T}
  }}
  scf.if %p {{
    memref.dealloc %e : {T}
  }}
  return %s : {T}
}}
"""
HANDED_ROUND = f"""
func.func @f(%n: index, %q: i1, %p: i1, %x: {T}, %m: {T}) -> {T} {{
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.if %q -> ({T}) {{
    OUTSIDE
    %b = memref.alloc() : {T}
    %z:2 = scf.while (%w = %b, %i = %c0, %own = %true) : ({T}, index, i1) -> ({T}, index) {{
      memref.copy %w, %m : {T} to {T}
      scf.if %own {{
        memref.dealloc %w : {T}
      }}
      INSIDE
      %c = arith.cmpi ult, %i, %n : index
      scf.condition(%c) %a, %i : {T}, index
    }} do {{
    ^bb0(%u: {T}, %j: index):
      %k = arith.addi %j, %c1 : index
      scf.yield %x, %k, %false : {T}, index, i1
    }}
    scf.yield %z#0 : {T}
  }} else {{
    %d = memref.alloc() : {T}
    scf.yield %d : {T}
  }}
{CHOSEN}"""


@pytest.mark.parametrize("outside", [True, False])
def test_a_loop_hands_itself_the_same_buffer_in_each_round(outside: bool) -> None:
    """From outside, it is lent to each round, and goes on as the result of the loop. A new one is freed in each."""
    made = f"%a = memref.alloc() : {T}"
    text = HANDED_ROUND.replace("OUTSIDE" if outside else "INSIDE", made).replace("INSIDE", "").replace("OUTSIDE", "")
    names = ("gets_round", "made_in_round", "gets_lent", "becomes_result_of", "exits_to", "ends_at")
    gets, made_there, lent, becomes, exits, ends = derive(text, *names, rules=STATIC)
    assert {(receiver, source) for receiver, _, source in gets} == {("%u", "%a"), ("%w", "%x")}
    loop = next(op for _, op in exits if op.startswith("scf.while"))
    assert (("%a", loop) in made_there) != outside and (("%u",) in lent) == outside
    assert {name for name, _, op in becomes if op == loop} == ({"%a"} if outside else set())
    assert (("%a", loop) in ends) == outside
    unfreed, receivers = derive(text, "unfreed_on_path", "unfreed_receiver", rules=STATIC)
    assert unfreed == set() and {name for _, name, _ in receivers} == (set() if outside else {"%u"})
    assert run_dealog(text, PASS).text is not None or not outside


def test_one_of_two_sides_hands_a_buffer_on() -> None:
    text = f"""
func.func @f(%q: i1, %p: i1, %x: {T}) -> {T} {{
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %r = scf.if %q -> {T} {{
    scf.yield %a : {T}
  }} else {{
    %d = memref.alloc() : {T}
    scf.yield %d : {T}
  }}
{CHOSEN}"""
    becomes, exits, ends = derive(text, "becomes_result_of", "exits_to", "ends_at", rules=STATIC)
    (choice,) = {op for name, _, op in becomes if name == "%a"}
    assert len({by for by, op in exits if op == choice}) == 2
    assert ("%a", choice) not in ends
