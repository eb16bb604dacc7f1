// A terminator that no interface describes.
func.func @ends(%m: memref<2xf32>) {
  // expected-error@below {{ops with unknown memory side effects are not supported}}
  ub.unreachable
}
