// shape.assuming and memref.alloca_scope.

func.func @assuming_yields(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %w = shape.const_witness true
  %r = shape.assuming %w -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    shape.assuming_yield %a : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @assuming_yields_outer(%v: f32, %m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<2xf32>
  memref.store %v, %o[%c0] : memref<2xf32>
  %w = shape.const_witness true
  %r:3 = shape.assuming %w -> (memref<2xf32>, f32, memref<2xf32>) {
    shape.assuming_yield %o, %v, %m : memref<2xf32>, f32, memref<2xf32>
  }
  %x = memref.load %r#0[%c0] : memref<2xf32>
  %y = memref.load %r#2[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @assuming_without_results(%v: f32, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %w = shape.const_witness true
  shape.assuming %w {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    memref.copy %a, %out : memref<2xf32> to memref<2xf32>
  }
  return
}

func.func @nested_assuming(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %w = shape.const_witness true
  %r = shape.assuming %w -> (memref<2xf32>) {
    %q = shape.assuming %w -> (memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      memref.store %v, %a[%c0] : memref<2xf32>
      shape.assuming_yield %a : memref<2xf32>
    }
    shape.assuming_yield %q : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @scope_of_the_stack(%v: f32, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  memref.alloca_scope {
    %s = memref.alloca() : memref<2xf32>
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %s[%c0] : memref<2xf32>
    memref.copy %s, %a : memref<2xf32> to memref<2xf32>
    memref.copy %a, %out : memref<2xf32> to memref<2xf32>
    memref.alloca_scope.return
  }
  return
}

func.func @scope_returns_scalar(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (f32) {
    %s = memref.alloca() : memref<2xf32>
    memref.store %v, %s[%c0] : memref<2xf32>
    %x = memref.load %s[%c0] : memref<2xf32>
    memref.alloca_scope.return %x : f32
  }
  return %r : f32
}

func.func @scope_returns_buffer(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    memref.alloca_scope.return %a : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @scope_in_a_loop(%n: index, %v: f32, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %s = memref.alloca() : memref<2xf32>
      %a = memref.alloc() : memref<2xf32>
      memref.store %v, %a[%c0] : memref<2xf32>
      memref.copy %a, %s : memref<2xf32> to memref<2xf32>
      memref.copy %s, %out : memref<2xf32> to memref<2xf32>
    }
  }
  return
}
