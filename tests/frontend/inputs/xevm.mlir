llvm.func @blocks(%p: !llvm.ptr<1>, %w: i32, %v: vector<8xi16>) {
  %0 = xevm.blockload2d %p, %w, %w, %w, %w, %w <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32, v_blocks = 1 : i32, transpose = false, pack_register = false, cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32) -> vector<8xi16>
  xevm.blockprefetch2d %p, %w, %w, %w, %w, %w <{elem_size_in_bits = 8 : i32, tile_width = 32 : i32, tile_height = 8 : i32, v_blocks = 1 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32)
  xevm.blockstore2d %p, %w, %w, %w, %w, %w, %v <{elem_size_in_bits = 16 : i32, tile_width = 16 : i32, tile_height = 8 : i32}> : (!llvm.ptr<1>, i32, i32, i32, i32, i32, vector<8xi16>)
  %1 = xevm.blockload %p : (!llvm.ptr<1>) -> vector<8xi16>
  xevm.blockstore %p, %v {a} : (!llvm.ptr<1>, vector<8xi16>)
  xevm.prefetch %p <{cache_control = #xevm.load_cache_control<L1uc_L2uc_L3uc>}> : (!llvm.ptr<1>)
  llvm.return
}
llvm.func @others(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) {
  %0 = xevm.mma %a, %b, %c {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16, c = f32>} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %1 = xevm.mma %a, %b {shape = <m = 8, n = 16, k = 16>, types = <d = f32, a = f16, b = f16>} : (vector<8xi16>, vector<8xi32>) -> vector<8xf32>
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  %2 = xevm.local_id.x : i32
  %3 = xevm.local_id.y range <i32, 0, 64> : i32
  %4 = xevm.local_id.z : i32
  %5 = xevm.local_size.x : i32
  %6 = xevm.local_size.y : i32
  %7 = xevm.local_size.z : i32
  %8 = xevm.group_id.x : i32
  %9 = xevm.group_id.y : i32
  %10 = xevm.group_id.z : i32
  %11 = xevm.group_count.x : i32
  %12 = xevm.group_count.y : i32
  %13 = xevm.group_count.z : i32
  %14 = xevm.lane_id : i32
  %15 = xevm.subgroup_size : i32
  %16 = xevm.subgroup_id : i32
  llvm.return
}
