// What dies in the one region of an `affine.if` dies in the other, too, which is made for that.
#often = affine_set<(d0) : (d0 - 2 >= 0)>
func.func @without_else(%n: index, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  affine.if #often(%n) {
    memref.copy %a, %m : memref<4xf32> to memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  }
  return
}
