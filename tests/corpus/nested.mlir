// Structured control flow nested several levels deep, and graphs of blocks inside regions.

// for / if / for, the buffer of the innermost loop comes all the way out.
func.func @for_if_for(%n: index, %c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    %q = scf.if %c -> (memref<1xf32>) {
      %s = scf.for %j = %c0 to %n step %c1 iter_args(%t = %p) -> (memref<1xf32>) {
        %b = memref.alloc() : memref<1xf32>
        %x = memref.load %t[%c0] : memref<1xf32>
        %y = arith.addf %x, %v : f32
        memref.store %y, %b[%c0] : memref<1xf32>
        scf.yield %b : memref<1xf32>
      }
      scf.yield %s : memref<1xf32>
    } else {
      %e = memref.alloc() : memref<1xf32>
      memref.copy %p, %e : memref<1xf32> to memref<1xf32>
      scf.yield %e : memref<1xf32>
    }
    scf.yield %q : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// Every level captures the buffer of the function's entry block.
func.func @captured_from_afar(%n: index, %c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      scf.parallel (%j) = (%c0) to (%n) step (%c1) {
        %x = memref.load %a[%c0] : memref<1xf32>
        %y = arith.addf %x, %v : f32
        memref.store %y, %a[%c0] : memref<1xf32>
      }
    } else {
      memref.store %v, %a[%c0] : memref<1xf32>
    }
  }
  %x = memref.load %a[%c0] : memref<1xf32>
  return %x : f32
}

// A captured buffer is yielded out of two levels.
func.func @captured_and_yielded(%c: i1, %d: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = scf.if %c -> (memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    memref.copy %a, %b : memref<1xf32> to memref<1xf32>
    %q = scf.if %d -> (memref<1xf32>) {
      scf.yield %a : memref<1xf32>
    } else {
      scf.yield %b : memref<1xf32>
    }
    scf.yield %q : memref<1xf32>
  } else {
    scf.yield %a : memref<1xf32>
  }
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

// while / if / execute_region.
func.func @while_if_region(%n: i32, %c: i1, %v: f32) -> f32 {
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
    %q = scf.if %c -> (memref<1xf32>) {
      %s = scf.execute_region -> memref<1xf32> {
        %b = memref.alloc() : memref<1xf32>
        memref.copy %p, %b : memref<1xf32> to memref<1xf32>
        cf.br ^end(%b : memref<1xf32>)
      ^end(%e: memref<1xf32>):
        %x = memref.load %e[%c0] : memref<1xf32>
        %y = arith.addf %x, %v : f32
        memref.store %y, %e[%c0] : memref<1xf32>
        scf.yield %e : memref<1xf32>
      }
      scf.yield %s : memref<1xf32>
    } else {
      scf.yield %p : memref<1xf32>
    }
    %j = arith.addi %i, %k1 : i32
    scf.yield %j, %q : i32, memref<1xf32>
  }
  %x = memref.load %r#1[%c0] : memref<1xf32>
  return %x : f32
}

// Branches around structured ops.
func.func @branch_around_loop(%n: index, %c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  cf.cond_br %c, ^loop, ^end(%a : memref<1xf32>)
^loop:
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<1xf32>) {
    %b = memref.alloc() : memref<1xf32>
    %x = memref.load %p[%c0] : memref<1xf32>
    %y = arith.addf %x, %v : f32
    memref.store %y, %b[%c0] : memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  cf.br ^end(%r : memref<1xf32>)
^end(%e: memref<1xf32>):
  %x = memref.load %e[%c0] : memref<1xf32>
  return %x : f32
}

// Five regions deep.
func.func @five_deep(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r0 = scf.if %c -> (memref<1xf32>) {
    %r1 = scf.if %c -> (memref<1xf32>) {
      %r2 = scf.if %c -> (memref<1xf32>) {
        %r3 = scf.if %c -> (memref<1xf32>) {
          %r4 = scf.if %c -> (memref<1xf32>) {
            %a = memref.alloc() : memref<1xf32>
            memref.store %v, %a[%c0] : memref<1xf32>
            scf.yield %a : memref<1xf32>
          } else {
            %a = memref.alloc() : memref<1xf32>
            memref.store %v, %a[%c0] : memref<1xf32>
            scf.yield %a : memref<1xf32>
          }
          scf.yield %r4 : memref<1xf32>
        } else {
          %a = memref.alloc() : memref<1xf32>
          memref.store %v, %a[%c0] : memref<1xf32>
          scf.yield %a : memref<1xf32>
        }
        scf.yield %r3 : memref<1xf32>
      } else {
        %a = memref.alloc() : memref<1xf32>
        memref.store %v, %a[%c0] : memref<1xf32>
        scf.yield %a : memref<1xf32>
      }
      scf.yield %r2 : memref<1xf32>
    } else {
      %a = memref.alloc() : memref<1xf32>
      memref.store %v, %a[%c0] : memref<1xf32>
      scf.yield %a : memref<1xf32>
    }
    scf.yield %r1 : memref<1xf32>
  } else {
    %a = memref.alloc() : memref<1xf32>
    memref.store %v, %a[%c0] : memref<1xf32>
    scf.yield %a : memref<1xf32>
  }
  %x = memref.load %r0[%c0] : memref<1xf32>
  return %x : f32
}

// An affine loop in a scf loop in a forall.
func.func @mixed_dialects(%n: index, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 0.5 : f32
  scf.forall (%i) in (2) {
    scf.for %j = %c0 to %n step %c1 {
      affine.for %k = 0 to 4 {
        %a = memref.alloc() : memref<4xf32>
        affine.store %v, %a[%k] : memref<4xf32>
        %x = affine.load %a[%k] : memref<4xf32>
        affine.store %x, %out[%k] : memref<4xf32>
      }
    }
  }
  return
}

// Blocks inside a region capture a block argument of the function.
func.func @region_captures_argument(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  cf.br ^next(%a : memref<1xf32>)
^next(%p: memref<1xf32>):
  %r = scf.execute_region -> f32 {
    cf.cond_br %c, ^yes, ^no
  ^yes:
    %x = memref.load %p[%c0] : memref<1xf32>
    scf.yield %x : f32
  ^no:
    scf.yield %v : f32
  }
  return %r : f32
}

// A buffer captured from an else region and one of a region inside it: MLIR retains the inner one first, since it compares
// the regions' numbers before their nesting.
func.func @captured_from_an_else(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (f32) {
    scf.yield %v : f32
  } else {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    %s = scf.execute_region -> f32 {
      %b = memref.alloc() : memref<4xf32>
      memref.store %v, %b[%c0] : memref<4xf32>
      cf.br ^next
    ^next:
      %x = memref.load %a[%c0] : memref<2xf32>
      %y = memref.load %b[%c0] : memref<4xf32>
      %z = arith.addf %x, %y : f32
      scf.yield %z : f32
    }
    scf.yield %s : f32
  }
  return %r : f32
}
