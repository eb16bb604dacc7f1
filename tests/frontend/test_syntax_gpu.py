"""What the custom forms of the GPU dialect leave to the reader."""

from __future__ import annotations

import pytest

from dealog.frontend import Module, Operation, parse


def find(module: Module, name: str) -> Operation:
    return next(op for op in module.walk() if op.name == name)


LAUNCH = """
func.func @f(%n: index, %s: i32) {
  gpu.launch clusters(%c, %c1, %c2) in (%cs = %n, %cs1 = %n, %cs2 = %n)
      blocks(%b, %b1, %b2) in (%gs = %n, %gs1 = %n, %gs2 = %n)
      threads(%t, %t1, %t2) in (%bs = %n, %bs1 = %n, %bs2 = %n)
      dynamic_shared_memory_size %s workgroup(%w : memref<4xf32, 3>) private(%p : memref<1xf32, 5>) {
    gpu.terminator
  }
  return
}
"""


@pytest.mark.parametrize(
    ("signature", "function_type"),
    [
        ("()", "() -> ()"),
        ("(%a: memref<?xf32>, %b: f32) -> f32", "(memref<?xf32>, f32) -> f32"),
        ("(%a: f32) workgroup(%w: memref<4xf32, 3>) private(%p: memref<1xf32, 5>) kernel", "(f32) -> ()"),
        ("() workgroup(%w: memref<4xf32, 3> {llvm.align = 16 : i64})", "() -> ()"),
    ],
)
def test_attributions_are_arguments_but_no_parameters(signature: str, function_type: str) -> None:
    function = find(parse(f"gpu.module @m {{\ngpu.func @f{signature} {{\ngpu.return\n}}\n}}"), "gpu.func")
    assert function.attributes["function_type"] == function_type
    assert function.attributes["sym_name"] == '"f"'
    assert len(function.regions[0].blocks[0].arguments) == signature.count("%")


def test_a_launch_binds_its_arguments_in_the_order_of_the_generic_form() -> None:
    launch = find(parse(LAUNCH), "gpu.launch")
    names = [value.name for value in launch.regions[0].blocks[0].arguments]
    sizes = "%b %b1 %b2 %t %t1 %t2 %gs %gs1 %gs2 %bs %bs1 %bs2 %c %c1 %c2 %cs %cs1 %cs2"
    assert names == [*sizes.split(), "%w", "%p"]
    assert [value.type for value in launch.regions[0].blocks[0].arguments[:18]] == ["index"] * 18
    assert [value.name for value in launch.operands] == ["%n"] * 9 + ["%s"]


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("%0 = gpu.alloc () : memref<4xf32>", ["memref<4xf32>"]),
        ("gpu.alloc host_shared () : memref<4xf32>", ["memref<4xf32>"]),
        ("%0, %1 = gpu.alloc async () : memref<4xf32>", ["memref<4xf32>", "!gpu.async.token"]),
        ("%0 = gpu.wait async", ["!gpu.async.token"]),
        ("gpu.wait", []),
    ],
)
def test_a_token_is_the_last_result(text: str, types: list[str]) -> None:
    op = parse(text).operation.regions[0].blocks[0].operations[0]
    assert [value.type for value in op.results] == types
    assert ("hostShared" in op.attributes) == ("host_shared" in text)
