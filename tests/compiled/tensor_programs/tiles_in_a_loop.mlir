// Tiles of a matrix are doubled and put where they mirror, one after the other, in two loops that carry the result.
// prints: [4, 4] [[20, 22, 16, 18], [28, 30, 24, 26], [4, 6, 0, 2], [12, 14, 8, 10]]

#at = affine_map<(i, j) -> (i, j)>

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @mirrored(%in: tensor<4x4xf32>, %size: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %two = arith.constant 2.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %last = arith.subi %c4, %size : index
  %result = scf.for %i = %c0 to %c4 step %size iter_args(%rows = %empty) -> (tensor<4x4xf32>) {
    %inner = scf.for %j = %c0 to %c4 step %size iter_args(%all = %rows) -> (tensor<4x4xf32>) {
      %tile = tensor.extract_slice %in[%i, %j] [%size, %size] [1, 1] : tensor<4x4xf32> to tensor<?x?xf32>
      %new = tensor.empty(%size, %size) : tensor<?x?xf32>
      %doubled = linalg.generic {indexing_maps = [#at, #at], iterator_types = ["parallel", "parallel"]}
          ins(%tile : tensor<?x?xf32>) outs(%new : tensor<?x?xf32>) {
      ^bb0(%x: f32, %out: f32):
        %y = arith.mulf %x, %two : f32
        linalg.yield %y : f32
      } -> tensor<?x?xf32>
      %to_i = arith.subi %last, %i : index
      %to_j = arith.subi %last, %j : index
      %next = tensor.insert_slice %doubled into %all[%to_i, %to_j] [%size, %size] [1, 1]
          : tensor<?x?xf32> into tensor<4x4xf32>
      scf.yield %next : tensor<4x4xf32>
    }
    scf.yield %inner : tensor<4x4xf32>
  }
  return %result : tensor<4x4xf32>
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %in = arith.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]>
      : tensor<4x4xf32>
  %out = call @mirrored(%in, %c2) : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
  %shown = tensor.cast %out : tensor<4x4xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  return
}
