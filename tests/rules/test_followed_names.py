"""The names of an allocation that are followed, and where they are used, on small IR."""

from __future__ import annotations

import pytest

from bench.programs import CHAINS
from tests.rules.derive import derive

COPIES = ("copy_removal",)
CLASSIC = ("buffer_deallocation",)
T = "memref<4xf32>"


def selects(n: int, end: str = "") -> str:
    """A chain of N selects, each between the one before and a new buffer, and `end`."""
    lines = [f"  %a = memref.alloc() : {T}", f"  %t0 = memref.cast %a : {T} to {T}"]
    for i in range(n):
        lines += [f"  %b{i} = memref.alloc() : {T}", f"  %t{i + 1} = arith.select %c, %t{i}, %b{i} : {T}"]
    lines += [f"  memref.copy %t{n}, %m : {T} to {T}", end, "  return"]
    return "\n".join([f"func.func @f(%c: i1, %m: {T}) {{", *lines, "}"])


LOOP = f"""
func.func @f(%c: i1, %m: {T}) {{
  %a = memref.alloc() : {T}
  cf.br ^bb1(%a : {T})
^bb1(%x: {T}):
  %b = memref.alloc() : {T}
  memref.copy %m, %b : {T} to {T}
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  memref.dealloc %b : {T}
  cf.br ^bb1(%x : {T})
^bb3:
  memref.copy %x, %m : {T} to {T}
  return
}}
"""


def test_names_are_followed_through_what_they_are_handed_to() -> None:
    holds, followed, total, merge = derive(
        selects(1), "holds_memory", "followed_as", "handed_total", "merge", rules=COPIES
    )
    assert holds == {("%a",), ("%t0",), ("%b0",), ("%t1",)}
    assert followed == {("%a", "%a"), ("%a", "%t0"), ("%a", "%t1"), ("%b0", "%b0"), ("%b0", "%t1")}
    assert total == {("%t0", 1), ("%t1", 2)}
    assert merge == {("%t1",)}


def test_a_row_of_merges_is_counted_along_the_longest_way() -> None:
    earlier, first, after, until, before, length = derive(
        selects(2), "handed_earlier", "earliest_handed", "next_handed", "row_until", "row_before", "row_length",
        rules=COPIES,
    )  # fmt: skip
    assert {row for row in earlier if row[0] == "%t2"} == {("%t2", 4, "%t1"), ("%t2", 5, "%b1")}
    assert ("%t2", 4) in first and ("%t2", 4, 5) in after
    assert {row for row in until if row[0] == "%t2"} == {("%t2", 4, 1), ("%t2", 5, 1)}
    assert ("%t2", 1) in before
    assert length == {("%a", 0), ("%t0", 0), ("%b0", 0), ("%t1", 1), ("%b1", 0), ("%t2", 2)}


def test_the_last_of_sixteen_merges_is_not_followed() -> None:
    assert derive(selects(15), "not_followed", "lost_sight_of", rules=COPIES) == (set(), set())
    cut, lost = derive(selects(17), "not_followed", "lost_sight_of", rules=COPIES)
    assert cut == {("%t16",)}
    assert lost == {("%a",), *((f"%{name}{i}",) for name in "tb" for i in range(16))}


def test_a_chain_begins_anew_after_what_is_not_followed() -> None:
    followed, out = derive(selects(18), "followed_as", "out_of_sight", rules=COPIES)
    assert {name for allocated, name in followed if allocated == "%b15"} == {"%b15"}
    assert {name for allocated, name in followed if allocated == "%b16"} == {"%b16", "%t17", "%t18"}
    assert ("%b15",) in out and ("%b16",) not in out


def test_what_may_be_very_many_is_not_followed() -> None:
    def copied(n: int) -> str:
        argument = f"  ^end(%p: {T}):\n"
        return CHAINS["into_one_argument"](n).replace(argument, f"{argument}    memref.copy %p, %p : {T} to {T}\n")

    assert derive(copied(31), "not_followed", rules=COPIES) == set()
    assert derive(copied(32), "not_followed", rules=COPIES) == {("%p",)}


def test_loops_that_carry_many_buffers_that_change() -> None:
    def rotation(n: int) -> str:
        return CHAINS["rotation"](n).replace("    return", f"    memref.copy %a0, %a1 : {T} to {T}\n    return")

    around, total, lost = derive(rotation(3), "goes_around", "around_total", "not_followed", rules=COPIES)
    assert {value for value, _ in around} == {"%p0", "%p1"}
    assert {number for _, number in total} == {2}
    assert lost == set()
    assert len(derive(rotation(34), "not_followed", rules=COPIES)) == 33


@pytest.mark.parametrize("family", sorted(CHAINS))
@pytest.mark.parametrize("size", [4, 20])
def test_following_names_leaves_out_only_what_it_says(family: str, size: int) -> None:
    """`shares_memory` says the same in a form that can be read at once, and grows with the square of a chain."""
    text = CHAINS[family](size)
    text = text.replace("    return", f"    memref.copy %copied, %copied : {T} to {T}\n    return")
    text = text.replace("%v = arith", f"%copied = memref.alloc() : {T}\n    %v = arith", 1)
    all_names, followed, cut, lost = derive(
        text, "shares_memory", "followed_as", "not_followed", "lost_sight_of", rules=("copy_removal", "placement")
    )
    assert followed <= all_names
    assert {(a, v) for a, v in all_names - followed if (a,) not in lost} == set()
    through = {(a,) for a, v in all_names if (v,) in cut}
    assert through == {(a,) for a, v in all_names if a == v and (a,) in lost}
    assert size > 4 or not cut


def test_names_live_from_where_they_are_made_to_their_last_use() -> None:
    made, used, into, past, handed, frees = derive(
        LOOP, "name_made_in", "name_used_in", "name_into", "name_past", "handed_at_end", "only_frees", rules=COPIES
    )
    assert {row[:2] for row in made} == {("%a", "^bb0"), ("%x", "^bb1"), ("%b", "^bb1")}
    assert used == {("^bb0", "%a"), ("^bb1", "%b"), ("^bb2", "%x"), ("^bb3", "%x")}
    assert into == {("^bb2", "%x"), ("^bb3", "%x")}
    assert past == {("^bb0", "%a"), ("^bb1", "%x"), ("^bb2", "%x")}
    assert handed == {("^bb0", "%a", "%x"), ("^bb2", "%x", "%x")}
    assert len(frees) == 1


def test_what_is_needed_of_a_copy_is_asked_of_what_the_name_becomes() -> None:
    aligned = selects(1, f"  %z = memref.assume_alignment %t1, 16 : {T}")
    used, on = derive(aligned, "used_as_aligned", "copied_on", rules=COPIES)
    assert used == {("%a",), ("%t0",), ("%b0",), ("%t1",)}
    assert on == {("%a",), ("%t0",), ("%b0",), ("%t1",)}
