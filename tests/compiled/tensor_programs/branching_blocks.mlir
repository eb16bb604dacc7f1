// Blocks that branch, and hand tensors on: whether a tensor is halved, or kept, or replaced.
// prints: [2] [2, 4]
// prints: [2] [3, 3]

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @settled(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %four = arith.constant 4.0 : f32
  %half = arith.constant 0.5 : f32
  %three = arith.constant 3.0 : f32
  %first = tensor.extract %x[%c0] : tensor<2xf32>
  %large = arith.cmpf oge, %first, %four : f32
  cf.cond_br %large, ^less(%x : tensor<2xf32>), ^small
^less(%now: tensor<2xf32>):
  %empty = tensor.empty() : tensor<2xf32>
  %halves = linalg.fill ins(%half : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %next = linalg.mul ins(%now, %halves : tensor<2xf32>, tensor<2xf32>) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  cf.br ^end(%next : tensor<2xf32>)
^small:
  %new = tensor.empty() : tensor<2xf32>
  %threes = linalg.fill ins(%three : f32) outs(%new : tensor<2xf32>) -> tensor<2xf32>
  cf.br ^end(%threes : tensor<2xf32>)
^end(%result: tensor<2xf32>):
  return %result : tensor<2xf32>
}

func.func @main() {
  %x = arith.constant dense<[4.0, 8.0]> : tensor<2xf32>
  %a = call @settled(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %b = call @settled(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %shown_a = tensor.cast %a : tensor<2xf32> to tensor<*xf32>
  %shown_b = tensor.cast %b : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown_a) : (tensor<*xf32>) -> ()
  call @printMemrefF32(%shown_b) : (tensor<*xf32>) -> ()
  return
}
