// Values are inserted into the same tensor in several places: each result is a tensor of its own.
// prints: [3] [7, 0, 0]
// prints: [3] [0, 8, 0]
// prints: [3] [7, 8, 0]
// prints: [3] [0, 0, 0]
// prints: [3] [7, 0, 0]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @both(%x: tensor<3xf32>, %c: i1) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7.0 : f32
  %eight = arith.constant 8.0 : f32
  %a = tensor.insert %seven into %x[%c0] : tensor<3xf32>
  %b = tensor.insert %eight into %x[%c1] : tensor<3xf32>
  %ab = tensor.insert %eight into %a[%c1] : tensor<3xf32>
  %chosen = arith.select %c, %a, %b : tensor<3xf32>
  return %a, %b, %ab, %chosen : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

func.func @show(%x: tensor<3xf32>) {
  %shown = tensor.cast %x : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %x = arith.constant dense<0.0> : tensor<3xf32>
  %r:4 = call @both(%x, %true) : (tensor<3xf32>, i1) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  call @show(%r#0) : (tensor<3xf32>) -> ()
  call @show(%r#1) : (tensor<3xf32>) -> ()
  call @show(%r#2) : (tensor<3xf32>) -> ()
  call @show(%x) : (tensor<3xf32>) -> ()
  call @show(%r#3) : (tensor<3xf32>) -> ()
  return
}
