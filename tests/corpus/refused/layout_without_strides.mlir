// A layout that is no stride pattern has no base buffer to take.
#swap = affine_map<(d0, d1) -> (d1, d0)>

func.func @mapped_layout(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3xf32, #swap>
  memref.store %v, %a[%c0, %c0] : memref<2x3xf32, #swap>
  // expected-error@below {{'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>'}}
  cf.br ^next(%a : memref<2x3xf32, #swap>)
^next(%p: memref<2x3xf32, #swap>):
  %x = memref.load %p[%c0, %c0] : memref<2x3xf32, #swap>
  return %x : f32
}
