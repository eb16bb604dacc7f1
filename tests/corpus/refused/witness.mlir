func.func @broadcastable() {
  %s = shape.const_shape [2] : tensor<1xindex>
  %t = shape.const_shape [2] : tensor<1xindex>
  // expected-error@below {{ops with unknown memory side effects are not supported}}
  %w = shape.cstr_broadcastable %s, %t : tensor<1xindex>, tensor<1xindex>
  return
}
