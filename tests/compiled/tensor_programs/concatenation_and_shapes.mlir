// Two matrices side by side and one below the other, by slices; the results flattened and folded anew.
// prints: [2, 4] [[1, 2, 5, 6], [3, 4, 7, 8]]
// prints: [8] [1, 2, 3, 4, 5, 6, 7, 8]
// prints: [2, 2, 2] [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @beside(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %empty = tensor.empty() : tensor<2x4xf32>
  %left = tensor.insert_slice %a into %empty[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x4xf32>
  %both = tensor.insert_slice %b into %left[0, 2] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x4xf32>
  return %both : tensor<2x4xf32>
}

func.func @below(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<4x2xf32>
  %upper = tensor.insert_slice %a into %empty[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x2xf32>
  %both = tensor.insert_slice %b into %upper[2, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x2xf32>
  %flat = tensor.collapse_shape %both [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  return %flat : tensor<8xf32>
}

func.func @main() {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %wide = call @beside(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %flat = call @below(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<8xf32>
  %folded = tensor.expand_shape %wide [[0], [1, 2]] output_shape [2, 2, 2] : tensor<2x4xf32> into tensor<2x2x2xf32>
  %shown = tensor.cast %wide : tensor<2x4xf32> to tensor<*xf32>
  %shown_flat = tensor.cast %flat : tensor<8xf32> to tensor<*xf32>
  %shown_folded = tensor.cast %folded : tensor<2x2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_flat) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_folded) : (tensor<*xf32>) -> ()
  return
}
