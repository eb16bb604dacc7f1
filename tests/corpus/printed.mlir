#map = affine_map<(d0) -> (d0)>
#set = affine_set<(d0) : (d0 - 1 >= 0)>
module {
  memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]> {alignment = 64 : i64}
  func.func @main_path(%arg0: memref<4xf32>, %arg1: i1, %arg2: index) -> memref<4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<4xf32>) outs(%alloc : memref<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %in, %cst : f32
      linalg.yield %3 : f32
    }
    %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %alloc) -> (memref<4xf32>) {
      %alloc_0 = memref.alloc() : memref<4xf32>
      memref.copy %arg4, %alloc_0 : memref<4xf32> to memref<4xf32>
      scf.yield %alloc_0 : memref<4xf32>
    }
    %1 = scf.if %arg1 -> (memref<4xf32>) {
      scf.yield %0 : memref<4xf32>
    } else {
      scf.yield %arg0 : memref<4xf32>
    }
    %2 = affine.if #set(%arg2) -> memref<4xf32> {
      affine.yield %1 : memref<4xf32>
    } else {
      affine.yield %alloc : memref<4xf32>
    }
    return %2 : memref<4xf32>
  }
  func.func @blocks(%arg0: i1, %arg1: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<2x3xf32>
    memref.store %arg1, %alloc[%c0, %c0] : memref<2x3xf32>
    cf.cond_br %arg0, ^bb1(%alloc : memref<2x3xf32>), ^bb2
  ^bb1(%0: memref<2x3xf32>):  // pred: ^bb0
    %1 = memref.load %0[%c0, %c0] : memref<2x3xf32>
    cf.br ^bb3(%1 : f32)
  ^bb2:  // pred: ^bb0
    %2 = memref.get_global @__constant_2xf32 : memref<2xf32>
    %3 = memref.load %2[%c0] : memref<2xf32>
    cf.br ^bb3(%3 : f32)
  ^bb3(%4: f32):  // 2 preds: ^bb1, ^bb2
    return %4 : f32
  }
}
