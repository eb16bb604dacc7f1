"""What the classic deallocation decides, on small IR."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.rules.static_programs import CYCLE

CLASSIC = ("buffer_deallocation",)

DIAMOND = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb2:
  cf.br ^bb3(%m : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""

LOOP = """
func.func @f(%n: index, %m: memref<2xf32>) {
  %r = scf.for %i = %n to %n step %n iter_args(%b = %m) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %b, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_a_buffer_that_may_be_one_of_two() -> None:
    critical, slots, leads, places, at, followed, tracked = derive(
        DIAMOND, "critical_value", "cloned_slot", "slot_leads_to", "freed_where", "freed_in_place", "followed_from",
        "tracked_allocation", rules=CLASSIC,
    )  # fmt: skip
    assert critical == {("%x",)}
    assert slots == {("cf.br#3", 0), ("cf.br#4", 0)}
    assert leads == {("cf.br#3", 0, "%x"), ("cf.br#4", 0, "%x")}
    assert places == {("%a", "^bb1"), ("%x", "^bb3")}
    assert at == {("%a", "before", "cf.br#3", 10000), ("%x", "after", "memref.copy#5", 0)}
    assert followed == {("%a", "^bb1"), ("%x", "^bb3")}
    assert tracked == {("%a", "^bb1")}


def test_what_is_known_where() -> None:
    asked, up, known, unknown, arguments, defined, inside = derive(
        DIAMOND, "asked_of_block", "asked_up", "known_at", "not_dominating", "argument_of", "value_block",
        "parent_in_function", rules=CLASSIC,
    )  # fmt: skip
    assert asked == {("^bb1", "^bb3"), ("^bb1", "^bb0")}
    assert up == {("^bb1", "^bb3", "^bb0")}
    assert known == set()
    assert unknown == {("^bb1", "^bb3"), ("^bb1", "^bb0")}
    assert arguments == {("%m", "^bb0"), ("%x", "^bb3")}
    assert defined == {("%m", "^bb0"), ("%a", "^bb1"), ("%x", "^bb3")}
    assert inside == set()


def test_a_buffer_that_goes_back_to_its_loop() -> None:
    critical, slots, freed, uses, last, clones, around = derive(
        LOOP, "critical_value", "cloned_slot", "freed_classically", "freed_used_by", "last_where_freed",
        "cloned_where_freed", "block_around_freed", rules=CLASSIC,
    )  # fmt: skip
    assert critical == {("%b",), ("%r",)}
    assert slots == {("scf.for#1", 3), ("scf.yield#4", 0)}
    assert {value for value, _ in freed} == {"%a", "%b", "%r"}
    assert ("%r", "memref.copy#5") in uses
    assert last == {("%a", "memref.copy#3"), ("%b", "memref.copy#3"), ("%r", "memref.copy#5")}
    assert clones == {("%a", "scf.yield#4")}
    depths = {(value, depth) for value, _, depth, _ in around}
    assert depths == {("%a", 0), ("%a", 1), ("%b", 0), ("%b", 1), ("%r", 0)}


def test_uses_that_another_use_comes_after_are_not_compared() -> None:
    text = """
    func.func @f(%m: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      cf.br ^bb1
    ^bb1:
      memref.copy %a, %m : memref<2xf32> to memref<2xf32>
      return
    }"""
    passes, compared = derive(text, "passes_another", "paths_compared", rules=CLASSIC)
    assert passes == {("%a", "^bb0")}
    assert compared == {("%a", "^bb0", "^bb1"), ("%a", "^bb1", "^bb1")}


def test_the_place_after_all_uses() -> None:
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      scf.if %c {
        %v = memref.cast %a : memref<2xf32> to memref<?xf32>
      }
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      memref.copy %a, %m : memref<2xf32> to memref<2xf32>
      cf.br ^bb2
    ^bb2:
      return
    }"""
    reaches, depths, depth, compared, meets, used, position, last, known, asked, defines, lies = derive(
        text, "freed_reaches", "reached_depth", "freed_depth", "paths_compared", "paths_meet", "used_where_freed",
        "clone_position", "cloned_last", "known_where_freed", "where_freed_asked", "defines_freed", "lies_in_freed",
        rules=CLASSIC,
    )  # fmt: skip
    assert {block for _, block in reaches} >= {"^bb0", "^bb1"}
    assert derive(text, "passes_another", rules=CLASSIC) == set()
    assert depths == {("%a", 0)} == depth
    assert ("%a", "^bb0", "^bb1") in compared
    assert ("%a", "^bb1", 1) not in meets
    assert {place for _, place, _ in meets} == {"^bb0", "^bb2"}
    assert used == position == last == set()
    assert known == {("%a",)}
    assert asked == {("%a", "^bb2", "^bb2"), ("%a", "^bb2", "^bb0")}
    assert defines == {("%a", "^bb0")}
    assert lies == {("%a", "%a"), ("%a", "%v")}
    assert derive(text, "freed_in_place", rules=CLASSIC) == {("%a", "before", "func.return#8", 10000)}


def test_post_dominators() -> None:
    text = """
    func.func @f(%c: i1) {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      cf.cond_br %c, ^bb3, ^bb4
    ^bb2:
      cf.br ^bb5
    ^bb3:
      cf.br ^bb5
    ^bb4:
      cf.br ^bb5
    ^bb5:
      return
    }
    func.func @g(%c: i1) {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      return
    ^bb2:
      return
    }"""
    parents, depths, exits, several, following, after, goes_on, first, parting, pairs = derive(
        text, "post_parent", "post_depth", "exit_block", "several_exits", "next_at", "next_after", "has_next",
        "first_next", "parting", "descending", rules=CLASSIC,
    )  # fmt: skip
    of_f = {(block, place) for block, place in parents if not str(block).startswith("@g")}
    assert of_f == {(f"^bb{n}", "^bb5") for n in range(5)}
    assert ("^bb5", 0) in depths and ("^bb0", 1) in depths
    assert {block for _, block in exits} >= {"^bb5", "@g/^bb1", "@g/^bb2"}
    assert len(several) == 1
    assert ("^bb0", 1, "^bb1") in following
    assert ("^bb0", "^bb1", "^bb2") in after
    assert ("^bb0",) in goes_on and ("^bb5",) not in goes_on and ("^bb0", 1) in first
    assert ("^bb0", "^bb2", "^bb5") in parting
    assert ("^bb0", "^bb2", "^bb5", "^bb2") in pairs


def test_a_clone_for_one_of_two_ways() -> None:
    text = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      cf.cond_br %c, ^bb1, ^bb2(%a : memref<2xf32>)
    ^bb1:
      %b = memref.alloc() : memref<2xf32>
      cf.br ^bb2(%b : memref<2xf32>)
    ^bb2(%x: memref<2xf32>):
      memref.copy %x, %m : memref<2xf32> to memref<2xf32>
      return
    }"""
    vain, blocks = derive(text, "clone_in_vain", "block_inserted", rules=CLASSIC)
    assert vain == {("cf.cond_br#2", 1, 0)}
    assert blocks == {("cf.cond_br#2", 0, "edge cf.cond_br#2 0")}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("memref.dealloc %a : memref<2xf32> memref.dealloc %a : memref<2xf32>", "several operations free it"),
        (
            "%v = memref.cast %a : memref<2xf32> to memref<?xf32> memref.dealloc %v : memref<?xf32>",
            "it is freed by another name",
        ),
        ("memref.store %a, %p[%n] : memref<1xmemref<2xf32>>", "it is kept in memory"),
        ("%t = arith.constant true bufferization.dealloc (%a : memref<2xf32>) if (%t)",
         "it is freed or taken over by something else"),
        ("call @frees(%a) : (memref<2xf32>) -> ()", "the function that it is given to frees it, or keeps it"),
        ("%b = memref.realloc %d(%n) : memref<?xf32> to memref<?xf32>", "it is reallocated"),
    ],
)  # fmt: skip
def test_what_is_left_alone(body: str, reason: str) -> None:
    text = f"""
    func.func private @frees(%m: memref<2xf32>) {{
      memref.dealloc %m : memref<2xf32>
      return
    }}
    func.func @f(%n: index, %p: memref<1xmemref<2xf32>>) {{
      %a = memref.alloc() : memref<2xf32>
      %d = memref.alloc(%n) : memref<?xf32>
      {body}
      return
    }}"""
    assert reason in {why for _, why in derive(text, "left_by_classic", rules=CLASSIC)}


def test_what_frees_by_itself() -> None:
    text = """
    func.func @f(%m: memref<2xf32>) -> memref<2xf32> {
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      %v = memref.cast %a : memref<2xf32> to memref<?xf32>
      memref.dealloc %a : memref<2xf32>
      %w = memref.cast %v : memref<?xf32> to memref<2xf32>
      return %b : memref<2xf32>
    }"""
    own, early, escaping, escapes, moved = derive(
        text,
        *("freed_by_own_name", "freed_too_early", "escapes_from", "escapes_somewhere", "operation_moved"),
        rules=CLASSIC,
    )
    assert own == {("%a", "memref.dealloc#4")}
    assert early == {("%a",)}
    assert escaping == {("%b", "func.return#6")}
    assert escapes == {("%b",)}
    assert moved == {("memref.dealloc#4", "after", "memref.cast#5", 0)}


def test_what_is_refused() -> None:
    assert derive(CYCLE, "refused", rules=CLASSIC) == {
        ("func.func#0", 0, "Only structured control-flow loops are supported.")
    }
    apart = """
    func.func @f(%c: i1, %m: memref<2xf32>) {
      cf.cond_br %c, ^bb1, ^bb3
    ^bb1:
      %a = memref.alloc() : memref<2xf32>
      cf.cond_br %c, ^bb2, ^bb3
    ^bb2:
      memref.copy %a, %m : memref<2xf32> to memref<2xf32>
      cf.br ^bb3
    ^bb3:
      return
    }"""
    refused, unknown = derive(apart, "refused", "unknown_where_freed", rules=CLASSIC)
    message = "this buffer cannot be freed in one place: no block comes after all its uses where it is known"
    assert refused == {("memref.alloc#2", 2, message)}
    assert unknown == {("%a",)}
    regions = """
    func.func @f() {
      %r = "test.region"() ({ "test.end"() : () -> () }) : () -> memref<2xf32>
      return
    }"""
    found, odd = derive(regions, "refused", "with_unknown_regions", rules=CLASSIC)
    assert {message for _, _, message in found} == {
        "All operations with attached regions need to implement the RegionBranchOpInterface."
    }
    assert odd == {("test.region#1",)}
