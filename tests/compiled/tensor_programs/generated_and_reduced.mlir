// A table of products of an open size is generated and reduced along one dimension, then along the other.
// prints: [3, 4] [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 4, 6]]
// prints: [4] [0, 3, 6, 9]
// prints: [] [18]

#matrix = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
#all = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>

func.func private @printMemrefF32(tensor<*xf32>)

func.func @table(%n: index, %m: index) -> tensor<?x?xf32> {
  %table = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %product = arith.muli %i, %j : index
    %integer = arith.index_cast %product : index to i64
    %value = arith.sitofp %integer : i64 to f32
    tensor.yield %value : f32
  } : tensor<?x?xf32>
  return %table : tensor<?x?xf32>
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %table = call @table(%c3, %c4) : (index, index) -> tensor<?x?xf32>
  %m = tensor.dim %table, %c1 : tensor<?x?xf32>
  %row = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.generic {indexing_maps = [#matrix, #columns], iterator_types = ["reduction", "parallel"]}
      ins(%table : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  %scalar = tensor.from_elements %zero : tensor<f32>
  %total = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]}
      ins(%sums : tensor<?xf32>) outs(%scalar : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<f32>
  %shown = tensor.cast %table : tensor<?x?xf32> to tensor<*xf32>
  %shown_sums = tensor.cast %sums : tensor<?xf32> to tensor<*xf32>
  %shown_total = tensor.cast %total : tensor<f32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_sums) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_total) : (tensor<*xf32>) -> ()
  return
}
