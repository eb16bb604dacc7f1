// Reallocations by what is known of the sizes.

func.func @unknown(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %r = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}

func.func @aligned(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %r = memref.realloc %m(%n) {alignment = 16} : memref<?xf32> to memref<?xf32>
  return %r : memref<?xf32>
}

func.func @to_stated(%m: memref<?xi8, 2>) -> memref<4xi8, 2> {
  %r = memref.realloc %m : memref<?xi8, 2> to memref<4xi8, 2>
  return %r : memref<4xi8, 2>
}

func.func @from_stated(%m: memref<4xf32>, %n: index) -> memref<?xf32> {
  %r = memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>
  return %r : memref<?xf32>
}

func.func @grows(%m: memref<4xf32>) -> memref<8xf32> {
  %r = memref.realloc %m {alignment = 64 : i64} : memref<4xf32> to memref<8xf32>
  return %r : memref<8xf32>
}

func.func @stays(%m: memref<4xf32>) -> memref<4xf32> {
  %r = memref.realloc %m : memref<4xf32> to memref<4xf32>
  return %r : memref<4xf32>
}

func.func @twice(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xf32>
  %r = memref.realloc %m : memref<?xf32> to memref<8xf32>
  %s = memref.realloc %r(%n) : memref<8xf32> to memref<?xf32>
  %x = memref.load %s[%c0] : memref<?xf32>
  return %x : f32
}

func.func @in_a_loop(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (memref<?xf32>) {
    %b = memref.realloc %a(%i) : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}
