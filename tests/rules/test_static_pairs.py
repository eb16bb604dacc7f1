"""A name ends while what it brings is still needed: which buffers have to be told from it."""

from __future__ import annotations

from tests.rules.derive import derive
from tests.rules.static_programs import BESIDE, CARRIED, HANDED_ON, LEFT2

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"


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
        "identity_asked",
        "near_name",
        "same_if",
        "becomes_on",
        "compared_at",
        "taken_along",
        "leaves_name",
        "first_carried",
        "way_step",
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
    assert pair_order == {("%s", "%a", 12)}


def test_two_names_left_behind() -> None:
    asked, near_name, same_if, compared_at, pair_order, pair_travels = derive(
        LEFT2, "identity_asked", "near_name", "same_if", "compared_at", "pair_order", "pair_travels", rules=STATIC
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
    assert pair_order == {("%x", "%a", 36), ("%x", "%b", 42), ("%y", "%b", 42)}
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
        LEFT2, "taken_along", "leaves_name", "first_carried", "later_carried", "next_carried", "way_step", rules=STATIC
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


def test_two_receivers_that_were_lent_the_same() -> None:
    """%s is %r where both are %a or both are %b."""
    names = (
        "left_beside",
        "common_lender",
        "lent_to_both",
        "lower_common",
        "common_before",
        "both_are",
        "same_up_to",
        "same_if",
    )
    left_beside, common_lender, common, lower_common, common_before, both_are, same_up_to, same_if = derive(
        BESIDE, *names, rules=STATIC
    )
    pair = ("%s", "%r", "scf.yield#8", 1)
    name = "%s and %r by 1 of scf.yield#8 from "
    assert left_beside == {("%r", "%s")}
    assert common_lender == {(*pair, "%x", "%y", "%a"), (*pair, "%x", "%y", "%b")}
    assert common == {(*pair, 4), (*pair, 5)}
    assert lower_common == common_before == {(*pair, 5, 4)}
    assert both_are == {(*pair, 4, name + "4"), (*pair, 5, name + "5")}
    assert same_up_to == {(*pair, 4, "both " + name + "4"), (*pair, 5, "either " + name + "5")}
    assert ("scf.yield#8", 1, "%s", "%r", "either " + name + "5") in same_if


def test_what_is_told_of_a_name_is_handed_on() -> None:
    names = ("same_directly", "known_directly", "same_if")
    same_directly, known_directly, same_if = derive(HANDED_ON, *names, rules=STATIC)
    assert same_directly == {("scf.yield#5", 0, "%z", "%a", "same %x %a")}
    assert known_directly == {("%z", "%a", "scf.yield#5", 0)}
    assert same_if == {("arith.select#3", 1, "%x", "%a", "true"), *same_directly}


ONE_OF = """
func.func private @one_of(%c: i1, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
  %r = arith.select %c, %x, %y : memref<2xf32>
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %q = call @one_of(%c, %a, %b) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  %p = call @one_of(%c, %b, %a) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  %s = scf.if %c -> memref<2xf32> {
    %new = memref.alloc() : memref<2xf32>
    %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %new, %y = %q) -> (memref<2xf32>, memref<2xf32>) {
      scf.yield %q, %p : memref<2xf32>, memref<2xf32>
    }
    memref.copy %r#0, %r#1 : memref<2xf32> to memref<2xf32>
    scf.yield %r#1 : memref<2xf32>
  } else {
    scf.yield %a : memref<2xf32>
  }
  memref.copy %s, %b : memref<2xf32> to memref<2xf32>
  return
}
"""


def test_one_of_several_buffers_is_not_told_from_another() -> None:
    """Which of them the loop goes on with is not known; neither is ours there, so nothing asks whether they are one."""
    one_of, same_if, travels, refused = derive(
        ONE_OF, "gets_one_of", "same_if", "pair_travels", "refused", rules=STATIC
    )
    assert {("scf.yield#10", 0, "%x"), ("scf.yield#10", 0, "%y")} <= one_of
    assert refused == set() and not {row for row in same_if if row[0] == "scf.yield#10"}
    assert len({row[:3] for row in travels}) == len(travels)


ONE_OF_IN_A_LOOP = """
func.func private @one_of(%c: i1, %x: memref<2xf32>, %y: memref<2xf32>) -> memref<2xf32> {
  %r = arith.select %c, %x, %y : memref<2xf32>
  return %r : memref<2xf32>
}
func.func @f(%c: i1, %d: i1, %v: f32, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a, %a : memref<2xf32>, memref<2xf32>), ^bb2(%b, %b : memref<2xf32>, memref<2xf32>)
^bb1(%x: memref<2xf32>, %y: memref<2xf32>):
  %n = memref.alloc() : memref<2xf32>
  cf.cond_br %d, ^bb2(%x, %n : memref<2xf32>, memref<2xf32>), ^bb2(%y, %y : memref<2xf32>, memref<2xf32>)
^bb2(%p: memref<2xf32>, %q: memref<2xf32>):
  %e = call @one_of(%c, %a, %b) : (i1, memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  %r = scf.if %c -> memref<2xf32> {
    %m = memref.alloc() : memref<2xf32>
    scf.yield %m : memref<2xf32>
  } else {
    scf.yield %e : memref<2xf32>
  }
  memref.store %v, %p[%i] : memref<2xf32>
  memref.store %v, %q[%i] : memref<2xf32>
  cf.cond_br %d, ^bb1(%e, %r : memref<2xf32>, memref<2xf32>), ^bb3
^bb3:
  memref.store %v, %r[%i] : memref<2xf32>
  cf.cond_br %c, ^bb1(%q, %p : memref<2xf32>, memref<2xf32>), ^bb4
^bb4:
  return
}
"""


def test_what_gets_one_of_several_buffers_asks_nothing_of_what_went_before() -> None:
    """%x gets one of %a and %b beside %r, which may be one of them, too: %x is not ours then, and nothing asks."""
    asked, refused = derive(ONE_OF_IN_A_LOOP, "identity_asked", "refused", rules=STATIC)
    assert asked == {("%x", "%y"), ("%y", "%x"), ("%q", "%p")}
    assert refused == set()


def test_the_order_of_i1_is_one_however_many_arguments_there_are() -> None:
    """Each i1 is handed on in the order in which its argument stands: no two have the same, though receivers stand
    thousands of arguments apart."""
    apart = 5000
    between = ", ".join(f"%x{i} = %f" for i in range(1, apart))
    types = f"{T}, {'f32, ' * (apart - 1)}{T}"
    text = f"""
func.func @f(%c: i1, %n: index, %m: {T}, %f: f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %out:2 = scf.if %c -> ({T}, {T}) {{
    %a = memref.alloc() : {T}
    %b = memref.alloc() : {T}
    %r:{apart + 1} = scf.for %i = %c0 to %n step %c1 iter_args(%x0 = %a, {between}, %y = %b) -> ({types}) {{
      %k = memref.alloc() : {T}
      %l = memref.alloc() : {T}
      memref.copy %x0, %k : {T} to {T}
      memref.copy %y, %l : {T} to {T}
      scf.yield %k, {", ".join(f"%x{i}" for i in range(1, apart))}, %l : {types}
    }}
    memref.copy %a, %b : {T} to {T}
    memref.copy %b, %a : {T} to {T}
    scf.yield %r#0, %r#{apart} : {T}, {T}
  }} else {{
    scf.yield %m, %m : {T}, {T}
  }}
  memref.copy %out#0, %out#1 : {T} to {T}
  return
}}
"""
    arguments, operands, widest, beside = derive(
        text, "argument_appended", "operand_appended", "widest", "beside_pair", rules=STATIC
    )
    assert {name for _, _, name, _ in arguments} == {"own %x0", "own %y", "same %x0 %a", "same %y %b"}
    places = [name for _, _, name, _ in sorted(arguments, key=lambda row: row[1])]
    assert len({order for _, order, _, _ in arguments}) == len(arguments) == 4
    ahead = 3  # operands of the loop ahead of what it hands to the first round; there, the index is an argument
    assert {(ahead + apart + 1,), (apart + 2,), (apart + 1,)} <= beside
    orders = {name: order for _, order, name, _ in arguments}
    entries = {order - ahead + 1: value for op, _, order, value in operands if op.startswith("scf.for")}
    wanted = ["false", "false", "true", "true"]
    assert [entries[orders[name]] for name in places] == wanted
    assert widest == {(ahead + apart + 2,)}
