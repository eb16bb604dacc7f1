"""Deallocations in blocks that a conditional branch comes to, or passes, on an i1 that came along with the buffer."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
CARRIED = f"""
func.func @f(%c: i1, %o: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^new, ^join(%o, %false : {T}, i1)
^new:
  %a = memref.alloc() : {T}
  memref.copy %o, %a : {T} to {T}
  cf.br ^join(%a, %true : {T}, i1)
^join(%v: {T}, %owned: i1):
  memref.copy %v, %o : {T} to {T}
  %not = arith.xori %owned, %true : i1
  %both = arith.andi %owned, %true : i1
  BRANCH
^free:
  memref.dealloc %v : {T}
  cf.br ^end
^end:
  return
}}
"""


@pytest.mark.parametrize(
    ("branch", "condition"),
    [
        ("cf.cond_br %owned, ^free, ^end", "%owned"),
        ("cf.cond_br %both, ^free, ^end", "%both"),
        ("cf.cond_br %c, ^free, ^end", "%c"),
        ("cf.cond_br %not, ^end, ^free", None),
        ("cf.cond_br %owned, ^free, ^free", None),
    ],
)
def test_a_block_that_frees_where_an_i1_holds(branch: str, condition: str | None) -> None:
    text = CARRIED.replace("BRANCH", branch)
    aside, under, op, run, left = derive(
        text, "freed_aside", "freed_under_i1", "frees_on_condition", "run_on_condition", "left_to_hand", rules=STATIC
    )
    if condition is None:
        assert (aside, under) == (set(), set())
        passes = "%not" in branch  # nothing in the text is the opposite of that, and the branch goes by it all the same
        beside = derive(text, "frees_aside", rules=STATIC)
        assert beside == ({("^free", "cf.cond_br#10")} if passes else set())
        assert run == {(branch_op, block) for block, branch_op in beside}
        assert op == ({("cf.cond_br#10",)} if passes else set())
        assert run_dealog(text, ("static-buffer-deallocation",)).text == text
        return
    assert aside == {("^free", "cf.cond_br#10", condition)}
    assert under == {("memref.dealloc#11", "%v", condition)}
    assert op == {("cf.cond_br#10",)} and run == {("cf.cond_br#10", "^free")}
    assert ("%v",) in left
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


def test_where_the_negation_holds() -> None:
    """The branch goes by the opposite of an i1 that is there, too."""
    text = CARRIED.replace("BRANCH", "cf.cond_br %not, ^end, ^free").replace(
        "%not = arith.xori %owned, %true : i1",
        "%not = arith.xori %owned, %true : i1\n  %again = arith.xori %not, %true : i1",
    )
    aside, sides, branches, made = derive(text, "freed_aside", "aside", "branches_by", "i1_part", rules=STATIC)
    assert aside == {("^free", "cf.cond_br#11", "%again")}
    assert sides == {("^free", "cf.cond_br#11", 1)}
    assert branches == {("cf.cond_br#11", "%not")}
    assert made == {("%again", "%not"), ("%not", "%owned"), ("%both", "%owned"), ("%both", "%true")}
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


UNRELATED = f"""
func.func @f(%c: i1, %d: i1, %o: {T}) {{
  %a = memref.alloc() : {T}
  memref.copy %o, %a : {T} to {T}
  cf.cond_br %d, ^free, ^end
^free:
  memref.dealloc %a : {T}
  cf.br ^end
^end:
  return
}}
"""


def test_an_i1_that_tells_nothing_of_the_buffer() -> None:
    """%a is freed on the other path, too."""
    aside, tells, asked, freeing, named, on = derive(
        UNRELATED, "freed_aside", "may_tell", "guard", "frees_in_block", "freed_by_guard", "freed_on_edge",
        rules=STATIC,
    )
    assert (aside, tells) == (set(), set())
    assert asked == {("%d",)} and freeing == {("^free",)} and named == {("%a",)}
    assert on == {("%a", "cf.cond_br#3", 1)}


def test_it_goes_on_elsewhere() -> None:
    """The block that frees does not come to where control goes on else: each path is looked at."""
    text = CARRIED.replace("BRANCH", "cf.cond_br %owned, ^free, ^end").replace("  cf.br ^end", "  return")
    aside, sides, freed = derive(text, "freed_aside", "aside", "freed_in_text", rules=STATIC)
    assert (aside, sides) == (set(), set()) and freed != set()


CHOSEN = f"""
func.func @f(%c: i1, %o: {T}) {{
  %a = memref.alloc() : {T}
  memref.copy %o, %a : {T} to {T}
  %s = arith.select %c, %a, %o : {T}
  memref.copy %s, %o : {T} to {T}
  %b, %offset, %sizes, %strides = memref.extract_strided_metadata %s : {T} -> memref<f32>, index, index, index
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %b : memref<f32>
  cf.br ^end
^end:
  return
}}
"""


def test_by_the_i1_that_chose_the_buffer() -> None:
    """So the base that is freed is %a."""
    aside, tells, chosen = derive(CHOSEN, "freed_aside", "may_tell", "chosen_while", rules=STATIC)
    assert aside == {("^free", "cf.cond_br#6", "%c")} and tells == {("%c",)}
    assert ("%s", "%c", "%a") in chosen


ON_SIDES = f"""
func.func @f(%c: i1, %m: {T}) {{
  %v = scf.if %c -> ({T}) {{
    %n = memref.alloc() : {T}
    memref.copy %m, %n : {T} to {T}
    scf.yield %n : {T}
  }} else {{
    scf.yield %m : {T}
  }}
  memref.copy %v, %m : {T} to {T}
  cf.cond_br %c, ^free, ^end
^free:
  memref.dealloc %v : {T}
  cf.br ^end
^end:
  return
}}
"""


def test_by_the_i1_by_which_a_region_handed_it_on() -> None:
    aside, left = derive(ON_SIDES, "freed_aside", "left_to_hand", rules=STATIC)
    assert {(block, condition) for block, _, condition in aside} == {("^free", "%c")} and ("%v",) in left
    assert run_dealog(ON_SIDES, ("static-buffer-deallocation",)).text == ON_SIDES


IN_TURN = f"""
func.func @f(%c: i1, %d: i1, %o: {T}) {{
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc() : {T}
  memref.copy %o, %a : {T} to {T}
  cf.cond_br %c, ^one, ^next
^one:
  memref.dealloc %a : {T}
  cf.br ^next
^next:
  cf.cond_br WHERE, ^two, ^end
^two:
  memref.dealloc %a : {T}
  cf.br ^end
^end:
  return
}}
"""


@pytest.mark.parametrize(("where", "in_turn"), [("%not", True), ("%d", False)])
def test_in_turn(where: str, in_turn: bool) -> None:
    """Where the second i1 says nothing of the first, %a may be freed twice."""
    text = IN_TURN.replace("WHERE", where)
    named, tells, aside = derive(text, "freed_on_i1", "may_tell", "freed_aside", rules=STATIC)
    assert {(value, condition) for _, value, condition in named} == {("%a", "%c"), ("%a", where)}
    assert tells == ({("%c",), ("%not",)} if in_turn else set())
    assert {block for block, _, _ in aside} == ({"^one", "^two"} if in_turn else set())
    output = run_dealog(text, ("static-buffer-deallocation",))
    assert output.text == text if in_turn else output.text is None


def test_in_turn_by_one_i1() -> None:
    """The first branch frees where the i1 holds, the second where it does not."""
    text = IN_TURN.replace("cf.cond_br WHERE, ^two, ^end", "cf.cond_br %c, ^end, ^two")
    tells, aside, sides = derive(text, "may_tell", "freed_aside", "freed_on_side", rules=STATIC)
    assert ("%c",) in tells and "^one" in {block for block, _, _ in aside}
    assert {(value, condition, side) for value, _, condition, side in sides} == {("%a", "%c", 0), ("%a", "%c", 1)}
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


COPIED = f"""
func.func @f(%c: i1, %m: {T}) -> memref<?xf32> {{
  %zero = arith.constant 0 : index
  %v = memref.cast %m : {T} to memref<?xf32>
  %true = arith.constant true
  %a = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  %w = memref.cast %a : {T} to memref<?xf32>
  %s = arith.select %c, %w, %v : memref<?xf32>
  %not = arith.xori %c, %true : i1
  memref.copy %a, %m : {T} to {T}
  cf.cond_br %not, ^free, ^on
^free:
  memref.dealloc %a : {T}
  cf.br ^on
^on:
  cf.cond_br %c, ^same, ^copy
^same:
  cf.br ^end(%s : memref<?xf32>)
^copy:
  %size = memref.dim %s, %zero : memref<?xf32>
  %new = memref.alloc(%size) : memref<?xf32>
  %part = memref.cast %new : memref<?xf32> to memref<?xf32>
  linalg.copy ins(%s : memref<?xf32>) outs(%new : memref<?xf32>)
  cf.br ^end(%part : memref<?xf32>)
^end(%r: memref<?xf32>):
  return %r : memref<?xf32>
}}
"""


def test_what_goes_on_as_it_is_or_as_a_copy() -> None:
    """As `scf.if` before it was lowered; the copy is made by another operation, and is named by a view."""
    copied, into, copy, unless = derive(COPIED, "copied_if", "copied_into", "copied_to", "copies_unless", rules=STATIC)
    assert {(value, source, condition) for value, source, condition, _ in copied} == {("%r", "%s", "%c")}
    assert ("%s", "%new") in into and {("%s", "%new"), ("%s", "%part")} <= copy and len(unless) == 1
    assert run_dealog(COPIED, ("static-buffer-deallocation",)).text == COPIED



FREED_IN_ELSE = f"""
func.func @f(%c: i1, %m: {T}) {{
  %true = arith.constant true
  %x = memref.alloc() : {T}
  %a = memref.alloc() : {T}
  %s = arith.select %c, %a, %x : {T}
  scf.if %c {{
  }} else {{
    memref.dealloc FREED : {T}
  }}
  memref.copy %s, %m : {T} to {T}
  scf.if %c {{
    memref.dealloc %s : {T}
  }}
  memref.dealloc %x : {T}
  return
}}
"""


@pytest.mark.parametrize(("freed", "is_right"), [("%a", True), ("%x", False), ("%s", False)])
def test_a_region_that_frees_where_an_i1_does_not_hold(freed: str, is_right: bool) -> None:
    """As mlir-opt's canonicalizer leaves it: the opposite of an i1 becomes an `else`."""
    text = FREED_IN_ELSE.replace("FREED", freed)
    under, left, refused = derive(text, "freed_under", "left_to_hand", "refused", rules=STATIC)
    assert ("scf.if#5",) in under
    assert {("%a",), ("%x",), ("%s",)} <= left
    assert (refused == set()) == is_right
    if is_right:
        assert run_dealog(text, ("static-buffer-deallocation",)).text == text


PASSED_BY = f"""
func.func @f(%c: i1, %m: {T}) {{
  %x = memref.alloc() : {T}
  %a = memref.alloc() : {T}
  %s = arith.select %c, %a, %x : {T}
  cf.cond_br %c, ^join, ^frees
^frees:
  memref.dealloc FREED : {T}
  cf.br ^join
^join:
  memref.copy %s, %m : {T} to {T}
  cf.cond_br %c, ^chosen, ^end
^chosen:
  memref.dealloc %s : {T}
  cf.br ^end
^end:
  memref.dealloc %x : {T}
  return
}}
"""


@pytest.mark.parametrize(("freed", "is_right"), [("%a", True), ("%x", False), ("%s", False)])
def test_a_block_that_frees_where_an_i1_does_not_hold(freed: str, is_right: bool) -> None:
    """The same by blocks: nothing in the text is the opposite of %c."""
    text = PASSED_BY.replace("FREED", freed)
    beside, refused = derive(text, "frees_aside", "refused", rules=STATIC)
    assert beside == {("^frees", "cf.cond_br#4"), ("^chosen", "cf.cond_br#8")}
    assert (refused == set()) == is_right
    if is_right:
        assert run_dealog(text, ("static-buffer-deallocation",)).text == text


@pytest.mark.parametrize("text", [FREED_IN_ELSE.replace("FREED", "%a"), PASSED_BY.replace("FREED", "%a")])
def test_a_way_that_a_constant_excludes_frees_nothing(text: str) -> None:
    """Where %c is a constant, such a deallocation tells nothing of who owns the buffer."""
    constant = text.replace("(%c: i1, ", "(").replace("{\n", "{\n  %c = arith.constant true\n", 1)
    under, beside = derive(constant, "freed_under", "frees_aside", rules=STATIC)
    assert not [op for (op,) in under if op in ("scf.if#6", "cf.cond_br#5")]
    assert not [block for block, _ in beside if block == "^frees"]
