func.func @lanes(%i: i32, %c: i1, %f: f32, %a: vector<4xf32>, %h: vector<4xf16>, %p1: !llvm.ptr<1>, %p3: !llvm.ptr<3>, %b: !llvm.ptr, %r: vector<4xi32>, %g: vector<2xi16>, %s: i16, %l: i64, %d: vector<8xi32>) {
  %0 = rocdl.workitem.id.x range <i32, 0, 64> : i32
  rocdl.s.barrier
  rocdl.s.waitcnt 7
  rocdl.sched.group.barrier 8, 1, 0
  rocdl.s.barrier.signal id = -1
  %1 = rocdl.s.barrier.signal.isfirst id = 1 -> i1
  rocdl.s.barrier.init %p3 member_cnt = 4 : !llvm.ptr<3>
  rocdl.s.barrier.join %p3 : !llvm.ptr<3>
  %2 = rocdl.s.get.named.barrier.state %p3 : !llvm.ptr<3> -> i32
  rocdl.global.prefetch %p1, scope 0 : !llvm.ptr<1>
  %3 = rocdl.ds.read.tr4.b64 %p3 : !llvm.ptr<3> -> vector<2xi32>
  rocdl.global.load.lds %p1, %p3, 4, 0, 0
  rocdl.load.to.lds %p1, %p3, 4, 0, 0 : !llvm.ptr<1>
  rocdl.tensor.load.to.lds.d2 %r, %d cachepolicy 0 : vector<4xi32>, vector<8xi32>
  %4 = rocdl.sin %f f32 -> f32
  %5 = rocdl.cvt.pk.bf8.f32 %f, %f -> %i[true] : i32
  %6 = rocdl.cvt.scalef32.pk.fp8.f32 %f, %f, %f -> %g[false] : vector<2xi16>
  %7 = rocdl.cvt.f32.fp8 %i[2] : f32
  %8 = rocdl.readfirstlane %f : f32
  %9 = rocdl.ballot %c : i64
  %10 = rocdl.ds_swizzle %i, %i : (i32, i32) -> i32
  %11 = rocdl.mfma.f32.4x4x4f16 %h, %h, %a, %i, %i, %i : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
  %12 = rocdl.permlane16.swap %i, %i, false, true : (i32, i32) -> !llvm.struct<(i32, i32)>
  %13 = rocdl.permlanex16 %f, %f, %i, %i, false, true : f32, i32
  %14 = rocdl.update.dpp %f, %f with 280, 15, 15, true : f32
  %15 = rocdl.ds.atomic.barrier.arrive.rtn.b64 %p3, %l : !llvm.ptr<3>, i64 -> i64
  %16 = rocdl.make.buffer.rsrc %b, %s, %l, %i : !llvm.ptr to !llvm.ptr<8>
  %17 = rocdl.raw.ptr.buffer.load %16, %i, %i, %i : vector<4xf32>
  rocdl.raw.ptr.buffer.store %17, %16, %i, %i, %i : vector<4xf32>
  %18 = rocdl.raw.buffer.atomic.cmpswap(%f, %f, %r, %i, %i, %i) : f32, vector<4xi32>
  %19 = rocdl.raw.buffer.load %r, %i, %i, %i : f32
  rocdl.raw.buffer.store %19, %r, %i, %i, %i : f32
  return
}
