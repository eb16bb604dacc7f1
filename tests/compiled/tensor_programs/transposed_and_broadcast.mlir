// A transposed matrix times a vector that is broadcast, in three dimensions, and a slice of every second element.
// prints: [3, 2] [[1, 4], [2, 5], [3, 6]]
// prints: [3, 2, 2] [[[1, 4], [1, 4]], [[2, 5], [2, 5]], [[3, 6], [3, 6]]]
// prints: [2, 1, 2] [[[1, 4]], [[3, 6]]]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @main() {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %matrix = tensor.empty() : tensor<3x2xf32>
  %cube = tensor.empty() : tensor<3x2x2xf32>
  %transposed = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%matrix : tensor<3x2xf32>) permutation = [1, 0]
  %broadcast = linalg.broadcast ins(%transposed : tensor<3x2xf32>) outs(%cube : tensor<3x2x2xf32>) dimensions = [1]
  %part = tensor.extract_slice %broadcast[0, 1, 0] [2, 1, 2] [2, 1, 1] : tensor<3x2x2xf32> to tensor<2x1x2xf32>
  %shown = tensor.cast %transposed : tensor<3x2xf32> to tensor<*xf32>
  %shown_cube = tensor.cast %broadcast : tensor<3x2x2xf32> to tensor<*xf32>
  %shown_part = tensor.cast %part : tensor<2x1x2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_cube) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_part) : (tensor<*xf32>) -> ()
  return
}
