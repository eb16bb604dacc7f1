"""What the custom forms of the vector dialect leave to the reader."""

from __future__ import annotations

import pytest

from dealog.frontend import Operation, edits, parse, print_module


def body(text: str) -> dict[str, Operation]:
    """The operations of a function with these operations, by name."""
    parameters = "%m: memref<8xf32>, %t: tensor<8xf32>, %v: vector<4xf32>, %k: vector<4xi1>, %i: index"
    module = parse(f"func.func @f({parameters}) {{\n{text}\nreturn\n}}")
    return {op.name: op for op in module.walk()}


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32>", []),
        ("vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>", ["tensor<8xf32>"]),
        ("%r = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>", ["tensor<8xf32>"]),
    ],
)
def test_only_a_written_tensor_is_a_result(text: str, types: list[str]) -> None:
    assert [value.type for value in body(text)["vector.transfer_write"].results] == types


def test_as_many_elements_as_are_named() -> None:
    results = body("%a:2, %b, %c = vector.to_elements %v : vector<4xf32>")["vector.to_elements"].results
    assert [value.name for value in results] == ["%a#0", "%a#1", "%b", "%c"]


@pytest.mark.parametrize(
    ("region", "forwarded"),
    [
        ("{ vector.reduction <add>, %v : vector<4xf32> into f32 }", 1),
        ("{ vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32> }", 0),
        ("{ }", 0),
    ],
)
def test_the_implied_yield_of_a_mask_forwards_the_results(region: str, forwarded: int) -> None:
    operations = body(f"vector.mask %k {region} : vector<4xi1>")
    implied = operations["vector.yield"]
    masked = operations["vector.mask"].regions[0].blocks[0].operations[:-1]
    assert implied.elided
    assert implied.operands == [value for op in masked for value in op.results]
    assert len(implied.operands) == forwarded


def test_the_buffer_seen_as_one_vector_has_its_type() -> None:
    cast = body("%c = vector.type_cast %m : memref<8xf32> to memref<vector<8xf32>>")["vector.type_cast"]
    assert cast.results[0].type == "memref<vector<8xf32>>"


def test_yielded_operands_grow() -> None:
    text = """func.func @f(%b: memref<2xf32>, %c: i1) {
  "test.region"() ({
    vector.yield %b : memref<2xf32>
  }) : () -> ()
  return
}
"""
    module = parse(text)
    operations = {op.name: op for op in module.walk()}
    arguments = operations["func.func"].regions[0].blocks[0].arguments
    edits.grow_operands(operations["vector.yield"], 0, [arguments[1]])
    assert print_module(module) == text.replace(
        "yield %b : memref<2xf32>", "yield %b, %c : memref<2xf32>, i1"
    )
