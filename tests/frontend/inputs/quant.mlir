func.func @casts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 2.0>>
  %1 = quant.scast %0 : tensor<4x!quant.uniform<i8:f32, 2.0>> to tensor<4xi8>
  %2 = quant.dcast %0 : tensor<4x!quant.uniform<i8:f32, 2.0>> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
