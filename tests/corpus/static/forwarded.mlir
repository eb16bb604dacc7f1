// One of several arguments goes through private functions, which join it with others: nothing is cloned.
memref.global "private" constant @fixed_one : memref<4xf32> = dense<0.25>
func.func private @one(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = arith.select %c, %x, %y : memref<4xf32>
  return %s : memref<4xf32>
}
func.func private @one_or_fixed(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %o = func.call @one(%c, %x, %y) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %o : memref<4xf32>
  } else {
    %g = memref.get_global @fixed_one : memref<4xf32>
    scf.yield %g : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func private @in_turn(%c: i1, %n: index, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%p = %x) -> (memref<4xf32>) {
    %o = func.call @one_or_fixed(%c, %y, %p) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %o : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @through_functions(%c: i1, %d: i1, %n: index, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %t = scf.if %d -> (memref<4xf32>) {
    %r = func.call @in_turn(%c, %n, %a, %b) : (i1, index, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %r : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  cf.cond_br %c, ^bb1(%t : memref<4xf32>), ^bb1(%b : memref<4xf32>)
^bb1(%u: memref<4xf32>):
  memref.copy %u, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The same, or a new buffer, which an i1 tells.
func.func private @either_of(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = arith.select %c, %x, %y : memref<4xf32>
  return %s : memref<4xf32>
}
func.func private @either_of_or_new(%n: index, %c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %more = arith.cmpi sgt, %n, %zero : index
  cf.cond_br %more, ^bb1, ^bb2
^bb1:
  %r = call @either_of(%c, %y, %x) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
^bb2:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func private @forwards(%n: index, %c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %r = call @either_of_or_new(%n, %c, %x, %y) : (index, i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func @through_functions_or_new(%c: i1, %n: index, %m: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @forwards(%n, %c, %b, %m) : (index, i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %t = scf.if %c -> (memref<4xf32>) {
    scf.yield %r : memref<4xf32>
  } else {
    scf.yield %b : memref<4xf32>
  }
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A public function returns a clone of one of the buffers that it owns, and one owns a buffer in whose place a global variable may come back.
memref.global "private" constant @fixed_two : memref<4xf32> = dense<0.75>
func.func private @any_of(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = arith.select %c, %x, %y : memref<4xf32>
  return %s : memref<4xf32>
}
func.func private @fixed_or_given(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %g = memref.get_global @fixed_two : memref<4xf32>
  %s = arith.select %c, %x, %g : memref<4xf32>
  return %s : memref<4xf32>
}
func.func private @owns_one(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %r = call @fixed_or_given(%c, %a) : (i1, memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func @returns_one(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = call @owns_one(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @any_of(%c, %a, %b) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %b : memref<4xf32> to memref<4xf32>
  return %r : memref<4xf32>
}
