// A buffer that a loop carries around unchanged is returned as it is; nothing is copied.

// mlir: right
func.func @returned(%v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  memref.store %v, %r[%c3] : memref<4xf32>
  return %r : memref<4xf32>
}

// -----

// mlir: right
func.func @through_two_loops(%v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c3] : memref<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %r) -> (memref<4xf32>) {
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %s : memref<4xf32>
}

// -----

// mlir: right
func.func @of_an_argument(%m: memref<4xf32>, %v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %m) -> (memref<4xf32>) {
    %x = memref.load %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// mlir: right
func.func @behind_a_branch(%c: i1, %v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.store %v, %a[%c1] : memref<4xf32>
  cf.br ^bb2
^bb2:
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}

// -----

// mlir: right
func.func @unchanged_in_one_branch_only(%c: i1, %v: f32) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
    %s = scf.if %c -> memref<4xf32> {
      %d = memref.alloc() : memref<4xf32>
      linalg.fill ins(%v : f32) outs(%d : memref<4xf32>)
      scf.yield %d : memref<4xf32>
    } else {
      scf.yield %b : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  return %r : memref<4xf32>
}
