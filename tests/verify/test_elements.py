"""Which types of elements, and which types at all, operations take: each operation with each type, beside mlir-opt."""

from __future__ import annotations

from itertools import product

import pytest

from tests.support.nightly import one_in

from .together import differing

ELEMENTS = (
    "f32", "bf16", "f16", "i1", "i32", "ui32", "index", "complex<f32>", "complex<f64>", "vector<2xf32>",
    "memref<2xf32>",
)  # fmt: skip
ONE_TYPE = {
    "one input": [
        f"linalg.{name} ins(%a : memref<4xE>) outs(%a : memref<4xE>)"
        for name in ("abs", "copy", "exp", "negf", "reciprocal", "round", "square", "tanh")
    ],
    "two inputs": [
        f"linalg.{name} ins(%a, %a : memref<4xE>, memref<4xE>) outs(%a : memref<4xE>)"
        for name in ("add", "sub", "mul", "div", "div_unsigned", "max", "min", "powf")
    ],
    "three inputs": ["linalg.select ins(%a, %a, %a : memref<4xE>, memref<4xE>, memref<4xE>) outs(%a : memref<4xE>)"],
}
TWO_TYPES = {
    "copy": "linalg.copy ins(%a : memref<4xE>) outs(%b : memref<4xF>)",
    "exp": "linalg.exp ins(%a : memref<4xE>) outs(%b : memref<4xF>)",
    "add": "linalg.add ins(%a, %b : memref<4xE>, memref<4xF>) outs(%a : memref<4xE>)",
    "select": "linalg.select ins(%c, %a, %a : memref<4xi1>, memref<4xE>, memref<4xE>) outs(%b : memref<4xF>)",
    "fill": "linalg.fill ins(%e : E) outs(%b : memref<4xF>)",
    "dot": "linalg.dot ins(%a, %a : memref<4xE>, memref<4xE>) outs(%z : memref<F>)",
    "matmul": "linalg.matmul ins(%m, %m : memref<4x4xE>, memref<4x4xE>) outs(%n : memref<4x4xF>)",
    "convolution": "linalg.conv_2d_nhwc_hwcf ins(%w, %w : memref<1x1x1x1xE>, memref<1x1x1x1xE>) "
    "outs(%v : memref<1x1x1x1xF>)",
    "pooling": "linalg.pooling_nhwc_sum ins(%w, %k : memref<1x1x1x1xE>, memref<1x1xF>) outs(%v : memref<1x1x1x1xF>)",
    "transpose": "linalg.transpose ins(%m : memref<4x4xE>) outs(%n : memref<4x4xF>) permutation = [1, 0]",
    "broadcast": "linalg.broadcast ins(%a : memref<4xE>) outs(%n : memref<4x4xF>) dimensions = [0]",
}
ARGUMENTS = "%e: E, %a: memref<4xE>, %b: memref<4xF>, %m: memref<4x4xE>, %n: memref<4x4xF>, %z: memref<F>, "
ARGUMENTS += "%w: memref<1x1x1x1xE>, %k: memref<1x1xF>, %v: memref<1x1x1x1xF>, %c: memref<4xi1>"
TYPES = (
    "memref<4x8xf32>", "memref<?x8xf32>", "memref<4x8xf32, 1>", "memref<8xf32>", "memref<f32>", "memref<*xf32>",
    "memref<4x8xi32>", "memref<4x8xvector<2xf32>>", "memref<4x8xmemref<2xf32>>", "tensor<4x8xf32>", "tensor<*xf32>",
    "vector<8xf32>", "f32", "index", "i1", "!llvm.ptr", "complex<f32>", "tuple<f32>", "none",
    "memref<4x8xf32, strided<[8, 1], offset: 2>>",
)  # fmt: skip
OPERATIONS = (
    "%x = memref.load %t[%i, %i] : T",
    "%x = memref.cast %t : T to memref<?x?xf32>",
    "%x = memref.transpose %t (i, j) -> (j, i) : T to memref<8x4xf32, strided<[1, 8]>>",
    "%x = memref.extract_aligned_pointer_as_index %t : T -> index",
    "memref.copy %t, %m : T to memref<4x8xf32>",
    "memref.dealloc %t : T",
    "%x = bufferization.clone %t : T to T",
    "linalg.fill ins(%f : f32) outs(%t : T)",
    "linalg.transpose ins(%t : T) outs(%turned : memref<8x4xf32>) permutation = [1, 0]",
    "linalg.broadcast ins(%t : T) outs(%more : memref<4x8x2xf32>) dimensions = [2]",
    "linalg.reduce { arith.addf } ins(%t : T) outs(%row : memref<8xf32>) dimensions = [0]",
    "linalg.add ins(%t, %m : T, memref<4x8xf32>) outs(%m : memref<4x8xf32>)",
    "%x = vector.load %t[%i, %i] : T, vector<8xf32>",
    "%x = vector.transfer_read %t[%i, %i], %f : T, vector<8xf32>",
    "vector.transfer_write %eight, %t[%i, %i] : vector<8xf32>, T",
    "%x = vector.broadcast %t : T to vector<4xf32>",
    "%x = vector.type_cast %t : T to memref<vector<4x8xf32>>",
    "vector.print %t : T",
    "gpu.dealloc %t : T",
    "gpu.memcpy %t, %m : T, memref<4x8xf32>",
)
OTHERS = (
    "%i: index, %f: f32, %m: memref<4x8xf32>, %turned: memref<8x4xf32>, %more: memref<4x8x2xf32>, %row: memref<8xf32>, "
    "%eight: vector<8xf32>"
)


@pytest.mark.parametrize("inputs", ONE_TYPE)
def test_elements_that_linalg_computes_with(inputs: str) -> None:
    pairs = [(operation, element) for operation in ONE_TYPE[inputs] for element in ELEMENTS]
    function = "func.func @f(%a: memref<4xE>) {\n  DO\n  return\n}\n"
    assert differing([function.replace("DO", operation).replace("E", element) for operation, element in pairs]) == []


@pytest.mark.parametrize("name", TWO_TYPES)
def test_elements_that_linalg_makes_of_others(name: str) -> None:
    function = f"func.func @f({ARGUMENTS}) {{\n  {TWO_TYPES[name]}\n  return\n}}\n"
    pairs = one_in(3, [(one, other) for one in ELEMENTS for other in ELEMENTS])
    assert differing([function.replace("E", one).replace("F", other) for one, other in pairs]) == []


def test_bodies_of_linalg_operations_in_generic_form() -> None:
    """What the body gets, and hands over, and what is read and written: each of one of two types."""
    shapes = {"linalg.add": ("4", "4", "4"), "linalg.copy": ("4", "4"), "linalg.exp": ("4", "4")}
    segments = ", operandSegmentSizes = array<i32: {}, 1>"
    more = {"linalg.transpose": "permutation = array<i64: 1, 0>", "linalg.broadcast": "dimensions = array<i64: 1>"}
    shapes |= {"linalg.transpose": ("4x4", "4x4"), "linalg.broadcast": ("4", "4x4")}
    texts = []
    for name, sizes in shapes.items():
        properties = more.get(name) or segments.format(len(sizes) - 1)[2:]
        for types in product(("f32", "f16"), repeat=2 * len(sizes)):
            read, got = types[: len(sizes)], types[len(sizes) :]
            memrefs = [f"memref<{shape}x{type}>" for shape, type in zip(sizes, read, strict=True)]
            texts += [
                f"func.func @f({', '.join(f'%{i}: {type}' for i, type in enumerate(memrefs))}) {{\n"
                f'  "{name}"({", ".join(f"%{i}" for i in range(len(sizes)))}) <{{{properties}}}> ({{\n'
                f"  ^bb0({', '.join(f'%a{i}: {type}' for i, type in enumerate(got))}):\n"
                f"    linalg.yield %a{place} : {got[place]}\n  }}) : ({', '.join(memrefs)}) -> ()\n  return\n}}\n"
                for place in range(len(sizes))
            ]
    assert differing(list(one_in(3, texts))) == []


def test_types_that_operations_take() -> None:
    pairs = one_in(3, [(operation, type) for operation in OPERATIONS for type in TYPES])
    function = f"func.func @f(%t: T, {OTHERS}) {{\n  DO\n  return\n}}\n"
    assert differing([function.replace("DO", operation).replace("T", type) for operation, type in pairs]) == []


def test_elements_that_are_updated_in_memory() -> None:
    """In both forms: the generic one has a number for the way."""
    ways = (
        "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf", "mins", "minu",
        "mulf", "muli", "ori", "xori",
    )  # fmt: skip
    function = "func.func @f(%v: E, %m: memref<4xE>, %i: index) {\n  %0 = OP\n  return\n}\n"
    custom = function.replace("OP", "memref.atomic_rmw WAY %v, %m[%i] : (E, memref<4xE>) -> E")
    generic = function.replace(
        "OP", '"memref.atomic_rmw"(%v, %m, %i) <{kind = WAY : i64}> : (E, memref<4xE>, index) -> E'
    )
    texts = [custom.replace("WAY", way) for way in ways] + [generic.replace("WAY", str(n)) for n in range(len(ways))]
    assert differing([text.replace("E", element) for text in texts for element in ("i32", "f32")]) == []
