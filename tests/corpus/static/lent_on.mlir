// What is lent to a buffer that lends it on: it is needed as long as the last of them is.

// %x borrows from %a, %r from %x. On the way to ^bb4 neither %a nor %x is needed any more by its own name, but %r is.
func.func @by_the_borrower(%c: i1, %d: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  cf.cond_br %c, ^bb2(%x : memref<4xf32>), ^bb5
^bb2(%r: memref<4xf32>):
  cf.cond_br %d, ^bb3, ^bb4
^bb3:
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return
^bb4:
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
^bb5:
  return
}

// -----

// %a goes on as %y beside %r, which may be %a by way of %x.
func.func @beside_the_lender(%n: index, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb1(%n, %a : index, memref<4xf32>)
^bb1(%k: index, %x: memref<4xf32>):
  %r, %q = scf.for %i = %zero to %n step %one iter_args(%p = %m, %o = %x) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %o, %p : memref<4xf32>, memref<4xf32>
  }
  %less = arith.subi %k, %one : index
  %more = arith.cmpi sgt, %k, %zero : index
  cf.cond_br %more, ^bb1(%less, %x : index, memref<4xf32>), ^bb2(%a, %r : memref<4xf32>, memref<4xf32>)
^bb2(%y: memref<4xf32>, %z: memref<4xf32>):
  memref.copy %y, %m : memref<4xf32> to memref<4xf32>
  memref.copy %z, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// %r may be %q, which %s borrows then, and %x after it; and %x lends to %y on one way: none of that frees %r twice.
func.func @by_an_argument(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %q = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %m, %q : memref<4xf32> to memref<4xf32>
  %r, %s = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %q, %q : memref<4xf32>, memref<4xf32>
  } else {
    scf.yield %a, %q : memref<4xf32>, memref<4xf32>
  }
  cf.cond_br %c, ^bb1, ^bb2(%a, %a : memref<4xf32>, memref<4xf32>)
^bb1:
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb2(%s, %a : memref<4xf32>, memref<4xf32>)
^bb2(%x: memref<4xf32>, %y: memref<4xf32>):
  memref.copy %y, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// %x and %y may be the same buffer, %a or %b, whose names end in the region. %r gets it, and %s is used after %r.
func.func @beside_where_names_end(%c: i1, %d: i1, %m: memref<4xf32>) {
  %r, %s = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    %x = arith.select %d, %a, %b : memref<4xf32>
    %y = arith.select %c, %a, %b : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    scf.yield %x, %y : memref<4xf32>, memref<4xf32>
  } else {
    scf.yield %m, %m : memref<4xf32>, memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  memref.copy %s, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The same, and %s goes on where the name %r ends: whether it is %r has to be known.
func.func @beside_and_on(%c: i1, %d: i1, %m: memref<4xf32>) {
  %t = scf.if %d -> (memref<4xf32>) {
    %r, %s = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      %b = memref.alloc() : memref<4xf32>
      memref.copy %m, %a : memref<4xf32> to memref<4xf32>
      memref.copy %m, %b : memref<4xf32> to memref<4xf32>
      %x = arith.select %d, %a, %b : memref<4xf32>
      %y = arith.select %c, %a, %b : memref<4xf32>
      memref.copy %a, %b : memref<4xf32> to memref<4xf32>
      scf.yield %x, %y : memref<4xf32>, memref<4xf32>
    } else {
      scf.yield %m, %m : memref<4xf32>, memref<4xf32>
    }
    memref.copy %r, %m : memref<4xf32> to memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What a loop is lent in each iteration goes from one of its arguments to the other: both may be it where its name ends.
func.func @through_arguments(%c: i1, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    %p, %q = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %m, %y = %m) -> (memref<4xf32>, memref<4xf32>) {
      scf.yield %y, %b : memref<4xf32>, memref<4xf32>
    }
    scf.yield %p : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}
