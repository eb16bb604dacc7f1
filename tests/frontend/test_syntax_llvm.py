"""What the custom forms of the LLVM dialect leave to the reader."""

from __future__ import annotations

import pytest

from dealog.frontend import parse

HEAD = "llvm.func @f(%a: i32, %p: !llvm.ptr) {\n"
TAIL = "\n^one(%x: i32):\n  llvm.return\n^two:\n  llvm.unreachable\n}"


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        (
            "llvm.mlir.global external @g(42 : i32) : i32",
            {"sym_name": '"g"', "value": "42 : i32", "global_type": "i32"},
        ),
        ("llvm.mlir.global constant @g() : i32", {"sym_name": '"g"', "constant": "", "global_type": "i32"}),
        ('llvm.mlir.global @g("text")', {"sym_name": '"g"', "value": '"text"'}),
        ("llvm.func @g(...)", {"sym_name": '"g"'}),
    ],
)
def test_globals_and_declarations(text: str, attributes: dict[str, str]) -> None:
    op = parse(text).operation.regions[0].blocks[0].operations[0]
    assert op.attributes == attributes
    assert [len(region.blocks) for region in op.regions] == [0]


@pytest.mark.parametrize(
    ("text", "slices"),
    [
        ("%r = llvm.invoke @g(%a) to ^one(%a : i32) unwind ^two : (i32) -> i32", [(1, 2), (2, 2)]),
        (
            '%r = "llvm.invoke"(%a, %a, %a) [^one, ^two] <{callee = @g, op_bundle_sizes = array<i32: 1>, '
            "operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (i32, i32, i32) -> i32",
            [(1, 2), (2, 2)],
        ),
        ("llvm.indirectbr %p : !llvm.ptr, [^two, ^one(%a : i32)]", [(1, 1), (1, 2)]),
        (
            '"llvm.indirectbr"(%p, %a) [^two, ^one] <{indbr_operand_segments = array<i32: 0, 1>}> '
            ": (!llvm.ptr, i32) -> ()",
            [(1, 1), (1, 2)],
        ),
    ],
)
def test_what_is_forwarded_to_which_successor(text: str, slices: list[tuple[int, int]]) -> None:
    module = parse(HEAD + text + TAIL)
    branch = next(op for op in module.walk() if op.successors)
    assert [(successor.start, successor.end) for successor in branch.successors] == slices


def test_operands_stand_in_the_order_of_the_generic_form() -> None:
    lines = [
        "%v = llvm.mlir.undef : vector<4xi32>",
        "%r = llvm.insertelement %a, %v[%a : i32] : vector<4xi32>",
    ]
    module = parse(HEAD + "\n".join(lines) + "\n  llvm.unreachable\n}")
    insertion = next(op for op in module.walk() if op.name == "llvm.insertelement")
    assert [value.name for value in insertion.operands] == ["%v", "%a", "%a"]
