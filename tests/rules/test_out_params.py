"""Buffers that functions return and callers hand over instead, on small IR."""

from __future__ import annotations

import pytest

from tests.rules.derive import derive

OUT_PARAMS = ("buffer_results_to_out_params",)
CALLED = """
func.func @main(%c: i1, %n: index) {
  %r = call @f(%c, %n) : (i1, index) -> memref<?xf32>
  return
}
"""


def reasons(body: str, type: str = "memref<4xf32>") -> set[tuple[str | int, ...]]:
    text = f"func.func private @f(%c: i1, %n: index, %p: memref<1x{type}>) -> {type} {{{body}}}"
    found = derive(
        text, "allocated_by_callee", rules=OUT_PARAMS, hoist_static_allocs="true", hoist_dynamic_allocs="true"
    )
    assert isinstance(found, set)
    return found


def test_what_callers_allocate() -> None:
    body = "%a = memref.alloc() : memref<4xf32> return %a : memref<4xf32>"
    text = f"func.func private @f() -> memref<4xf32> {{{body}}}"
    hoisted = derive(text, "allocated_by_callers", rules=OUT_PARAMS, hoist_static_allocs="true")
    assert hoisted == {("%a", "memref.alloc#1", "@f", 0)}
    assert derive(text, "allocated_by_callers", rules=OUT_PARAMS, hoist_dynamic_allocs="true") == set()


# What follows is the block that returns another allocation.
RETURNED = """%a = memref.alloc() : memref<4xf32>
            cf.cond_br %c, ^bb1, ^bb2
            ^bb1:
            return %a : memref<4xf32>
            ^bb2:
            """
NEEDED = {(value, "it is needed where another allocation is the same result") for value in ("%a", "%b")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%a = memref.alloc() : memref<4xf32> return %a : memref<4xf32>", set()),
        (
            """%z = arith.constant 0 : index
            %a = memref.alloc() : memref<4xf32>
            memref.store %a, %p[%z] : memref<1xmemref<4xf32>>
            return %a : memref<4xf32>""",
            {("%a", "it is freed, taken over, or kept in memory")},
        ),
        (
            """cf.br ^bb1
            ^bb1:
            %a = memref.alloc() : memref<4xf32>
            cf.cond_br %c, ^bb1, ^bb2
            ^bb2:
            return %a : memref<4xf32>""",
            {("%a", "it is allocated in a cycle of blocks, once in each round")},
        ),
        (
            """%a = memref.alloc() : memref<4xf32>
            %b = memref.alloc() : memref<4xf32>
            cf.cond_br %c, ^bb1, ^bb2
            ^bb1:
            return %a : memref<4xf32>
            ^bb2:
            return %b : memref<4xf32>""",
            NEEDED,
        ),
        (
            RETURNED + """%b = memref.alloc() : memref<4xf32>
            scf.if %c {
              memref.copy %a, %b : memref<4xf32> to memref<4xf32>
            }
            return %b : memref<4xf32>""",
            NEEDED,
        ),
        (
            RETURNED + """%b = memref.alloc() : memref<4xf32>
            cf.br ^bb3
            ^bb3:
            memref.copy %a, %b : memref<4xf32> to memref<4xf32>
            return %b : memref<4xf32>""",
            NEEDED,
        ),
        (
            RETURNED + """%b = memref.alloc() : memref<4xf32>
            return %b : memref<4xf32>""",
            set(),
        ),
        (
            """cf.cond_br %c, ^bb1, ^bb2
            ^bb1:
            %a = memref.alloc() : memref<4xf32>
            return %a : memref<4xf32>
            ^bb2:
            %b = memref.alloc() : memref<4xf32>
            return %b : memref<4xf32>""",
            set(),
        ),
        (
            """%a = memref.alloc() : memref<4xf32>
            %v = memref.cast %a : memref<4xf32> to memref<?xf32>
            %w = memref.cast %v : memref<?xf32> to memref<4xf32>
            cf.cond_br %c, ^bb1, ^bb2
            ^bb1:
            return %a : memref<4xf32>
            ^bb2:
            return %w : memref<4xf32>""",
            {("%a", "another view of it is the same result")},
        ),
    ],
)
def test_what_callers_cannot_allocate(body: str, expected: set[tuple[str, str]]) -> None:
    assert reasons(body) == expected


@pytest.mark.parametrize(
    "returned", ["%a, %a : memref<4xf32>, memref<4xf32>", "%a, %b : memref<4xf32>, memref<4xf32>"]
)
def test_a_buffer_that_is_several_results(returned: str) -> None:
    text = f"""
    func.func private @f(%c: i1, %b: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {{
      %a = memref.alloc() : memref<4xf32>
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      return {returned}
    ^bb2:
      return %b, %a : memref<4xf32>, memref<4xf32>
    }}"""
    found, hoisted = derive(
        text, "allocated_by_callee", "allocated_by_callers", rules=OUT_PARAMS, hoist_static_allocs="true"
    )
    assert ("%a", "it is several results") in found
    assert hoisted == set()


@pytest.mark.parametrize(
    ("size", "refused"),
    [("%n", set()), ("%z", {("@main/func.call#1", 1, "cannot create out param for dynamically shaped result")})],
)
def test_sizes_have_to_be_arguments(size: str, refused: set[tuple[str, int, str]]) -> None:
    text = f"""
    func.func private @f(%c: i1, %n: index) -> memref<?xf32> {{
      %z = arith.addi %n, %n : index
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      %a = memref.alloc(%n) : memref<?xf32>
      return %a : memref<?xf32>
    ^bb2:
      %b = memref.alloc({size}) : memref<?xf32>
      return %b : memref<?xf32>
    }}{CALLED}"""
    assert derive(text, "refused", rules=OUT_PARAMS, hoist_dynamic_allocs="true") == refused


def test_how_calls_and_functions_change() -> None:
    text = """
    func.func private @f(%n: index) -> (memref<?xf32>, memref<4xf32, strided<[?], offset: ?>>) {
      %a = memref.alloc(%n) : memref<?xf32>
      %b = memref.alloc() : memref<4xf32>
      %v = memref.cast %b : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
      return %a, %v : memref<?xf32>, memref<4xf32, strided<[?], offset: ?>>
    }
    func.func @g(%n: index) {
      %r, %s = call @f(%n) : (index) -> (memref<?xf32>, memref<4xf32, strided<[?], offset: ?>>)
      return
    }"""
    new, gets, hands, beside, sizes, takes, unknown = derive(
        text, "out_param", "call_gets", "out_argument", "beside_operand", "sized_by_argument", "function_takes",
        "size_unknown", rules=OUT_PARAMS, hoist_dynamic_allocs="true",
    )  # fmt: skip
    laid_out = "memref<4xf32, strided<[?], offset: ?>>"
    assert new == {("@f", 0, "out @f 0", "memref<?xf32>"), ("@f", 1, "out @f 1", laid_out)}
    assert gets == {
        ("@g/func.call#1", 0, "@g/%r", "memref<?xf32>"), ("@g/func.call#1", 1, "@g/%s", laid_out)
    }
    assert hands == {("@g/func.call#1", 0, "alloc @g/%r"), ("@g/func.call#1", 1, "cast @g/%s")}
    assert beside == {("@g/func.call#1", 0)}
    assert sizes == {("@f", 0, 0, 0)}
    assert takes == {("@f", "%n")}
    assert unknown == set()


def test_who_may_change() -> None:
    text = """
    func.func nested @f(%c: i1) {
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      return
    ^bb2:
      return
    }
    func.func private @declared()
    func.func @g(%c: i1) {
      call @f(%c) : (i1) -> ()
      "test.calls"() {callee = @f} : () -> ()
      return
    }"""
    private, alone, others, blocks, returns, first, changed, plainly = derive(
        text, "not_public", "only_called", "called_otherwise", "body_block", "return_of", "first_return",
        "changed_with", "called_plainly", rules=OUT_PARAMS,
    )
    assert private == {("@f",), ("@declared",)}
    assert alone == {("@g",)}
    assert others == {("@f",)}
    assert {(f, i) for f, i, _ in blocks} == {("@f", 0), ("@f", 1), ("@f", 2), ("@g", 0)}
    assert {(f, i) for f, i, _ in returns} == {("@f", 1), ("@f", 2), ("@g", 0)}
    assert first == {("@f", "func.return#2"), ("@g", "@g/func.return#3")}
    assert changed == {(f, "func.return", "func.call") for f in ("@f", "@declared", "@g")}
    assert plainly == {("@f", "@g/func.call#1")}


def test_rivals() -> None:
    text = """
    func.func private @f(%c: i1) -> memref<4xf32> {
      %a = memref.alloc() : memref<4xf32>
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      return %a : memref<4xf32>
    ^bb2:
      %b = memref.alloc() : memref<4xf32>
      memref.copy %a, %b : memref<4xf32> to memref<4xf32>
      return %b : memref<4xf32>
    }
    func.func private @g() -> (memref<4xf32>, memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      return %a, %a : memref<4xf32>, memref<4xf32>
    }"""
    returned, made, rivals, after, at_once, twice = derive(
        text, "returned_buffer", "returned_allocation", "rival_allocation", "comes_after_allocation", "rival_in_time",
        "returned_twice", rules=OUT_PARAMS, hoist_static_allocs="true",
    )  # fmt: skip
    assert {(f, r, v) for f, r, _, v in returned} == {
        ("@f", 0, "%a"), ("@f", 0, "%b"), ("@g", 0, "@g/%a"), ("@g", 1, "@g/%a")
    }
    assert {(v, r) for v, _, _, r in made} == {("%a", 0), ("%b", 0), ("@g/%a", 0), ("@g/%a", 1)}
    assert rivals == {("%a", "%b"), ("%b", "%a")}
    assert after == {("%a", "^bb1"), ("%a", "^bb2")}
    assert at_once == {("%a", "%b")}
    assert twice == {("@g/%a",)}


def test_layouts() -> None:
    cast, other = "strided<[4, 1], offset: ?>", "strided<[8, 1]>"
    text = f"""
    func.func private @f(%m: memref<4x4xf32, {cast}>) -> memref<4x4xf32, {cast}> {{
      return %m : memref<4x4xf32, {cast}>
    }}
    func.func private @g(%m: memref<4x4xf32, {other}>) -> memref<4x4xf32, {other}> {{
      return %m : memref<4x4xf32, {other}>
    }}"""
    refused = derive(text, "refused", rules=OUT_PARAMS)
    assert refused == {("@g/func.func#0", 0, "cannot create out param for result with unsupported layout")}


def test_functions_that_others_refer_to() -> None:
    text = """
    func.func private @f(%m: memref<4xf32>) -> memref<4xf32> {
      return %m : memref<4xf32>
    }
    func.func @g(%m: memref<4xf32>) -> memref<4xf32> {
      %f = constant @f : (memref<4xf32>) -> memref<4xf32>
      return %m : memref<4xf32>
    }"""
    assert derive(text, "gets_out_params", rules=OUT_PARAMS) == set()
    assert derive(text, "gets_out_params", rules=OUT_PARAMS, modify_public_functions="true") == {("@g",)}
