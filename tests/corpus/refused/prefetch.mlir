func.func @prefetch(%a: memref<8xf32>) {
  // expected-error@below {{ops with unknown memory side effects are not supported}}
  affine.prefetch %a[0], read, locality<3>, data : memref<8xf32>
  return
}
