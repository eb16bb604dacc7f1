// What a function returns depends on a condition: its argument, a new tensor, or a slice of another.
// prints: [2] [1, 2]
// prints: [2] [5, 5]
// prints: [2] [20, 30]
// prints: [2] [6, 7]

func.func private @printMemrefF32(tensor<*xf32>)

func.func private @chosen(%which: index, %x: tensor<2xf32>) -> tensor<2xf32> {
  %five = arith.constant 5.0 : f32
  %all = arith.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %result = scf.index_switch %which -> tensor<2xf32>
  case 0 {
    scf.yield %x : tensor<2xf32>
  }
  case 1 {
    %empty = tensor.empty() : tensor<2xf32>
    %fives = linalg.fill ins(%five : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
    scf.yield %fives : tensor<2xf32>
  }
  default {
    %c1 = arith.constant 1 : index
    %more = arith.cmpi ugt, %which, %c1 : index
    %part = scf.if %more -> (tensor<2xf32>) {
      %middle = tensor.extract_slice %all[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
      scf.yield %middle : tensor<2xf32>
    } else {
      scf.yield %x : tensor<2xf32>
    }
    scf.yield %part : tensor<2xf32>
  }
  return %result : tensor<2xf32>
}

func.func @show(%x: tensor<2xf32>) {
  %shown = tensor.cast %x : tensor<2xf32> to tensor<*xf32>
  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = call @chosen(%c0, %x) : (index, tensor<2xf32>) -> tensor<2xf32>
  %b = call @chosen(%c1, %x) : (index, tensor<2xf32>) -> tensor<2xf32>
  %c = call @chosen(%c2, %x) : (index, tensor<2xf32>) -> tensor<2xf32>
  %sum = linalg.add ins(%a, %b : tensor<2xf32>, tensor<2xf32>) outs(%x : tensor<2xf32>) -> tensor<2xf32>
  call @show(%a) : (tensor<2xf32>) -> ()
  call @show(%b) : (tensor<2xf32>) -> ()
  call @show(%c) : (tensor<2xf32>) -> ()
  call @show(%sum) : (tensor<2xf32>) -> ()
  return
}
