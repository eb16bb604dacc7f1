// Where control never comes, values may be made of each other.

// mlir: right
func.func @reallocations(%m: memref<4xf32>) {
  return
^bb1:
  %a = memref.realloc %b : memref<4xf32> to memref<8xf32>
  %b = memref.realloc %a : memref<8xf32> to memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @reallocations_of_one_type(%m: memref<4xf32>) {
  return
^bb1:
  %a = memref.realloc %b : memref<4xf32> to memref<4xf32>
  %b = memref.realloc %c : memref<4xf32> to memref<4xf32>
  %c = memref.realloc %a : memref<4xf32> to memref<4xf32>
  return
}

// -----

// mlir: right
func.func @reallocations_at_run_time(%m: memref<4xf32>, %n: index) {
  return
^bb1:
  %a = memref.realloc %b(%n) : memref<?xf32> to memref<?xf32>
  %b = memref.realloc %a(%n) : memref<?xf32> to memref<?xf32>
  cf.br ^bb2
^bb2:
  cf.br ^bb1
}

// -----

// mlir: right
func.func @of_itself(%m: memref<4xf32>) {
  return
^bb1:
  %a = memref.realloc %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb2(%a : memref<4xf32>)
^bb2(%x: memref<4xf32>):
  return
}

// -----

// mlir: right
func.func @casts(%m: memref<4xf32>) {
  return
^bb1:
  %v = memref.cast %w : memref<?xf32> to memref<4xf32>
  %w = memref.cast %v : memref<4xf32> to memref<?xf32>
  cf.br ^bb2
^bb2:
  cf.br ^bb3(%v : memref<4xf32>)
^bb3(%x: memref<4xf32>):
  return
}

// -----

// mlir: right
func.func @clones(%m: memref<4xf32>) {
  return
^bb1:
  %v = bufferization.clone %w : memref<4xf32> to memref<4xf32>
  %w = bufferization.clone %v : memref<4xf32> to memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @choices(%m: memref<4xf32>) {
  return
^bb1:
  %o = arith.xori %o, %p : i1
  %p = arith.andi %o, %p : i1
  %v = arith.select %o, %w, %v : memref<4xf32>
  %w = arith.select %p, %v, %a : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %o, ^bb1, ^bb2(%v : memref<4xf32>)
^bb2(%x: memref<4xf32>):
  return
}

// -----

// mlir: right
func.func @arguments(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
^bb1(%a: memref<4xf32>):
  %b = memref.alloc() : memref<4xf32>
  cf.br ^bb2(%b : memref<4xf32>)
^bb2(%c: memref<4xf32>):
  memref.copy %c, %b : memref<4xf32> to memref<4xf32>
  cf.br ^bb1(%c : memref<4xf32>)
}

// -----

// mlir: right
func.func @in_a_region(%m: memref<4xf32>) {
  scf.execute_region {
    scf.yield
  ^bb1:
    %a = memref.realloc %b : memref<4xf32> to memref<4xf32>
    %b = memref.realloc %a : memref<4xf32> to memref<4xf32>
    cf.br ^bb1
  }
  return
}

// -----

// mlir: right
func.func @with_what_is_used(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<4xf32>
  memref.copy %m, %o : memref<4xf32> to memref<4xf32>
  cf.br ^bb2
^bb1:
  %a = memref.realloc %b : memref<4xf32> to memref<8xf32>
  %b = memref.realloc %a : memref<8xf32> to memref<4xf32>
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>
  cf.br ^bb2
^bb2:
  %x = memref.load %o[%c0] : memref<4xf32>
  return %x : f32
}
