"""Where paths between blocks meet, and which names end there."""

from __future__ import annotations

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)

# ^bb6 stands before ^bb5, from which control comes to it: no dominator tree is known.
TREES = """
func.func @f(%c: i1, %d: i1, %e: i1, %g: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %k = memref.alloc() : memref<2xf32>
  %l = memref.alloc() : memref<2xf32>
  %a = arith.select %c, %k, %l : memref<2xf32>
  cf.cond_br %d, ^bb3, ^bb4(%m : memref<2xf32>)
^bb2:
  cf.br ^bb4(%m : memref<2xf32>)
^bb3:
  cf.cond_br %e, ^bb4(%a : memref<2xf32>), ^bb5(%a, %a : memref<2xf32>, memref<2xf32>)
^bb4(%r: memref<2xf32>):
  memref.copy %m, %r : memref<2xf32> to memref<2xf32>
  return
^bb6(%z: memref<2xf32>, %w: memref<2xf32>):
  memref.copy %w, %z : memref<2xf32> to memref<2xf32>
  cf.cond_br %g, ^bb6(%w, %z : memref<2xf32>, memref<2xf32>), ^bb7
^bb5(%x: memref<2xf32>, %y: memref<2xf32>):
  memref.copy %m, %y : memref<2xf32> to memref<2xf32>
  cf.br ^bb6(%y, %x : memref<2xf32>, memref<2xf32>)
^bb7:
  memref.copy %m, %m : memref<2xf32> to memref<2xf32>
  return
}
"""


LOOP = TREES[TREES.index("^bb6(%z") : TREES.index("^bb5(%x")]
IN_ORDER = TREES.replace(LOOP, "").replace("^bb7:", LOOP + "^bb7:")


def test_trees_of_blocks() -> None:
    hands, meeting, trees, before, asked, below, leads, beside = derive(
        TREES,
        "hands_to_meeting",
        "meeting_block",
        "tree_of",
        "tree_before",
        "asked_beside",
        "asked_below",
        "leads_to_meeting",
        "passes_beside",
        rules=STATIC,
    )
    assert len(hands) == 1 and meeting == {("^bb4",), ("^bb6",)}
    roots = {"^bb0": "01235", "^bb4": "4", "^bb6": "67"}
    assert trees == {(f"^bb{i}", root) for root, blocks in roots.items() for i in blocks}
    assert before == {("^bb0", "^bb4"), ("^bb0", "^bb6"), ("^bb6", "^bb6")}
    assert asked == {(f"^bb{i}",) for i in "01356"}  # in which what may be lent is defined, and what is above them
    assert below == {("^bb2",)} and leads == {("^bb2", "^bb4")}
    assert beside == {("^bb1", "^bb4"), ("^bb3", "^bb4"), ("^bb5", "^bb4")}  # by ^bb2


def test_dominance_frontiers_of_blocks_in_order() -> None:
    """Only those are stated in which a buffer arrives. ^bb6, after ^bb5, is a loop of one block."""
    frontiers, gets, trees, lost = derive(
        IN_ORDER, "dominance_frontier", "gets_where_paths_meet", "tree_of", "lost_on", rules=STATIC
    )
    assert gets == {("^bb4",), ("^bb6",)} and trees == set()
    assert frontiers == {("^bb1", "^bb4"), ("^bb2", "^bb4"), ("^bb3", "^bb4"), ("^bb6", "^bb6")}
    assert {row for row in lost if row[0] == "%z"} == {("%z", "cf.br#11", 0), ("%z", "cf.cond_br#13", 0)}
    assert {row for row in lost if row[0] == "%x"} == {("%x", "cf.cond_br#7", 1)}


def test_names_that_end_where_paths_meet() -> None:
    """%x, which is lent to %y, is in scope at ^bb6 only where control comes to it for the first time."""
    avoids, lost = derive(TREES, "avoids_definer", "lost_on", rules=STATIC)
    assert ("%x", "^bb0") in avoids and ("%x", "^bb4") in avoids and ("%x", "^bb6") not in avoids
    assert {row[2] for row in lost if row[0] == "%x" and row[1].startswith("cf.cond_br")} == {0, 1}


def test_a_row_of_blocks_takes_no_more_than_its_length() -> None:
    """Each block hands one buffer on by two names; what is stated of them does not grow with the blocks before."""

    def stated(count: int) -> int:
        pair = "memref<2xf32>, memref<2xf32>"
        lines = ["func.func @f(%c: i1) {", "  %a = memref.alloc() : memref<2xf32>", f"  cf.br ^bb0(%a, %a : {pair})"]
        for i in range(count):
            lines.append(f"^bb{i}(%x{i}: memref<2xf32>, %y{i}: memref<2xf32>):")
            lines.append(f"  cf.cond_br %c, ^bb{i + 1}(%x{i}, %x{i} : {pair}), ^out")
        lines += [f"^bb{count}(%x: memref<2xf32>, %y: memref<2xf32>):", "  cf.br ^out", "^out:", "  return", "}"]
        names = ("avoids_definer", "lost_on", "lent_to", "may_lend", "tree_of", "passes_beside")
        return sum(map(len, derive("\n".join(lines), *names, rules=STATIC)))

    assert stated(64) <= 2 * stated(32)
