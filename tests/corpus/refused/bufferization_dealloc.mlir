func.func @already_done() {
  %true = arith.constant true
  %a = memref.alloc() : memref<2xi32>
  // expected-error@below {{No deallocation operations must be present when running this pass!}}
  bufferization.dealloc (%a : memref<2xi32>) if (%true)
  return
}
