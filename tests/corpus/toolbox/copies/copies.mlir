func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %7 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %8 = memref.dim %7, %c0 : memref<?x?xf32>
  %c1 = arith.constant 1 : index
  %9 = memref.dim %7, %c1 : memref<?x?xf32>
  %10 = memref.alloc(%8, %9) : memref<?x?xf32>
  linalg.copy ins(%7 : memref<?x?xf32>) outs(%10 : memref<?x?xf32>)
  memref.dealloc %7 : memref<?x?xf32>
  return %10 : memref<?x?xf32>
}
func.func @reuse_target(%arg0: memref<2xf32>, %result: memref<2xf32>) {
  %temp = memref.alloc() : memref<2xf32>
  linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
    } ins(%arg0 : memref<2xf32>) outs(%temp : memref<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = math.exp %x : f32
    linalg.yield %z : f32
  }
  "linalg.copy"(%temp, %result) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (memref<2xf32>, memref<2xf32>) -> ()
  memref.dealloc %temp : memref<2xf32>
  return
}
func.func @target_of_our_own(%x: f32) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  memref.copy %t, %r : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @target_in_use(%x: f32, %i: index) -> (memref<4xf32>, f32) {
  %r = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%r : memref<4xf32>)
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%r : memref<4xf32>) outs(%t : memref<4xf32>)
  %y = memref.load %r[%i] : memref<4xf32>
  memref.copy %t, %r : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %r, %y : memref<4xf32>, f32
}
func.func private @callee(memref<4xf32>)
func.func @called_meanwhile(%m: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  call @callee(%t) : (memref<4xf32>) -> ()
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}
func.func @called_with_our_own(%x: f32) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  call @callee(%t) : (memref<4xf32>) -> ()
  memref.copy %t, %r : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @copied_only_at_times(%b: i1, %m: memref<4xf32>, %x: f32) {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<4xf32>)
  scf.if %b {
    memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  }
  memref.dealloc %t : memref<4xf32>
  return
}
func.func @filled_in_the_end(%b: i1, %x: f32, %i: index) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  cf.br ^bb1
^bb1:
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
  memref.copy %s, %t : memref<4xf32> to memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  cf.cond_br %b, ^bb1, ^bb2
^bb2:
  return %t : memref<4xf32>
}
func.func @filled_across_blocks(%b: i1, %x: f32, %i: index) -> memref<4xf32> {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  memref.store %x, %s[%i] : memref<4xf32>
  cf.br ^bb2
^bb2:
  %t = memref.alloc() : memref<4xf32>
  memref.copy %s, %t : memref<4xf32> to memref<4xf32>
  cf.br ^bb3
^bb3:
  memref.dealloc %s : memref<4xf32>
  memref.store %x, %t[%i] : memref<4xf32>
  return %t : memref<4xf32>
}
func.func @part_of_target(%x: f32) -> memref<4xf32> {
  %r = memref.alloc() : memref<4xf32>
  %v = memref.subview %r[0] [2] [1] : memref<4xf32> to memref<2xf32>
  %w = memref.subview %r[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  %t = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%t : memref<2xf32>)
  memref.copy %t, %v : memref<2xf32> to memref<2xf32>
  memref.copy %t, %w : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.dealloc %t : memref<2xf32>
  return %r : memref<4xf32>
}
func.func @aligned(%x: f32) -> memref<4xf32> {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
  %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %s, %t : memref<4xf32> to memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  %v = memref.assume_alignment %t, 64 : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<4xf32>)
  return %t : memref<4xf32>
}
func.func @into_itself(%x: f32) -> memref<4xf32> {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
  memref.copy %s, %s : memref<4xf32> to memref<4xf32>
  return %s : memref<4xf32>
}
func.func @target_of_another_type(%x: f32, %m: memref<?xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  memref.copy %a, %m : memref<4xf32> to memref<?xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
