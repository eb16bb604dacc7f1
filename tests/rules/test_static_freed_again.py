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
LEAKS = "on some path, no deallocation that the function has frees this buffer"

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
        text, "hand_freed_at", "hand_name", "freed_along", "frees_before", "both_hold", "picks_region",
        "freed_twice_on_way", rules=STATIC,
    )  # fmt: skip
    assert ("%t", "%t") in names and (("%t", "%v") in names) == ("%v" in last)
    assert {(value, op) for value, op, *_ in stands} == {(value, where) for value, _, where, _ in at}
    assert {condition for _, condition in by} >= {"%g"} and ("%g", "%g") in both
    assert (found != set()) == twice and {value for value, _, _ in found} == ({"%t"} if twice else set())
    assert (before != set()) == twice
    assert (AGAIN in messages(text)) == twice
    noted = derive(text, "noted", rules=STATIC)
    assert {(place, op) for op, message, place, _ in noted if message == AGAIN} == {row[1:] for row in found}
    wrong = [each for each in run_dealog(text, PASS).diagnostics if each.message == AGAIN]
    assert all(each.notes and each.notes[0].offset < each.offset for each in wrong)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"last": FREE_T}, False),
        ({"last": f"{FREE_T}\n {FREE_A}", "otherwise": ""}, True),
        ({"last": FREE_T, "first": FREE_A, "otherwise": ""}, True),
        ({"last": f"{FREE_A}\n {FREE_T}", "otherwise": ""}, True),
        ({"last": FREE_T, "then": FREE_A}, True),
        ({"last": FREE_T, "first": f"scf.if %d {{\n {FREE_A}\n }}"}, False),
    ],
)
def test_what_is_freed_by_its_own_name_and_goes_on(given: dict[str, str], wrong: bool) -> None:
    text = hand(**given)
    goes, within, found = derive(text, "goes_on_owned", "goes_on_within", "freed_by_two_names", rules=STATIC)
    ((name, op, receiver),) = goes
    assert (name, op.split("#")[0], receiver) == ("%a", "scf.yield", "%t")
    assert {block for each, block, _ in within if each == op} >= {"^bb0"}
    assert {(value, other) for _, value, other in found} == ({("%a", op)} if wrong else set())
    # (%a is followed along all paths, also where it is freed on one i1 and goes on beside another.)
    assert (messages(text) - {USED} == {AGAIN}) == (wrong or "first" in given)


BOX = f"%box = memref.alloc() : memref<2x{T}>"
PUT = f"memref.store %t, %box[%c0] : memref<2x{T}>"
COPY_U = f"memref.copy %u, %m : {T} to {T}"
READ = f"%u = memref.load %box[%c0] : memref<2x{T}>\n {COPY_U}"


@pytest.mark.parametrize(
    ("last", "wrong"),
    [
        (f"{BOX}\n {PUT}\n {FREE_T}\n {READ}", True),
        (f"{BOX}\n {PUT}\n {READ.replace(COPY_U, FREE_T)}\n {COPY_U}", True),
        (f"{BOX}\n {PUT}\n {READ}\n {FREE_T}", False),
        (f"{BOX}\n {PUT}\n {FREE_T}\n memref.store %m, %box[%c0] : memref<2x{T}>\n {READ}", False),
        (f"{BOX}\n {PUT}\n {FREE_T}\n memref.copy %boxes, %box : memref<2x{T}> to memref<2x{T}>\n {READ}", False),
    ],
)
def test_what_is_read_from_where_it_was_put(last: str, wrong: bool) -> None:
    """A box that holds one buffer gives that back; one in which others are stored, or that goes elsewhere, may not."""
    text = hand(last).replace("%n: index", f"%n: index, %boxes: memref<2x{T}>")
    puts, elsewhere, backs, names, reads, found = derive(
        text, "put_by_itself", "goes_elsewhere", "read_back", "known_as", "reads_name", "read_after", rules=STATIC
    )
    assert (("%t", "%u") in names) == (puts != set()) and ("%t", "%t") in names
    is_alone = "store %m" not in last and "boxes" not in last
    assert puts == ({("%t", "%box")} if is_alone else set())
    assert (elsewhere != set()) == ("boxes" in last) and backs == ({("%u", "%box")} if is_alone else set())
    assert len({op for op, value in reads if value == "%t"}) == (2 if is_alone else 1) + ("store %t" in last)
    assert (found != set()) == wrong and (USED in messages(text)) == wrong


CALLER = f"""func.func @g(%c: i1, %m: {T}) {{
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
{CALLER}"""
    back, goes = derive(text.replace("LAST", FREE_A), "given_back_beside", "goes_on_owned", rules=STATIC)
    assert ("@g/%t", "%t", "%true") in back and ("@g/%a", "@g/%t") in {(name, to) for name, _, to in goes}
    assert TWO_NAMES in messages(text.replace("LAST", FREE_A))
    never = text.replace("LAST", "")
    goes_on, ends = derive(never, "result_goes_on", "ends_at", rules=STATIC)
    assert goes_on == set() and "%a" not in {owner for owner, _ in ends}
    assert messages(never) != set()


@pytest.mark.parametrize("own", [True, False])
def test_what_a_call_gives_back_as_it_is_or_copied(own: bool) -> None:
    """As the i1 says that came with it, what belongs to others is copied; another i1 does not say so."""
    text = f"""
func.func private @e(%k: i1, %p: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %k, ^bb1(%p, %false : {T}, i1), ^bb2
^bb2:
  %x = memref.alloc() : {T}
  memref.copy %p, %x : {T} to {T}
  cf.br ^bb1(%x, %true : {T}, i1)
^bb1(%t: {T}, %f: i1):
  return %t, %f : {T}, i1
}}
func.func private @f(%k: i1, %p: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  %q, %o = call @e(%k, %p) : (i1, {T}) -> ({T}, i1)
  %r = scf.if {"%o" if own else "%k"} -> ({T}) {{
    scf.yield %q : {T}
  }} else {{
    %y = memref.alloc() : {T}
    memref.copy %q, %y : {T} to {T}
    scf.yield %y : {T}
  }}
  return %r, %true : {T}, i1
}}
{CALLER.replace("LAST", FREE_A)}"""
    copied, goes = derive(text, "copied_by_its_i1", "goes_on_owned", rules=STATIC)
    assert copied == ({("%r",)} if own else set())
    assert ("@g/%a" in {name for name, *_ in goes}) == (TWO_NAMES in messages(text)) == (not own)


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
    assert {value for _, value in after} == ({"%t"} if used else set())
    assert (USED in messages(text)) == used


BLOCKS = "cf.cond_br %d, ^bb1, ^bb2\n^bb1:\n FIRST\n cf.br ^bb3\n^bb2:\n SECOND\n cf.br ^bb3\n^bb3:\n LAST"
NESTED = f"cf.cond_br %c, ^bb4, ^bb5\n^bb4:\n {FREE_T}\n cf.br ^bb5\n^bb5:\n"


def blocks(first: str = "", second: str = "", last: str = "") -> str:
    return BLOCKS.replace("FIRST", first).replace("SECOND", second).replace("LAST", last)


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (blocks(FREE_T, FREE_T), None),
        (blocks(FREE_T, FREE_T, FREE_T), AGAIN),
        (blocks(FREE_T, "", FREE_T), AGAIN),
        (blocks("", NESTED, FREE_T), AGAIN),
        (f"{FREE_T}\n {blocks(FREE_T)}", AGAIN),
        (blocks(FREE_T, f"{COPY_T}\n {FREE_T}"), None),
        (blocks(FREE_T, FREE_T, COPY_T), USED),
    ],
)
def test_what_is_freed_on_ways_that_come_together(last: str, message: str | None) -> None:
    text = hand(last)
    within, along, before, twice, reads, first, aside, after = derive(
        text, "freed_within", "defined_along", "may_free_before", "freed_twice_on_way", "read_along",
        "first_freed_along", "first_freed_aside", "read_after", rules=STATIC,
    )  # fmt: skip
    assert ("%t", "^bb0", 1) in aside and {("%t", "^bb0", 1), ("%t", "^bb1", 0)} & first != set()
    assert {value for _, value, *_ in reads} >= {"%t"}
    assert ("%t", "^bb0") in derive(text, "made_along", rules=STATIC)
    assert {value for value, *_ in within} == {"%t"} and ("%t", "^bb0", 0) in along
    assert (before != set()) == (twice != set()) == (message == AGAIN) and (after != set()) == (message == USED)
    assert messages(text) == ({message} if message else set())


def test_what_a_loop_frees_and_goes_round_with() -> None:
    """The buffer that is freed after the loop is not the one that is freed within it."""
    text = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  cf.br ^bb1(%m, %false : {T}, i1)
^bb1(%t: {T}, %g: i1):
  memref.copy %t, %m : {T} to {T}
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  {FREE_T}
  %b = memref.alloc() : {T}
  memref.copy %m, %b : {T} to {T}
  cf.br ^bb1(%b, %true : {T}, i1)
^bb3:
  {FREE_T}
  return
}}
"""
    along, before = derive(text, "freed_along", "may_free_before", rules=STATIC)
    assert len({op for _, op, *_ in along}) == 2 and before == set()
    assert run_dealog(text, PASS).text == text


@pytest.mark.parametrize("compared", ["%i", "%n"])
def test_what_may_be_used_after_it_was_freed_as_the_run_tells(compared: str) -> None:
    """MLIR frees at the end of a block what is not the same as what goes on."""
    last = f"""%i = memref.extract_aligned_pointer_as_index %t : {T} -> index
  %o = arith.cmpi ne, {compared}, %n : index
  %h = arith.andi %o, %g : i1
  scf.if %h {{
    memref.dealloc %t : {T}
  }}
  {COPY_T}"""
    freed, after = derive(hand(last), "freed_once_true", "read_after", rules=STATIC)
    assert ("%t" in {value for value, _ in freed}) == ("%t" in {value for _, value in after}) == (compared == "%n")
    assert (USED in messages(hand(last))) == (compared == "%n")


@pytest.mark.parametrize(("first", "used"), [(True, False), (False, True)])
def test_what_is_read_by_its_first_name_after_it_was_freed_by_another(first: bool, used: bool) -> None:
    copy = f"memref.copy %a, %m : {T} to {T}"
    text = hand(f"{copy}\n {FREE_T}" if first else f"{FREE_T}\n {copy}")
    ends, new, freed, reads, after = derive(
        text, "ends_by_name", "freed_by_new_name", "freed_as_any", "reads_name", "read_after", rules=STATIC
    )
    assert ("%a",) in ends and {value for value, *_ in new} == {"%a"} and new <= freed
    assert "%a" in {value for _, value in reads}
    assert {value for _, value in after} == ({"%a"} if used else set())
    assert USED in messages(text) or not used


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
    owned, names, gets, lent, frees, again, leaves, unfreed = derive(
        text, "takes_owned", "name_of_owner", "gets_owned", "gets_lent", "frees_itself", "handed_on_again",
        "leaves_scope", "unfreed_receiver", rules=STATIC,
    )  # fmt: skip
    assert owned == gets == lent == {("%t",)} and {("%t", "%t"), ("%x", "%x")} <= names
    assert {value for _, value in frees} == {"%t"} and again == set()
    assert (unfreed == set()) == (leaves == set()) == complete
    assert (LEAKS in messages(text)) == (not complete)  # %x, which is followed along all paths


def test_a_receiver_that_cannot_be_followed() -> None:
    """What the i1 holds that was read from memory is not known, so the older signs count."""
    new = f"%x = memref.alloc() : {T}\n memref.copy %m, %x : {T} to {T}"
    last = f"%h = memref.load %bits[%c0] : memref<1xi1>\n scf.if %h {{\n {FREE_T}\n }}"
    text = hand(last, first=FREE_A, then=new, otherwise="").replace("scf.yield %a", "scf.yield %x")
    text = text.replace("%n: index", "%n: index, %bits: memref<1xi1>")
    assert len(derive(text, "frees_on_one_side", rules=STATIC)) == 1, "the inner one: both conditions have to hold"
    assert ("1", "0") in {tuple(map(str, each)) for each in derive(text, "other_side", rules=STATIC)}
    assert messages(text) == {GOES_ON}
    assert messages(text.replace(f"scf.if %h {{\n {FREE_T}\n }}", FREE_T)) == set()


def test_a_buffer_that_goes_on_beside_two_i1s() -> None:
    """That one of them is true does not say that it is owned."""
    text = f"""
func.func @f(%c: i1, %d: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  cf.cond_br %c, ^bb1, ^bb2(%a, %true, %false : {T}, i1, i1)
^bb1:
  %b = memref.alloc() : {T}
  memref.copy %m, %b : {T} to {T}
  cf.br ^bb2(%b, %true, %true : {T}, i1, i1)
^bb2(%t: {T}, %g: i1, %h: i1):
  memref.copy %t, %m : {T} to {T}
  %o = arith.andi %g, %h : i1
  scf.if %o {{
    memref.dealloc %t : {T}
  }}
  {FREE_A}
  return
}}
"""
    both, goes, found = derive(text, "one_of_both", "goes_on_owned", "freed_by_two_names", rules=STATIC)
    assert both == {("%t", "%g"), ("%t", "%h")} and goes == found == set()
    assert run_dealog(text, PASS).text == text


@pytest.mark.parametrize(
    ("last", "complete"),
    [(FREE_T, True), (f"cf.cond_br %d, ^bb1, ^bb2\n^bb1:\n return\n^bb2:\n {FREE_T}", False)],
)
def test_a_buffer_that_both_sides_hand_on(last: str, complete: bool) -> None:
    """It goes on once, whichever side control takes."""
    text = hand(last, otherwise="").replace("scf.yield %m, %false", "scf.yield %a, %true")
    up, places, sides, along, again, unfreed = derive(
        text, "handed_on_up", "handed_on_from", "ends_side", "handed_along", "handed_on_again",
        "unfreed_receiver", rules=STATIC,
    )  # fmt: skip
    names = [sorted(op.split("#")[0] for value, op in found if value == "%a") for found in (up, places)]
    assert names == [["scf.if", "scf.yield", "scf.yield"], ["scf.if"]] and len(sides) == 2
    assert {(value, way, operand) for value, _, way, operand in along} == {("%a", 0, 0)} and again == set()
    assert (unfreed == set()) == complete and (LEAKS in messages(text)) == (not complete)


@pytest.mark.parametrize("copies", [1, 2])
def test_a_buffer_that_a_branch_hands_on_to_two_blocks(copies: int) -> None:
    text = f"""
func.func @f(%d: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  %true = arith.constant true
  cf.cond_br %d, ^bb1(%a, %true : {T}, i1), ^bb2(%a, %true : {T}, i1)
^bb1(%t: {T}, %g: i1):
  {FREE_T}
  return
^bb2(%u: {T}, %h: i1):
  scf.if %h {{
    memref.dealloc %u : {T}
  }}
  return
}}
"""
    if copies == 2:
        text = text.replace(f"(%a, %true : {T}, i1), ", f"(%a, %true, %a : {T}, i1, {T}), ")
        text = text.replace("%g: i1)", f"%g: i1, %w: {T})")
    along, again = derive(text, "handed_along", "handed_on_again", rules=STATIC)
    assert {way for _, _, way, _ in along} == {0, 1} and (again != set()) == (copies == 2)


def test_a_buffer_that_goes_on_within_a_region_and_out_of_it() -> None:
    text = f"""
func.func @f(%d: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  %true = arith.constant true
  %t, %g = scf.execute_region -> ({T}, i1) {{
    cf.br ^bb1(%a : {T})
  ^bb1(%w: {T}):
    memref.copy %w, %m : {T} to {T}
    scf.yield %a, %true : {T}, i1
  }}
  {FREE_T}
  return
}}
"""
    places, again = derive(text, "handed_on_from", "handed_on_again", rules=STATIC)
    assert {op.split("#")[0] for _, op in places} == {"cf.br", "scf.execute_region"} and again == {("%a",)}
    assert run_dealog(text, PASS).text == text


@pytest.mark.parametrize("freed", [True, False])
def test_what_a_loop_gets_with_its_i1_and_drops(freed: bool) -> None:
    first = "scf.if %k {\n memref.dealloc %p : " + T + "\n }" if freed else ""
    loop = f"""%q, %h = scf.for %i = %c0 to %n step %c1 iter_args(%p = %t, %k = %g) -> ({T}, i1) {{
    {first}
    scf.yield %m, %false : {T}, i1
  }}
  scf.if %h {{
    memref.dealloc %q : {T}
  }}"""
    text = hand(loop)
    found, inside, sides, other, unfreed = derive(
        text, "gets_with_i1", "inside_region", "within_side", "on_other_side", "unfreed_receiver", rules=STATIC
    )
    assert {side for op, _, side in sides & inside if op.startswith("scf.yield")} == {0}
    assert {(op.split("#")[0], freeing.split("#")[0]) for op, freeing in other} == {("scf.yield", "memref.dealloc")}
    assert ("%p",) in found and {receiver for _, receiver, _ in unfreed} == (set() if freed else {"%p"})
    assert (LEAKS in messages(text)) == (not freed)


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


@pytest.mark.parametrize(
    ("first", "read", "wrong"),
    [
        (FREE_A, COPY_T, True),
        (FREE_A, f"scf.if %g {{\n {COPY_T}\n }}", False),
        ("", COPY_T, False),
        (f"{FREE_A}\n cf.br ^bb3\n^bb3:", COPY_T, True),
    ],
)
def test_what_is_handed_on_after_it_was_freed(first: str, read: str, wrong: bool) -> None:
    """Nothing may read what comes along with `false`, and is freed; what is read on that i1 is not read then."""
    text = f"""
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  cf.cond_br %c, ^bb2(%a, %true : {T}, i1), ^bb1
^bb1:
  {first}
  cf.br ^bb2(%a, %false : {T}, i1)
^bb2(%t: {T}, %g: i1):
  {read}
  {FREE_T}
  return
}}
"""
    goes, reads = derive(text, "goes_on_freed", "read_where_it_came", rules=STATIC)
    freed = "memref.dealloc %a" in text
    assert {(op.split("#")[0], *names) for op, *names in goes} == ({("cf.br", "%t", "%a")} if freed else set())
    assert ({name for _, name in reads} == {"%t"}) == wrong
    assert (USED in messages(text)) == wrong
