// Copies that a program makes on conditions of its own, and returns: no work of this pass, but code like any other.

// The flag has nothing to do with %m, which belongs to the caller.
func.func @unrelated(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %true = arith.constant true
  %false = arith.constant false
  %flag = scf.if %c -> i1 {
    scf.yield %true : i1
  } else {
    scf.yield %false : i1
  }
  %r = scf.if %flag -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %m, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// Where the i1 holds, what goes on is the argument, and %a is dropped.
func.func @the_wrong_side(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %v = arith.select %c, %m, %a : memref<4xf32>
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// Where the i1 holds, what goes on is %a, as it should be; where it does not, nobody frees %a.
func.func @dropped_by_a_choice(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %v = arith.select %c, %a, %m : memref<4xf32>
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// Each round drops the buffer of the round before.
func.func @dropped_in_a_loop(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %v, %own = scf.for %i = %zero to %n step %one iter_args(%y = %m, %o = %false) -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %y, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %true : memref<4xf32>, i1
  }
  %r = scf.if %own -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// The branch drops %a on its other way.
func.func @dropped_by_a_branch(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb1(%m : memref<4xf32>)
^bb1(%v: memref<4xf32>):
  cf.cond_br %c, ^bb3(%v : memref<4xf32>), ^bb2
^bb2:
  %k = memref.alloc() : memref<4xf32>
  memref.copy %v, %k : memref<4xf32> to memref<4xf32>
  cf.br ^bb3(%k : memref<4xf32>)
^bb3(%r: memref<4xf32>):
  return %r : memref<4xf32>
}

// -----

// In a private function, and the caller goes on with what it gave.
func.func private @private_one(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %flag = scf.for %i = %zero to %n step %one iter_args(%o = %false) -> i1 {
    %is_one = arith.cmpi eq, %i, %one : index
    %or = arith.ori %is_one, %o : i1
    scf.yield %or : i1
  }
  %r = scf.if %flag -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %m, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @calls_it(%m: memref<4xf32>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = call @private_one(%a, %n) : (memref<4xf32>, index) -> memref<4xf32>
  %x = memref.load %r[%zero] : memref<4xf32>
  %y = memref.load %a[%zero] : memref<4xf32>
  %s = arith.addf %x, %y : f32
  return %s : f32
}

// -----

// Where the i1 does not hold, what goes on is a new buffer, too, and nobody frees it.
func.func @ours_on_both_sides(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %v = arith.select %c, %a, %b : memref<4xf32>
  %r = scf.if %c -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// The i1 that comes along says of a new buffer that it is none.
func.func @new_with_false(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %true = arith.constant true
  %false = arith.constant false
  %v, %own = scf.if %c -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %true : memref<4xf32>, i1
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b, %false : memref<4xf32>, i1
  }
  %r = scf.if %own -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// A loop that may not run hands on the buffer from before, with `false`.
func.func @new_before_a_loop(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %v, %own = scf.for %i = %zero to %n step %one iter_args(%y = %a, %o = %false) -> (memref<4xf32>, i1) {
    scf.yield %y, %true : memref<4xf32>, i1
  }
  %r = scf.if %own -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// Beside the copy, the conditional makes another buffer.
func.func @another_result(%m: memref<4xf32>, %c: i1) -> (memref<4xf32>, f32) {
  %zero = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %v, %own = scf.if %c -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %true : memref<4xf32>, i1
  } else {
    scf.yield %m, %false : memref<4xf32>, i1
  }
  %r, %s = scf.if %own -> (memref<4xf32>, memref<4xf32>) {
    %d = memref.alloc() : memref<4xf32>
    memref.copy %v, %d : memref<4xf32> to memref<4xf32>
    scf.yield %v, %d : memref<4xf32>, memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    %d = memref.alloc() : memref<4xf32>
    memref.copy %v, %d : memref<4xf32> to memref<4xf32>
    scf.yield %k, %d : memref<4xf32>, memref<4xf32>
  }
  %x = memref.load %s[%zero] : memref<4xf32>
  return %r, %x : memref<4xf32>, f32
}

// -----

// What is copied is returned by its own name, too.
func.func @returned_twice(%m: memref<4xf32>, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %v, %own = scf.if %c -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %true : memref<4xf32>, i1
  } else {
    scf.yield %m, %false : memref<4xf32>, i1
  }
  %r = scf.if %own -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r, %v : memref<4xf32>, memref<4xf32>
}

// -----

// A call may give back what is copied, or another buffer.
func.func private @one_of(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = arith.select %c, %x, %y : memref<4xf32>
  return %s : memref<4xf32>
}
func.func @through_a_call(%m: memref<4xf32>, %c: i1, %d: i1) -> (memref<4xf32>, f32) {
  %zero = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %v, %own = scf.if %c -> (memref<4xf32>, i1) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %true : memref<4xf32>, i1
  } else {
    scf.yield %m, %false : memref<4xf32>, i1
  }
  %z = memref.alloc() : memref<4xf32>
  memref.copy %m, %z : memref<4xf32> to memref<4xf32>
  %w = call @one_of(%d, %v, %z) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %x = memref.load %w[%zero] : memref<4xf32>
  %r = scf.if %own -> memref<4xf32> {
    scf.yield %v : memref<4xf32>
  } else {
    %k = memref.alloc() : memref<4xf32>
    memref.copy %v, %k : memref<4xf32> to memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  return %r, %x : memref<4xf32>, f32
}
