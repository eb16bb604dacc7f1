// Tensors at the boundary of functions.
func.func @identity(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @ignored(%a: tensor<4xf32>, %b: tensor<*xf32>) {
  return
}
func.func @computed(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.addf %a, %b : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @constant() -> tensor<2x2xi32> {
  %c = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return %c : tensor<2x2xi32>
}
func.func @scalar(%a: tensor<f32>) -> f32 {
  %x = tensor.extract %a[] : tensor<f32>
  return %x : f32
}
func.func @among_others(%n: index, %a: tensor<?x3xi8>, %m: memref<4xf32>, %b: tensor<i1>) -> (index, tensor<?x3xi8>, memref<4xf32>) {
  return %n, %a, %m : index, tensor<?x3xi8>, memref<4xf32>
}
func.func @twice(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %a, %a : tensor<4xf32>, tensor<4xf32>
}
func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  return %a : tensor<*xf32>
}
func.func @of_complex(%a: tensor<2xcomplex<f32>>, %v: tensor<3xvector<4xf32>>) -> (tensor<3xvector<4xf32>>, tensor<2xcomplex<f32>>) {
  return %v, %a : tensor<3xvector<4xf32>>, tensor<2xcomplex<f32>>
}
func.func @encoded(%a: tensor<4xf32, "elsewhere">) -> tensor<4xf32, "elsewhere"> {
  return %a : tensor<4xf32, "elsewhere">
}
func.func @untouched(%m: memref<4xf32>, %x: f32) -> f32 {
  return %x : f32
}

// -----

func.func @calls(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %x = call @outside(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %y:2 = call @two(%x, %n) : (tensor<4xf32>, index) -> (index, tensor<4xf32>)
  call @nothing(%y#1) : (tensor<4xf32>) -> ()
  %z = call @made() : () -> tensor<4xf32>
  %s = arith.mulf %z, %y#1 : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func private @nothing(%a: tensor<4xf32>)
func.func private @made() -> tensor<4xf32>
func.func @two(%a: tensor<4xf32>, %n: index) -> (index, tensor<4xf32>) {
  return %n, %a : index, tensor<4xf32>
}
func.func @unused_results(%a: tensor<4xf32>) {
  %0 = call @outside(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1:2 = call @several(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
func.func private @several(tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
func.func @handed_on(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %0:2 = call @several(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}
func.func @again(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %0 = call @again(%a, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %1 = arith.select %c, %0, %a : tensor<4xf32>
  %2 = call @again(%1, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @without_tensors(%c: i1) {
  func.call @only_scalars(%c) : (i1) -> ()
  return
}
func.func private @only_scalars(i1)

// -----

func.func @in_regions(%c: i1, %n: index, %a: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.if %c -> (tensor<4xf32>) {
    %x = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  %s = scf.for %i = %zero to %n step %one iter_args(%t = %r) -> (tensor<4xf32>) {
    %y = func.call @f(%t) : (tensor<4xf32>) -> tensor<4xf32>
    %z = arith.addf %y, %a : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }
  return %s : tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.addf %a, %a : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @two_returns(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %s = arith.addf %a, %b : tensor<4xf32>
  return %s : tensor<4xf32>
^bb2:
  %t = call @f(%b) : (tensor<4xf32>) -> tensor<4xf32>
  return %t : tensor<4xf32>
}
func.func @ones_and_more(%c: i1, %a: tensor<4xf32>) -> (i1, tensor<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %t = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %c, %t : i1, tensor<4xf32>
^bb2:
  return %c, %a : i1, tensor<4xf32>
}

// -----

func.func @between_blocks(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1(%a : tensor<4xf32>), ^bb1(%b : tensor<4xf32>)
^bb1(%x: tensor<4xf32>):
  return %x : tensor<4xf32>
}
func.func @around_blocks(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1(%a : tensor<4xf32>)
^bb1(%x: tensor<4xf32>):
  %y = arith.addf %x, %x : tensor<4xf32>
  cf.cond_br %c, ^bb1(%y : tensor<4xf32>), ^bb2
^bb2:
  return %y : tensor<4xf32>
}
func.func @scalars_between_blocks(%c: i1, %a: tensor<4xf32>, %n: index) -> (tensor<4xf32>, index) {
  cf.cond_br %c, ^bb1(%n : index), ^bb2
^bb1(%i: index):
  return %a, %i : tensor<4xf32>, index
^bb2:
  %zero = arith.constant 0 : index
  cf.br ^bb1(%zero : index)
}

// -----

func.func @said_of_them(%a: tensor<4xf32> {test.first = 1 : i32}, %b: i1 {test.second, test.third = "x"}) -> (i1, tensor<4xf32> {test.result}) {
  return %b, %a : i1, tensor<4xf32>
}
func.func private @said_of_declared(tensor<4xf32> {test.first}, i1) -> (tensor<4xf32> {test.result = 2 : i64})
func.func @more(%a: tensor<?xf32>, %m: memref<?xf32>) -> (tensor<?xf32>, memref<?xf32>, tensor<4xf32>) {
  %i = arith.constant true
  %c = tensor.cast %a : tensor<?xf32> to tensor<4xf32>
  %r = call @said_of_declared(%c, %i) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %s:2 = call @said_of_them(%r, %i) : (tensor<4xf32>, i1) -> (i1, tensor<4xf32>)
  return %a, %m, %s#1 : tensor<?xf32>, memref<?xf32>, tensor<4xf32>
}
