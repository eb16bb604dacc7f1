// Allocations that callers make instead, and some that they cannot.
func.func private @by_arguments(%n: index, %x: f32, %m: index) -> (memref<?x4x?xf32>, f32, memref<2xf32>) {
  %a = memref.alloc(%m, %n) : memref<?x4x?xf32>
  %b = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<2xf32>)
  return %a, %x, %b : memref<?x4x?xf32>, f32, memref<2xf32>
}
func.func private @several_dynamic(%n: index, %m: index) -> (memref<?xf32>, memref<?xf32>) {
  %a = memref.alloc(%m) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}
func.func private @on_two_paths(%c: i1, %n: index) -> memref<?xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
^bb2:
  %b = memref.alloc(%n) : memref<?xf32>
  return %b : memref<?xf32>
}
func.func private @one_path(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
^bb2:
  return %m : memref<4xf32>
}
func.func private @a_cast(%x: f32) -> memref<4xf32, strided<[?], offset: ?>> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  return %b : memref<4xf32, strided<[?], offset: ?>>
}
func.func private @merged(%c: i1, %x: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
  return %s : memref<4xf32>
}
// Both live at the same time: one buffer cannot be both.
func.func private @both_alive(%c: i1, %x: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
^bb2:
  return %a : memref<4xf32>
}
func.func private @a_clone(%m: memref<4xf32>) -> memref<4xf32> {
  %a = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @kept(%p: memref<1xmemref<4xf32>>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %p[%zero] : memref<1xmemref<4xf32>>
  return %a : memref<4xf32>
}
func.func private @transposed(%c: i1, %x: f32) -> memref<4x4xf32, strided<[?, ?], offset: ?>> {
  %a = memref.alloc() : memref<4x4xf32>
  %v = memref.cast %a : memref<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %v : memref<4x4xf32, strided<[?, ?], offset: ?>>
^bb2:
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %w = memref.cast %t : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  return %w : memref<4x4xf32, strided<[?, ?], offset: ?>>
}
func.func @main(%c: i1, %n: index, %m: index, %x: f32, %o: memref<4xf32>, %p: memref<1xmemref<4xf32>>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = call @by_arguments(%n, %x, %m) : (index, f32, index) -> (memref<?x4x?xf32>, f32, memref<2xf32>)
  %s:2 = call @several_dynamic(%one, %m) : (index, index) -> (memref<?xf32>, memref<?xf32>)
  memref.copy %s#0, %s#1 : memref<?xf32> to memref<?xf32>
  %t = call @on_two_paths(%c, %one) : (i1, index) -> memref<?xf32>
  %u = call @one_path(%c, %o) : (i1, memref<4xf32>) -> memref<4xf32>
  %v = call @a_cast(%x) : (f32) -> memref<4xf32, strided<[?], offset: ?>>
  %w = call @merged(%c, %x) : (i1, f32) -> memref<4xf32>
  %k = call @kept(%p) : (memref<1xmemref<4xf32>>) -> memref<4xf32>
  %y = call @both_alive(%c, %x) : (i1, f32) -> memref<4xf32>
  %z = call @a_clone(%y) : (memref<4xf32>) -> memref<4xf32>
  %q = call @transposed(%c, %x) : (i1, f32) -> memref<4x4xf32, strided<[?, ?], offset: ?>>
  memref.copy %u, %o : memref<4xf32> to memref<4xf32>
  memref.copy %w, %o : memref<4xf32> to memref<4xf32>
  memref.copy %z, %k : memref<4xf32> to memref<4xf32>
  memref.copy %v, %o : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  %e = memref.load %t[%zero] : memref<?xf32>
  %f = memref.load %r#2[%zero] : memref<2xf32>
  %g = memref.load %q[%zero, %zero] : memref<4x4xf32, strided<[?, ?], offset: ?>>
  %h = arith.addf %e, %f : f32
  %i = arith.addf %h, %g : f32
  return %i : f32
}
