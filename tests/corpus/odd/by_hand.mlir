// What is deallocated by hand meets what is not.

// mlir: right
func.func @in_a_block_argument(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb1(%b : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  %r = memref.load %x[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func @behind_a_join(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.br ^bb3(%a : memref<4xf32>)
^bb2:
  cf.br ^bb3(%b : memref<4xf32>)
^bb3(%x: memref<4xf32>):
  %r = memref.load %x[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func @in_another_block(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %x : f32
^bb2:
  %y = memref.load %b[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %y : f32
}

// -----

// mlir: right
func.func @in_a_branch(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %s = scf.if %c -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%c0] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %r = memref.load %s[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func @around_a_loop(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %p, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %r = memref.load %s[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func @selected(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  %r = memref.load %s[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func private @pass(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @through_a_call(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %s = call @pass(%a) : (memref<4xf32>) -> memref<4xf32>
  %r = memref.load %s[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func @two_ways(%c: i1, %d: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.cond_br %c, ^bb1(%a, %b : memref<4xf32>, memref<4xf32>), ^bb1(%b, %a : memref<4xf32>, memref<4xf32>)
^bb1(%x: memref<4xf32>, %y: memref<4xf32>):
  cf.cond_br %d, ^bb2(%x : memref<4xf32>), ^bb2(%y : memref<4xf32>)
^bb2(%z: memref<4xf32>):
  %r = memref.load %z[%c0] : memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}

// -----

// mlir: right
func.func @inside_a_branch(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.br ^bb1(%b : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  %r = memref.load %x[%c0] : memref<4xf32>
  scf.if %c {
    memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  } else {
    memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  }
  return %r : f32
}

// -----

// mlir: right
func.func @a_view_of_it(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  %p = memref.cast %a : memref<4xf32> to memref<?xf32>
  %q = memref.cast %b : memref<4xf32> to memref<?xf32>
  cf.cond_br %c, ^bb1(%p : memref<?xf32>), ^bb1(%q : memref<?xf32>)
^bb1(%x: memref<?xf32>):
  %r = memref.load %x[%c0] : memref<?xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %r : f32
}
