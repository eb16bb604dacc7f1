// Deallocations that could come earlier.
func.func @late(%m: memref<4xf32>, %n: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %n : memref<4xf32> to memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
func.func @same_last_use(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}
func.func @views(%m: memref<4xf32>, %n: memref<4xf32>, %x: memref<?xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %v = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.copy %v, %x : memref<?xf32> to memref<?xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @regions(%c: i1, %n: index, %m: memref<4xf32>, %o: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  scf.for %i = %zero to %n step %one {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    scf.if %c {
      memref.copy %b, %o : memref<4xf32> to memref<4xf32>
    }
    memref.copy %o, %m : memref<4xf32> to memref<4xf32>
    memref.dealloc %b : memref<4xf32>
  }
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @in_another_block(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb1
^bb1:
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @freed_twice(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  } else {
    memref.copy %m, %m : memref<4xf32> to memref<4xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}
func.func @out_of_a_region(%c: i1, %m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %s = arith.select %c, %r, %m : memref<4xf32>
  memref.copy %s, %o : memref<4xf32> to memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func private @uses(memref<4xf32>) -> memref<4xf32>
func.func @by_a_call(%m: memref<4xf32>, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %r = call @uses(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @cloned(%m: memref<4xf32>) -> memref<4xf32> {
  %a = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}
// What is kept in memory is used where it is read from there.
func.func @kept(%m: memref<4xf32>, %o: memref<4xf32>) {
  %h = memref.alloc() : memref<memref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.store %a, %h[] : memref<memref<4xf32>>
  %r = memref.load %h[] : memref<memref<4xf32>>
  memref.copy %r, %o : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %h : memref<memref<4xf32>>
  return
}
