"""The i1s on which a text frees buffers: in turn, by addresses, or as a call returned them."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
IN_TURN = f"""
func.func @f(%a: i32, %b: i32, %k: i1, %o: {T}) {{
  %true = arith.constant true
  %x = memref.alloc() : {T}
  memref.copy %o, %x : {T} to {T}
  %c = arith.cmpi slt, %a, %b : i32
  %p = arith.andi %c, %k : i1
  scf.if FIRST {{
    memref.dealloc %x : {T}
  }}
  %d = arith.cmpi sge, %a, %b : i32
  %n = arith.xori %c, %true : i1
  %q = arith.andi %d, %k : i1
  %e = arith.select %c, %c, %d : i1
  %r = arith.ori %n, %c : i1
  SECOND
  return
}}
"""
SECOND = f"scf.if WHERE {{\n    memref.dealloc %x : {T}\n  }}"


@pytest.mark.parametrize(
    ("first", "second", "in_turn", "leaks"),
    [
        ("%c", "%d", True, False),
        ("%c", "%n", True, False),
        ("%p", "%q", True, True),  # where %k does not hold
        ("%p", "%n", True, True),
        ("%c", "%c", False, False),
        ("%c", "%k", False, False),
        ("%c", None, False, False),
    ],
)
def test_what_is_freed_in_turn(first: str, second: str | None, in_turn: bool, leaks: bool) -> None:
    behind = SECOND.replace("WHERE", second) if second is not None else ""
    text = IN_TURN.replace("FIRST", first).replace("SECOND", behind)
    turn, told, part, guards, left = derive(
        text, "freed_in_turn", "left_to_text", "freed_holding_part", "guard", "left_to_hand", rules=STATIC
    )
    assert turn == told == left == ({("%x",)} if in_turn else set())
    assert ("%x", first) in part and (first,) in guards
    unless, opposite = derive(text, "freed_part_unless", "freed_unless", rules=STATIC)
    negation = second in ("%d", "%n")
    assert (("%x", second, "%c") in unless) == negation == (("%x", "%c") in opposite)
    if in_turn:
        assert (run_dealog(text, ("static-buffer-deallocation",)).text == text) == (not leaks)


ELSE = f"scf.if WHERE {{\n  }} else {{\n    memref.dealloc %x : {T}\n  }}"
BOTH = f"scf.if %c {{\n    memref.dealloc %x : {T}\n  }} else {{\n    memref.dealloc %x : {T}\n  }}"


@pytest.mark.parametrize("where", ["%c", "%k"])
def test_freed_where_an_i1_holds_and_elsewhere_where_it_does_not(where: str) -> None:
    """The second conditional frees in its `else` region."""
    text = IN_TURN.replace("FIRST", "%c").replace("SECOND", ELSE.replace("WHERE", where))
    sides, turn = derive(text, "freed_on_side", "freed_in_turn", rules=STATIC)
    assert {(value, condition, side) for value, _, condition, side in sides} == {("%x", "%c", 0), ("%x", where, 1)}
    assert turn == ({("%x",)} if where == "%c" else set())
    done = run_dealog(text, ("static-buffer-deallocation",))
    assert done.text == (text if where == "%c" else None)


def test_freed_on_both_sides_of_one_conditional_is_not_in_turn() -> None:
    text = IN_TURN.replace(f"scf.if FIRST {{\n    memref.dealloc %x : {T}\n  }}", BOTH).replace("SECOND", "")
    sides, turn = derive(text, "freed_on_side", "freed_in_turn", rules=STATIC)
    assert {side for *_, side in sides} == {0, 1} and turn == set()
    assert run_dealog(text, ("static-buffer-deallocation",)).text == text


def test_what_always_holds() -> None:
    """On %e and %r, which are true, %x is freed; there is nothing left to free."""
    base = IN_TURN.replace("scf.if FIRST {", "scf.if %k {", 1)
    for always in ("%e", "%r"):
        moved = base.replace("SECOND", SECOND.replace("WHERE", always)).replace(
            f"  scf.if %k {{\n    memref.dealloc %x : {T}\n  }}\n", ""
        )
        holds, opposite, turn = derive(moved, "always_holds", "opposite_i1", "freed_in_turn", rules=STATIC)
        assert holds == {(always,)} and turn == {("%x",)}
        assert opposite >= ({("%c", "%d"), ("%d", "%c")} if always == "%e" else {("%c", "%n"), ("%n", "%c")})


@pytest.mark.parametrize(
    ("one", "other"), [("slt", "sge"), ("ule", "ugt"), ("eq", "ne"), ("sgt", "sle"), ("uge", "ult")]
)
def test_opposite_comparisons(one: str, other: str) -> None:
    text = IN_TURN.replace("FIRST", "%c").replace("SECOND", SECOND.replace("WHERE", "%d"))
    text = text.replace("cmpi slt", f"cmpi {one}").replace("cmpi sge", f"cmpi {other}")
    compares, inverse, names, two, opposite = derive(
        text, "compares_integers", "inverse_predicate", "predicate_name", "comparison", "negation", rules=STATIC
    )
    assert {row[:4] for row in two} == {("%c", one, "%a", "%b"), ("%d", other, "%a", "%b")}
    assert ("%d", "%c") in opposite and ("%c", "%d") not in opposite
    assert {(value, name) for _, value, name in compares} == {("%c", one), ("%d", other)}
    assert (one, other) in inverse and (other, one) in inverse and (one, one) in names and len(names) == 20
    assert derive(text, "freed_in_turn", rules=STATIC) == {("%x",)}
    unlike = text.replace(f"cmpi {other}, %a, %b", f"cmpi {other}, %b, %a")
    assert derive(unlike, "freed_in_turn", rules=STATIC) == set()


ADDRESSES = f"""
func.func @f(%k: i1, %n: index, %o: {T}) {{
  %zero = arith.constant 0 : index
  %x = memref.alloc() : {T}
  memref.copy %o, %x : {T} to {T}
  %one = memref.extract_aligned_pointer_as_index %x : {T} -> index
  %two = memref.extract_aligned_pointer_as_index %o : {T} -> index
  %c = arith.cmpi ne, %one, %two : index
  %both = arith.andi %c, %k : i1
  %numbers = memref.alloca() : memref<1xindex>
  memref.store %one, %numbers[%zero] : memref<1xindex>
  %flags = memref.alloca() : memref<1xi1>
  %cast = memref.cast %flags : memref<1xi1> to memref<?xi1>
  call @helper(%numbers, %cast) : (memref<1xindex>, memref<?xi1>) -> ()
  %loaded = memref.load %flags[%zero] : memref<1xi1>
  scf.if WHERE {{
    memref.dealloc %x : {T}
  }}
  return
}}
func.func private @helper(%numbers: memref<1xindex>, %flags: memref<?xi1>) {{
  return
}}
"""


@pytest.mark.parametrize(
    ("where", "told"), [("%c", True), ("%both", True), ("%loaded", True), ("%k", False)]
)
def test_what_only_the_run_tells(where: str, told: bool) -> None:
    text = ADDRESSES.replace("WHERE", where)
    run_time, freed, made = derive(text, "known_at_run_time", "freed_at_run_time", "i1_part", rules=STATIC)
    assert ((where,) in run_time) == told and freed == ({("%x",)} if told else set())
    assert made == {("%both", "%c"), ("%both", "%k")}
    loaded, memory, holds = derive(text, "loaded_guard", "gives_memory", "holds_address", rules=STATIC)
    if where == "%loaded":
        assert loaded == {("%loaded", "%flags")} and holds == {("%numbers",)}
        assert {value for _, value in memory} == {"%numbers", "%cast", "%flags"}
        apart = text.replace("  memref.store %one, %numbers[%zero] : memref<1xindex>\n", "")
        assert derive(apart, "known_at_run_time", rules=STATIC) == set()
    else:
        assert loaded == memory == holds == set()


BESIDE = f"""
func.func private @last(%x: {T}) -> ({T}, i1) {{
  %false = arith.constant false
  return %x, %false : {T}, i1
}}
func.func private @perhaps(%c: i1, %x: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  cf.cond_br %c, ^new, ^old
^new:
  %a = memref.alloc() : {T}
  memref.copy %x, %a : {T} to {T}
  return %a, %true : {T}, i1
^old:
  %l, %o = call @last(%x) : ({T}) -> ({T}, i1)
  return %l, %o : {T}, i1
}}
func.func @f(%c: i1, %o: {T}) {{
  %r, %own = call @perhaps(%c, %o) : (i1, {T}) -> ({T}, i1)
  memref.copy %r, %o : {T} to {T}
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %r : {T} -> memref<f32>, index, index, index
  scf.if %own {{
    memref.dealloc %base : memref<f32>
  }}
  return
}}
"""


def test_what_is_freed_on_an_i1_that_a_call_returned() -> None:
    """@last returns its argument, which is not cloned: no caller would free that."""
    beside, result, part, left, cloned, summary = derive(
        BESIDE, "returned_beside_indicator", "result_freed_on_indicator", "freed_on_part", "left_to_hand",
        "cloned_for_caller", "function_summary", rules=STATIC,
    )  # fmt: skip
    assert beside == {("@perhaps", 0), ("@last", 0)} and result == {("%base",), ("%r",)} and ("%base", "%own") in part
    assert {("%r",), ("@perhaps/%l",), ("@last/%x",)} <= left and cloned == set()
    assert ("@f", "@perhaps", "indicated beside", 0, 0) in {
        tuple("@f" if x == "f" else x for x in row) for row in summary
    }
    alone = BESIDE.replace("scf.if %own {", "scf.if %c {")
    assert derive(alone, "returned_beside_indicator", rules=STATIC) == set()


@pytest.mark.parametrize("way", ["select", "if", "branch"])
def test_an_i1_that_chooses_views_of_what_is_freed(way: str) -> None:
    """Freed is what the function does not return; that it chooses a view of."""
    wide = "memref<?xf32>"
    chosen = {
        "select": f"%s = arith.select %c, %x, %y : {wide}",
        "if": f"%s = scf.if %c -> ({wide}) {{\n  scf.yield %x : {wide}\n}} else {{\n  scf.yield %y : {wide}\n}}",
        "branch": f"cf.cond_br %c, ^bb1(%x : {wide}), ^bb1(%y : {wide})\n^bb1(%s: {wide}):",
    }[way]
    text = f"""
func.func @f(%c: i1) -> {wide} {{
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<8xf32>
  %x = memref.cast %a : memref<4xf32> to {wide}
  %y = memref.cast %b : memref<8xf32> to {wide}
  {chosen}
  %not = arith.xori %c, %true : i1
  scf.if %not {{
    memref.dealloc %a : memref<4xf32>
  }}
  scf.if %c {{
    memref.dealloc %b : memref<8xf32>
  }}
  return %s : {wide}
}}
"""
    assert run_dealog(text, ("static-buffer-deallocation",)).unwrap() == text
    by_guard = derive(text, "handed_by_guard", rules=("static_buffer_deallocation",))
    assert {("%a",), ("%x",), ("%b",), ("%y",)} <= by_guard
