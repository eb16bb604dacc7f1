// options: -allow-unregistered-dialect
func.func @unregistered(%v: f32) {
  %a = memref.alloc() : memref<2xf32>
  // expected-error@below {{ops with unknown memory side effects are not supported}}
  "unknown.use"(%a) : (memref<2xf32>) -> ()
  return
}
