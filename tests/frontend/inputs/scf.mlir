func.func @loops(%lb: index, %ub: index, %m: memref<4xf32>, %c: i1, %i32: i32) -> memref<4xf32> {
  scf.for %i = %lb to %ub step %lb {
    scf.if %c { "test.op"() : () -> () }
  }
  scf.for unsigned %i = %i32 to %i32 step %i32 : i32 {
  } {test.note}
  %0 = scf.for %i = %lb to %ub step %lb iter_args(%a = %m) -> (memref<4xf32>) {
    %x = memref.alloc() : memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  %1:2 = scf.for %i = %i32 to %i32 step %i32 iter_args(%a = %0, %n = %lb) -> (memref<4xf32>, index) : i32 {
    scf.yield %a, %ub : memref<4xf32>, index
  }
  %2:2 = scf.while (%a = %1#0, %n = %c) : (memref<4xf32>, i1) -> (memref<4xf32>, i1) {
    scf.condition(%n) {test.note} %a, %n : memref<4xf32>, i1
  } do {
  ^bb0(%a: memref<4xf32>, %n: i1):
    scf.yield %a, %n : memref<4xf32>, i1
  } attributes {test.note}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return %2#0 : memref<4xf32>
}
// -----
func.func @branches(%c: i1, %n: index, %m: memref<4xf32>) -> memref<4xf32> {
  %0 = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    %x = memref.alloc() : memref<4xf32>
    scf.yield %x : memref<4xf32>
  } {test.note}
  scf.if %c {
  } else {
    scf.if %c {
      scf.yield
    }
  }
  %1:2 = scf.index_switch %n {test.note} -> memref<4xf32>, i32
  case 2 {
    %c1 = arith.constant 10 : i32
    scf.yield %0, %c1 : memref<4xf32>, i32
  }
  case -5 {
    %c2 = arith.constant 20 : i32
    scf.yield %m, %c2 : memref<4xf32>, i32
  }
  default {
    %c3 = arith.constant 30 : i32
    scf.yield %m, %c3 : memref<4xf32>, i32
  }
  scf.index_switch %n
  case 1 {
    scf.yield
  }
  default {
    scf.yield
  }
  %2 = scf.execute_region -> memref<4xf32> {
    cf.cond_br %c, ^bb1, ^bb2(%m : memref<4xf32>)
  ^bb1:
    cf.br ^bb2(%0 : memref<4xf32>)
  ^bb2(%x: memref<4xf32>):
    scf.yield %x : memref<4xf32>
  }
  scf.execute_region no_inline {
    scf.yield
  } {test.note}
  return %2 : memref<4xf32>
}
// -----
func.func @parallel(%n: index, %f: f32, %m: memref<4xf32>, %t: tensor<4xf32>) {
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    memref.store %f, %m[%i] : memref<4xf32>
  } {test.note}
  %0:2 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%f, %f) -> (f32, f32) {
    scf.reduce(%f, %f : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  %1 = scf.parallel (%i) = (%n) to (%n) step (%n) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  scf.forall () in () {
    scf.forall.in_parallel {
    }
  }
  scf.forall (%i) in (%n) {
    memref.store %f, %m[%i] : memref<4xf32>
  } {mapping = [#gpu.thread<x>]}
  scf.forall (%i, %j) = (0, %n) to (%n, 10) step (2, %n) {
    scf.forall.in_parallel {
    }
  }
  %2 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}
