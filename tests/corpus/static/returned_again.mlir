// One buffer by two results: what is written by one name is read by the other.
func.func private @twice() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %a, %a : memref<4xf32>, memref<4xf32>
}
func.func @writes_one(%v: f32, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %x, %y = call @twice() : () -> (memref<4xf32>, memref<4xf32>)
  memref.copy %m, %x : memref<4xf32> to memref<4xf32>
  memref.store %v, %y[%zero] : memref<4xf32>
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A part of it, which no clone could be.
func.func private @whole_and_part(%m: memref<4xf32>) -> (memref<4xf32>, memref<2xf32, strided<[1], offset: 2>>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %p = memref.subview %a[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %a, %p : memref<4xf32>, memref<2xf32, strided<[1], offset: 2>>
}
func.func @writes_the_part(%v: f32, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %x, %y = call @whole_and_part(%m) : (memref<4xf32>) -> (memref<4xf32>, memref<2xf32, strided<[1], offset: 2>>)
  memref.store %v, %y[%zero] : memref<2xf32, strided<[1], offset: 2>>
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// A choice, on each of two paths, and handed on by another function.
func.func private @chosen(%c: i1, %d: i1, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a, %a : memref<4xf32>, memref<4xf32>
^bb2:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %d, %a, %b : memref<4xf32>
  return %s, %s : memref<4xf32>, memref<4xf32>
}
func.func private @hands_on(%c: i1, %d: i1, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %x, %y = call @chosen(%c, %d, %m) : (i1, i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  return %y, %x : memref<4xf32>, memref<4xf32>
}
func.func @writes_and_reads(%c: i1, %d: i1, %v: f32, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %x, %y = call @hands_on(%c, %d, %m) : (i1, i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.store %v, %x[%zero] : memref<4xf32>
  memref.copy %y, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// An argument or a new buffer, twice: one i1 says which.
func.func private @old_or_new(%c: i1, %x: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %x, %a : memref<4xf32>
  return %s, %s : memref<4xf32>, memref<4xf32>
}
func.func @writes_old_or_new(%c: i1, %v: f32, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %x, %y = call @old_or_new(%c, %b) : (i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.store %v, %y[%zero] : memref<4xf32>
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  memref.copy %b, %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// One buffer on some path only: the first result is a clone there, which callers that only read cannot tell.
func.func private @perhaps_twice(%c: i1, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  return %s, %a : memref<4xf32>, memref<4xf32>
}
func.func @reads_both(%c: i1, %m: memref<4xf32>) {
  %x, %y = call @perhaps_twice(%c, %m) : (i1, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  memref.copy %y, %m : memref<4xf32> to memref<4xf32>
  return
}
