// Private functions that take arguments over: the text frees them there, on some paths, or further down.
func.func private @frees(%c: i1, %x: memref<4xf32>, %m: memref<4xf32>) {
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %x : memref<4xf32>
  return
^bb2:
  return
}
func.func private @passes_on(%c: i1, %x: memref<4xf32>, %m: memref<4xf32>) {
  scf.if %c {
    func.call @frees(%c, %x, %m) : (i1, memref<4xf32>, memref<4xf32>) -> ()
  }
  return
}
func.func @given_on_some_paths(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  call @passes_on(%c, %a, %m) : (i1, memref<4xf32>, memref<4xf32>) -> ()
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  scf.if %c {
    func.call @frees(%c, %b, %m) : (i1, memref<4xf32>, memref<4xf32>) -> ()
  }
  return
}

// -----

// A buffer that is replaced at times goes round a loop.
func.func private @grown(%c: i1, %x: memref<?xf32>, %n: index) -> memref<?xf32> {
  cf.cond_br %c, ^bb1, ^bb2(%x : memref<?xf32>)
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.dealloc %x : memref<?xf32>
  cf.br ^bb2(%a : memref<?xf32>)
^bb2(%r: memref<?xf32>):
  return %r : memref<?xf32>
}
func.func @grown_in_a_loop(%c: i1, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %a = memref.alloc(%four) : memref<?xf32>
  memref.copy %m, %a : memref<4xf32> to memref<?xf32>
  %r = scf.for %i = %zero to %four step %one iter_args(%p = %a) -> (memref<?xf32>) {
    %q = func.call @grown(%c, %p, %four) : (i1, memref<?xf32>, index) -> memref<?xf32>
    scf.yield %q : memref<?xf32>
  }
  memref.copy %r, %m : memref<?xf32> to memref<4xf32>
  return
}
