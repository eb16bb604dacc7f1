// What MLIR 19 makes of the cases in tests/corpus/toolbox/converted, in today's syntax.
// case: appended
module {
  func.func @callee(%arg0: memref<5xf32>, %arg1: memref<5xf32>) {
    memref.copy %arg0, %arg1 : memref<5xf32> to memref<5xf32>
    return
  }
  func.func @caller(%arg0: memref<5xf32>, %arg1: memref<5xf32>) {
    %alloc = memref.alloc() : memref<5xf32>
    call @callee(%arg0, %alloc) : (memref<5xf32>, memref<5xf32>) -> ()
    memref.copy %alloc, %arg1 : memref<5xf32> to memref<5xf32>
    return
  }
  func.func @among_others(%arg0: memref<5xf32>, %arg1: i1, %arg2: memref<5xf32>) -> i1 {
    memref.copy %arg0, %arg2 : memref<5xf32> to memref<5xf32>
    return %arg1 : i1
  }
  func.func @several(%arg0: memref<5xf32>, %arg1: index, %arg2: memref<5xf32>, %arg3: memref<2x3xi8>, %arg4: memref<f32>) -> (index, i1) {
    %true = arith.constant true
    %cst = arith.constant dense<3> : tensor<2x3xi8>
    %0 = bufferization.to_buffer %cst : tensor<2x3xi8> to memref<2x3xi8>
    %cst_0 = arith.constant dense<3.000000e+00> : tensor<f32>
    %1 = bufferization.to_buffer %cst_0 : tensor<f32> to memref<f32>
    memref.copy %arg0, %arg2 : memref<5xf32> to memref<5xf32>
    memref.copy %0, %arg3 : memref<2x3xi8> to memref<2x3xi8>
    memref.copy %1, %arg4 : memref<f32> to memref<f32>
    return %arg1, %true : index, i1
  }
  func.func @calls_several(%arg0: memref<5xf32>, %arg1: index, %arg2: memref<2x3xi8>) -> index {
    %alloc = memref.alloc() : memref<5xf32>
    %alloc_0 = memref.alloc() : memref<2x3xi8>
    %alloc_1 = memref.alloc() : memref<f32>
    %0:2 = call @several(%arg0, %arg1, %alloc, %alloc_0, %alloc_1) : (memref<5xf32>, index, memref<5xf32>, memref<2x3xi8>, memref<f32>) -> (index, i1)
    %alloc_2 = memref.alloc() : memref<5xf32>
    %alloc_3 = memref.alloc() : memref<2x3xi8>
    %alloc_4 = memref.alloc() : memref<f32>
    %1:2 = call @several(%alloc, %0#0, %alloc_2, %alloc_3, %alloc_4) : (memref<5xf32>, index, memref<5xf32>, memref<2x3xi8>, memref<f32>) -> (index, i1)
    memref.copy %alloc_3, %arg2 : memref<2x3xi8> to memref<2x3xi8>
    return %1#0 : index
  }
  func.func private @outside(memref<5xf32>, memref<5xf32>) -> i1
  func.func @calls_outside(%arg0: memref<5xf32>, %arg1: memref<5xf32>) {
    %0 = bufferization.to_tensor %arg0 : memref<5xf32> to tensor<5xf32>
    %1 = arith.addf %0, %0 : tensor<5xf32>
    %2 = bufferization.to_buffer %1 : tensor<5xf32> to memref<5xf32>
    %alloc = memref.alloc() : memref<5xf32>
    %3 = call @outside(%2, %alloc) : (memref<5xf32>, memref<5xf32>) -> i1
    %4 = bufferization.to_tensor %alloc : memref<5xf32> to tensor<5xf32>
    %5 = arith.select %3, %4, %1 : tensor<5xf32>
    %6 = bufferization.to_buffer %5 : tensor<5xf32> to memref<5xf32>
    memref.copy %6, %arg1 : memref<5xf32> to memref<5xf32>
    return
  }
  func.func @without_arguments(%arg0: memref<5xf32>) {
    %cst = arith.constant dense<3.000000e+00> : tensor<5xf32>
    %0 = bufferization.to_buffer %cst : tensor<5xf32> to memref<5xf32>
    memref.copy %0, %arg0 : memref<5xf32> to memref<5xf32>
    return
  }
  func.func @calls_it() {
    %alloc = memref.alloc() : memref<5xf32>
    call @without_arguments(%alloc) : (memref<5xf32>) -> ()
    return
  }
  func.func @two_returns(%arg0: i1, %arg1: memref<5xf32>, %arg2: memref<5xf32>) -> i1 {
    %0 = bufferization.to_tensor %arg1 : memref<5xf32> to tensor<5xf32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    memref.copy %arg1, %arg2 : memref<5xf32> to memref<5xf32>
    return %arg0 : i1
  ^bb2:  // pred: ^bb0
    %1 = arith.addf %0, %0 : tensor<5xf32>
    %2 = bufferization.to_buffer %1 : tensor<5xf32> to memref<5xf32>
    memref.copy %2, %arg2 : memref<5xf32> to memref<5xf32>
    return %arg0 : i1
  }
  func.func @in_a_loop(%arg0: index, %arg1: memref<5xf32>, %arg2: memref<5xf32>) {
    %0 = bufferization.to_tensor %arg1 : memref<5xf32> to tensor<5xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %0) -> (tensor<5xf32>) {
      %3 = bufferization.to_buffer %arg4 : tensor<5xf32> to memref<5xf32>
      %alloc = memref.alloc() : memref<5xf32>
      func.call @callee(%3, %alloc) : (memref<5xf32>, memref<5xf32>) -> ()
      %4 = bufferization.to_tensor %alloc : memref<5xf32> to tensor<5xf32>
      scf.yield %4 : tensor<5xf32>
    }
    %2 = bufferization.to_buffer %1 : tensor<5xf32> to memref<5xf32>
    memref.copy %2, %arg2 : memref<5xf32> to memref<5xf32>
    return
  }
}
// case: tensors-identity
module {
  func.func @identity(%arg0: memref<4xf32>) -> memref<4xf32> {
    return %arg0 : memref<4xf32>
  }
  func.func @ignored(%arg0: memref<4xf32>, %arg1: memref<*xf32>) {
    return
  }
  func.func @computed(%arg0: memref<4xf32>, %arg1: memref<4xf32>) -> memref<4xf32> {
    %0 = bufferization.to_tensor %arg1 : memref<4xf32> to tensor<4xf32>
    %1 = bufferization.to_tensor %arg0 : memref<4xf32> to tensor<4xf32>
    %2 = arith.addf %1, %0 : tensor<4xf32>
    %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
    return %3 : memref<4xf32>
  }
  func.func @constant() -> memref<2x2xi32> {
    %cst = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %0 = bufferization.to_buffer %cst : tensor<2x2xi32> to memref<2x2xi32>
    return %0 : memref<2x2xi32>
  }
  func.func @scalar(%arg0: memref<f32>) -> f32 {
    %0 = bufferization.to_tensor %arg0 : memref<f32> to tensor<f32>
    %extracted = tensor.extract %0[] : tensor<f32>
    return %extracted : f32
  }
  func.func @among_others(%arg0: index, %arg1: memref<?x3xi8>, %arg2: memref<4xf32>, %arg3: memref<i1>) -> (index, memref<?x3xi8>, memref<4xf32>) {
    return %arg0, %arg1, %arg2 : index, memref<?x3xi8>, memref<4xf32>
  }
  func.func @twice(%arg0: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    return %arg0, %arg0 : memref<4xf32>, memref<4xf32>
  }
  func.func @unranked(%arg0: memref<*xf32>) -> memref<*xf32> {
    return %arg0 : memref<*xf32>
  }
  func.func @of_complex(%arg0: memref<2xcomplex<f32>>, %arg1: memref<3xvector<4xf32>>) -> (memref<3xvector<4xf32>>, memref<2xcomplex<f32>>) {
    return %arg1, %arg0 : memref<3xvector<4xf32>>, memref<2xcomplex<f32>>
  }
  func.func @encoded(%arg0: memref<4xf32>) -> memref<4xf32> {
    return %arg0 : memref<4xf32>
  }
  func.func @untouched(%arg0: memref<4xf32>, %arg1: f32) -> f32 {
    return %arg1 : f32
  }
}
// case: tensors-calls
module {
  func.func @calls(%arg0: memref<4xf32>, %arg1: index) -> memref<4xf32> {
    %0 = call @outside(%arg0) : (memref<4xf32>) -> memref<4xf32>
    %1:2 = call @two(%0, %arg1) : (memref<4xf32>, index) -> (index, memref<4xf32>)
    %2 = bufferization.to_tensor %1#1 : memref<4xf32> to tensor<4xf32>
    call @nothing(%1#1) : (memref<4xf32>) -> ()
    %3 = call @made() : () -> memref<4xf32>
    %4 = bufferization.to_tensor %3 : memref<4xf32> to tensor<4xf32>
    %5 = arith.mulf %4, %2 : tensor<4xf32>
    %6 = bufferization.to_buffer %5 : tensor<4xf32> to memref<4xf32>
    return %6 : memref<4xf32>
  }
  func.func private @outside(memref<4xf32>) -> memref<4xf32>
  func.func private @nothing(memref<4xf32>)
  func.func private @made() -> memref<4xf32>
  func.func @two(%arg0: memref<4xf32>, %arg1: index) -> (index, memref<4xf32>) {
    return %arg1, %arg0 : index, memref<4xf32>
  }
  func.func @unused_results(%arg0: memref<4xf32>) {
    %0 = call @outside(%arg0) : (memref<4xf32>) -> memref<4xf32>
    %1:2 = call @several(%arg0) : (memref<4xf32>) -> (memref<4xf32>, memref<f32>)
    return
  }
  func.func private @several(memref<4xf32>) -> (memref<4xf32>, memref<f32>)
  func.func @handed_on(%arg0: memref<4xf32>) -> (memref<4xf32>, memref<f32>) {
    %0:2 = call @several(%arg0) : (memref<4xf32>) -> (memref<4xf32>, memref<f32>)
    return %0#0, %0#1 : memref<4xf32>, memref<f32>
  }
  func.func @again(%arg0: memref<4xf32>, %arg1: i1) -> memref<4xf32> {
    %0 = bufferization.to_tensor %arg0 : memref<4xf32> to tensor<4xf32>
    %1 = call @again(%arg0, %arg1) : (memref<4xf32>, i1) -> memref<4xf32>
    %2 = bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
    %3 = arith.select %arg1, %2, %0 : tensor<4xf32>
    %4 = bufferization.to_buffer %3 : tensor<4xf32> to memref<4xf32>
    %5 = call @again(%4, %arg1) : (memref<4xf32>, i1) -> memref<4xf32>
    return %5 : memref<4xf32>
  }
  func.func @without_tensors(%arg0: i1) {
    call @only_scalars(%arg0) : (i1) -> ()
    return
  }
  func.func private @only_scalars(i1)
}
// case: tensors-in_regions
module {
  func.func @in_regions(%arg0: i1, %arg1: index, %arg2: memref<4xf32>) -> memref<4xf32> {
    %0 = bufferization.to_tensor %arg2 : memref<4xf32> to tensor<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = scf.if %arg0 -> (tensor<4xf32>) {
      %4 = func.call @f(%arg2) : (memref<4xf32>) -> memref<4xf32>
      %5 = bufferization.to_tensor %4 : memref<4xf32> to tensor<4xf32>
      scf.yield %5 : tensor<4xf32>
    } else {
      scf.yield %0 : tensor<4xf32>
    }
    %2 = scf.for %arg3 = %c0 to %arg1 step %c1 iter_args(%arg4 = %1) -> (tensor<4xf32>) {
      %4 = bufferization.to_buffer %arg4 : tensor<4xf32> to memref<4xf32>
      %5 = func.call @f(%4) : (memref<4xf32>) -> memref<4xf32>
      %6 = bufferization.to_tensor %5 : memref<4xf32> to tensor<4xf32>
      %7 = arith.addf %6, %0 : tensor<4xf32>
      scf.yield %7 : tensor<4xf32>
    }
    %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
    return %3 : memref<4xf32>
  }
  func.func private @f(%arg0: memref<4xf32>) -> memref<4xf32> {
    %0 = bufferization.to_tensor %arg0 : memref<4xf32> to tensor<4xf32>
    %1 = arith.addf %0, %0 : tensor<4xf32>
    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
    return %2 : memref<4xf32>
  }
  func.func @two_returns(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> memref<4xf32> {
    %0 = bufferization.to_tensor %arg2 : memref<4xf32> to tensor<4xf32>
    %1 = bufferization.to_tensor %arg1 : memref<4xf32> to tensor<4xf32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %2 = arith.addf %1, %0 : tensor<4xf32>
    %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
    return %3 : memref<4xf32>
  ^bb2:  // pred: ^bb0
    %4 = call @f(%arg2) : (memref<4xf32>) -> memref<4xf32>
    return %4 : memref<4xf32>
  }
  func.func @ones_and_more(%arg0: i1, %arg1: memref<4xf32>) -> (i1, memref<4xf32>) {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %0 = call @f(%arg1) : (memref<4xf32>) -> memref<4xf32>
    return %arg0, %0 : i1, memref<4xf32>
  ^bb2:  // pred: ^bb0
    return %arg0, %arg1 : i1, memref<4xf32>
  }
}
// case: tensors-between_blocks
module {
  func.func @between_blocks(%arg0: i1, %arg1: memref<4xf32>, %arg2: memref<4xf32>) -> memref<4xf32> {
    cf.cond_br %arg0, ^bb1(%arg1 : memref<4xf32>), ^bb1(%arg2 : memref<4xf32>)
  ^bb1(%0: memref<4xf32>):  // 2 preds: ^bb0, ^bb0
    return %0 : memref<4xf32>
  }
  func.func @around_blocks(%arg0: i1, %arg1: memref<4xf32>) -> memref<4xf32> {
    cf.br ^bb1(%arg1 : memref<4xf32>)
  ^bb1(%0: memref<4xf32>):  // 2 preds: ^bb0, ^bb1
    %1 = bufferization.to_tensor %0 : memref<4xf32> to tensor<4xf32>
    %2 = arith.addf %1, %1 : tensor<4xf32>
    %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
    cf.cond_br %arg0, ^bb1(%3 : memref<4xf32>), ^bb2
  ^bb2:  // pred: ^bb1
    return %3 : memref<4xf32>
  }
  func.func @scalars_between_blocks(%arg0: i1, %arg1: memref<4xf32>, %arg2: index) -> (memref<4xf32>, index) {
    cf.cond_br %arg0, ^bb1(%arg2 : index), ^bb2
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
    return %arg1, %0 : memref<4xf32>, index
  ^bb2:  // pred: ^bb0
    %c0 = arith.constant 0 : index
    cf.br ^bb1(%c0 : index)
  }
}
// case: tensors-said_of_them
module {
  func.func @said_of_them(%arg0: memref<4xf32> {test.first = 1 : i32}, %arg1: i1 {test.second, test.third = "x"}) -> (i1, memref<4xf32> {test.result}) {
    return %arg1, %arg0 : i1, memref<4xf32>
  }
  func.func private @said_of_declared(memref<4xf32> {test.first}, i1) -> (memref<4xf32> {test.result = 2 : i64})
  func.func @more(%arg0: memref<?xf32>, %arg1: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>, memref<4xf32>) {
    %0 = bufferization.to_tensor %arg0 : memref<?xf32> to tensor<?xf32>
    %true = arith.constant true
    %cast = tensor.cast %0 : tensor<?xf32> to tensor<4xf32>
    %1 = bufferization.to_buffer %cast : tensor<4xf32> to memref<4xf32>
    %2 = call @said_of_declared(%1, %true) : (memref<4xf32>, i1) -> memref<4xf32>
    %3:2 = call @said_of_them(%2, %true) : (memref<4xf32>, i1) -> (i1, memref<4xf32>)
    return %arg0, %arg1, %3#1 : memref<?xf32>, memref<?xf32>, memref<4xf32>
  }
}
// case: tuples-pair
module {
  func.func @pair(%arg0: i1, %arg1: f32) -> (i1, f32) {
    %0 = "test.make_tuple"(%arg0, %arg1) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %1, %2 : i1, f32
  }
  func.func @nested(%arg0: i1, %arg1: f32, %arg2: i8) -> (i1, f32, i8) {
    %0 = "test.make_tuple"(%arg1, %arg2) : (f32, i8) -> tuple<f32, i8>
    %1 = "test.make_tuple"(%arg0, %0) : (i1, tuple<f32, i8>) -> tuple<i1, tuple<f32, i8>>
    %2 = "test.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<i1, tuple<f32, i8>>) -> i1
    %3 = "test.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<i1, tuple<f32, i8>>) -> tuple<f32, i8>
    %4 = "test.get_tuple_element"(%3) <{index = 0 : i32}> : (tuple<f32, i8>) -> f32
    %5 = "test.get_tuple_element"(%3) <{index = 1 : i32}> : (tuple<f32, i8>) -> i8
    return %2, %4, %5 : i1, f32, i8
  }
  func.func @deep(%arg0: i1, %arg1: index, %arg2: index) -> (index, i1, index) {
    %0 = "test.make_tuple"(%arg0) : (i1) -> tuple<i1>
    %1 = "test.make_tuple"(%0) : (tuple<i1>) -> tuple<tuple<i1>>
    %2 = "test.make_tuple"(%1, %arg1) : (tuple<tuple<i1>>, index) -> tuple<tuple<tuple<i1>>, index>
    %3 = "test.get_tuple_element"(%2) <{index = 0 : i32}> : (tuple<tuple<tuple<i1>>, index>) -> tuple<tuple<i1>>
    %4 = "test.get_tuple_element"(%3) <{index = 0 : i32}> : (tuple<tuple<i1>>) -> tuple<i1>
    %5 = "test.get_tuple_element"(%4) <{index = 0 : i32}> : (tuple<i1>) -> i1
    %6 = "test.get_tuple_element"(%2) <{index = 1 : i32}> : (tuple<tuple<tuple<i1>>, index>) -> index
    return %arg2, %5, %6 : index, i1, index
  }
  func.func @empty(%arg0: index) -> index {
    return %arg0 : index
  }
  func.func @empty_inside(%arg0: i1, %arg1: i8) -> (i1, i8) {
    %0 = "test.make_tuple"() : () -> tuple<>
    %1 = "test.make_tuple"(%arg0, %0, %arg1) : (i1, tuple<>, i8) -> tuple<i1, tuple<>, i8>
    %2 = "test.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<i1, tuple<>, i8>) -> i1
    %3 = "test.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<i1, tuple<>, i8>) -> tuple<>
    %4 = "test.get_tuple_element"(%1) <{index = 2 : i32}> : (tuple<i1, tuple<>, i8>) -> i8
    return %2, %4 : i1, i8
  }
  func.func @of_buffers(%arg0: memref<4xf32>, %arg1: index) -> (memref<4xf32>, index) {
    %0 = "test.make_tuple"(%arg0, %arg1) : (memref<4xf32>, index) -> tuple<memref<4xf32>, index>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<memref<4xf32>, index>) -> memref<4xf32>
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<memref<4xf32>, index>) -> index
    return %1, %2 : memref<4xf32>, index
  }
  func.func @mixed(%arg0: index, %arg1: i1, %arg2: f32, %arg3: memref<4xf32>, %arg4: i8) -> (i8, memref<4xf32>, i1, f32, index) {
    %0 = "test.make_tuple"(%arg1, %arg2) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %arg4, %arg3, %1, %2, %arg0 : i8, memref<4xf32>, i1, f32, index
  }
  func.func @unused(%arg0: i1, %arg1: f32, %arg2: index) -> index {
    return %arg2 : index
  }
  func.func @more_than_ten(%arg0: i1, %arg1: i2, %arg2: i3, %arg3: i4, %arg4: i5, %arg5: i6, %arg6: i7, %arg7: i8, %arg8: i9, %arg9: i10, %arg10: i11, %arg11: i12) -> (i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12) {
    %0 = "test.make_tuple"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11) : (i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12) -> tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i2
    %3 = "test.get_tuple_element"(%0) <{index = 2 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i3
    %4 = "test.get_tuple_element"(%0) <{index = 3 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i4
    %5 = "test.get_tuple_element"(%0) <{index = 4 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i5
    %6 = "test.get_tuple_element"(%0) <{index = 5 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i6
    %7 = "test.get_tuple_element"(%0) <{index = 6 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i7
    %8 = "test.get_tuple_element"(%0) <{index = 7 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i8
    %9 = "test.get_tuple_element"(%0) <{index = 8 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i9
    %10 = "test.get_tuple_element"(%0) <{index = 9 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i10
    %11 = "test.get_tuple_element"(%0) <{index = 10 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i11
    %12 = "test.get_tuple_element"(%0) <{index = 11 : i32}> : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> i12
    return %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12
  }
}
// case: tuples-calls
module {
  func.func @calls(%arg0: i1, %arg1: f32, %arg2: index) -> (i1, f32) {
    %0 = "test.make_tuple"(%arg0, %arg1) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    %3:2 = call @outside(%1, %2) : (i1, f32) -> (i1, f32)
    %4 = "test.make_tuple"(%3#0, %3#1) : (i1, f32) -> tuple<i1, f32>
    %5 = "test.get_tuple_element"(%4) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %6 = "test.get_tuple_element"(%4) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    %7:3 = call @two(%5, %6, %arg2) : (i1, f32, index) -> (index, i1, f32)
    %8 = "test.make_tuple"(%7#1, %7#2) : (i1, f32) -> tuple<i1, f32>
    %9 = "test.get_tuple_element"(%8) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %10 = "test.get_tuple_element"(%8) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    call @nothing(%9, %10) : (i1, f32) -> ()
    %11:2 = call @made() : () -> (i1, f32)
    %12 = "test.make_tuple"(%11#0, %11#1) : (i1, f32) -> tuple<i1, f32>
    %13 = "test.get_tuple_element"(%12) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %14 = "test.get_tuple_element"(%12) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %13, %14 : i1, f32
  }
  func.func private @outside(i1, f32) -> (i1, f32)
  func.func private @nothing(i1, f32)
  func.func private @made() -> (i1, f32)
  func.func @two(%arg0: i1, %arg1: f32, %arg2: index) -> (index, i1, f32) {
    %0 = "test.make_tuple"(%arg0, %arg1) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %arg2, %1, %2 : index, i1, f32
  }
  func.func @unused_result(%arg0: i1, %arg1: f32) {
    %0 = "test.make_tuple"(%arg0, %arg1) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    %3:2 = call @outside(%1, %2) : (i1, f32) -> (i1, f32)
    %4 = "test.make_tuple"(%3#0, %3#1) : (i1, f32) -> tuple<i1, f32>
    return
  }
  func.func @again(%arg0: i1, %arg1: f32, %arg2: index) -> (i1, f32, index) {
    %0 = "test.make_tuple"(%arg1) : (f32) -> tuple<f32>
    %1 = "test.make_tuple"(%arg0, %0) : (i1, tuple<f32>) -> tuple<i1, tuple<f32>>
    %2 = "test.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<i1, tuple<f32>>) -> i1
    %3 = "test.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<i1, tuple<f32>>) -> tuple<f32>
    %4 = "test.get_tuple_element"(%3) <{index = 0 : i32}> : (tuple<f32>) -> f32
    %5:3 = call @again(%2, %4, %arg2) : (i1, f32, index) -> (i1, f32, index)
    %6 = "test.make_tuple"(%5#1) : (f32) -> tuple<f32>
    %7 = "test.make_tuple"(%5#0, %6) : (i1, tuple<f32>) -> tuple<i1, tuple<f32>>
    %8 = "test.get_tuple_element"(%7) <{index = 0 : i32}> : (tuple<i1, tuple<f32>>) -> i1
    %9 = "test.get_tuple_element"(%7) <{index = 1 : i32}> : (tuple<i1, tuple<f32>>) -> tuple<f32>
    %10 = "test.get_tuple_element"(%9) <{index = 0 : i32}> : (tuple<f32>) -> f32
    return %8, %10, %5#2 : i1, f32, index
  }
}
// case: tuples-in_regions
module {
  func.func @in_regions(%arg0: i1, %arg1: i1, %arg2: f32) -> (i1, f32) {
    %0 = "test.make_tuple"(%arg1, %arg2) : (i1, f32) -> tuple<i1, f32>
    %1 = scf.if %arg0 -> (tuple<i1, f32>) {
      %4 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
      %5 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
      %6:2 = func.call @f(%4, %5) : (i1, f32) -> (i1, f32)
      %7 = "test.make_tuple"(%6#0, %6#1) : (i1, f32) -> tuple<i1, f32>
      scf.yield %7 : tuple<i1, f32>
    } else {
      scf.yield %0 : tuple<i1, f32>
    }
    %2 = "test.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %3 = "test.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %2, %3 : i1, f32
  }
  func.func private @f(%arg0: i1, %arg1: f32) -> (i1, f32) {
    %0 = "test.make_tuple"(%arg0, %arg1) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %1, %2 : i1, f32
  }
  func.func @two_returns(%arg0: i1, %arg1: i1, %arg2: f32, %arg3: i1, %arg4: f32) -> (i1, f32) {
    %0 = "test.make_tuple"(%arg3, %arg4) : (i1, f32) -> tuple<i1, f32>
    %1 = "test.make_tuple"(%arg1, %arg2) : (i1, f32) -> tuple<i1, f32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %2 = "test.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %3 = "test.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %2, %3 : i1, f32
  ^bb2:  // pred: ^bb0
    %4 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %5 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    %6:2 = call @f(%4, %5) : (i1, f32) -> (i1, f32)
    %7 = "test.make_tuple"(%6#0, %6#1) : (i1, f32) -> tuple<i1, f32>
    %8 = "test.get_tuple_element"(%7) <{index = 0 : i32}> : (tuple<i1, f32>) -> i1
    %9 = "test.get_tuple_element"(%7) <{index = 1 : i32}> : (tuple<i1, f32>) -> f32
    return %8, %9 : i1, f32
  }
  func.func @said_of_them(%arg0: i1 {test.first}, %arg1: f32 {test.second}, %arg2: index) -> (index {test.third}, i8 {test.fourth}, index) {
    %c3_i8 = arith.constant 3 : i8
    %0 = "test.make_tuple"(%c3_i8, %arg2) : (i8, index) -> tuple<i8, index>
    %1 = "test.get_tuple_element"(%0) <{index = 0 : i32}> : (tuple<i8, index>) -> i8
    %2 = "test.get_tuple_element"(%0) <{index = 1 : i32}> : (tuple<i8, index>) -> index
    return %arg2, %1, %2 : index, i8, index
  }
}
