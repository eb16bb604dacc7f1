func.func @copies(%m: memref<128x128xf16>, %s: memref<16x16xf16, 3>, %i: index) {
  %0 = nvgpu.device_async_copy %m[%i, %i], %s[%i, %i], 8 : memref<128x128xf16> to memref<16x16xf16, 3>
  %1 = nvgpu.device_async_copy %m[%i, %i], %s[%i, %i], 8, %i {bypassL1} : memref<128x128xf16> to memref<16x16xf16, 3>
  %2 = nvgpu.device_async_create_group %0, %1
  %3 = nvgpu.device_async_create_group
  nvgpu.device_async_wait %2 {numGroups = 1 : i32}
  %4 = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xf16>
  return
}
// -----
!barrier = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
!barrier1 = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!token = !nvgpu.mbarrier.token
!map = !nvgpu.tensormap.descriptor<tensor = memref<32x32xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @barriers(%m: memref<*xf32>, %s: memref<32x32xf32, 3>, %i: index, %p: i1, %mask: i16, %map: !map) {
  %b = nvgpu.mbarrier.create -> !barrier
  %c = nvgpu.mbarrier.create -> !barrier1
  %address = nvgpu.mbarrier.get %b[%i] : !barrier -> i32
  nvgpu.mbarrier.init %b[%i], %i : !barrier
  nvgpu.mbarrier.init %b[%i], %i, predicate = %p : !barrier
  %t = nvgpu.mbarrier.arrive %b[%i] : !barrier -> !token
  %u = nvgpu.mbarrier.arrive.nocomplete %b[%i], %i : !barrier -> !token
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %i : !barrier
  nvgpu.mbarrier.arrive.expect_tx %b[%i], %i, predicate = %p : !barrier
  %w = nvgpu.mbarrier.test.wait %b[%i], %t : !barrier, !token
  nvgpu.mbarrier.try_wait.parity %b[%i], %p, %i : !barrier
  %d = nvgpu.tma.create.descriptor %m box[%i, %i] : memref<*xf32> -> !map
  nvgpu.tma.fence.descriptor %map : !map
  nvgpu.tma.prefetch.descriptor %map : !map
  nvgpu.tma.prefetch.descriptor %map, predicate = %p : !map
  nvgpu.tma.async.load %map[%i, %i], %c[%i] to %s : !map, !barrier1 -> memref<32x32xf32, 3>
  nvgpu.tma.async.load %map[%i, %i], %c[%i] to %s multicast_mask = %mask, predicate = %p : !map, !barrier1 -> memref<32x32xf32, 3>
  nvgpu.tma.async.store %s to %map[%i, %i] : memref<32x32xf32, 3> -> !map
  nvgpu.tma.async.store %s to %map[%i, %i], predicate = %p : memref<32x32xf32, 3> -> !map
  return
}
// -----
func.func @products(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %b4: vector<4x2xf16>, %c: vector<2x2xf16>, %meta: vector<2xi16>, %f: vector<16xf32>) {
  %0 = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %1 = nvgpu.mma.sp.sync(%a, %b4, %c) metadata(%meta) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %2 = nvgpu.rcp %f {rounding = approx, ftz} : vector<16xf32>
  return
}
// -----
!map = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!map2 = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
func.func @warpgroups(%s: memref<128x64xf16, 3>, %s2: memref<64x64xf16, 3>, %map: !map, %map2: !map2, %out: memref<128x64xf32, 3>) {
  %a = nvgpu.warpgroup.generate.descriptor %s, %map : memref<128x64xf16, 3>, !map -> !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
  %b = nvgpu.warpgroup.generate.descriptor %s2, %map2 : memref<64x64xf16, 3>, !map2 -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  %c = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
  %d = nvgpu.warpgroup.mma %a, %b, %c {transposeB} : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
  nvgpu.warpgroup.mma.store %d, %out : !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>> to memref<128x64xf32, 3>
  return
}
