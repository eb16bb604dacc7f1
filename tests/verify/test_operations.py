"""Operations of one line each: mlir-opt and Dealog refuse the same ones, at the same line."""

from __future__ import annotations

from tests.support.mutants import verdicts
from tests.support.nightly import one_in
from tests.verify.test_mutants import errors

HEAD = (
    "func.func @f(%m: memref<4x5xf32>, %n: index, %v: vector<4x8xf32>, %s: f32, %i: i32, %t: tensor<4x5xf32>, "
    "%w: vector<8xf32>, %u: memref<*xf32>, %d: memref<?x5xf32>, %p: !llvm.ptr, %q: memref<1x1xf32>, "
    "%f: tensor<2x3x3x5xf32>, %g: tensor<6x6x5x2xf32>, %o: tensor<3x4x5xf32>, %h: tensor<5x4xf32>, %z: memref<f32>, "
    "%k: tensor<f32>, %y: tensor<2xi32>, %e: memref<?xvector<8xf32>>, %l: memref<?xindex>, %cc: vector<8xi1>, "
    "%j: vector<4x4xf32>, %kk: tensor<2x2x5x1xf32>, %r: tensor<2x2x2x1xf32>, "
    "%a4: tensor<4x4xf32>, %dh: tensor<?x4xf32>, %st: memref<4xf32, strided<[1]>>, "
    "%si: memref<16xi8, strided<[2]>>, %sp: memref<4xf32, 3>, %s2: memref<4x4xf32, strided<[8, 1]>>) {\n"
)
VIEW = "static_sizes = array<i64: 1, 2>, static_strides = array<i64: 1, 1>}> : (memref<4x5xf32>, index)"
TO = "memref<3x2xf32, strided<[5, 1]>>"
VALID = [
    "affine.for %x = -9223372036854775808 to 5 step 9223372036854775807 {\n  }",
    "arith.constant 123456789012345678901234567890 : i128",
    "memref.store %s, %m[%n, %n] {stated = 9223372036854775808} : memref<4x5xf32>",
    "memref.alloc() : memref<4xf32, strided<[9223372036854775807]>>",
    "memref.assume_alignment %m, 1073741824 : memref<4x5xf32>",
    "memref.alloc() {alignment = 4611686018427387904 : i64} : memref<4xf32>",
    f"memref.subview %m[0, 0][3, 2][1, 1] : memref<4x5xf32> to {TO}",
    f"memref.subview %m[00, -00][03, 02][01, 1] : memref<04x5xf32> to {TO}",  # zeros in front change nothing
    '"arith.constant"() <{value = dense<[-001, 02]> : tensor<2xi32>}> : () -> tensor<2xi32>',
    f"arith.constant {'0' * 5000}12 : i32",
    "arith.constant - // negative\n  5 : i32",
    "memref.alloc() : memref<4x // \"\n f32, strided<[- 1], offset: 3>>",
    '"arith.addi" ( %i , %i ) < { overflowFlags = #arith.overflow<none> } > : ( i32 , i32 ) -> i32',
    '"memref.alloc"(%n) {operand_segment_sizes = array<i32: 1, 0>} : (index) -> memref<?xf32>',
    "affine.linearize_index [%n, %n] by (0, -4) : index",
    "memref.subview %m[1, 0][1, 5][1, 1] : memref<4x5xf32> to memref<5xf32, strided<[1], offset: 5>>",
    "memref.subview %d[%n, 0][%n, 5][1, %n] : memref<?x5xf32> to memref<?x5xf32, strided<[5, ?], offset: ?>>",
    "memref.reinterpret_cast %u to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>",
    "memref.reinterpret_cast %m to offset: [0], sizes: [%n, 5], strides: [5, %n] : memref<4x5xf32> to "
    "memref<?x5xf32, strided<[5, ?], offset: ?>>",
    "memref.collapse_shape %q [] : memref<1x1xf32> into memref<f32>",
    "memref.collapse_shape %d [[0, 1]] : memref<?x5xf32> into memref<?xf32>",
    "memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 2, 5, 1] : memref<4x5xf32> into memref<2x2x5x1xf32>",
    "tensor.extract_slice %t[0, 0][1, 5][1, 1] : tensor<4x5xf32> to tensor<5xf32>",
    "vector.extract %v[3] : vector<8xf32> from vector<4x8xf32>",
    "vector.insert %s, %v[1, %n] : f32 into vector<4x8xf32>",
    "vector.extract %v[] : vector<4x8xf32> from vector<4x8xf32>",
    "llvm.load %p {alignment = 8 : i64} : !llvm.ptr -> vector<4xi32>",
    "tensor.concat dim(1) %t, %t : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x10xf32>",
    "index.casts %i : i32 to index",
    "linalg.softmax dimension(1) ins(%t : tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>",
    "affine.linearize_index [%n, %n] by (8, %n) : index",
    "affine.linearize_index [%n, %n] by (%n) : index",
    "memref.generic_atomic_rmw %q[%n, %n] : memref<1x1xf32> {\n  ^bb0(%a: f32):\n    memref.atomic_yield %a : f32\n  }",
    '"amdgpu.swizzle_bitmode"(%s) <{and_mask = 1 : i32, or_mask = 2 : i32, xor_mask = 4 : i32}> : (f32) -> f32',
    "spirv.IAdd %i, %i : i32",
    "llvm.intr.matrix.transpose %w {columns = 4 : i32, rows = 2 : i32} : vector<8xf32> into vector<8xf32>",
    "tensor.cast %t : tensor<4x5xf32> to tensor<?x5xf32>",
    "tensor.generate %n {\n  ^bb0(%a: index, %b: index):\n    tensor.yield %s : f32\n  } : tensor<?x5xf32>",
    "memref.reinterpret_cast %m to offset: [0], sizes: [4, %n], strides: [%n, 1] : memref<4x5xf32> to memref<4x?xf32>",
    "memref.dim %q, %n : memref<1x1xf32>",
    "tensor.dim %t, %n : tensor<4x5xf32>",
    "tensor.splat %s[%n] : tensor<?x8xf32>",
    "tensor.collapse_shape %f [[0, 1], [2, 3]] : tensor<2x3x3x5xf32> into tensor<6x15xf32>",
    "tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, 5] : tensor<4x5xf32> into tensor<2x2x5xf32>",
    "tensor.cast %t : tensor<4x5xf32> to tensor<*xf32>",
    "arith.constant dense<1> : tensor<4xsi32>",
    "arith.constant dense<1.0> : memref<4xf32>",
    "arith.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>",
    "arith.constant dense<0x7F800000> : tensor<2xf32>",
    "arith.constant dense<[0x7F800000, -1.5e-3]> : tensor<2xf32>",
    'arith.constant dense<"0x0000000000000000"> : tensor<2xf32>',
    "arith.constant dense<> : tensor<0xf32>",
    "arith.constant dense<[[]]> : tensor<1x0xf32>",
    "arith.constant dense<[(1.0, 2.0), (1.0, 2.0)]> : tensor<2xcomplex<f32>>",
    "tensor.extract %t[%n, %n] : tensor<4x5xf32>",
    "tensor.from_elements %n, %n, %n, %n : tensor<2x2xindex>",
    "vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>",
    "linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], "
    'iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x5xf32>) outs(%h : tensor<5x4xf32>) {\n'
    "  ^bb0(%a: f32, %b: f32):\n    linalg.yield %a : f32\n  } -> tensor<5x4xf32>",
    "linalg.broadcast ins(%t : tensor<4x5xf32>) outs(%o : tensor<3x4x5xf32>) dimensions = [0]",
    "linalg.reduce ins(%o : tensor<3x4x5xf32>) outs(%t : tensor<4x5xf32>) dimensions = [0] "
    "(%a: f32, %b: f32) {\n    linalg.yield %a : f32\n  }",
    "linalg.transpose ins(%t : tensor<4x5xf32>) outs(%h : tensor<5x4xf32>) permutation = [1, 0]",
    "vector.bitcast %v : vector<4x8xf32> to vector<4x16xi16>",
    "vector.broadcast %s : f32 to vector<2xf32>",
    "vector.create_mask %n, %n : vector<2x2xi1>",
    "vector.shuffle %w, %w [15, 0] : vector<8xf32>, vector<8xf32>",
    "vector.load %e[%n] : memref<?xvector<8xf32>>, vector<8xf32>",
    "vector.transfer_read %e[%n], %w {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : "
    "memref<?xvector<8xf32>>, vector<1x8xf32>",
    "vector.transfer_read %m[%n, %n], %s {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : "
    "memref<4x5xf32>, vector<8xf32>",
    "affine.load %m[%n + 1, symbol(%n) floordiv 2] : memref<4x5xf32>",
    "affine.load %z[] : memref<f32>",
    "memref.load %m[%n, %n] {alignment = 16 : i64} : memref<4x5xf32>",
    "arith.constant -1 : i1",
    "arith.constant -2 : i2",
    "vector.from_elements %s, %s, %s, %s : vector<2x2xf32>",
    "spirv.BitwiseOr %i, %i : i32",
    "spirv.GL.SClamp %i, %i, %i : i32",
    "linalg.matmul ins(%t, %h : tensor<4x5xf32>, tensor<5x4xf32>) outs(%a4 : tensor<4x4xf32>) -> tensor<4x4xf32>",
    "linalg.matmul ins(%t, %dh : tensor<4x5xf32>, tensor<?x4xf32>) outs(%a4 : tensor<4x4xf32>) -> tensor<4x4xf32>",
    "linalg.conv_2d_nhwc_hwcf ins(%f, %kk : tensor<2x3x3x5xf32>, tensor<2x2x5x1xf32>) outs(%r : tensor<2x2x2x1xf32>) "
    "-> tensor<2x2x2x1xf32>",
    "affine.for %a = max affine_map<(d0) -> (d0, 1)>(%n) to min affine_map<(d0) -> (d0, 9)>(%n) {\n  }",
    "affine.for %a = max affine_map<(d0) -> (d0)>(%n) to min 10 {\n  }",
    "ub.poison <#ub.poison> : i32",
    "linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) "
    "outs(%m : memref<4x5xf32>)",
    "linalg.reduce { arith.addf } ins(%m : memref<4x5xf32>) outs(%z : memref<f32>) dimensions = [0, 1]",
    "linalg.map { arith.constant {value = 1.0 : f32} } outs(%m : memref<4x5xf32>)",
    'affine.parallel (%a) = (0) to (4) reduce ("addf") -> f32 {\n    affine.yield %s : f32\n  }',
    'affine.parallel (%a) = (0) to (4) reduce ("ori") -> i32 {\n    affine.yield %i : i32\n  }',
    "memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 1>",
    "memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 5] : memref<4x5xf32> into memref<2x2x5xf32>",
    "memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<20xf32>",
    "memref.expand_shape %st [[0, 1]] output_shape [2, 2] : memref<4xf32, strided<[1]>> into memref<2x2xf32>",
]
INVALID = [
    "affine.for %x = 0 to 9223372036854775808 {\n  }",
    "affine.for %x = 0 to 5 step 9223372036854775808 {\n  }",
    "affine.parallel (%x) = (0) to (9223372036854775808) {\n  }",
    "scf.index_switch %n case 9223372036854775808 {\n    scf.yield\n  }\n  default {\n  }",
    "memref.subview %m[18446744073709551617, 0] [1, 1] [1, 1] : memref<4x5xf32> to memref<1x1xf32, strided<[5, 1]>>",
    "memref.alloc() : memref<4xf32, strided<[-9223372036854775808]>>",
    "memref.alloc() : memref<4xf32, strided<[1], offset: 9223372036854775808>>",
    "arith.constant 0x1p3 : f32",
    "memref.subview %m[-1, 0][3, 2][1, 1] : memref<4x5xf32> to memref<3x2xf32, strided<[5, 1], offset: ?>>",
    "memref.subview %m[0, 0][9, 2][1, 1] : memref<4x5xf32> to memref<9x2xf32, strided<[5, 1]>>",
    "memref.subview %m[5, 0][1, 2][1, 1] : memref<4x5xf32> to memref<1x2xf32, strided<[5, 1], offset: 25>>",
    "memref.subview %m[0, 0][3, 2][1, 1] : memref<4x5xf32> to memref<3x2xf32, strided<[7, 1]>>",
    "memref.subview %m[0, 0][3, 2][1, 1] : memref<4x5xf32> to memref<3x3xf32, strided<[5, 1]>>",
    "memref.subview %m[0, 0][3, 2][1, 1] : memref<4x5xf32> to memref<3x?xf32, strided<[5, 1]>>",
    "memref.subview %m[0, 0][%n, 2][1, 1] : memref<4x5xf32> to memref<3x2xf32, strided<[5, 1]>>",
    "memref.subview %m[0, 0][3, 2][1, 1] : memref<4x5xf32> to memref<3xf32, strided<[5]>>",
    "memref.subview %m[0, 0][1, 2][1, 1] : memref<4x5xf32> to memref<1x1x2xf32>",
    '"memref.subview"(%m, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, '
    f"{VIEW} -> memref<1x2xf32, strided<[5, 1]>>",
    '"memref.subview"(%m, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = '
    f"array<i64: -9223372036854775808>, {VIEW} -> memref<1x2xf32, strided<[5, 1], offset: ?>>",
    "memref.reinterpret_cast %m to offset: [0], sizes: [4, 5], strides: [5, 1] : memref<4x5xf32> to "
    "memref<4x6xf32, strided<[5, 1]>>",
    "memref.reinterpret_cast %m to offset: [0], sizes: [%n, 5], strides: [5, 1] : memref<4x5xf32> to "
    "memref<4x5xf32, strided<[5, 1]>>",
    "memref.reinterpret_cast %m to offset: [0], sizes: [4, 5], strides: [6, 1] : memref<4x5xf32> to "
    "memref<4x5xf32, strided<[5, 1]>>",
    "memref.reinterpret_cast %m to offset: [1], sizes: [4, 5], strides: [5, 1] : memref<4x5xf32> to "
    "memref<4x5xf32, strided<[5, 1], offset: 2>>",
    "memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<21xf32>",
    "memref.collapse_shape %m [[0, 2]] : memref<4x5xf32> into memref<20xf32>",
    "memref.collapse_shape %m [[0]] : memref<4x5xf32> into memref<20xf32>",
    "memref.collapse_shape %d [[0, 1]] : memref<?x5xf32> into memref<5xf32>",
    '"memref.collapse_shape"(%m) <{reassociation = [[0 : i32, 1]]}> : (memref<4x5xf32>) -> memref<20xf32>',
    "memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 3, 5, 1] : memref<4x5xf32> into memref<2x3x5x1xf32>",
    "memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 2, 5] : memref<4x5xf32> into memref<2x2x5x1xf32>",
    "memref.expand_shape %m [[0, 1], [2, 3]] output_shape [2, 2, 1, 5] : memref<4x5xf32> into memref<2x2x5x1xf32>",
    "vector.extract %v[4] : vector<8xf32> from vector<4x8xf32>",
    "vector.extract %v[1, 1, 1] : f32 from vector<4x8xf32>",
    "vector.extract %v[1, 1] : vector<8xf32> from vector<4x8xf32>",
    "vector.extract %v[1] : f32 from vector<4x8xf32>",
    "vector.insert %w, %v[1, 1] : vector<8xf32> into vector<4x8xf32>",
    "vector.insert %s, %v[1, 8] : f32 into vector<4x8xf32>",
    "vector.insert %s, %v[1, -2] : f32 into vector<4x8xf32>",
    'vector.load %m[%n, %n] {alignment = "eight"} : memref<4x5xf32>, vector<8xf32>',
    "vector.load %m[%n, %n] : memref<4x5xf32>, vector<?xf32>",
    '"memref.atomic_rmw"(%s, %m, %n, %n) <{kind = 0 : i64}> : (f32, memref<4x5xf32>, index, index) -> i32',
    "llvm.fptrunc %s : f32 to i64",
    '"llvm.add"(%s, %s) : (f32, f32) -> f32',
    '"llvm.and"(%i) : (i32) -> i32',
    '"llvm.load"(%m) : (memref<4x5xf32>) -> f32',
    '"gpu.block_id"() <{dimension = "up"}> : () -> index',
    '"gpu.lane_id"() : () -> i32',
    '"gpu.rotate"(%s) <{offset = 4 : i32, width = 4 : i32}> : (f32) -> (f32, i1)',
    "tensor.concat dim(1) %t, %t : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x9xf32>",
    "tensor.concat dim(1) %t, %t : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<3x10xf32>",
    "tensor.concat dim(1) %t, %t : (tensor<4x5xf32>, tensor<4x4xf32>) -> tensor<4x9xf32>",
    '"linalg.winograd_filter_transform"(%f, %g) <{fmr = 7 : i32}> : (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>) -> '
    "tensor<6x6x5x2xf32>",
    "index.casts %i : i32 to i64",
    "index.castu %n : index to index",
    "linalg.softmax dimension(2) ins(%t : tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>",
    "affine.linearize_index [%n] by (8, %n) : index",
    "memref.generic_atomic_rmw %q[%n, %n] : memref<1x1xf32> {\n  ^bb0(%a: f64):\n    memref.atomic_yield %s : f32\n  }",
    "memref.generic_atomic_rmw %q[%n, %n] : memref<1x1xf32> { ^bb0(%a: f32): memref.atomic_yield %i : i32 }",
    "tensor.generate %n {\n  ^bb0(%a: index):\n    tensor.yield %s : f32\n  } : tensor<?x5xf32>",
    '"memref.distinct_objects"(%m, %d) : (memref<4x5xf32>, memref<?x5xf32>) -> memref<4x5xf32>',
    "memref.distinct_objects %m, %i : memref<4x5xf32>, i32",
    '"llvm.mlir.addressof"() <{global_name = @nothing}> : () -> !llvm.ptr',
    "llvm.call @nothing(%i) : (i32) -> i32",
    "llvm.shufflevector %w, %w [0, 5] : vector<4xf32>",
    '"arith.constant"() <{value = dense<1> : i32}> : () -> i32',
    '"vector.transfer_write"(%w, %t, %n, %n) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, '
    "permutation_map = affine_map<(d0, d1) -> (d1)>}> : (vector<8xf32>, tensor<4x5xf32>, index, index) -> "
    "tensor<?x5xf32>",
    '"async.runtime.num_worker_threads"() : () -> i1',
    '"amdgpu.swizzle_bitmode"(%s) <{and_mask = 1 : i32, or_mask = 2 : i32, xor_mask = 4 : i32}> : (f32) -> i32',
    '"amdgpu.swizzle_bitmode"(%s) <{and_mask = 1 : i32, or_mask = 2 : i32}> : (f32) -> f32',
    '"amdgpu.swizzle_bitmode"(%s) <{and_mask = 1 : i64, or_mask = 2 : i32, xor_mask = 4 : i32}> : (f32) -> f32',
    '"spirv.IAdd"(%s, %s) : (f32, f32) -> f32',
    "spirv.IAdd %s, %i : i32",
    '"spirv.FNegate"(%s, %s) : (f32, f32) -> f32',
    '"tosa.exp"(%s) : (f32) -> f32',
    '"emitc.logical_not"(%s) : (f32) -> f32',
    '"llvm.intr.matrix.transpose"(%w) <{rows = "two", columns = 4 : i32}> : (vector<8xf32>) -> vector<8xf32>',
    "llvm.intr.matrix.transpose %w {columns = 4 : i32} : vector<8xf32> into vector<8xf32>",
    '"vector.reduction"(%w) <{kind = #vector.kind<add>}> : (vector<8xf32>) -> i32',
    "tensor.cast %t : tensor<4x5xf32> to tensor<4x5xi32>",
    "tensor.empty(%n) : tensor<4x5xf32>",
    '"tensor.splat"(%i) : (i32) -> tensor<4xf32>',
    '"tensor.extract_slice"(%t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = '
    "array<tensor<4xf32>: 0, 0>, static_sizes = array<i64: 1, 1>, "
    "static_strides = array<i64: 1, 1>}> : (tensor<4x5xf32>) -> tensor<1x1xf32>",
    "linalg.fill ins(%i : i32) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>",
    "linalg.dot ins(%t, %t : tensor<4x5xf32>, tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>",
    "scf.parallel (%a) = (%n, %n) to (%n) step (%n) init (%s) -> f32 {\n    scf.reduce(%s : f32) {\n"
    "    ^bb0(%b: f32, %c: f32):\n      scf.reduce.return %b : f32\n    }\n  }",
    "memref.reinterpret_cast %m to offset: [0], sizes: [4, 5], strides: [1, 4] : memref<4x5xf32> to memref<4x5xf32>",
    "memref.reinterpret_cast %m to offset: [2], sizes: [4, 5], strides: [5, 1] : memref<4x5xf32> to memref<4x5xf32>",
    "memref.reinterpret_cast %m to offset: [0], sizes: [4, 5], strides: [%n, 1] : memref<4x5xf32> to memref<4x5xf32>",
    "memref.reinterpret_cast %m to offset: [%n], sizes: [4, 5], strides: [5, 1] : memref<4x5xf32> to memref<4x5xf32>",
    "memref.dim %z, %n : memref<f32>",
    '"tensor.dim"(%k, %n) : (tensor<f32>, index) -> index',
    "tensor.splat %s[%n] : tensor<?x8x?xf32>",
    "tensor.concat dim(3) %t : (tensor<4x5xf32>) -> tensor<4x5xf32>",
    "tensor.collapse_shape %t [[0, 1], [3]] : tensor<4x5xf32> into tensor<4x5xf32>",
    "tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 3, 5] : tensor<4x5xf32> into tensor<2x3x5xf32>",
    "tensor.cast %t : tensor<4x5xf32> to tensor<4x5x1xf32>",
    "tensor.cast %t : tensor<4x5xf32> to tensor<4x6xf32>",
    "tensor.reshape %t(%y) : (tensor<4x5xf32>, tensor<2xi32>) -> tensor<4x5xf64>",
    "arith.constant 1 : si32",
    "arith.constant {a = 1, b, a} 1 : i32",
    "arith.constant dense<[[1., 2.], [3., 4.]]> : tensor<2x3xf32>",
    "arith.constant dense<[1.0]> : tensor<1x1xf32>",
    "arith.constant dense<1> : tensor<2xf32>",
    "arith.constant dense<[1.0, 2.0]> : tensor<2xi32>",
    "tensor.extract %t[%n] : tensor<4x5xf32>",
    "tensor.from_elements %n, %n, %n : tensor<2x2xindex>",
    "tensor.from_elements %n, %n, %n : tensor<2xindex>",
    "tensor.from_elements %n, %n : tensor<index>",
    "tensor.pad %t low[0, 0] high[0, 1] {\n  ^bb0(%a: index, %b: i32):\n    tensor.yield %s : f32\n  } "
    ": tensor<4x5xf32> to tensor<4x6xf32>",
    "vector.transpose %v, [1, 7] : vector<4x8xf32> to vector<8x4xf32>",
    "vector.transpose %v, [0] : vector<4x8xf32> to vector<8x4xf32>",
    "vector.extract_strided_slice %w {offsets = [1], sizes = [2], strides = [2]} : vector<8xf32> to vector<2xf32>",
    "linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], "
    'iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x5xf32>) outs(%h : tensor<5x4xf32>) {\n'
    "  ^bb0(%a: f32, %b: f32):\n    linalg.yield %a : f32\n  } -> tensor<5x4xf32>",
    "linalg.index 0 : index",
    "linalg.copy ins(%t : tensor<4x5xf32>) outs(%m : memref<4x5xf32>)",
    "linalg.broadcast ins(%t : tensor<4x5xf32>) outs(%o : tensor<3x4x5xf32>) dimensions = [3]",
    "linalg.broadcast ins(%t : tensor<4x5xf32>) outs(%o : tensor<3x4x5xf32>) dimensions = [1]",
    "linalg.broadcast ins(%t : tensor<4x5xf32>) outs(%f : tensor<2x3x3x5xf32>) dimensions = [1]",
    "linalg.transpose ins(%t : tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) permutation = [1, 0]",
    "linalg.transpose ins(%t : tensor<4x5xf32>) outs(%o : tensor<3x4x5xf32>) permutation = [1, 0]",
    "linalg.reduce ins(%o : tensor<3x4x5xf32>) outs(%t : tensor<4x5xf32>) dimensions = [1] "
    "(%a: f32, %b: f32) {\n    linalg.yield %a : f32\n  }",
    "linalg.reduce ins(%o : tensor<3x4x5xf32>) outs(%t : tensor<4x5xf32>) dimensions = [0, 1] "
    "(%a: f32, %b: f32) {\n    linalg.yield %a : f32\n  }",
    "vector.bitcast %v : vector<4x8xf32> to vector<4x8xi16>",
    "vector.bitcast %v : vector<4x8xf32> to vector<8x8xi32>",
    "vector.bitcast %v : vector<4x8xf32> to vector<4x8xindex>",
    "vector.broadcast %n : index to vector<2xi32>",
    "vector.create_mask %n : vector<2x2xi1>",
    '"vector.load"(%m, %n, %n) : (memref<4x5xf32>, index, index) -> vector<2xi32>',
    '"vector.store"(%w, %l, %n) : (vector<8xf32>, memref<?xindex>, index) -> ()',
    "vector.maskedload %l[%n], %cc, %w : memref<?xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>",
    "vector.maskedload %m[%n, %n], %cc, %v : memref<4x5xf32>, vector<8xi1>, vector<4x8xf32> into vector<8xf32>",
    "vector.shuffle %w, %w [0, 16] : vector<8xf32>, vector<8xf32>",
    "vector.shuffle %v, %j [0] : vector<4x8xf32>, vector<4x4xf32>",
    "vector.shuffle %v, %w [0] : vector<4x8xf32>, vector<8xf32>",
    '"vector.shuffle"(%w, %w) <{mask = array<i64: 0>}> : (vector<8xf32>, vector<8xf32>) -> vector<2xf32>',
    '"vector.shuffle"(%w, %w) <{mask = array<i64>}> : (vector<8xf32>, vector<8xf32>) -> vector<1xf32>',
    "vector.transfer_read %m[%n, %n], %s {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : "
    "memref<4x5xf32>, vector<8xf32>",
    "vector.transfer_read %m[%n, %n], %s {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> "
    "(d0, d1)>} : memref<4x5xf32>, vector<8xf32>",
    "vector.transfer_read %m[%n, %n], %s {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0)>} : "
    "memref<4x5xf32>, vector<8xf32>",
    '"vector.transfer_read"(%m, %n, %n, %n, %s) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 3, 1, 0>, '
    "permutation_map = affine_map<(d0, d1) -> (d0)>}> : (memref<4x5xf32>, index, index, index, f32) -> vector<8xf32>",
    '"test.made"() : () -> tensor<4xmemref<4xf32>>',
    '"test.made"() : () -> memref<4xtuple<f32>>',
    '"test.made"() : () -> vector<4xcomplex<f32>>',
    '"test.made"() : () -> vector<0xf32>',
    '"test.regions"() ({\n  ^bb0(%a: tensor<none>):\n    "test.end"() : () -> ()\n  }) : () -> i32',
    "scf.execute_region -> i32 {\n    func.func @inside() {\n      return\n    }\n    scf.yield %i : i32\n  }",
    "scf.parallel (%a) = (%n) to (%n) step (%n) init (%s) -> f32 {\n    scf.reduce(%i : i32) {\n"
    "    ^bb0(%b: i32, %aa: i32):\n      scf.reduce.return %b : i32\n    }\n  }",
    "affine.load %m[%n] : memref<4x5xf32>",
    "affine.store %s, %z[%n] : memref<f32>",
    "affine.for %a = 0 to 4 step -1 {\n  }",
    "memref.load %m[%n, %n] {alignment = 3 : i64} : memref<4x5xf32>",
    "memref.alloc() {alignment = 0 : i64} : memref<4xf32>",
    "arith.constant 5 : i2",
    "vector.from_elements %s, %s, %s : vector<2x2xf32>",
    "spirv.BitwiseOr %i, %s : i32",
    '"tosa.const"() <{values = dense<1> : tensor<2x2xi32>}> : () -> tensor<1xi32>',
    "arith.constant {a = 1 : i32 b = 2 : i32} 1 : i32",
    "spirv.GL.SClamp %i, %s, %i : i32",
    '"llvm.add"(%i, %i) <{overflowFlags = 5 : i32}> : (i32, i32) -> i32',
    "llvm.mlir.constant(dense<0> : vector<?xi8>) : vector<4xi8>",
    "vector.transpose %v, [1, 1] : vector<4x8xf32> to vector<8x4xf32>",
    "linalg.matmul ins(%t, %t : tensor<4x5xf32>, tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) -> tensor<4x5xf32>",
    "linalg.add ins(%t, %t : tensor<4x5xf32>, tensor<4x5xf32>) outs(%h : tensor<5x4xf32>) -> tensor<5x4xf32>",
    "linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} "
    "ins(%f, %kk : tensor<2x3x3x5xf32>, tensor<2x2x5x1xf32>) outs(%r : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>",
    "linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi8>} "
    "ins(%f, %kk : tensor<2x3x3x5xf32>, tensor<2x2x5x1xf32>) outs(%r : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>",
    "tosa.const_shape {values = dense<1> : tensor<1xi32>} : () -> !tosa.shape<1>",
    "tosa.transpose %t {perms = array<i32: 0, 2>} : (tensor<4x5xf32>) -> tensor<4x5xf32>",
    "tensor.concat dim(0) %t, %t : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<8x5xi8>",
    '"emitc.constant"() <{value = 42 : i32}> : () -> f32',
    '"llvm.atomicrmw"(%p, %i) <{bin_op = 1 : i64, ordering = 2 : i64}> : (!llvm.ptr, i32) -> f32',
    "affine.for %a = affine_map<(d0) -> (d0, 1)>(%n) to 10 {\n  }",
    "affine.for %a = 0 to affine_map<(d0) -> (d0, 1)>(%n) {\n  }",
    "ub.poison<1> : i32",
    "linalg.map { arith.addf } ins(%m : memref<4x5xf32>) outs(%m : memref<4x5xf32>)",
    "linalg.map { arith.addf } ins(%m, %l : memref<4x5xf32>, memref<?xindex>) outs(%m : memref<4x5xf32>)",
    "linalg.map { arith.addi } ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) outs(%m : memref<4x5xf32>)",
    "linalg.map { arith.negf } ins(%l : memref<?xindex>) outs(%l : memref<?xindex>)",
    "linalg.map { arith.negf } outs(%m : memref<4x5xf32>)",
    "linalg.reduce { math.exp } ins(%m : memref<4x5xf32>) outs(%z : memref<f32>) dimensions = [0, 1]",
    "memref.memory_space_cast %m : memref<4x5xf32> to memref<?x5xf32, 1>",
    "memref.memory_space_cast %u : memref<*xf32> to memref<4x5xf32, 1>",
    "memref.collapse_shape %m [] : memref<4x5xf32> into memref<f32>",
    "memref.collapse_shape %d [] : memref<?x5xf32> into memref<f32>",
    "memref.collapse_shape %m [[0], [1], []] : memref<4x5xf32> into memref<4x5x1xf32>",
    "memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<20xf32, strided<[1]>>",
    "memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 5] : memref<4x5xf32> into "
    "memref<2x2x5xf32, strided<[10, 5, 1]>>",
    "memref.transpose %m (i) -> (i) : memref<4x5xf32> to memref<4x5xf32>",
    "memref.transpose %m (i, j) -> (i + 1, j) : memref<4x5xf32> to memref<4x5xf32>",
    "memref.alloca_scope {\n    cf.br ^bb1\n  ^bb1:\n    memref.alloca_scope.return\n  }",
    "bufferization.alloc_tensor(%i) : tensor<?xf32>",
    'affine.parallel (%a) = (0) to (4) reduce ("addi") -> f32 {\n    affine.yield %s : f32\n  }',
    'affine.parallel (%a) = (0) to (4) reduce ("maxs") -> i32 {\n    affine.yield %i : i32\n  }',
    "func.constant @f : () -> ()",
    "memref.view %si[%n][] : memref<16xi8, strided<[2]>> to memref<2xf32>",
    "memref.collapse_shape %s2 [[0, 1]] : memref<4x4xf32, strided<[8, 1]>> into memref<16xf32>",
    "memref.expand_shape %m [[0, 1]] output_shape [20] : memref<4x5xf32> into memref<20xf32>",
    '"memref.extract_strided_metadata"(%sp) : (memref<4xf32, 3>) -> (memref<f32>, index, index, index)',
    '"memref.distinct_objects"() : () -> ()',
    "arith.constant 0x1.5 : f32",
    "arith.constant 0x1.5e3 : f64",
    "arith.constant 1.5.3 : f32",
    "llvm.mlir.constant(0x1.5 : f32) : f32",
    "memref.assume_alignment %m, 4294967296 : memref<4x5xf32>",
    "memref.assume_alignment %m, 2147483648 : memref<4x5xf32>",
    '"memref.assume_alignment"(%m) <{alignment = 2147483648 : i32}> : (memref<4x5xf32>) -> memref<4x5xf32>',
    "memref.alloc() {alignment = 9223372036854775808 : i64} : memref<4xf32>",
    "memref.prefetch %m[%n, %n], read, locality<4294967296>, data : memref<4x5xf32>",
    "memref.prefetch %m[%n, %n], read, locality<2147483648>, data : memref<4x5xf32>",
]


NAMELESS = (
    "affine.for", "affine.parallel", "affine.store", "linalg.copy", "linalg.map", "linalg.reduce",
    "memref.alloca_scope", "memref.prefetch", "memref.store", "scf.index_switch", '"vector.store"', '"memref.distinct',
)  # fmt: skip


def text(line: str) -> str:
    """The operation `line` in a function; its results, if it has any, are named."""
    return f"{HEAD}  {'' if line.startswith(NAMELESS) else '%x = '}{line}\n  return\n}}\n"


def test_what_is_valid_is_taken() -> None:
    texts = [text(line) for line in VALID]
    assert not any(verdict.refused for verdict in verdicts(texts))
    assert {line: found for line in VALID if (found := errors(text(line)))} == {}


def test_what_is_not_is_refused() -> None:
    taken = []
    chosen = one_in(3, INVALID)
    for line, verdict in zip(chosen, verdicts([text(line) for line in chosen]), strict=True):
        assert verdict.refused and "no results" not in str(verdict.errors), line
        if not {at for at, _ in verdict.errors} & {at for at, _ in errors(text(line))}:
            taken.append(line)
    assert taken == []


def test_sparse_products_compute_with_any_type() -> None:
    """The type after `into` is that of no operand, whatever it is."""
    given = (
        "func.func @f(%n: index, %m: memref<?xf64>, %i: memref<?xindex>, %b: memref<?xi8>) {\n"
        "  %t0 = gpu.wait async\n"
        "  %p, %t1 = gpu.create_coo async [%t0] %n, %n, %n, %i, %i, %m : "
        "memref<?xindex>, memref<?xindex>, memref<?xf64>\n"
        "  %d, %t2 = gpu.create_dn_tensor async [%t1] %m, %n, %n : index, index into memref<?xf64>\n"
        "  %s, %t3 = gpu.sddmm_buffer_size async [%t2] %d, %d, %p into memref<?xf64>\n"
        "  %t4 = gpu.spmm async [%t3] %p, %d, %d, %b : memref<?xi8> into memref<?xf64>\n"
        "  return\n}\n"
    )
    assert not verdicts([given])[0].refused
    assert errors(given) == []


def test_what_functions_of_llvm_return() -> None:
    head = "llvm.func @f(%a: i32, %p: !llvm.ptr) -> i32 {\n"
    generic = '"llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<i32 (i32, ptr)>, linkage = '
    generic += '#llvm.linkage<external>, sym_name = "f", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({\n'
    taken = [
        f"{head}  llvm.return %a : i32\n}}\n",
        "llvm.func @f() {\n  llvm.return\n}\n",
        f'{generic}^bb0(%a: i32, %p: !llvm.ptr):\n  "llvm.return"(%a) : (i32) -> ()\n}}) : () -> ()\n',
    ]
    refused = [
        f"{head}  llvm.return %p : !llvm.ptr\n}}\n",
        f"{head}  llvm.return\n}}\n",
        f'{generic}^bb0(%a: i32, %p: !llvm.ptr):\n  "llvm.return"(%p) : (!llvm.ptr) -> ()\n}}) : () -> ()\n',
        f'{generic}^bb0(%a: i32, %p: i64):\n  "llvm.return"(%a) : (i32) -> ()\n}}) : () -> ()\n',
    ]
    said = verdicts([*taken, *refused])
    assert [verdict.refused for verdict in said] == [False] * len(taken) + [True] * len(refused)
    assert [bool(errors(text)) for text in (*taken, *refused)] == [verdict.refused for verdict in said]


def test_types_of_dialects_and_symbols() -> None:
    """What types of dialects name of numbers tells them apart; calls find functions of their own dialect."""
    generic = '"func.func"() <{function_type = (!emitc.ptr<i32>) -> (), sym_name = "f"}> ({\n'
    generic += "^bb0(%p: !emitc.ptr<TYPE>):\n"
    generic += '  "func.return"() : () -> ()\n}) : () -> ()\n'
    use = 'func.func @f(%v: !async.value<f32>) {\n  "async.runtime.set_available"(%v) : (TYPE) -> ()\n  return\n}\n'
    space = "func.func @f(%m: memref<4xf32, #gpu.address_space<workgroup>>) {\n"
    space += "  gpu.host_register %m : TYPE\n  return\n}\n"
    call = "emitc.func private @f(i32)\n"
    call += "emitc.func @g(%a: i32) {\n  emitc.call @NAME(%a) : (i32) -> ()\n  emitc.return\n}\n"
    taken = [
        generic.replace("TYPE", "i32"),
        use.replace("TYPE", "!async.value< f32 >"),
        use.replace("TYPE", "!async<value<f32>>"),
        call.replace("NAME", "f"),
    ]
    refused = [
        generic.replace("TYPE", "i64"),
        use.replace("TYPE", "!async.value<f64>"),
        use.replace("TYPE", "!async.value<memref<4xf32>>"),
        use.replace("TYPE", "!async.token"),
        space.replace("TYPE", "memref<4xf32>"),
        call.replace("NAME", "h"),
    ]
    said = verdicts([*taken, *refused])
    assert [verdict.refused for verdict in said] == [False] * len(taken) + [True] * len(refused), said
    assert [bool(errors(text)) for text in (*taken, *refused)] == [verdict.refused for verdict in said]


def test_only_functions_are_constants_of_function_type() -> None:
    """The symbol of a global variable is found, but is no function."""
    user = "func.func @f() {\n  %0 = func.constant @g : () -> ()\n  return\n}\n"
    texts = [f"{symbol}\n{user}" for symbol in ("memref.global @g : memref<f32>", "func.func private @g()")]
    assert [verdict.refused for verdict in verdicts(texts)] == [True, False]
    (found,) = errors(texts[0])
    assert found == (3, "'func.constant' op reference to undefined function 'g'") and errors(texts[1]) == []
