"""Buffers that are held for nothing, the most that a function holds, copies that could go, and what cannot go well."""

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


def test_the_most_that_a_function_holds() -> None:
    assert told(HELD, "peak_memory", "held_at_peak") == [
        "3: %a holds 2097152 of the 4194304 bytes that @f holds when it holds the most; 6: that is here",
        "6: %b holds 2097152 of the 4194304 bytes that @f holds when it holds the most; 6: that is here",
        "6: @f holds the most memory here: at least 4194304 bytes",
    ]
    assert told(SOONER, "peak_memory", "held_at_peak") == [
        "3: %a holds 2097152 of the 2097152 bytes that @f holds when it holds the most; 3: that is here",
        "3: @f holds the most memory here: at least 2097152 bytes",
    ]
    assert told(HELD.replace("512x1024", "512x10"), "peak_memory", "held_at_peak") == []


def test_buffers_in_regions_count_on_top() -> None:
    text = f"""func.func @f(%c: i1, %v: f32) {{
      %a = memref.alloc() : {T}
      scf.if %c {{
        %b = memref.alloc() : {T}
        linalg.fill ins(%v : f32) outs(%b : {T})
      }}
      linalg.fill ins(%v : f32) outs(%a : {T})
      return
    }}
    """
    names = (
        "held_during", "allocated_bytes", "freed_bytes", "lets_go_at", "let_go_at", "let_go_bytes", "allocated_at",
        "only_block",
        "stays_structured", "held_when", "peak_bytes", "first_at_most", "peak_allocation", "at_peak", "freed_by_then",
    )  # fmt: skip
    found = dict(zip(names, derive(text, *names), strict=True))
    inner, size = "scf.if#2.0", 2**21
    assert found["only_block"] >= {("^bb0",), (inner,)} and found["stays_structured"] >= {("^bb0",), (inner,)}
    assert found["allocated_at"] == {("%a", "^bb0", 0, size), ("%b", inner, 0, size)}
    assert found["let_go_at"] == {("%a", "^bb0", 2), ("%b", inner, 1)}
    assert found["lets_go_at"] == {("^bb0", 2), (inner, 1)}
    assert found["freed_bytes"] == {("^bb0", 2, size), (inner, 1, size)}
    assert found["let_go_bytes"] == {("%a", "^bb0", 2, size), ("%b", inner, 1, size)}
    assert found["allocated_bytes"] >= {("^bb0", 0, size), ("^bb0", 1, 0), (inner, 0, size)}
    assert found["held_during"] >= {("^bb0", 0, size), ("^bb0", 1, size), ("^bb0", 3, 0), (inner, 0, 2 * size)}
    assert found["held_when"] == {("@f", "%a", size), ("@f", "%b", 2 * size)}
    assert found["peak_bytes"] == {("@f", 2 * size)} and found["peak_allocation"] == {("@f", 2 * size, "%b")}
    assert {row[0] for row in found["first_at_most"]} == {"@f"}
    assert found["at_peak"] == {("memref.alloc#3", inner, 0), ("memref.alloc#3", "^bb0", 1)}
    assert found["freed_by_then"] == set()


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
        ("  %w =", "  memref.store %v, %a[%c0] : memref<4xf32>\n  %w =", "used_behind"),
        ("  memref.copy", "  memref.store %v, %b[%c0] : memref<4xf32>\n  memref.copy", "used_before"),
        ("  return %w", "  cf.br ^bb1\n^bb1:\n  memref.store %v, %a[%c0] : memref<4xf32>\n  return %w", "leaves_block"),
    ],
)
def test_a_copy_that_has_to_stay(line: str, changed: str, relation: str) -> None:
    text = COPIED.replace(line, changed)
    assert told(text, "needless_copy") == []
    used_behind, used_before, leaves_block = derive(text, "used_behind", "used_before", "leaves_block")
    found = {"used_behind": used_behind, "used_before": used_before, "leaves_block": leaves_block}
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
    constant_access, indexed_behind = derive(text, "constant_access", "indexed_behind")
    assert {row[2:] for row in constant_access} == {(0, 4), (1, 0), (0, 0), (1, 4), (0, -1)}
    assert indexed_behind == {("memref.load", 0, 1), ("memref.store", 1, 2)}


def test_findings_are_relations() -> None:
    held_long, peak_memory, held_at_peak = derive(HELD, "held_long", "peak_memory", "held_at_peak")
    assert held_long == {("memref.dealloc#7", "%a", "%b", "memref.load#4")}
    assert peak_memory == {("memref.alloc#5", "@f", 2**22)}
    assert held_at_peak == {(v, "memref.alloc#5", "@f", 2**21, 2**22) for v in ("%a", "%b")}
    assert derive(COPIED, "needless_copy") == {("memref.copy#5", "%a", "%b")}
    certain_abort, out_of_bounds = derive(HELD, "certain_abort", "out_of_bounds")
    assert certain_abort == out_of_bounds == set()
