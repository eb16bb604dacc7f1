// An affine.for that carries buffers. MLIR 22.1 appends the ownership operands without entering them into
// operandSegmentSizes, so its output does not verify. Right: one more iteration argument, initially false, for every
// buffer carried, exactly as for scf.for.

func.func @for_carries(%v: f32) -> f32 {
  %a = memref.alloc() : memref<1xf32>
  affine.store %v, %a[0] : memref<1xf32>
  %r = affine.for %i = 0 to 3 iter_args(%p = %a) -> (memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = affine.load %p[0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    affine.store %y, %b[0] : memref<1xf32>
    affine.yield %b : memref<1xf32>
  }
  %x = affine.load %r[0] : memref<1xf32>
  return %x : f32
}

// -----

func.func @for_carries_two(%n: index, %m: memref<1xf32>, %v: f32) -> f32 {
  %a = memref.alloc() : memref<1xf32>
  affine.store %v, %a[0] : memref<1xf32>
  %r:3 = affine.for %i = 0 to %n iter_args(%p = %a, %s = %v, %q = %m) -> (memref<1xf32>, f32, memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = affine.load %p[0] : memref<1xf32>
    %y = arith.addf %x, %s : f32
    affine.store %y, %b[0] : memref<1xf32>
    affine.yield %q, %y, %b : memref<1xf32>, f32, memref<1xf32>
  }
  %x = affine.load %r#0[0] : memref<1xf32>
  %y = affine.load %r#2[0] : memref<1xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

func.func @nest(%n: index, %v: f32) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %r = affine.for %i = 0 to affine_map<()[s0] -> (s0)>()[%n] iter_args(%p = %a) -> (memref<?xf32>) {
    %q = affine.for %j = 0 to 2 iter_args(%s = %p) -> (memref<?xf32>) {
      %b = memref.alloc(%n) : memref<?xf32>
      memref.copy %s, %b : memref<?xf32> to memref<?xf32>
      affine.yield %b : memref<?xf32>
    }
    affine.yield %q : memref<?xf32>
  }
  %c0 = arith.constant 0 : index
  %d = memref.dim %r, %c0 : memref<?xf32>
  %e = arith.index_cast %d : index to i32
  %f = arith.sitofp %e : i32 to f32
  return %f : f32
}
