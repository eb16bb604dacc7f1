// scf.while: buffers through the before region, the condition and the after region.

// A scalar loop beside a buffer.
func.func @scalar_loop(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.while (%i = %k0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %t = memref.alloc() : memref<1xf32>
    memref.copy %a, %t : memref<1xf32> to memref<1xf32>
    %x = memref.load %t[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %a[%c0] : memref<1xf32>
    %j = arith.addi %i, %k1 : i32
    scf.yield %j : i32
  }
  %x = memref.load %a[%c0] : memref<1xf32>
  return %x : f32
}

// The buffer goes round through both regions, replaced in the body.
func.func @replaced(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r:2 = scf.while (%i = %k0, %p = %a) : (i32, memref<1xf32>) -> (i32, memref<1xf32>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %p : i32, memref<1xf32>
  } do {
  ^bb0(%i: i32, %p: memref<1xf32>):
    %b = memref.alloc() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %b[%c0] : memref<1xf32>
    %j = arith.addi %i, %k1 : i32
    scf.yield %j, %b : i32, memref<1xf32>
  }
  %x = memref.load %r#1[%c0] : memref<1xf32>
  return %x : f32
}

// Unchanged.
func.func @unchanged(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r:2 = scf.while (%i = %k0, %p = %a) : (i32, memref<1xf32>) -> (i32, memref<1xf32>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %p : i32, memref<1xf32>
  } do {
  ^bb0(%i: i32, %p: memref<1xf32>):
    %j = arith.addi %i, %k1 : i32
    scf.yield %j, %p : i32, memref<1xf32>
  }
  %x = memref.load %r#1[%c0] : memref<1xf32>
  return %x : f32
}

// The before region allocates what it passes on.
func.func @allocated_before(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %r:2 = scf.while (%i = %k0) : (i32) -> (i32, memref<1xf32>) {
    %a = memref.alloc() : memref<1xf32>
    memref.store %v, %a[%c0] : memref<1xf32>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %a : i32, memref<1xf32>
  } do {
  ^bb0(%i: i32, %p: memref<1xf32>):
    %x = memref.load %p[%c0] : memref<1xf32>
    %j = arith.addi %i, %k1 : i32
    scf.yield %j : i32
  }
  %x = memref.load %r#1[%c0] : memref<1xf32>
  return %x : f32
}

// Other types on the way in than on the way out.
func.func @different_types(%n: i32, %m: memref<1xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %r:2 = scf.while (%p = %m, %i = %k0) : (memref<1xf32>, i32) -> (memref<2xf32>, i32) {
    %x = memref.load %p[%c0] : memref<1xf32>
    %a = memref.alloc() : memref<2xf32>
    memref.store %x, %a[%c0] : memref<2xf32>
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %a, %i : memref<2xf32>, i32
  } do {
  ^bb0(%q: memref<2xf32>, %i: i32):
    %x = memref.load %q[%c0] : memref<2xf32>
    %y = arith.addf %x, %x : f32
    %b = memref.alloc() : memref<1xf32>
    memref.store %y, %b[%c0] : memref<1xf32>
    %j = arith.addi %i, %k1 : i32
    scf.yield %b, %j : memref<1xf32>, i32
  }
  %x = memref.load %r#0[%c0] : memref<2xf32>
  return %x : f32
}

// Two buffers, crossed by the condition.
func.func @crossed(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %w = arith.negf %v : f32
  memref.store %w, %b[%c0] : memref<1xf32>
  %r:3 = scf.while (%p = %a, %q = %b, %i = %k0)
      : (memref<1xf32>, memref<1xf32>, i32) -> (memref<1xf32>, memref<1xf32>, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %q, %p, %i : memref<1xf32>, memref<1xf32>, i32
  } do {
  ^bb0(%p: memref<1xf32>, %q: memref<1xf32>, %i: i32):
    %j = arith.addi %i, %k1 : i32
    %s = memref.alloc() : memref<1xf32>
    memref.copy %p, %s : memref<1xf32> to memref<1xf32>
    scf.yield %s, %q, %j : memref<1xf32>, memref<1xf32>, i32
  }
  %x = memref.load %r#0[%c0] : memref<1xf32>
  %y = memref.load %r#1[%c0] : memref<1xf32>
  %z = arith.subf %x, %y : f32
  return %z : f32
}

// Everything happens in the before region.
func.func @do_while(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r:2 = scf.while (%i = %k0, %p = %a) : (i32, memref<1xf32>) -> (i32, memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %b[%c0] : memref<1xf32>
    %j = arith.addi %i, %k1 : i32
    %more = arith.cmpi slt, %j, %n : i32
    scf.condition(%more) %j, %b : i32, memref<1xf32>
  } do {
  ^bb0(%i: i32, %p: memref<1xf32>):
    scf.yield %i, %p : i32, memref<1xf32>
  }
  %x = memref.load %r#1[%c0] : memref<1xf32>
  return %x : f32
}

// The result leaves the function.
func.func @returned(%n: i32, %k: index) -> memref<?xf32> {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %v = arith.constant 7.0 : f32
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %r:2 = scf.while (%p = %a, %i = %k0) : (memref<?xf32>, i32) -> (memref<?xf32>, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %p, %i : memref<?xf32>, i32
  } do {
  ^bb0(%p: memref<?xf32>, %i: i32):
    %b = memref.alloc(%k) : memref<?xf32>
    memref.copy %p, %b : memref<?xf32> to memref<?xf32>
    %j = arith.addi %i, %k1 : i32
    scf.yield %b, %j : memref<?xf32>, i32
  }
  return %r#0 : memref<?xf32>
}
