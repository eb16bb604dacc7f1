// The reduction of scf.parallel is a terminator with regions: what they use is used after the operations of the block.

// mlir: right
func.func @of_a_buffer_from_outside(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %o = memref.alloc() : memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %o[%c1] : memref<4xf32>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: right
func.func @of_an_argument(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    %w = memref.load %a[%i] : memref<4xf32>
    scf.reduce(%w : f32) {
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %m[%c1] : memref<4xf32>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: right
func.func @with_a_buffer_of_its_own(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %s: f32):
      %a = memref.alloc() : memref<4xf32>
      memref.copy %m, %a : memref<4xf32> to memref<4xf32>
      %v = memref.load %a[%c1] : memref<4xf32>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: right
func.func @in_a_branch_of_the_reduction(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %o = memref.alloc() : memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %s: f32):
      %c = arith.cmpf olt, %l, %s : f32
      %t = scf.if %c -> f32 {
        %v = memref.load %o[%c1] : memref<4xf32>
        scf.yield %v : f32
      } else {
        scf.yield %s : f32
      }
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: right
func.func @twice(%m: memref<4xf32>, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %o = memref.alloc() : memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  %r:2 = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x, %x) -> (f32, f32) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %o, %a : memref<4xf32> to memref<4xf32>
    %w = memref.load %a[%i] : memref<4xf32>
    scf.reduce(%w, %x : f32, f32) {
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %o[%c1] : memref<4xf32>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }, {
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %o[%c0] : memref<4xf32>
      %t = arith.mulf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r#0, %r#1 : f32, f32
}

// -----

// mlir: right
func.func @of_a_view_from_outside(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %o = memref.alloc() : memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  %p = memref.subview %o[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %p[%c1] : memref<2xf32, strided<[1], offset: 1>>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: right
func.func @in_a_loop(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %k = %c0 to %c4 step %c1 iter_args(%y = %x) -> f32 {
    %o = memref.alloc() : memref<4xf32>
    memref.copy %m, %o : memref<4xf32> to memref<4xf32>
    %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%y) -> f32 {
      scf.reduce(%x : f32) {
      ^bb0(%l: f32, %s: f32):
        %v = memref.load %o[%k] : memref<4xf32>
        %t = arith.addf %l, %v : f32
        scf.reduce.return %t : f32
      }
    }
    scf.yield %r : f32
  }
  return %sum : f32
}
