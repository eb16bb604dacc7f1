// Results that nothing uses need no name in the text; to be freed they need one.

// mlir: right
func.func private @make() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @call() {
  call @make() : () -> memref<4xf32>
  return
}

// -----

// mlir: right
func.func private @make(%m: memref<4xf32>) -> (memref<4xf32>, f32, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  return %a, %x, %m : memref<4xf32>, f32, memref<4xf32>
}
func.func @call_of_several(%m: memref<4xf32>) {
  call @make(%m) : (memref<4xf32>) -> (memref<4xf32>, f32, memref<4xf32>)
  "func.call"(%m) <{callee = @make}> : (memref<4xf32>) -> (memref<4xf32>, f32, memref<4xf32>)
  return
}

// -----

// mlir: right
func.func @branch(%c: i1, %m: memref<4xf32>) {
  scf.if %c -> memref<4xf32> { // one way
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return
}

// -----

// mlir: right
func.func @branch_of_several(%c: i1, %m: memref<4xf32>, %x: f32) {
  scf.if %c -> (memref<4xf32>, f32, memref<?xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.cast %a : memref<4xf32> to memref<?xf32>
    scf.yield %a, %x, %b : memref<4xf32>, f32, memref<?xf32>
  } else {
    %b = memref.cast %m : memref<4xf32> to memref<?xf32>
    scf.yield %m, %x, %b : memref<4xf32>, f32, memref<?xf32>
  }
  return
}

// -----

// mlir: right
func.func @loop(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %m) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %p, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return
}

// -----

// mlir: right
func.func @conditional_loop(%m: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  scf.while (%p = %m, %n = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %c3 = arith.constant 3 : index
    %more = arith.cmpi ult, %n, %c3 : index
    scf.condition(%more) %p, %n : memref<4xf32>, index
  } do {
  ^bb0(%q: memref<4xf32>, %n: index):
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<4xf32>
    memref.copy %q, %a : memref<4xf32> to memref<4xf32>
    %k = arith.addi %n, %c1 : index
    scf.yield %a, %k : memref<4xf32>, index
  }
  return
}

// -----

// mlir: right
func.func @cases(%i: index, %m: memref<4xf32>) {
  scf.index_switch %i -> memref<4xf32>
  case 1 {
    scf.yield %m : memref<4xf32>
  }
  default {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return
}

// -----

// mlir: right
func.func @region(%m: memref<4xf32>) {
  scf.execute_region -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    cf.br ^bb1(%a : memref<4xf32>)
  ^bb1(%x: memref<4xf32>):
    memref.copy %m, %x : memref<4xf32> to memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  return
}

// -----

// mlir: right
func.func @scope(%m: memref<4xf32>) {
  memref.alloca_scope -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    memref.alloca_scope.return %a : memref<4xf32>
  }
  return
}

// -----

// mlir: right
func.func @allocations(%m: memref<4xf32>, %n: index) {
  memref.alloc() : memref<4xf32>
  memref.alloc(%n) : memref<?xf32>
  "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>
  bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return
}

// -----

// mlir: right
func.func @generic(%c: i1, %m: memref<4xf32>) {
  "scf.if"(%c) ({
    %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32>
    "scf.yield"(%a) : (memref<4xf32>) -> ()
  }, {
    "scf.yield"(%m) : (memref<4xf32>) -> ()
  }) : (i1) -> memref<4xf32>
  return
}

// -----

// mlir: right
func.func @in_a_loop_on_one_line(%c: i1, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 { scf.if %c -> memref<4xf32> { %a = memref.alloc() : memref<4xf32> scf.yield %a : memref<4xf32> } else { scf.yield %m : memref<4xf32> } }
  return
}

// -----

// mlir: refuses
func.func @affine_loop(%m: memref<4xf32>) {
  affine.for %i = 0 to 3 iter_args(%p = %m) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %p, %a : memref<4xf32> to memref<4xf32>
    affine.yield %a : memref<4xf32>
  }
  return
}
