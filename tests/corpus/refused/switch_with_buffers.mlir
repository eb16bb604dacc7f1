func.func @switch(%flag: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  // expected-error@below {{Terminators with more than one successor are not supported!}}
  cf.switch %flag : i32, [
    default: ^one(%a : memref<2xf32>),
    7: ^two
  ]
^one(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
^two:
  return %v : f32
}
