"""Vectors without dimensions, in operations of all sorts: mlir-opt and Dealog refuse the same ones."""

from __future__ import annotations

from .together import differing

ARGUMENTS = (
    "%v: vector<f32>, %k: vector<i1>, %j: vector<index>, %s: f32, %o: vector<1xf32>, %m: memref<4xf32>, "
    "%z: memref<f32>, %i: index, %p: !llvm.ptr, %mv: memref<4xvector<f32>>"
)
OPERATIONS = (
    "%x = vector.multi_reduction <add>, %v, %s [] : vector<f32> to f32",
    "%x = vector.reduction <add>, %v : vector<f32> into f32",
    "%x = vector.transpose %v, [] : vector<f32> to vector<f32>",
    "%x = vector.broadcast %v : vector<f32> to vector<4xf32>",
    "%x = vector.broadcast %s : f32 to vector<f32>",
    "%x = vector.extract %v[] : f32 from vector<f32>",
    "%x = vector.insert %s, %v [] : f32 into vector<f32>",
    "%x = vector.shuffle %v, %v [0, 1] : vector<f32>, vector<f32>",
    "%x = vector.shape_cast %o : vector<1xf32> to vector<f32>",
    "%x = vector.bitcast %v : vector<f32> to vector<i32>",
    "%x = vector.load %m[%i] : memref<4xf32>, vector<f32>",
    "vector.store %v, %m[%i] : memref<4xf32>, vector<f32>",
    "%x = vector.maskedload %m[%i], %k, %v : memref<4xf32>, vector<i1>, vector<f32> into vector<f32>",
    "vector.maskedstore %m[%i], %k, %v : memref<4xf32>, vector<i1>, vector<f32>",
    "%x = vector.gather %m[%i] [%j], %k, %v : memref<4xf32>, vector<index>, vector<i1>, vector<f32> into vector<f32>",
    "vector.scatter %m[%i] [%j], %k, %v : memref<4xf32>, vector<index>, vector<i1>, vector<f32>",
    "%x = vector.expandload %m[%i], %k, %v : memref<4xf32>, vector<i1>, vector<f32> into vector<f32>",
    "vector.compressstore %m[%i], %k, %v : memref<4xf32>, vector<i1>, vector<f32>",
    "%x = vector.transfer_read %z[], %s : memref<f32>, vector<f32>",
    "vector.transfer_write %v, %z[] : vector<f32>, memref<f32>",
    "%x = vector.create_mask : vector<i1>",
    "%x = vector.create_mask %i : vector<i1>",
    "%x = vector.constant_mask [1] : vector<i1>",
    "%x = vector.constant_mask [] : vector<i1>",
    "%x = vector.extract_strided_slice %v {offsets = [], sizes = [], strides = []} : vector<f32> to vector<f32>",
    "%x = vector.insert_strided_slice %v, %v {offsets = [], strides = []} : vector<f32> into vector<f32>",
    "%x = vector.fma %v, %v, %v : vector<f32>",
    "%x = vector.interleave %v, %v : vector<f32> -> vector<2xf32>",
    "%x:2 = vector.deinterleave %v : vector<f32> -> vector<f32>",
    "%x = vector.from_elements %s : vector<f32>",
    "%x = vector.to_elements %v : vector<f32>",
    "%x = vector.mask %k { vector.reduction <add>, %v : vector<f32> into f32 } : vector<i1> -> f32",
    "vector.print %v : vector<f32>",
    "%x = arith.addf %v, %v : vector<f32>",
    "%x = arith.select %k, %v, %v : vector<i1>, vector<f32>",
    "%x = arith.constant dense<1.0> : vector<f32>",
    "%x = memref.load %mv[%i] : memref<4xvector<f32>>",
    "%x = affine.vector_load %m[%i] : memref<4xf32>, vector<f32>",
    "affine.vector_store %v, %m[%i] : memref<4xf32>, vector<f32>",
    "%x = llvm.fadd %v, %v : vector<f32>",
    "%x = llvm.load %p : !llvm.ptr -> vector<f32>",
    "%x = llvm.intr.masked.load %p, %k, %v {alignment = 4 : i32} : (!llvm.ptr, vector<i1>, vector<f32>) -> vector<f32>",
)


def test_operations_on_flat_vectors() -> None:
    texts = [f"func.func @f({ARGUMENTS}) {{\n  {operation}\n  return\n}}\n" for operation in OPERATIONS]
    assert differing(texts) == []
