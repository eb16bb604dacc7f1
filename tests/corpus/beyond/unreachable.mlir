// A block that control never reaches may use a buffer that is not defined on any way to it. MLIR 22.1 loses the ownership on its
// way out and leaves a branch with too few operands. Right: what flows into such a block is not owned there.

func.func @used_where_control_never_comes(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  cf.br ^bb2
^bb1:
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.br ^bb3(%b : memref<4xf32>)
^bb2:
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.br ^bb3(%b : memref<4xf32>)
^bb3(%x: memref<4xf32>):
  %r = memref.load %x[%c0] : memref<4xf32>
  return %r : f32
}
