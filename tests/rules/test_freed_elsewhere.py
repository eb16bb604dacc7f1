"""Buffers that the text frees under another name, and that nothing may free a second time."""

from __future__ import annotations

import pytest

from tests.rules.derive import OWNERSHIP, derive

STATIC = ("static_buffer_deallocation",)
BUFFER, HOLDER = "memref<4xf32>", "memref<1xmemref<4xf32>>"
TEXT = f"""
func.func private @frees(%m: {BUFFER}) {{
  memref.dealloc %m {{bufferization.manual_deallocation}} : {BUFFER}
  return
}}
func.func private @passes(%c: i1, %n: {BUFFER}) {{
  call @frees(%n) : ({BUFFER}) -> ()
  return
}}
func.func private @empties(%h: {HOLDER}) {{
  %zero = arith.constant 0 : index
  %l = memref.load %h[%zero] : {HOLDER}
  memref.dealloc %l {{bufferization.manual_deallocation}} : {BUFFER}
  return
}}
func.func @f(%c: i1) {{
  %zero = arith.constant 0 : index
  %h = memref.alloc() : {HOLDER}
  %a = memref.alloc() : {BUFFER}
  %b = memref.alloc() HAND: {BUFFER}
  %v = memref.cast %b : {BUFFER} to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to {BUFFER}
  memref.store %a, %h[%zero] : {HOLDER}
  call @empties(%h) : ({HOLDER}) -> ()
  call @passes(%c, %w) : (i1, {BUFFER}) -> ()
  return
}}
"""
IN_MEMORY = (
    "func.call#8", 12, "what is read from memory here is freed, and may be a buffer that is freed anyway",
)  # fmt: skip
GIVEN = ("func.call#9", 12, "what is called here frees a buffer that it is given, and that is freed here, too")


@pytest.mark.parametrize("rules", [OWNERSHIP, STATIC], ids=["mlir", "static"])
def test_what_is_freed_under_another_name(rules: tuple[str, ...]) -> None:
    ends_freed, given, held, by_call, from_memory, traced, to_be_freed, refused = derive(
        TEXT.replace("HAND", ""), "ends_freed", "frees_given", "frees_held", "freed_by_call", "freed_from_memory",
        "traced_back", "to_be_freed_here", "refused", rules=rules,
    )  # fmt: skip
    assert ends_freed == {("@frees/%m",), ("@passes/%n",), ("@empties/%l",), ("%w",), ("%v",), ("%b",), ("%a",)}
    assert given == {("@frees", 0), ("@passes", 1)}
    assert held == {("@empties",), ("@f",)}
    assert {op for op, _ in by_call} == {"@passes/func.call#1", "func.call#9"}
    assert from_memory == {("func.call#8", "%a")}
    assert traced == {("@passes/%n",), ("%w",), ("%v",), ("%b",), ("%a",)}
    assert to_be_freed == {("%w",), ("%v",), ("%b",), ("%a",)}
    assert refused == {IN_MEMORY, GIVEN}


def test_what_is_left_to_hand_is_no_concern() -> None:
    assert derive(TEXT.replace("HAND", "{bufferization.manual_deallocation} "), "refused") == {IN_MEMORY}


def test_a_function_called_by_its_address() -> None:
    text = TEXT.replace("HAND", "").replace(
        f"call @passes(%c, %w) : (i1, {BUFFER})",
        f"%p = func.constant @passes : (i1, {BUFFER}) -> ()\n  func.call_indirect %p(%c, %w) : (i1, {BUFFER})",
    )
    by_call, refused = derive(text, "freed_by_call", "refused")
    assert ("func.call_indirect#10", "%w") in by_call
    assert refused == {IN_MEMORY, ("func.call_indirect#10", *GIVEN[1:])}


def test_what_functions_show_of_each_other() -> None:
    summary = derive(TEXT.replace("HAND", ""), "function_summary")
    assert {row[1:] for row in summary if row[2].startswith("frees")} == {
        ("@frees", "frees given", 0, 0),
        ("@passes", "frees given", 1, 0),
        ("@empties", "frees held", 0, 0),
        ("@f", "frees held", 0, 0),
    }


GIVEN_BACK = """
func.func private @ext(memref<4xf32>) -> memref<4xf32>
func.func private @g(%m: memref<4xf32>, %n: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  EXTERNAL
  return %n, %a : memref<4xf32>, memref<4xf32>
}
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  %r:2 = call @g(%x, %y) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.dealloc %r#NUMBER : memref<4xf32>
  return
}
"""


@pytest.mark.parametrize(("number", "freed"), [("0", {("@f", 1)}), ("1", set())])
def test_what_a_function_never_gives_back_is_not_freed_with_its_result(number: str, freed: set[tuple]) -> None:
    text = GIVEN_BACK.replace("NUMBER", number).replace("EXTERNAL", "")
    back, never, unseen, given = derive(
        text, "given_back_by", "never_comes_from", "calls_unseen", "frees_given", rules=STATIC
    )
    assert {row[1:] for row in back} == {("%r#0", "%y")} and unseen == set()
    assert never == {("%r#0", "%x"), ("%r#1", "%x"), ("%r#1", "%y")}
    assert given == freed


@pytest.mark.parametrize("memory", [False, True])
def test_what_may_come_back_unseen_may_be_freed_with_a_result(memory: bool) -> None:
    call = "%e = call @ext(%m) : (memref<4xf32>) -> memref<4xf32>"
    if memory:
        call = """%zero = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xf32>>
  %g = memref.cast %h : memref<1xmemref<4xf32>> to memref<1xmemref<4xf32>>
  memref.store %m, %h[%zero] : memref<1xmemref<4xf32>>
  %e = memref.load %g[%zero] : memref<1xmemref<4xf32>>"""
    text = GIVEN_BACK.replace("NUMBER", "0").replace("EXTERNAL", call).replace("return %n", "return %e")
    never, unseen, given = derive(text, "never_comes_from", "calls_unseen", "frees_given", rules=STATIC)
    assert never == ({("%r#1", "%x"), ("%r#1", "%y")} if memory else set())
    assert given == ({("@f", 0)} if memory else {("@f", 0), ("@f", 1)})
    assert unseen == (set() if memory else {("@g",), ("@f",)})
