"""Where a definer dies, and so where it is freed."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import BRANCH, CARRIED, CHOSEN, DEEP, ELSELESS, INSIDE, REDUCE, RETURNS, UNUSED, WHOLE
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)


def test_after_the_last_use_or_on_an_edge() -> None:
    """%a and %b die on the edge to ^bb2, which is not all that leads there."""
    (
        dies_at,
        dies_with,
        freed_after,
        dies_on_edge,
        dies_before,
        edges_to,
        comes_freed,
        freed_on_edge,
        freed_at_start,
        hands_over_on,
    ) = derive(
        BRANCH,
        "dies_at",
        "dies_with",
        "freed_after",
        "dies_on_edge",
        "dies_before",
        "edges_to",
        "comes_freed",
        "freed_on_edge",
        "freed_at_start",
        "hands_over_on",
        rules=STATIC,
    )
    assert dies_at == {("%a", "^bb0", 2), ("%b", "^bb1", 0), ("%x", "^bb1", 0)}
    assert dies_with == {("%a", "cf.cond_br#3"), ("%b", "memref.copy#4"), ("%x", "memref.copy#4")}
    assert freed_after == {("%b", "memref.copy#4"), ("%x", "memref.copy#4")}
    assert dies_on_edge == {("%a", "cf.cond_br#3", 1, "^bb2"), ("%b", "cf.cond_br#3", 1, "^bb2")}
    assert dies_before == {("%a", "^bb2"), ("%b", "^bb2")}
    assert ("^bb2", 2) in edges_to
    assert comes_freed == {("%a", "^bb2"), ("%b", "^bb2")}
    assert freed_on_edge == {("%a", "cf.cond_br#3", 1), ("%b", "cf.cond_br#3", 1)}
    assert freed_at_start == set()
    assert hands_over_on == {("%a", "cf.cond_br#3", 0)}


def test_a_block_knows_what_leads_to_it() -> None:
    branches, lives_past, used_later, may_die_in = derive(
        BRANCH, "may_branch_to", "lives_past", "used_later", "may_die_in", rules=STATIC
    )
    assert branches == {("cf.cond_br#3", "^bb1", "func.func#0:0"), ("cf.cond_br#3", "^bb2", "func.func#0:0")}
    assert lives_past == {("%b", "cf.cond_br#3", "func.func#0:0")}
    assert used_later == {("%a", "^bb0"), ("%b", "^bb0"), ("%x", "^bb1")}
    assert may_die_in == {("%a", "func.func#0:0"), ("%b", "func.func#0:0"), ("%x", "func.func#0:0")}


def test_in_the_region_that_uses_it() -> None:
    """An scf.if takes one of its regions, once; the body of a loop may run again."""
    passed_through, dies_inside, dies_with, may_die_in, freed_after, freed_in_else, freed_at_start = derive(
        INSIDE,
        "passed_through",
        "dies_inside",
        "dies_with",
        "may_die_in",
        "freed_after",
        "freed_in_else",
        "freed_at_start",
        rules=STATIC,
    )
    assert passed_through == {("scf.if#3",)}
    assert dies_inside == {("%a", "scf.if#3")}
    assert dies_with == {("%a", "memref.copy#4"), ("%a", "scf.if#3"), ("%b", "scf.for#6")}
    assert may_die_in == {("%a", "func.func#0:0"), ("%a", "scf.if#3:0"), ("%a", "scf.if#3:1"), ("%b", "func.func#0:0")}
    assert freed_after == {("%a", "memref.copy#4"), ("%b", "scf.for#6")}
    assert freed_in_else == {("%a", "scf.if#3")}
    assert freed_at_start == set()


def test_at_the_start_of_the_other_region() -> None:
    dies_inside, freed_at_start, freed_after, handed_over = derive(
        DEEP, "dies_inside", "freed_at_start", "freed_after", "handed_over", rules=STATIC
    )
    assert dies_inside == {("%a", "scf.if#3"), ("%b", "scf.if#3")}
    assert freed_at_start == {("%a", "scf.if#3.1"), ("%b", "scf.if#3.0")}
    assert freed_after == {("%r", "memref.copy#6")}
    assert handed_over == {("%a", "scf.yield#4", -1, 0, "%r"), ("%b", "scf.yield#5", -1, 0, "%r")}


def test_an_empty_region_stays_empty() -> None:
    kept_whole, passed_through, dies_inside, freed_after = derive(
        WHOLE, "kept_whole", "passed_through", "dies_inside", "freed_after", rules=STATIC
    )
    assert kept_whole == {("scf.index_switch#2",)}
    assert passed_through == set()
    assert dies_inside == set()
    assert freed_after == {("%a", "scf.index_switch#2")}


def test_a_buffer_that_dies_in_a_branch_dies_in_the_other() -> None:
    kept_whole, freed_in_else, freed_after = derive(
        ELSELESS, "kept_whole", "freed_in_else", "freed_after", rules=STATIC
    )
    assert not kept_whole
    assert freed_in_else == {("%a", "affine.if#2")}
    assert freed_after == {("%a", "memref.store#3")}


def test_what_nothing_uses_dies_at_once() -> None:
    used_later, freed_after, freed_ahead, freed_at_start, dies_on_edge, edges_to = derive(
        UNUSED, "used_later", "freed_after", "freed_ahead", "freed_at_start", "dies_on_edge", "edges_to", rules=STATIC
    )
    assert used_later == {("%d", "^bb1")}
    assert freed_after == {("%a", "memref.alloc#1"), ("%b", "memref.alloc#2")}
    assert freed_ahead == set()
    assert freed_at_start == {("%d", "^bb3")}
    assert dies_on_edge == {("%d", "cf.cond_br#5", 1, "^bb3")}
    assert ("^bb3", 1) in edges_to


def test_in_the_region_of_a_terminator() -> None:
    ends_block, last_region, freed_at_end, freed_ahead, freed_after = derive(
        REDUCE, "ends_block", "last_region", "freed_at_end", "freed_ahead", "freed_after", rules=STATIC
    )
    assert ends_block == {("func.return#6",), ("scf.reduce#3",), ("scf.reduce.return#5",)}
    assert last_region == {("scf.reduce#3", 0)}
    assert freed_at_end == {("%a", "^bb0'2")}
    assert freed_ahead == set()
    assert freed_after == set()


def test_freed_already_in_the_region_of_a_terminator() -> None:
    text = run_dealog(REDUCE, ("static-buffer-deallocation",)).text
    assert text is not None
    freed, at_end = derive(text, "freed_at_end_already", "freed_at_end", rules=STATIC)
    assert {(value, block) for value, _, block in freed} == at_end != set()
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


def test_ahead_of_the_end_of_a_region() -> None:
    freed_ahead, freed_after, freed_unless_chosen = derive(
        CARRIED, "freed_ahead", "freed_after", "freed_unless_chosen", rules=STATIC
    )
    assert freed_ahead == {("%a", "scf.yield#6")}
    assert freed_after == {("%r", "memref.copy#7")}
    assert freed_unless_chosen == {("%b", "arith.select#4", 1)}


def test_what_a_choice_leaves_out() -> None:
    """%b dies unless it is chosen, and so does %x."""
    freed_unless_chosen, freed_after, freed_on_edge, handed_over = derive(
        CHOSEN, "freed_unless_chosen", "freed_after", "freed_on_edge", "handed_over", rules=STATIC
    )
    assert freed_unless_chosen == {("%b", "arith.select#4", 0), ("%x", "arith.select#4", 1)}
    assert freed_after == {("%y", "memref.copy#6")}
    assert freed_on_edge == {("%a", "cf.cond_br#3", 1)}
    assert handed_over == {
        ("%a", "cf.cond_br#3", 0, 1, "%x"),
        ("%b", "arith.select#4", 0, 1, "%s"),
        ("%s", "cf.br#5", 0, 0, "%y"),
        ("%x", "arith.select#4", 1, 2, "%s"),
    }


def test_what_is_returned_goes_to_the_caller() -> None:
    """As it is, once by each name that is another buffer; if it is never ours, as a clone."""
    returned_name, returned_first, returned_by, returned_as_is, gives_to_caller, cloned_for_caller = derive(
        RETURNS,
        "returned_name",
        "returned_first",
        "returned_by",
        "returned_as_is",
        "gives_to_caller",
        "cloned_for_caller",
        rules=STATIC,
    )
    assert returned_name == {("%a", "func.return#6", 0), ("%a", "func.return#6", 1), ("%r", "func.return#6", 2)}
    assert returned_first == {("%a", "func.return#6", 0), ("%r", "func.return#6", 2)}
    assert returned_by == {("%a", "func.return#6"), ("%r", "func.return#6")}
    assert returned_as_is == {("%a", "func.return#6"), ("%r", "func.return#6")}
    assert gives_to_caller == {("func.return#6", 0), ("func.return#6", 2)}
    assert cloned_for_caller == {("func.return#6", 3)}
