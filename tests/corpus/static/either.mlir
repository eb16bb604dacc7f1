// A private function that returns its argument or a new buffer: an i1 says which, and nothing is cloned.
func.func private @larger(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
^bb2:
  return %x : memref<4xf32>
}
func.func @given_and_lent(%c: i1, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @larger(%c, %b) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  %s = call @larger(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  %t = call @larger(%c, %s) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// By recursion through two functions, with one buffer as two arguments.
func.func private @odd(%n: index, %x: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %more = arith.cmpi sgt, %n, %zero : index
  %r = scf.if %more -> (memref<4xf32>) {
    %less = arith.subi %n, %one : index
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    %d = func.call @even(%less, %a, %a) : (index, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %d : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func private @even(%n: index, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  memref.copy %y, %x : memref<4xf32> to memref<4xf32>
  %r = call @odd(%n, %x) : (index, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func @both_ways(%n: index, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @even(%n, %b, %b) : (index, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Round a loop, and out of a branch, where the name of what was given ends.
func.func private @perhaps(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @in_regions(%c: i1, %n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m) -> (memref<4xf32>) {
    %a = func.call @perhaps(%c, %x) : (i1, memref<4xf32>) -> memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  %q = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %p, %b : memref<4xf32> to memref<4xf32>
    %r = func.call @perhaps(%c, %b) : (i1, memref<4xf32>) -> memref<4xf32>
    memref.copy %b, %m : memref<4xf32> to memref<4xf32>
    scf.yield %r : memref<4xf32>
  } else {
    scf.yield %p : memref<4xf32>
  }
  memref.copy %q, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Two results from one argument, one of several arguments, and a buffer that is neither an argument nor new.
memref.global "private" constant @fixed : memref<4xf32> = dense<0.25>
func.func private @two_results(%c: i1, %d: i1, %x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %p = arith.select %c, %x, %a : memref<4xf32>
  %q = arith.select %d, %x, %a : memref<4xf32>
  return %p, %q : memref<4xf32>, memref<4xf32>
}
func.func private @one_of_three(%c: i1, %d: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %g = memref.get_global @fixed : memref<4xf32>
  %s = arith.select %c, %x, %y : memref<4xf32>
  %r = arith.select %d, %s, %g : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @several(%c: i1, %d: i1, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %p, %q = call @two_results(%c, %d, %b) : (i1, i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %r = call @one_of_three(%c, %d, %p, %q) : (i1, i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A public caller returns what it gets: where that is not its own, it clones.
func.func private @maybe(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r = arith.select %c, %x, %a : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @returns_it(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = call @maybe(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}

// -----

// Global variables are returned as they are, where they may be new buffers with an i1; in place of an argument, too.
memref.global "private" constant @fixed_values : memref<4xf32> = dense<0.5>
func.func private @fixed() -> memref<4xf32> {
  %g = memref.get_global @fixed_values : memref<4xf32>
  return %g : memref<4xf32>
}
func.func private @table(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %g = call @fixed() : () -> memref<4xf32>
  return %g : memref<4xf32>
^bb2:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @table_of(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %more = arith.cmpi sgt, %n, %zero : index
  %r = call @table(%more, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @given_or_fixed(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %g = call @fixed() : () -> memref<4xf32>
  %r = arith.select %c, %x, %g : memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @any_of_them(%c: i1, %d: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %g = call @given_or_fixed(%d, %x) : (i1, memref<4xf32>) -> memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2(%g : memref<4xf32>)
^bb1:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb2(%a : memref<4xf32>)
^bb2(%r: memref<4xf32>):
  return %r : memref<4xf32>
}
func.func @variables(%c: i1, %d: i1, %n: index, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @any_of_them(%c, %d, %b) : (i1, i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  %s = call @table_of(%n, %m) : (index, memref<4xf32>) -> memref<4xf32>
  %f = call @fixed() : () -> memref<4xf32>
  %t = arith.select %c, %s, %f : memref<4xf32>
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Callers that hand on what they get own the argument that they gave: there a global variable is cloned.
memref.global "private" constant @other_values : memref<4xf32> = dense<0.25>
func.func private @given_fixed_or_new(%c: i1, %d: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %g = memref.get_global @other_values : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %x : memref<4xf32>
  %r = arith.select %d, %s, %g : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @handed_on(%c: i1, %d: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @given_fixed_or_new(%c, %d, %b) : (i1, i1, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}

// -----

// One of two arguments that goes further is cloned, so what comes of it is new in each function that hands it on.
func.func private @one_of_two(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %r = arith.select %c, %x, %y : memref<4xf32>
  return %r : memref<4xf32>
}
func.func private @of_the_same(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %s = call @one_of_two(%c, %x, %x) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %r = scf.execute_region -> memref<4xf32> {
    scf.yield %s : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @cloned_on_the_way(%c: i1, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @of_the_same(%c, %b) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Two results change places each time that a function calls itself; one of them begins as a global variable.
memref.global "private" constant @first_values : memref<4xf32> = dense<1.0>
func.func private @crossed_over(%n: index, %x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %zero : index
  %r:2 = scf.if %last -> (memref<4xf32>, memref<4xf32>) {
    %g = memref.get_global @first_values : memref<4xf32>
    scf.yield %x, %g : memref<4xf32>, memref<4xf32>
  } else {
    %less = arith.subi %n, %one : index
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    %s:2 = func.call @crossed_over(%less, %a) : (index, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
    scf.yield %s#1, %s#0 : memref<4xf32>, memref<4xf32>
  }
  return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}
func.func @crossing(%c: i1, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %n = arith.select %c, %two, %three : index
  %r:2 = call @crossed_over(%n, %b) : (index, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.copy %r#0, %m : memref<4xf32> to memref<4xf32>
  memref.copy %r#1, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What a call returned is its argument or a global variable, and goes on beside the argument: the argument's own name stays the owner.
memref.global "private" constant @second_values : memref<4xf32> = dense<2.0>
func.func private @kept_or_global(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %x : memref<4xf32>
  } else {
    %g = memref.get_global @second_values : memref<4xf32>
    scf.yield %g : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @goes_on_beside(%c: i1, %d: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%a : memref<4xf32>)
^bb2:
  %r = scf.if %d -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %q = func.call @kept_or_global(%d, %a) : (i1, memref<4xf32>) -> memref<4xf32>
    scf.yield %q : memref<4xf32>
  }
  %s:2 = scf.if %d -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %r, %a : memref<4xf32>, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    scf.yield %a, %b : memref<4xf32>, memref<4xf32>
  }
  memref.copy %s#1, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb3(%s#0 : memref<4xf32>)
^bb3(%j: memref<4xf32>):
  memref.copy %j, %m : memref<4xf32> to memref<4xf32>
  return
}
