// What a loop starts with may be defined further down in the text.

// mlir: right
func.func @unused(%n: index, %v: f32) {
  cf.br ^bb2
^bb1:
  scf.for %i = %n to %n step %n iter_args(%a = %m) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
^bb2:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @of_an_inner_loop(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  cf.br ^bb2
^bb1:
  scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %m) -> (memref<4xf32>) {
    %s = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (memref<4xf32>) {
      %d = memref.alloc() : memref<4xf32>
      scf.yield %d : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  return
^bb2:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @handed_on(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  cf.br ^bb2
^bb1:
  %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %m) -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  }
  %r = memref.load %s[%c0] : memref<4xf32>
  return %r : f32
^bb2:
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @conditional_loop(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^bb2
^bb1:
  %r:2 = scf.while (%a = %m, %k = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %c3 = arith.constant 3 : index
    %more = arith.cmpi ult, %k, %c3 : index
    scf.condition(%more) %a, %k : memref<4xf32>, index
  } do {
  ^bb0(%q: memref<4xf32>, %k: index):
    %j = arith.addi %k, %c1 : index
    scf.yield %q, %j : memref<4xf32>, index
  }
  return
^bb2:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @affine_loop(%v: f32) {
  cf.br ^bb2
^bb1:
  affine.for %i = 0 to 3 iter_args(%a = %m) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    affine.yield %b : memref<4xf32>
  }
  return
^bb2:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @generic(%n: index) {
  cf.br ^bb2
^bb1:
  %r = "scf.for"(%n, %n, %n, %m) ({
  ^bb0(%i: index, %a: memref<4xf32>):
    %b = memref.alloc() : memref<4xf32>
    "scf.yield"(%b) : (memref<4xf32>) -> ()
  }) : (index, index, index, memref<4xf32>) -> memref<4xf32>
  return
^bb2:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @a_result_of_several(%c: i1, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^bb2
^bb1:
  scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %s#1) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
^bb2:
  %s:2 = scf.if %c -> (index, memref<4xf32>) {
    %d = memref.alloc() : memref<4xf32>
    scf.yield %c0, %d : index, memref<4xf32>
  } else {
    scf.yield %c1, %m : index, memref<4xf32>
  }
  cf.br ^bb1
}

// -----

// mlir: right
func.func @an_argument_of_a_block(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^bb2(%m : memref<4xf32>)
^bb1:
  scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
^bb2(%x: memref<4xf32>):
  cf.br ^bb1
}

// -----

// mlir: right
func.func @used_in_a_branch(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  cf.br ^bb2
^bb1:
  %s = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%c0] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %r = memref.load %s[%c0] : memref<4xf32>
  return %r : f32
^bb2:
  %m = memref.alloc() : memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  cf.br ^bb1
}

// -----

// mlir: right
func.func @of_another_loop(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^bb4
^bb1:
  %s = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %t) -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  }
  return
^bb2:
  %t = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %m) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  cf.br ^bb1
^bb4:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^bb2
}
