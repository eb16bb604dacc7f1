"""What is written into the program."""

from __future__ import annotations

from itertools import pairwise

from tests.rules.derive import derive
from tests.rules.static_programs import BRANCH, CARRIED, CHOSEN, INSIDE, LEFT2, OPPOSITE, RETURNS, SUMMARIES

STATIC = ("static_buffer_deallocation",)


def test_places() -> None:
    to_be_freed, freed_by_name, freed_at, freed_value, free_inserted, block_inserted = derive(
        BRANCH,
        "to_be_freed",
        "freed_by_name",
        "freed_at",
        "freed_value",
        "free_inserted",
        "block_inserted",
        rules=STATIC,
    )
    assert to_be_freed == {("%a",), ("%b",), ("%x",)}
    assert freed_by_name == {("%a", "memref.dealloc"), ("%b", "memref.dealloc"), ("%x", "memref.dealloc")}
    assert freed_at == {
        ("%a", "true", "start", "edge 1 of cf.cond_br#3"),
        ("%b", "true", "after", "memref.copy#4"),
        ("%b", "true", "start", "edge 1 of cf.cond_br#3"),
        ("%x", "true", "after", "memref.copy#4"),
    }
    assert freed_value == {
        ("%a", "%a", "start", "edge 1 of cf.cond_br#3"),
        ("%b", "%b", "after", "memref.copy#4"),
        ("%b", "%b", "start", "edge 1 of cf.cond_br#3"),
        ("%x", "%x", "after", "memref.copy#4"),
    }
    assert free_inserted == {
        ("%a", "memref.dealloc", "start", "edge 1 of cf.cond_br#3", 17),
        ("%b", "memref.dealloc", "after", "memref.copy#4", 20),
        ("%b", "memref.dealloc", "start", "edge 1 of cf.cond_br#3", 20),
        ("%x", "memref.dealloc", "after", "memref.copy#4", 14),
    }
    assert block_inserted == {("cf.cond_br#3", 1, "edge 1 of cf.cond_br#3")}


def test_choices() -> None:
    (
        choice_of,
        freed_at,
        not_inserted,
        and_inserted,
        select_inserted,
        free_if_inserted,
        argument_appended,
        operand_appended,
    ) = derive(
        CHOSEN,
        "choice_of",
        "freed_at",
        "not_inserted",
        "and_inserted",
        "select_inserted",
        "free_if_inserted",
        "argument_appended",
        "operand_appended",
        rules=STATIC,
    )
    assert choice_of == {("%s", "arith.select#4", "%c")}
    assert freed_at == {
        ("%a", "true", "start", "edge 1 of cf.cond_br#3"),
        ("%b", "not chosen arith.select#4", "after", "arith.select#4"),
        ("%x", "left %x at arith.select#4", "after", "arith.select#4"),
        ("%y", "own %y", "after", "memref.copy#6"),
    }
    assert not_inserted == {("not chosen arith.select#4", "%c", "after", "arith.select#4", 0)}
    assert and_inserted == {("left %x at arith.select#4", "%d", "%c", "after", "arith.select#4", 2)}
    assert select_inserted == {("own %s", "%c", "true", "%d", "after", "arith.select#4", 1)}
    assert free_if_inserted == {
        ("%b", "not chosen arith.select#4", "memref.dealloc", "after", "arith.select#4", 23),
        ("%x", "left %x at arith.select#4", "memref.dealloc", "after", "arith.select#4", 14),
        ("%y", "own %y", "memref.dealloc", "after", "memref.copy#6", 17),
    }
    assert argument_appended == {("^bb2", 0, "own %y", "i1")}
    assert operand_appended == {("cf.br#5", 0, 0, "own %s")}


def test_what_is_not_chosen_is_chosen_to_be_freed() -> None:
    other, freed_as, opposite, selects, frees, conditional, negations = derive(
        OPPOSITE, "other_freed", "freed_as_other", "wants_opposite", "select_inserted", "free_inserted",
        "free_if_inserted", "not_inserted", rules=STATIC,
    )  # fmt: skip
    assert other == {("arith.select#3", "%a", "%b")}
    assert freed_as == {("%a", "arith.select#3"), ("%b", "arith.select#3")}
    assert selects == {("other arith.select#3", "%c", "%b", "%a", "after", "arith.select#3", 0)}
    assert ("other arith.select#3", "memref.dealloc", "after", "arith.select#3", 1) in frees
    assert opposite == conditional == negations == set()
    # one of these two is ours at times only
    other, opposite = derive(CHOSEN, "other_freed", "wants_opposite", rules=STATIC)
    assert other == set() and opposite == {("arith.select#4",)}


def test_what_is_chosen_to_be_freed_stays_so() -> None:
    freed_at_once = "  %o = arith.select %c, %b, %a : memref<?xf32>\n  memref.dealloc %o : memref<?xf32>\n"
    text = OPPOSITE.replace("  return", f"{freed_at_once}  return")
    frees, choice, opposite, hand, refused, freed = derive(
        text, "frees_other_choice", "frees_choice", "opposite_choice", "left_to_hand", "refused", "free_inserted",
        rules=STATIC,
    )  # fmt: skip
    assert frees == {("memref.dealloc#5", "%o")} and opposite == {("%o", "%s")}
    assert choice == {("memref.dealloc#5", "%o", "arith.select#4")}
    assert {("%a",), ("%b",), ("%s",), ("%o",)} <= hand and refused == set()
    assert freed == set()
    alone = text.replace("%c, %b, %a", "%d, %b, %a").replace("%c: i1", "%c: i1, %d: i1")
    frees, refused = derive(alone, "frees_other_choice", "refused", rules=STATIC)
    assert frees == set()
    assert ("memref.dealloc#5", 7, "this may be another buffer, which is freed elsewhere") in refused


def test_the_other_side_of_a_condition() -> None:
    freed_at, else_inserted, free_inserted = derive(INSIDE, "freed_at", "else_inserted", "free_inserted", rules=STATIC)
    assert freed_at == {
        ("%a", "true", "after", "memref.copy#4"),
        ("%a", "true", "start", "else of scf.if#3"),
        ("%b", "true", "after", "scf.for#6"),
    }
    assert else_inserted == {("scf.if#3", "else of scf.if#3")}
    assert free_inserted == {
        ("%a", "memref.dealloc", "after", "memref.copy#4", 14),
        ("%a", "memref.dealloc", "start", "else of scf.if#3", 14),
        ("%b", "memref.dealloc", "after", "scf.for#6", 17),
    }


def test_bases_of_what_calls_returned() -> None:
    """What @either returns is one of its arguments, which the caller goes on owning: it is neither freed nor cloned."""
    freed_value, base_inserted, free_inserted, clone_inserted = derive(
        SUMMARIES, "freed_value", "base_inserted", "free_inserted", "clone_inserted", rules=STATIC
    )
    assert freed_value == {
        ("%a", "%a", "after", "func.call#4"),
        ("%b", "base %b after func.call#4", "after", "func.call#4"),
    }
    assert base_inserted == {("base %b after func.call#4", "%b", "after", "func.call#4", 43)}
    assert free_inserted == {
        ("%a", "memref.dealloc", "after", "func.call#4", 38),
        ("base %b after func.call#4", "memref.dealloc", "after", "func.call#4", 44),
    }
    assert not clone_inserted


FIRST = -50000000  # of what stands ahead of an operation, clones come first


def test_what_callers_get() -> None:
    returned_clone, clone_inserted, clone_unless_inserted, operand_set = derive(
        RETURNS, "returned_clone", "clone_inserted", "clone_unless_inserted", "operand_set", rules=STATIC
    )
    assert returned_clone == {
        ("func.return#6", 2, "returned 2 by func.return#6"),
        ("func.return#6", 3, "returned 3 by func.return#6"),
    }
    assert clone_inserted == {
        ("returned 3 by func.return#6", "%n", "before", "func.return#6", FIRST + 3),
    }
    returned = ("returned 2 by func.return#6", "%r", "%r", "%c", "before", "func.return#6", FIRST + 2)
    assert clone_unless_inserted == {returned}
    assert operand_set == {
        ("func.return#6", 2, "returned 2 by func.return#6"),
        ("func.return#6", 3, "returned 3 by func.return#6"),
    }


def test_what_is_left_behind() -> None:
    result_appended, operand_appended, not_inserted, and_inserted, or_inserted, select_inserted, free_if_inserted = (
        derive(
            CARRIED,
            "result_appended",
            "operand_appended",
            "not_inserted",
            "and_inserted",
            "or_inserted",
            "select_inserted",
            "free_if_inserted",
            rules=STATIC,
        )
    )
    assert result_appended == {("scf.execute_region#1", 0, "own %r", "i1")}
    assert operand_appended == {("scf.yield#6", 0, 0, "carried 2 by 0 of scf.yield#6")}
    assert not_inserted == {
        ("other %a with 0 at -1 of scf.yield#6", "same %s %a", "before", "scf.yield#6", -300000000),
        ("own %s", "%c", "after", "arith.select#4", 1),
    }
    assert not and_inserted  # %a is always ours
    assert or_inserted == {
        ("carried 2 by 0 of scf.yield#6", "own %s", "same %s %a", "before", "scf.yield#6", -99999998),
    }
    assert select_inserted == {("same %s %a", "%c", "true", "false", "after", "arith.select#4", 1)}
    assert free_if_inserted == {
        ("%a", "other %a with 0 at -1 of scf.yield#6", "memref.dealloc", "before", "scf.yield#6", 17),
        ("%b", "%c", "memref.dealloc", "after", "arith.select#4", 20),
        ("%r", "own %r", "memref.dealloc", "after", "memref.copy#7", 14),
    }


def test_what_is_left_behind_by_two() -> None:
    """%b is left behind by %x or by %y; what %x takes of it is not there for %y."""
    not_inserted, and_inserted, or_inserted = derive(LEFT2, "not_inserted", "and_inserted", "or_inserted", rules=STATIC)
    step = "%b with 1 at -1 of scf.yield#6"
    other = "other %b with 0 at -1 of scf.yield#6"
    assert {row[0] for row in not_inserted if row[0].startswith("other %b")} == {other, f"other {step}"}
    assert {row[:3] for row in and_inserted} == {
        (f"left {step}", other, f"other {step}"),
        (f"taken {step}", other, "same %y %b"),
    }
    assert {row[:3] for row in or_inserted} == {("carried 6 by 0 of scf.yield#6", "same %x %a", "same %x %b")}


def test_the_parts_of_what_stands_ahead_of_an_operation_are_far_apart() -> None:
    """Clones are made of what is carried along, which needs what is left; what is freed comes last."""
    phases = derive(CARRIED, "phase_ahead", rules=STATIC)
    by_name = {str(name): int(order) for name, order in phases}
    assert sorted(by_name, key=by_name.__getitem__) == ["pairs", "left", "carried", "clones"]
    orders = [*sorted(by_name.values()), 0]
    assert min(after - order for order, after in pairwise(orders)) >= 50_000_000
