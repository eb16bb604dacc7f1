func.func @frees_argument(%m: memref<2xi32>) {
  // expected-error@below {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %m : memref<2xi32>
  return
}
