// Allocations in regions: out of those that run once, out of loops where each round can have the same buffer.
func.func @nested_region_control_flow(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %0 = arith.cmpi "eq", %arg0, %arg1 : index
  %1 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %2 = scf.if %0 -> (memref<?x?xf32>) {
    scf.yield %1 : memref<?x?xf32>
  } else {
    %3 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    scf.yield %3 : memref<?x?xf32>
  }
  return %2 : memref<?x?xf32>
}
func.func @depends_on_the_region(%c: i1, %n: index, %m: memref<?xf32>, %o: memref<?xf32>) {
  %r = scf.if %c -> (memref<?xf32>) {
    %one = arith.constant 1 : index
    %k = arith.addi %n, %one : index
    %a = memref.alloc(%k) : memref<?xf32>
    memref.copy %m, %a : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %a : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  memref.copy %r, %o : memref<?xf32> to memref<?xf32>
  return
}
func.func @loop_nested_if(%lb: index, %ub: index, %step: index, %buf: memref<2xf32>, %res: memref<2xf32>) {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%iterBuf = %buf) -> memref<2xf32> {
    %1 = arith.cmpi "eq", %i, %ub : index
    %2 = scf.if %1 -> (memref<2xf32>) {
      %3 = memref.alloc() : memref<2xf32>
      memref.copy %iterBuf, %3 : memref<2xf32> to memref<2xf32>
      scf.yield %3 : memref<2xf32>
    } else {
      scf.yield %iterBuf : memref<2xf32>
    }
    scf.yield %2 : memref<2xf32>
  }
  memref.copy %0, %res : memref<2xf32> to memref<2xf32>
  return
}
func.func @loops(%n: index, %c: i1, %m: memref<2xf32>, %d: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.for %j = %zero to %n step %one {
      %b = memref.alloc() : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
      %e = memref.alloc(%i) : memref<?xf32>
      memref.copy %e, %d : memref<?xf32> to memref<?xf32>
      %f = memref.alloc(%j) : memref<?xf32>
      memref.copy %f, %d : memref<?xf32> to memref<?xf32>
      scf.if %c {
        %g = memref.alloc() : memref<2xf32>
        memref.copy %b, %g : memref<2xf32> to memref<2xf32>
        memref.copy %g, %m : memref<2xf32> to memref<2xf32>
      }
      %s = memref.alloca() : memref<2xf32>
      memref.copy %b, %s : memref<2xf32> to memref<2xf32>
      memref.copy %s, %m : memref<2xf32> to memref<2xf32>
    }
  }
  affine.for %i = 0 to 4 {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  }
  return
}
func.func @carried(%n: index, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %m) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    memref.copy %x, %b : memref<2xf32> to memref<2xf32>
    memref.copy %b, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @while(%c: i1, %m: memref<2xf32>) {
  %r = scf.while (%x = %m) : (memref<2xf32>) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %x, %a : memref<2xf32> to memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    memref.copy %a, %b : memref<2xf32> to memref<2xf32>
    scf.condition(%c) %b : memref<2xf32>
  } do {
  ^bb0(%y: memref<2xf32>):
    %a = memref.alloc() : memref<2xf32>
    memref.copy %y, %a : memref<2xf32> to memref<2xf32>
    %b = memref.alloc() : memref<2xf32>
    memref.copy %a, %b : memref<2xf32> to memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @side_by_side(%n: index, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  return
}
func.func @scope(%c: i1, %m: memref<2xf32>) {
  %r = memref.alloca_scope -> (memref<2xf32>) {
    %x = scf.execute_region -> memref<2xf32> {
      %a = memref.alloc() : memref<2xf32>
      memref.copy %m, %a : memref<2xf32> to memref<2xf32>
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      %b = memref.alloc() : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
      cf.br ^bb3(%b : memref<2xf32>)
    ^bb2:
      cf.br ^bb3(%a : memref<2xf32>)
    ^bb3(%y: memref<2xf32>):
      scf.yield %y : memref<2xf32>
    }
    memref.alloca_scope.return %x : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// The buffer of one round must not be freed by the next.
func.func @freed_in_a_loop(%n: index, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    memref.dealloc %a : memref<2xf32>
  }
  return
}
// Where it is freed in one of the branches only, it has to be allocated there.
func.func @freed_in_a_branch(%c: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %m, %0 : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%0 : memref<2xf32>)
^bb2:
  cf.br ^bb4(%m : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  memref.dealloc %x : memref<2xf32>
  cf.br ^bb4(%m : memref<2xf32>)
^bb4(%y: memref<2xf32>):
  return
}
