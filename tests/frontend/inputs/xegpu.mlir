// Descriptors and blocks.
gpu.module @blocks {
  gpu.func @f(%m: memref<24x32xf32>, %d: memref<?x?xf16>, %p: ui64, %i: index, %h: index, %w: index, %s: index, %v: vector<8x16xf32>) {
    %0 = xegpu.create_nd_tdesc %m : memref<24x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    %1 = xegpu.create_nd_tdesc %m[0, %i] : memref<24x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    %2 = xegpu.create_nd_tdesc %d[%i, 0], shape: [%h, %w], strides: [%s, 1] : memref<?x?xf16> -> !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>>
    %3 = xegpu.create_nd_tdesc %p, shape: [%h, 32], strides: [%s, 1] : ui64 -> !xegpu.tensor_desc<8x16xf32>
    xegpu.prefetch_nd %1 <{l1_hint = #xegpu.cache_hint<cached>, l2_hint = #xegpu.cache_hint<uncached>}> : !xegpu.tensor_desc<8x16xf32>
    xegpu.prefetch_nd %0[%i, 0] : !xegpu.tensor_desc<8x16xf32>
    %4 = xegpu.load_nd %1 <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %5 = xegpu.load_nd %0[0, %i] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %1 : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %v, %0[%i, %i] <{l1_hint = #xegpu.cache_hint<write_back>}> : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    %6 = xegpu.update_nd_offset %1, [%i, 32] : !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
// -----
// Scattered accesses.
gpu.module @scattered {
  gpu.func @f(%m: memref<?xf32>, %p: ui64, %i: vector<4xindex>, %k: vector<4xi1>, %v: vector<4x2xf32>, %w: vector<4xf32>) {
    %0 = xegpu.create_tdesc %p, %i : ui64, vector<4xindex> -> !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
    xegpu.prefetch %0 <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>
    xegpu.prefetch %p[%i] <{offset_align_byte = 2 : i64}> : ui64, vector<4xindex>
    %1 = xegpu.load %0, %k <{l1_hint = #xegpu.cache_hint<cached>}> : !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<4xi1> -> vector<4x2xf32>
    %2 = xegpu.load %m[%i], %k : memref<?xf32>, vector<4xindex>, vector<4xi1> -> vector<4xf32>
    xegpu.store %v, %0, %k : vector<4x2xf32>, !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<4xi1>
    xegpu.store %w, %m[%i], %k <{l1_hint = #xegpu.cache_hint<write_back>}> : vector<4xf32>, memref<?xf32>, vector<4xindex>, vector<4xi1>
    %3 = xegpu.update_offset %0, %i : !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<4xindex>
    %4 = xegpu.atomic_rmw addf %0, %k, %v : !xegpu.tensor_desc<4x2xf32, #xegpu.scatter_tdesc_attr<chunk_size = 2>>, vector<4xi1>, vector<4x2xf32> -> vector<4x2xf32>
    gpu.return
  }
}
// -----
// Shared memory, products and barriers.
gpu.module @others {
  gpu.func @f(%m: memref<2048xi8, 3>, %i: index, %b: i8, %l: vector<8x16xf16>, %r: vector<16x16xf16>, %c: vector<8x16xf32>) {
    %0 = xegpu.create_mem_desc %m : memref<2048xi8, 3> -> !xegpu.mem_desc<16x64xf16>
    %1 = xegpu.load_matrix %0[8, %i] : !xegpu.mem_desc<16x64xf16>, index -> vector<8x16xf16>
    xegpu.store_matrix %1, %0[8, 16] : vector<8x16xf16>, !xegpu.mem_desc<16x64xf16>
    %2 = xegpu.dpas %l, %r : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
    %3 = xegpu.dpas %l, %r, %c {a = 1 : i32} : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
    %4 = xegpu.convert_layout %3 <{input_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>, target_layout = #xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>}> : vector<8x16xf32>
    xegpu.alloc_nbarrier 8
    %5 = xegpu.init_nbarrier %b, %b : i8, i8 -> !xegpu.nbarrier
    xegpu.nbarrier_arrive %5 : !xegpu.nbarrier
    xegpu.nbarrier_wait %5 : !xegpu.nbarrier
    xegpu.fence memory_kind = global, fence_scope = workgroup
    gpu.return
  }
}
