func.func @switch(%flag: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  // expected-error@below {{BranchOpInterface operations with multiple successors are not supported yet}}
  cf.switch %flag : i32, [
    default: ^one,
    7: ^two
  ]
^one:
  %x = memref.load %a[%c0] : memref<2xf32>
  return %x : f32
^two:
  return %v : f32
}
