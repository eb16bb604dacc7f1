"""How older and newer versions of MLIR write things, and what MLIR takes though nobody prints it."""

from __future__ import annotations

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import Operation, edits, parse, print_module
from tests.frontend.structure import mlir_opt

OTHER_VERSIONS = {
    "a function without dialect": ("func @f(%a: i1) -> i1 {\n  return %a : i1\n}", "func.func", [], []),
    "a declaration without dialect": ("func private @f(memref<4xf32>)", "func.func", [], []),
    "the standard dialect": ("func @f() {\n  br ^bb1\n^bb1:\n  return\n}", "cf.br", [], []),
    "an allocation without dialect": (
        "func @f(%n: index) {\n  %0 = alloc(%n) : memref<?xf32>\n  return\n}",
        "memref.alloc",
        ["index"],
        ["memref<?xf32>"],
    ),
    "to_memref, with the result's type": (
        "func.func @f(%t: tensor<4xf32>) {\n  %0 = bufferization.to_memref %t : memref<4xf32>\n  return\n}",
        "bufferization.to_memref",
        ["tensor<4xf32>"],
        ["memref<4xf32>"],
    ),
    "to_memref, with both types": (
        "func.func @f(%t: tensor<4xf32>) {\n"
        "  %0 = bufferization.to_memref %t read_only : tensor<4xf32> to memref<4xf32>\n  return\n}",
        "bufferization.to_memref",
        ["tensor<4xf32>"],
        ["memref<4xf32>"],
    ),
    "to_tensor, with the operand's type": (
        "func.func @f(%m: memref<4xf32>) {\n  %0 = bufferization.to_tensor %m restrict : memref<4xf32>\n  return\n}",
        "bufferization.to_tensor",
        ["memref<4xf32>"],
        [""],
    ),
    "mesh, as the shard dialect was called": (
        "mesh.mesh @m(shape = 2x?)\nfunc.func @f(%t: tensor<4xf32>) {\n"
        "  %0 = mesh.all_reduce %t on @m mesh_axes = [1, 0] reduction = <max> : tensor<4xf32> -> tensor<4xf64>\n"
        "  return\n}",
        "mesh.all_reduce",
        ["tensor<4xf32>"],
        ["tensor<4xf64>"],
    ),
    "gpu.printf without a comma": (
        'func.func @f(%a: i32, %b: f32) {\n  gpu.printf "%d %f" %a, %b : i32, f32\n  return\n}',
        "gpu.printf",
        ["i32", "f32"],
        [],
    ),
    "tosa.cond_if without types of operands": (
        "func.func @f(%c: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = tosa.cond_if %c -> (tensor<f32>) {\n    tosa.yield %x : tensor<f32>\n  } else {\n"
        "    tosa.yield %x : tensor<f32>\n  }\n  return %0 : tensor<f32>\n}",
        "tosa.cond_if",
        ["tensor<i1>"],
        ["tensor<f32>"],
    ),
    "spirv.AccessChain without its result type": (
        "func.func @f(%p: !spirv.ptr<!spirv.array<4 x f32>, Function>, %i: i32) {\n"
        "  %0 = spirv.AccessChain %p[%i] : !spirv.ptr<!spirv.array<4 x f32>, Function>, i32\n  return\n}",
        "spirv.AccessChain",
        ["!spirv.ptr<!spirv.array<4 x f32>, Function>", "i32"],
        [""],
    ),
    "omp.atomic.read with one type": (
        "func.func @f(%x: !llvm.ptr, %v: !llvm.ptr) {\n  omp.atomic.read %v = %x : !llvm.ptr, i32\n  return\n}",
        "omp.atomic.read",
        ["!llvm.ptr", "!llvm.ptr"],
        [],
    ),
    "omp.private with alloc": (
        "omp.private {type = private} @p : memref<?xf32> alloc {\n^bb0(%a: memref<?xf32>):\n"
        "  omp.yield(%a : memref<?xf32>)\n}",
        "omp.private",
        [],
        [],
    ),
    "tensor.pack": (
        "func.func @f(%a: tensor<12x8xf32>, %b: tensor<3x2x4x4xf32>, %c: f32) {\n"
        "  %0 = tensor.pack %a padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %b : "
        "tensor<12x8xf32> -> tensor<3x2x4x4xf32>\n  return\n}",
        "tensor.pack",
        ["tensor<12x8xf32>", "tensor<3x2x4x4xf32>", "f32"],
        ["tensor<3x2x4x4xf32>"],
    ),
    "tensor.unpack": (
        "func.func @f(%a: tensor<12x8xf32>, %b: tensor<3x2x4x4xf32>) {\n"
        "  %0 = tensor.unpack %b inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %a : "
        "tensor<3x2x4x4xf32> -> tensor<12x8xf32>\n  return\n}",
        "tensor.unpack",
        ["tensor<3x2x4x4xf32>", "tensor<12x8xf32>"],
        ["tensor<12x8xf32>"],
    ),
    "named linalg operations": (
        "func.func @f(%a: memref<128x64xf32>, %c: memref<64x64xf32>) {\n  linalg.matmul_transpose_a "
        "ins(%a, %a : memref<128x64xf32>, memref<128x64xf32>) outs(%c : memref<64x64xf32>)\n  return\n}",
        "linalg.matmul_transpose_a",
        ["memref<128x64xf32>", "memref<128x64xf32>", "memref<64x64xf32>"],
        [],
    ),
    "variables of tosa": (
        "tosa.variable @v = dense<-1> : tensor<2x4xi8>\nfunc.func @f(%i: tensor<2x4xi8>) {\n"
        "  tosa.variable.write @v, %i : tensor<2x4xi8>\n  %0 = tosa.variable.read @v : tensor<2x4xi8>\n  return\n}",
        "tosa.variable.read",
        [],
        ["tensor<2x4xi8>"],
    ),
    "lifetimes of a size": (
        "func.func @f(%p: !llvm.ptr) {\n  llvm.intr.lifetime.start 4, %p : !llvm.ptr\n  return\n}",
        "llvm.intr.lifetime.start",
        ["!llvm.ptr"],
        [],
    ),
    "llvm.call_intrinsic with attributes after the types": (
        'func.func @f(%v: f32) {\n  %0 = llvm.call_intrinsic "llvm.round"(%v) : (f32) -> f32 {a}\n  return\n}',
        "llvm.call_intrinsic",
        ["f32"],
        ["f32"],
    ),
    "llvm.invoke without operand bundles": (
        "llvm.func @f(%a: i32) attributes {personality = @g} {\n"
        '  "llvm.invoke"(%a)[^bb1, ^bb2] <{callee = @h, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()\n'
        "^bb1:\n  llvm.return\n^bb2:\n  %0 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\n  llvm.return\n}\n"
        "llvm.func @g(...) -> i32\nllvm.func @h(i32)",
        "llvm.invoke",
        ["i32"],
        [],
    ),
    "slices of tiles, moved": (
        "func.func @f(%v: vector<[16]xi8>, %t: vector<[16]x[16]xi8>, %i: index) {\n"
        "  %0 = arm_sme.move_vector_to_tile_slice %v, %t, %i layout<vertical> : vector<[16]xi8> into "
        "vector<[16]x[16]xi8>\n  %1 = arm_sme.move_tile_slice_to_vector %0[%i] : vector<[16]xi8> from "
        "vector<[16]x[16]xi8>\n  return\n}",
        "arm_sme.move_tile_slice_to_vector",
        ["vector<[16]x[16]xi8>", "index"],
        ["vector<[16]xi8>"],
    ),
    "constructors in a dictionary": (
        "llvm.mlir.global_ctors {ctors = [@f], priorities = [0 : i32]}",
        "llvm.mlir.global_ctors",
        [],
        [],
    ),
    "vector.insertelement": (
        "func.func @f(%x: f32, %v: vector<4xf32>, %i: i32) {\n"
        "  %0 = vector.insertelement %x, %v[%i : i32] : vector<4xf32>\n  return\n}",
        "vector.insertelement",
        ["f32", "vector<4xf32>", "i32"],
        ["vector<4xf32>"],
    ),
    "vector.extractelement of rank 0": (
        "func.func @f(%v: vector<f32>) {\n  %0 = vector.extractelement %v[] : vector<f32>\n  return\n}",
        "vector.extractelement",
        ["vector<f32>"],
        ["f32"],
    ),
    "vector.splat": (
        "func.func @f(%x: f32) {\n  %0 = vector.splat %x : vector<4xf32>\n  return\n}",
        "vector.splat",
        ["f32"],
        ["vector<4xf32>"],
    ),
    "an alignment without dictionary": (
        "func.func @f(%n: index) {\n  %0 = memref.alloc(%n) alignment = 64 : memref<?xf32>\n  return\n}",
        "memref.alloc",
        ["index"],
        ["memref<?xf32>"],
    ),
    "properties in a custom form": (
        "func.func @f(%n: index) {\n"
        "  %0 = memref.alloc(%n) <{alignment = 64 : i64}> {a.b} : memref<?xf32>\n  return\n}",
        "memref.alloc",
        ["index"],
        ["memref<?xf32>"],
    ),
}


@pytest.mark.parametrize(("text", "name", "operands", "results"), OTHER_VERSIONS.values(), ids=OTHER_VERSIONS)
def test_forms_of_other_versions_are_read(text: str, name: str, operands: list[str], results: list[str]) -> None:
    module = parse(text)
    assert print_module(module) == text
    op = find(text, name)
    assert [value.type for value in op.operands] == operands
    assert [value.type for value in op.results] == results


@pytest.mark.parametrize(
    "form", ["alignment = 64", "<{alignment = 64 : i64}>", "<{alignment = 64 : i64}> {a = 1 : i8}"]
)
def test_an_alignment_is_an_attribute_however_it_is_written(form: str) -> None:
    alloc = find(f"func.func @f() {{\n  %0 = memref.alloc() {form} : memref<4xf32>\n  return\n}}", "memref.alloc")
    assert alloc.attributes["alignment"].split()[0] == "64"
    assert alloc.attributes.get("a") == ("1 : i8" if "{a =" in form else None)


def find(text: str, name: str) -> Operation:
    return next(op for op in parse(text).walk() if op.name == name)


# ---- what MLIR takes

TAKEN = {
    "numbers with zeros in front": (
        "func.func @f(%i: index) {\n  %0 = arith.constant -00012 : i32\n"
        "  %a:02 = affine.delinearize_index %i into (02, 3) : index, index\n"
        "  %q = arith.addi %a#01, %a#00 : index\n  %r = arith.addi %i#0, %q#00 : index\n  return\n}"
    ),
    "comments and lines that a carriage return ends": (
        "#i = affine_map<(d0) -> (d0 + 1)>\rfunc.func @f() { // x\r  %0 = memref.alloc() : memref<4xf32, #i> // }\r"
        '  %1 = "test.x"(%0) <{a = [1, // ]\r 2]}> : (memref<4xf32, #i>) -> f32\r  return\r}\r'
    ),
    "flags behind a comma": (
        "func.func @f(%v: vector<4xf32>) {\n"
        "  %0 = vector.reduction <add>, %v, fastmath<reassoc> : vector<4xf32> into f32\n  return\n}"
    ),
    "sizes where none belong, generic": (
        "func.func @f(%a: f32) {\n"
        '  %0 = "arith.addf"(%a, %a) {operandSegmentSizes = array<i32: 7, 1>} : (f32, f32) -> f32\n  return\n}'
    ),
    "sizes where none belong, as properties": (
        "func.func @f(%m: memref<4xf32>, %i: index) {\n"
        '  %0 = "memref.load"(%m, %i) <{operandSegmentSizes = array<i32: 7>}> : (memref<4xf32>, index) -> f32\n'
        "  return\n}"
    ),
    "sizes under an alias": (
        "#sizes = array<i32: 1, 1, 0>\nfunc.func @f(%c: i1, %i: index) {\n"
        '  "cf.cond_br"(%c, %i)[^bb1, ^bb2] <{operandSegmentSizes = #sizes}> : (i1, index) -> ()\n'
        "^bb1(%a: index):\n  return\n^bb2:\n  return\n}"
    ),
    "an alias of the type of an operation": (
        '!f = (i64) -> i64\n!g = !f\nfunc.func @f(%a: i64) {\n  %0 = "test.x"(%a) : !g\n  return\n}'
    ),
    "an alias of the type of a call": (
        "!f = (i64) -> (i64, i64)\nfunc.func private @g(i64) -> (i64, i64)\nfunc.func @f(%a: i64) {\n"
        "  %g = func.constant @g : !f\n  %0:2 = func.call_indirect %g(%a) : !f\n  %1:2 = call @g(%a) : !f\n  return\n}"
    ),
    "an alias of the type of an operation without operands": (
        '!f = () -> ()\nfunc.func @f() {\n  "test.x"() : !f\n  return\n}'
    ),
}


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_what_mlir_takes_is_read(text: str) -> None:
    printed = mlir_opt(text, "-mlir-print-op-generic")
    assert printed is not None
    module = parse(text)
    assert print_module(module) == text
    of_both = [
        [[value.type for value in (*op.operands, *op.results)] for op in m.walk()] for m in (module, parse(printed))
    ]
    assert of_both[0] == of_both[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"test.x"() : !f', "undefined symbol alias id 'f'"),
        ('!f = i64\n"test.x"() : !f', "expected a function type, and '!f' is 'i64'"),
        (
            '#sizes = array<i32: 1, 1>\n%0 = "memref.alloc"() <{operandSegmentSizes = #sizes}> : () -> memref<4xf32>',
            "'memref.alloc' op operand count (0) does not match with the total size (2)",
        ),
        (
            '%0 = "memref.alloc"() {operandSegmentSizes = array<i32: 0, 1>} : () -> memref<4xf32>',
            "'memref.alloc' op operand count (0) does not match with the total size (1)",
        ),
    ],
)
def test_what_mlir_refuses_is_refused(text: str, message: str) -> None:
    assert mlir_opt(text) is None
    with pytest.raises(DealogError) as error:
        parse(text)
    assert message in error.value.diagnostics[0].message


def test_what_has_an_alias_grows_in_a_copy() -> None:
    """The types of a call and the sizes of operand lists are spelled out where the operation grows."""
    text = (
        "!f = (i64) -> i64\n#s = array<i32: 1, 1, 0>\nfunc.func private @g(i64) -> i64\n"
        "func.func @f(%a: i64, %c: i1) {\n  %0 = call @g(%a) : !f\n  %1 = call @g(%a) : !f\n"
        '  "cf.cond_br"(%c, %a)[^bb1, ^bb2] <{operandSegmentSizes = #s}> : (i1, i64) -> ()\n'
        "^bb1(%x: i64):\n  return\n^bb2:\n  return\n}\n"
    )
    module = parse(text)
    ops = {op.name: op for op in module.walk()}
    call, branch = ops["func.call"], ops["cf.cond_br"]
    condition = branch.operands[0]
    edits.grow_operands(call, 0, [condition])
    edits.grow_results(call, ["i1"])
    edits.grow_operands(branch, 1, [condition])
    edits.grow_arguments(branch.successors[0].block, ["i1"])
    printed = print_module(module)
    assert "%0 = call @g(%a) : !f\n" in printed
    assert "%1, %own = call @g(%a, %c) : (i64, i1) -> (i64, i1)\n" in printed
    assert "operandSegmentSizes = array<i32: 1, 2, 0>" in printed
    assert printed.startswith("!f = (i64) -> i64\n#s = array<i32: 1, 1, 0>\n")
