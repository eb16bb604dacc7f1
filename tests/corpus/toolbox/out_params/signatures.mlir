// What becomes an argument, and what stays a result.
func.func private @static(%x: f32) -> memref<4xf32> {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  return %a : memref<4xf32>
}
func.func private @mixed(%n: index) -> (i32, memref<4xf32>, f32, memref<2x3xi8, 1>) {
  %i = arith.constant 3 : i32
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<2x3xi8, 1>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  return %i, %a, %f, %b : i32, memref<4xf32>, f32, memref<2x3xi8, 1>
}
func.func private @attributed(%m: memref<4xf32> {llvm.noalias}) -> (memref<4xf32> {llvm.align = 16 : i64, llvm.noalias}, f32 {llvm.inreg}) {
  %f = arith.constant 1.0 : f32
  return %m, %f : memref<4xf32>, f32
}
func.func private @dynamic_offset(%m: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
  return %m : memref<4xf32, strided<[?], offset: ?>>
}
func.func private @no_dimensions() -> memref<f32> {
  %a = memref.alloc() : memref<f32>
  return %a : memref<f32>
}
func.func private @without_rank(%m: memref<*xf32>) -> memref<*xf32> {
  return %m : memref<*xf32>
}
func.func private @declared() -> memref<4xf32>
func.func private @never_called(%n: index) -> (memref<?xf32>, memref<4x?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<4x?xf32>
  return %a, %b : memref<?xf32>, memref<4x?xf32>
}
func.func nested @nested() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @public(%x: f32) -> memref<4xf32> {
  %a = func.call @static(%x) : (f32) -> memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @hands_on(%x: f32) -> (memref<4xf32>, memref<4xf32>) {
  %a = call @static(%x) : (f32) -> memref<4xf32>
  %b = call @public(%x) : (f32) -> memref<4xf32>
  return %a, %b : memref<4xf32>, memref<4xf32>
}
func.func private @itself(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %s = func.call @itself(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @calls(%c: i1, %n: index, %x: f32, %m: memref<4xf32>) -> (f32, i32) {
  %a = call @static(%x) : (f32) -> memref<4xf32>
  %i, %b, %f, %d = call @mixed(%n) : (index) -> (i32, memref<4xf32>, f32, memref<2x3xi8, 1>)
  %e:2 = call @attributed(%b) : (memref<4xf32>) -> (memref<4xf32>, f32)
  %o = memref.cast %a : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %g = call @dynamic_offset(%o) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
  %h = call @no_dimensions() : () -> memref<f32>
  %u = memref.cast %m : memref<4xf32> to memref<*xf32>
  %w = call @without_rank(%u) : (memref<*xf32>) -> memref<*xf32>
  %k = call @declared() : () -> memref<4xf32>
  %l = call @nested() : () -> memref<4xf32>
  call @nested() : () -> memref<4xf32>
  %p:2 = call @hands_on(%f) : (f32) -> (memref<4xf32>, memref<4xf32>)
  %q = call @itself(%c, %l) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %g, %k : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  memref.copy %p#1, %m : memref<4xf32> to memref<4xf32>
  memref.copy %q, %e#0 : memref<4xf32> to memref<4xf32>
  %z = memref.load %h[] : memref<f32>
  %y = arith.addf %z, %e#1 : f32
  return %y, %i : f32, i32
}
