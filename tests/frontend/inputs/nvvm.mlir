llvm.func @f() {
  %0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32
  %1 = nvvm.read.ptx.sreg.ctaid.y : i32
  nvvm.cp.async.commit.group
  nvvm.fence.mbarrier.init {a}
  llvm.return
}
