// Allocations that could come later.
func.func @straight(%m: memref<4xf32>, %n: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %a : memref<4xf32> to memref<4xf32>
  return
}
func.func @in_place(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}
func.func @into_a_region(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.copy %m, %m : memref<4xf32> to memref<4xf32>
    scf.if %c {
    } else {
      memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    }
  }
  return
}
func.func @both_regions(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  } else {
    memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func @not_into_a_loop(%n: index, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  scf.for %i = %zero to %n step %one {
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func @past_a_branch(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb2
^bb2:
  return
}
func.func @on_both_branches(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1
^bb1:
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb4
^bb3:
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb4
^bb4:
  return
}
func.func @not_into_a_cycle(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1
^bb1:
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb2
^bb2:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}
func.func @in_the_same_cycle(%c: i1, %m: memref<4xf32>) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  return
}
func.func @freed_later(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @handed_on(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %m : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}
