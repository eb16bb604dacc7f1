// Buffers that go crosswise: by edges, by loops, and by functions that give back what they are given.

// Two edges to one block, which hand over buffers crosswise.
func.func @same_target_twice(%c: i1, %d: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  cf.cond_br %c, ^bb1(%a, %b : memref<4xi64>, memref<4xi64>), ^bb1(%b, %b : memref<4xi64>, memref<4xi64>)
^bb1(%x: memref<4xi64>, %y: memref<4xi64>):
  cf.cond_br %d, ^bb2(%x : memref<4xi64>), ^bb2(%y : memref<4xi64>)
^bb2(%z: memref<4xi64>):
  %r = memref.load %z[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// Two cases of a switch go to one block, a third uses one of the buffers itself.
func.func @switch_same(%f: i32, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  cf.switch %f : i32, [
    default: ^bb1(%a : memref<4xi64>),
    0: ^bb1(%b : memref<4xi64>),
    1: ^bb2
  ]
^bb1(%z: memref<4xi64>):
  %r = memref.load %z[%c0] : memref<4xi64>
  return %r : i64
^bb2:
  %q = memref.load %a[%c0] : memref<4xi64>
  return %q : i64
}

// -----

// What goes on into the loop is not what leaves it.
func.func @while_swaps(%n: index, %k: i64, %l: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%l : i64) outs(%b : memref<4xi64>)
  %i, %x, %y = scf.while (%j = %c0, %u = %a, %v = %b) : (index, memref<4xi64>, memref<4xi64>) -> (index, memref<4xi64>, memref<4xi64>) {
    %more = arith.cmpi slt, %j, %n : index
    scf.condition(%more) %j, %v, %u : index, memref<4xi64>, memref<4xi64>
  } do {
  ^bb0(%j: index, %u: memref<4xi64>, %v: memref<4xi64>):
    %t = memref.alloc() : memref<4xi64>
    memref.copy %u, %t : memref<4xi64> to memref<4xi64>
    %next = arith.addi %j, %c1 : index
    scf.yield %next, %v, %t : index, memref<4xi64>, memref<4xi64>
  }
  %r = memref.load %x[%c0] : memref<4xi64>
  %s = memref.load %y[%c0] : memref<4xi64>
  %t = arith.subi %r, %s : i64
  return %t : i64
}

// -----

// The loop starts anew from the same buffer, and drops what it made.
func.func @while_drops(%n: index, %k: i64, %l: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %i, %x = scf.while (%j = %c0, %u = %a) : (index, memref<4xi64>) -> (index, memref<4xi64>) {
    %more = arith.cmpi slt, %j, %n : index
    %t = memref.alloc() : memref<4xi64>
    memref.copy %u, %t : memref<4xi64> to memref<4xi64>
    scf.condition(%more) %j, %t : index, memref<4xi64>
  } do {
  ^bb0(%j: index, %u: memref<4xi64>):
    %next = arith.addi %j, %c1 : index
    scf.yield %next, %a : index, memref<4xi64>
  }
  %r = memref.load %x[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// A loop with two entries, into which different buffers come.
func.func @irreducible(%c: i1, %n: index, %k: i64, %m: memref<4xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  cf.cond_br %c, ^bb1(%c0, %a : index, memref<4xi64>), ^bb2(%c0, %m : index, memref<4xi64>)
^bb1(%i: index, %x: memref<4xi64>):
  %b = memref.alloc() : memref<4xi64>
  memref.copy %x, %b : memref<4xi64> to memref<4xi64>
  %i1 = arith.addi %i, %c1 : index
  cf.br ^bb2(%i1, %b : index, memref<4xi64>)
^bb2(%j: index, %y: memref<4xi64>):
  %more = arith.cmpi slt, %j, %n : index
  cf.cond_br %more, ^bb1(%j, %y : index, memref<4xi64>), ^bb3
^bb3:
  %r = memref.load %y[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// The names of the buffers end on each way round, in another order.
func.func @names_end_in_a_loop(%n: index, %c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%s : memref<4xi64>)
  cf.br ^bb1(%c0, %s, %s : index, memref<4xi64>, memref<4xi64>)
^bb1(%i: index, %x: memref<4xi64>, %y: memref<4xi64>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^bb2, ^bb4
^bb2:
  %a = memref.alloc() : memref<4xi64>
  memref.copy %x, %a : memref<4xi64> to memref<4xi64>
  %j = arith.addi %i, %c1 : index
  cf.cond_br %c, ^bb1(%j, %a, %x : index, memref<4xi64>, memref<4xi64>), ^bb3(%a, %y : memref<4xi64>, memref<4xi64>)
^bb3(%p: memref<4xi64>, %q: memref<4xi64>):
  cf.br ^bb1(%j, %q, %p : index, memref<4xi64>, memref<4xi64>)
^bb4:
  %e = memref.load %x[%c0] : memref<4xi64>
  %f = memref.load %y[%c0] : memref<4xi64>
  %g = arith.addi %e, %f : i64
  return %g : i64
}

// -----

// Two results may be the same buffer, which goes round under three names.
func.func @for_pairs(%n: index, %c: i1, %m: memref<4xi64>, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %y = %m, %z = %m) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>) {
    %a = memref.alloc() : memref<4xi64>
    memref.copy %x, %a : memref<4xi64> to memref<4xi64>
    %o:2 = scf.if %c -> (memref<4xi64>, memref<4xi64>) {
      scf.yield %a, %x : memref<4xi64>, memref<4xi64>
    } else {
      scf.yield %y, %a : memref<4xi64>, memref<4xi64>
    }
    scf.yield %o#0, %o#1, %o#0 : memref<4xi64>, memref<4xi64>, memref<4xi64>
  }
  %e = memref.load %r#0[%c0] : memref<4xi64>
  %f = memref.load %r#1[%c0] : memref<4xi64>
  %h = memref.load %r#2[%c0] : memref<4xi64>
  %g = arith.addi %e, %f : i64
  %t = arith.addi %g, %h : i64
  return %t : i64
}

// -----

// Three names for two buffers, of which either may be the last to be used.
func.func @borrowed_chain(%c: i1, %d: i1, %m: memref<4xi64>, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  cf.cond_br %c, ^bb1(%a, %b : memref<4xi64>, memref<4xi64>), ^bb1(%b, %m : memref<4xi64>, memref<4xi64>)
^bb1(%x: memref<4xi64>, %y: memref<4xi64>):
  %v = memref.load %a[%c0] : memref<4xi64>
  cf.cond_br %d, ^bb2(%y, %x, %x : memref<4xi64>, memref<4xi64>, memref<4xi64>), ^bb2(%x, %y, %y : memref<4xi64>, memref<4xi64>, memref<4xi64>)
^bb2(%p: memref<4xi64>, %q: memref<4xi64>, %r: memref<4xi64>):
  %u = memref.load %b[%c0] : memref<4xi64>
  cf.br ^bb3(%q, %p : memref<4xi64>, memref<4xi64>)
^bb3(%s: memref<4xi64>, %t: memref<4xi64>):
  %e = memref.load %s[%c0] : memref<4xi64>
  cf.cond_br %c, ^bb4, ^bb5(%t : memref<4xi64>)
^bb4:
  %f = memref.load %r[%c0] : memref<4xi64>
  return %f : i64
^bb5(%z: memref<4xi64>):
  %g = memref.load %z[%c0] : memref<4xi64>
  return %g : i64
}

// -----

// A block that comes after itself swaps what it carries.
func.func @loop_of_one_block(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  cf.br ^bb1(%c0, %a, %b, %a : index, memref<4xi64>, memref<4xi64>, memref<4xi64>)
^bb1(%i: index, %x: memref<4xi64>, %y: memref<4xi64>, %z: memref<4xi64>):
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %j, %n : index
  %u = memref.load %z[%c0] : memref<4xi64>
  cf.cond_br %more, ^bb1(%j, %y, %x, %y : index, memref<4xi64>, memref<4xi64>, memref<4xi64>), ^bb2(%z : memref<4xi64>)
^bb2(%w: memref<4xi64>):
  %v = memref.load %w[%c0] : memref<4xi64>
  %s = memref.load %x[%c0] : memref<4xi64>
  %t = arith.addi %v, %s : i64
  return %t : i64
}

// -----

// Two functions that call each other give back either argument.
func.func private @even(%n: index, %a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %z, ^bb1(%a : memref<4xi64>), ^bb2
^bb1(%r: memref<4xi64>):
  return %r : memref<4xi64>
^bb2:
  %p = arith.subi %n, %c1 : index
  %q = call @odd(%p, %b, %a) : (index, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  cf.br ^bb1(%q : memref<4xi64>)
}
func.func private @odd(%n: index, %a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %z -> memref<4xi64> {
    scf.yield %b : memref<4xi64>
  } else {
    %p = arith.subi %n, %c1 : index
    %q = func.call @even(%p, %b, %a) : (index, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    scf.yield %q : memref<4xi64>
  }
  return %r : memref<4xi64>
}
func.func @mutual(%n: index, %k: i64, %l: i64, %c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%l : i64) outs(%b : memref<4xi64>)
  %r = call @even(%n, %a, %b) : (index, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  %y = memref.load %r[%c0] : memref<4xi64>
  return %y : i64
}

// -----

// A function gives back what goes round, or what is new.
func.func private @either(%a: memref<4xi64>, %b: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r : memref<4xi64>
}
func.func @either_of_receivers(%c: i1, %n: index, %k: i64, %l: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%w = %a) -> memref<4xi64> {
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%l : i64) outs(%b : memref<4xi64>)
    %v = func.call @either(%w, %b, %c) : (memref<4xi64>, memref<4xi64>, i1) -> memref<4xi64>
    %x = memref.load %v[%c0] : memref<4xi64>
    memref.store %x, %b[%c0] : memref<4xi64>
    scf.yield %b : memref<4xi64>
  }
  %r = memref.load %z[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// A function gives back both its arguments, swapped, each time round.
func.func private @swap(%a: memref<4xi64>, %b: memref<4xi64>) -> (memref<4xi64>, memref<4xi64>) {
  return %b, %a : memref<4xi64>, memref<4xi64>
}
func.func @swapped_in_a_loop(%n: index, %k: i64, %l: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%l : i64) outs(%b : memref<4xi64>)
  %x, %y = scf.for %i = %c0 to %n step %c1 iter_args(%u = %a, %v = %b) -> (memref<4xi64>, memref<4xi64>) {
    %p, %q = func.call @swap(%u, %v) : (memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, memref<4xi64>)
    scf.yield %p, %q : memref<4xi64>, memref<4xi64>
  }
  %r = memref.load %x[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// A region with several ends, each of which hands out other buffers.
func.func @execute_region_out(%c: i1, %d: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %r, %s = scf.execute_region -> (memref<4xi64>, memref<4xi64>) {
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
    cf.cond_br %c, ^bb1(%a : memref<4xi64>), ^bb2
  ^bb1(%x: memref<4xi64>):
    cf.cond_br %d, ^bb2, ^bb3
  ^bb2:
    scf.yield %b, %a : memref<4xi64>, memref<4xi64>
  ^bb3:
    scf.yield %x, %x : memref<4xi64>, memref<4xi64>
  }
  %x = memref.load %r[%c0] : memref<4xi64>
  %y = memref.load %s[%c0] : memref<4xi64>
  %t = arith.addi %x, %y : i64
  return %t : i64
}

// -----

// A function gives back what another gives back.
func.func private @either(%a: memref<4xi64>, %b: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r : memref<4xi64>
}
func.func private @wrap(%a: memref<4xi64>, %b: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %r = call @either(%b, %a, %c) : (memref<4xi64>, memref<4xi64>, i1) -> memref<4xi64>
  return %r : memref<4xi64>
}
func.func @wrapped_with_new(%c: i1, %k: i64, %m: memref<4xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %r = call @wrap(%a, %m, %c) : (memref<4xi64>, memref<4xi64>, i1) -> memref<4xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = memref.load %r[%c0] : memref<4xi64>
  return %x : i64
^bb2:
  %s = call @wrap(%r, %r, %c) : (memref<4xi64>, memref<4xi64>, i1) -> memref<4xi64>
  %y = memref.load %s[%c0] : memref<4xi64>
  return %y : i64
}
