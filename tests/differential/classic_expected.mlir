// What MLIR 19 makes of the cases in tests/corpus/toolbox/classic.
// case: seeds-branch
module {
  func.func @branch(%arg0: i1, %arg1: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %alloc_0 = memref.alloc() : memref<2xf32>
    %0 = bufferization.clone %alloc_0 : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc_0 : memref<2xf32>
    cf.br ^bb3(%0 : memref<2xf32>)
  ^bb2:  // pred: ^bb0
    memref.copy %arg1, %alloc : memref<2xf32> to memref<2xf32>
    %1 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
    cf.br ^bb3(%1 : memref<2xf32>)
  ^bb3(%2: memref<2xf32>):  // 2 preds: ^bb1, ^bb2
    memref.copy %2, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %2 : memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    return
  }
}

// case: seeds-cond_branch
module {
  func.func @cond_branch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %0 = bufferization.clone %arg1 : memref<2xf32> to memref<2xf32>
    cf.br ^bb3(%0 : memref<2xf32>)
  ^bb2:  // pred: ^bb0
    %alloc = memref.alloc() : memref<2xf32>
    memref.copy %arg1, %alloc : memref<2xf32> to memref<2xf32>
    %1 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    cf.br ^bb3(%1 : memref<2xf32>)
  ^bb3(%2: memref<2xf32>):  // 2 preds: ^bb1, ^bb2
    memref.copy %2, %arg2 : memref<2xf32> to memref<2xf32>
    memref.dealloc %2 : memref<2xf32>
    return
  }
}

// case: seeds-cond_branch_dynamic_nested
module {
  func.func @cond_branch_dynamic_nested(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) {
    cf.cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
  ^bb1:  // pred: ^bb0
    %0 = bufferization.clone %arg1 : memref<?xf32> to memref<?xf32>
    cf.br ^bb6(%0 : memref<?xf32>)
  ^bb2(%1: index):  // pred: ^bb0
    %alloc = memref.alloc(%1) : memref<?xf32>
    memref.copy %arg1, %alloc : memref<?xf32> to memref<?xf32>
    cf.cond_br %arg0, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    cf.br ^bb5(%alloc : memref<?xf32>)
  ^bb4:  // pred: ^bb2
    cf.br ^bb5(%alloc : memref<?xf32>)
  ^bb5(%2: memref<?xf32>):  // 2 preds: ^bb3, ^bb4
    %3 = bufferization.clone %2 : memref<?xf32> to memref<?xf32>
    memref.dealloc %alloc : memref<?xf32>
    cf.br ^bb6(%3 : memref<?xf32>)
  ^bb6(%4: memref<?xf32>):  // 2 preds: ^bb1, ^bb5
    cf.br ^bb7(%4 : memref<?xf32>)
  ^bb7(%5: memref<?xf32>):  // pred: ^bb6
    memref.copy %5, %arg2 : memref<?xf32> to memref<?xf32>
    memref.dealloc %4 : memref<?xf32>
    return
  }
}

// case: seeds-mixed_allocation
module {
  func.func @mixed_allocation(%arg0: i1, %arg1: memref<2xf32>) {
    %alloca = memref.alloca() : memref<2xf32>
    %alloc = memref.alloc() : memref<2xf32>
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    memref.copy %arg1, %alloca : memref<2xf32> to memref<2xf32>
    cf.br ^bb3(%alloca : memref<2xf32>)
  ^bb2:  // pred: ^bb0
    memref.copy %arg1, %alloc : memref<2xf32> to memref<2xf32>
    cf.br ^bb3(%alloc : memref<2xf32>)
  ^bb3(%0: memref<2xf32>):  // 2 preds: ^bb1, ^bb2
    memref.copy %0, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    return
  }
}

// case: seeds-nested_region_control_flow
module {
  func.func @nested_region_control_flow(%arg0: index, %arg1: index, %arg2: f32) -> memref<?x?xf32> {
    %0 = arith.cmpi eq, %arg0, %arg1 : index
    %alloc = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
    %1 = scf.if %0 -> (memref<?x?xf32>) {
      scf.yield %alloc : memref<?x?xf32>
    } else {
      %alloc_0 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
      linalg.fill ins(%arg2 : f32) outs(%alloc_0 : memref<?x?xf32>)
      memref.dealloc %alloc_0 : memref<?x?xf32>
      scf.yield %alloc : memref<?x?xf32>
    }
    return %1 : memref<?x?xf32>
  }
}

// case: seeds-nested_region_control_flow_div
module {
  func.func @nested_region_control_flow_div(%arg0: index, %arg1: index) -> memref<?x?xf32> {
    %0 = arith.cmpi eq, %arg0, %arg1 : index
    %alloc = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
    %1 = scf.if %0 -> (memref<?x?xf32>) {
      %2 = bufferization.clone %alloc : memref<?x?xf32> to memref<?x?xf32>
      scf.yield %2 : memref<?x?xf32>
    } else {
      %alloc_0 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
      %2 = bufferization.clone %alloc_0 : memref<?x?xf32> to memref<?x?xf32>
      memref.dealloc %alloc_0 : memref<?x?xf32>
      scf.yield %2 : memref<?x?xf32>
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return %1 : memref<?x?xf32>
  }
}

// case: seeds-loop_nested_if
module {
  func.func @loop_nested_if(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<2xf32>, %arg4: memref<2xf32>) {
    %0 = bufferization.clone %arg3 : memref<2xf32> to memref<2xf32>
    %1 = scf.for %arg5 = %arg0 to %arg1 step %arg2 iter_args(%arg6 = %0) -> (memref<2xf32>) {
      %2 = arith.cmpi eq, %arg5, %arg1 : index
      %3 = scf.if %2 -> (memref<2xf32>) {
        %alloc = memref.alloc() : memref<2xf32>
        memref.copy %arg3, %alloc : memref<2xf32> to memref<2xf32>
        %5 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
        memref.dealloc %alloc : memref<2xf32>
        scf.yield %5 : memref<2xf32>
      } else {
        %5 = bufferization.clone %arg6 : memref<2xf32> to memref<2xf32>
        scf.yield %5 : memref<2xf32>
      }
      memref.dealloc %arg6 : memref<2xf32>
      %4 = bufferization.clone %3 : memref<2xf32> to memref<2xf32>
      memref.dealloc %3 : memref<2xf32>
      scf.yield %4 : memref<2xf32>
    }
    memref.copy %1, %arg4 : memref<2xf32> to memref<2xf32>
    memref.dealloc %1 : memref<2xf32>
    return
  }
}

// case: situations-unused
module {
  func.func @unused() {
    %alloc = memref.alloc() : memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    return
  }
}

// case: situations-returned
module {
  func.func @returned(%arg0: f32) -> memref<2xf32> {
    %alloc = memref.alloc() : memref<2xf32>
    linalg.fill ins(%arg0 : f32) outs(%alloc : memref<2xf32>)
    return %alloc : memref<2xf32>
  }
}

// case: situations-views
module {
  func.func @views(%arg0: memref<8xf32>) {
    %alloc = memref.alloc() : memref<16xf32>
    %subview = memref.subview %alloc[2] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 2>>
    %cast = memref.cast %subview : memref<8xf32, strided<[1], offset: 2>> to memref<?xf32, strided<[1], offset: ?>>
    %cast_0 = memref.cast %arg0 : memref<8xf32> to memref<?xf32>
    memref.copy %cast_0, %cast : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    memref.dealloc %alloc : memref<16xf32>
    %cst = arith.constant 1.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg0 : memref<8xf32>)
    return
  }
}

// case: situations-freed_early
module {
  func.func @freed_early(%arg0: memref<8xf32>) {
    %alloc = memref.alloc() : memref<8xf32>
    %cast = memref.cast %alloc : memref<8xf32> to memref<?xf32>
    %cast_0 = memref.cast %arg0 : memref<8xf32> to memref<?xf32>
    memref.copy %cast, %cast_0 : memref<?xf32> to memref<?xf32>
    memref.dealloc %alloc : memref<8xf32>
    return
  }
}

// case: situations-freed_late
module {
  func.func @freed_late(%arg0: memref<8xf32>) {
    %alloc = memref.alloc() : memref<8xf32>
    memref.copy %alloc, %arg0 : memref<8xf32> to memref<8xf32>
    %cst = arith.constant 1.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg0 : memref<8xf32>)
    memref.dealloc %alloc : memref<8xf32>
    return
  }
}

// case: situations-nested_use
module {
  func.func @nested_use(%arg0: i1, %arg1: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    scf.if %arg0 {
      %alloc_0 = memref.alloc() : memref<2xf32>
      memref.copy %alloc, %alloc_0 : memref<2xf32> to memref<2xf32>
      memref.copy %alloc_0, %arg1 : memref<2xf32> to memref<2xf32>
      memref.dealloc %alloc_0 : memref<2xf32>
    }
    memref.dealloc %alloc : memref<2xf32>
    linalg.copy ins(%arg1 : memref<2xf32>) outs(%arg1 : memref<2xf32>)
    return
  }
}

// case: situations-in_a_loop
module {
  func.func @in_a_loop(%arg0: index, %arg1: memref<2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      %alloc = memref.alloc() : memref<2xf32>
      memref.copy %arg1, %alloc : memref<2xf32> to memref<2xf32>
      memref.copy %alloc, %arg1 : memref<2xf32> to memref<2xf32>
      memref.dealloc %alloc : memref<2xf32>
    }
    return
  }
}

// case: situations-carried
module {
  func.func @carried(%arg0: index, %arg1: memref<2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() : memref<2xf32>
    %0 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    %1 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %0) -> (memref<2xf32>) {
      %alloc_0 = memref.alloc() : memref<2xf32>
      memref.copy %arg3, %alloc_0 : memref<2xf32> to memref<2xf32>
      memref.dealloc %arg3 : memref<2xf32>
      %2 = bufferization.clone %alloc_0 : memref<2xf32> to memref<2xf32>
      memref.dealloc %alloc_0 : memref<2xf32>
      scf.yield %2 : memref<2xf32>
    }
    memref.copy %1, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %1 : memref<2xf32>
    return
  }
}

// case: situations-carried_unchanged
module {
  func.func @carried_unchanged(%arg0: index, %arg1: memref<2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc() : memref<2xf32>
    %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %alloc) -> (memref<2xf32>) {
      memref.copy %arg1, %arg3 : memref<2xf32> to memref<2xf32>
      scf.yield %arg3 : memref<2xf32>
    }
    memref.copy %0, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    return
  }
}

// case: situations-while
module {
  func.func @while(%arg0: i1, %arg1: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    %0 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    %1 = scf.while (%arg2 = %0) : (memref<2xf32>) -> memref<2xf32> {
      %2 = bufferization.clone %arg2 : memref<2xf32> to memref<2xf32>
      memref.dealloc %arg2 : memref<2xf32>
      scf.condition(%arg0) %2 : memref<2xf32>
    } do {
    ^bb0(%arg2: memref<2xf32>):
      %alloc_0 = memref.alloc() : memref<2xf32>
      memref.copy %arg2, %alloc_0 : memref<2xf32> to memref<2xf32>
      memref.dealloc %arg2 : memref<2xf32>
      %2 = bufferization.clone %alloc_0 : memref<2xf32> to memref<2xf32>
      memref.dealloc %alloc_0 : memref<2xf32>
      scf.yield %2 : memref<2xf32>
    }
    memref.copy %1, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %1 : memref<2xf32>
    return
  }
}

// case: situations-nested_loops
module {
  func.func @nested_loops(%arg0: index, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = bufferization.clone %arg1 : memref<2xf32> to memref<2xf32>
    %1 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %0) -> (memref<2xf32>) {
      %2 = bufferization.clone %arg4 : memref<2xf32> to memref<2xf32>
      memref.dealloc %arg4 : memref<2xf32>
      %3 = scf.for %arg5 = %c0 to %arg0 step %c1 iter_args(%arg6 = %2) -> (memref<2xf32>) {
        %alloc = memref.alloc() : memref<2xf32>
        memref.copy %arg6, %alloc : memref<2xf32> to memref<2xf32>
        memref.dealloc %arg6 : memref<2xf32>
        %5 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
        memref.dealloc %alloc : memref<2xf32>
        scf.yield %5 : memref<2xf32>
      }
      %4 = bufferization.clone %3 : memref<2xf32> to memref<2xf32>
      memref.dealloc %3 : memref<2xf32>
      scf.yield %4 : memref<2xf32>
    }
    memref.copy %1, %arg2 : memref<2xf32> to memref<2xf32>
    memref.dealloc %1 : memref<2xf32>
    return
  }
}

// case: situations-select
module {
  func.func @select(%arg0: i1, %arg1: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    %0 = arith.select %arg0, %alloc, %arg1 : memref<2xf32>
    memref.copy %0, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    return
  }
}

// case: situations-diamond
module {
  func.func @diamond(%arg0: i1, %arg1: memref<2xf32>) {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %alloc = memref.alloc() : memref<2xf32>
    memref.copy %arg1, %alloc : memref<2xf32> to memref<2xf32>
    %0 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    %1 = bufferization.clone %arg1 : memref<2xf32> to memref<2xf32>
    cf.br ^bb3(%0, %1 : memref<2xf32>, memref<2xf32>)
  ^bb2:  // pred: ^bb0
    %alloc_0 = memref.alloc() : memref<2xf32>
    memref.copy %arg1, %alloc_0 : memref<2xf32> to memref<2xf32>
    %2 = bufferization.clone %arg1 : memref<2xf32> to memref<2xf32>
    %3 = bufferization.clone %alloc_0 : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc_0 : memref<2xf32>
    cf.br ^bb3(%2, %3 : memref<2xf32>, memref<2xf32>)
  ^bb3(%4: memref<2xf32>, %5: memref<2xf32>):  // 2 preds: ^bb1, ^bb2
    memref.copy %4, %5 : memref<2xf32> to memref<2xf32>
    memref.dealloc %5 : memref<2xf32>
    memref.dealloc %4 : memref<2xf32>
    return
  }
}

// case: situations-clone
module {
  func.func @clone(%arg0: memref<2xf32>) {
    %0 = bufferization.clone %arg0 : memref<2xf32> to memref<2xf32>
    memref.copy %0, %arg0 : memref<2xf32> to memref<2xf32>
    memref.dealloc %0 : memref<2xf32>
    return
  }
}

// case: situations-caller
module {
  func.func private @callee(%arg0: memref<2xf32>) -> memref<2xf32> {
    return %arg0 : memref<2xf32>
  }
  func.func @caller(%arg0: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    %0 = call @callee(%alloc) : (memref<2xf32>) -> memref<2xf32>
    memref.copy %0, %arg0 : memref<2xf32> to memref<2xf32>
    memref.dealloc %alloc : memref<2xf32>
    %cst = arith.constant 1.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg0 : memref<2xf32>)
    return
  }
}

// case: situations-scope
module {
  func.func @scope(%arg0: memref<2xf32>) {
    %alloc = memref.alloc() : memref<2xf32>
    memref.alloca_scope  {
      %alloc_0 = memref.alloc() : memref<2xf32>
      memref.copy %alloc, %alloc_0 : memref<2xf32> to memref<2xf32>
      memref.dealloc %alloc_0 : memref<2xf32>
    }
    memref.dealloc %alloc : memref<2xf32>
    return
  }
}

// case: situations-switch
module {
  func.func @switch(%arg0: index, %arg1: memref<2xf32>) {
    %0 = scf.index_switch %arg0 -> memref<2xf32> 
    case 1 {
      %alloc = memref.alloc() : memref<2xf32>
      %1 = bufferization.clone %alloc : memref<2xf32> to memref<2xf32>
      memref.dealloc %alloc : memref<2xf32>
      scf.yield %1 : memref<2xf32>
    }
    default {
      %1 = bufferization.clone %arg1 : memref<2xf32> to memref<2xf32>
      scf.yield %1 : memref<2xf32>
    }
    memref.copy %0, %arg1 : memref<2xf32> to memref<2xf32>
    memref.dealloc %0 : memref<2xf32>
    return
  }
}

