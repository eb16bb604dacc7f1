// Tensors that meet buffers: what to_buffer gives is not owned.
// not executable: tensors are not bufferized here

func.func @buffer_of_a_tensor(%t: tensor<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %x = memref.load %b[%c0] : memref<4xf32>
  return %x : f32
}

func.func @buffer_of_a_tensor_returned(%t: tensor<4xf32>) -> memref<4xf32> {
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}

func.func @tensor_of_a_buffer(%m: memref<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

func.func @buffer_forwarded(%t: tensor<4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  cf.cond_br %c, ^new, ^join(%b : memref<4xf32>)
^new:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  cf.br ^join(%a : memref<4xf32>)
^join(%p: memref<4xf32>):
  %x = memref.load %p[%c0] : memref<4xf32>
  return %x : f32
}
