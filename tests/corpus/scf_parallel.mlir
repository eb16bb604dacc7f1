// scf.parallel, scf.forall and scf.reduce: bodies without buffer results.

func.func @parallel_body(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.5 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    %x = memref.load %a[%c0] : memref<2xf32>
    memref.store %x, %out[%c0] : memref<?xf32>
    scf.reduce
  }
  return
}

func.func @parallel_two_dimensions(%n: index, %out: memref<2x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 1.5 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%i] : memref<2xf32>
    %x = memref.load %a[%i] : memref<2xf32>
    memref.store %x, %out[%i, %j] : memref<2x2xf32>
  }
  return
}

// A reduction over scalars, with buffers inside the reduction's region too.
func.func @reduction(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    %x = memref.load %a[%c0] : memref<2xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %q: f32):
      %t = memref.alloc() : memref<1xf32>
      %s = arith.addf %l, %q : f32
      memref.store %s, %t[%c0] : memref<1xf32>
      %u = memref.load %t[%c0] : memref<1xf32>
      scf.reduce.return %u : f32
    }
  }
  return %r : f32
}

// A buffer captured by a parallel loop.
func.func @parallel_captures(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%c0] : memref<4xf32>
    memref.store %x, %a[%c1] : memref<4xf32>
  }
  %x = memref.load %a[%c1] : memref<4xf32>
  return %x : f32
}

func.func @forall_body(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 2.5 : f32
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    %x = memref.load %a[%c0] : memref<2xf32>
    memref.store %x, %out[%c0] : memref<?xf32>
  }
  return
}

func.func @forall_captures(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  scf.forall (%i, %j) = (0, 0) to (2, 2) step (1, 1) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    %x = memref.load %b[%i] : memref<4xf32>
    memref.store %x, %a[%j] : memref<4xf32>
  }
  %x = memref.load %a[%c1] : memref<4xf32>
  return %x : f32
}

// A forall that says who runs it.
func.func @forall_mapped(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 2.5 : f32
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    %x = memref.load %a[%c0] : memref<2xf32>
    memref.store %x, %out[%c0] : memref<?xf32>
  } {mapping = [#gpu.block<x>]}
  return
}

// A loop that carries buffers inside a forall inside a parallel.
func.func @nested(%n: index, %out: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.forall (%j) in (2) {
      %a = memref.alloc() : memref<4xf32>
      linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
      %r = scf.for %k = %c0 to %n step %c1 iter_args(%p = %a) -> memref<4xf32> {
        %b = memref.alloc() : memref<4xf32>
        memref.copy %p, %b : memref<4xf32> to memref<4xf32>
        scf.yield %b : memref<4xf32>
      }
      memref.copy %r, %out : memref<4xf32> to memref<4xf32>
    }
  }
  return
}
