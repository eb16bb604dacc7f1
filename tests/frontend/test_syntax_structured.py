"""What the custom forms of affine, linalg, bufferization and shape leave to the reader: the order of
operands, results and regions that the text does not state, and lists that grow."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dealog.frontend import Module, Operation, edits, parse, print_module
from tests.frontend.structure import mlir_opt


def find(module: Module, name: str) -> list[Operation]:
    return [op for op in module.walk() if op.name == name]


def within(body: str) -> Module:
    """The module of a function with some values to use."""
    values = "%m: memref<?x?xf32>, %v: memref<?xf32>, %t: tensor<?xf32>, %a: index, %b: index, %c: i1"
    return parse(f"func.func @f({values}) {{\n{body}\nreturn\n}}")


@pytest.mark.parametrize(
    ("subscripts", "operands"),
    [
        ("%a, %b", "%a %b"),
        ("%b + %a * 2, %b mod 3", "%b %a"),
        ("symbol(%a), %b - symbol(%a)", "%b %a"),
        ("(-%a + 4) floordiv -2, 7", "%a"),
        ("%a - symbol(%a), symbol(%b)", "%a %b"),
        ("symbol(%a) ceildiv 2, %a", "%a"),
        ("0, -1", ""),
    ],
)
def test_subscripts_are_operands_once_and_symbols_come_last(subscripts: str, operands: str) -> None:
    load, store = (
        find(within(text), name)[0]
        for text, name in (
            (f"%x = affine.load %m[{subscripts}] : memref<?x?xf32>", "affine.load"),
            (
                f"%x = arith.constant 1.0 : f32\naffine.store %x, %m[{subscripts}] : memref<?x?xf32>",
                "affine.store",
            ),
        )
    )
    assert [value.name for value in load.operands] == ["%m", *operands.split()]
    assert [value.name for value in store.operands] == ["%x", "%m", *operands.split()]
    assert load.results[0].type == "f32"


def test_bounds_of_a_parallel_loop_are_operands_group_by_group() -> None:
    text = "affine.parallel (%i, %j) = (symbol(%a), %b) to (min(%a + %b, symbol(%b)), symbol(%a) + %b) { }"
    (loop,) = find(within(text), "affine.parallel")
    assert [value.name for value in loop.operands] == ["%b", "%a", "%a", "%b", "%a"]
    assert [value.name for value in loop.regions[0].blocks[0].arguments] == ["%i", "%j"]
    assert [op.name for op in loop.regions[0].blocks[0].operations] == ["affine.yield"]


def test_a_value_is_replaced_in_all_places_of_its_operand() -> None:
    module = within("%x = affine.load %m[%a + 1, symbol(%b) - %a] : memref<?x?xf32>")
    load = find(module, "affine.load")[0]
    edits.set_operand(load, 1, load.operands[2])
    assert "%m[%b + 1, symbol(%b) - %b]" in print_module(module)


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("linalg.map { arith.negf } ins(%v : memref<?xf32>) outs(%v : memref<?xf32>)", []),
        (
            "%0 = linalg.map { arith.negf } ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>)",
            ["tensor<?xf32>"],
        ),
        ("linalg.map { arith.negf } ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>)", ["tensor<?xf32>"]),
        ("linalg.fill ins(%c : i1) outs(%v : memref<?xf32>)", []),
        ("%0 = linalg.fill ins(%c : i1) outs(%t : tensor<?xf32>) -> tensor<?xf32>", ["tensor<?xf32>"]),
        ("bufferization.dealloc (%v : memref<?xf32>) if (%c)", []),
        ("%0:2 = bufferization.dealloc retain (%v, %m : memref<?xf32>, memref<?x?xf32>)", ["i1", "i1"]),
    ],
)
def test_results_that_the_text_states_as_operands(text: str, types: list[str]) -> None:
    function = find(within(text), "func.func")[0]
    operation = function.regions[0].blocks[0].operations[0]
    assert [result.type for result in operation.results] == types


def test_operands_of_pack_follow_the_generic_form() -> None:
    text = (
        "%p = arith.constant 0.0 : f32\n%d = tensor.empty(%a, %b) : tensor<?x?xf32>\n"
        "%0 = linalg.pack %t padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [%b] into %d"
        " : tensor<?xf32> -> tensor<?x?xf32>"
    )
    (pack,) = find(within(text), "linalg.pack")
    assert [value.name for value in pack.operands] == ["%t", "%d", "%p", "%b"]


LOOPS = """
func.func @f(%m: memref<4xf32>, %n: index, %own: i1, %w: !shape.witness) -> memref<4xf32> {
  %0 = affine.for %i = 0 to %n step 2 iter_args(%x = %m) -> memref<4xf32> { // a comment
    affine.yield %x : memref<4xf32>
  } {test.note}
  %1 = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> (memref<4xf32>) {
    affine.yield %0 : memref<4xf32>
  } else {
    affine.yield %m : memref<4xf32>
  }
  %2 = shape.assuming %w -> memref<4xf32> {
    shape.assuming_yield %1 : memref<4xf32>
  }
  return %2 : memref<4xf32>
}
"""


def grow_for(module: Module) -> None:
    (loop,) = find(module, "affine.for")
    own = find(module, "func.func")[0].regions[0].blocks[0].arguments[2]
    edits.grow_operands(loop, len(loop.operands) - 1, [own])
    (argument,) = edits.grow_arguments(loop.regions[0].blocks[0], ["i1"])
    edits.grow_results(loop, ["i1"])
    terminator = loop.regions[0].blocks[0].terminator
    assert terminator is not None
    edits.grow_operands(terminator, 0, [argument])


def grow_regions(name: str) -> Callable[[Module], None]:
    def grow(module: Module) -> None:
        (op,) = find(module, name)
        own = find(module, "func.func")[0].regions[0].blocks[0].arguments[2]
        edits.grow_results(op, ["i1"])
        for region in op.regions:
            terminator = region.blocks[0].terminator
            assert terminator is not None
            edits.grow_operands(terminator, 0, [own])

    return grow


GROWTHS = [
    (grow_for, "iter_args(%x = %m, %own_0 = %own) -> (memref<4xf32>, i1) { // a comment"),
    (grow_regions("affine.if"), ", i1) {\n    affine.yield %0, %own : memref<4xf32>, i1"),
    (
        grow_regions("shape.assuming"),
        "-> (memref<4xf32>, i1) {\n    shape.assuming_yield %1, %own : memref<4xf32>, i1",
    ),
]


@pytest.mark.parametrize(("grow", "expected"), GROWTHS, ids=["for", "if", "assuming"])
def test_lists_of_structured_operations_grow(grow: Callable[[Module], None], expected: str) -> None:
    module = parse(LOOPS)
    grow(module)
    assert expected in print_module(module)


@pytest.mark.parametrize("flags", [[], ["-mlir-print-op-generic"]], ids=["custom", "generic"])
def test_mlir_opt_accepts_what_has_grown(flags: list[str]) -> None:
    text = mlir_opt(LOOPS, *flags)
    assert text is not None
    module = parse(text)
    for grow, _ in GROWTHS:
        grow(module)
    grown = print_module(module)
    assert mlir_opt(grown) is not None, grown
    assert grown.count("i1") > text.count("i1") + 6
