"""I1s on which a text frees buffers, and of which a part has nothing to do with these."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
PASS = ("static-buffer-deallocation",)
T = "memref<4xf32>"
IDLE = "a part of the i1 on which this is freed does not tell whether it is owned"
MANY = "  %many = arith.cmpi sge, %n, %ten : index"
TWICE = "this buffer has been freed before"
LEAKS = "on some path, no deallocation that the function has frees this buffer"

OWNED_OR_LENT = f"""
func.func @f(%c: i1, %d: i1, %n: index, %m: {T}) {{
  %true = arith.constant true
  %false = arith.constant false
  %ten = arith.constant 10 : index
  %few = arith.cmpi slt, %n, %ten : index
  %t, %g = scf.if %c -> ({T}, i1) {{
    %a = memref.alloc() : {T}
    scf.yield %a, %true : {T}, i1
  }} else {{
    scf.yield %m, %false : {T}, i1
  }}
  memref.copy %m, %t : {T} to {T}
FREED
  return
}}
"""
FREED = f"  scf.if WHERE {{\n    memref.dealloc %t : {T}\n  }}"


def freed(*lines: str) -> str:
    """The program; of `lines`, i1s on which the buffer is freed stand for that."""
    written = [FREED.replace("WHERE", line) if line.startswith("%") else line for line in lines]
    return OWNED_OR_LENT.replace("FREED", "\n".join(written))


def refusals(text: str) -> list[str]:
    return [each.message for each in run_dealog(text, PASS).diagnostics]


@pytest.mark.parametrize("part", ["%d", "%few"])
def test_a_part_that_tells_nothing(part: str) -> None:
    """With `and` the buffer leaks where it does not hold, with `or` another's is freed where it does."""
    both, either = (freed(f"  %h = {operation} %g, {part} : i1", "%h") for operation in ("arith.andi", "arith.ori"))
    held, idle, unfreed, others = derive(
        both, "holds_with_idle", "idle_i1", "freed_on_idle", "freed_by_idle", rules=STATIC
    )
    assert held == {(part,), ("%h",)} and (part,) in idle and ("%g",) not in idle
    assert {v for _, v in unfreed} == {"%t"} and others == set()
    assert refusals(both) == [LEAKS]
    held, unfreed, others = derive(either, "holds_by_idle", "freed_on_idle", "freed_by_idle", rules=STATIC)
    assert held == {(part,), ("%h",)} and {v for _, v in others} == {"%t"} and unfreed == set()
    assert refusals(either) == [IDLE]


def test_parts_of_parts() -> None:
    text = freed("  %h = arith.ori %g, %d : i1", "  %k = arith.ori %h, %few : i1", "%k")
    assert derive(text, "holds_by_idle", rules=STATIC) == {("%d",), ("%few",), ("%h",), ("%k",)}
    assert refusals(text) == [IDLE]


@pytest.mark.parametrize(
    "lines",
    [
        ("%g",),
        ("  %h = arith.andi %g, %c : i1", "%h"),  # %c chooses which buffer it is
        ("%d", "  %k = arith.select %d, %false, %g : i1", "%k"),  # not where the first one did
        (MANY, "  %h = arith.andi %g, %few : i1", "%h", "  %k = arith.andi %g, %many : i1", "%k"),  # one of both holds
    ],
)
def test_what_tells_or_holds_in_turn_is_taken(lines: tuple[str, ...]) -> None:
    text = freed(*lines)
    assert derive(text, "freed_on_idle", rules=STATIC) == set()
    assert refusals(text) == []


def test_what_is_used_for_something_else_may_tell() -> None:
    text = freed("  %h = arith.andi %g, %d : i1", "%h", '  "test.use"(%h, %d) : (i1, i1) -> ()')
    assert derive(text, "idle_i1", rules=STATIC) == derive(text, "holds_with_idle", rules=STATIC) == set()
    opposite = ("  %not = arith.xori %d, %true : i1", "  %h = arith.andi %g, %not : i1")
    text = freed(*opposite, "%h", "  cf.cond_br %d, ^a, ^a", "^a:")
    assert derive(text, "idle_i1", rules=STATIC) == set()
    text = freed(MANY, "  %h = arith.andi %g, %few : i1", "%h")
    assert derive(text, "idle_i1", rules=STATIC) == set()


def test_freed_on_one_that_tells_and_on_one_that_does_not() -> None:
    text = freed("%g", "%d")
    both, idle = derive(text, "freed_on_both", "idle_i1", rules=STATIC)
    assert {value for _, value in both} == {"%t"} and ("%d",) in idle
    assert refusals(text) == [TWICE]
    assert derive(freed("%g"), "freed_on_both", rules=STATIC) == set()
    assert derive(freed("%d", "%few"), "freed_on_both", rules=STATIC) == set()


def test_freed_on_both_where_it_cannot_be_followed() -> None:
    """An i1 that was read from memory says whether it is read: how it goes on is not followed then."""
    read = f"  %l = memref.load %bits[%n] : memref<2xi1>\n  scf.if %l {{\n    memref.copy %t, %m : {T} to {T}\n  }}"
    text = freed(read, "%g", "%d").replace("%n: index", "%n: index, %bits: memref<2xi1>")
    assert refusals(text) == ["this buffer may have been freed before"]


def test_what_goes_by_an_i1() -> None:
    """%few is compared again, and what chooses by that goes by it, too; a conditional that frees does nothing else."""
    text = freed(MANY, "  %h = arith.andi %g, %few : i1", "%h", f"  %o = arith.select %many, %t, %m : {T}")
    pairs, again, makes, frees, works, otherwise = derive(
        text, "compares_pair", "compared_again", "makes_guard", "just_frees", "works_inside", "used_otherwise",
        rules=STATIC,
    )  # fmt: skip
    assert pairs == {("%few", "%n", "%ten"), ("%many", "%n", "%ten")} and again == {("%n", "%ten")}
    made_of = {(op.partition("#")[0], part) for op, part in makes}
    assert made_of == {("arith.andi", "%g"), ("arith.andi", "%few"), ("arith.cmpi", "%few")}
    assert len(frees) == 1 and works == set() and ("%few",) in otherwise
    more = freed("  scf.if %g {", f"    memref.copy %m, %t : {T} to {T}", f"    memref.dealloc %t : {T}", "  }")
    works, frees = derive(more, "works_inside", "just_frees", rules=STATIC)
    assert len(works) == 1 and frees == set()


def test_another_deallocation_takes_the_rest() -> None:
    ways = ("  scf.if %d {", "  } else {", f"    memref.dealloc %t : {T}", "  }")
    text = freed("  %h = arith.andi %g, %few : i1", "%h")
    alone, leaves, others = derive(text, "freed_with_idle", "perhaps_unfreed", "ends_by_others", rules=STATIC)
    assert {(value, i1) for _, value, i1 in alone} == {("%t", "%h")} and others == set()
    assert {value for _, value in leaves} == {"%t"}
    text = freed("  %h = arith.andi %g, %few : i1", "%h", *ways)
    alone, others, wrong = derive(text, "freed_with_idle", "ends_by_others", "freed_on_idle", rules=STATIC)
    assert {value for _, value in others} == {"%t"} and len(alone) == 1 and wrong == set()
    view = text.replace("  scf.if %h", f"  %v = memref.cast %t : {T} to {T}\n  scf.if %h")
    view = view.replace("dealloc %t", "dealloc %v", 1)
    assert derive(view, "freed_on_idle", rules=STATIC) == set()


INSIDE = f"""
func.func private @mk(%k: i1, %p: {T}) -> ({T}, i1) {{
  %true = arith.constant true
  %false = arith.constant false
  %t, %g = scf.if %k -> ({T}, i1) {{
    %x = memref.alloc() : {T}
    memref.copy %p, %x : {T} to {T}
    scf.yield %x, %true : {T}, i1
  }} else {{
    scf.yield %p, %false : {T}, i1
  }}
  return %t, %g : {T}, i1
}}
func.func @f(%c: i1, %d: i1, %n: index, %m: {T}) {{
  %t, %g = func.call @mk(%c, %m) : (i1, {T}) -> ({T}, i1)
  %few = arith.cmpi slt, %n, %n : index
  memref.copy %t, %m : {T} to {T}
  scf.if WHERE {{
    scf.if %g {{
      memref.dealloc %t : {T}
    }}
  }}
  return
}}
"""


@pytest.mark.parametrize("where", ["%d", "%few"])
def test_freed_inside_of_what_goes_by_another_i1(where: str) -> None:
    text = INSIDE.replace("WHERE", where)
    inside, chooses, idly, beside, wrong = derive(
        text, "freed_in_conditional", "chooses_inside", "goes_by_idle", "used_by_others", "freed_on_some_way",
        rules=STATIC,
    )  # fmt: skip
    assert {value for _, value, _ in inside} == {value for _, value in wrong} == {"%t"}
    assert {i1 for _, i1 in chooses} == {where} and len(idly) == 1 and beside == set()
    assert refusals(text) == ["this is freed on some paths only, and on the others nothing frees it"]


def test_freed_inside_on_both_sides() -> None:
    text = INSIDE.replace("WHERE", "%d")
    side = text[text.index("    scf.if %g") : text.index("  }\n  return\n}", text.index("    scf.if %g"))]
    both = text.replace(side, f"{side}  }} else {{\n{side}")
    assert derive(both, "freed_on_some_way", rules=STATIC) == set() and refusals(both) == []
    used = text.replace("scf.if %d", '"test.use"(%d) : (i1) -> ()\n  scf.if %d')
    beside, idly = derive(used, "used_by_others", "goes_by_idle", rules=STATIC)
    assert beside == {("%d",)} and idly == set()
