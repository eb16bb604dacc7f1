// A private function that returns one of two arguments: what is returned is only read, so it is neither buffer's copy.
func.func private @one_of(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = arith.select %c, %x, %y : memref<4xf32>
  return %s : memref<4xf32>
}
func.func @reads_one_of(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %r = call @one_of(%c, %a, %b) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The same, round a loop.
func.func private @turn(%n: index, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%u = %x, %v = %y) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %v, %u : memref<4xf32>, memref<4xf32>
  }
  return %p : memref<4xf32>
}
func.func @reads_turned(%n: index, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = call @turn(%n, %a, %m) : (index, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What is returned is handed on where the names of both end: it has to be a buffer of its own.
func.func private @picked(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  %s = arith.select %c, %x, %y : memref<4xf32>
  return %s : memref<4xf32>
}
func.func @hands_on_one_of(%c: i1, %m: memref<4xf32>) {
  %t = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    %r = func.call @picked(%c, %a, %m) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %r : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  memref.copy %t, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// What is called frees its argument where an i1 holds that never does, and gives it back; the caller frees that by hand, under an i1, too.
func.func private @never_frees(%c: i1, %x: memref<4xf32>) -> memref<4xf32> {
  %false = arith.constant false
  %never = arith.andi %false, %c : i1
  scf.if %never {
    memref.dealloc %x : memref<4xf32>
  }
  %y = arith.select %c, %x, %x : memref<4xf32>
  return %y : memref<4xf32>
}
func.func @frees_by_hand_what_it_gave(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %r : memref<4xf32>
  }
  %s = call @never_frees(%c, %a) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %s, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
