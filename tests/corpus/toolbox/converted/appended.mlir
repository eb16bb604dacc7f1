// Results that become arguments.
func.func @callee(%a: tensor<5xf32>) -> tensor<5xf32> {
  return %a : tensor<5xf32>
}
func.func @caller(%a: tensor<5xf32>) -> tensor<5xf32> {
  %x = call @callee(%a) : (tensor<5xf32>) -> tensor<5xf32>
  return %x : tensor<5xf32>
}
func.func @among_others(%a: tensor<5xf32>, %c: i1) -> (tensor<5xf32>, i1) {
  return %a, %c : tensor<5xf32>, i1
}
func.func @several(%a: tensor<5xf32>, %n: index) -> (index, tensor<5xf32>, i1, tensor<2x3xi8>, tensor<f32>) {
  %c = arith.constant true
  %d = arith.constant dense<3> : tensor<2x3xi8>
  %e = arith.constant dense<3.0> : tensor<f32>
  return %n, %a, %c, %d, %e : index, tensor<5xf32>, i1, tensor<2x3xi8>, tensor<f32>
}
func.func @calls_several(%a: tensor<5xf32>, %n: index) -> (tensor<2x3xi8>, index) {
  %0:5 = call @several(%a, %n) : (tensor<5xf32>, index) -> (index, tensor<5xf32>, i1, tensor<2x3xi8>, tensor<f32>)
  %1:5 = call @several(%0#1, %0#0) : (tensor<5xf32>, index) -> (index, tensor<5xf32>, i1, tensor<2x3xi8>, tensor<f32>)
  return %1#3, %1#0 : tensor<2x3xi8>, index
}
func.func private @outside(tensor<5xf32>) -> (i1, tensor<5xf32>)
func.func @calls_outside(%a: tensor<5xf32>) -> tensor<5xf32> {
  %s = arith.addf %a, %a : tensor<5xf32>
  %0:2 = call @outside(%s) : (tensor<5xf32>) -> (i1, tensor<5xf32>)
  %t = arith.select %0#0, %0#1, %s : tensor<5xf32>
  return %t : tensor<5xf32>
}
func.func @without_arguments() -> tensor<5xf32> {
  %e = arith.constant dense<3.0> : tensor<5xf32>
  return %e : tensor<5xf32>
}
func.func @calls_it() {
  %e = call @without_arguments() : () -> tensor<5xf32>
  return
}
func.func @two_returns(%c: i1, %a: tensor<5xf32>) -> (tensor<5xf32>, i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a, %c : tensor<5xf32>, i1
^bb2:
  %s = arith.addf %a, %a : tensor<5xf32>
  return %s, %c : tensor<5xf32>, i1
}
func.func @in_a_loop(%n: index, %a: tensor<5xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %a) -> (tensor<5xf32>) {
    %y = func.call @callee(%t) : (tensor<5xf32>) -> tensor<5xf32>
    scf.yield %y : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
