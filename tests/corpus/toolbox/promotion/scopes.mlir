// Which scope frees a buffer on the stack, and whether the buffer leaves it.
func.func @returned(%m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return %a : memref<2xf32>
}
func.func @returned_by_a_view(%m: memref<2xf32>) -> memref<?xf32> {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  return %v : memref<?xf32>
}
func.func @returned_by_a_choice(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  %r = arith.select %c, %a, %m : memref<2xf32>
  return %r : memref<2xf32>
}
func.func @across_blocks(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%m : memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%r: memref<2xf32>):
  memref.copy %r, %n : memref<2xf32> to memref<2xf32>
  return
}
func.func @returned_across_blocks(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%m : memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%r: memref<2xf32>):
  return %r : memref<2xf32>
}
func.func @out_of_an_if(%c: i1, %m: memref<2xf32>) {
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @out_of_an_if_and_returned(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  return %r : memref<2xf32>
}
func.func @in_loops(%n: index, %c: i1, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.if %c {
      %b = memref.alloc() : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
      memref.copy %b, %m : memref<2xf32> to memref<2xf32>
    }
  }
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  affine.for %i = 0 to 4 {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  affine.parallel (%i) = (0) to (4) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  return
}
func.func @in_while(%c: i1, %m: memref<2xf32>) {
  scf.while : () -> () {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.condition(%c)
  } do {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.yield
  }
  return
}
func.func @carried_around(%n: index, %m: memref<2xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = memref.alloc() : memref<2xf32>
  memref.copy %m, %start : memref<2xf32> to memref<2xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %start) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %x, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @in_regions(%i: index, %m: memref<2xf32>) {
  affine.if affine_set<(d): (d >= 0)>(%i) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  scf.index_switch %i
  case 1 {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.yield
  }
  default {
  }
  memref.alloca_scope {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  }
  %r = scf.execute_region -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// What leaves the scope that would free it stays on the heap.
func.func @out_of_a_scope(%m: memref<2xf32>) {
  %r = memref.alloca_scope -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    memref.alloca_scope.return %a : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// Compiled code would free what each round allocates where the function returns.
func.func @around_blocks(%c: i1, %m: memref<2xf32>) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return
}
