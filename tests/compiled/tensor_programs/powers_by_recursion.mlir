// A power of a matrix by squaring: a function that calls itself and returns a new tensor, or its argument.
// prints: [2, 2] [[89, 55], [55, 34]]
// prints: [2, 2] [[1, 1], [1, 0]]

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @product(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}

func.func @power(%a: tensor<2x2xf32>, %n: index) -> tensor<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %done = arith.cmpi ule, %n, %c1 : index
  %result = scf.if %done -> (tensor<2x2xf32>) {
    scf.yield %a : tensor<2x2xf32>
  } else {
    %half = arith.divui %n, %c2 : index
    %root = func.call @power(%a, %half) : (tensor<2x2xf32>, index) -> tensor<2x2xf32>
    %square = func.call @product(%root, %root) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %rest = arith.remui %n, %c2 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %whole = scf.if %even -> (tensor<2x2xf32>) {
      scf.yield %square : tensor<2x2xf32>
    } else {
      %more = func.call @product(%square, %a) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      scf.yield %more : tensor<2x2xf32>
    }
    scf.yield %whole : tensor<2x2xf32>
  }
  return %result : tensor<2x2xf32>
}

func.func @show(%x: tensor<2x2xf32>) {
  %shown = tensor.cast %x : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = arith.constant dense<[[1.0, 1.0], [1.0, 0.0]]> : tensor<2x2xf32>
  %tenth = call @power(%a, %c10) : (tensor<2x2xf32>, index) -> tensor<2x2xf32>
  %first = call @power(%a, %c1) : (tensor<2x2xf32>, index) -> tensor<2x2xf32>
  call @show(%tenth) : (tensor<2x2xf32>) -> ()
  call @show(%first) : (tensor<2x2xf32>) -> ()
  return
}
