func.func @creation(%n: index, %x: f32, %e: index) -> tensor<?x?xf32> {
  %0 = tensor.empty() : tensor<2x3xf32>
  %1 = tensor.empty(%n, %n) {test.note} : tensor<?x4x?xf32, "encoding">
  %2 = tensor.from_elements %x, %x : tensor<2xf32>
  %3 = tensor.from_elements %x : tensor<f32>
  %4 = tensor.splat %x : tensor<8xf32>
  %5 = tensor.splat %x[%n, %e] {test.note} : tensor<?x2x?xf32>
  %6 = tensor.generate %n, %e {
  ^bb0(%i: index, %j: index):
    %y = tensor.extract %0[%i, %j] : tensor<2x3xf32>
    tensor.yield %y : f32
  } : tensor<?x?xf32>
  %7 = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %x {test.note} : f32
  } {test.note} : tensor<4xf32>
  %8 = tensor.insert %x into %6[%n, %e] {test.note} : tensor<?x?xf32>
  %9 = tensor.insert %x into %3[] : tensor<f32>
  %10 = tensor.extract %9[] {test.note} : tensor<f32>
  return %8 : tensor<?x?xf32>
}
// -----
func.func @shapes(%t: tensor<2x3xf32>, %u: tensor<?x?xi32>, %n: index, %s: tensor<1xindex>, %w: tensor<*xf32>) -> index {
  %0 = tensor.cast %t : tensor<2x3xf32> to tensor<?x3xf32>
  %1 = tensor.cast %w {test.note} : tensor<*xf32> to tensor<?xf32>
  %2 = tensor.bitcast %u : tensor<?x?xi32> to tensor<?x?xui32>
  %3 = tensor.dim %u, %n : tensor<?x?xi32>
  %4 = tensor.dim {test.note} %u, %n : tensor<?x?xi32>
  %5 = tensor.rank %w : tensor<*xf32>
  %6 = tensor.collapse_shape %t [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %7 = tensor.collapse_shape %t [[0, 1]] {test.note} : tensor<2x3xf32> into tensor<6xf32>
  %8 = tensor.expand_shape %1 [[0, 1]] output_shape [2, %n] : tensor<?xf32> into tensor<2x?xf32>
  %9 = tensor.expand_shape %6 [[0, 1, 2]] output_shape [1, 2, 3] {test.note} : tensor<6xf32> into tensor<1x2x3xf32>
  %10 = tensor.reshape %w(%s) : (tensor<*xf32>, tensor<1xindex>) -> tensor<?xf32>
  %11 = tensor.concat dim(0) %t, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %12 = tensor.concat dim(1) %t {test.note} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %5 : index
}
// -----
func.func @slices(%t: tensor<8x9xf32>, %d: tensor<?x?xf32>, %n: index) -> tensor<8x9xf32> {
  %0 = tensor.extract_slice %t[0, %n] [4, 3] [1, %n] : tensor<8x9xf32> to tensor<4x3xf32>
  %1 = tensor.extract_slice %d[%n, 0][1, %n][1, 1] {test.note} : tensor<?x?xf32> to tensor<?xf32>
  %2 = tensor.insert_slice %0 into %t[%n, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<8x9xf32>
  %3 = tensor.insert_slice %1 into %2[%n, 0] [1, %n] [1, 1] {test.note} : tensor<?xf32> into tensor<8x9xf32>
  %4 = scf.forall (%i) in (2) shared_outs(%out = %3) -> (tensor<8x9xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %0 into %out[%i, %n] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<8x9xf32>
    }
  }
  return %4 : tensor<8x9xf32>
}
// -----
func.func @indices_and_padding(%t: tensor<4x5x6xf32>, %i: tensor<1x7x2xindex>, %d: tensor<?x?xf32>, %n: index, %x: f32) {
  %0 = tensor.gather %t[%i] gather_dims([0, 2]) : (tensor<4x5x6xf32>, tensor<1x7x2xindex>) -> tensor<1x7x1x5x1xf32>
  %1 = tensor.gather %t[%i] gather_dims([1, 2]) unique {test.note} : (tensor<4x5x6xf32>, tensor<1x7x2xindex>) -> tensor<1x7x4xf32>
  %2 = tensor.scatter %1 into %t[%i] scatter_dims([1, 2]) unique : (tensor<1x7x4xf32>, tensor<4x5x6xf32>, tensor<1x7x2xindex>) -> tensor<4x5x6xf32>
  %3 = tensor.pad %d low[1, %n] high[%n, 3] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %4 = tensor.pad %d nofold low[0, 0] high[%n, %n] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } {test.note} : tensor<?x?xf32> to tensor<?x?xf32>
  return
}
