"""Which buffers are one and the same on every path."""

from .derive import Rows
from .derive import derive as derive_by

T = "memref<2xf32>"


def derive(lines: str, *relations: str) -> Rows | tuple[Rows, ...]:
    text = f"func.func @f(%c: i1, %i: index, %m: {T}) {{\n  %a = memref.alloc() : {T}\n{lines}\n  return\n}}"
    return derive_by(text, *relations, rules=("buffer_deallocation_simplification",))


def origins(lines: str) -> dict[str, str]:
    return dict(derive(lines, "stands_for"))  # type: ignore[arg-type]


def test_first_sources_lead_to_a_guess() -> None:
    lines = f"  %s = arith.select %c, %m, %a : {T}\n  %t = arith.select %c, %s, %s : {T}"
    first, order, guess, mixed, one = derive(lines, "first_source", "first_order", "guess", "mixed", "has_one_origin")
    assert first == {("%s", "%m"), ("%t", "%s")} and order == {("%s", 0), ("%t", 2)}
    assert guess == {("%m", "%m"), ("%a", "%a"), ("%s", "%m"), ("%t", "%m")}
    assert mixed == {("%s",), ("%t",)} and one == {("%m",), ("%a",)}
    assert origins(lines) == {"%m": "%m", "%a": "%a", "%s": "%s", "%t": "%t"}


def test_edges_that_hand_over_one_buffer() -> None:
    lines = f"  %v = memref.cast %a : {T} to memref<?xf32>\n  %w = memref.cast %v : memref<?xf32> to {T}\n"
    lines += f"  cf.cond_br %c, ^bb1(%a, %a : {T}, {T}), ^bb1(%w, %m : {T}, {T})\n^bb1(%x: {T}, %y: {T}):"
    assert origins(lines) == {"%m": "%m", "%a": "%a", "%v": "%a", "%w": "%a", "%x": "%a", "%y": "%y"}


def test_loops_that_keep_their_buffers() -> None:
    pair = f"({T}, {T})"
    lines = (
        f"  %z = arith.constant 0 : index\n"
        f"  %r:2 = scf.for %j = %z to %i step %i iter_args(%p = %a, %q = %a) -> {pair} {{\n"
        f"    %n = memref.alloc() : {T}\n"
        f"    %k = arith.select %c, %p, %a : {T}\n    scf.yield %k, %n : {T}, {T}\n  }}"
    )
    found = origins(lines)
    assert {value for value, origin in found.items() if origin == "%a"} == {"%a", "%p", "%k", "%r#0"}
    assert found["%q"] == "%q" and found["%r#1"] == "%r#1"


def test_swapped_buffers_are_mixed() -> None:
    pair = f"({T}, {T})"
    lines = (
        f"  %z = arith.constant 0 : index\n"
        f"  %r:2 = scf.for %j = %z to %i step %i iter_args(%p = %a, %q = %m) -> {pair} {{\n"
        f"    scf.yield %q, %p : {T}, {T}\n  }}"
    )
    assert derive(lines, "mixed") == {("%p",), ("%q",), ("%r#0",), ("%r#1",)}


def test_what_was_in_memory_may_be_something_else() -> None:
    cell = f"memref<1x{T}>"
    lines = (
        f"  %z = arith.constant 0 : index\n  %h = memref.alloc() : {cell}\n"
        f"  memref.store %a, %h[%z] : {cell}\n  %l = memref.load %h[%z] : {cell}"
    )
    assert ("%l",) in derive(lines, "mixed") and origins(lines)["%l"] == "%l"


def test_tensors_of_unknown_buffers() -> None:
    lines = (
        f"  %t = bufferization.to_tensor %a : {T} to tensor<2xf32>\n"
        f"  %b = bufferization.to_buffer %t : tensor<2xf32> to {T}\n"
        f"  %u = tensor.empty() : tensor<2xf32>\n"
        f"  %d = bufferization.to_buffer %u : tensor<2xf32> to {T}"
    )
    assert origins(lines)["%b"] == "%a" and ("%d",) in derive(lines, "mixed")


def test_a_result_of_which_nothing_is_said_may_be_something_else() -> None:
    lines = f'  %v = "shape.any"(%a) : ({T}) -> {T}\n  %s = arith.select %c, %a, %a : {T}'
    assert origins(lines) == {"%m": "%m", "%a": "%a", "%v": "%v", "%s": "%a"}


def test_what_is_handed_on_from_where_buffers_meet() -> None:
    lines = f"  %s = arith.select %c, %m, %a : {T}\n  %t = arith.select %c, %s, %s : {T}\n"
    lines += f"  %v = memref.cast %t : {T} to memref<?xf32>\n"
    lines += f"  %x = arith.select %c, %m, %a : {T}\n  %u = arith.select %c, %t, %x : {T}"
    meeting, start, scattered, well, back = derive(
        lines, "meeting_point", "start", "scattered", "starts_well", "goes_back_to"
    )
    assert meeting == {("%s",), ("%x",)} and {("%s", "%s"), ("%t", "%s"), ("%v", "%s"), ("%u", "%s")} <= start
    assert scattered == {("%u",)} and well == {("%s",), ("%t",), ("%v",), ("%x",)}
    assert {("%a", "%a"), ("%s", "%s"), ("%t", "%s"), ("%v", "%s"), ("%x", "%x"), ("%u", "%u")} <= back
