"""Functions that return their arguments, on small IR."""

from __future__ import annotations

from tests.rules.derive import derive

DROPPED = ("drop_equivalent_buffer_results",)

GIVEN_BACK = """
func.func private @same(%c: i1, %x: memref<4xf32>) -> (i1, memref<?xf32>) {
  %v = memref.cast %x : memref<4xf32> to memref<?xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %c, %v : i1, memref<?xf32>
^bb2:
  return %c, %v : i1, memref<?xf32>
}
func.func private @either(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : memref<4xf32>
^bb2:
  return %y : memref<4xf32>
}
func.func nested @hands_on(%c: i1, %x: memref<4xf32>) -> i1 {
  %r:2 = call @same(%c, %x) : (i1, memref<4xf32>) -> (i1, memref<?xf32>)
  return %r#0 : i1
}
func.func @f(%c: i1, %x: memref<4xf32>) -> memref<?xf32> {
  %r:2 = call @same(%c, %x) : (i1, memref<4xf32>) -> (i1, memref<?xf32>)
  %s = call @hands_on(%r#0, %x) : (i1, memref<4xf32>) -> i1
  return %r#1 : memref<?xf32>
}
func.func private @started(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
"""


def test_results_that_are_arguments() -> None:
    relations = derive(
        GIVEN_BACK,
        "may_change",
        "not_public",
        "called_otherwise",
        "returns_at",
        "returns_before",
        "is_argument",
        "returns_argument_until",
        "returns_argument",
        "gets_operand_back",
        "cast_back",
        "function_result_dropped",
        "operand_dropped",
        "result_dropped",
        "value_replaced",
        "cast_inserted",
        rules=DROPPED,
    )
    may, closed, otherwise, at, before, argument, until, returns, back, cast, function = relations[:11]
    operand, result, replaced, inserted = relations[11:]
    assert may == {("@same",), ("@either",), ("@hands_on",), ("@started",)} == closed
    assert otherwise == set()
    assert {(f, n) for f, n, _ in at if f == "@same"} == {("@same", 1), ("@same", 2)}
    assert before == {("@same", 2, 1), ("@either", 2, 1)}
    assert {("@same/%v", 1), ("@same/%c", 0), ("@hands_on/%r#0", 0)} <= argument
    assert ("@either", 0, 1, 1) in until and not any(row[0] == "@either" for row in returns)
    assert returns == {("@same", 0, 0), ("@same", 1, 1), ("@hands_on", 0, 0), ("@started", 0, 0)}
    assert sorted((row[1], row[2]) for row in back) == [(0, 0), (0, 0), (0, 0), (1, 1), (1, 1)]
    assert {row[1:] for row in cast} == {(1, "memref<?xf32>")}
    assert function == {(f, r) for f, r, _ in returns}
    assert len(operand) == 2 * 2 + 1 + 1
    assert len(result) == 5
    assert ("%r#0", "%c") in replaced and ("%r#1", "cast %r#1") in replaced
    assert len(inserted) == 2
