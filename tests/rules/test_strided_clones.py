"""Clones to types with strides or an offset that a new buffer may not have."""

import pytest

from tests.support import tools
from tests.support.dealog import command

from .derive import derive

CONVERT = ("convert_bufferization_to_memref",)
PASS = "--convert-bufferization-to-memref=strided-clones"
CLONE = "bufferization.clone#1"


def clone(type: str) -> str:
    return f"""
func.func @f(%m: {type}) -> {type} {{
  %r = bufferization.clone %m : {type} to {type}
  return %r : {type}
}}"""


def test_types_may_be_spelled_otherwise():
    out = command("opt", PASS, stdin=clone("memref<2x2xf32, strided<[ 8,1 ] >>")).out
    assert "memref.alloc() : memref<10xf32>" in out and "strides: [8, 1] : memref<10xf32> to" in out


@pytest.mark.parametrize(
    ("type", "reach", "row"),
    [
        ("memref<2x2xf32, strided<[8, 1]>>", (10, 0), "memref<10xf32>"),
        ("memref<2x3xi8, strided<[1, 4], offset: 5>, 3>", (10, 5), "memref<15xi8, 3>"),
        ("memref<4xf32, strided<[2], offset: ?>>", (7, 0), "memref<7xf32>"),
        ("memref<2xmemref<4xf32>, strided<[3]>>", (4, 0), "memref<4xmemref<4xf32>>"),
        ("memref<0x2xf32, strided<[8, 1], offset: 3>>", (-6, 3), "memref<3xf32>"),
        ("memref<4x4xf32, strided<[0, 1]>>", (4, 0), "memref<4xf32>"),
        ("memref<?x2xf32, strided<[8, 1]>>", (-6, 0), "memref<?xf32>"),
        ("memref<2x2xf32, strided<[?, 2]>>", (3, 0), "memref<?xf32>"),
        ("memref<2xf32, strided<[-1], offset: 1>>", None, None),
        ("memref<2xf32, strided<[2], offset: -1>>", None, None),
        ("memref<70000x2xf32, strided<[70000, 1]>>", None, None),
        ("memref<30000x30000xf32, strided<[30000, 20000]>>", None, None),
        ("memref<2x2xf32, affine_map<(d0, d1) -> (d0 * 8 + d1)>>", None, None),
    ],
)
def test_the_elements_that_a_type_reaches_over_are_a_row(type, reach, row):
    text = clone(type)
    clones, reaches, rows, how, refused = derive(
        text, "strided_clone", "reach", "row_of_elements", "clone_lowering", "refused", rules=CONVERT,
        strided_clones="true",
    )  # fmt: skip
    assert clones == {(CLONE, type)}
    assert reaches == ({(type, *reach)} if reach else set())
    assert rows == ({(type, row)} if row else set())
    assert how == ({(CLONE, "stride")} if row else set())
    assert len(refused) == (row is None)
    assert len(derive(text, "refused", rules=CONVERT)) == 1  # as by mlir-opt
    run = command("opt", PASS, stdin=text)
    if row is None:
        assert (run.status, run.out) == (1, "") and "failed to legalize operation 'bufferization.clone'" in run.err
        return
    assert run.status == 0 and f" : {row}\n" in run.out
    (read,) = tools.run_mlir_opt([run.out])
    assert read.text is not None, read


@pytest.mark.parametrize(
    ("type", "new", "within", "other"),
    [
        ("memref<?x4x2xf32, strided<[8, 2, 1], offset: ?>>", {0: 8, 1: 2, 2: 1}, set(), False),
        ("memref<?x?x2xf32, strided<[?, 2, 1], offset: ?>>", {1: 2, 2: 1}, {0}, False),
        ("memref<?x?xf32, strided<[?, ?]>>", {1: 1}, {0}, False),
        ("memref<4x?xf32, strided<[8, 1]>>", {1: 1}, {0}, True),
        ("memref<?x?xf32, strided<[1, ?]>>", {1: 1}, {0}, True),
        ("memref<?x4xf32, strided<[8, 1]>>", {0: 4, 1: 1}, set(), True),
        ("memref<2x?x4xf32, strided<[8, ?, 1]>>", {1: 4, 2: 1}, {0}, True),
        ("memref<4x2x?xf32, strided<[16, ?, 1]>>", {2: 1}, {0, 1}, True),
        ("memref<70000x70000xf32, strided<[70000, 1], offset: ?>>", {0: 70000, 1: 1}, set(), False),
        ("memref<2x70000x70000xf32, strided<[?, 70000, 1], offset: ?>>", {1: 70000, 2: 1}, set(), False),
    ],
)
def test_a_cast_is_for_strides_that_a_new_buffer_surely_has(type, new, within, other):
    text = clone(type)
    asked, dimensions, strides, opened, otherwise, how = derive(
        text, "clone_type", "dimension_of", "new_stride", "open_within", "not_as_new", "clone_lowering", rules=CONVERT,
        strided_clones="true",
    )  # fmt: skip
    assert asked == {(type,)}
    assert dimensions == {(type, i) for i in range(type.partition("f32")[0].count("x"))}
    assert strides == {(type, dimension, stride) for dimension, stride in new.items()}
    assert opened == {(type, dimension) for dimension in within}
    assert otherwise == ({(type,)} if other else set())
    assert how == {(CLONE, "stride" if other else "cast")}
    assert derive(text, "clone_type", rules=CONVERT) == set()  # where it is not asked for, as by mlir-opt


def test_what_is_computed_of_sizes_and_strides_that_are_left_open():
    type = "memref<2x?x?x?xf32, strided<[1, ?, 12, 5], offset: 7>, 3>"
    text = clone(type)
    found = derive(
        text, "stated_reach", "open_type", "row_size", "measured_clone", "clone_dimension", "apart_by", "apart_named",
        "sum_up_to", "open_sum", "stated_span", "span", "placed_beside", "element_total", rules=CONVERT,
        strided_clones="true",
    )  # fmt: skip
    product, total = f"product 2 of {CLONE}", f"sum 3 of {CLONE}"
    reach, span = f"reach of {CLONE}", f"span 2 of {CLONE}"
    assert found == (
        {(type, 0, 1), (type, 1, 2), (type, 2, 2), (type, 3, -10), (type, 4, -15)},
        {(type,)},
        {(type, "?")},
        {(CLONE, type)},
        {(CLONE, 1), (CLONE, 2), (CLONE, 3)},
        {(CLONE, 2, 12), (CLONE, 3, 5)},
        {(CLONE, 2, product), (CLONE, 3, f"product 3 of {CLONE}")},
        {(CLONE, 0, ""), (CLONE, 1, ""), (CLONE, 2, ""), (CLONE, 3, product), (CLONE, 4, total)},
        {(CLONE, total, -15)},
        {(CLONE, reach)},
        {(CLONE, 4, reach), (CLONE, 3, reach), (CLONE, 2, reach), (CLONE, 1, span), (CLONE, 0, span)},
        {(CLONE, 1, reach)},
        {(CLONE, f"total of {CLONE}")},
    )
    sizes, wanted, named, computed, allocation, cast = derive(
        text, "dimension_size", "wants_index", "index_for", "index_computed", "allocation_takes", "strided_takes",
        rules=CONVERT, strided_clones="true",
    )  # fmt: skip
    dims = {i: f"dim {i} of {CLONE}" for i in (1, 2, 3)}
    assert sizes == {(CLONE, i, name) for i, name in dims.items()}
    assert {number for _, number in wanted} == {-15, 0, 5, 7, 12}
    assert named == {(CLONE, number, f"c{number} in ^bb0") for _, number in wanted}
    assert [row[:4] for row in sorted(computed, key=lambda row: row[-1])] == [
        (product, "arith.muli", dims[2], "c12 in ^bb0"),
        (f"product 3 of {CLONE}", "arith.muli", dims[3], "c5 in ^bb0"),
        (total, "arith.addi", product, f"product 3 of {CLONE}"),
        (f"signed {reach}", "arith.addi", total, "c-15 in ^bb0"),
        (reach, "arith.maxsi", f"signed {reach}", "c0 in ^bb0"),
        (span, "arith.muli", reach, dims[1]),
        (f"total of {CLONE}", "arith.addi", span, "c7 in ^bb0"),
    ]
    assert allocation == {(f"alloc {CLONE}", 0, f"total of {CLONE}")}
    taken = {**dims, 5: reach}
    assert cast == {(f"stride {CLONE}", order, name) for order, name in taken.items()}


@pytest.mark.parametrize(
    ("type", "lines"),
    [
        (
            "memref<?x?xf32, strided<[1, ?]>>",
            [
                "%c0 = arith.constant 0 : index",
                "%dim = memref.dim %m, %c0",
                "%c1 = arith.constant 1 : index",
                "%dim_0 = memref.dim %m, %c1",
                "%span = arith.muli %dim, %dim_0 : index",
                "%alloc = memref.alloc(%span) : memref<?xf32>",
                "%r = memref.reinterpret_cast %alloc to offset: [0], sizes: [%dim, %dim_0], strides: [1, %dim]",
            ],
        ),
        (
            "memref<4x2xf32, strided<[?, 2], offset: ?>>",
            [
                "%c3 = arith.constant 3 : index",
                "%c4 = arith.constant 4 : index",
                "%span = arith.muli %c3, %c4 : index",
                "%alloc = memref.alloc(%span) : memref<?xf32>",
                "%r = memref.reinterpret_cast %alloc to offset: [0], sizes: [4, 2], strides: [%c3, 2]",
            ],
        ),
        (
            "memref<4x?xf32, strided<[8, 1]>>",
            [
                "%c24 = arith.constant 24 : index",
                "%c1 = arith.constant 1 : index",
                "%dim = memref.dim %m, %c1",
                "%reach = arith.addi %dim, %c24 : index",
                "%alloc = memref.alloc(%reach) : memref<?xf32>",
                "%r = memref.reinterpret_cast %alloc to offset: [0], sizes: [4, %dim], strides: [8, 1]",
            ],
        ),
    ],
)
def test_what_takes_the_place_of_the_clone(type, lines):
    out = command("opt", PASS, stdin=clone(type)).out
    body = [line.strip() for line in out.splitlines() if line.startswith("  %")]
    assert [line if "memref.alloc(" in line else line.partition(" : memref")[0] for line in body] == lines
