#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#trait = {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"], doc = "a { in text", library_call = "f"}
func.func @generic(%a: memref<?x?xf32>, %v: memref<?xf32>, %t: tensor<?x?xf32>, %u: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  linalg.generic #trait ins(%a : memref<?x?xf32>) outs(%v : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 {test.note} : index
    linalg.yield %x : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v : memref<?xf32>)
      attrs = {test.note = {a = 1 : i32}} {
  ^bb0(%y: f32):
    linalg.yield %y {test.note} : f32
  }
  linalg.generic {
    indexing_maps = [#id],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : memref<?x?xf32>) {
  ^bb0(%x: f32):
    linalg.yield
  }
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x?xf32>) outs(%u : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  %s:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<?x?xf32>) outs(%r, %u : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    linalg.yield %x, %y : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %s#0, %s#1 : tensor<?xf32>, tensor<?xf32>
}
// -----
func.func @destination_style(%a: memref<4x8xf32>, %b: memref<4x8xf32>, %v: memref<4xf32>, %t: tensor<4x8xf32>, %u: tensor<4xf32>, %w: tensor<8x4xf32>, %n: memref<8x4xf32>) -> tensor<4xf32> {
  linalg.map { arith.addf } ins(%a, %b : memref<4x8xf32>, memref<4x8xf32>) outs(%b : memref<4x8xf32>)
  linalg.map { arith.mulf {fastmath = #arith.fastmath<fast>} } ins(%a, %b : memref<4x8xf32>, memref<4x8xf32>) outs(%b : memref<4x8xf32>) {test.note}
  linalg.map ins(%a, %a : memref<4x8xf32>, memref<4x8xf32>) outs(%b : memref<4x8xf32>) (%x: f32, %y: f32, %z: f32) {
    %0 = arith.subf %x, %y : f32
    %1 = arith.addf %0, %z : f32
    linalg.yield %1 : f32
  }
  %m = linalg.map ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) {test.note}
    (%x: f32, %z: f32) {
      linalg.yield %x : f32
    }
  %k = linalg.map { math.exp } ins(%m : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
  linalg.map outs(%b : memref<4x8xf32>) (%z: f32) {
    %c = arith.constant 1.0 : f32
    linalg.yield %c : f32
  }
  linalg.reduce { arith.addf } ins(%a : memref<4x8xf32>) outs(%v : memref<4xf32>) dimensions = [1]
  linalg.reduce ins(%a : memref<4x8xf32>) outs(%v : memref<4xf32>) dimensions = [1] {test.note}
    (%x: f32, %y: f32) {
      linalg.yield %x : f32
    }
  %r = linalg.reduce { arith.maximumf } ins(%k : tensor<4x8xf32>) outs(%u : tensor<4xf32>) dimensions=[1] {test.note}
  %s:2 = linalg.reduce ins(%t, %k : tensor<4x8xf32>, tensor<4x8xf32>) outs(%u, %r : tensor<4xf32>, tensor<4xf32>) dimensions = [1] (%x: f32, %y: f32, %p: f32, %q: f32) {
    linalg.yield %x, %y : f32, f32
  }
  linalg.transpose ins(%a : memref<4x8xf32>) outs(%n : memref<8x4xf32>) permutation = [1, 0]
  %o = linalg.transpose ins(%t : tensor<4x8xf32>) outs(%w : tensor<8x4xf32>) permutation = [1, 0] {test.note}
  linalg.broadcast ins(%v : memref<4xf32>) outs(%a : memref<4x8xf32>) dimensions = [1]
  %p = linalg.broadcast ins(%s#1 : tensor<4xf32>) outs(%t : tensor<4x8xf32>) dimensions = [1] {test.note}
  return %s#0 : tensor<4xf32>
}
// -----
#left = affine_map<(m, n, k) -> (k, m)>
#right = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func @maps_and_casts(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>, %t: tensor<4x4xf32>, %x: f32) -> tensor<4x4xf32> {
  linalg.matmul indexing_maps = [#left, #right, #out] ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.matmul indexing_maps = [#left, #right, #out] {cast = #linalg.type_fn<cast_unsigned>, test.note}
      ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  linalg.contract indexing_maps = [#left, #right, #out] ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  %0 = linalg.contract indexing_maps = [#left, #right, #out] {cast = #linalg.type_fn<cast_unsigned>}
      ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  %1 = linalg.elementwise kind = #linalg.elementwise_kind<exp>
      indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] {test.note}
      ins(%0 : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.fill ins(%x : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = linalg.matmul ins(%1, %2 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> (tensor<4x4xf32>)
  %4 = linalg.softmax dimension(1) ins(%3 : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  linalg.softmax {test.note} dimension(0) ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return %4 : tensor<4x4xf32>
}
// -----
func.func @relayout(%s: tensor<?x?xf32>, %d: tensor<?x?x8x?xf32>, %x: f32, %n: index) -> tensor<?x?xf32> {
  %0 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [8, %n] into %d : tensor<?x?xf32> -> tensor<?x?x8x?xf32>
  %1 = linalg.pack %s padding_value(%x : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1]
      inner_tiles = [8, %n] into %0 {test.note} : tensor<?x?xf32> -> tensor<?x?x8x?xf32>
  %2 = linalg.unpack %1 inner_dims_pos = [0, 1] inner_tiles = [8, %n] into %s : tensor<?x?x8x?xf32> -> tensor<?x?xf32>
  %3 = linalg.unpack %0 outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [8, %n]
      into %2 {test.note} : tensor<?x?x8x?xf32> -> tensor<?x?xf32>
  return %3 : tensor<?x?xf32>
}
// -----
func.func @winograd(%f: tensor<2x3x3x5xf32>, %fo: tensor<6x6x5x2xf32>, %i: tensor<2x10x10x5xf32>, %io: tensor<6x6x2x2x2x5xf32>, %v: tensor<6x6x2x2x2x2xf32>, %o: tensor<2x8x8x2xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%f : tensor<2x3x3x5xf32>) outs(%fo : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %1 = linalg.winograd_input_transform {test.note} fmr(F_4_3) ins(%i : tensor<2x10x10x5xf32>) outs(%io : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %2 = linalg.winograd_output_transform fmr(F_4_3) ins(%v : tensor<6x6x2x2x2x2xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}
// -----
!b2 = memref<?x?xf32>
!i2 = memref<?x?xi32>
func.func @elementwise(%a: !b2, %b: !b2, %c: !b2, %p: memref<?x?xi1>, %i: !i2, %x: f32, %lo: f64, %seed: i32) {
  linalg.abs ins(%a : !b2) outs(%c : !b2)
  linalg.ceil ins(%a : !b2) outs(%c : !b2)
  linalg.erf ins(%a : !b2) outs(%c : !b2)
  linalg.exp ins(%a : !b2) outs(%c : !b2)
  linalg.floor ins(%a : !b2) outs(%c : !b2)
  linalg.log ins(%a : !b2) outs(%c : !b2)
  linalg.negf ins(%a : !b2) outs(%c : !b2)
  linalg.reciprocal ins(%a : !b2) outs(%c : !b2)
  linalg.round ins(%a : !b2) outs(%c : !b2)
  linalg.rsqrt ins(%a : !b2) outs(%c : !b2)
  linalg.sqrt ins(%a : !b2) outs(%c : !b2)
  linalg.square ins(%a : !b2) outs(%c : !b2)
  linalg.tanh ins(%a : !b2) outs(%c : !b2)
  linalg.copy ins(%a : !b2) outs(%c : !b2)
  linalg.add ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.div ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.max ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.min ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.mul ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.powf ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.sub ins(%a, %b : !b2, !b2) outs(%c : !b2)
  linalg.div_unsigned ins(%i, %i : !i2, !i2) outs(%i : !i2)
  linalg.select ins(%p, %a, %b : memref<?x?xi1>, !b2, !b2) outs(%c : !b2)
  linalg.fill ins(%x : f32) outs(%c : !b2)
  linalg.fill_rng_2d ins(%lo, %lo, %seed : f64, f64, i32) outs(%c : !b2)
  linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : !b2) outs(%c : !b2)
  return
}
// -----
!b0 = memref<f32>
!b1 = memref<?xf32>
!b2 = memref<?x?xf32>
!b3 = memref<?x?x?xf32>
!b4 = memref<?x?x?x?xf32>
!b5 = memref<?x?x?x?x?xf32>
!i2 = memref<?x?xi32>
!q2 = memref<?x?xi8>
!q3 = memref<?x?x?xi8>
!i3 = memref<?x?x?xi32>
func.func @contractions(%b0: !b0, %b1: !b1, %b2: !b2, %b3: !b3, %b4: !b4, %b5: !b5, %q2: !q2, %q3: !q3, %i2: !i2, %i3: !i3, %z: i32) {
  linalg.dot ins(%b1, %b1 : !b1, !b1) outs(%b0 : !b0)
  linalg.matvec ins(%b2, %b1 : !b2, !b1) outs(%b1 : !b1)
  linalg.vecmat ins(%b1, %b2 : !b1, !b2) outs(%b1 : !b1)
  linalg.matmul ins(%b2, %b2 : !b2, !b2) outs(%b2 : !b2)
  linalg.batch_matvec ins(%b3, %b2 : !b3, !b2) outs(%b2 : !b2)
  linalg.batch_vecmat ins(%b2, %b3 : !b2, !b3) outs(%b2 : !b2)
  linalg.batch_matmul ins(%b3, %b3 : !b3, !b3) outs(%b3 : !b3)
  linalg.batch_reduce_matmul ins(%b3, %b3 : !b3, !b3) outs(%b2 : !b2)
  linalg.mmt4d ins(%b4, %b4 : !b4, !b4) outs(%b4 : !b4)
  linalg.batch_mmt4d ins(%b5, %b5 : !b5, !b5) outs(%b5 : !b5)
  linalg.quantized_matmul ins(%q2, %q2, %z, %z : !q2, !q2, i32, i32) outs(%i2 : !i2)
  linalg.quantized_batch_matmul ins(%q3, %q3, %z, %z : !q3, !q3, i32, i32) outs(%i3 : !i3)
  return
}
// -----
!b1 = memref<?xf32>
!b2 = memref<?x?xf32>
!b3 = memref<?x?x?xf32>
!b4 = memref<?x?x?x?xf32>
!b5 = memref<?x?x?x?x?xf32>
!b6 = memref<?x?x?x?x?x?xf32>
!q3 = memref<?x?x?xi8>
!q4 = memref<?x?x?x?xi8>
!q5 = memref<?x?x?x?x?xi8>
!i4 = memref<?x?x?x?xi32>
!i5 = memref<?x?x?x?x?xi32>
func.func @convolutions(%b1: !b1, %b2: !b2, %b3: !b3, %b4: !b4, %b5: !b5, %b6: !b6, %q3: !q3, %q4: !q4, %q5: !q5, %i4: !i4, %i5: !i5, %z: i32) {
  linalg.conv_1d ins(%b1, %b1 : !b1, !b1) outs(%b1 : !b1)
  linalg.conv_1d_ncw_fcw ins(%b3, %b3 : !b3, !b3) outs(%b3 : !b3)
  linalg.conv_1d_nwc_wcf ins(%b3, %b3 : !b3, !b3) outs(%b3 : !b3)
  linalg.conv_2d ins(%b2, %b2 : !b2, !b2) outs(%b2 : !b2)
  linalg.conv_2d_nchw_fchw ins(%b4, %b4 : !b4, !b4) outs(%b4 : !b4)
  linalg.conv_2d_nchw_fchw_q ins(%q4, %q4, %z, %z : !q4, !q4, i32, i32) outs(%i4 : !i4)
  linalg.conv_2d_nhwc_fhwc ins(%b4, %b4 : !b4, !b4) outs(%b4 : !b4)
  linalg.conv_2d_nhwc_fhwc_q ins(%q4, %q4, %z, %z : !q4, !q4, i32, i32) outs(%i4 : !i4)
  linalg.conv_2d_nhwc_hwcf ins(%b4, %b4 : !b4, !b4) outs(%b4 : !b4)
  linalg.conv_2d_nhwc_hwcf_q ins(%q4, %q4, %z, %z : !q4, !q4, i32, i32) outs(%i4 : !i4)
  linalg.conv_2d_ngchw_fgchw ins(%b5, %b5 : !b5, !b5) outs(%b5 : !b5)
  linalg.conv_2d_ngchw_gfchw ins(%b5, %b5 : !b5, !b5) outs(%b5 : !b5)
  linalg.conv_2d_ngchw_gfchw_q ins(%q5, %q5, %z, %z : !q5, !q5, i32, i32) outs(%i5 : !i5)
  linalg.conv_2d_nhwgc_gfhwc ins(%b5, %b5 : !b5, !b5) outs(%b5 : !b5)
  linalg.conv_2d_nhwgc_gfhwc_q ins(%q5, %q5, %z, %z : !q5, !q5, i32, i32) outs(%i5 : !i5)
  linalg.conv_3d ins(%b3, %b3 : !b3, !b3) outs(%b3 : !b3)
  linalg.conv_3d_ncdhw_fcdhw ins(%b5, %b5 : !b5, !b5) outs(%b5 : !b5)
  linalg.conv_3d_ndhwc_dhwcf ins(%b5, %b5 : !b5, !b5) outs(%b5 : !b5)
  linalg.conv_3d_ndhwc_dhwcf_q ins(%q5, %q5, %z, %z : !q5, !q5, i32, i32) outs(%i5 : !i5)
  linalg.depthwise_conv_1d_ncw_cw ins(%b3, %b2 : !b3, !b2) outs(%b3 : !b3)
  linalg.depthwise_conv_1d_nwc_wc ins(%b3, %b2 : !b3, !b2) outs(%b3 : !b3)
  linalg.depthwise_conv_1d_nwc_wcm ins(%b3, %b3 : !b3, !b3) outs(%b4 : !b4)
  linalg.depthwise_conv_2d_nchw_chw ins(%b4, %b3 : !b4, !b3) outs(%b4 : !b4)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%b4, %b3 : !b4, !b3) outs(%b4 : !b4)
  linalg.depthwise_conv_2d_nhwc_hwc_q ins(%q4, %q3, %z, %z : !q4, !q3, i32, i32) outs(%i4 : !i4)
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%b4, %b4 : !b4, !b4) outs(%b5 : !b5)
  linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%q4, %q4, %z, %z : !q4, !q4, i32, i32) outs(%i5 : !i5)
  linalg.depthwise_conv_3d_ncdhw_cdhw ins(%b5, %b4 : !b5, !b4) outs(%b5 : !b5)
  linalg.depthwise_conv_3d_ndhwc_dhwc ins(%b5, %b4 : !b5, !b4) outs(%b5 : !b5)
  linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%b5, %b5 : !b5, !b5) outs(%b6 : !b6)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%b4, %b4 : !b4, !b4) outs(%b4 : !b4)
  return
}
// -----
!b1 = memref<?xf32>
!b2 = memref<?x?xf32>
!b3 = memref<?x?x?xf32>
!b4 = memref<?x?x?x?xf32>
!b5 = memref<?x?x?x?x?xf32>
!i2 = memref<?x?xi32>
!i3 = memref<?x?x?xi32>
!i4 = memref<?x?x?x?xi32>
func.func @pooling(%b1: !b1, %b2: !b2, %b3: !b3, %b4: !b4, %b5: !b5, %w1: memref<?xi32>, %w2: !i2, %i3: !i3, %i4: !i4) {
  linalg.pooling_nchw_max ins(%b4, %b2 : !b4, !b2) outs(%b4 : !b4)
  linalg.pooling_nchw_sum ins(%b4, %b2 : !b4, !b2) outs(%b4 : !b4)
  linalg.pooling_nhwc_max ins(%b4, %b2 : !b4, !b2) outs(%b4 : !b4)
  linalg.pooling_nhwc_min ins(%b4, %b2 : !b4, !b2) outs(%b4 : !b4)
  linalg.pooling_nhwc_sum ins(%b4, %b2 : !b4, !b2) outs(%b4 : !b4)
  linalg.pooling_ncw_max ins(%b3, %b1 : !b3, !b1) outs(%b3 : !b3)
  linalg.pooling_ncw_sum ins(%b3, %b1 : !b3, !b1) outs(%b3 : !b3)
  linalg.pooling_nwc_max ins(%b3, %b1 : !b3, !b1) outs(%b3 : !b3)
  linalg.pooling_nwc_min ins(%b3, %b1 : !b3, !b1) outs(%b3 : !b3)
  linalg.pooling_nwc_sum ins(%b3, %b1 : !b3, !b1) outs(%b3 : !b3)
  linalg.pooling_ndhwc_max ins(%b5, %b3 : !b5, !b3) outs(%b5 : !b5)
  linalg.pooling_ndhwc_min ins(%b5, %b3 : !b5, !b3) outs(%b5 : !b5)
  linalg.pooling_ndhwc_sum ins(%b5, %b3 : !b5, !b3) outs(%b5 : !b5)
  linalg.pooling_nhwc_max_unsigned ins(%i4, %w2 : !i4, !i2) outs(%i4 : !i4)
  linalg.pooling_nwc_max_unsigned ins(%i3, %w1 : !i3, memref<?xi32>) outs(%i3 : !i3)
  linalg.pooling_nhwc_min_unsigned ins(%i4, %w2 : !i4, !i2) outs(%i4 : !i4)
  linalg.pooling_nwc_min_unsigned ins(%i3, %w1 : !i3, memref<?xi32>) outs(%i3 : !i3)
  return
}
