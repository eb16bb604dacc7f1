// Deallocations under conditions that say nothing of what they free: code like any other, so the other paths get what they lack.

func.func @new_on_both_sides(%m: memref<4xf32>, %c: i1, %d: i1) -> f32 {
  %zero = arith.constant 0 : index
  %t = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %m, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %x = memref.load %t[%zero] : memref<4xf32>
  scf.if %d {
    memref.dealloc %t : memref<4xf32>
  }
  return %x : f32
}

// -----

func.func @in_a_loop(%m: memref<4xf32>, %d: i1) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %t = scf.for %i = %zero to %three step %one iter_args(%y = %a) -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %y, %b : memref<4xf32> to memref<4xf32>
    scf.if %d {
      memref.dealloc %y : memref<4xf32>
    }
    scf.yield %b : memref<4xf32>
  }
  %x = memref.load %t[%zero] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return %x : f32
}

// -----

// The condition is computed: it tells of numbers.
func.func @of_a_block(%m: memref<4xf32>, %c: i1, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2
^bb2:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  cf.br ^bb1(%b : memref<4xf32>)
^bb1(%t: memref<4xf32>):
  %x = memref.load %t[%zero] : memref<4xf32>
  %d = arith.cmpi sgt, %n, %zero : index
  scf.if %d {
    memref.dealloc %t : memref<4xf32>
  }
  return %x : f32
}
