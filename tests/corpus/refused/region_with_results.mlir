func.func @atomic(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  // expected-error@below {{All operations with attached regions need to implement the RegionBranchOpInterface.}}
  %x = memref.generic_atomic_rmw %a[%c0] : memref<2xf32> {
  ^bb0(%old: f32):
    %new = arith.addf %old, %v : f32
    memref.atomic_yield %new : f32
  }
  return %x : f32
}
