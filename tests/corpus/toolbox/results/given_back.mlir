// Functions that return what they are given.
func.func private @one(%a: memref<4xf32>, %b: memref<?xf32>) -> (memref<4xf32>, i32, memref<?xf32>) {
  %c = arith.constant 1 : i32
  return %a, %c, %b : memref<4xf32>, i32, memref<?xf32>
}
func.func private @casted(%c: i1, %a: memref<4xf32>) -> memref<?xf32> {
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to memref<?xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %v : memref<?xf32>
^bb2:
  return %w : memref<?xf32>
}
func.func private @two(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<4xf32>
^bb2:
  return %b : memref<4xf32>
}
func.func private @number(%x: f32) -> f32 {
  return %x : f32
}
func.func private @rec(%x: memref<4xf32>) -> memref<4xf32> {
  %r = call @rec(%x) : (memref<4xf32>) -> memref<4xf32>
  return %x : memref<4xf32>
}
func.func private @chain(%x: memref<4xf32>) -> memref<4xf32> {
  %r = call @rec(%x) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func @main(%c: i1, %a: memref<4xf32>, %b: memref<?xf32>) -> (memref<4xf32>, memref<?xf32>, f32, i32) {
  %r:3 = call @one(%a, %b) : (memref<4xf32>, memref<?xf32>) -> (memref<4xf32>, i32, memref<?xf32>)
  %s = call @casted(%c, %r#0) : (i1, memref<4xf32>) -> memref<?xf32>
  %t = call @two(%c, %r#0, %a) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %one = arith.constant 1.0 : f32
  %n = call @number(%one) : (f32) -> f32
  %q = call @chain(%t) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %s, %r#2 : memref<?xf32> to memref<?xf32>
  return %q, %s, %n, %r#1 : memref<4xf32>, memref<?xf32>, f32, i32
}
func.func private @taken(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
