func.func @frees_inside(%c: i1) {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xi32>
  scf.if %c {
    // expected-error@below {{memory free side-effect on MemRef value not supported!}}
    memref.dealloc %a : memref<2xi32>
  }
  return
}
