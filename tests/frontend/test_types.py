"""What Dealog understands of types."""

from __future__ import annotations

import pytest

from dealog.frontend import MemRefType, is_memref, parse, parse_memref
from dealog.frontend.types import element_type, predicate_type, surely_differ


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("memref<f32>", MemRefType((), "f32")),
        ("memref<4x?xf32>", MemRefType((4, None), "f32")),
        ("memref<*xf32, 3>", MemRefType(None, "f32", None, "3")),
        (
            "memref<?xf32, strided<[?, 1], offset: ?>>",
            MemRefType((None,), "f32", "strided<[?, 1], offset: ?>"),
        ),
        (
            "memref<2x3xi8, affine_map<(d0, d1) -> (d1, d0)>, #gpu.address_space<private>>",
            MemRefType((2, 3), "i8", "affine_map<(d0, d1) -> (d1, d0)>", "#gpu.address_space<private>"),
        ),
        ("memref<4xf32, #map, 1>", MemRefType((4,), "f32", "#map", "1")),
        ("memref<4xf32, #map1>", MemRefType((4,), "f32", "#map1")),
        ("memref<4xf32, #layout, #space>", MemRefType((4,), "f32", "#layout", "#space")),
        (
            "memref<4xf32, #spirv.storage_class<Function>>",
            MemRefType((4,), "f32", None, "#spirv.storage_class<Function>"),
        ),
        ("memref<2xmemref<?xvector<4x[8]xf32>, 1>>", MemRefType((2,), "memref<?xvector<4x[8]xf32>, 1>")),
        (
            "memref<3x!llvm.struct<(ptr, array<2 x i8>)>>",
            MemRefType((3,), "!llvm.struct<(ptr, array<2 x i8>)>"),
        ),
        ("memref<4xtuple<i32, memref<*xf32>>>", MemRefType((4,), "tuple<i32, memref<*xf32>>")),
    ],
)
def test_memrefs_are_taken_apart_and_put_together(text: str, expected: MemRefType) -> None:
    assert is_memref(text)
    assert parse_memref(text) == expected
    assert str(expected) == text


def test_spaces_and_comments_do_not_matter() -> None:
    assert parse_memref("memref< 4 x ? x f32 , // why\n 1 >") == MemRefType((4, None), "f32", None, "1")


def test_the_last_layout_is_that_of_a_memref() -> None:
    assert parse_memref("memref<4xf32, strided<[2]>, affine_map<(i) -> (i + 1)>, strided<[3]>, 1>") == MemRefType(
        (4,), "f32", "strided<[3]>", "1"
    )


@pytest.mark.parametrize("space", ["", " ", "  ", "\t", "\n  "])
def test_space_before_the_bracket_does_not_matter(space: str) -> None:
    text = f"memref{space}<*xf32>"
    assert is_memref(text)
    assert parse_memref(text) == MemRefType(None, "f32")


@pytest.mark.parametrize(
    "text", ["i32", "tensor<4xf32>", "!memref.x<4>", "memref", "vector<4xf32>", "memref<>", "memref<4>"]
)
def test_others_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="is not a memref type"):
        parse_memref(text)


def test_the_base_buffer_has_no_shape() -> None:
    assert parse_memref("memref<4x?xf32, strided<[?, 1]>, 3>").base == "memref<f32, 3>"
    assert parse_memref("memref<*xf32>").base == "memref<f32>"


def test_elements_and_predicates() -> None:
    assert element_type("memref<4xmemref<2xf32>, 1>") == "memref<2xf32>"
    assert element_type("vector<[4]x2xf32>") == "f32"
    assert element_type("i32") == ""
    assert predicate_type("tensor<4x?xi32, #enc>") == "tensor<4x?xi1, #enc>"
    assert predicate_type("index") == "i1"
    assert predicate_type("!test.type") == ""


def test_aliases_in_types_of_buffers_are_resolved() -> None:
    module = parse('!b = !test.type<"x">\n!a = memref<4x!b>\n!c = !a\n%0 = "test.op"() : () -> !c')
    (op,) = module.operation.regions[0].blocks[0].operations
    assert op.results[0].type == 'memref<4x!test.type<"x">>'


def test_an_alias_in_a_memref_type_tells_layout_from_memory_space() -> None:
    text = "#linear = affine_map<(d0) -> (d0 * 2)>\n#space = 3 : i32\n"
    module = parse(text + '%0:2 = "test.op"() : () -> (memref<4xf32, #linear>, memref<4xf32, #space>)')
    (op,) = module.operation.regions[0].blocks[0].operations
    strided, spaced = (parse_memref(value.type) for value in op.results)
    assert strided.layout == "affine_map<(d0) -> (d0 * 2)>" and strided.memory_space is None
    assert spaced.layout is None and spaced.memory_space == "3 : i32"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("i32", "i64", True),
        ("i32", "memref<4xf32>", True),
        ("i32", "!test.type", False),
        ("memref<4xf32>", "memref< 4 x f32 >", False),
        ("memref<4xf32>", "memref<?xf32>", True),
        ("memref<4xf32>", "memref<*xf32>", True),
        ("memref<4xf32>", "memref<4xf32, 0>", False),
        ("memref<4xf32, affine_map<(a) -> (a)>>", "memref<4xf32, affine_map<(d0) -> (d0)>>", False),
        ("memref<4xf32, 1>", "memref<4xi32, 2>", True),
        ("tensor<4xf32>", "vector<4xf32>", True),
        ("tensor<4xf32>", "tensor<8xf32>", True),
        ("(i32) -> (i32)", "(i32) -> i32", False),
        ("(i32) -> i32", "i32", True),
    ],
)
def test_only_sure_differences_count(one: str, other: str, expected: bool) -> None:
    assert surely_differ(one, other) is surely_differ(other, one) is expected
