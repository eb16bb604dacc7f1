acc.private.recipe @kept : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
}
acc.firstprivate.recipe @filled : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
} copy {
^bb0(%v: memref<8xf32>, %m: memref<8xf32>):
  memref.copy %v, %m : memref<8xf32> to memref<8xf32>
  acc.terminator
}
acc.reduction.recipe @sum : memref<8xf32> reduction_operator <add> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
} combiner {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  acc.yield %x : memref<8xf32>
}
func.func @compute(%a: memref<8xf32>, %b: memref<8xf32>, %n: i32, %c: i1) {
  %p = acc.private varPtr(%a : memref<8xf32>) recipe(@kept) -> memref<8xf32>
  %f = acc.firstprivate varPtr(%a : memref<8xf32>) recipe(@filled) -> memref<8xf32>
  %r = acc.reduction varPtr(%a : memref<8xf32>) recipe(@sum) -> memref<8xf32>
  %i = acc.copyin varPtr(%a : memref<8xf32>) -> memref<8xf32> {name = "a"}
  %o = acc.create varPtr(%b : memref<8xf32>) -> memref<8xf32> {dataClause = #acc<data_clause acc_copyout>}
  acc.parallel if(%c) reduction(%r : memref<8xf32>) dataOperands(%i, %o : memref<8xf32>, memref<8xf32>) async(%n : i32)
      num_gangs({%n : i32, %n : i32}) num_workers(%n : i32) vector_length(%n : i32 [#acc.device_type<nvidia>])
      wait({%n : i32} [#acc.device_type<nvidia>], {devnum: %n : i32, %n : i32}) self(%c) {
    acc.yield
  } attributes {defaultAttr = #acc<defaultvalue none>}
  acc.serial combined(loop) async wait firstprivate(%f : memref<8xf32>) private(%p : memref<8xf32>) {
    acc.yield
  }
  acc.kernels dataOperands(%o : memref<8xf32>) async([#acc.device_type<nvidia>], %n : i32) {
    acc.terminator
  }
  acc.kernel_environment dataOperands(%i : memref<8xf32>) async(%n : i32) wait({%n : i32}) {
  }
  acc.data if(%c) async(%n : i32) dataOperands(%i : memref<8xf32>) wait {
    acc.terminator
  } attributes {defaultAttr = #acc<defaultvalue present>}
  acc.delete accPtr(%i : memref<8xf32>) {dataClause = #acc<data_clause acc_copyin>}
  acc.copyout accPtr(%o : memref<8xf32>) to varPtr(%b : memref<8xf32>) {name = "b"}
  return
}

// -----

acc.private.recipe @kept : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
}
acc.firstprivate.recipe @filled : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
} copy {
^bb0(%v: memref<8xf32>, %m: memref<8xf32>):
  memref.copy %v, %m : memref<8xf32> to memref<8xf32>
  acc.terminator
}
acc.reduction.recipe @sum : memref<8xf32> reduction_operator <add> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
} combiner {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  acc.yield %x : memref<8xf32>
}
func.func @loops(%a: memref<8xf32>, %l: index, %u: index, %s: index, %n: i32) {
  %p = acc.private varPtr(%a : memref<8xf32>) recipe(@kept) -> memref<8xf32>
  %f = acc.firstprivate varPtr(%a : memref<8xf32>) recipe(@filled) -> memref<8xf32>
  %r = acc.reduction varPtr(%a : memref<8xf32>) recipe(@sum) -> memref<8xf32>
  acc.loop combined(parallel) gang({num=%n : i32, static=%n : i32}) worker(%n : i32) vector(%n : i32) tile({%n : i32, %n : i32})
      private(%p : memref<8xf32>) control(%i : index, %j : index) = (%l, %l : index, index) to (%u, %u : index, index)
      step (%s, %s : index, index) {
    acc.yield
  } attributes {independent = [#acc.device_type<none>], inclusiveUpperbound = array<i1: true, true>}
  %k = acc.cache varPtr(%a : memref<8xf32>) -> memref<8xf32>
  acc.loop gang([#acc.device_type<nvidia>]) worker vector cache(%k : memref<8xf32>) reduction(%r : memref<8xf32>)
      firstprivate(%f : memref<8xf32>) {
    scf.for %i = %l to %u step %s {
    }
    acc.yield
  } attributes {auto_ = [#acc.device_type<none>]}
  return
}

// -----

func.func @data(%a: memref<8xf32>, %p: memref<memref<8xf32>>, %n: i32, %x: index, %c: i1) {
  %b = acc.bounds stride(%x : index) lowerbound(%x : index) upperbound(%x : index) extent(%x : index) startIdx(%x : index)
  %l = acc.get_lowerbound %b : (!acc.data_bounds_ty) -> index
  %u = acc.get_upperbound %b : (!acc.data_bounds_ty) -> index
  %e = acc.get_extent %b : (!acc.data_bounds_ty) -> index
  %s = acc.get_stride %b : (!acc.data_bounds_ty) -> index
  %0 = acc.copyin varPtr(%a : memref<8xf32>) varType(tensor<8xf32>) async(%n : i32) bounds(%b) varPtrPtr(%p : memref<memref<8xf32>>) -> memref<8xf32>
  %1 = acc.attach varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %2 = acc.create varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %3 = acc.nocreate varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %4 = acc.present varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %5 = acc.deviceptr varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %6 = acc.getdeviceptr varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %7 = acc.update_device varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %8 = acc.use_device varPtr(%a : memref<8xf32>) -> memref<8xf32>
  acc.host_data if(%c) dataOperands(%8 : memref<8xf32>) {
    acc.terminator
  } attributes {ifPresent}
  acc.enter_data if(%c) async(%n : i32) wait_devnum(%n : i32) wait(%n, %n : i32, i32) dataOperands(%2 : memref<8xf32>)
  acc.update if(%c) wait({%n : i32}) dataOperands(%7 : memref<8xf32>)
  acc.exit_data async wait dataOperands(%6 : memref<8xf32>) attributes {finalize}
  acc.detach accPtr(%1 : memref<8xf32>) bounds(%b) async(%n : i32)
  acc.delete accPtr(%2 : memref<8xf32>) async
  acc.update_host accPtr(%6 : memref<8xf32>) bounds(%b) async(%n : i32) to varPtr(%a : memref<8xf32>)
  acc.copyout accPtr(%0 : memref<8xf32>) to varPtr(%a : memref<8xf32>) varType(tensor<8xf32>)
  return
}

// -----

func.func @declared(%a: memref<8xf32>) {
  %0 = acc.declare_device_resident varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %1 = acc.declare_link varPtr(%a : memref<8xf32>) -> memref<8xf32>
  %t = acc.declare_enter dataOperands(%0 : memref<8xf32>)
  acc.declare_exit token(%t) dataOperands(%0 : memref<8xf32>)
  acc.declare dataOperands(%0 : memref<8xf32>) {
    acc.terminator
  }
  return
}

// -----

acc.private.recipe @kept : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
}
acc.private.recipe @freed : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloc() : memref<8xf32>
  acc.yield %m : memref<8xf32>
} destroy {
^bb0(%v: memref<8xf32>, %m: memref<8xf32>):
  memref.dealloc %m : memref<8xf32>
  acc.terminator
}
acc.firstprivate.recipe @filled : memref<8xf32> init {
^bb0(%v: memref<8xf32>):
  %m = memref.alloca() : memref<8xf32>
  acc.yield %m : memref<8xf32>
} copy {
^bb0(%v: memref<8xf32>, %m: memref<8xf32>):
  memref.copy %v, %m : memref<8xf32> to memref<8xf32>
  acc.terminator
}
acc.reduction.recipe @sum : i64 reduction_operator <add> init {
^bb0(%v: i64):
  %z = arith.constant 0 : i64
  acc.yield %z : i64
} combiner {
^bb0(%x: i64, %y: i64):
  %s = arith.addi %x, %y : i64
  acc.yield %s : i64
}
func.func @use(%a: memref<8xf32>) {
  %0 = acc.private varPtr(%a : memref<8xf32>) recipe(@kept) -> memref<8xf32>
  %1 = acc.firstprivate varPtr(%a : memref<8xf32>) recipe(@filled) -> memref<8xf32>
  %2 = acc.firstprivate_map varPtr(%a : memref<8xf32>) -> memref<8xf32>
  acc.parallel firstprivate(%1 : memref<8xf32>) private(%0 : memref<8xf32>) {
    acc.yield
  }
  return
}
func.func @reduced(%a: memref<i64>) {
  %0 = acc.reduction varPtr(%a : memref<i64>) recipe(@sum) -> memref<i64>
  return
}

// -----

memref.global @shared : memref<8xf32> = dense<0.0>
acc.global_ctor @begin {
  acc.terminator
}
acc.global_dtor @end {
  acc.terminator
}
func.func @callee() {
  return
}
acc.routine @routine func(@callee) bind("other") gang(dim: 1 : i64) nohost
acc.routine @sequential func(@callee) seq
acc.routine @wide func(@callee) vector
acc.routine @implied func(@callee) worker ([#acc.device_type<nvidia>]) implicit

// -----

func.func @directives(%n: i32, %c: i1) {
  acc.init if(%c) device_num(%n : i32) attributes {device_types = [#acc.device_type<nvidia>]}
  acc.set device_num(%n : i32) if(%c) default_async(%n : i32)
  acc.wait(%n, %n : i32, i32) async(%n : i32) wait_devnum(%n : i32) if(%c)
  acc.wait async
  acc.shutdown device_num(%n : i32)
  return
}

// -----

func.func @atomic(%a: memref<i32>, %b: memref<i32>, %v: i32, %c: i1) {
  acc.atomic.read if(%c) %a = %b : memref<i32>, memref<i32>, i32
  acc.atomic.write if(%c) %a = %v : memref<i32>, i32
  acc.atomic.update if(%c) %a : memref<i32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %v : i32
    acc.yield %new : i32
  }
  acc.atomic.capture if(%c) {
    acc.atomic.read %b = %a : memref<i32>, memref<i32>, i32
    acc.atomic.write %a = %v : memref<i32>, i32
  }
  return
}
