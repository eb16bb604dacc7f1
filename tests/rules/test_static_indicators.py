"""Which i1 tells whether a buffer is ours."""

from __future__ import annotations

import re

import pytest

from tests.rules.derive import derive
from tests.rules.static_programs import LEFT2, SIDES, THREE_EDGES, TRAVEL, TWO, WITHIN
from tests.support import exchanges
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)


def test_a_condition_tells() -> None:
    decides, brings_constant, ours_where, ours_where_holds, owned_if, travels = derive(
        WITHIN, "decides", "brings_constant", "ours_where", "ours_where_holds", "owned_if", "i1_travels", rules=STATIC
    )
    assert decides == {("scf.if#2", "%c", "%r")}
    assert brings_constant == {("%r", "scf.if#2", 0, "true"), ("%r", "scf.if#2", 1, "false")}
    assert ours_where == {("%r", "scf.if#2", "%c", 1)}
    assert ours_where_holds == {("%r", "%c")}
    assert owned_if == {("%a", "true"), ("%b", "true"), ("%r", "%c")}
    assert travels == set()


def test_the_side_of_a_branch_tells() -> None:
    """Each block in which the sides of a branch come together knows them by its condition, the nested one, too."""
    edge, edges_to, on_side, by_side, decided_by, ours_where, brought, travels, negated = derive(
        SIDES, "edge", "edges_to", "on_side", "by_side", "decided_by", "ours_where", "brought_by_side", "i1_travels",
        "not_inserted", rules=STATIC,
    )  # fmt: skip
    assert edge == {
        ("^bb0", 0, "^bb1"), ("^bb0", 1, "^bb4"), ("^bb1", 0, "^bb2"), ("^bb1", 1, "^bb3"), ("^bb2", 0, "^bb3"),
        ("^bb3", 0, "^bb4"),
    }  # fmt: skip
    assert edges_to == {("^bb1", 1), ("^bb2", 1), ("^bb3", 2), ("^bb4", 2)}
    outer, inner = "cf.cond_br#2", "cf.cond_br#3"
    assert on_side == {("^bb1", outer, 0), ("^bb2", inner, 0), ("^bb3", outer, 0)}
    assert by_side == {
        (outer, 1, "^bb4", outer, 1), ("cf.br#7", 0, "^bb4", outer, 0),
        (inner, 1, "^bb3", inner, 1), (inner, 1, "^bb3", outer, 0), ("cf.br#5", 0, "^bb3", inner, 0),
        ("cf.br#5", 0, "^bb3", outer, 0),
    }  # fmt: skip
    assert decided_by == {("^bb3", inner, "%d"), ("^bb4", outer, "%c")}
    assert ours_where == {("%x", inner, "%d", 1), ("%y", outer, "%c", 0)}
    assert brought == {
        ("%x", inner, "%d", 0, "%a"), ("%x", inner, "%d", 1, "%m"),
        ("%y", outer, "%c", 0, "%m"), ("%y", outer, "%c", 1, "%b"),
    }  # fmt: skip
    assert travels == set() and negated == {("own %y", "%c", "start", "^bb4", 1)}


def test_a_side_that_is_left_tells_nothing() -> None:
    """A third edge leads to the block."""
    assert derive(THREE_EDGES, "decided_by", "ours_where", rules=STATIC) == (set(), set())


ROUND = """
func.func @f(%c: i1, %d: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^first, ^last(%m : memref<2xf32>)
^first:
  cf.br ^head
^head:
  cf.cond_br %d, ^body, LEFT
^body:
  cf.br ^head
^exit:
  cf.br ^next
^next:
  cf.cond_br %d, ^next, ^final
^final:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^last(%a : memref<2xf32>)
^last(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_a_side_may_go_round_loops() -> None:
    """It is the same side that control leaves them to; what leaves a loop is no side of its own for the next one."""
    text = ROUND.replace("LEFT", "^exit")
    names = ("enters_head", "leaves_loop_by", "on_side", "decided_by", "owned_if")
    enters, leaves, on_side, decided, owned = derive(text, *names, rules=STATIC)
    branch, head, again = "cf.cond_br#1", "cf.cond_br#3", "cf.cond_br#6"
    assert enters == {("^first", 0, "^head"), ("^exit", 0, "^next")}
    assert leaves == {(head, 1), (again, 1)}
    assert {(block, side) for block, op, side in on_side if op == branch} == {
        (block, 0) for block in ("^first", "^head", "^exit", "^next", "^final")
    }
    assert {(block, op, side) for block, op, side in on_side if op != branch} == {
        ("^body", head, 0), ("^exit", head, 1), ("^final", again, 1),
    }  # fmt: skip
    assert decided == {("^last", branch, "%c")} and ("%x", "%c") in owned


ON_EDGES = """
func.func @f(%c: i1, %d: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^left, ^right
^left:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %d, ^done, ^edge
^edge:
  cf.br ^last(%a : memref<2xf32>)
^right:
  cf.br ^last(%m : memref<2xf32>)
^last(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  cf.br ^done
^done:
  return
}
"""


def test_a_block_on_an_edge_is_on_the_side_before_it() -> None:
    """So it is known again once a block was put on the edge."""
    by_side, decided, owned = derive(ON_EDGES, "by_side", "decided_by", "owned_if", rules=STATIC)
    branch = "cf.cond_br#1"
    assert {row for row in by_side if row[2:4] == ("^last", branch)} == {
        ("cf.br#4", 0, "^last", branch, 0), ("cf.br#5", 0, "^last", branch, 1),
    }  # fmt: skip
    assert decided == {("^last", branch, "%c")} and ("%x", "%c") in owned


@pytest.mark.parametrize("shape", ["entered at once", "elsewhere", "past", "of one block", "left at its end"])
def test_loops_of_other_shapes(shape: str) -> None:
    """One that the branch itself enters is one, too; not one that is entered in two places."""
    text = ROUND.replace("LEFT", "^exit")
    if shape in ("entered at once", "of one block"):
        text = text.replace("%c, ^first,", "%c, ^head,").replace("^first:\n  cf.br ^head\n", "")
    if shape == "elsewhere":
        text = text.replace("^first:\n  cf.br ^head", "^first:\n  cf.cond_br %d, ^head, ^body")
    if shape == "past":
        text = ROUND.replace("LEFT", "^last(%m : memref<2xf32>)").replace("^exit:\n  cf.br ^next\n", "")
        text = text[: text.index("^next:")] + text[text.index("^last(%x") :]
    if shape == "of one block":
        text = text.replace("%d, ^body, ^exit\n^body:\n  cf.br ^head", "%d, ^head, ^exit")
    if shape == "left at its end":
        text = text.replace("%d, ^body, ^exit\n^body:\n  cf.br ^head", "^body\n^body:\n  cf.cond_br %d, ^head, ^exit")
        text = text.replace("cf.cond_br ^body", "cf.br ^body")
    assert (derive(text, "decided_by", rules=STATIC) == {("^last", "cf.cond_br#1", "%c")}) == (shape != "elsewhere")


def test_each_edge_sets_the_i1_that_travels() -> None:
    (
        at_times_ours,
        brings_foreign,
        brings_surely,
        brings_if,
        brings_something,
        owned_if,
        travels,
        travels_by,
        handed_by,
        handed_indicator,
    ) = derive(
        TRAVEL,
        "at_times_ours",
        "brings_foreign",
        "brings_surely",
        "brings_if",
        "brings_something",
        "owned_if",
        "i1_travels",
        "travels_by",
        "handed_by",
        "handed_indicator",
        rules=STATIC,
    )
    assert at_times_ours == {("%x",), ("%y",)}
    assert brings_foreign == {("cf.switch#2", 2, "%x"), ("cf.switch#3", 2, "%y")}
    assert brings_surely == {
        ("cf.switch#2", 1, "%x", "true"),
        ("cf.switch#2", 2, "%x", "false"),
        ("cf.switch#3", 2, "%y", "false"),
    }
    assert brings_if == {
        ("cf.switch#2", 1, "%x", "true"),
        ("cf.switch#2", 2, "%x", "false"),
        ("cf.switch#3", 1, "%y", "own %x"),
        ("cf.switch#3", 2, "%y", "false"),
    }
    assert brings_something == {("cf.switch#2", 1), ("cf.switch#2", 2), ("cf.switch#3", 1), ("cf.switch#3", 2)}
    assert owned_if == {("%a", "true"), ("%x", "own %x"), ("%y", "own %y")}
    assert travels == {("%x",), ("%y",)}
    assert travels_by == {("cf.switch#2", 1), ("cf.switch#2", 2), ("cf.switch#3", 1), ("cf.switch#3", 2)}
    assert handed_by == {("cf.switch#2", 1), ("cf.switch#3", 1)}
    assert handed_indicator == {
        ("cf.switch#2", 1, "true"),
        ("cf.switch#2", 2, "false"),
        ("cf.switch#3", 1, "own %x"),
        ("cf.switch#3", 2, "false"),
    }


def test_both_results_of_one_operation() -> None:
    """%r is ours where %c holds; %q may be %b, which is freed by its own name."""
    ours_to_free, ours_where, brings_surely, brings_foreign, owned_if = derive(
        TWO, "ours_to_free", "ours_where", "brings_surely", "brings_foreign", "owned_if", rules=STATIC
    )
    assert ours_to_free == {("%a",), ("%b",), ("%r",)}
    assert ours_where == {("%r", "scf.if#2", "%c", 1)}
    assert brings_surely == {("scf.yield#4", 0, "%r", "true"), ("scf.yield#5", 0, "%r", "false")}
    assert brings_foreign == {("scf.yield#5", 0, "%r")}
    assert owned_if == {("%a", "true"), ("%b", "true"), ("%r", "%c")}


def test_what_was_left_behind_is_taken_on() -> None:
    """%r may carry %a and %b, %q may carry %b."""
    (
        still_ours,
        left_to_free,
        not_taken,
        takes_with,
        brings_carried,
        lower_carried,
        less_carried,
        more_carried,
        before_carried,
        carrying,
        brings_if,
        handed_indicator,
    ) = derive(
        LEFT2,
        "still_ours",
        "left_to_free",
        "not_taken",
        "takes_with",
        "brings_carried",
        "lower_carried",
        "less_carried",
        "more_carried",
        "before_carried",
        "carries_owned_if",
        "brings_if",
        "handed_indicator",
        rules=STATIC,
    )
    assert still_ours == {
        ("%a", "scf.yield#6", -1, 0, "true"),
        ("%b", "scf.yield#6", -1, 0, "true"),
        ("%b", "scf.yield#6", -1, 1, "other %b with 0 at -1 of scf.yield#6"),
    }
    assert left_to_free == {
        ("%a", "scf.yield#6", -1, "other %a with 0 at -1 of scf.yield#6"),
        ("%b", "scf.yield#6", -1, "left %b with 1 at -1 of scf.yield#6"),
    }
    assert not_taken == {
        ("%a", "scf.yield#6", -1, 0, "other %a with 0 at -1 of scf.yield#6"),
        ("%b", "scf.yield#6", -1, 0, "other %b with 0 at -1 of scf.yield#6"),
        ("%b", "scf.yield#6", -1, 1, "left %b with 1 at -1 of scf.yield#6"),
    }
    assert takes_with == {
        ("%a", "scf.yield#6", -1, 0, "same %x %a"),
        ("%b", "scf.yield#6", -1, 0, "same %x %b"),
        ("%b", "scf.yield#6", -1, 1, "taken %b with 1 at -1 of scf.yield#6"),
    }
    assert brings_carried == {("scf.yield#6", 0, 5), ("scf.yield#6", 0, 6), ("scf.yield#6", 1, 6)}
    assert lower_carried == {("scf.yield#6", 0, 6, 5)}
    assert less_carried == {("scf.yield#6", 0, 6, 5)}
    assert more_carried == {("scf.yield#6", 0, 5)}
    assert before_carried == {
        ("scf.yield#6", 0, 5, "false"),
        ("scf.yield#6", 0, 6, "same %x %a"),
        ("scf.yield#6", 1, 6, "false"),
    }
    assert carrying == {
        ("scf.yield#6", 0, 5, "same %x %a"),
        ("scf.yield#6", 0, 6, "carried 6 by 0 of scf.yield#6"),
        ("scf.yield#6", 1, 6, "taken %b with 1 at -1 of scf.yield#6"),
    }
    assert brings_if == {
        ("scf.yield#6", 0, "%r", "carried 6 by 0 of scf.yield#6"),
        ("scf.yield#6", 1, "%q", "taken %b with 1 at -1 of scf.yield#6"),
    }
    assert handed_indicator == {
        ("scf.yield#6", 0, "carried 6 by 0 of scf.yield#6"),
        ("scf.yield#6", 1, "taken %b with 1 at -1 of scf.yield#6"),
    }


def test_i1s_that_are_computed_from_constants_are_folded() -> None:
    text = exchanges.program(98, 8)
    constant, computes, calls, called = derive(
        text, "constant_indicator", "computes_with_constant", "calls_for", "called_in", rules=STATIC
    )
    assert constant == {("true",), ("false",)} and calls == {("fold-inserted-code",)}
    assert {function for _, function in called} == {"@f1"} and len(computes) >= 1
    alone, folded = (
        run_dealog(text, (f"static-buffer-deallocation{kind}",)).unwrap() for kind in ("", "-pipeline")
    )
    of_constants = re.compile(r"arith\.select %\w+, %true\w*, %false\w* : i1")
    assert of_constants.search(alone) and not of_constants.search(folded)
    assert derive(WITHIN, "calls_for", "computes_with_constant", rules=STATIC) == (set(), set())


def test_blocks_that_control_never_comes_to_hand_on_an_i1() -> None:
    text = """
func.func @f(%n: i32, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.switch %n : i32, [default: ^bb1, 0: ^bb3(%m : memref<4xf32>), 1: ^bb4]
^bb1:
  cf.br ^bb3(%a : memref<4xf32>)
^bb2:
  cf.br ^bb3(%m : memref<4xf32>)
^bb3(%r: memref<4xf32>):
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb4
^bb4:
  return
}
"""
    unreached, travels, handed = derive(text, "unreached_way", "i1_travels", "handed_indicator", rules=STATIC)
    assert unreached == {("cf.br#5", 0, "%r")}
    assert travels == {("%r",)}
    assert ("cf.br#5", 0, "false") in handed


def test_unreachable_blocks_of_a_region_hand_on_an_i1() -> None:
    text = """
func.func @f(%c: i1, %m: memref<4xf32>) {
  %r = scf.execute_region -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)
  ^never:
    scf.yield %m : memref<4xf32>
  ^bb1:
    cf.br ^bb2(%a : memref<4xf32>)
  ^bb2(%x: memref<4xf32>):
    scf.yield %x : memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
"""
    unreached, handed = derive(text, "unreached_way", "handed_indicator", rules=STATIC)
    assert unreached == {("scf.yield#4", 0, "%r")} and ("scf.yield#4", 0, "false") in handed
    assert "scf.yield %m, %false : memref<4xf32>, i1" in run_dealog(text, ("static-buffer-deallocation",)).unwrap()
