// The result of a region-branching op is used in another block. MLIR 22.1 computes liveness once and then replaces the op by
// one with more results, so that it does not know the result to be live: it frees the buffer before the branch, or crashes
// (llvm-project issue 119863, pull request 184118). Right: the result is retained by the dealloc before the branch, and freed in
// the block where it is used last.

func.func @if_result(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    %b = memref.alloc() : memref<2xf32>
    memref.store %v, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

// One of the two is the caller's and must not be freed.
func.func @if_result_or_argument(%c: i1, %m: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

// Used on one side of a branch only.
func.func @if_result_on_one_side(%c: i1, %d: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    %b = memref.alloc() : memref<2xf32>
    memref.store %v, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  cf.cond_br %d, ^yes, ^no
^yes:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
^no:
  return %v : f32
}

// -----

func.func @for_result(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<2xf32>) {
    %b = memref.alloc() : memref<2xf32>
    %x = memref.load %p[%c0] : memref<2xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

func.func @while_result(%n: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r:2 = scf.while (%i = %k0, %p = %a) : (i32, memref<2xf32>) -> (i32, memref<2xf32>) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i, %p : i32, memref<2xf32>
  } do {
  ^bb0(%i: i32, %p: memref<2xf32>):
    %b = memref.alloc() : memref<2xf32>
    memref.copy %p, %b : memref<2xf32> to memref<2xf32>
    %j = arith.addi %i, %k1 : i32
    scf.yield %j, %b : i32, memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r#1[%c0] : memref<2xf32>
  return %x : f32
}

// -----

func.func @switch_result(%k: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.index_switch %k -> memref<2xf32>
  case 0 {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  default {
    %b = memref.alloc() : memref<2xf32>
    memref.store %v, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

func.func @region_result(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.execute_region -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

#positive = affine_set<(d0) : (d0 - 1 >= 0)>

func.func @affine_if_result(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = affine.if #positive(%n) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    affine.store %v, %a[0] : memref<2xf32>
    affine.yield %a : memref<2xf32>
  } else {
    %b = memref.alloc() : memref<2xf32>
    affine.store %v, %b[0] : memref<2xf32>
    affine.yield %b : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

func.func @assuming_result(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %w = shape.const_witness true
  %r = shape.assuming %w -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    shape.assuming_yield %a : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

func.func @scope_result(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    memref.alloca_scope.return %a : memref<2xf32>
  }
  cf.br ^next
^next:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

// Two blocks further, past a block that does not mention it.
func.func @two_blocks_further(%c: i1, %m: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  cf.br ^middle
^middle:
  cf.br ^last
^last:
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// -----

// Inside a region of another op.
func.func @inside_a_region(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = scf.execute_region -> f32 {
    %r = scf.if %c -> (memref<2xf32>) {
      %a = memref.alloc() : memref<2xf32>
      memref.store %v, %a[%c0] : memref<2xf32>
      scf.yield %a : memref<2xf32>
    } else {
      %b = memref.alloc() : memref<2xf32>
      memref.store %v, %b[%c0] : memref<2xf32>
      scf.yield %b : memref<2xf32>
    }
    cf.br ^next
  ^next:
    %x = memref.load %r[%c0] : memref<2xf32>
    scf.yield %x : f32
  }
  return %s : f32
}
