// What is freed by a name that always is the same buffer.
func.func @by_a_result_of_a_loop(%n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %v, %x[%c0] : memref<4xf32>
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  %f = memref.load %a[%c0] : memref<4xf32>
  memref.dealloc %r#0 : memref<4xf32>
  return %f : f32
}
// -----
// On one path only; the other gets what it lacks.
func.func @by_a_result_of_regions(%c: i1, %d: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    memref.store %v, %a[%c0] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %f = memref.load %r[%c0] : memref<4xf32>
  cf.cond_br %d, ^free, ^keep
^free:
  memref.dealloc %r : memref<4xf32>
  cf.br ^out
^keep:
  %g = memref.load %a[%c0] : memref<4xf32>
  cf.br ^out
^out:
  return %f : f32
}
// -----
func.func @by_a_choice_of_one(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %r = arith.select %c, %a, %a : memref<4xf32>
  %f = memref.load %r[%c0] : memref<4xf32>
  memref.dealloc %r : memref<4xf32>
  return %f : f32
}
// -----
// By one of two names that were handed on to blocks, and used by the other before.
func.func @by_a_block_argument(%c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  cf.br ^loop(%a, %a, %c : memref<4xf32>, memref<4xf32>, i1)
^loop(%x: memref<4xf32>, %y: memref<4xf32>, %again: i1):
  %false = arith.constant false
  %f = memref.load %y[%c0] : memref<4xf32>
  cf.cond_br %again, ^loop(%y, %x, %false : memref<4xf32>, memref<4xf32>, i1), ^out(%x : memref<4xf32>)
^out(%z: memref<4xf32>):
  memref.dealloc %z : memref<4xf32>
  return %f : f32
}
// -----
// A choice between two names goes on in a loop.
func.func @by_what_was_chosen_before(%n: index, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %s = arith.select %c, %a, %a : memref<4xf32>
  %w:2 = scf.while (%x = %s, %i = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %l = arith.cmpi ult, %i, %n : index
    scf.condition(%l) %s, %i : memref<4xf32>, index
  } do {
  ^bb0(%y: memref<4xf32>, %j: index):
    %h = arith.addi %j, %c1 : index
    scf.yield %y, %h : memref<4xf32>, index
  }
  %f = memref.load %a[%c0] : memref<4xf32>
  memref.dealloc %w#0 : memref<4xf32>
  return %f : f32
}
