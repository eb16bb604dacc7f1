// Padding by sizes that are not known, around a tensor and around a slice of it; both are used again.
// prints: [4, 5] [[9, 9, 9, 9, 9], [9, 1, 2, 3, 9], [9, 4, 5, 6, 9], [9, 9, 9, 9, 9]]
// prints: [3, 2] [[2, 3], [0, 0], [0, 0]]
// prints: [2, 3] [[1, 2, 3], [4, 5, 6]]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @framed(%in: tensor<?x?xf32>, %width: index, %value: f32) -> tensor<?x?xf32> {
  %padded = tensor.pad %in low[%width, %width] high[%width, %width] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %padded : tensor<?x?xf32>
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %nine = arith.constant 9.0 : f32
  %in = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %dynamic = tensor.cast %in : tensor<2x3xf32> to tensor<?x?xf32>
  %framed = call @framed(%dynamic, %c1, %nine) : (tensor<?x?xf32>, index, f32) -> tensor<?x?xf32>
  %part = tensor.extract_slice %dynamic[0, 1] [1, %c2] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
  %longer = tensor.pad %part low[0, 0] high[%c2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1x?xf32> to tensor<?x?xf32>
  %shown = tensor.cast %framed : tensor<?x?xf32> to tensor<*xf32>
  %shown_longer = tensor.cast %longer : tensor<?x?xf32> to tensor<*xf32>
  %shown_in = tensor.cast %dynamic : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_longer) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_in) : (tensor<*xf32>) -> ()
  return
}
