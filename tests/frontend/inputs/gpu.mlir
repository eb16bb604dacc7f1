module attributes {gpu.container_module} {
  gpu.binary @binary [#gpu.object<#nvvm.target, "text">]
  gpu.binary @handled <#gpu.select_object<0>> {test.note} [#gpu.object<#nvvm.target, "text">]
  gpu.module @empty {
  }
  gpu.module @targets <#gpu.select_object<0>> [#nvvm.target] attributes {test.note} {
    gpu.func @none() {
      gpu.return
    }
  }
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<?xf32>, %x: f32 {llvm.noundef}) workgroup(%w: memref<4xf32, 3> {llvm.align = 16 : i64}, %w1: memref<2xf32, 3>)
        private(%p: memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      "test.use"(%m, %x, %w, %w1, %p) : (memref<?xf32>, f32, memref<4xf32, 3>, memref<2xf32, 3>, memref<1xf32, 5>) -> ()
      gpu.return
    }
    gpu.func @values(%x: f32) -> (f32, memref<2xf32, 3>) workgroup(%w: memref<2xf32, 3>) {
      cf.br ^end(%x : f32)
    ^end(%y: f32):
      gpu.return {test.note} %y, %w : f32, memref<2xf32, 3>
    }
    gpu.func @empty_lists() workgroup() private() kernel {
      gpu.return
    }
  }
  func.func @launch(%n: index, %k: i64, %s: i32, %m: memref<?xf32>, %x: f32, %o: !llvm.ptr) {
    %0 = gpu.wait async
    %1 = gpu.wait async [%0] {test.note}
    gpu.wait [%0, %1]
    gpu.wait
    gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%m : memref<?xf32>, %x : f32)
    gpu.launch_func @kernels::@empty_lists blocks in (%k, %k, %k) threads in (%k, %k, %k) : i64 dynamic_shared_memory_size %s
    gpu.launch_func [%0] @kernels::@empty_lists clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) {test.note}
    %2 = gpu.launch_func async [%0, %1] <%o : !llvm.ptr> @kernels::@kernel clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
        dynamic_shared_memory_size %s args(%m : memref<?xf32>, %x : f32)
    gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n) threads(%g, %h, %i) in (%p = %n, %q = %n, %r = %n) {
      "test.use"(%a, %d, %g, %p) : (index, index, index, index) -> ()
      gpu.terminator
    }
    %3 = gpu.launch async [%2] clusters(%u, %v, %w) in (%u0 = %n, %v0 = %n, %w0 = %n)
        blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n) threads(%g, %h, %i) in (%p = %n, %q = %n, %r = %n)
        dynamic_shared_memory_size %s module(@outlined) function(@outlined)
        workgroup(%y : memref<4xf32, 3>, %y1 : memref<2xf32, 3>) private(%z : memref<1xf32, 5>) {
      "test.use"(%u, %v0, %b, %e, %h, %q) : (index, index, index, index, index, index) -> ()
      "test.use"(%y, %y1, %z) : (memref<4xf32, 3>, memref<2xf32, 3>, memref<1xf32, 5>) -> ()
      gpu.terminator {test.note}
    } {test.note}
    return
  }
}
// -----
#map = affine_map<(d0)[s0] -> (d0 + s0)>
func.func @memory(%n: index, %u: memref<*xf32>, %x: f32, %s: i32) -> memref<?xf32> {
  %0 = gpu.wait async
  %1 = gpu.alloc (%n) : memref<?xf32>
  %2 = gpu.alloc host_shared () {test.note} : memref<4xf32>
  %3 = gpu.alloc [%0] (%n)[%n] : memref<?xf32, #map>
  %4, %5 = gpu.alloc async () : memref<4xf32, 1>
  %6, %7 = gpu.alloc async [%0, %5] host_shared (%n) : memref<?xf32>
  gpu.memcpy %1, %6 : memref<?xf32>, memref<?xf32>
  %8 = gpu.memcpy async [%7] %1, %6 : memref<?xf32>, memref<?xf32> {test.note}
  gpu.memset [%8] %1, %x : memref<?xf32>, f32
  %9 = gpu.memset async %1, %x : memref<?xf32>, f32
  gpu.dealloc %2 : memref<4xf32>
  %10 = gpu.dealloc async [%9] %6 {test.note} : memref<?xf32>
  gpu.host_register %u : memref<*xf32>
  gpu.host_unregister %u {test.note} : memref<*xf32>
  %11 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  gpu.set_default_device %s
  gpu.printf "plain\n"
  gpu.printf "%d %f\n" {test.note}, %s, %x : i32, f32
  gpu.barrier
  return %1 : memref<?xf32>
}
// -----
func.func @threads(%x: f32, %s: i32, %v: vector<4xf32>) {
  %0 = gpu.thread_id x
  %1 = gpu.block_id y upper_bound 64
  %2 = gpu.block_dim z {test.note}
  %3 = gpu.grid_dim x
  %4 = gpu.global_id x
  %5 = gpu.cluster_id x
  %6 = gpu.cluster_dim x
  %7 = gpu.cluster_block_id x
  %8 = gpu.cluster_dim_blocks x
  %9 = gpu.lane_id
  %10 = gpu.lane_id upper_bound 32
  %11 = gpu.subgroup_id : index
  %12 = gpu.num_subgroups upper_bound 8 : index
  %13 = gpu.subgroup_size {test.note} : index
  %14 = gpu.all_reduce add %x {} : (f32) -> f32
  %15 = gpu.all_reduce %x uniform {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    gpu.yield %c : f32
  } {test.note} : (f32) -> f32
  %16 = gpu.subgroup_reduce add %x : (f32) -> f32
  %17 = gpu.subgroup_reduce mul %v uniform cluster(size = 4, stride = 2) : (vector<4xf32>) -> vector<4xf32>
  %18 = gpu.subgroup_reduce add %x cluster(size = 4) : (f32) -> f32
  %19, %20 = gpu.shuffle xor %x, %s, %s : f32
  %21, %22 = gpu.rotate %x, 1, 32 : f32
  %23 = gpu.subgroup_broadcast %x, first_active_lane : f32
  %24 = gpu.subgroup_broadcast %x, specific_lane %s {test.note} : f32
  return
}
// -----
func.func @warp(%lane: index, %m: memref<4xf32>, %x: f32) -> memref<4xf32> {
  gpu.warp_execute_on_lane_0(%lane)[32] {
    memref.store %x, %m[%lane] : memref<4xf32>
  }
  %0:2 = gpu.warp_execute_on_lane_0(%lane)[32] args(%m, %x : memref<4xf32>, f32) -> (memref<4xf32>, f32) {
  ^bb0(%a: memref<4xf32>, %b: f32):
    gpu.yield %a, %b : memref<4xf32>, f32
  } {test.note}
  return %0#0 : memref<4xf32>
}
// -----
func.func @matrices(%m: memref<32x32xf16, 3>, %n: index, %x: f16) {
  %0 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %1 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %2 = gpu.subgroup_mma_constant_matrix %x : !gpu.mma_matrix<16x16xf16, "COp">
  %3 = gpu.subgroup_mma_compute %0, %1, %2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  %4 = gpu.subgroup_mma_elementwise addf %2, %3 : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  %5 = gpu.subgroup_mma_extract_thread_local %4[%n] : !gpu.mma_matrix<16x16xf16, "COp"> -> f16
  %6 = gpu.subgroup_mma_insert_thread_local %5, %4[%n] : f16, !gpu.mma_matrix<16x16xf16, "COp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %6, %m[%n, %n] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, 3>
  return
}
// -----
func.func @sparse(%n: index, %i: memref<?xindex>, %v: memref<?xf64>, %b: memref<?xi8>) {
  %0 = gpu.wait async
  %1 = gpu.create_dn_tensor %v, %n : index into memref<?xf64>
  %2, %3 = gpu.create_dn_tensor async [%0] %v, %n, %n {test.note} : index, index into memref<?xf64>
  %4 = gpu.create_coo %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %5, %6 = gpu.create_csr async [%0] %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %7, %8 = gpu.create_csc async %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %9, %10 = gpu.create_coo_aos async [%0] %n, %n, %n, %i, %v : memref<?xindex>, memref<?xf64>
  %11, %12 = gpu.create_bsr async [%0] %n, %n, %n, %n, %n, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %13, %14 = gpu.create_2to4_spmat async [%0] {PRUNE_AND_CHECK} %n, %n, %v : memref<?xf64>
  %15 = gpu.set_csr_pointers async [%0] %5, %i, %i, %v : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %16:3 = gpu.spmat_get_size %5
  %17, %18, %19, %20 = gpu.spmat_get_size async [%0] %5
  %21, %22 = gpu.spmv_buffer_size async [%0] %5 {TRANSPOSE}, %1, %1 into f64
  %23 = gpu.spmv async [%0] %5, %1, %1, %b : memref<?xi8> into f64
  %24:3, %25 = gpu.spmm_buffer_size async [%0] %5, %1 {NON_TRANSPOSE}, %2 : index, index, index into f64
  %26 = gpu.spmm_buffer_size %5 {TRANSPOSE}, %1, %2 : index into f64
  %27 = gpu.spmm async [%0] %5, %1, %2, %b, %b : memref<?xi8>, memref<?xi8> into f64
  %28, %29 = gpu.sddmm_buffer_size async [%0] %1 {TRANSPOSE}, %2, %5 into f64
  %30 = gpu.sddmm async [%0] %1, %2, %5, %b : memref<?xi8> into f64
  %31, %32 = gpu.spgemm_create_descr async [%0]
  %33, %34 = gpu.spgemm_work_estimation_or_compute async [%0] {WORK_ESTIMATION} %5, %5 {TRANSPOSE}, %4, %31, %n, %b : f64 into memref<?xi8>
  %35 = gpu.spgemm_copy async [%0] %5, %7, %4, %31 : f64
  gpu.spgemm_destroy_descr %31
  %36 = gpu.destroy_sp_mat async [%0] %5
  gpu.destroy_dn_tensor [%0] %1 {test.note}
  return
}
