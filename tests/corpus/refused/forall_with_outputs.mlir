func.func @tensors(%n: index, %t: tensor<4xf32>, %v: f32) -> tensor<4xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    %s = tensor.from_elements %v : tensor<1xf32>
    scf.forall.in_parallel {
      // expected-error@below {{ops with unknown memory side effects are not supported}}
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %r : tensor<4xf32>
}
