// A buffer freed by hand without the attribute that says so.

func.func @frees() {
  %a = memref.alloc() : memref<2xi32>
  // expected-error@below {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %a : memref<2xi32>
  return
}
