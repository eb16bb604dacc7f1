// Functions that others rely on, or that stand behind their callers.
func.func @public(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @early(%a: memref<4xf32>) -> memref<4xf32> {
  %r = call @late(%a) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @late(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func private @fresh(%a: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}
func.func @caller(%a: memref<4xf32>) -> memref<4xf32> {
  %p = call @public(%a) : (memref<4xf32>) -> memref<4xf32>
  %e = call @external(%p) : (memref<4xf32>) -> memref<4xf32>
  %l = call @early(%e) : (memref<4xf32>) -> memref<4xf32>
  %f = call @fresh(%l) : (memref<4xf32>) -> memref<4xf32>
  return %f : memref<4xf32>
}
