"""Modules of the dialects beside memrefs: mlir-opt and Dealog refuse the same ones, at the same line."""

from __future__ import annotations

from tests.support.mutants import verdicts
from tests.verify.test_mutants import errors

PATTERN = 'pdl.pattern @p : benefit(1) {{\n  %0 = type\n  %1 = operation "a.b" -> ({}%0 : !pdl.type)\n  {}\n}}\n'
MATCHER = (
    "pdl_interp.func @m(%o: !pdl.operation, %i: i32, %v: !pdl.value, %t: !pdl.type, %a: !pdl.attribute, "
    "%r: !pdl.range<type>, %p: !pdl.range<operation>) {{\n  {}\n^e:\n  pdl_interp.finalize\n}}\n"
)
BEFORE_A_BRANCH = MATCHER.replace("{}", "{}\n  pdl_interp.branch ^e")
SEQUENCE = (
    "module attributes {{transform.with_named_sequence}} {{\n"
    "  transform.named_sequence @s(%a: !transform.any_op) {{\n"
    '    %0 = transform.structured.match ops{{["linalg.matmul"]}} in {} : (!transform.any_op) -> !transform.any_op\n'
    "    {}\n"
    "    transform.yield\n  }}\n}}\n"
)
OMP = (
    "func.func @f(%m: memref<i32>, %n: memref<f32>, %k: i32, %i: index, %c: i1) {{\n"
    "  omp.parallel allocate(%n : memref<f32> -> %m : memref<i32>) num_threads({}) {{\n    omp.terminator\n  }}\n"
    "  omp.wsloop ordered(1) {{\n    omp.simd safelen(4) simdlen({}) {{\n"
    "      omp.loop_nest (%a) : index = (%i) to (%i) step ({}) {{\n        omp.yield\n      }}\n"
    "    }} {{omp.composite}}\n  }} {{omp.composite}}\n  return\n}}\n"
)
PLAIN = (
    "func.func @f(%p: !llvm.ptr<1>, %w: i32, %m: memref<4xf32>, %v: !async.value<memref<4xf32>>, "
    "%t: tensor<4x8xf32>, %d: vector<4xf8E5M2>, %x: f32, %two: vector<2xf32>) {{\n  {}\n  return\n}}\n"
)
VALUES = (
    "func.func @f(%m: memref<4xf32>, %t: tensor<8x4xf32>, %c: vector<[4]xi32>, %b: vector<[16]xi8>, %g: vector<8xf32>, "
    "%p: !ptr.ptr<#ptr.generic_space>, %q: tensor<4x!quant.uniform<i8:f32, 2.0>>, %i: i32, %s: !llvm.ptr<3>, "
    "%w: !mpi.comm, %z: vector<[4]x[4]xf32>, %e: tensor<4x8xf64, #sparse_tensor.encoding<{{map = (i, j) -> (i : dense, "
    "j : compressed)}}>>) {{\n  {}\n  return\n}}\nshard.grid @grid(shape = 2x4)\n"
)
TAKEN = [
    "func.func @f(%a: memref<4xf8E8M0FNU>, %b: f4E2M1FN, %c: tf32, %d: f80, %e: vector<4xf6E3M2FN>) {\n  return\n}\n",
    "module attributes {transform.with_named_sequence} {\n"
    "transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {\n"
    "  transform.match.structured %a : !transform.any_op {\n  ^bb0(%b: !transform.any_op):\n"
    "    %0 = transform.match.structured.input %b[0] : (!transform.any_op) -> "
    "!transform.affine_map\n    transform.match.structured.yield\n  }\n  transform.yield\n}\n}\n",
    "func.func @f(%a: i32) {\n  emitc.switch %a : i32\n  case 2 {\n    emitc.yield\n  }\n  default {}\n  return\n}\n",
    "llvm.func @f() -> !llvm.void {\n  llvm.call @f() : () -> ()\n  llvm.return\n}\n",
    "func.func @f(%c: i1) {\n  cf.switch %c : i1, [default: ^a, true: ^a, false: ^a]\n^a:\n  return\n}\n",
    '"builtin.module"() <{kept = 3 : i32}> ({\n^bb0:\n}) : () -> ()\n',  # what MLIR does not know there, it forgets
    VALUES.format("%0 = acc.copyin varPtr(%m : memref<4xf32>) -> memref<4xf32>\n"
                  "  acc.enter_data dataOperands(%0 : memref<4xf32>)"),
    VALUES.format("%0 = shard.broadcast %t on @grid grid_axes = [0, 1] root = [0, 1] : "
                  "(tensor<8x4xf32>) -> tensor<8x4xf32>"),
    VALUES.format("%0 = arm_sve.sdot %c, %b, %b : vector<[16]xi8> to vector<[4]xi32>"),
    VALUES.format("%0 = x86vector.avx.rsqrt %g : vector<8xf32>"),
    VALUES.format("%0 = ptr.load %p alignment = 8 : !ptr.ptr<#ptr.generic_space> -> f32"),
    VALUES.format(
        '%0 = "ptr.load"(%p) <{alignment = [8], ordering = 3 : i32}> : (!ptr.ptr<#ptr.generic_space>) -> f32'
    ),
    VALUES.format("%0 = quant.scast %q : tensor<4x!quant.uniform<i8:f32, 2.0>> to tensor<4xi8>"),
    VALUES.format("rocdl.s.barrier.join %s : !llvm.ptr<3>"),
    VALUES.format("%0 = mpi.comm_rank(%w) : i32"),
    VALUES.format("%0 = arm_sme.copy_tile %z : vector<[4]x[4]xf32>"),
    VALUES.format("%0 = sparse_tensor.number_of_entries %e : tensor<4x8xf64, #sparse_tensor.encoding<"
                  "{map = (i, j) -> (i : dense, j : compressed)}>>"),
    PATTERN.format("", "rewrite %1 {\n    replace %1 with %1\n  }"),
    PATTERN.format("", 'rewrite with "r"(%1 : !pdl.operation)'),
    MATCHER.format("pdl_interp.record_match @r(%v : !pdl.value) : benefit(0), loc([%o, %o]) -> ^e"),
    MATCHER.format("pdl_interp.switch_types %r to [[], [i32]](^e, ^e) -> ^e"),
    MATCHER.format("pdl_interp.foreach %x : !pdl.operation in %p {\n    pdl_interp.finalize\n  } -> ^e"),
    BEFORE_A_BRANCH.format("%0 = pdl_interp.create_range %t, %r : !pdl.type, !pdl.range< type >"),
    SEQUENCE.format("%a", "transform.print %0 : !transform.any_op"),  # an operation that no syntax file describes
    OMP.format("%k : i32", "2", "%i"),
    PLAIN.format("async.runtime.store %m, %v : <memref<4xf32>>"),
    PLAIN.format("xevm.prefetch %p : (!llvm.ptr<1>)"),
    PLAIN.format("%0 = emitc.expression %w : (i32) -> i32 {\n    %1 = emitc.add %w, %w : (i32, i32) -> i32\n"
                 "    emitc.yield %1 : i32\n  }"),
    PLAIN.format("%0 = amdgpu.packed_scaled_trunc %two into %d[1], %x : vector<2xf32> to vector<4xf8E5M2> "
                 "into vector<4xf8E5M2>"),
    PLAIN.format("%0 = tosa.clamp %t {max_val = 1.0 : f32, min_val = 0.0 : f32} : "
                 "(tensor<4x8xf32>) -> tensor<4x8xf32>"),
    "emitc.global @a : !emitc.array<4xi32>\nemitc.class @C {\n  emitc.field @a : i32\n}\n",
]  # fmt: skip
REFUSED = [
    "func.func @f(%a: memref<4xf3>) {\n  return\n}\n",
    "func.func @f(%a: f16x) {\n  return\n}\n",
    VALUES.format("%0 = acc.copyin varPtr(%m : memref<4xf32>) -> memref<5xf32>"),
    VALUES.format("%0 = acc.present varPtr(%m : memref<4xf32>) -> memref<4xf32>\n"
                  "  acc.enter_data dataOperands(%0 : memref<4xf32>)"),
    VALUES.format("%0 = acc.private varPtr(%m : memref<4xf32>) recipe(@grid) -> memref<4xf32>"),
    VALUES.format("acc.enter_data"),
    VALUES.format("%0 = shard.broadcast %t on @grid grid_axes = [0, 1] root = [0, 1] : "
                  "(tensor<8x4xf32>) -> tensor<8x5xf32>"),
    VALUES.format("%0 = shard.process_linear_index on @f : index"),
    VALUES.format("%0 = arm_sve.sdot %c, %b, %b : vector<[16]xi8> to vector<[2]xi64>"),
    VALUES.format("%0 = arm_sve.sdot %c, %b, %b : vector<16xi8> to vector<[4]xi32>"),
    VALUES.format('%0 = "arm_neon.intr.smull"(%g, %g) : (vector<8xf32>, vector<8xf32>) -> vector<8xi16>'),
    VALUES.format('%0 = "x86vector.avx.rsqrt"(%g) : (vector<8xf32>) -> vector<4xf32>'),
    VALUES.format("%0 = ptr.load %p alignment = 6 : !ptr.ptr<#ptr.generic_space> -> f32"),
    VALUES.format("%0 = quant.scast %q : tensor<4x!quant.uniform<i8:f32, 2.0>> to tensor<4xf32>"),
    VALUES.format('"rocdl.s.barrier.join"(%i) : (i32) -> ()'),
    VALUES.format("%0 = mpi.comm_rank(%i) : i32"),
    VALUES.format("%0 = arm_sme.copy_tile %z : vector<[4]x[8]xf32>"),
    VALUES.format("sparse_tensor.print %t : tensor<8x5xf32>"),
    VALUES.format('%0 = "nvvm.mapa"(%i, %i) : (i32, i32) -> !llvm.ptr<7>'),
    "smt.solver() : () -> () {\n  %0 = smt.constant true\n  %1 = smt.eq %0 : !smt.bool\n}\n",
    "wasmssa.func @f(%l: !wasmssa<local ref to i32>) {\n"
    "  wasmssa.local_set %l : ref to i32 to %l : i32\n  wasmssa.return\n}\n",
    PATTERN.format("%2, ", "rewrite %1 {\n  }"),
    PATTERN.format("", "%0 = type\n  rewrite %1 {\n  }"),
    PATTERN.format("", "rewrite %1 {\n    erase %0\n  }"),
    *map(MATCHER.format, (
        '"pdl_interp.apply_constraint"(%o)[^e, ^e] : (!pdl.operation) -> ()',
        "pdl_interp.are_equal %t, %t : !pdl.value -> ^e, ^e",
        '"pdl_interp.branch"()[^e, ^e] : () -> ()',
        "pdl_interp.check_attribute %t is 1 -> ^e, ^e",
        "pdl_interp.check_operand_count of %o is -1 -> ^e, ^e",
        "pdl_interp.check_types %r are [1] -> ^e, ^e",
        "pdl_interp.continue",
        "pdl_interp.foreach %x : !pdl.operation in %r {\n    pdl_interp.continue\n  } -> ^e",
        '"pdl_interp.foreach"(%p)[^e] ({\n  ^f:\n    "pdl_interp.continue"() : () -> ()\n  }) '
        ": (!pdl.range<operation>) -> ()",
        "pdl_interp.is_not_null %i : i32 -> ^e, ^e",
        "pdl_interp.record_match @r : benefit(-1), loc([]) -> ^e",
        "pdl_interp.record_match @r : benefit(1), loc([%v]) -> ^e",
        "pdl_interp.switch_attribute %a to [1](^e, ^e) -> ^e",
        "pdl_interp.switch_attribute of %a to [1](^e) -> ^e",
        "pdl_interp.switch_operand_count of %o to dense<1> : vector<2xi32>(^e) -> ^e",
        "pdl_interp.switch_operand_count of %o to dense<1> : vector<1xi64>(^e) -> ^e",
    )),
    *map(BEFORE_A_BRANCH.format, (
        '%0 = "pdl_interp.apply_rewrite"() <{name = "r"}> : () -> i32',
        "%0 = pdl_interp.create_range %t, %v : !pdl.type, !pdl.value",
        "%0 = pdl_interp.create_range %o : !pdl.operation",
        "%0 = pdl_interp.create_types [1]",
        '%0 = pdl_interp.create_operation "a.b" {}',
        '%0 = "pdl_interp.create_operation"(%t) <{inferredResultTypes, inputAttributeNames = [], name = "a.b", '
        "operandSegmentSizes = array<i32: 0, 0, 1>}> : (!pdl.type) -> !pdl.operation",
        "%0 = pdl_interp.extract 1 of %r : !pdl.value",
        "%0 = pdl_interp.get_value_type of %v : !pdl.range<type>",
        "%0 = pdl_interp.get_users of %t : !pdl.type",
        "pdl_interp.erase %v",
        "pdl_interp.replace %o with (%t : !pdl.type)",
        '"pdl_interp.unknown"() : () -> ()',
    )),
    SEQUENCE.format("%b", ""),
    SEQUENCE.format("%a, %a", ""),
    SEQUENCE.format("%a", "transform.yield"),
    OMP.format("%k : i64", "2", "%i"),
    OMP.format("%k : i32", "0", "%i"),
    OMP.format("%k : i32", "8", "%i"),
    OMP.format("%k : i32", "2", "%k"),
    OMP.format("%k : i32", "2", "%i, %i"),
    PLAIN.format("async.runtime.store %m, %v : <memref<5xf32>>"),
    PLAIN.format("async.runtime.store %w, %v : <memref<4xf32>>"),
    PLAIN.format("xevm.prefetch %p : (!llvm.ptr<2>)"),
    PLAIN.format("%0 = emitc.expression %w : (i64) -> i32 {\n    %1 = emitc.add %w, %w : (i32, i32) -> i32\n"
                 "    emitc.yield %1 : i32\n  }"),
    PLAIN.format("%0 = amdgpu.packed_scaled_trunc %two into %d[1], %x : vector<2xf32> to vector<4xf8E5M2> "
                 "into vector<8xf16>"),
    PLAIN.format("%0 = tosa.clamp %t {max_val = 1.0 : f32, min_val = 0.0 : f32} : "
                 "(tensor<4x8xf32>) -> tensor<8xf32>"),
    PLAIN.format('"tosa.clamp"(%t) <{max_val = 1.0 : f32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>'),
    PLAIN.format('"linalg.square"(%m, %m) <{operandSegmentSizes = array<i64: 1, 1>}> ({\n  ^bb0(%a: f32, %b: f32):\n'
                 '    "linalg.yield"(%a) : (f32) -> ()\n  }) : (memref<4xf32>, memref<4xf32>) -> ()'),
    PLAIN.format("%0 = xegpu.create_nd_tdesc %x, shape: [32, 32], strides: [32, 1] : f32 -> "
                 "!xegpu.tensor_desc<8x16xf32>"),
    PLAIN.format('%0 = "nvvm.read.ptx.sreg.tid.x"() <{range = [3]}> : () -> i32'),  # which is an attribute of llvm
    "emitc.global @a : !emitc.array<?xi32>\n",
    "func.func private @g(!spirv.matrix<5 x vector<4xf32>>)\n",
    "irdl.dialect @d {\n  irdl.type @t {\n    %0 = irdl.any\n    irdl.parameters(a: %1)\n  }\n}\n",
]  # fmt: skip


def test_what_is_valid_is_taken() -> None:
    assert [text for text, said in zip(TAKEN, verdicts(TAKEN), strict=True) if said.refused] == []
    assert {text: found for text in TAKEN if (found := errors(text))} == {}


def test_what_is_not_is_refused() -> None:
    taken = []
    for text, said in zip(REFUSED, verdicts(REFUSED), strict=True):
        assert said.refused, text
        if not {at for at, _ in said.errors} & {at for at, _ in errors(text)}:
            taken.append((text, said.errors, errors(text)))
    assert taken == []
