// A private function is called through its address. With private-function-dynamic-ownership, MLIR 22.1 gives it another result
// and leaves the function value as it was: its output does not verify. Right: a function whose address is taken keeps to the
// function boundary rules, like a public one, and so do its direct calls.
// options: private-function-dynamic-ownership=true

func.func private @gives_back(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

func.func @through_the_address(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %f = func.constant @gives_back : (memref<2xf32>) -> memref<2xf32>
  %r = call_indirect %f(%m) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @directly(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @gives_back(%m) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}
