// The error is at the op of the second function; the first is in order.
func.func @fine(%v: f32) {
  %a = memref.alloc() : memref<2xf32>
  return
}

func.func @not_fine(%v: f32) {
  %a = memref.alloc() : memref<2xf32>
  // expected-error@below {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %a : memref<2xf32>
  return
}

func.func @never_looked_at(%v: f32) {
  %a = memref.alloc() : memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return
}
