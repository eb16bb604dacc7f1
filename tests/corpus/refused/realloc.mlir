func.func @grows() {
  %a = memref.alloc() : memref<2xi32>
  // expected-error@below {{memory free side-effect on MemRef value not supported!}}
  %b = memref.realloc %a : memref<2xi32> to memref<4xi32>
  return
}
