"""What single operations ask for, on small IR: the messages are mlir-opt's, or say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tools import run_mlir_opt

from .derive import derive

VERIFICATION = ("verification",)
ARGUMENTS = (
    "%i: index, %j: index, %c: i1, %x: i32, %y: i64, %fl: f32, %d: f64, %m: memref<4xf32>, %n: memref<?x?xf32>, "
    "%mi: memref<4xi32>, %u: memref<*xf32>, %t: tensor<4xf32>, %td: tensor<?x?xf32>, %v: vector<4xf32>, "
    "%vi: vector<4xi32>, %vc: vector<4xi1>, %cx: complex<f32>, %w: vector<2x4xf32>, "
    "%w2: vector<2x4x8xf32>, %fl2: vector<2x8xf32>"
)
TOP_LEVEL = ("func.func", "llvm.func", "llvm.mlir.global", "memref.global", "module", "gpu.module")


def function(body: str) -> str:
    return body + "\n" if body.startswith(TOP_LEVEL) else f"func.func @f({ARGUMENTS}) {{\n{body}\n  return\n}}\n"


def chunks() -> list[str]:
    text = (Path(__file__).parent / "invalid_operations.mlir").read_text(encoding="utf-8")
    return text.partition("\n\n")[2].split("// -----\n")


def taken_apart(chunk: str) -> tuple[list[str], str]:
    """The messages of a chunk, and its text."""
    lines = chunk.splitlines()
    messages = [line[3:] for line in lines if line.startswith("// ")]
    return messages, function("\n".join(lines[len(messages) :]))


@pytest.mark.parametrize("chunk", chunks(), ids=lambda chunk: chunk.partition("\n")[0][3:60])
def test_what_is_invalid(chunk: str) -> None:
    messages, text = taken_apart(chunk)
    diagnosed = derive(text, "diagnosed", rules=VERIFICATION)
    lowest = min((rank for _, rank, _ in diagnosed), default=0)
    assert any(messages[0] in told for _, rank, told in diagnosed if rank == lowest), diagnosed
    (theirs,) = run_mlir_opt([text])
    assert messages[-1] in theirs.errors


def test_what_is_stated_of_operations() -> None:
    spaces, blocks, nothing = derive("", "stays_in_space", "one_block", "binds_nothing", rules=VERIFICATION)
    assert ("memref.view", "base", "view") in spaces
    assert {("scf.for", 0, "region"), ("scf.while", 1, "after")} <= blocks and ("scf.if",) in nothing
    assert ("internal",) in derive("", "bound_elsewhere", rules=VERIFICATION)


def test_sizes_and_copies_of_tensors() -> None:
    lines = (
        "%0 = bufferization.alloc_tensor(%i) size_hint=%i : tensor<?xf32>",
        "%0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>",
        '%0 = "bufferization.alloc_tensor"(%i) {operandSegmentSizes = array<i32: 1, 0, 0>} : (index) -> tensor<?xf32>',
    )
    for line, (total, copied) in zip(lines, ((1, 0), (0, 1), (1, 0)), strict=True):
        sizes, copies, diagnosed = derive(
            function(line), "sizes_of_tensor", "copies_tensor", "diagnosed", rules=VERIFICATION
        )
        assert {total for _, total in sizes} == {total} and len(copies) == copied and diagnosed == set()


VALID = {
    "bufferization.dealloc (%m : memref<4xf32>) if (%c)": ("freed_type", ("memref<4xf32>",)),
    "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()": (
        "puts_into_type",
        ("bufferization.materialize_in_destination#1", "tensor<4xf32>", "memref<4xf32>"),
    ),
    "%0 = memref.atomic_rmw addf %fl, %m[%i] : (f32, memref<4xf32>) -> f32": (
        "updates_in_way",
        ("memref.atomic_rmw#1", "addf"),
    ),
    "%0 = memref.subview %m[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>": (
        "skipped_elements",
        ("memref.subview#1", 0, 2),
    ),
    "%0 = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>": (
        "spread",
        ("vector.broadcast#1", "vector<4xf32>", "vector<2x4xf32>"),
    ),
    "%0 = vector.reduction <add>, %v : vector<4xf32> into f32": ("combines_by", ("vector.reduction#1", "add")),
    "%0 = vector.multi_reduction <add>, %v, %fl [0] : vector<4xf32> to f32": (
        "reduced",
        ("vector.multi_reduction#1", "vector<4xf32>", "f32"),
    ),
    "%0 = vector.multi_reduction <add>, %w, %v [0] : vector<2x4xf32> to vector<4xf32>": (
        "unreduced_size",
        ("vector.multi_reduction#1", 1, 4),
    ),
    "%1 = vector.multi_reduction <add>, %w, %v [0] : vector<2x4xf32> to vector<4xf32>": (
        "reduces_dimension",
        ("vector.multi_reduction#1", 0),
    ),
    "%2 = vector.multi_reduction <add>, %w2, %fl2 [1] : vector<2x4x8xf32> to vector<2x8xf32>": (
        "unreduced_before",
        ("vector.multi_reduction#1", 2, 0),
    ),
    "memref.dma_start %m[%i], %m[%i], %i, %m[%i] : memref<4xf32>, memref<4xf32>, memref<4xf32>": (
        "transfer_memref",
        ("memref.dma_start#1", 2, 5, "tag"),
    ),
    "memref.prefetch %m[%i], read, locality<3>, data : memref<4xf32>": (
        "constrained_attribute",
        (
            "memref.prefetch#1", "localityHint",
            "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
        ),
    ),
    "affine.dma_wait %m[%i], %i : memref<4xf32>": (
        "subscripted_memref",
        ("affine.dma_wait#1", 0, "tag_map", "tag"),
    ),
    "%0 = linalg.fill ins(%fl : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>": (
        "outputs_from",
        ("linalg.fill#1", 1),
    ),
    "gpu.memcpy %m, %m : memref<4xf32>, memref<4xf32>": (
        "fills_buffer",
        ("gpu.memcpy#1", "memref<4xf32>", "memref<4xf32>"),
    ),
    "%0 = gpu.all_reduce add %fl {} : (f32) -> f32": ("reduces_to", ("gpu.all_reduce#1", "f32")),
}
READ = (
    "freed_type", "puts_into_type", "updates_in_way", "skipped_elements", "spread", "combines_by", "reduced",
    "unreduced_size", "unreduced_before", "reduces_dimension", "transfer_memref", "subscripted_memref",
    "constrained_attribute",
    "outputs_from", "fills_buffer", "reduces_to",
)  # fmt: skip


@pytest.mark.parametrize("line", VALID)
def test_what_is_valid(line: str) -> None:
    relation, row = VALID[line]
    derived = dict(zip(READ, derive(function(line), *READ, rules=VERIFICATION), strict=True))
    assert row in derived[relation]
    assert derive(function(line), "diagnosed", rules=VERIFICATION) == set()
