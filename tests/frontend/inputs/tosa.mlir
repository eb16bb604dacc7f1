func.func @operations(%x: i32, %s: i8, %t: tensor<4x8xf32>, %o: tensor<1xi32>) {
  %0 = tosa.apply_scale %x, %x, %s {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
  %1 = tosa.add %t, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.const_shape {values = dense<[8, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %3 = tosa.reshape %t, %2 : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x4xf32>
  %4 = tosa.clamp %t {max_val = 1.0 : f32, min_val = 0.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = tosa.reduce_max %t {axis = 0 : i32, nan_mode = IGNORE} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %6 = tosa.custom %t {domain_name = "d", implementation_attrs = "", operator_name = "c"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
tosa.variable @counter = dense<-1> : tensor<2x4xi8>
tosa.variable @other : tensor<2xi8>
func.func @control(%c: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>, %n: tensor<i32>, %v: tensor<2x4xi8>) -> tensor<f32> {
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<f32> {
    tosa.yield %a : tensor<f32>
  } else {
    tosa.yield %b : tensor<f32>
  } {a}
  %1 = tosa.while_loop (%i = %n) : (tensor<i32>) -> tensor<i32> {
    %2 = tosa.greater_equal %n, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %2 : tensor<i1>
  } do {
  ^bb0(%j: tensor<i32>):
    tosa.yield %j : tensor<i32>
  }
  %3 = tosa.cond_if %c (%x = %a, %y = %b) : tensor<i1> (tensor<f32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    tosa.yield %x : tensor<f32>
  } else {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    tosa.yield %q : tensor<f32>
  }
  %4 = tosa.variable_read @counter : tensor<2x4xi8>
  tosa.variable_write @counter, %v : tensor<2x4xi8>
  return %0 : tensor<f32>
}
