// scf.index_switch and scf.execute_region.

func.func @switch_buffers(%k: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.index_switch %k -> memref<2xf32>
  case 0 {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  case 3 {
    %b = memref.alloc() : memref<2xf32>
    %w = arith.negf %v : f32
    memref.store %w, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  default {
    %d = memref.alloc() : memref<2xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %d[%c0] : memref<2xf32>
    scf.yield %d : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @switch_with_outer(%k: index, %m: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<2xf32>
  memref.store %v, %o[%c0] : memref<2xf32>
  %r:2 = scf.index_switch %k -> memref<2xf32>, f32
  case 0 {
    scf.yield %o, %v : memref<2xf32>, f32
  }
  case 3 {
    scf.yield %m, %v : memref<2xf32>, f32
  }
  default {
    %d = memref.alloc() : memref<2xf32>
    memref.store %v, %d[%c0] : memref<2xf32>
    scf.yield %d, %v : memref<2xf32>, f32
  }
  %x = memref.load %r#0[%c0] : memref<2xf32>
  %y = arith.addf %x, %r#1 : f32
  return %y : f32
}

func.func @switch_without_results(%k: index, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  scf.index_switch %k
  case 1 {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    memref.copy %a, %out : memref<2xf32> to memref<2xf32>
    scf.yield
  }
  default {
    scf.yield
  }
  return
}

func.func @switch_default_only(%k: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.index_switch %k -> memref<2xf32>
  default {
    %d = memref.alloc() : memref<2xf32>
    memref.store %v, %d[%c0] : memref<2xf32>
    scf.yield %d : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @region_of_one_block(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.execute_region -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @region_without_results(%v: f32, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  scf.execute_region {
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    memref.copy %a, %out : memref<2xf32> to memref<2xf32>
    scf.yield
  }
  return
}

// A control-flow graph inside the region.
func.func @region_of_several_blocks(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<2xf32>
  memref.store %v, %o[%c0] : memref<2xf32>
  %r = scf.execute_region -> memref<2xf32> {
    cf.cond_br %c, ^yes, ^no
  ^yes:
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    cf.br ^join(%a : memref<2xf32>)
  ^no:
    cf.br ^join(%o : memref<2xf32>)
  ^join(%p: memref<2xf32>):
    scf.yield %p : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// Two ends in one region.
func.func @region_of_two_ends(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.execute_region -> memref<2xf32> {
    cf.cond_br %c, ^yes, ^no
  ^yes:
    %a = memref.alloc() : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    scf.yield %a : memref<2xf32>
  ^no:
    %b = memref.alloc() : memref<2xf32>
    %w = arith.negf %v : f32
    memref.store %w, %b[%c0] : memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @region_in_a_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> memref<2xf32> {
    %q = scf.execute_region -> memref<2xf32> {
      %first = arith.cmpi eq, %i, %c0 : index
      cf.cond_br %first, ^new, ^old
    ^new:
      %b = memref.alloc() : memref<2xf32>
      memref.store %v, %b[%c0] : memref<2xf32>
      scf.yield %b : memref<2xf32>
    ^old:
      scf.yield %p : memref<2xf32>
    }
    scf.yield %q : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}
