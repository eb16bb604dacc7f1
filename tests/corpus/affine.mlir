// affine.for, affine.if and affine.parallel.

func.func @for_body(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 0 to 5 iter_args(%s = %v) -> (f32) {
    %a = memref.alloc() : memref<8xf32>
    affine.store %s, %a[%i] : memref<8xf32>
    %x = affine.load %a[%i] : memref<8xf32>
    %y = arith.addf %x, %v : f32
    affine.yield %y : f32
  }
  return %r : f32
}

#positive = affine_set<(d0) : (d0 - 1 >= 0)>

func.func @if_yields(%n: index, %v: f32) -> f32 {
  %r = affine.if #positive(%n) -> memref<1xf32> {
    %a = memref.alloc() : memref<1xf32>
    affine.store %v, %a[0] : memref<1xf32>
    affine.yield %a : memref<1xf32>
  } else {
    %b = memref.alloc() : memref<1xf32>
    %w = arith.negf %v : f32
    affine.store %w, %b[0] : memref<1xf32>
    affine.yield %b : memref<1xf32>
  }
  %x = affine.load %r[0] : memref<1xf32>
  return %x : f32
}

func.func @if_outer_or_new(%n: index, %v: f32) -> f32 {
  %a = memref.alloc() : memref<1xf32>
  affine.store %v, %a[0] : memref<1xf32>
  %r = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%n) -> memref<1xf32> {
    affine.yield %a : memref<1xf32>
  } else {
    %b = memref.alloc() : memref<1xf32>
    affine.store %v, %b[0] : memref<1xf32>
    affine.yield %b : memref<1xf32>
  }
  %x = affine.load %r[0] : memref<1xf32>
  return %x : f32
}

func.func @if_without_else(%n: index, %v: f32, %out: memref<1xf32>) {
  affine.if #positive(%n) {
    %a = memref.alloc() : memref<1xf32>
    affine.store %v, %a[0] : memref<1xf32>
    memref.copy %a, %out : memref<1xf32> to memref<1xf32>
  }
  return
}

func.func @parallel_body(%v: f32, %out: memref<4x4xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (4, 4) {
    %a = memref.alloc() : memref<4xf32>
    affine.store %v, %a[%i] : memref<4xf32>
    %x = affine.load %a[%i] : memref<4xf32>
    affine.store %x, %out[%i, %j] : memref<4x4xf32>
  }
  return
}

func.func @parallel_reduces(%v: f32) -> f32 {
  %r = affine.parallel (%i) = (0) to (4) reduce ("addf") -> f32 {
    %a = memref.alloc() : memref<4xf32>
    affine.store %v, %a[%i] : memref<4xf32>
    %x = affine.load %a[%i] : memref<4xf32>
    affine.yield %x : f32
  }
  return %r : f32
}

func.func @vector_access(%v: f32) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %x = affine.vector_load %a[4] : memref<8xf32>, vector<4xf32>
  affine.vector_store %x, %a[0] : memref<8xf32>, vector<4xf32>
  %y = affine.load %a[1] : memref<8xf32>
  return %y : f32
}
