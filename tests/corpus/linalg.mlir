// linalg over buffers, and bodies that look at buffers from outside.

#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>

func.func @generic_chain(%m: memref<4xf32>, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %x : f32
    linalg.yield %z : f32
  }
  %b = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %x : f32
    linalg.yield %z : f32
  }
  memref.copy %b, %out : memref<4xf32> to memref<4xf32>
  return
}

// The body loads from a captured buffer.
func.func @body_captures(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%t : memref<4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %k = memref.load %t[%i] : memref<4xf32>
    %z = arith.addf %x, %k : f32
    linalg.yield %z : f32
  }
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}

// A captured block argument of the function's second block.
func.func @body_captures_block_argument(%m: memref<4xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%t : memref<4xf32>)
  cf.br ^next(%t : memref<4xf32>)
^next(%p: memref<4xf32>):
  %a = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : memref<4xf32>) outs(%a : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %k = memref.load %p[%c0] : memref<4xf32>
    %z = arith.addf %x, %k : f32
    linalg.yield %z : f32
  }
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x : f32
}

func.func @named_ops(%l: memref<2x3xf32>, %r: memref<3x4xf32>) -> memref<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<2x4xf32>)
  linalg.matmul ins(%l, %r : memref<2x3xf32>, memref<3x4xf32>) outs(%a : memref<2x4xf32>)
  %b = memref.alloc() : memref<4x2xf32>
  linalg.transpose ins(%a : memref<2x4xf32>) outs(%b : memref<4x2xf32>) permutation = [1, 0]
  %c = memref.alloc() : memref<2x4xf32>
  linalg.transpose ins(%b : memref<4x2xf32>) outs(%c : memref<2x4xf32>) permutation = [1, 0]
  linalg.copy ins(%c : memref<2x4xf32>) outs(%a : memref<2x4xf32>)
  return %a : memref<2x4xf32>
}

func.func @map_reduce_broadcast(%l: memref<2x3xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3xf32>
  linalg.map { arith.addf } ins(%l, %l : memref<2x3xf32>, memref<2x3xf32>) outs(%a : memref<2x3xf32>)
  %b = memref.alloc() : memref<2xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<2xf32>)
  linalg.reduce { arith.addf } ins(%a : memref<2x3xf32>) outs(%b : memref<2xf32>) dimensions = [1]
  %c = memref.alloc() : memref<2x3xf32>
  linalg.broadcast ins(%b : memref<2xf32>) outs(%c : memref<2x3xf32>) dimensions = [1]
  %x = memref.load %c[%c0, %c0] : memref<2x3xf32>
  return %x : f32
}

func.func @generic_reduction(%l: memref<2x3xf32>) -> memref<2xf32> {
  %zero = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<2xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<2xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%l : memref<2x3xf32>) outs(%b : memref<2xf32>) attrs = {note = "kept"} {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  }
  return %b : memref<2xf32>
}

func.func @in_a_loop(%l: memref<4xf32>, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %l, %a : memref<4xf32> to memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%p : memref<4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %x : f32
      linalg.yield %z : f32
    }
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

func.func @convolution(%i: memref<1x4x4x1xf32>, %k: memref<2x2x1x1xf32>) -> memref<1x3x3x1xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<1x3x3x1xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<1x3x3x1xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%i, %k : memref<1x4x4x1xf32>, memref<2x2x1x1xf32>) outs(%a : memref<1x3x3x1xf32>)
  return %a : memref<1x3x3x1xf32>
}
