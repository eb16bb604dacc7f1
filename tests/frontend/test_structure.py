"""Custom and generic form of the same program are read as the same IR."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from dealog.frontend import parse, print_module
from dealog.frontend.edits import set_attribute
from tests.frontend.structure import FORMS, compare, differences, parts
from tests.support import tools

INPUTS = sorted((Path(__file__).parent / "inputs").glob("*.mlir"))
PARTS = [
    pytest.param(part, id=f"{path.stem}-{number}")
    for path in INPUTS
    for number, part in enumerate(parts(path.read_text("utf-8")))
]


@cache
def printed(flags: tuple[str, ...]) -> dict[str, tools.Output]:
    """What mlir-opt prints for each of the parts."""
    texts = [str(part.values[0]) for part in PARTS]
    return dict(zip(texts, tools.run_mlir_opt(texts, "--allow-unregistered-dialect", *flags), strict=True))


@pytest.mark.parametrize("text", PARTS)
def test_both_forms_give_the_same_ir(text: str) -> None:
    generic, custom = (printed(flags)[text].unwrap() for flags in FORMS)
    problems = compare(text, generic, custom)
    assert not problems, "\n".join(problems)


UNREADABLE = {
    "llvm.landingpad", "memref.dma_start", "memref.prefetch", "nvvm.barrier", "pdl.operation",
    "pdl_interp.create_operation", "scf.reduce", "sparse_tensor.yield", "spirv.CopyMemory", "spirv.Store",
    "transform.func.cast_and_call",
}  # fmt: skip
"""Operations that mlir-opt itself does not read back as it prints them, with an attribute of another dialect."""


@cache
def attributed() -> dict[str, tuple[tools.Output, tools.Output]]:
    """The generic and the custom form of each of the parts, where any operation has one more attribute."""
    texts = {}
    for text, generic in printed(FORMS[0]).items():
        if "spirv.ARM.Graph " in text:  # mlir-opt does not read the generic form of these
            continue
        module = parse(generic.unwrap())
        for op in module.walk():
            if op.name not in UNREADABLE and op.name != "builtin.module":
                set_attribute(op, "mydb.note", "unit")
        texts[text] = print_module(module)
    made = [tools.run_mlir_opt(list(texts.values()), "--allow-unregistered-dialect", *flags) for flags in FORMS]
    return dict(zip(texts, zip(*made, strict=True), strict=True))


@pytest.mark.parametrize("text", [part for part in PARTS if "spirv.ARM.Graph " not in str(part.values[0])])
def test_any_operation_may_have_further_attributes(text: str) -> None:
    generic, custom = (output.unwrap() for output in attributed()[text])
    problems = compare(custom, generic, custom)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            '%0 = "a"() : () -> i1\n"b"(%0, %0) : (i1, i1) -> ()',
            '%0 = "a"() : () -> i1\n"b"(%0) : (i1) -> ()',
            "operands",
        ),
        ('"a"() : () -> ()', '"b"() : () -> ()', "operation 0 is"),
        ('%0 = "a"() : () -> memref<1xi1>', '%0 = "a"() : () -> memref<2xi1>', "has type"),
        ('"a"() ({\n^bb0:\n "b"() : () -> ()\n}) : () -> ()', '"a"() ({}) : () -> ()', "1 blocks against 0"),
        ('"a"() ({}) : () -> ()', '"a"() : () -> ()', "regions"),
    ],
)
def test_the_comparison_sees_differences(one: str, other: str, expected: str) -> None:
    assert any(expected in line for line in differences(parse(one), parse(other)))
    assert not differences(parse(one), parse(one))


@pytest.mark.parametrize("sizes", ["array<i32: 1, 1, 0>", "#sizes"])
def test_sizes_of_operand_lists_may_have_an_alias(sizes: str) -> None:
    text = f"""#sizes = array<i32: 1, 1, 0>
func.func @f(%a: memref<2xf32>, %c: i1) {{
  "bufferization.dealloc"(%a, %c) <{{operandSegmentSizes = {sizes}}}> : (memref<2xf32>, i1) -> ()
  return
}}
"""
    assert print_module(parse(text)) == text
    assert tools.run_mlir_opt([text])[0].ok
