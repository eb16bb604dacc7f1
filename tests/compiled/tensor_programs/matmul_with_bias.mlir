// A dense layer: a product of matrices, a bias that is broadcast, and the larger of the result and zero.
// prints: [2, 3] [[0, 4.5, 4], [0, 10.5, 12]]

#matrix = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

func.func private @printMemrefF32(tensor<*xf32>)

func.func @layer(%x: tensor<2x2xf32>, %w: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3xf32>) -> tensor<2x3xf32>
  %product = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x3xf32>)
      outs(%zeros : tensor<2x3xf32>) -> tensor<2x3xf32>
  %activated = linalg.generic {indexing_maps = [#matrix, #columns, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%product, %b : tensor<2x3xf32>, tensor<3xf32>) outs(%empty : tensor<2x3xf32>) {
  ^bb0(%p: f32, %bias: f32, %out: f32):
    %sum = arith.addf %p, %bias : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<2x3xf32>
  return %activated : tensor<2x3xf32>
}

func.func @main() {
  %x = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %w = arith.constant dense<[[1.0, 2.0, 0.0], [-1.0, 1.0, 4.0]]> : tensor<2x3xf32>
  %b = arith.constant dense<[0.5, 0.5, -4.0]> : tensor<3xf32>
  %y = call @layer(%x, %w, %b) : (tensor<2x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %shown = tensor.cast %y : tensor<2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  return
}
