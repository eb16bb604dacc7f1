// scf.if: results that carry buffers, captured buffers, ownership out of regions.

// Captured in a region: not owned there.
func.func @captured(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = scf.if %c -> (f32) {
    %x = memref.load %a[%i] : memref<4xf32>
    scf.yield %x : f32
  } else {
    scf.yield %v : f32
  }
  return %r : f32
}

// Allocated and freed inside one branch, no else.
func.func @inside_then(%c: i1, %v: f32, %out: memref<4xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  }
  return
}

// New on both sides.
func.func @new_on_both_sides(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    %w = arith.negf %v : f32
    memref.store %w, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}

// Argument or new.
func.func @argument_or_new(%c: i1, %m: memref<4xf32>, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}

// An outer allocation or a new one: the outer one stays with the outer block.
func.func @outer_or_new(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}

// The same, and the result leaves the function.
func.func @outer_or_new_returned(%c: i1, %n: index) -> memref<?xf32> {
  %v = arith.constant 4.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %r = scf.if %c -> (memref<?xf32>) {
    scf.yield %a : memref<?xf32>
  } else {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// Scalars between the buffers.
func.func @mixed_results(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r:4 = scf.if %c -> (f32, memref<4xf32>, index, memref<8xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<8xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    memref.store %v, %b[%i] : memref<8xf32>
    scf.yield %v, %a, %i, %b : f32, memref<4xf32>, index, memref<8xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<8xf32>
    %w = arith.negf %v : f32
    memref.store %w, %a[%i] : memref<4xf32>
    memref.store %w, %b[%i] : memref<8xf32>
    scf.yield %w, %a, %i, %b : f32, memref<4xf32>, index, memref<8xf32>
  }
  %x = memref.load %r#1[%r#2] : memref<4xf32>
  %y = memref.load %r#3[%r#2] : memref<8xf32>
  %s = arith.addf %x, %y : f32
  %t = arith.addf %s, %r#0 : f32
  return %t : f32
}

// The same buffer under two results.
func.func @one_buffer_two_results(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r:2 = scf.if %c -> (memref<4xf32>, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    scf.yield %a, %a : memref<4xf32>, memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %a[%i] : memref<4xf32>
    memref.store %v, %b[%i] : memref<4xf32>
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  %x = memref.load %r#0[%i] : memref<4xf32>
  %y = memref.load %r#1[%i] : memref<4xf32>
  %s = arith.addf %x, %y : f32
  return %s : f32
}

// One of two inner buffers goes out, the other dies inside.
func.func @one_dies_inside(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%t : memref<4xf32>)
    memref.copy %t, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}

// A chain: each scf.if may replace the buffer of the one before.
func.func @chain(%c: i1, %d: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %p = scf.if %c -> memref<4xf32> {
    %b = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
    scf.yield %b : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %q = scf.if %d -> memref<4xf32> {
    scf.yield %p : memref<4xf32>
  } else {
    %e = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
    scf.yield %e : memref<4xf32>
  }
  %x = memref.load %q[%i] : memref<4xf32>
  return %x : f32
}

// Nested, the buffer climbs two levels.
func.func @climbs(%c: i1, %d: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> memref<4xf32> {
    %q = scf.if %d -> memref<4xf32> {
      %a = memref.alloc() : memref<4xf32>
      linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
      scf.yield %a : memref<4xf32>
    } else {
      %b = memref.alloc() : memref<4xf32>
      linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
      scf.yield %b : memref<4xf32>
    }
    scf.yield %q : memref<4xf32>
  } else {
    %e = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
    scf.yield %e : memref<4xf32>
  }
  %x = memref.load %r[%i] : memref<4xf32>
  return %x : f32
}

// A view of an inner buffer goes out.
func.func @view_goes_out(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %r = scf.if %c -> memref<2xf32, strided<[1], offset: 2>> {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    %s = memref.subview %a[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
    scf.yield %s : memref<2xf32, strided<[1], offset: 2>>
  } else {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
    %s = memref.subview %b[2] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: 2>>
    scf.yield %s : memref<2xf32, strided<[1], offset: 2>>
  }
  %x = memref.load %r[%i] : memref<2xf32, strided<[1], offset: 2>>
  return %x : f32
}

// The result is not used.
func.func @unused_result(%c: i1, %m: memref<4xf32>) {
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return
}

// An scf.if with attributes, and nothing in it but its own terminators.
func.func @bare(%c: i1) {
  scf.if %c {
  } else {
  } {tag = "kept"}
  return
}
