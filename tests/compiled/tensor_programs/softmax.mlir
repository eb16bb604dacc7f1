// The softmax of every row, step by step. Rows of equal elements give equal parts; a gap of 200 leaves one part alone.
// prints: [3, 4] [[0.25, 0.25, 0.25, 0.25], [0, 1, 0, 0], [0.5, 0, 0, 0.5]]
// prints: [3] [1, 1, 1]

#matrix = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @sum_of_rows(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<?xf32>
  return %sums : tensor<?xf32>
}

func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %least = arith.constant -1.0e9 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %row = tensor.empty(%n) : tensor<?xf32>
  %start = linalg.fill ins(%least : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %largest = linalg.generic {indexing_maps = [#matrix, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%start : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %max = arith.maximumf %in, %out : f32
    linalg.yield %max : f32
  } -> tensor<?xf32>
  %empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %powers = linalg.generic {indexing_maps = [#matrix, #rows, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %largest : tensor<?x?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %below = arith.subf %in, %max : f32
    %power = math.exp %below : f32
    linalg.yield %power : f32
  } -> tensor<?x?xf32>
  %sums = call @sum_of_rows(%powers) : (tensor<?x?xf32>) -> tensor<?xf32>
  %parts = linalg.generic {indexing_maps = [#matrix, #rows, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<?x?xf32>, tensor<?xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%power: f32, %sum: f32, %out: f32):
    %part = arith.divf %power, %sum : f32
    linalg.yield %part : f32
  } -> tensor<?x?xf32>
  return %parts : tensor<?x?xf32>
}

func.func @main() {
  %x = arith.constant dense<[[7.0, 7.0, 7.0, 7.0], [0.0, 200.0, 0.0, 0.0], [500.0, 1.0, 2.0, 500.0]]> : tensor<3x4xf32>
  %dynamic = tensor.cast %x : tensor<3x4xf32> to tensor<?x?xf32>
  %parts = call @softmax(%dynamic) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %sums = call @sum_of_rows(%parts) : (tensor<?x?xf32>) -> tensor<?xf32>
  %shown = tensor.cast %parts : tensor<?x?xf32> to tensor<*xf32>
  %shown_sums = tensor.cast %sums : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_sums) : (tensor<*xf32>) -> ()
  return
}
