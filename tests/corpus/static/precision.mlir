// Situations of which MLIR's tests of the ownership-based pass say that more could be known: how much is left here.

// A buffer goes on under another type on one way, and one of the caller on the other.
// left: i1s 1, conditionals 1
func.func @other_type(%c: i1, %m: memref<*xf32>, %n: index) {
  cf.cond_br %c, ^bb2(%m : memref<*xf32>), ^bb1
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  %u = memref.cast %a : memref<?xf32> to memref<*xf32>
  cf.br ^bb2(%u : memref<*xf32>)
^bb2(%x: memref<*xf32>):
  memref.copy %x, %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

// Both ways bring the same buffer, and more ways come together behind them.
// left: i1s 2, conditionals 1
func.func @joined_twice(%c: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb6(%m : memref<4xf32>)
^bb2:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%a : memref<4xf32>)
^bb4:
  cf.br ^bb5(%a : memref<4xf32>)
^bb5(%x: memref<4xf32>):
  cf.br ^bb6(%x : memref<4xf32>)
^bb6(%y: memref<4xf32>):
  cf.br ^bb7(%y : memref<4xf32>)
^bb7(%z: memref<4xf32>):
  memref.copy %z, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Whichever way is taken, one of the two that arrive is the buffer. The one that is used goes with a constant from each way; what nobody
// uses is freed before.
// left: i1s 1, conditionals 1
func.func @crossed(%c: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%m, %a : memref<4xf32>, memref<4xf32>), ^bb2(%a, %m : memref<4xf32>, memref<4xf32>)
^bb1(%p: memref<4xf32>, %q: memref<4xf32>):
  cf.br ^bb3(%p, %q : memref<4xf32>, memref<4xf32>)
^bb2(%r: memref<4xf32>, %s: memref<4xf32>):
  cf.br ^bb3(%r, %s : memref<4xf32>, memref<4xf32>)
^bb3(%x: memref<4xf32>, %y: memref<4xf32>):
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The same, and nobody uses what arrives.
// left: nothing
func.func @crossed_for_nothing(%c: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%m, %a : memref<4xf32>, memref<4xf32>), ^bb2(%a, %m : memref<4xf32>, memref<4xf32>)
^bb1(%p: memref<4xf32>, %q: memref<4xf32>):
  cf.br ^bb3(%p, %q : memref<4xf32>, memref<4xf32>)
^bb2(%r: memref<4xf32>, %s: memref<4xf32>):
  cf.br ^bb3(%r, %s : memref<4xf32>, memref<4xf32>)
^bb3(%x: memref<4xf32>, %y: memref<4xf32>):
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The same, with a further branch on one of the ways, so that what nobody uses has another name there.
// left: i1s 1, conditionals 1
func.func @crossed_again(%c: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%m, %a : memref<4xf32>, memref<4xf32>), ^bb2(%a, %m : memref<4xf32>, memref<4xf32>)
^bb1(%p: memref<4xf32>, %q: memref<4xf32>):
  cf.br ^bb5(%p, %q : memref<4xf32>, memref<4xf32>)
^bb2(%r: memref<4xf32>, %s: memref<4xf32>):
  cf.cond_br %c, ^bb3(%r : memref<4xf32>), ^bb4(%s : memref<4xf32>)
^bb3(%t: memref<4xf32>):
  cf.br ^bb5(%t, %r : memref<4xf32>, memref<4xf32>)
^bb4(%u: memref<4xf32>):
  cf.br ^bb5(%r, %u : memref<4xf32>, memref<4xf32>)
^bb5(%x: memref<4xf32>, %y: memref<4xf32>):
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A loop that only chooses between buffers from outside frees nothing.
// left: nothing
func.func @chooses_in_a_loop(%n: index, %m: memref<4xf32>, %o: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %m) -> (memref<4xf32>) {
    %last = arith.cmpi eq, %i, %one : index
    %y = scf.if %last -> (memref<4xf32>) {
      scf.yield %a : memref<4xf32>
    } else {
      scf.yield %x : memref<4xf32>
    }
    scf.yield %y : memref<4xf32>
  }
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Three loops, one in the other, may replace a buffer: each gets it from the one around it, and no two are compared.
// left: i1s 7, conditionals 2
func.func @three_loops(%n: index, %m: memref<4xf32>, %o: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %m) -> (memref<4xf32>) {
    %s = scf.for %j = %zero to %n step %one iter_args(%y = %x) -> (memref<4xf32>) {
      %t = scf.for %k = %zero to %n step %one iter_args(%z = %y) -> (memref<4xf32>) {
        %a = memref.alloc() : memref<4xf32>
        memref.copy %z, %a : memref<4xf32> to memref<4xf32>
        %first = arith.cmpi eq, %k, %zero : index
        %u = scf.if %first -> (memref<4xf32>) {
          %b = memref.alloc() : memref<4xf32>
          memref.copy %a, %b : memref<4xf32> to memref<4xf32>
          scf.yield %b : memref<4xf32>
        } else {
          scf.yield %z : memref<4xf32>
        }
        scf.yield %u : memref<4xf32>
      }
      scf.yield %t : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Of three buffers that a loop carries, two are replaced, and one is what another was before.
// left: i1s 11, conditionals 4
func.func @three_carried(%n: index, %o: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %o, %a : memref<?xf32> to memref<?xf32>
  %r:4 = scf.while (%k = %zero, %x = %a, %y = %a, %z = %a) : (index, memref<?xf32>, memref<?xf32>, memref<?xf32>)
      -> (index, memref<?xf32>, memref<?xf32>, memref<?xf32>) {
    %more = arith.cmpi slt, %k, %n : index
    scf.condition(%more) %k, %x, %y, %z : index, memref<?xf32>, memref<?xf32>, memref<?xf32>
  } do {
  ^bb0(%k: index, %x: memref<?xf32>, %y: memref<?xf32>, %z: memref<?xf32>):
    %b = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %b : memref<?xf32> to memref<?xf32>
    %d = memref.alloc(%n) : memref<?xf32>
    memref.copy %z, %d : memref<?xf32> to memref<?xf32>
    %next = arith.addi %k, %one : index
    scf.yield %next, %d, %b, %y : index, memref<?xf32>, memref<?xf32>, memref<?xf32>
  }
  memref.copy %r#3, %o : memref<?xf32> to memref<?xf32>
  return
}

// -----

// What is returned is the new buffer, or a clone; nothing is freed.
// left: i1s 1, conditionals 1, clones 1
#never = affine_set<(d0) : (d0 - 8 >= 0)>
func.func @new_on_one_way(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %r = affine.if #never(%n) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    affine.yield %a : memref<4xf32>
  } else {
    affine.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// One buffer or a new one is returned: the one that is not is freed, and nothing is cloned.
// left: nothing
#often = affine_set<(d0) : (d0 - 8 >= 0)>
func.func @one_or_the_other(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = affine.if #often(%n) -> memref<4xf32> {
    affine.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    affine.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// The same buffer on both ways, by an `scf.if`, is returned as it is.
// left: nothing
func.func @the_same_on_both(%n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %c4 = arith.constant 4 : index
  %c = arith.cmpi eq, %n, %c4 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// A private function hands back what it is given: three buffers are freed without a look at the others.
// left: nothing
func.func private @given_back(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @called(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r = call @given_back(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// It is given one of two buffers, of which one is on the stack.
// left: nothing
func.func private @handed_back(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @called_with_a_choice(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  %r = call @handed_back(%s) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A choice between a buffer and the stack goes on to another block: where it is the stack, the buffer is freed at once.
// left: i1s 2, conditionals 2
func.func @choice_goes_on(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloca() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  cf.br ^bb1(%s : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A loop replaces its buffer: the new one is another one than the one before.
// left: i1s 2, conditionals 2
func.func @replaced(%n: index, %m: memref<4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %m) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  %v = memref.load %r[%zero] : memref<4xf32>
  return %v : f32
}

// -----

// The condition of the branch is known behind it: what was chosen by it is the buffer in one block, and not in the other.
// left: nothing
func.func @known_behind_a_branch(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %m : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %s, %m : memref<4xf32> to memref<4xf32>
  return
^bb2:
  memref.copy %m, %s : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Of a condition and its negation one holds: what one `scf.if` brings or the other is freed once.
// left: nothing
func.func @condition_and_negation(%c: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %x = arith.select %c, %a, %m : memref<4xf32>
  %y = arith.select %not, %a, %o : memref<4xf32>
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  memref.copy %y, %o : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What two selects with one condition return is the one buffer and the other. That is not seen.
// left: clones 2
func.func @swapped(%c: i1, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %x = arith.select %c, %a, %b : memref<4xf32>
  %y = arith.select %c, %b, %a : memref<4xf32>
  return %x, %y : memref<4xf32>, memref<4xf32>
}
// -----
// Two halves of one buffer that change places in a loop: it is freed by its own name.
// left:
func.func @halves(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<2x4xf32>
  %h0 = memref.subview %b[0, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1]>>
  %h1 = memref.subview %b[1, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %g0 = memref.cast %h0 : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[1], offset: ?>>
  %g1 = memref.cast %h1 : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1], offset: ?>>
  memref.store %v, %g0[%c0] : memref<4xf32, strided<[1], offset: ?>>
  memref.store %v, %g1[%c0] : memref<4xf32, strided<[1], offset: ?>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %g0, %y = %g1) -> (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>) {
    %f = memref.load %x[%c0] : memref<4xf32, strided<[1], offset: ?>>
    %g = memref.load %y[%c0] : memref<4xf32, strided<[1], offset: ?>>
    %s = arith.addf %f, %g : f32
    memref.store %s, %y[%c0] : memref<4xf32, strided<[1], offset: ?>>
    scf.yield %y, %x : memref<4xf32, strided<[1], offset: ?>>, memref<4xf32, strided<[1], offset: ?>>
  }
  %f = memref.load %r#1[%c0] : memref<4xf32, strided<[1], offset: ?>>
  return %f : f32
}
// -----
// One buffer by two names in loops of blocks, one of which is left by it.
// left:
func.func @names_in_blocks(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %false = arith.constant false
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  cf.cond_br %c, ^loop(%a, %a, %c : memref<4xf32>, memref<4xf32>, i1), ^out
^loop(%x: memref<4xf32>, %y: memref<4xf32>, %again: i1):
  %f = memref.load %x[%c0] : memref<4xf32>
  %s = arith.addf %f, %v : f32
  memref.store %s, %y[%c0] : memref<4xf32>
  cf.cond_br %again, ^loop(%y, %x, %false : memref<4xf32>, memref<4xf32>, i1), ^behind(%y : memref<4xf32>)
^behind(%z: memref<4xf32>):
  %g = memref.load %z[%c0] : memref<4xf32>
  return %g : f32
^out:
  return %v : f32
}
// -----
// One of two names of a buffer gets new ones in a loop: only that needs an i1.
// left: i1s 2, conditionals 2
func.func @one_of_two_is_replaced(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (memref<4xf32>, memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    %f = memref.load %x[%c0] : memref<4xf32>
    memref.store %f, %b[%c0] : memref<4xf32>
    scf.yield %x, %b : memref<4xf32>, memref<4xf32>
  }
  %f = memref.load %r#1[%c0] : memref<4xf32>
  return %f : f32
}
// -----
// What goes out of the scope of its name is handed over; whichever way it comes, it comes by both names.
// left:
func.func @out_of_scope_by_two_names(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %r:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    scf.yield %a, %a : memref<4xf32>, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%c0] : memref<4xf32>
    scf.yield %b, %b : memref<4xf32>, memref<4xf32>
  }
  memref.store %v, %r#0[%c0] : memref<4xf32>
  %f = memref.load %r#1[%c0] : memref<4xf32>
  return %f : f32
}
// -----
// A loop carries a buffer unchanged, which is used by its own name behind that and returned by the other.
// left:
func.func @carried_and_returned(%n: index, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
    %f = memref.load %x[%c0] : memref<4xf32>
    memref.store %f, %x[%c1] : memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  %g = memref.load %a[%c1] : memref<4xf32>
  return %g, %r : f32, memref<4xf32>
}
// -----
// The same by blocks.
// left:
func.func @joined_and_returned(%c: i1, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^left(%a : memref<4xf32>), ^join(%a : memref<4xf32>)
^left(%s: memref<4xf32>):
  memref.copy %p, %s : memref<4xf32> to memref<4xf32>
  cf.br ^join(%s : memref<4xf32>)
^join(%t: memref<4xf32>):
  %x = memref.load %a[%c0] : memref<4xf32>
  return %x, %t : f32, memref<4xf32>
}

// -----

// What would be freed on an i1 that chooses the region is freed there, or is not ours: nothing is left to the run.
// left: nothing
func.func @known_in_region(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %s = scf.if %c -> (memref<4xf32>) {
    memref.copy %r, %m : memref<4xf32> to memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %r, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    memref.copy %r, %m : memref<4xf32> to memref<4xf32>
    scf.yield %r : memref<4xf32>
  }
  scf.if %c {
    memref.copy %s, %m : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// The same by blocks.
// left: nothing
func.func @known_in_blocks(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^own, ^lent
^own:
  cf.br ^join(%a : memref<4xf32>)
^lent:
  cf.br ^join(%m : memref<4xf32>)
^join(%r: memref<4xf32>):
  memref.copy %m, %r : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^left, ^right
^left:
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  cf.br ^end
^right:
  memref.copy %m, %r : memref<4xf32> to memref<4xf32>
  cf.br ^end
^end:
  return
}
