// A convolution of an image with a cross of ones, and the largest of every two by two of its results. The image is also
// shown afterwards: it has not changed.
// prints: [4, 4] [[35, 40, 45, 50], [65, 70, 75, 80], [95, 100, 105, 110], [125, 130, 135, 140]]
// prints: [2, 2] [[70, 80], [130, 140]]
// prints: [2] [1, 2]


func.func private @printMemrefF32(tensor<*xf32>)

func.func @image() -> tensor<6x6xf32> {
  %image = tensor.generate {
  ^bb0(%i: index, %j: index):
    %six = arith.constant 6 : index
    %row = arith.muli %i, %six : index
    %at = arith.addi %row, %j : index
    %integer = arith.index_cast %at : index to i32
    %value = arith.sitofp %integer : i32 to f32
    tensor.yield %value : f32
  } : tensor<6x6xf32>
  return %image : tensor<6x6xf32>
}

func.func @pool(%in: tensor<4x4xf32>) -> tensor<2x2xf32> {
  %least = arith.constant -1.0e9 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<1x2x2x1xf32>
  %start = linalg.fill ins(%least : f32) outs(%empty : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %image = tensor.expand_shape %in [[0, 1], [2, 3]] output_shape [1, 4, 4, 1] : tensor<4x4xf32> into tensor<1x4x4x1xf32>
  %pooled = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%image, %window : tensor<1x4x4x1xf32>, tensor<2x2xf32>)
      outs(%start : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
  %flat = tensor.collapse_shape %pooled [[0, 1], [2, 3]] : tensor<1x2x2x1xf32> into tensor<2x2xf32>
  return %flat : tensor<2x2xf32>
}

func.func @main() {
  %zero = arith.constant 0.0 : f32
  %cross = arith.constant dense<[[0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]]> : tensor<3x3xf32>
  %image = call @image() : () -> tensor<6x6xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %sums = linalg.conv_2d ins(%image, %cross : tensor<6x6xf32>, tensor<3x3xf32>)
      outs(%zeros : tensor<4x4xf32>) -> tensor<4x4xf32>
  %pooled = call @pool(%sums) : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %corner = tensor.extract_slice %image[0, 1] [1, 2] [1, 1] : tensor<6x6xf32> to tensor<2xf32>
  %shown = tensor.cast %sums : tensor<4x4xf32> to tensor<*xf32>
  %shown_pooled = tensor.cast %pooled : tensor<2x2xf32> to tensor<*xf32>
  %shown_corner = tensor.cast %corner : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_pooled) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_corner) : (tensor<*xf32>) -> ()
  return
}
