llvm.func @f() {
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
  %1 = nvvm.read.ptx.sreg.ctaid.y : i32
  nvvm.cp.async.commit.group
  nvvm.fence.mbarrier.init {a}
  llvm.return
}

// -----

func.func @instructions(%i: i32, %l: i64, %f: f32, %h: f16, %c: i1, %p: !llvm.ptr, %s: !llvm.ptr<3>, %g: !llvm.ptr<1>, %u: !llvm.ptr<7>, %v: vector<2xi8>, %b: vector<2xbf16>, %q: vector<4xf32>, %a: vector<2xf16>, %w: i16) {
  nvvm.barrier id = %i number_of_threads = %i
  nvvm.mbarrier.init %s, %i, predicate = %c : !llvm.ptr<3>, i32, i1
  %0 = nvvm.mbarrier.arrive %s : !llvm.ptr<3> -> i64
  nvvm.inline_ptx "bar.sync 0;"
  %1 = nvvm.inline_ptx "add.s32 $0, $1, $2;" ro(%i, %i : i32, i32) -> i32
  %2 = nvvm.elect.sync -> i1
  %3 = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> f32
  nvvm.setmaxregister increase 240
  %4 = nvvm.rcp.approx.ftz.f %f : f32
  %5 = nvvm.convert.f8x2.to.f16x2 %v : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  %6 = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8> (f8E8M0FNU)
  %8 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
  %9 = nvvm.prmt #nvvm.permute_mode<default> %i, %i, %i : i32
  nvvm.cp.async.bulk.tensor.shared.cluster.global %u, %p, %s, box[%i, %i] l2_cache_hint = %l : !llvm.ptr<7>, !llvm.ptr
  return
}

// -----

func.func @matrices(%i: i32, %p: !llvm.ptr, %s: !llvm.ptr<3>, %a: vector<2xf16>) {
  %0 = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  %1 = nvvm.mma.sync A[%a, %a] B[%a] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  %2 = nvvm.wmma.load %p, %i {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  %3 = nvvm.wmma.mma %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  nvvm.wmma.store %p, %i, %a, %a, %a, %a {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
  return
}

// -----

func.func @wide(%i: i32, %l: i64, %c: i1, %t: !llvm.ptr<6>, %v: vector<4xi8>, %f: vector<4xf32>, %b: vector<2xbf16>, %n: i8) {
  %0 = nvvm.tcgen05.mma_smem_desc (%i, %i, %i, %n, %c, %n) : (i32, i32, i32, i8, i1, i8) -> i64
  nvvm.tcgen05.mma %t, %l, %l, %i, %c {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  %1 = nvvm.dot.accumulate.4way %v <signed>, %v <signed>, %i : vector<4xi8>, vector<4xi8>
  %2 = nvvm.convert.f32x4.to.f8x4 %f, %i : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
  return
}

// -----

func.func @asynchronous(%d: i64, %r: !llvm.struct<(i32, i32, i32, i32)>) -> !llvm.struct<(i32, i32, i32, i32)> {
  %0 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 64, n = 8, k = 32>,
      D [<s32>, <zero>], A [<s8>, <one>, <row>], B [<s8>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
  return %0 : !llvm.struct<(i32, i32, i32, i32)>
}
