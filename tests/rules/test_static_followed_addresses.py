"""Buffers that are followed along all paths, and the addresses of which are compared."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
LEAKS = "on some path, no deallocation that the function has frees this buffer"
TWICE = "this buffer has been freed before"
LATE = "this buffer is used after it has been freed"

UNSEEN = f"""
func.func private @unseen({T}, {T}) -> {T}
func.func @f(%c: i1) {{
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  %r = func.call @unseen(%a, %b) : ({T}, {T}) -> {T}
  %pr = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %pa = memref.extract_aligned_pointer_as_index %a : {T} -> index
  %pb = memref.extract_aligned_pointer_as_index %b : {T} -> index
  %not_a = arith.cmpi ne, %pr, %pa : index
  %not_b = arith.cmpi ne, %pr, %pb : index
  %is_a = arith.cmpi eq, %pr, %pa : index
  %new = arith.andi %not_a, %not_b : i1
"""


def program(*lines: str) -> str:
    return UNSEEN + "".join(f"  {line}\n" for line in (*lines, "return")) + "}\n"


def free(name: str) -> str:
    return f"memref.dealloc {name} : {T}"


def free_if(condition: str, name: str) -> str:
    return f"scf.if {condition} {{ {free(name)} }}"


def use(name: str) -> str:
    return f"linalg.fill ins(%zero : f32) outs({name} : {T})"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((use("%r"), free_if("%new", "%r"), free("%a"), free("%b")), set()),
        ((free_if("%not_a", "%a"), free_if("%not_b", "%b"), use("%r"), free("%r")), set()),
        ((free_if("%is_a", "%r"), free_if("%not_a", "%a"), free("%b"), free_if("%new", "%r")), set()),
        ((free_if("%is_a", "%a"), free_if("%not_b", "%b"), use("%r"), free("%r")), {LEAKS, LATE, TWICE}),
        ((free_if("%not_a", "%r"), free("%a"), free("%b")), {TWICE}),
        ((free_if("%is_a", "%r"), free("%a"), free("%b")), {LEAKS, TWICE}),
        ((free_if("%new", "%r"), free("%a"), free_if("%not_b", "%b")), {LEAKS}),
        ((free_if("%new", "%r"), free_if("%not_a", "%a"), free("%b")), {LEAKS}),
        ((free_if("%not_a", "%a"), use("%a"), free_if("%not_b", "%b"), free("%r")), {LATE}),
    ],
)  # fmt: skip
def test_what_an_unseen_function_returns(lines: tuple[str, ...], expected: set[str]) -> None:
    text = program(*lines)
    assert {each.message for each in run_dealog(text, ("static-buffer-deallocation",)).diagnostics} == expected
    assert derive(text, "trail_is_lost", rules=STATIC) == set()


ROUND = f"""
func.func private @unseen({T}) -> {T}
func.func @f(%lower: index, %upper: index, %step: index) {{
  %false = arith.constant false
  scf.for %i = %lower to %upper step %step {{
    %a = memref.alloc() : {T}
    %r = func.call @unseen(%a) : ({T}) -> {T}
    %pr = memref.extract_aligned_pointer_as_index %r : {T} -> index
    %pa = memref.extract_aligned_pointer_as_index %a : {T} -> index
    %new = arith.cmpi ne, %pr, %pa : index
    scf.if %new {{
      memref.dealloc %r : {T}
    }}
    memref.dealloc %a : {T}
  }}
  return
}}
"""


def test_each_run_of_a_call_is_followed() -> None:
    assert run_dealog(ROUND, ("static-buffer-deallocation",)).diagnostics == ()
    others = derive(ROUND, "turns_into_other", rules=STATIC)
    assert {row[:2] for row in others} == {("%a", "%r"), ("%r", "%r")}
    late = ROUND.replace("cmpi ne", "cmpi eq")
    assert {each.message for each in run_dealog(late, ("static-buffer-deallocation",)).diagnostics} == {LEAKS, TWICE}


def test_what_compares_what() -> None:
    text = program(free_if("%new", "%r"), free("%a"), free("%b"))
    compared, pointers, known = derive(
        text, "compares_pointers", "allocation_address", "known_by_address", rules=STATIC
    )
    assert compared == {("%not_a", "%r", "%a", 0), ("%not_b", "%r", "%b", 0)}
    assert pointers == {("%pr", "%r"), ("%pa", "%a"), ("%pb", "%b")} and {value for _, value in known} == {"%r"}
    assert {value for value, _ in derive(text, "address_compared", rules=STATIC)} == {"%r"}
    assert derive(text, "compares_addresses", rules=STATIC) == {
        ("%not_a", "%r", "%a", "ne"), ("%not_b", "%r", "%b", "ne"),
    }  # fmt: skip
    names, values, others, totals = derive(
        text, "compares_name", "compared_value", "other_compared", "others_compared", rules=STATIC
    )
    assert names == {(each, i1) for each in ("%a", "%b", "%r") for i1 in ("%not_a", "%not_b")}
    assert values == {(each, value) for each in ("%a", "%b", "%r") for value in ("%a", "%b", "%r")}
    assert others == set() and totals == {("%a", 0), ("%b", 0), ("%r", 0)}
    assert {("%a",), ("%b",), ("%r",)} == derive(text, "names_owned", rules=STATIC)
    bits, are = derive(text, "pointer_bit", "addresses_are", rules=STATIC)
    assert {(a, value, bit) for a, _, _, value, bit in bits if a == "%a"} == {
        ("%a", "%a", 1), ("%a", "%b", 0), ("%a", "%r", 0), ("%a", "%r", 1),
    }  # fmt: skip
    assert {(a, i1, left, right) for a, _, _, i1, _, left, right in are if a == "%r"} == {
        ("%r", i1, left, 0) for i1 in ("%not_a", "%not_b") for left in (0, 1)
    }


MORE = f"""  %m = memref.alloca() : {T}
  %pm = memref.extract_aligned_pointer_as_index %m : {T} -> index
"""


@pytest.mark.parametrize("order", ["%pm, %pa", "%pa, %pm"])
def test_buffers_that_are_not_one(order: str) -> None:
    made = f"{MORE}  %one = arith.cmpi eq, {order} : index"
    text = program(made.strip(), free_if("%one", "%a"), free_if("%new", "%r"), free("%b"))
    assert ("%a", "%one") in derive(text, "compares_name", rules=STATIC)
    assert {(value, each) for value, each in derive(text, "leaks_on_path", rules=STATIC) if value == "%a"} != set()
    other = program(made.strip().replace("%pa", "%pb"), free_if("%one", "%a"), free_if("%new", "%r"), free("%b"))
    compared, totals = derive(other, "other_compared", "others_compared", rules=STATIC)
    assert compared == {("%a", "%one")} and ("%a", 1) in totals


def test_several_comparisons_of_others_may_depend_on_one_another() -> None:
    lines = [f"%{p}{q} = arith.cmpi eq, %p{p}, %p{q} : index" for p, q in ("mb", "mx", "bx")]
    more = f"{MORE}  %x = memref.alloca() : {T}\n  %px = memref.extract_aligned_pointer_as_index %x : {T} -> index"
    text = program(more.strip(), *lines, free_if("%mb", "%a"), free_if("%mx", "%a"), free("%b"))
    assert ("%a",) not in derive(text, "i1s_may_depend", rules=STATIC)
    text = program(more.strip(), *lines, *(free_if(f"%{each}", "%a") for each in ("mb", "mx", "bx")), free("%b"))
    assert ("%a",) in derive(text, "i1s_may_depend", rules=STATIC)


SHIFTED = f"""
func.func private @unseen({T}) -> {T}
func.func @f(%n: index, %c: i1) {{
  %m = memref.alloc() : memref<64xi8>
  %v = memref.view %m[%n][] : memref<64xi8> to {T}
  %w = memref.alloc() : {T}
  %x = arith.select %c, %v, %w : {T}
  %r = func.call @unseen(%x) : ({T}) -> {T}
  %pr = memref.extract_aligned_pointer_as_index %r : {T} -> index
  %px = memref.extract_aligned_pointer_as_index %x : {T} -> index
  %new = arith.cmpi ne, %pr, %px : index
  scf.if %new {{
    memref.dealloc %r : {T}
  }}
  memref.dealloc %w : {T}
  memref.dealloc %m : memref<64xi8>
  return
}}
"""


def test_addresses_of_views_that_start_elsewhere_tell_nothing() -> None:
    elsewhere, lost, compared = derive(SHIFTED, "starts_elsewhere", "trail_is_lost", "compares_pointers", rules=STATIC)
    assert elsewhere == {("%v",), ("%x",)} and ("%w",) in lost and compared == set()
    cast = f"%w = memref.cast %v : {T} to memref<?xf32>\n  %x = memref.cast %w : memref<?xf32> to {T}"
    start, end = SHIFTED.index("%w ="), SHIFTED.index("  %r =")
    casts = (SHIFTED[:start] + cast + "\n" + SHIFTED[end:]).replace(f"  memref.dealloc %w : {T}\n", "")
    assert derive(casts, "starts_elsewhere", rules=STATIC) == {("%v",), ("%w",), ("%x",)}
    called = SHIFTED.replace("arith.select %c, %v, %w", f"call @same(%w) : ({T}) -> {T}").replace(
        f"%x = call @same(%w) : ({T}) -> {T} : {T}", f"%x = call @same(%w) : ({T}) -> {T}"
    ) + f"func.func private @same(%y: {T}) -> {T} {{\n  return %y : {T}\n}}\n"
    assert derive(called, "starts_elsewhere", rules=STATIC) == {("%v",), ("%x",)}
    plain = SHIFTED.replace("%m[%n][]", "%m[%zero][]").replace("  %m =", "  %zero = arith.constant 0 : index\n  %m =")
    assert derive(plain, "starts_elsewhere", rules=STATIC) == {("%v",), ("%x",)}


def test_i1s_read_with_addresses() -> None:
    text = f"""
func.func private @tell(memref<1xindex>, memref<1xi1>)
func.func @f(%a: {T}) {{
  %zero = arith.constant 0 : index
  %addresses = memref.alloc() : memref<1xindex>
  %answers = memref.alloc() : memref<1xi1>
  %b = memref.alloc() : {T}
  %p = memref.extract_aligned_pointer_as_index %b : {T} -> index
  memref.store %p, %addresses[%zero] : memref<1xindex>
  call @tell(%addresses, %answers) : (memref<1xindex>, memref<1xi1>) -> ()
  %own = memref.load %answers[%zero] : memref<1xi1>
  scf.if %own {{
    memref.dealloc %b : {T}
  }}
  memref.dealloc %addresses : memref<1xindex>
  memref.dealloc %answers : memref<1xi1>
  return
}}
"""
    read, lost = derive(text, "read_with_addresses", "trail_is_lost", rules=STATIC)
    assert read == {("%own",)} and ("%b",) in lost


BOTH_GIVEN = f"""
func.func private @f(%x: {T}, %y: {T}) {{
  %px = memref.extract_aligned_pointer_as_index %x : {T} -> index
  %py = memref.extract_aligned_pointer_as_index %y : {T} -> index
  %two = arith.cmpi ne, %px, %py : index
  memref.dealloc %x : {T}
  scf.if %two {{
    memref.dealloc %y : {T}
  }}
  return
}}
func.func @g(%c: i1) {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  call @f(%a, %b) : ({T}, {T}) -> ()
  return
}}
"""


def test_arguments_may_be_one_buffer() -> None:
    argument, depend, holds = derive(BOTH_GIVEN, "compares_argument", "i1s_may_depend", "i1_bit", rules=STATIC)
    assert argument == {("%y", "%two")} and depend == {("%y",)}  # of %x, it does not matter
    assert {row[-1] for row in holds if row[0] == "%y" and row[3] == "%two"} == {0, 1}
    assert derive(BOTH_GIVEN, "names_owned", rules=STATIC) == set()
    assert run_dealog(BOTH_GIVEN, ("static-buffer-deallocation",)).diagnostics == ()
