// A buffer that may be returned as a choice is used by its own name before: it is freed behind that where it was not chosen.
func.func @given_or_new(%c: i1, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %p : memref<4xf32>
  %f = memref.load %a[%zero] : memref<4xf32>
  return %f, %s : f32, memref<4xf32>
}
// -----
// Either of two, both of which are used behind the choice.
func.func @one_of_two(%c: i1, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %p, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %b, %a : memref<4xf32>
  %f = memref.load %a[%zero] : memref<4xf32>
  memref.store %f, %b[%zero] : memref<4xf32>
  %g = memref.load %s[%zero] : memref<4xf32>
  %h = arith.addf %f, %g : f32
  return %h, %s : f32, memref<4xf32>
}
// -----
// It is owned on some paths only, and used for the last time inside of an operation: then the choice is cloned.
func.func @owned_at_times(%c: i1, %d: i1, %p: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  %a = scf.if %d -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %p, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %p : memref<4xf32>
  }
  %s = arith.select %c, %a, %p : memref<4xf32>
  memref.store %v, %a[%zero] : memref<4xf32>
  return %s : memref<4xf32>
}
func.func @inside(%c: i1, %d: i1, %p: memref<4xf32>) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %a, %p : memref<4xf32>
  scf.if %d {
    memref.store %v, %a[%zero] : memref<4xf32>
  }
  return %s : memref<4xf32>
}
// -----
// By regions: one way hands the buffer over, the other what the caller owns.
func.func @given_by_regions(%c: i1, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %s = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %p : memref<4xf32>
  }
  %f = memref.load %a[%zero] : memref<4xf32>
  return %f, %s : f32, memref<4xf32>
}
// -----
// Where the condition does not hold; the other way has a new one.
func.func @new_by_regions(%c: i1, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %p, %a : memref<4xf32> to memref<4xf32>
  %s = scf.if %c -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %p, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    %v = memref.load %a[%zero] : memref<4xf32>
    memref.store %v, %a[%zero] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  %f = memref.load %a[%zero] : memref<4xf32>
  memref.store %f, %s[%zero] : memref<4xf32>
  return %f, %s : f32, memref<4xf32>
}
// -----
// What is owned on some paths only.
func.func @at_times_by_regions(%c: i1, %d: i1, %p: memref<4xf32>) -> (f32, memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = scf.if %d -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %p, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %p : memref<4xf32>
  }
  %s = scf.if %c -> (memref<4xf32>) {
    scf.yield %p : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %f = memref.load %a[%zero] : memref<4xf32>
  return %f, %s : f32, memref<4xf32>
}
