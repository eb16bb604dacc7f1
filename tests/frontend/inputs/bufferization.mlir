func.func @bufferization(%m: memref<?xf32>, %u: memref<*xf32>, %c: i1, %n: index, %t: tensor<?xf32>) -> (memref<?xf32>, i1, i1) {
  bufferization.dealloc
  bufferization.dealloc (%m : memref<?xf32>) if (%c)
  bufferization.dealloc (%m, %u : memref<?xf32>, memref<*xf32>) if (%c, %c) {test.note}
  %0 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  %1 = bufferization.clone %m {test.note} : memref<?xf32> to memref<*xf32>
  %2 = bufferization.dealloc (%m : memref<?xf32>) if (%c) retain (%0 : memref<?xf32>)
  %3:2 = bufferization.dealloc (%m, %1 : memref<?xf32>, memref<*xf32>) if (%c, %2) retain (%0, %u : memref<?xf32>, memref<*xf32>) {test.note}
  %4 = bufferization.dealloc retain (%0 : memref<?xf32>)
  %5 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %6 = bufferization.alloc_tensor() copy(%5) : tensor<?xf32>
  %7 = bufferization.alloc_tensor() copy(%6) size_hint=%n {memory_space = 2 : i64} : tensor<?xf32>
  %8 = bufferization.alloc_tensor(%n, %n) size_hint = %n : tensor<?x4x?xf32>
  bufferization.dealloc_tensor %6 : tensor<?xf32>
  bufferization.dealloc_tensor %5 {test.note} : tensor<?xf32>
  %9 = bufferization.materialize_in_destination %t in %7 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %t in restrict writable %m {test.note} : (tensor<?xf32>, memref<?xf32>) -> ()
  bufferization.materialize_in_destination %t in writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  %10 = bufferization.to_buffer %9 : tensor<?xf32> to memref<?xf32>
  %11 = bufferization.to_buffer %9 read_only {test.note} : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %12 = bufferization.to_tensor %10 : memref<?xf32> to tensor<?xf32>
  %13 = bufferization.to_tensor %11 restrict writable {test.note} : memref<?xf32, strided<[?], offset: ?>> to tensor<?xf32>
  %14 = bufferization.to_tensor %u writable : memref<*xf32> to tensor<*xf32>
  return %10, %3#1, %4 : memref<?xf32>, i1, i1
}
