func.func @plain(%m: memref<i32>, %n: memref<f32>) {
  omp.barrier
  omp.taskwait
  omp.taskyield
  omp.flush
  omp.flush(%m, %n : memref<i32>, memref<f32>)
  omp.master {
    omp.terminator
  }
  omp.critical {
    omp.terminator
  }
  omp.critical(@lock) {
    omp.terminator
  }
  omp.ordered.region par_level_simd {
    omp.terminator
  }
  omp.workshare nowait {
    omp.terminator
  }
  return
}
omp.critical.declare @lock hint(uncontended, speculative)
// -----
omp.private {type = private} @p : memref<i32>
omp.private {type = firstprivate} @q : memref<f32> init {
^bb0(%x: memref<f32>, %y: memref<f32>):
  omp.yield(%y : memref<f32>)
} copy {
^bb0(%x: memref<f32>, %y: memref<f32>):
  omp.yield(%y : memref<f32>)
} dealloc {
^bb0(%x: memref<f32>):
  omp.yield
}
omp.declare_reduction @sum : f32 init {
^bb0(%x: f32):
  %0 = arith.constant 0.0 : f32
  omp.yield(%0 : f32)
} combiner {
^bb1(%x: f32, %y: f32):
  %1 = arith.addf %x, %y : f32
  omp.yield(%1 : f32)
} atomic {
^bb2(%x: !llvm.ptr, %y: !llvm.ptr):
  %2 = llvm.load %y : !llvm.ptr -> f32
  llvm.atomicrmw fadd %x, %2 monotonic : !llvm.ptr, f32
  omp.yield
}
func.func @parallel(%m: memref<i32>, %n: memref<f32>, %c: i1, %k: i32, %r: !llvm.ptr, %i: index) {
  omp.parallel {
    omp.terminator
  }
  omp.parallel allocate(%n : memref<f32> -> %m : memref<i32>) if(%c) num_threads(%k : i32) proc_bind(close) private(@p %m -> %p, @q %n -> %q : memref<i32>, memref<f32>) reduction(@sum %r -> %s : !llvm.ptr) {
    %0 = memref.load %p[] : memref<i32>
    %1 = memref.load %q[] : memref<f32>
    omp.wsloop schedule(static = %k : i32) ordered(1) nowait private(@p %p -> %pp : memref<i32>) {
      omp.loop_nest (%a, %b) : index = (%i, %i) to (%i, %i) inclusive step (%i, %i) {
        memref.store %0, %pp[] : memref<i32>
        omp.yield
      }
    }
    omp.wsloop linear(%m = %k : memref<i32>) schedule(dynamic, nonmonotonic) order(reproducible:concurrent) {
      omp.simd aligned(%m : memref<i32> -> 32 : i64) if(%c) nontemporal(%n : memref<f32>) safelen(4) simdlen(2) {
        omp.loop_nest (%a) : index = (%i) to (%i) step (%i) {
          omp.yield
        }
      } {omp.composite}
    } {linear_var_types = [i32], omp.composite}
    omp.sections allocate(%n : memref<f32> -> %m : memref<i32>) nowait {
      omp.section {
        omp.terminator
      }
      omp.terminator
    }
    omp.single nowait {
      omp.terminator
    }
    omp.masked filter(%k : i32) {
      omp.terminator
    }
    omp.cancel cancellation_construct_type(parallel) if(%c)
    omp.cancellation_point cancellation_construct_type(parallel)
    omp.terminator
  }
  omp.wsloop reduction(mod: inscan, @sum %r -> %s : !llvm.ptr) {
    omp.loop_nest (%a) : index = (%i) to (%i) step (%i) collapse(1) {
      omp.scan inclusive(%s : !llvm.ptr)
      omp.yield
    }
  }
  omp.workshare {
    omp.workshare.loop_wrapper {
      omp.loop_nest (%a) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
    omp.terminator
  }
  omp.loop bind(thread) order(concurrent) private(@p %m -> %p : memref<i32>) {
    omp.loop_nest (%a) : index = (%i) to (%i) step (%i) {
      omp.yield
    }
  }
  return
}
// -----
func.func private @copy(memref<i32>, memref<i32>)
func.func @tasks(%m: memref<i32>, %n: memref<f32>, %c: i1, %k: i32, %i: index) {
  omp.single copyprivate(%m -> @copy : memref<i32>) {
    omp.terminator
  }
  omp.taskgroup allocate(%n : memref<f32> -> %m : memref<i32>) {
    omp.task depend(taskdependin -> %m : memref<i32>, taskdependinout -> %n : memref<f32>) final(%c) if(%c) mergeable priority(%k : i32) untied {
      omp.terminator
    }
    omp.taskloop final(%c) grainsize(strict, %k : i32) if(%c) nogroup priority(%k : i32) {
      omp.loop_nest (%a) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
    omp.taskloop num_tasks(%k : i32) {
      omp.loop_nest (%a) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
    omp.terminator
  }
  omp.taskwait depend(taskdependin -> %m : memref<i32>) nowait
  return
}
// -----
func.func @teams(%m: memref<i32>, %c: i1, %k: i32, %i: index) {
  omp.teams if(%c) num_teams(%k : i32 to %k : i32) thread_limit(%k : i32) {
    omp.distribute dist_schedule_static dist_schedule_chunk_size(%k : i32) {
      omp.loop_nest (%a) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
    omp.terminator
  }
  omp.teams num_teams(to %k : i32) {
    omp.workdistribute {
      omp.terminator
    }
    omp.terminator
  }
  return
}
// -----
func.func @atomics(%m: memref<i32>, %v: memref<i32>, %k: i32) {
  omp.atomic.read %v = %m hint(uncontended) memory_order(acquire) : memref<i32>, memref<i32>, i32
  omp.atomic.write %m = %k memory_order(release) : memref<i32>, i32
  omp.atomic.update %m : memref<i32> {
  ^bb0(%x: i32):
    omp.yield(%k : i32)
  }
  omp.atomic.update hint(contended) memory_order(relaxed) %m : memref<i32> {
  ^bb0(%x: i32):
    omp.yield(%x : i32)
  }
  omp.atomic.capture {
    omp.atomic.read %v = %m : memref<i32>, memref<i32>, i32
    omp.atomic.write %m = %k : memref<i32>, i32
  }
  return
}
// -----
func.func @target(%m: memref<?xi32>, %c: i1, %k: i32, %s: i64, %ptr: !llvm.ptr) {
  %bounds = omp.map.bounds lower_bound(%s : i64) upper_bound(%s : i64) extent(%s : i64) stride(%s : i64) start_idx(%s : i64)
  %part = omp.map.info var_ptr(%ptr : !llvm.ptr, i32) map_clauses(to) capture(ByRef) var_ptr_ptr(%ptr : !llvm.ptr) bounds(%bounds) -> !llvm.ptr {name = "part"}
  %all = omp.map.info var_ptr(%ptr : !llvm.ptr, !llvm.struct<(i32, i32)>) map_clauses(tofrom) capture(ByCopy) members(%part : [0] : !llvm.ptr) -> !llvm.ptr
  %mapped = omp.map.info var_ptr(%m : memref<?xi32>, memref<?xi32>) map_clauses(always, from) capture(ByRef) -> memref<?xi32> {name = ""}
  omp.target depend(taskdependout -> %m : memref<?xi32>) device(%k : i32) if(%c) is_device_ptr(%ptr : !llvm.ptr) nowait thread_limit(%k : i32) has_device_addr(%all -> %h : !llvm.ptr) host_eval(%k -> %e : i32) map_entries(%mapped -> %x, %part -> %y : memref<?xi32>, !llvm.ptr) {
    %i = arith.constant 0 : index
    %0 = memref.load %x[%i] : memref<?xi32>
    omp.terminator
  }
  omp.target_data device(%k : i32) if(%c) map_entries(%mapped : memref<?xi32>) use_device_addr(%part -> %u : !llvm.ptr) use_device_ptr(%all -> %v : !llvm.ptr) {
    omp.terminator
  }
  omp.target_enter_data device(%k : i32) if(%c) nowait map_entries(%part : !llvm.ptr)
  omp.target_exit_data depend(taskdependin -> %m : memref<?xi32>) map_entries(%mapped : memref<?xi32>)
  %present = omp.map.info var_ptr(%ptr : !llvm.ptr, i32) map_clauses(present, to) capture(ByRef) -> !llvm.ptr
  omp.target_update map_entries(%present : !llvm.ptr)
  omp.target_freemem %k, %s : i32, i64
  return
}
omp.declare_mapper @mapper : !llvm.struct<"t", (i32)> {
^bb0(%x: !llvm.ptr):
  %0 = omp.map.info var_ptr(%x : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef) mapper(@mapper) -> !llvm.ptr
  omp.declare_mapper.info map_entries(%0 : !llvm.ptr)
}
// -----
llvm.mlir.global internal @g() : i32
llvm.func @others(%n: i32, %x: i64) {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  %1 = omp.threadprivate %0 : !llvm.ptr -> !llvm.ptr
  %cli = omp.new_cli
  omp.canonical_loop(%cli) %i : i32 in range(%n) {
    omp.terminator
  }
  omp.canonical_loop %i : i32 in range(%n) {
    omp.terminator
  }
  omp.unroll_heuristic(%cli)
  %outer = omp.new_cli
  %grid = omp.new_cli
  %tile = omp.new_cli
  omp.canonical_loop(%outer) %i : i32 in range(%n) {
    omp.terminator
  }
  omp.tile (%grid, %tile) <- (%outer) sizes(%n : i32)
  omp.allocate_dir (%0 : !llvm.ptr) align(8)
  omp.wsloop ordered(1) {
    omp.loop_nest (%i) : i32 = (%n) to (%n) step (%n) {
      omp.ordered depend_type(dependsource) depend_vec(%x : i64) {doacross_num_loops = 1 : i64}
      omp.yield
    }
  }
  llvm.return
}
// -----
func.func @on_device(%d: i32, %n: index, %l: i64) {
  %0 = omp.target_allocmem %d : i32, vector<3x3xi32>
  %1 = omp.target_allocmem %d : i32, !llvm.ptr, %n, %n {a}
  %2 = omp.target_allocmem %l : i64, i64(%l, %n : i64, index)
  %3 = omp.target_allocmem %d : i32, i64(%n : index), %n, %n {uniq_name = "x"}
  omp.target_freemem %d, %0 : i32, i64
  return
}
