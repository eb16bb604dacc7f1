"""Buffers that are read back from memory are other names of what was written."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
H = f"memref<2x{T}>"

YIELDED = f"""
func.func @f(%c: i1, %m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : {T}
  %r = scf.if %c -> ({T}) {{
    %a = memref.alloc() : {T}
    %h = memref.alloc() : {H}
    memref.store %a, %h[%c0] : {H}
    BETWEEN
    %l = memref.load %h[%c0] : {H}
    scf.yield %l : {T}
  }} else {{
    scf.yield %o : {T}
  }}
  memref.copy %r, %m : {T} to {T}
  return
}}
"""


@pytest.mark.parametrize(
    ("between", "known"),
    [
        ("", "%a"),
        ("memref.store %c0, %numbers[%c0] : memref<1xindex>", "%a"),
        (f"memref.store %o, %h[%c0] : {H}", "%o"),
        (f"memref.store %o, %h[%c1] : {H}", None),
        (f"memref.store %o, %i[%c0] : {H}", None),
        ("func.call @unseen() : () -> ()", None),
        (f"scf.if %c {{ memref.store %o, %h[%c0] : {H} }}", None),
    ],
)
def test_what_was_written_last_is_read_back(between: str, known: str | None) -> None:
    """Where something else may have been written since, what is read is not known."""
    text = YIELDED.replace("BETWEEN", between).replace(
        "func.func @f(", f"func.func private @unseen()\nfunc.func @f(%numbers: memref<1xindex>, %i: {H}, "
    )
    back, name, view, loaded = derive(
        text, "same_as_written", "other_name_of", "view_of", "loaded_buffer", rules=STATIC
    )
    assert back == name == ({("%l", known)} if known else set())
    assert back <= view
    assert loaded == (set() if known else {("%l",)})


def test_it_is_handed_over_by_that_name() -> None:
    """So the region hands on the allocation itself, which is freed by the name of the result."""
    handed, out, after, partial = derive(
        YIELDED.replace("BETWEEN", ""), "handed_over", "out_of_scope", "freed_after", "partial", rules=STATIC
    )
    assert {(row[0], row[4]) for row in handed} == {("%a", "%r"), ("%o", "%r")}
    assert out == set()
    assert ("%r", "memref.copy#11") in after
    assert partial == set()


def test_what_is_read_back_lends_what_was_read_before() -> None:
    """%k was read from memory that holds %a, and %l is %k: %a lives as long as %l."""
    text = f"""
func.func @f(%m: {T}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : {T}
  %h = memref.alloc() : {H}
  memref.store %a, %h[%c0] : {H}
  memref.store %a, %h[%c1] : {H}
  %k = memref.load %h[%c0] : {H}
  memref.store %k, %h[%c0] : {H}
  %l = memref.load %h[%c0] : {H}
  memref.copy %l, %m : {T} to {T}
  return
}}
"""
    back, derived, after = derive(text, "same_as_written", "derived_from", "freed_after", rules=STATIC)
    assert back == {("%l", "%k")}
    assert {("%k", "%a"), ("%l", "%a")} <= derived
    assert ("%a", "memref.copy#10") in after


def test_the_other_pipeline_keeps_what_was_written_for_the_name_that_is_read() -> None:
    """It does as MLIR does, to which what is read from memory is another buffer."""
    name, derived = derive(YIELDED.replace("BETWEEN", ""), "other_name_of", "derived_from")
    assert name == set()
    assert ("%l", "%a") in derived
