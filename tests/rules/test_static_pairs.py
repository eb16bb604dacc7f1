"""A name ends while what it brings is still needed: which buffers have to be told from it."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import CARRIED, LEFT2

STATIC = ("static_buffer_deallocation",)


def test_the_choice_is_compared_with_what_it_chose_from() -> None:
    (
        asked,
        near_name,
        same_if,
        becomes_on,
        compared_at,
        taken_along,
        leaves_name,
        first_carried,
        step,
        choice_is,
        pair_order,
    ) = derive(
        CARRIED,
        "asked",
        "near_name",
        "same_if",
        "becomes_on",
        "compared_at",
        "taken_along",
        "leaves_name",
        "first_carried",
        "step",
        "choice_is",
        "pair_order",
        rules=STATIC,
    )
    assert asked == {("%s", "%a")}
    assert near_name == {("%s", "%a", "arith.select#4", 0, "%a"), ("%s", "%a", "arith.select#4", 1, "%a")}
    assert same_if == {("arith.select#4", 1, "%s", "%a", "true")}
    assert becomes_on == {("arith.select#4", 0, "%s"), ("arith.select#4", 1, "%s"), ("scf.yield#6", -1, "%r")}
    assert compared_at == {("arith.select#4", 1, "%a")}
    assert taken_along == {("%a", "%s", "scf.yield#6", -1, 0)}
    assert leaves_name == {("%a", "scf.yield#6", -1)}
    assert first_carried == {("%a", "scf.yield#6", -1, 0)}
    assert step == {("%a", "scf.yield#6", -1, 0, "%a with 0 at -1 of scf.yield#6")}
    assert choice_is == {("%s", "%a", 1, "true"), ("%s", "%a", 2, "false")}
    assert pair_order == {("%s", "%a", 3000)}


def test_two_names_left_behind() -> None:
    asked, near_name, same_if, compared_at, pair_order, pair_travels = derive(
        LEFT2, "asked", "near_name", "same_if", "compared_at", "pair_order", "pair_travels", rules=STATIC
    )
    assert asked == {("%x", "%a"), ("%x", "%b"), ("%y", "%b")}
    assert near_name == {
        ("%x", "%a", "cf.cond_br#4", 0, "%a"),
        ("%x", "%a", "cf.cond_br#4", 1, "%a"),
        ("%x", "%b", "cf.cond_br#4", 0, "%b"),
        ("%x", "%b", "cf.cond_br#4", 1, "%b"),
        ("%y", "%b", "cf.cond_br#4", 0, "%b"),
        ("%y", "%b", "cf.cond_br#4", 1, "%b"),
    }
    assert same_if == {
        ("cf.cond_br#4", 1, "%x", "%a", "true"),
        ("cf.cond_br#4", 2, "%y", "%b", "true"),
        ("cf.cond_br#4", 3, "%x", "%b", "true"),
    }
    assert compared_at == {("cf.cond_br#4", 1, "%a"), ("cf.cond_br#4", 2, "%b"), ("cf.cond_br#4", 3, "%b")}
    assert pair_order == {("%x", "%a", 6000), ("%x", "%b", 7000), ("%y", "%b", 7000)}
    assert pair_travels == {
        ("cf.cond_br#4", 1, "%a", "true"),
        ("cf.cond_br#4", 1, "%b", "false"),
        ("cf.cond_br#4", 2, "%b", "true"),
        ("cf.cond_br#4", 3, "%a", "false"),
        ("cf.cond_br#4", 3, "%b", "true"),
        ("cf.cond_br#4", 4, "%b", "false"),
    }


def test_one_after_the_other_takes_what_is_left() -> None:
    """%b may go on as %x or as %y."""
    taken_along, leaves_name, first_carried, later_carried, next_carried, step = derive(
        LEFT2, "taken_along", "leaves_name", "first_carried", "later_carried", "next_carried", "step", rules=STATIC
    )
    assert taken_along == {
        ("%a", "%x", "scf.yield#6", -1, 0),
        ("%b", "%x", "scf.yield#6", -1, 0),
        ("%b", "%y", "scf.yield#6", -1, 1),
    }
    assert leaves_name == {("%a", "scf.yield#6", -1), ("%b", "scf.yield#6", -1)}
    assert first_carried == {("%a", "scf.yield#6", -1, 0), ("%b", "scf.yield#6", -1, 0)}
    assert later_carried == {("%b", "scf.yield#6", -1, 0, 1)}
    assert next_carried == {("%b", "scf.yield#6", -1, 0, 1)}
    assert step == {
        ("%a", "scf.yield#6", -1, 0, "%a with 0 at -1 of scf.yield#6"),
        ("%b", "scf.yield#6", -1, 0, "%b with 0 at -1 of scf.yield#6"),
        ("%b", "scf.yield#6", -1, 1, "%b with 1 at -1 of scf.yield#6"),
    }
