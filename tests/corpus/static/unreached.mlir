// A block that control never comes to hands on an i1, too, where the block behind it gets one.
func.func @switched(%n: i32, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.switch %n : i32, [default: ^bb1, 0: ^bb3(%m : memref<4xf32>), 1: ^bb4]
^bb1:
  cf.br ^bb3(%a : memref<4xf32>)
^bb2:
  cf.br ^bb3(%m : memref<4xf32>)
^bb3(%r: memref<4xf32>):
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb4
^bb4:
  return
}

// -----

// A call in such a block gets the i1 that the function returns.
func.func private @either(%c: i1, %d: i1, %p: memref<4xf32>) -> memref<4xf32> {
  %e = arith.andi %c, %d : i1
  cf.cond_br %e, ^bb1, ^bb2
^bb1:
  return %p : memref<4xf32>
^bb2:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
}
func.func @called(%c: i1, %d: i1, %m: memref<4xf32>) {
  %r = call @either(%c, %d, %m) : (i1, i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
^bb1:
  %b = memref.alloc() : memref<4xf32>
  %s = call @either(%c, %d, %b) : (i1, i1, memref<4xf32>) -> memref<4xf32>
  cf.br ^bb1
}

// -----

// What is freed there, by hand or by a call, is freed where control comes to as well.
func.func private @takes(%p: memref<4xf32>, %m: memref<4xf32>) {
  memref.copy %p, %m : memref<4xf32> to memref<4xf32>
  return
^bb1:
  memref.dealloc %p : memref<4xf32>
  return
}
func.func @freed(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  call @takes(%a, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return
^bb1:
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  call @takes(%a, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^bb1
}

// -----

// What goes with the argument of a loop says whether it is the buffer from before.
func.func @kept(%n: index, %c: i1, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb2(%n, %a : index, memref<4xf32>)
^bb1:
  cf.br ^bb2(%n, %m : index, memref<4xf32>)
^bb2(%i: index, %r: memref<4xf32>):
  %more = arith.cmpi ugt, %i, %zero : index
  cf.cond_br %more, ^bb3, ^bb5
^bb3:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %r, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %r, %b : memref<4xf32>
  %j = arith.subi %i, %one : index
  cf.br ^bb2(%j, %s : index, memref<4xf32>)
^bb4:
  cf.br ^bb2(%n, %a : index, memref<4xf32>)
^bb5:
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
