// options: -allow-unregistered-dialect
func.func @unregistered(%v: f32) -> f32 {
  // expected-error@below {{ops with unknown memory side effects are not supported}}
  %w = "unknown.compute"(%v) : (f32) -> f32
  return %w : f32
}
