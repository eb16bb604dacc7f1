// With private-function-dynamic-ownership, a call of a private function grows results like a region-branching op, and MLIR 22.1
// loses the liveness of its results in the same way. Right: as for scf results.
// options: private-function-dynamic-ownership=true

func.func private @makes(%v: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  return %a : memref<2xf32>
}

func.func @used_in_the_next_block(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @makes(%v) : (f32) -> memref<2xf32>
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

func.func private @gives_back(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

// What comes back is the buffer that the caller still owns: freed once, after both uses.
func.func @given_back(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = call @gives_back(%a) : (memref<2xf32>) -> memref<2xf32>
  cf.cond_br %c, ^yes, ^no
^yes:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
^no:
  %y = memref.load %a[%c0] : memref<2xf32>
  return %y : f32
}
