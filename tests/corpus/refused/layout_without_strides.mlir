// A layout that is no stride pattern has no base buffer to take.
#swap = affine_map<(d0, d1) -> (d1, d0)>

func.func private @makes() -> memref<2x3xf32, #swap>

func.func @mapped_layout() -> f32 {
  %c0 = arith.constant 0 : index
  %a = call @makes() : () -> memref<2x3xf32, #swap>
  %x = memref.load %a[%c0, %c0] : memref<2x3xf32, #swap>
  // expected-error@below {{'memref.extract_strided_metadata' op operand #0 must be strided memref of any type values, but got 'memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>'}}
  return %x : f32
}
