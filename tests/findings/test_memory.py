"""Buffers that are held for nothing, copies that could go, and what cannot go well."""

from __future__ import annotations

import pytest

from dealog.checking.fixes import apply

from .derive import derive, findings, told

T = "memref<512x1024xf32>"  # two MiB

HELD = f"""func.func @f(%v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : {T}
  memref.store %v, %a[%c0, %c0] : {T}
  %w = memref.load %a[%c0, %c0] : {T}
  %b = memref.alloc() : {T}
  linalg.fill ins(%w : f32) outs(%b : {T})
  memref.dealloc %a : {T}
  %u = memref.load %b[%c0, %c0] : {T}
  memref.dealloc %b : {T}
  return %u : f32
}}
"""
SOONER = HELD.replace(f"  memref.dealloc %a : {T}\n", "").replace("  %b =", f"  memref.dealloc %a : {T}\n  %b =")


def test_a_buffer_that_is_held_for_nothing() -> None:
    assert told(HELD, "held_long") == [
        "8: the buffer %a is held for nothing while %b is allocated; 5: it is used here for the last time; "
        "6: this is allocated meanwhile"
    ]
    assert told(SOONER, "held_long") == []
    used_later = HELD.replace("  memref.dealloc %a", f"  memref.store %v, %a[%c0, %c0] : {T}\n  memref.dealloc %a")
    assert told(used_later, "held_long") == []


def test_it_is_freed_sooner() -> None:
    assert apply(HELD, [edit for finding in findings(HELD, "held_long") for edit in finding.edits]) == SOONER


def test_what_leads_there() -> None:
    released_at, used_ahead, used_until, latest_allocation, freed_sooner = derive(
        HELD, "released_at", "used_ahead", "used_until", "latest_allocation", "freed_sooner"
    )
    a, b = "memref.dealloc#7", "memref.dealloc#9"
    assert released_at == {("%a", a, "%a", "^bb0", 6), ("%b", b, "%b", "^bb0", 8)}
    assert used_ahead == {(a, "^bb0", p) for p in (1, 2, 3)} | {(b, "^bb0", p) for p in (4, 5, 7)}
    assert used_until == {(a, "^bb0", 3), (b, "^bb0", 7)}
    assert latest_allocation >= {("^bb0", 2, 1), ("^bb0", 4, 1), ("^bb0", 5, 4), ("^bb0", 10, 4)}
    assert ("^bb0", 5, 1) not in latest_allocation
    assert freed_sooner == {(a, "%a", "%b", "memref.load#4", a, "memref.alloc#5")}


COPIED = """func.func @f(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %w = memref.load %b[%c0] : memref<4xf32>
  return %w : f32
}
"""


def test_a_copy_that_could_go() -> None:
    message = (
        "6: %a is not used after it is copied to %b, so that one buffer would do; 3: this is allocated here; "
        "5: and this here"
    )
    assert told(COPIED, "needless_copy") == [message]
    copied_whole, allocated_as = derive(COPIED, "copied_whole", "allocated_as")
    assert copied_whole == {("memref.copy#5", "%a", "%b", "^bb0", 4)}
    assert allocated_as == {("%a", "memref.alloc", "^bb0"), ("%b", "memref.alloc", "^bb0")}


@pytest.mark.parametrize(
    ("line", "changed", "relation"),
    [
        ("  %w =", "  memref.store %v, %a[%c0] : memref<4xf32>\n  %w =", "used_after_copy"),
        ("  memref.copy", "  memref.store %v, %b[%c0] : memref<4xf32>\n  memref.copy", "used_before"),
        ("  return %w", "  cf.br ^bb1\n^bb1:\n  memref.store %v, %a[%c0] : memref<4xf32>\n  return %w", "leaves_block"),
    ],
)
def test_a_copy_that_has_to_stay(line: str, changed: str, relation: str) -> None:
    text = COPIED.replace(line, changed)
    assert told(text, "needless_copy") == []
    used_after_copy, used_before, leaves_block = derive(text, "used_after_copy", "used_before", "leaves_block")
    found = {"used_after_copy": used_after_copy, "used_before": used_before, "leaves_block": leaves_block}
    assert found[relation]


def test_what_cannot_go_well() -> None:
    text = """func.func @f(%m: memref<4x?xf32>, %n: index, %c: i1) {
  %false = arith.constant false
  %true = arith.constant true
  %i = arith.constant 4 : index
  %k = arith.constant -1 : index
  %z = arith.constant 0 : index
  cf.assert %true, "always"
  cf.assert %c, "at times"
  cf.assert %false, "never"
  %a = memref.load %m[%i, %z] : memref<4x?xf32>
  %b = memref.load %m[%z, %i] : memref<4x?xf32>
  memref.store %a, %m[%k, %n] : memref<4x?xf32>
  return
}
"""
    assert told(text, "certain_abort", "out_of_bounds") == [
        "9: the program aborts here: this is never true",
        "10: %m is accessed at 4 in dimension 0, which has 4 elements; 1: the buffer is defined here",
        "12: %m is accessed at -1 in dimension 0, which has 4 elements; 1: the buffer is defined here",
    ]
    constant_access, indexed_from = derive(text, "constant_access", "indexed_from")
    assert {row[2:] for row in constant_access} == {(0, 4), (1, 0), (0, 0), (1, 4), (0, -1)}
    assert indexed_from == {("memref.load", 0, 1), ("memref.store", 1, 2)}


def test_findings_are_relations() -> None:
    assert derive(HELD, "held_long") == {("memref.dealloc#7", "%a", "%b", "memref.load#4")}
    assert derive(COPIED, "needless_copy") == {("memref.copy#5", "%a", "%b")}
    certain_abort, out_of_bounds = derive(HELD, "certain_abort", "out_of_bounds")
    assert certain_abort == out_of_bounds == set()
