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
        assert (aside, under, op, run) == (set(), set(), set(), set())
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
    aside, sides, branches, made = derive(text, "freed_aside", "aside", "branches_by", "i1_made_of", rules=STATIC)
    assert aside == {("^free", "cf.cond_br#11", "%again")}
    assert sides == {("^free", "cf.cond_br#11", 1)}
    assert branches == {("cf.cond_br#11", "%not")}
    assert made == {("%again", "%not"), ("%not", "%owned")}
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
        UNRELATED, "freed_aside", "may_tell", "branch_i1", "frees_in_block", "named_aside", "freed_on_edge",
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
