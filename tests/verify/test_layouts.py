"""Layouts of views are those that mlir-opt works out, and what needs strides does not take other layouts."""

from __future__ import annotations

from tests.support import layouts
from tests.support.mutants import verdicts
from tests.support.nightly import NIGHTLY

from .test_mutants import errors
from .together import refused

COUNT = 600 if NIGHTLY else 80


def test_views_are_refused_where_mlir_opt_refuses_them() -> None:
    texts = [layouts.program(seed) for seed in range(COUNT)]
    judged = verdicts(texts)
    compared = zip(texts, judged, refused(texts), strict=True)
    assert [text for text, v, ours in compared if bool(v.errors) != ours] == []
    assert COUNT // 4 < sum(bool(v.errors) for v in judged) < 3 * COUNT // 4


LAYOUTS = (
    "strided<[8, 1]>", "strided<[8, 2]>", "strided<[8, ?]>", "strided<[1, 1]>", "affine_map<(i, j) -> (i, j)>",
    "affine_map<(i, j) -> (j, i)>", "affine_map<(i, j) -> (i * 8 + j)>", "affine_map<(i, j) -> (i * 8 + j * 3)>",
    "affine_map<(i, j) -> (i * 8 + j floordiv 2)>", "affine_map<(i, j) -> ((i * 16) floordiv 2 + j)>",
    "affine_map<(i, j)[s] -> (i * s + j)>", "affine_map<(i, j) -> (j)>", "affine_map<(i, j) -> (i, j mod 4)>",
    "affine_map<(i, j)[s] -> (i * 8 + j + s floordiv 2)>", "affine_map<(i, j)[s] -> (i * 8 + j + (s floordiv 2) * 3)>",
    "affine_map<(i, j)[s, t] -> (i * 8 + j + s mod t)>", "affine_map<(i, j)[s] -> (i * (s floordiv 2) + j)>",
)  # fmt: skip
OPERATIONS = (
    "%b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : T -> memref<f32>, index, index, index, index, index",
    "%x = memref.cast %m : T to memref<?x?xf32, strided<[?, ?], offset: ?>>",
    "%x = memref.cast %m : T to memref<4x8xf32>",
    "%x = memref.cast %m : T to T",
    "%x = memref.cast %row_major : memref<4x8xf32> to T",
    "%x = memref.collapse_shape %m [[0, 1]] : T into memref<32xf32>",
    "%x = memref.collapse_shape %m [[0, 1]] : T into memref<32xf32, strided<[1]>>",
    "%x = memref.expand_shape %row [[0, 1]] output_shape [4, 8] : memref<32xf32> into T",
    "%x = memref.expand_shape %every_other [[0, 1]] output_shape [4, 8] : memref<32xf32, strided<[2]>> into T",
    "%x = memref.reinterpret_cast %row to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<32xf32> to T",
    "%x = memref.reshape %m(%sizes) : (T, memref<1xindex>) -> memref<32xf32>",
    "%x = memref.subview %m[0, 0] [4, 8] [1, 1] : T to T",
    "%x = memref.subview %m[0, 0] [2, 8] [1, 1] : T to memref<2x8xf32, strided<[8, 1]>>",
    "%x = memref.subview %row_major[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to T",
    "%x = memref.transpose %m (i, j) -> (j, i) : T to memref<8x4xf32, strided<[1, 8]>>",
    "%x = memref.transpose %m (i, j) -> (j, i) : T to memref<8x4xf32, strided<[?, 8]>>",
    "%x = memref.view %bytes[%i][] : memref<128xi8> to T",
    "%x = vector.load %m[%i, %i] : T, vector<8xf32>",
    "%x = vector.load %m[%i, %i] : T, vector<1xf32>",
    "vector.store %eight, %m[%i, %i] : T, vector<8xf32>",
    "%x = vector.transfer_read %m[%i, %i], %f : T, vector<8xf32>",
    "linalg.fill ins(%f : f32) outs(%m : T)",
)
ARGUMENTS = (
    "%m: T, %i: index, %f: f32, %eight: vector<8xf32>, %bytes: memref<128xi8>, %row: memref<32xf32>, "
    "%every_other: memref<32xf32, strided<[2]>>, %row_major: memref<4x8xf32>, %sizes: memref<1xindex>"
)


def test_each_operation_with_each_layout() -> None:
    texts = [
        f"func.func @f({ARGUMENTS}) {{\n  {operation}\n  return\n}}\n".replace("T", f"memref<4x8xf32, {layout}>")
        for layout in LAYOUTS
        for operation in OPERATIONS
    ]
    judged = verdicts(texts)
    compared = zip(texts, judged, refused(texts), strict=True)
    assert [(text, verdict) for text, verdict, ours in compared if verdict.refused != ours] == []
    assert len(texts) // 4 < sum(v.refused for v in judged) < 3 * len(texts) // 4


SEVERAL = (
    "affine_map<(i,j)->(j,i)>, affine_map<(i,j)->(i,j)>", "affine_map<(i)->(i)>, affine_map<(i, j) -> (j, i)>",
    "affine_map<(i, j) -> (j, i)>, affine_map<(i)->(i)>", "strided<[4, 1]>, affine_map<(i, j) -> (j, i)>, 3",
    "affine_map<(i, j) -> (j, i)>, strided<[4, 1]>", "strided<[1]>, strided<[2]>, strided<[4, 1]>", "#m, #n", "#n, #m",
    "#n, #m, #o", "#o, #n", "strided<[4, 1]>, 3, affine_map<(i, j) -> (j, i)>", "strided<[4, 1]>, 3, 3",
)  # fmt: skip
ONES = (
    "", ", affine_map<(i, j) -> (j, i)>", ", strided<[4, 1]>", ", strided<[4, 1]>, 3", ", 3", ", #m",
    ", affine_map<( i , j )->(j ,i )>, 3",
)  # fmt: skip


def test_of_several_layouts_the_last_counts() -> None:
    """They come before the memory space, and those in front may be for buffers of any rank."""
    head = "#m = affine_map<(i, j) -> (j, i)>\n#n = strided<[4, 1]>\n#o = 3\n"
    texts = [
        f"{head}func.func @f(%m: memref<4x4xf32, {several}>) -> memref<4x4xf32{one}> {{\n"
        f"  return %m : memref<4x4xf32{one}>\n}}\n"
        for several in SEVERAL
        for one in ONES
    ]
    judged = verdicts(texts)
    assert [(v, text) for text, v in zip(texts, judged, strict=True) if v.refused != bool(errors(text))] == []
    assert 0 < sum(not v.refused for v in judged) < len(texts) // 2
