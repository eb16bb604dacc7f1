// The iterations of a parallel loop each insert a slice of the shared result.
// prints: [6] [1, 1, 2, 2, 3, 3]
// prints: [6] [0, 0, 0, 0, 0, 0]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @filled(%out: tensor<6xf32>) -> tensor<6xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %result = scf.forall (%i) in (3) shared_outs(%all = %out) -> (tensor<6xf32>) {
    %number = arith.addi %i, %one : index
    %integer = arith.index_cast %number : index to i32
    %value = arith.sitofp %integer : i32 to f32
    %at = arith.muli %i, %two : index
    %new = tensor.empty() : tensor<2xf32>
    %pair = linalg.fill ins(%value : f32) outs(%new : tensor<2xf32>) -> tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %pair into %all[%at] [2] [1] : tensor<2xf32> into tensor<6xf32>
    }
  }
  return %result : tensor<6xf32>
}

func.func @main() {
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %result = call @filled(%zeros) : (tensor<6xf32>) -> tensor<6xf32>
  %shown = tensor.cast %result : tensor<6xf32> to tensor<*xf32>
  %shown_zeros = tensor.cast %zeros : tensor<6xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_zeros) : (tensor<*xf32>) -> ()
  return
}
