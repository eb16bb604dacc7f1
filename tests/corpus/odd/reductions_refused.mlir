// Nothing can free these at the right time: not ahead of the reduction, which uses them, and not behind it, where the block
// ends. MLIR 22.1 frees them ahead of it.

// mlir: wrong
func.func @of_a_buffer_of_the_body(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.reduce(%x : f32) {  // refused
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %a[%c1] : memref<4xf32>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: wrong
func.func @of_a_view_of_one(%m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    %p = memref.cast %a : memref<4xf32> to memref<?xf32>
    scf.reduce(%x : f32) {  // refused
    ^bb0(%l: f32, %s: f32):
      %c = arith.cmpf olt, %l, %s : f32
      %t = scf.if %c -> f32 {
        %v = memref.load %p[%c1] : memref<?xf32>
        scf.yield %v : f32
      } else {
        %w = memref.load %p[%c0] : memref<?xf32>
        scf.yield %w : f32
      }
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}

// -----

// mlir: wrong
func.func @of_a_choice(%c: i1, %m: memref<4xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%x) -> f32 {
    %p = scf.if %c -> memref<4xf32> {
      %a = memref.alloc() : memref<4xf32>
      memref.copy %m, %a : memref<4xf32> to memref<4xf32>
      scf.yield %a : memref<4xf32>
    } else {
      scf.yield %m : memref<4xf32>
    }
    scf.reduce(%x : f32) {  // refused
    ^bb0(%l: f32, %s: f32):
      %v = memref.load %p[%c1] : memref<4xf32>
      %t = arith.addf %l, %v : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}
