"""Where what a definer brings is needed, what is lent, and what is handed over."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.rules.static_programs import (
    CARRIED,
    DEEP,
    INSIDE,
    KEPT,
    LEFT,
    LENT,
    LENT_BESIDE,
    LENT_ON,
    LENT_TO_ARGUMENT,
    LOOP,
    STORED,
    TWICE,
)
from tests.support.cases import corpus

STATIC = ("static_buffer_deallocation",)


def test_uses_stand_in_the_region_of_the_definer() -> None:
    followed, names, use_of, nested_use, used_block, last_use, own_need_in, own_need_out = derive(
        INSIDE,
        "followed",
        "may_name",
        "use_of",
        "nested_use",
        "used_block",
        "last_use",
        "own_need_in",
        "own_need_out",
        rules=STATIC,
    )
    assert followed == {("%a",), ("%b",)}
    assert names == {("memref.copy#4", 1, "%a"), ("memref.copy#7", 1, "%b")}
    assert use_of == {("%a", "^bb0", 2), ("%a", "scf.if#3.0", 0), ("%b", "^bb0", 3), ("%b", "scf.for#6.0", 0)}
    assert nested_use == {("%a", "scf.if#3"), ("%b", "scf.for#6")}
    assert used_block == {("%a", "^bb0"), ("%a", "scf.if#3.0"), ("%b", "^bb0"), ("%b", "scf.for#6.0")}
    assert last_use == {("%a", "^bb0", 2), ("%a", "scf.if#3.0", 0), ("%b", "^bb0", 3), ("%b", "scf.for#6.0", 0)}
    assert own_need_in == {("scf.for#6.0", "%b"), ("scf.if#3.0", "%a")}
    assert own_need_out == set()


def test_what_is_needed_later_is_lent() -> None:
    """%a is used after the loop, so its argument and its result borrow it."""
    lent_at_once, lent_at, lent_to, may_lend, lent_needed_in, need_at, end_of_need, ours_to_free = derive(
        LENT,
        "lent_at_once",
        "lent_at",
        "lent_to",
        "may_lend",
        "lent_needed_in",
        "need_at",
        "end_of_need",
        "ours_to_free",
        rules=STATIC,
    )
    assert lent_at_once == {("%a", "scf.for#2", 3)}
    assert lent_at == {("%a", "scf.for#2", 3)}
    assert lent_to == {("%a", "%r"), ("%a", "%x")}
    assert may_lend == {("%a",)}
    assert lent_needed_in == set()
    assert need_at == {("%a", "^bb0", 2)}
    assert end_of_need == {("%a", "^bb0", 2)}
    assert ours_to_free == {("%a",)}


LADDER = """
func.func @f(%c: i1, %p: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^b0(%a : memref<2xf32>)
^b0(%x0: memref<2xf32>):
  %y0 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^b1(%x0 : memref<2xf32>), ^b1(%y0 : memref<2xf32>)
^b1(%x1: memref<2xf32>):
  %y1 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^b2(%x1 : memref<2xf32>), ^b2(%y1 : memref<2xf32>)
^b2(%x2: memref<2xf32>):
  memref.copy %x0, %p : memref<2xf32> to memref<2xf32>
  memref.copy %x1, %p : memref<2xf32> to memref<2xf32>
  memref.copy %x2, %p : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_what_is_lent_is_not_said_of_all_further_receivers() -> None:
    """%x0 is lent to %x1, and this to %x2, while all three names are in scope."""
    lent_to, goes_on, ends_as, may_leave = derive(LADDER, "lent_to", "goes_on", "ends_as", "may_leave", rules=STATIC)
    assert lent_to == {("%x0", "%x1"), ("%x1", "%x2")}
    assert may_leave == goes_on == set()
    assert ends_as == {("%a", "%x0"), ("%y0", "%x1"), ("%y1", "%x2")}


LEAVING = """
func.func @f(%c: i1, %n: index, %p: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<2xf32>) {
    %s = scf.if %c -> (memref<2xf32>) {
      scf.yield %x : memref<2xf32>
    } else {
      scf.yield %b : memref<2xf32>
    }
    memref.copy %x, %p : memref<2xf32> to memref<2xf32>
    scf.yield %s : memref<2xf32>
  }
  memref.copy %a, %p : memref<2xf32> to memref<2xf32>
  memref.copy %b, %p : memref<2xf32> to memref<2xf32>
  memref.copy %r, %p : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_what_is_lent_beyond_a_name_is_lent_to_the_next_receiver() -> None:
    """%x is lent to %s, which leaves the loop: then %a, which was lent to %x, is lent to the result."""
    lent_to, may_leave = derive(LEAVING, "lent_to", "may_leave", rules=STATIC)
    assert may_leave == {("%s",), ("%x",), ("%a",), ("%b",)}
    assert {("%a", "%x"), ("%x", "%s"), ("%a", "%s"), ("%a", "%r"), ("%b", "%s"), ("%b", "%r")} <= lent_to


AWHILE = """
func.func @f(%c: i1, %p: memref<2xf32>, %i: index) -> (f32, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %p, %a : memref<2xf32> to memref<2xf32>
  %s = arith.select %c, %a, %p : memref<2xf32>
  %x = memref.load %a[%i] : memref<2xf32>
  WHAT
  return %x, %s : f32, memref<2xf32>
}
"""


def test_what_is_chosen_and_returned_may_be_used_by_its_own_name_before() -> None:
    behind, returned, awhile, until, lent_to, gone, places, freed, handed_over = derive(
        AWHILE.replace("WHAT", ""), "named_after_choice", "ends_returned", "named_awhile", "named_until", "lent_to",
        "gone_awhile", "freed_after_choice", "freed_after", "handed_over", rules=STATIC,
    )  # fmt: skip
    assert behind == awhile == {("%a", "arith.select#3", 1, "%s")} and returned == {("%s",)}
    assert until == {("%a", "arith.select#3", "memref.load#4")} and lent_to == {("%s", "%a")}
    assert gone == {("%a", "arith.select#3")} and handed_over == {("%a", "arith.select#3", 0, 1, "%s")}
    assert places == {("%a", "arith.select#3", "memref.load#4")} and freed == set()


def test_how_many_hand_on_what_is_chosen() -> None:
    choice = """
  %rN = scf.if %c -> memref<2xf32> {
    %bN = memref.alloc() : memref<2xf32>
    scf.yield %bN : memref<2xf32>
  } else {
    scf.yield %a : memref<2xf32>
  }
  %yN = memref.load %rN[%i] : memref<2xf32>"""
    text = f"""
func.func @f(%c: i1, %i: index) -> f32 {{
  %a = memref.alloc() : memref<2xf32>{choice.replace("N", "0")}{choice.replace("N", "1")}
  %y = memref.load %a[%i] : memref<2xf32>
  return %y : f32
}}
"""
    hands, total, named, ends, otherwise = derive(
        text, "hands_on_chosen", "handed_on_total", "named_by_terminator", "terminator_total", "goes_on_otherwise",
        rules=STATIC,
    )  # fmt: skip
    assert hands == named == otherwise and {value for value, _ in hands} == {"%a"} and len(hands) == 2
    assert total == ends == {("%a", 2)}
    selects = AWHILE.replace("WHAT", "%t = arith.select %c, %a, %p : memref<2xf32>").replace(
        "return %x, %s : f32,", "return %x, %s, %t : f32, memref<2xf32>,"
    )
    selects = selects.replace("-> (f32, memref<2xf32>)", "-> (f32, memref<2xf32>, memref<2xf32>)")
    named, otherwise = derive(selects, "named_by_terminator", "goes_on_otherwise", rules=STATIC)
    assert named == set() and otherwise == {("%a", "arith.select#3")}
    returned = selects.replace("%s, %t :", "%s, %a :")
    named, otherwise = derive(returned, "named_by_terminator", "goes_on_otherwise", rules=STATIC)
    assert {op for _, op in named} == {"func.return#6"} and ("%a", "arith.select#3") in otherwise


@pytest.mark.parametrize(
    ("what", "relation"),
    [
        ("memref.dealloc %a : memref<2xf32>", "given_away"),
        ("memref.dealloc %s : memref<2xf32>", "given_away"),
        ("scf.if %c {\n memref.store %x, %a[%i] : memref<2xf32>\n }", "goes_on_otherwise"),
        ("%b = arith.select %c, %a, %a : memref<2xf32>\n memref.store %x, %b[%i] : memref<2xf32>", ""),
        (
            "cf.br ^next(%a : memref<2xf32>)\n ^next(%b: memref<2xf32>):\n memref.store %x, %b[%i] : memref<2xf32>",
            "own_need_out",
        ),
        ("cf.br ^next\n ^next:\n memref.store %x, %a[%i] : memref<2xf32>", "own_need_out"),
        (
            "%j = memref.extract_aligned_pointer_as_index %a : memref<2xf32> -> index\n"
            " cf.br ^next(%j : index)\n ^next(%k: index):",
            "goes_on_otherwise",
        ),
    ],
)
def test_only_for_a_while(what: str, relation: str) -> None:
    """Not where it is freed, used for the last time inside of an operation, handed on otherwise, or used in another
    block."""
    awhile, given_away, otherwise, needed_out = derive(
        AWHILE.replace("WHAT", what), "named_awhile", "given_away", "goes_on_otherwise", "own_need_out", rules=STATIC
    )
    assert bool(awhile) is not bool(relation)
    found = {"given_away": given_away, "goes_on_otherwise": otherwise, "own_need_out": needed_out}
    assert relation in {"", *(name for name, rows in found.items() if rows)}


@pytest.mark.parametrize(
    ("first", "second", "side", "condition"), [("%a", "%p", 0, "not chosen scf.if#3"), ("%p", "%a", 1, "%c")]
)
def test_what_regions_hand_over_may_be_used_by_its_own_name_before(
    first: str, second: str, side: int, condition: str
) -> None:
    regions = f"""scf.if %c -> (memref<2xf32>) {{
    scf.yield {first} : memref<2xf32>
  }} else {{
    scf.yield {second} : memref<2xf32>
  }}"""
    text = AWHILE.replace("WHAT", "").replace("arith.select %c, %a, %p : memref<2xf32>", regions)
    awhile, by_region, there, behind, taken, freed = derive(
        text, "named_awhile", "by_region", "chosen_there", "last_after", "freed_unless_taken", "freed_at", rules=STATIC
    )
    end, last = f"scf.yield#{4 + side}", "memref.load#6"
    assert awhile == {("%a", end, 0, "%s")} and (end, "scf.if#3", side, "%c") in by_region
    assert there == {("%a", end, "scf.if#3")} and behind == {("%a", end, last)}
    assert taken == {("%a", "scf.if#3", side, last)}
    assert {row for row in freed if row[0] == "%a"} == {("%a", condition, "after", last)}


BRANCHED = """
func.func @f(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    scf.yield %b : memref<2xf32>
  } else {
    scf.yield %a : memref<2xf32>
  }
"""


def test_only_the_last_needs_of_a_chain_are_stated() -> None:
    """%a is lent to %r, and that to %s, which is used last: what is used inside of the conditionals does not matter."""
    text = (
        BRANCHED
        + """
      %s = scf.if %c -> (memref<2xf32>) {
        %d = memref.alloc() : memref<2xf32>
        scf.yield %d : memref<2xf32>
      } else {
        scf.yield %r : memref<2xf32>
      }
      memref.copy %m, %a : memref<2xf32> to memref<2xf32>
      memref.copy %m, %r : memref<2xf32> to memref<2xf32>
      memref.copy %m, %s : memref<2xf32> to memref<2xf32>
      return
    }
    """
    )
    (
        lent_to,
        lent_used_on_at,
        used_sooner,
        need_at,
        some_need_of_lender,
        last_need_of_lender,
        ends_within,
        end_of_need,
    ) = derive(
        text,
        "lent_to",
        "lent_used_on_at",
        "used_sooner",
        "need_at",
        "some_need_of_lender",
        "last_need_of_lender",
        "ends_within",
        "end_of_need",
        rules=STATIC,
    )
    assert lent_to == {("%a", "%r"), ("%r", "%s")}
    assert lent_used_on_at == set()  # there is one block only
    assert used_sooner == some_need_of_lender == {("%a", "^bb0"), ("%r", "^bb0")}
    assert need_at == last_need_of_lender == {("%a", "^bb0", 5), ("%r", "^bb0", 5)}
    assert ends_within == set()
    inside = {("%b", "scf.if#2.0", 1), ("%d", "scf.if#6.0", 1)}
    assert end_of_need == {("%a", "^bb0", 5), ("%r", "^bb0", 5), ("%s", "^bb0", 5)} | inside


def test_what_dies_inside_is_looked_for_there() -> None:
    """%a is lent to %r, and both are used for the last time in the second conditional."""
    text = (
        BRANCHED
        + """
      scf.if %c {
        memref.copy %m, %a : memref<2xf32> to memref<2xf32>
        memref.copy %m, %r : memref<2xf32> to memref<2xf32>
      }
      return
    }
    """
    )
    ends_within, block_inside, need_inside, some_need_at, some_need_inside, needed_past, end_of_need = derive(
        text,
        "ends_within",
        "block_inside",
        "need_inside",
        "some_need_at",
        "some_need_inside",
        "needed_past",
        "end_of_need",
        rules=STATIC,
    )
    assert ends_within == {("%a", "scf.if#6")}
    assert block_inside == {("scf.if#6", "scf.if#6.0")}
    assert need_inside == {("%a", "scf.if#6.0", 1)}
    assert some_need_at == {("%a", "^bb0", 2), ("%a", "scf.if#6.0", 1)}
    assert some_need_inside == {("%a", "scf.if#6.0")}
    assert needed_past == set()
    assert {("%a", "scf.if#6.0", 1), ("%r", "scf.if#6.0", 1), ("%a", "^bb0", 2), ("%r", "^bb0", 2)} <= end_of_need


def test_where_the_text_frees_inside_is_looked_into() -> None:
    """%a is needed after the conditional in which it is freed."""
    text = (
        BRANCHED
        + """
      scf.if %c {
        scf.if %c {
          memref.copy %m, %a : memref<2xf32> to memref<2xf32>
          memref.dealloc %a : memref<2xf32>
        }
        memref.copy %m, %r : memref<2xf32> to memref<2xf32>
      }
      memref.copy %m, %r : memref<2xf32> to memref<2xf32>
      return
    }
    """
    )
    holds_its_free, ends_within, needed_past, end_of_need = derive(
        text, "holds_its_free", "ends_within", "needed_past", "end_of_need", rules=STATIC
    )
    assert holds_its_free == {("%a", "scf.if#6"), ("%a", "scf.if#7")}
    assert ends_within == {("%a", "scf.if#6")}
    assert needed_past == set()
    assert {("%a", "scf.if#6.0", 1), ("%a", "^bb0", 3)} <= end_of_need


def test_what_is_not_needed_any_more_is_handed_over() -> None:
    """Each turn of the loop gets a buffer of its own and ends the one before."""
    on_way, hands, at_way, first_on_way, leaves_on, handed_over, ours_to_free, always_ours, brings_ours, lent_at = (
        derive(
            LOOP,
            "on_way",
            "passes_on",
            "at_way",
            "first_on_way",
            "leaves_on",
            "handed_over",
            "ours_to_free",
            "always_ours",
            "brings_ours",
            "lent_at",
            rules=STATIC,
        )
    )
    assert on_way == {
        ("%a", "scf.for#2", -1, 3, "%r"),
        ("%a", "scf.for#2", 0, 3, "%x"),
        ("%b", "scf.yield#5", -1, 0, "%r"),
        ("%b", "scf.yield#5", 0, 0, "%x"),
    }
    assert hands == {("%a", "scf.for#2", 3), ("%b", "scf.yield#5", 0)}
    assert at_way == {("%a", "scf.for#2", 3, "scf.for#2"), ("%b", "scf.yield#5", 0, "scf.yield#5")}
    assert first_on_way == {
        ("%a", "scf.for#2", -1, 3),
        ("%a", "scf.for#2", 0, 3),
        ("%b", "scf.yield#5", -1, 0),
        ("%b", "scf.yield#5", 0, 0),
    }
    assert leaves_on == {
        ("%a", "scf.for#2", -1),
        ("%a", "scf.for#2", 0),
        ("%b", "scf.yield#5", -1),
        ("%b", "scf.yield#5", 0),
    }
    assert handed_over == {
        ("%a", "scf.for#2", -1, 3, "%r"),
        ("%a", "scf.for#2", 0, 3, "%x"),
        ("%b", "scf.yield#5", -1, 0, "%r"),
        ("%b", "scf.yield#5", 0, 0, "%x"),
    }
    assert ours_to_free == {("%a",), ("%b",), ("%r",), ("%x",)}
    assert always_ours == {("%a",), ("%b",), ("%r",), ("%x",)}
    assert brings_ours == {
        ("scf.for#2", 3, "%r"),
        ("scf.for#2", 3, "%x"),
        ("scf.yield#5", 0, "%r"),
        ("scf.yield#5", 0, "%x"),
    }
    assert lent_at == set()


def test_two_names_by_one_way() -> None:
    """The first gets the buffer, the second borrows it."""
    beside_on_way, may_lend, avoids_definer, lost_on, lent_to, handed_over, ours_to_free, end_of_need = derive(
        TWICE,
        "beside_on_way",
        "may_lend",
        "avoids_definer",
        "lost_on",
        "lent_to",
        "handed_over",
        "ours_to_free",
        "end_of_need",
        rules=STATIC,
    )
    assert beside_on_way == {("%x", "%y")}
    assert may_lend == {("%x",)}
    assert avoids_definer == set()  # no paths meet
    assert lost_on == {("%x", "cf.br#4", 0)}
    assert lent_to == {("%x", "%y")}
    chosen = {("%b", "arith.select#3", 0, 1, "%a"), ("%d", "arith.select#3", 1, 2, "%a")}
    assert handed_over == {("%a", "cf.br#4", 0, 0, "%x"), *chosen}
    assert ours_to_free == {("%a",), ("%b",), ("%d",), ("%x",)}
    assert end_of_need == {("%b", "^bb0", 2), ("%d", "^bb0", 2), ("%a", "^bb0", 3), ("%x", "^bb1", 1)}


def test_handed_on_out_of_a_region() -> None:
    """The name is used around the region; the way is taken inside it."""
    at_way, inside_at_way, lent_at_once, ends_as, may_leave, handed_over = derive(
        DEEP, "at_way", "inside_at_way", "lent_at_once", "ends_as", "may_leave", "handed_over", rules=STATIC
    )
    assert at_way == {
        ("%a", "scf.yield#4", 0, "scf.if#3"),
        ("%a", "scf.yield#4", 0, "scf.yield#4"),
        ("%b", "scf.yield#5", 0, "scf.if#3"),
        ("%b", "scf.yield#5", 0, "scf.yield#5"),
    }
    assert inside_at_way == {("%a", "scf.yield#4", 0, "scf.if#3", 0), ("%b", "scf.yield#5", 0, "scf.if#3", 1)}
    assert lent_at_once == set()
    assert ends_as == {("%a", "%r"), ("%b", "%r")}
    assert may_leave == set()
    assert handed_over == {("%a", "scf.yield#4", -1, 0, "%r"), ("%b", "scf.yield#5", -1, 0, "%r")}


def test_lent_first_and_handed_on_then() -> None:
    """%s may be %a, which is handed to %x while %s becomes %y: %y borrows from %x."""
    lent_at_once, may_end_at, lent_to, kept_for, goes_on, may_leave, handed_over = derive(
        KEPT, "lent_at_once", "may_end_at", "lent_to", "kept_for", "goes_on", "may_leave", "handed_over", rules=STATIC
    )
    assert lent_at_once == {("%a", "arith.select#2", 1)}
    assert may_end_at == {("%a", "cf.br#3", 0), ("%s", "cf.br#3", 1)}
    assert lent_to == {("%a", "%s"), ("%x", "%y")}
    assert kept_for == {("%a", "%s")}
    assert goes_on == {("%a", "cf.br#3", 0, "%x"), ("%s", "cf.br#3", 0, "%y")}
    assert may_leave == set()
    assert handed_over == {("%a", "cf.br#3", 0, 0, "%x")}


PARTED = """
func.func @f(%c: i1, %d: i1, %p: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%b : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  memref.copy %p, %a : memref<2xf32> to memref<2xf32>
  cf.cond_br %d, ^bb2, ^bb3
^bb2:
  cf.br ^bb4
^bb3:
  cf.br ^bb4
^bb4:
  cf.cond_br %d, ^bb5, ^bb6
^bb5:
  memref.copy %p, %x : memref<2xf32> to memref<2xf32>
  cf.br ^bb7
^bb6:
  cf.br ^bb7
^bb7:
  return
}
"""


def test_where_the_need_of_what_is_lent_is_stated() -> None:
    """%a is lent to %x. Nothing is stated of the first two blocks that part, and on one side of the others it dies."""
    needed_in, out, asked, past, used_at, live_in, live_out, borrows, edges, last, beyond = derive(
        PARTED, "lent_needed_in", "lent_needed_out", "lent_need_asked", "lent_need_asked_past", "lent_used_on_at",
        "on_loan_in", "on_loan_out", "may_borrow", "dies_on_edge", "last_index_of_several", "lends_beyond",
        rules=STATIC,
    )  # fmt: skip
    asked_on, asked_at, past_on, past_at, branching, leads, used = derive(
        PARTED, "lent_need_asked_on", "lent_need_asked_at", "lent_past_asked_on", "lent_past_asked_at",
        "needed_past_branch", "stretch_leads_to", "lends_to_used",
        rules=STATIC,
    )  # fmt: skip
    assert borrows == {("%x",)} and used_at == {("%a", "^bb0", 4), ("%a", "^bb5", 0)}
    assert needed_in == {("^bb5", "%a")} and asked == {(f"^bb{i}", "%a") for i in (1, 5, 6, 7)}
    assert past == {("^bb0", "%a"), ("^bb1", "%a"), ("^bb5", "%a")}
    assert beyond == {("%a", "^bb0")}
    assert {row for row in last if row[0] == "%x"} == {("%x", "^bb0", 4), ("%x", "^bb5", 0)}
    assert asked_on == {("%a", "^bb5", "^bb7"), ("%a", "^bb6", "^bb7")} and past_on == {("%a", "^bb5", "^bb7")}
    assert asked_at == {("%a", "^bb7", "^bb0", 5)}
    assert past_at == {("%a", "^bb0", "^bb0", 0), ("%a", "^bb1", "^bb0", 1), ("%a", "^bb5", "^bb5", 0)}
    assert branching == {("^bb4", "%a")} and used == {("%a",)}
    assert leads == {("^bb2", "^bb4"), ("^bb3", "^bb4"), ("^bb5", "^bb7"), ("^bb6", "^bb7")}
    assert out == {("^bb0", "%a"), ("^bb1", "%a"), ("^bb4", "%a")}
    assert live_in == {(f"^bb{i}", "%a") for i in range(1, 6)} and live_out == {(f"^bb{i}", "%a") for i in range(5)}
    assert {(row[0], row[3]) for row in edges} >= {("%a", "^bb6")}


def test_where_a_side_is_followed_for_its_own_use_the_other_is_asked_for() -> None:
    """%a is used by its own name in ^bb2, and as %x after that: it does not die on the way to ^bb3."""
    text = PARTED.replace("^bb2:\n", "^bb2:\n  memref.copy %p, %a : memref<2xf32> to memref<2xf32>\n")
    text = text.replace("^bb7:\n", "^bb7:\n  memref.copy %p, %x : memref<2xf32> to memref<2xf32>\n")
    needed_in, edges = derive(text, "lent_needed_in", "dies_on_edge", rules=STATIC)
    assert {("^bb2", "%a"), ("^bb3", "%a")} <= needed_in and {row[0] for row in edges} == {"%b"}


def test_lent_to_what_is_needed_in_the_next_block() -> None:
    """%s may be %a, which is handed on to the next block, where both are used: it is only lent there."""
    text = """
    func.func @f(%c: i1, %p: memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      %e = memref.alloc() : memref<2xf32>
      %s = scf.if %c -> (memref<2xf32>) {
        scf.yield %a : memref<2xf32>
      } else {
        scf.yield %b : memref<2xf32>
      }
      cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%e : memref<2xf32>)
    ^bb1(%x: memref<2xf32>):
      memref.copy %p, %x : memref<2xf32> to memref<2xf32>
      memref.copy %p, %s : memref<2xf32> to memref<2xf32>
      return
    }
    """
    lent_at, handed_over = derive(text, "lent_at", "handed_over", rules=STATIC)
    assert {row[1] for row in lent_at if row[0] == "%a"} == {"scf.yield#5", "cf.cond_br#7"}
    assert {row[0] for row in handed_over} == {"%b", "%e"}


USE = "memref.copy %p, {} : memref<2xf32> to memref<2xf32>"
NESTED = f"""
func.func @f(%c: i1, %d: i1, %p: memref<2xf32>) {{
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%b : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  {USE.format("%a")}
  cf.cond_br %d, ^bb2, ^bb3
^bb2:
  cf.cond_br %d, ^bb4, ^bb5
^bb3:
  cf.br ^bb7
^bb4:
  {USE.format("%a")}
  cf.br ^bb6
^bb5:
  cf.br ^bb6
^bb6:
  cf.br ^bb7
^bb7:
  {USE.format("%x")}
  return
}}
"""


def test_the_need_is_asked_for_from_inside_to_outside() -> None:
    """%a is used in ^bb4, one of four sides, and as %x after them all."""
    assert {row[0] for row in derive(NESTED, "dies_on_edge", rules=STATIC)} == {"%b"}


@pytest.mark.parametrize("between", ["", "cf.br ^between\n^between:"])
def test_what_is_lent_on_is_needed_on_a_side_and_after_it(between: str) -> None:
    """%a is lent to %x, and that to %y, which is used on a side and after that."""
    text = f"""
    func.func @f(%c: i1, %d: i1, %p: memref<2xf32>) {{
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb1(%b : memref<2xf32>)
    ^bb1(%x: memref<2xf32>):
      {USE.format("%a")}
      %e = memref.alloc() : memref<2xf32>
      cf.cond_br %d, ^bb2(%x : memref<2xf32>), ^bb2(%e : memref<2xf32>)
    ^bb2(%y: memref<2xf32>):
      {USE.format("%x")}
      cf.cond_br %d, ^bb3, ^bb4
    ^bb3:
      {USE.format("%y")}
      {between}
      cf.br ^bb5
    ^bb4:
      cf.br ^bb5
    ^bb5:
      {USE.format("%y")}
      return
    }}
    """
    lent_to, dies_with = derive(text, "lent_to", "dies_with", rules=STATIC)
    assert lent_to == {("%a", "%x"), ("%x", "%y")}
    (last,) = {row[1] for row in dies_with if row[0] == "%a"}
    assert last == max((row[1] for row in dies_with), key=lambda op: int(op.partition("#")[2]))


def test_what_is_only_lent_is_needed_past_its_block() -> None:
    """%x and %y are the same buffer, or not; only %y is used further on."""
    text = f"""
    func.func @f(%c: i1, %p: memref<2xf32>) {{
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc() : memref<2xf32>
      %e = memref.alloc() : memref<2xf32>
      cf.cond_br %c, ^bb1(%a, %a : memref<2xf32>, memref<2xf32>), ^bb1(%b, %e : memref<2xf32>, memref<2xf32>)
    ^bb1(%x: memref<2xf32>, %y: memref<2xf32>):
      {USE.format("%x")}
      cf.br ^bb2
    ^bb2:
      {USE.format("%y")}
      return
    }}
    """
    lent_to, used_later, starts = derive(text, "lent_to", "used_later", "freed_at_start", rules=STATIC)
    assert lent_to == {("%x", "%y")} and ("%x", "^bb1") in used_later and starts == set()


def test_lent_beyond_the_block() -> None:
    """%x and %y borrow from %a, as long as its name dominates them."""
    lent_at_once, lent_to, lent_needed_in, lent_needed_out, needed_out, own_need_in, own_need_out, end_of_need = derive(
        LEFT,
        "lent_at_once",
        "lent_to",
        "lent_needed_in",
        "lent_needed_out",
        "needed_out",
        "own_need_in",
        "own_need_out",
        "end_of_need",
        rules=STATIC,
    )
    assert lent_at_once == {("%a", "cf.cond_br#3", 1)}
    assert lent_to == {("%a", "%x"), ("%a", "%y")}
    assert lent_needed_in == {("^bb3", "%a")}
    assert lent_needed_out == {("^bb1", "%a"), ("^bb2", "%a")}
    assert needed_out == {("^bb1", "%a"), ("^bb2", "%a")}
    assert own_need_in == set()  # ^bb2 is in one stretch with ^bb1, so it is not in `lent_needed_in` either
    assert own_need_out == {("^bb1", "%a")}
    assert end_of_need == {("%a", "^bb1", 1), ("%a", "^bb2", 1), ("%a", "^bb3", 0)}


def test_a_name_that_is_lost() -> None:
    """%a is still needed as %s when its name ends, and goes on by the name of %r."""
    lent_to, lost_on, left_behind, may_carry, brings_ours, brings_foreign, at_times_ours, always_ours, handed_over = (
        derive(
            CARRIED,
            "lent_to",
            "lost_on",
            "left_behind",
            "may_carry",
            "brings_ours",
            "brings_foreign",
            "at_times_ours",
            "always_ours",
            "handed_over",
            rules=STATIC,
        )
    )
    assert lent_to == {("%a", "%s")}
    assert lost_on == {("%a", "scf.yield#6", -1)}
    assert left_behind == {("%a", "%s", "scf.yield#6", -1)}
    assert may_carry == {("scf.yield#6", 0, "%r")}
    assert brings_ours == {("arith.select#4", 2, "%s"), ("scf.yield#6", 0, "%r")}
    assert brings_foreign == {("arith.select#4", 1, "%s")}
    assert at_times_ours == {("%r",), ("%s",)}
    assert always_ours == {("%a",), ("%b",)}
    assert handed_over == {("%b", "arith.select#4", 1, 2, "%s"), ("%s", "scf.yield#6", -1, 0, "%r")}


def test_memory_keeps_what_is_written_to_it() -> None:
    """What is loaded may be %a, which is needed as long."""
    use_of, last_use, end_of_need = derive(STORED, "use_of", "last_use", "end_of_need", rules=STATIC)
    assert {row for row in use_of if row[0] == "%a"} == {("%a", "^bb0", 3), ("%a", "^bb0", 5), ("%a", "^bb0", 6)}
    assert last_use == end_of_need == {("%a", "^bb0", 6), ("%b", "^bb0", 6), ("%h", "^bb0", 5)}


def test_lent_on_by_the_borrower() -> None:
    """In ^bb4 neither %a nor %x is used, but %r, which may be both."""
    lent_to, lent_needed_in, freed_at = derive(LENT_ON, "lent_to", "lent_needed_in", "freed_at", rules=STATIC)
    assert lent_to == {("%a", "%x"), ("%x", "%r")}
    assert {d for block, d in lent_needed_in if block == "^bb4"} == {"%a", "%x"}
    assert {(where, anchor) for _, _, where, anchor in freed_at} == {
        ("after", "memref.copy#6"),
        ("after", "memref.copy#8"),
        ("start", "^bb5"),
    }


def test_what_a_borrower_lends_on_is_not_handed_over_beside_it() -> None:
    """%a becomes %y while %r, which borrows from it by way of %x, becomes %z: %a stays the owner."""
    handed_over, lent_at, freed_at = derive(LENT_BESIDE, "handed_over", "lent_at", "freed_at", rules=STATIC)
    assert handed_over == set()
    assert {d for d, _, _ in lent_at if d == "%a"} == {"%a"}
    assert {(d, condition, where) for d, condition, where, _ in freed_at} == {("%a", "true", "after")}


def test_what_goes_on_unclearly_stays_the_owner_under_its_own_name() -> None:
    (text,) = (case.text for case in corpus("static") if "@goes_on_beside" in case.text)
    unclear, leaves, at_once, lent_to, handed_over, freed_at, asked, refused = derive(
        text.replace("@goes_on_beside", "@f"), "goes_on_unclearly", "ends_region_with", "lent_at_once", "lent_to",
        "handed_over", "freed_at", "identity_asked", "refused", rules=STATIC,
    )  # fmt: skip
    of_f = {row for row in unclear if "/" not in row[0] or row[0].startswith("@f/")}
    assert len(of_f) == 1 and not refused
    ((a,),) = of_f
    b = next(value for value, _ in leaves if value.endswith("%b"))
    assert {d for d, *_ in handed_over} == {b} and {d for d, op in leaves} >= {b} and a not in {d for d, _ in leaves}
    assert len({op for d, op, _ in at_once if d == a}) == 5 and len({q for d, q in lent_to if d == a}) == 4
    assert {(condition, where) for d, condition, where, _ in freed_at if d == a} == {("true", "after")}
    assert not any(value.endswith("%s#0") for value, _ in asked)


def test_what_an_argument_lends_in_its_block_is_needed_there() -> None:
    """%x, an argument of ^bb2, may be %r by way of %s, and lends to %y, which is used there: so %r dies there."""
    lent_to, lent_needed_in, freed_at = derive(LENT_TO_ARGUMENT, "lent_to", "lent_needed_in", "freed_at", rules=STATIC)
    assert {d for d, q in lent_to if q == "%x"} >= {"%r"} and ("%x", "%y") in lent_to
    assert {d for block, d in lent_needed_in if block == "^bb2"} == {"%a", "%r"}
    assert {(where, anchor) for d, _, where, anchor in freed_at if d == "%r"} == {("after", "memref.copy#16")}


def test_what_is_lent_to_something_that_lends_is_needed_inside_regions() -> None:
    """%a is lent to %r, and that to %s; all are used for the last time in the third conditional."""
    text = (
        BRANCHED
        + """
      %s = scf.if %c -> (memref<2xf32>) {
        %d = memref.alloc() : memref<2xf32>
        scf.yield %d : memref<2xf32>
      } else {
        scf.yield %r : memref<2xf32>
      }
      scf.if %c {
        memref.copy %m, %a : memref<2xf32> to memref<2xf32>
        memref.copy %m, %r : memref<2xf32> to memref<2xf32>
        memref.copy %m, %s : memref<2xf32> to memref<2xf32>
      }
      return
    }
    """
    )
    lends, ends_within, need_inside, end_of_need = derive(
        text, "may_lend", "ends_within", "need_inside", "end_of_need", rules=STATIC
    )
    assert lends == {("%a",), ("%r",)}
    assert {row[0] for row in ends_within} == {"%a", "%r"}
    assert {row[0] for row in need_inside} == {"%a", "%r"} and {row[2] for row in need_inside} == {2}
    assert need_inside <= end_of_need


ELSEWHERE = """
func.func @f(%c: i1, %d: i1, %p: memref<2xf32>) -> memref<2xf32> {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %d, ^early, ^choice
^early:
  %e = memref.load %a[%zero] : memref<2xf32>
  cf.br ^choice
^choice:
  %s = arith.select %c, %a, %p : memref<2xf32>
  %v = memref.load %a[%zero] : memref<2xf32>
  return %s : memref<2xf32>
}
"""


def test_uses_before_a_choice_are_none_of_what_it_chooses() -> None:
    awhile, only, before, needed, at, start = derive(
        ELSEWHERE, "named_awhile", "only_named_awhile", "comes_before", "lent_needed_in", "need_at", "freed_at_start",
        rules=STATIC,
    )  # fmt: skip
    assert awhile == {("%a", "arith.select#6", 1, "%s")} and only == {("%s", "%a")}
    assert ("%s", "%a", "^early") in before
    assert needed == set() and {block for value, block, _ in at if value == "%s"} <= {"^choice"} and start == set()
