func.func @unused() {
  %0 = memref.alloc() : memref<2xf32>
  return
}
// -----
func.func @returned(%x: f32) -> memref<2xf32> {
  %0 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%0 : memref<2xf32>)
  return %0 : memref<2xf32>
}
// -----
func.func @views(%m: memref<8xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.subview %0[2] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 2>>
  %2 = memref.cast %1 : memref<8xf32, strided<[1], offset: 2>> to memref<?xf32, strided<[1], offset: ?>>
  %3 = memref.cast %m : memref<8xf32> to memref<?xf32>
  memref.copy %3, %2 : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%m : memref<8xf32>)
  return
}
// -----
func.func @freed_early(%m: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  %1 = memref.cast %0 : memref<8xf32> to memref<?xf32>
  memref.dealloc %0 : memref<8xf32>
  %2 = memref.cast %m : memref<8xf32> to memref<?xf32>
  memref.copy %1, %2 : memref<?xf32> to memref<?xf32>
  return
}
// -----
func.func @freed_late(%m: memref<8xf32>) {
  %0 = memref.alloc() : memref<8xf32>
  memref.copy %0, %m : memref<8xf32> to memref<8xf32>
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%m : memref<8xf32>)
  memref.dealloc %0 : memref<8xf32>
  return
}
// -----
func.func @nested_use(%c: i1, %m: memref<2xf32>) {
  %0 = memref.alloc() : memref<2xf32>
  scf.if %c {
    %1 = memref.alloc() : memref<2xf32>
    memref.copy %0, %1 : memref<2xf32> to memref<2xf32>
    memref.copy %1, %m : memref<2xf32> to memref<2xf32>
  }
  linalg.copy ins(%m : memref<2xf32>) outs(%m : memref<2xf32>)
  return
}
// -----
func.func @in_a_loop(%n: index, %m: memref<2xf32>) {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  scf.for %i = %z to %n step %o {
    %0 = memref.alloc() : memref<2xf32>
    memref.copy %m, %0 : memref<2xf32> to memref<2xf32>
    memref.copy %0, %m : memref<2xf32> to memref<2xf32>
  }
  return
}
// -----
func.func @carried(%n: index, %m: memref<2xf32>) {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %z to %n step %o iter_args(%b = %a) -> (memref<2xf32>) {
    %0 = memref.alloc() : memref<2xf32>
    memref.copy %b, %0 : memref<2xf32> to memref<2xf32>
    scf.yield %0 : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @carried_unchanged(%n: index, %m: memref<2xf32>) {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %z to %n step %o iter_args(%b = %a) -> (memref<2xf32>) {
    memref.copy %m, %b : memref<2xf32> to memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @while(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.while (%b = %a) : (memref<2xf32>) -> memref<2xf32> {
    scf.condition(%c) %b : memref<2xf32>
  } do {
  ^bb0(%d: memref<2xf32>):
    %0 = memref.alloc() : memref<2xf32>
    memref.copy %d, %0 : memref<2xf32> to memref<2xf32>
    scf.yield %0 : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @nested_loops(%n: index, %m: memref<2xf32>, %o: memref<2xf32>) {
  %z = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r = scf.for %i = %z to %n step %s iter_args(%a = %m) -> (memref<2xf32>) {
    %q = scf.for %j = %z to %n step %s iter_args(%b = %a) -> (memref<2xf32>) {
      %1 = memref.alloc() : memref<2xf32>
      memref.copy %b, %1 : memref<2xf32> to memref<2xf32>
      scf.yield %1 : memref<2xf32>
    }
    scf.yield %q : memref<2xf32>
  }
  memref.copy %r, %o : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @select(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  memref.copy %s, %m : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @diamond(%c: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%a, %m : memref<2xf32>, memref<2xf32>)
^bb2:
  %b = memref.alloc() : memref<2xf32>
  memref.copy %m, %b : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%m, %b : memref<2xf32>, memref<2xf32>)
^bb3(%x: memref<2xf32>, %y: memref<2xf32>):
  memref.copy %x, %y : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @clone(%m: memref<2xf32>) {
  %a = bufferization.clone %m : memref<2xf32> to memref<2xf32>
  memref.copy %a, %m : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func private @callee(%a: memref<2xf32>) -> memref<2xf32> {
  return %a : memref<2xf32>
}
func.func @caller(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = call @callee(%a) : (memref<2xf32>) -> memref<2xf32>
  memref.copy %b, %m : memref<2xf32> to memref<2xf32>
  %x = arith.constant 1.0 : f32
  linalg.fill ins(%x : f32) outs(%m : memref<2xf32>)
  return
}
// -----
func.func @scope(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.alloca_scope {
    %b = memref.alloc() : memref<2xf32>
    memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  }
  return
}
// -----
func.func @switch(%i: index, %m: memref<2xf32>) {
  %r = scf.index_switch %i -> memref<2xf32>
  case 1 {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  default {
    scf.yield %m : memref<2xf32>
  }
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
// -----
func.func @one_of_two_ways(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2(%a : memref<4xf32>)
^bb1:
  %b = memref.alloc() : memref<4xf32>
  cf.br ^bb2(%b : memref<4xf32>)
^bb2(%x: memref<4xf32>):
  memref.copy %x, %m : memref<4xf32> to memref<4xf32>
  return
}
// -----
func.func @used_at_the_end(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  %x = arith.constant 1 : i32
  memref.copy %a, %m : memref<4xf32> to memref<4xf32>
  return
}
// -----
func.func @only_a_return(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb2
^bb2:
  return
}
