// scf.for: buffers as iteration arguments, inside the body, and as results.

// Allocated anew in each iteration.
func.func @inside_body(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> (f32) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %s, %a[%c0] : memref<4xf32>
    %x = memref.load %a[%c0] : memref<4xf32>
    %y = arith.addf %x, %v : f32
    scf.yield %y : f32
  }
  return %r : f32
}

// Captured by the body.
func.func @captured(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %a[%c0] : memref<1xf32>
  }
  %r = memref.load %a[%c0] : memref<1xf32>
  return %r : f32
}

// Every iteration replaces the buffer.
func.func @replaced(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %b[%c0] : memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// The first buffer is the function's argument.
func.func @replaced_from_argument(%n: index, %m: memref<1xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> (memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%c0] : memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// The buffer goes round unchanged.
func.func @unchanged(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %p[%c0] : memref<1xf32>
    scf.yield %p : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// Sometimes replaced.
func.func @sometimes_replaced(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    %m = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %q = scf.if %even -> (memref<1xf32>) {
      %b = memref.alloc() : memref<1xf32>
      %x = memref.load %p[%c0] : memref<1xf32>
      %y = arith.addf %x, %v : f32
      memref.store %y, %b[%c0] : memref<1xf32>
      scf.yield %b : memref<1xf32>
    } else {
      scf.yield %p : memref<1xf32>
    }
    scf.yield %q : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// Two buffers change places.
func.func @ping_pong(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  memref.store %v, %b[%c0] : memref<1xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<1xf32>, memref<1xf32>) {
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %q[%c0] : memref<1xf32>
    scf.yield %q, %p : memref<1xf32>, memref<1xf32>
  }
  %x = memref.load %r#0[%c0] : memref<1xf32>
  return %x : f32
}

// A ring of three, with a scalar between them.
func.func @rotation(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  %c = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  memref.store %v, %b[%c0] : memref<1xf32>
  memref.store %v, %c[%c0] : memref<1xf32>
  %r:4 = scf.for %i = %c0 to %n step %c1
      iter_args(%p = %a, %s = %v, %q = %b, %o = %c) -> (memref<1xf32>, f32, memref<1xf32>, memref<1xf32>) {
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %s : f32
    memref.store %y, %q[%c0] : memref<1xf32>
    scf.yield %q, %y, %o, %p : memref<1xf32>, f32, memref<1xf32>, memref<1xf32>
  }
  %x = memref.load %r#0[%c0] : memref<1xf32>
  %y = memref.load %r#3[%c0] : memref<1xf32>
  %z = arith.addf %x, %y : f32
  %w = arith.addf %z, %r#1 : f32
  return %w : f32
}

// One buffer enters under two names.
func.func @two_names(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a) -> (memref<1xf32>, memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    memref.store %x, %b[%c0] : memref<1xf32>
    scf.yield %q, %b : memref<1xf32>, memref<1xf32>
  }
  %x = memref.load %r#0[%c0] : memref<1xf32>
  %y = memref.load %r#1[%c0] : memref<1xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// The loop's buffer leaves the function.
func.func @returned(%n: index, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<?xf32>) {
    %b = memref.alloc(%k) : memref<?xf32>
    memref.copy %p, %b : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// A loop in a loop, both carrying.
func.func @nested(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%s = %p) -> (memref<1xf32>) {
      %b = memref.alloc() : memref<1xf32>
      %x = memref.load %s[%c0] : memref<1xf32>
      %y = arith.addf %x, %v : f32
      memref.store %y, %b[%c0] : memref<1xf32>
      scf.yield %b : memref<1xf32>
    }
    scf.yield %q : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// The body yields a captured buffer: the loop may return an outer buffer.
func.func @yields_captured(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %w = arith.negf %v : f32
  memref.store %w, %b[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    scf.yield %b : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// Two loops in a row, and a loop with an i32 induction variable.
func.func @in_a_row(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k3 = arith.constant 3 : i32
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<1xf32> {
    %b = memref.alloc() : memref<1xf32>
    memref.copy %p, %b : memref<1xf32> to memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  %s = scf.for %i = %k0 to %k3 step %k1 iter_args(%p = %r) -> (memref<1xf32>) : i32 {
    %b = memref.alloc() : memref<1xf32>
    memref.copy %p, %b : memref<1xf32> to memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  %x = memref.load %s[%c0] : memref<1xf32>
  return %x : f32
}

// A view of the iteration argument goes round.
func.func @view_goes_round(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %d = memref.cast %a : memref<4xf32> to memref<?xf32, strided<[1], offset: ?>>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %d) -> (memref<?xf32, strided<[1], offset: ?>>) {
    %s = memref.subview %p[0] [1] [1]
        : memref<?xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>>
    %e = memref.cast %s : memref<1xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    scf.yield %e : memref<?xf32, strided<[1], offset: ?>>
  }
  %x = memref.load %r[%c0] : memref<?xf32, strided<[1], offset: ?>>
  return %x : f32
}
