// Fibonacci's rule on tensors: a loop carries the last two, and each step makes a new one of both.
// prints: [2] [55, 89]
// prints: [2] [89, 144]
// prints: [2] [0, 1]

func.func private @printMemrefF32(tensor<*xf32>)

func.func @steps(%n: index, %a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    %empty = tensor.empty() : tensor<2xf32>
    %sum = linalg.add ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %y, %sum : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

func.func @show(%x: tensor<2xf32>) {
  %shown = tensor.cast %x : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %a = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %r:2 = call @steps(%c10, %a, %b) : (index, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %none:2 = call @steps(%c0, %a, %b) : (index, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  call @show(%r#0) : (tensor<2xf32>) -> ()
  call @show(%r#1) : (tensor<2xf32>) -> ()
  call @show(%none#0) : (tensor<2xf32>) -> ()
  return
}
