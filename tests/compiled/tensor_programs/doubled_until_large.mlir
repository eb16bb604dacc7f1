// A loop doubles a tensor until the sum of its elements is large enough, into a new tensor each time.
// prints: [3] [16, 32, 48]
// prints: [3] [1, 2, 3]

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @sum(%x: tensor<3xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %start = tensor.from_elements %zero : tensor<f32>
  %sum = linalg.reduce ins(%x : tensor<3xf32>) outs(%start : tensor<f32>) dimensions = [0]
      (%in: f32, %out: f32) {
    %next = arith.addf %in, %out : f32
    linalg.yield %next : f32
  }
  %result = tensor.extract %sum[] : tensor<f32>
  return %result : f32
}

func.func @doubled(%x: tensor<3xf32>, %limit: f32) -> tensor<3xf32> {
  %result = scf.while (%now = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    %sum = func.call @sum(%now) : (tensor<3xf32>) -> f32
    %more = arith.cmpf olt, %sum, %limit : f32
    scf.condition(%more) %now : tensor<3xf32>
  } do {
  ^bb0(%now: tensor<3xf32>):
    %empty = tensor.empty() : tensor<3xf32>
    %twice = linalg.add ins(%now, %now : tensor<3xf32>, tensor<3xf32>) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %twice : tensor<3xf32>
  }
  return %result : tensor<3xf32>
}

func.func @main() {
  %limit = arith.constant 60.0 : f32
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %large = call @doubled(%x, %limit) : (tensor<3xf32>, f32) -> tensor<3xf32>
  %shown = tensor.cast %large : tensor<3xf32> to tensor<*xf32>
  %shown_x = tensor.cast %x : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_x) : (tensor<*xf32>) -> ()
  return
}
