func.func @memory(%m: memref<8xi32, strided<[1], offset: ?>>, %f: memref<128x72xf32, 1>, %s: memref<128x72xf32, 3>, %x: f32, %n: i32, %valid: i64, %stride: i14, %i: index, %half: memref<128x256xf16, 3>) {
  %0 = amdgpu.fat_raw_buffer_cast %m : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32, strided<[1], offset: ?>, #amdgpu.address_space<fat_raw_buffer>>
  %1 = amdgpu.fat_raw_buffer_cast %m validBytes(%valid) cacheSwizzleStride(%stride) boundsCheck(false) resetOffset : memref<8xi32, strided<[1], offset: ?>> to memref<8xi32, #amdgpu.address_space<fat_raw_buffer>>
  %2 = amdgpu.raw_buffer_load {boundsCheck = true, indexOffset = 1 : i32} %f[%n, %n] sgprOffset %n : memref<128x72xf32, 1>, i32, i32 -> f32
  %3 = amdgpu.raw_buffer_load %f[%n, %n] : memref<128x72xf32, 1>, i32, i32 -> vector<4xf32>
  amdgpu.raw_buffer_store {boundsCheck = false} %x -> %f[%n, %n] sgprOffset %n : f32 -> memref<128x72xf32, 1>, i32, i32
  amdgpu.raw_buffer_atomic_fadd %x -> %f[%n, %n] : f32 -> memref<128x72xf32, 1>, i32, i32
  amdgpu.raw_buffer_atomic_fmax {boundsCheck = true} %x -> %f[%n, %n] sgprOffset %n : f32 -> memref<128x72xf32, 1>, i32, i32
  amdgpu.raw_buffer_atomic_smax %n -> %m[%n] : i32 -> memref<8xi32, strided<[1], offset: ?>>, i32
  amdgpu.raw_buffer_atomic_umin %n -> %m[%n] : i32 -> memref<8xi32, strided<[1], offset: ?>>, i32
  %4 = amdgpu.raw_buffer_atomic_cmpswap {boundsCheck = true, indexOffset = 1 : i32} %n, %n -> %m[%n] sgprOffset %n : i32 -> memref<8xi32, strided<[1], offset: ?>>, i32
  amdgpu.gather_to_lds %f[%i, %i], %s[%i, %i] : f32, memref<128x72xf32, 1>, memref<128x72xf32, 3>
  %5 = amdgpu.transpose_load %half[%i, %i] : memref<128x256xf16, 3> -> vector<4xf16>
  return
}
// -----
func.func @transfers(%m: memref<8xi32>, %s: memref<8xi32, #gpu.address_space<workgroup>>, %i: index, %n: i32, %mask: vector<16xi1>, %timeout: i1, %barrier: memref<8xi64, #gpu.address_space<workgroup>>) {
  %0 = amdgpu.make_dma_base %m[%i], %s[%i] : memref<8xi32>, memref<8xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<i32>
  %1 = amdgpu.make_dma_descriptor %0 globalSize [%i, 64] globalStride [64, 1] sharedSize [64, %i] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  %2 = amdgpu.make_dma_descriptor %0 globalSize [64, 64] globalStride [64, 1] sharedSize [64, 64] padShared(%n every %n) workgroupMask %mask earlyTimeout %timeout atomicBarrier(%barrier[%i] : memref<8xi64, #gpu.address_space<workgroup>>) iterate %i, %n, %i : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  amdgpu.tensor_load_to_lds %1 : !amdgpu.tdm_descriptor
  amdgpu.tensor_store_from_lds %1 : !amdgpu.tdm_descriptor
  return
}
// -----
func.func @gathers(%m: memref<8xi32>, %s: memref<8xi32, #gpu.address_space<workgroup>>, %i: index, %rows: vector<16xi16>) {
  %0 = amdgpu.make_gather_dma_base %m[%i], %s[%i] : memref<8xi32>, memref<8xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_gather_base<i32, i16>
  %1 = amdgpu.make_gather_dma_descriptor %0[%rows] globalSize [64, 64] globalStride [64, 1] sharedSize [64, 64] : !amdgpu.tdm_gather_base<i32, i16>, vector<16xi16> -> !amdgpu.tdm_descriptor
  return
}
// -----
func.func @products(%a: vector<4xf16>, %c: vector<16xf32>, %b: vector<8xf16>, %idx: vector<4xi8>, %sc: vector<4xf32>, %w: vector<16xf16>, %wc: vector<8xf32>, %q: vector<32xf4E2M1FN>, %scale: f8E8M0FNU, %d: vector<4xf32>) {
  %0 = amdgpu.mfma 32x32x8 %a * %a + %c {abid = 0 : i32, cbsz = 0 : i32} blgp = none : vector<4xf16>, vector<4xf16>, vector<16xf32>
  %1 = amdgpu.sparse_mfma 16x16x32 %a * %b + %sc sparse(%idx : vector<4xi8>) : vector<4xf16>, vector<8xf16>, vector<4xf32>
  %2 = amdgpu.wmma 16x16x16 %w * %w + %wc : vector<16xf16>, vector<16xf16>, vector<8xf32>
  %3 = amdgpu.scaled_mfma 16x16x128 (%scale[0] * %q) * (%scale[0] * %q) + %d : f8E8M0FNU, vector<32xf4E2M1FN>, f8E8M0FNU, vector<32xf4E2M1FN>, vector<4xf32>
  return
}
// -----
func.func @scaled(%a: vector<64xf4E2M1FN>, %c: vector<8xf32>, %s: vector<4xf8E8M0FNU>) {
  %0 = amdgpu.scaled_wmma 16x16x128 (%s * %a) * (%s * %a) + %c {a_first_scale_lane = 0 : i32, b_first_scale_lane = 0 : i32} : vector<4xf8E8M0FNU>, vector<64xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<64xf4E2M1FN>, vector<8xf32>
  return
}
// -----
func.func @others(%n: i32, %x: f32, %v: vector<4xf8E4M3FNUZ>, %e: vector<4xf8E5M2FNUZ>, %q: vector<8xf4E2M1FN>, %two: vector<2xf32>, %m: vector<8xf4E2M1FN>, %scale: vector<4xf8E8M0FNU>, %oe: vector<4xf8E5M2>) {
  %0 = amdgpu.dpp %n %n row_shl(1 : i32) {bound_ctrl = false, row_mask = 10 : i32} : i32
  %1 = amdgpu.dpp %n %n quad_perm([1, 1, 1, 1]) : i32
  %2 = amdgpu.dpp %n %n wave_shl : i32
  %3 = amdgpu.swizzle_bitmode %x 1 2 4 : f32
  %4 = amdgpu.permlane_swap %x 16 : f32
  %5 = amdgpu.ext_packed_fp8 %v[0] : vector<4xf8E4M3FNUZ> to f32
  %6 = amdgpu.scaled_ext_packed %q[0], %x : vector<8xf4E2M1FN> to vector<2xf32>
  %7 = amdgpu.packed_trunc_2xfp8 %x, undef into undef[word 0] : f32 to vector<4xf8E5M2FNUZ>
  %8 = amdgpu.packed_trunc_2xfp8 %x, %x into %e[word 1] : f32 to vector<4xf8E5M2FNUZ> into vector<4xf8E5M2FNUZ>
  %9 = amdgpu.packed_scaled_trunc %two into undef[0], %x : vector<2xf32> to vector<4xf8E5M2>
  %10 = amdgpu.packed_scaled_trunc %two into %oe[1], %x : vector<2xf32> to vector<4xf8E5M2> into vector<4xf8E5M2>
  %11 = amdgpu.packed_stoch_round_fp8 %x + %n into undef[0] : f32 to vector<4xf8E5M2FNUZ>
  %12 = amdgpu.packed_stoch_round_fp8 %x + %n into %e[2] : f32 to vector<4xf8E5M2FNUZ> into vector<4xf8E5M2FNUZ>
  %13 = amdgpu.scaled_ext_packed_matrix %m scale(%scale) blockSize(32) firstScaleLane(0) firstScaleByte(0) : vector<8xf4E2M1FN>, vector<4xf8E8M0FNU> -> vector<8xf16>
  amdgpu.lds_barrier
  amdgpu.sched_barrier allow = <none>
  amdgpu.sched_barrier allow = <valu|all_vmem>
  amdgpu.memory_counter_wait load(1) store(2) ds(3) exp(4) tensor(5)
  amdgpu.memory_counter_wait ds(3)
  return
}
