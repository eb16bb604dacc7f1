"""Copies on a condition: those that tell whether a buffer is ours are work of this pass, others are any code."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.cases import corpus
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
PROGRAMS = {case.name.rpartition("-")[2]: case.text for case in corpus("static") if "copied_on_condition" in case.name}
OWN = f"""
func.func @f(%c: i1, %m: {T}) -> {T} {{
  %true = arith.constant true
  %false = arith.constant false
  %v, %own = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    memref.copy %m, %a : {T} to {T}
    scf.yield %a, %true : {T}, i1
  }} else {{
    scf.yield %m, %false : {T}, i1
  }}
  %w = memref.cast %v : {T} to {T}
  %r = scf.if %own -> {T} {{
    scf.yield %w : {T}
  }} else {{
    %k = memref.alloc() : {T}
    memref.copy %w, %k : {T} to {T}
    scf.yield %k : {T}
  }}
  return %r : {T}
}}
"""


def test_what_tells_that_a_buffer_is_ours() -> None:
    where, indicators, wrongly, unfreed = derive(
        OWN, "copied_where", "indicator_of", "wrong_indicator", "left_unfreed", rules=STATIC
    )
    assert {(value, condition) for _, value, condition in where} == {("%v", "%own")}
    assert indicators == {("%v", "%own"), ("%a", "%true"), ("%m", "%false")}
    assert (wrongly, unfreed) == (set(), set())
    assert run_dealog(OWN, ("static-buffer-deallocation",)).text == OWN


def test_the_sides_exchanged() -> None:
    """The i1 is true where the argument goes on, and false where the new buffer does."""
    text = OWN.replace("yield %a, %true", "yield %a, %false").replace("yield %m, %false", "yield %m, %true")
    wrongly, outside, copies = derive(text, "wrong_indicator", "never_freed_here", "copies_unless", rules=STATIC)
    assert wrongly == {("%m", "%true"), ("%a", "%false"), ("%v", "%own")} and outside == {("%m",)} and copies == set()


def test_what_is_dropped_and_never_freed() -> None:
    """%a goes on in one region of the conditional only."""
    text = OWN.replace(f"    %a = memref.alloc() : {T}\n    memref.copy %m, %a : {T} to {T}\n", "").replace(
        "  %v, %own", f"  %a = memref.alloc() : {T}\n  memref.copy %m, %a : {T} to {T}\n  %v, %own"
    )
    dropped, unfreed, freed = derive(text, "dropped", "left_unfreed", "freed_in_source", rules=STATIC)
    assert dropped == {("%a",)} and ("%v",) in unfreed and freed == set()
    may, moves, here, new = derive(text, "may_be_returned", "moves_to", "handed_on_at_once", "new_inside", rules=STATIC)
    assert {("%a",), ("%v",), ("%k",)} <= new and ("%m",) not in new
    assert {("%a",), ("%m",), ("%v",), ("%r",)} <= may and {("%a", "%v"), ("%m", "%v"), ("%v", "%r")} <= moves
    assert ("%k",) in here and ("%a",) not in here
    by_hand = text.replace("scf.yield %m, %false", f"memref.dealloc %a : {T}\n    scf.yield %m, %false")
    freed, unfreed = derive(by_hand, "freed_in_source", "left_unfreed", rules=STATIC)
    assert freed == {("%a",)} and unfreed == set()


def test_ours_on_both_sides() -> None:
    """What goes on where the i1 does not hold is a new buffer, too: it is ours, and nobody frees it."""
    text = PROGRAMS["ours_on_both_sides"].replace("@ours_on_both_sides", "@f")
    taken, wrongly = derive(text, "taken_where", "wrong_indicator", rules=STATIC)
    assert taken == {("%v", "%c", "%a")}
    assert wrongly == {("%v", "%c")}


@pytest.mark.parametrize(
    ("returned", "otherwise"), [("return %r", False), ("cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n  return %r", True)]
)
def test_what_is_returned_by_other_names(returned: str, otherwise: bool) -> None:
    """What comes from %v is %r where the copy was passed, and is not returned on the other way."""
    text = OWN.replace(f"return %r : {T}", f"{returned} : {T}" + (f"\n^bb2:\n  return %m : {T}" if otherwise else ""))
    found, copies = derive(text, "returned_otherwise", "copies_unless", rules=STATIC)
    assert ({("%v",), ("%r",), ("%m",)} <= found) == otherwise == (copies == set())


def test_what_goes_on_in_a_loop() -> None:
    """%a is the result, and the only buffer of the next round: that round drops it."""
    text = PROGRAMS["dropped_in_a_loop"].replace("@dropped_in_a_loop", "@f")
    goes, owners, names, dropped = derive(text, "goes_on_as", "owner_inside", "name_inside", "dropped", rules=STATIC)
    assert {(way, other) for value, _, way, other in goes if value == "%a"} == {("out", "%v"), ("next 0", "%y")}
    assert {("%a",), ("%y",), ("%k",)} <= owners and ("%v",) not in owners
    assert ("%a", "%a") in names and dropped == {("%y",)}


def test_what_a_branch_drops() -> None:
    text = PROGRAMS["dropped_by_a_branch"].replace("@dropped_by_a_branch", "@f")
    hands, ends, dropped = derive(text, "handed_on_by", "terminator_at", "dropped", rules=STATIC)
    (branch,) = {op for value, op in ends if value == "%a"}
    assert (branch, 0, "%a") in hands and (branch, 1, "%a") not in hands and ("%a",) in dropped


def test_what_an_attribute_says_of_a_call() -> None:
    """What @sides returns is new unless %c holds, so that %not tells it."""
    text = f"""
        func.func private @sides(%x: {T}, %c: i1) -> {T} attributes {{dealog.owned_0_unless = 1 : i64}} {{
          cf.cond_br %c, ^bb1, ^bb2
        ^bb1:
          return %x : {T}
        ^bb2:
          %a = memref.alloc() : {T}
          memref.copy %x, %a : {T} to {T}
          return %a : {T}
        }}
        func.func @f(%c: i1, %m: {T}) -> {T} {{
          %true = arith.constant true
          %not = arith.xori %c, %true : i1
          %v = call @sides(%m, %c) : ({T}, i1) -> {T}
          %r = scf.if WHERE -> {T} {{
            scf.yield %v : {T}
          }} else {{
            %k = memref.alloc() : {T}
            memref.copy %v, %k : {T} to {T}
            scf.yield %k : {T}
          }}
          return %r : {T}
        }}
        """
    for where in ("%not", "%c"):
        opposite, wrongly = derive(text.replace("WHERE", where), "new_by_opposite", "wrong_indicator", rules=STATIC)
        assert ("%v", where) in opposite if where == "%not" else ("%v", where) not in opposite
        assert wrongly == (set() if where == "%not" else {("%v", "%c")})


def test_other_results_of_the_conditional_are_freed() -> None:
    text = PROGRAMS["another_result"].replace("@another_result", "@f")
    copies, left = derive(text, "copies_unless", "left_to_hand", rules=STATIC)
    assert len(copies) == 1 and ("%r",) in left and ("%s",) not in left


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name != "another_result"])
def test_others_are_not_left_as_they_are(name: str) -> None:
    copies, by_hand = derive(PROGRAMS[name], "copies_unless", "freed_by_hand", rules=STATIC)
    assert (copies, by_hand) == (set(), set())
    assert run_dealog(PROGRAMS[name], ("static-buffer-deallocation",)).text not in (None, PROGRAMS[name])


VIEWED = OWN.replace(
    f"  %w = memref.cast %v : {T} to {T}\n", f"  %u = memref.cast %v : {T} to {T}\n  %w = memref.cast %u : {T} to {T}\n"
)


def test_a_view_of_a_view_is_copied() -> None:
    views, names, where = derive(VIEWED, "view_of_copied", "name_inside", "copied_where", rules=STATIC)
    assert {("%w", "%w"), ("%w", "%u"), ("%w", "%v")} <= views
    assert {("%v", "%v"), ("%v", "%u"), ("%v", "%w")} <= names
    assert {(value, condition) for _, value, condition in where} == {("%v", "%own")}
    assert run_dealog(VIEWED, ("static-buffer-deallocation",)).text == VIEWED


COPY = f"""%r = scf.if %c -> ({T}) {{
    scf.yield %v : {T}
  }} else {{
    %k = memref.alloc() : {T}
    memref.copy %v, %k : {T} to {T}
    scf.yield %k : {T}
  }}"""
TWICE = f"""
func.func private @f(%c: i1, %m: {T}) -> ({T}, {T}) {{
  %q = memref.alloc() : {T}
  memref.copy %m, %q : {T} to {T}
  %v = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    memref.copy %m, %a : {T} to {T}
    scf.yield %a : {T}
  }} else {{
    scf.yield %q : {T}
  }}
  {COPY}
  return %r, RETURNED : {T}, {T}
}}
"""


@pytest.mark.parametrize(("returned", "ours"), [("%q", True), ("%v", False)])
def test_what_is_returned_beside_the_copy(returned: str, ours: bool) -> None:
    """Where %v is %q, it is copied, so that %q may be returned, too; %v itself may not."""
    text = TWICE.replace("RETURNED", returned)
    elsewhere, apart, copies = derive(text, "taken_elsewhere", "returned_apart", "copies_unless", rules=STATIC)
    assert elsewhere == {("%v", "%c", "%q")} and (returned,) in apart
    assert (copies != set()) == ours


LENT = f"""
func.func private @same(%x: {T}) -> {T} {{
  return %x : {T}
}}
func.func @f(%c: i1, %m: {T}) -> {T} {{
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %l = scf.execute_region -> ({T}) {{
    scf.yield %a : {T}
  }}
  memref.copy %m, %l : {T} to {T}
  %s = call @same(%a) : ({T}) -> {T}
  %v = scf.if %c -> ({T}) {{
    %b = memref.alloc() : {T}
    memref.copy %m, %b : {T} to {T}
    memref.copy %s, %b : {T} to {T}
    scf.yield %b : {T}
  }} else {{
    scf.yield %l : {T}
  }}
  {COPY}
  END
  return %r : {T}
}}
"""


@pytest.mark.parametrize("freed", [True, False])
def test_what_goes_on_by_a_call(freed: bool) -> None:
    """%a is %s, by a call of the same block, which the text frees, or does not."""
    text = LENT.replace("END", f"memref.dealloc %s : {T}" if freed else "")
    here, ends = derive(text, "handed_on_at_once", "goes_on_or_ends", rules=STATIC)
    assert (("%s",) in ends) == (("%a",) in here) == freed


def test_what_another_operation_of_the_block_hands_on() -> None:
    """%a is handed to two loops; neither gets the only name of it."""
    loop = f"scf.for %i = %z to %z step %z iter_args(%x = %a) -> ({T}) {{\n    scf.yield %x : {T}\n  }}"
    text = LENT.replace("END", "").replace(
        f"  %l = scf.execute_region -> ({T}) {{\n    scf.yield %a : {T}\n  }}\n",
        f"  %z = arith.constant 1 : index\n  %l = {loop}\n  %o = {loop.replace('%x', '%y').replace('%i', '%j')}\n",
    )
    apart, inside, owners, several = derive(
        text, "goes_on_apart", "handed_on_in", "owner_inside", "handed_on_several_times", rules=STATIC
    )
    assert {value for value, _ in several} == {"%a"}
    loops = {op for value, op, _ in inside if value == "%a"}
    assert len(loops) == 2 and {("%a", loop) for loop in loops} <= apart
    assert ("%x",) not in owners
    alone = text.replace(f"  %o = {loop.replace('%x', '%y').replace('%i', '%j')}\n", "").replace(
        "@same(%a)", "@same(%m)"
    )
    apart, owners = derive(alone, "goes_on_apart", "owner_inside", rules=STATIC)
    assert apart == set() and ("%x",) in owners


BESIDE = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) -> ({T}, {T}) {{
  %x = memref.alloc() : {T}
  memref.copy %m, %x : {T} to {T}
  %v, %w = scf.if %c -> ({T}, {T}) {{
    %a = memref.alloc() : {T}
    scf.yield %a, %a : {T}, {T}
  }} else {{
    %b = memref.alloc() : {T}
    %s = arith.select %d, %x, %m : {T}
    scf.yield %b, %s : {T}, {T}
  }}
  return %w, %v : {T}, {T}
}}
"""
HANDED_ON = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) -> ({T}, {T}) {{
  %x = memref.alloc() : {T}
  %y = memref.alloc() : {T}
  cf.cond_br %c, ^bb1(%x : {T}), ^bb2
^bb1(%u: {T}):
  cf.cond_br %d, ^bb3(%u : {T}), ^bb3(%x : {T})
^bb2:
  cf.cond_br %d, ^bb3(%y : {T}), ^bb3(%m : {T})
^bb3(%z: {T}):
  return %x, %z : {T}, {T}
}}
"""
"""What may be an argument is cloned, as the function is public."""


@pytest.mark.parametrize("text", [BESIDE, HANDED_ON])
def test_what_is_not_ours_is_returned_by_another_name(text: str) -> None:
    """So it is copied by this name, and a second run finds nothing to do."""
    first = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert "bufferization.clone" in first
    assert run_dealog(first, ("static-buffer-deallocation",)).text == first


COPIED = f"""
func.func @f(%c: i1, %m: {T}) -> ({T}, {T}) {{
  %true = arith.constant true
  %x = memref.alloc() : {T}
  memref.copy %m, %x : {T} to {T}
  %v, %w = scf.if %c -> ({T}, {T}) {{
    memref.dealloc %x : {T}
    %a = memref.alloc() : {T}
    scf.yield %a, %a : {T}, {T}
  }} else {{
    %b = memref.alloc() : {T}
    scf.yield %b, %x : {T}, {T}
  }}
  %own = arith.xori %c, %true : i1
  %returned = scf.if %own -> ({T}) {{
    scf.yield %w : {T}
  }} else {{
    %clone = bufferization.clone %w : {T} to {T}
    scf.yield %clone : {T}
  }}
  return %returned, %v : {T}, {T}
}}
"""


def test_what_is_handed_on_as_another_buffer_that_is_returned() -> None:
    beside, anyway, out, by = derive(
        COPIED, "returned_beside", "returned_anyway", "missing_at_return", "returned_as_it_is", rules=STATIC
    )
    assert run_dealog(COPIED, ("static-buffer-deallocation",)).unwrap() == COPIED
    assert beside == {("%w", "%a")} and anyway == {("%v",)} and out == set()
    assert {value for value, _ in by} == {"%v", "%returned"}


BESIDE_FALSE = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) -> ({T}, {T}) {{
  %false = arith.constant false
  %true = arith.constant true
  %x = memref.alloc() : {T}
  %y = memref.alloc() : {T}
  cf.cond_br %c, ^bb1(%x : {T}), ^bb2
^bb1(%u: {T}):
  memref.dealloc %y : {T}
  cf.cond_br %d, ^bb4(%u, %false : {T}, i1), ^bb4(%x, %false : {T}, i1)
^bb2:
  cf.cond_br %d, ^bb4(%y, %true : {T}, i1), ^bb3
^bb3:
  memref.dealloc %y : {T}
  cf.br ^bb4(%m, %false : {T}, i1)
^bb4(%z: {T}, %own: i1):
  %returned = scf.if %own -> ({T}) {{
    scf.yield %z : {T}
  }} else {{
    %clone = bufferization.clone %z : {T} to {T}
    scf.yield %clone : {T}
  }}
  return %x, %returned : {T}, {T}
}}
"""


def test_what_is_handed_on_beside_an_i1_that_is_false() -> None:
    assert run_dealog(BESIDE_FALSE, ("static-buffer-deallocation",)).unwrap() == BESIDE_FALSE
    lent, beside, owned = derive(BESIDE_FALSE, "never_handed_owned", "lent_beside", "owned_beside", rules=STATIC)
    assert lent == beside == {("%x", "%z"), ("%u", "%z"), ("%m", "%z")} and owned == {("%y", "%z")}


@pytest.mark.parametrize("leaks", [True, False])
def test_a_copy_that_tells_nothing_hides_no_leak(leaks: bool) -> None:
    """%x is returned in ^bb1 only."""
    text = f"""
func.func @f(%c: i1, %d: i1) -> ({T}, {T}) {{
  %true = arith.constant true
  %x = memref.alloc() : {T}
  %y = memref.alloc() : {T}
  %s = arith.select %c, %x, %y : {T}
  scf.if %c {{
    memref.dealloc %y : {T}
  }}
  %own = arith.xori %c, %true : i1
  %p = memref.alloc() : {T}
  cf.cond_br %d, ^bb1, ^bb2
^bb1:
  %r = scf.if %own -> ({T}) {{
    scf.yield %s : {T}
  }} else {{
    %k = bufferization.clone %s : {T} to {T}
    scf.yield %k : {T}
  }}
  memref.dealloc %p : {T}
  return %r, %x : {T}, {T}
^bb2:
  {f"scf.if %own {{ memref.dealloc %x : {T} }}" if not leaks else ""}
  return %p, %s : {T}, {T}
}}
"""
    output = run_dealog(text, ("static-buffer-deallocation",))
    assert output.text == (None if leaks else text), output.diagnostics
    copies, copied_in, returned = derive(text, "copies_unless", "copied_in", "returned_from", rules=STATIC)
    assert copies == (set() if leaks else {("scf.if#11",)})
    assert copied_in == {("^bb1",)}
    assert returned == {("%r", "^bb1"), ("%x", "^bb1"), ("%p", "^bb2"), ("%s", "^bb2")}
    assert ("%x",) in derive(text, "missing_at_return", rules=STATIC)


def test_a_copy_on_one_way_and_none_on_another() -> None:
    """Each way ends in a return of its own: only what is returned beside the copy counts."""
    text = f"""
func.func @f(%c: i1, %d: i1, %p: {T}) -> {T} {{
  %a = memref.alloc() : {T}
  memref.copy %p, %a : {T} to {T}
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %r = scf.if %d -> {T} {{
    memref.dealloc %a : {T}
    scf.yield %p : {T}
  }} else {{
    scf.yield %a : {T}
  }}
  return %r : {T}
^bb2:
  return %a : {T}
}}
"""
    output = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert run_dealog(output, ("static-buffer-deallocation",)).unwrap() == output
    copied_in, returned, apart, as_copied = derive(
        output, "copied_in", "returned_from", "returned_apart", "returned_as_copied", rules=STATIC
    )
    assert copied_in == {("^bb1",)} and returned == {("%returned", "^bb1"), ("%a", "^bb2")}
    assert apart == set() and as_copied == {("%returned",)}


def test_what_is_handed_on_in_both_regions_or_around_them() -> None:
    """%a always goes on; %u, which may be %a, goes nowhere, but %a goes on without it."""
    text = f"""
func.func @f(%c: i1, %d: i1, %p: {T}, %q: {T}) -> {T} {{
  cf.cond_br %c, ^bb1, ^bb2(%p : {T})
^bb1:
  %a = memref.alloc() : {T}
  memref.copy %p, %a : {T} to {T}
  %u = scf.if %d -> {T} {{
    scf.yield %a : {T}
  }} else {{
    scf.yield %q : {T}
  }}
  %r = scf.if %d -> {T} {{
    scf.yield %a : {T}
  }} else {{
    scf.if %d {{
      memref.copy %a, %q : {T} to {T}
    }}
    scf.yield %a : {T}
  }}
  cf.br ^bb2(%r : {T})
^bb2(%g: {T}):
  return %g : {T}
}}
"""
    output = run_dealog(text, ("static-buffer-deallocation",)).unwrap()
    assert run_dealog(output, ("static-buffer-deallocation",)).unwrap() == output
    both, one, within, apart, dropped = derive(
        output, "handed_on_by_both", "handed_on_in_region", "handed_on_within", "goes_on_apart", "dropped", rules=STATIC
    )
    assert {value for value, _ in both} == {"%a"} and len(both) == 1
    assert {region for value, region in one if value == "%a"} == {"scf.if#4:0", "scf.if#7:0", "scf.if#7:1"}
    assert {around for value, _, around in within if value == "%a"} == {"scf.if#4", "scf.if#7"}
    assert dropped == set() and {(value, op) for value, op in apart if value == "%a"} == {("%a", "scf.yield#5")}
