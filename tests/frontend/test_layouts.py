"""Layouts of memref types, and what a row-major buffer can be cast to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealog.frontend import edits, parse, parse_memref, print_module
from dealog.frontend.layouts import Strides, is_castable_from_identity, is_identity, strides


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("strided<[3, 1]>", Strides((3, 1), 0)),
        ("strided<[?, 1], offset: 4>", Strides((None, 1), 4)),
        ("strided< [ 3 , ? ] , offset : ? >", Strides((3, None), None)),
        ("affine_map<(i, j) -> (i * 3 + j)>", Strides((3, 1), 0)),
        ("affine_map<(i, j)[s, t] -> (i * s + j + t)>", Strides((None, 1), None)),
        ("affine_map<(i, j) -> (2 * (i + j) - j + 7)>", Strides((2, 1), 7)),
        ("affine_map<(i, j) -> (-i + j)>", Strides((-1, 1), 0)),
        ("affine_map<(i, j) -> (i)>", Strides((1, 0), 0)),  # neighbours in one dimension share an element
        ("affine_map<(i, j) -> (j, i)>", None),
        ("affine_map<(i, j) -> (i * 3 + j mod 2)>", None),
        ("affine_map<(i, j) -> (i * j)>", None),
        ("affine_map<(i, j) -> (i floordiv 2 + j)>", None),
        ("affine_map<(i, j) -> (i * 3 + (j + 1) - -(2))>", Strides((3, 1), 3)),
        (f"affine_map<(i, j) -> ({'-(' * 5000}i - j{')' * 5000} + {'j + ' * 5000} 1)>", Strides((1, 4999), 1)),
        ("strided<[1]>", None),
        ("strided<[- 3, 0x10], offset: -1>", Strides((-3, 16), -1)),
        ("strided<[x, 1]>", None),
        ("strided<[0xZ, 1]>", None),
        ("strided<[,1]>", None),
        ("strided<[3, 1], offset: x>", None),
        ("strided<[3, 1], offset ?>", None),
        ("strided<[3, 1], 3>", None),
        ("strided<1>", None),
    ],
)
def test_strides(layout, expected):
    assert strides(parse_memref(f"memref<2x3xf32, {layout}>")) == expected


EXPRESSIONS = st.recursive(
    st.sampled_from(["i", "j", "1", "23"]),
    lambda inner: st.one_of(
        st.builds("{} + {}".format, inner, inner),
        st.builds("{} - {}".format, inner, inner),
        st.builds("({})".format, inner),
        st.builds("-{}".format, inner),
        st.builds("{} * ({})".format, st.sampled_from(["2", "-3"]), inner),
        st.builds("({}) * 5".format, inner),
    ),
)


@given(EXPRESSIONS, st.integers(-9, 9), st.integers(-9, 9))
def test_strides_and_offset_give_what_the_expression_gives(expression, i, j):
    found = strides(parse_memref(f"memref<2x3xf32, affine_map<(i, j) -> ({expression})>>"))
    value = eval(expression, {"i": i, "j": j})
    if found is None:  # neighbours in one dimension share an element
        at = [eval(expression, {"i": a, "j": b}) for a, b in ((0, 0), (1, 0), (0, 1))]
        assert at[0] in at[1:]
    else:
        assert value == found.offset + i * found.strides[0] + j * found.strides[1]


@pytest.mark.parametrize(
    ("type", "identity", "castable"),
    [
        ("memref<2x3xf32>", True, True),
        ("memref<2x3xf32, affine_map<(i, j) -> (i, j)>>", True, True),
        ("memref<3xf32, affine_map<(i) -> (2 * i - i)>>", True, True),
        ("memref<2x3xf32, strided<[3, 1]>>", False, True),
        ("memref<2x3xf32, strided<[4, 1]>>", False, False),
        ("memref<2x?xf32, strided<[4, 1]>>", False, True),
        ("memref<2x0xf32, strided<[4, 1]>>", False, True),
        ("memref<0x2xf32, strided<[4, 1]>>", False, False),
        ("memref<2xf32, strided<[1], offset: 1>>", False, False),
        ("memref<2xf32, strided<[1], offset: ?>>", False, True),
    ],
)
def test_identity(type, identity, castable):
    memref = parse_memref(type)
    assert (is_identity(memref), is_castable_from_identity(memref)) == (identity, castable)


def test_aliases_in_types():
    module = parse("#map = affine_map<(i) -> (i)>\n#space = 3\n#again = #map\nmodule {}\n")
    assert module.expanded("memref<2xf32, #again, #space>") == "memref<2xf32, affine_map<(i) -> (i)>, 3>"
    assert module.expanded("memref<2xf32, #unknown>") == "memref<2xf32, #unknown>"


def test_operands_and_operations_are_replaced():
    text = """func.func @f(%a: i1, %b: i1) -> (i1, i1) {
  %c = arith.andi %a, %b : i1
  %d = arith.ori %c, %a : i1
  return %c, %d : i1, i1
}
"""
    module = parse(text)
    function = module.operation.regions[0].blocks[0].operations[0]
    block = function.regions[0].blocks[0]
    conjunction, _, end = block.operations
    _, b = block.arguments
    block.replace({conjunction: []})
    for op in module.walk():
        edits.replace_operands(op, {conjunction.results[0]: b})
    assert conjunction.block is None
    assert end.operands[0] is b
    assert print_module(module) == text.replace("  %c = arith.andi %a, %b : i1\n", "").replace("%c", "%b")
    with pytest.raises(ValueError, match="in a block already"):
        block.replace({end: [block.operations[0], end]})
