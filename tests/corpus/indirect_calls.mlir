// Calls through a function value: the callee keeps to the function boundary rules.

func.func @makes(%v: f32) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  return %a : memref<2xf32>
}

func.func @gives_back(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

func.func @calls_a_constant(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %f = func.constant @makes : (f32) -> memref<2xf32>
  %r = func.call_indirect %f(%v) : (f32) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @passes_own(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %f = func.constant @gives_back : (memref<2xf32>) -> memref<2xf32>
  %r = call_indirect %f(%a) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func private @apply(%f: (memref<2xf32>) -> memref<2xf32>, %m: memref<2xf32>) -> memref<2xf32> {
  %r = call_indirect %f(%m) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}

func.func @higher_order(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %f = func.constant @gives_back : (memref<2xf32>) -> memref<2xf32>
  %r = call @apply(%f, %a) : ((memref<2xf32>) -> memref<2xf32>, memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}
