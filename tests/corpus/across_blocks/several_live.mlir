// Buffers from different blocks that are live together. MLIR puts them into an order by their positions in the code; a build
// with assertions stops there, because the positions of operations in different blocks cannot be compared. The other builds
// order them by their positions within their own blocks.

func.func @from_two_blocks(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^one
^one:
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.br ^two
^two:
  %x = memref.load %a[%c0] : memref<2xf32>
  %y = memref.load %b[%c0] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

func.func @from_three_blocks(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  cf.br ^one
^one:
  %w = arith.addf %v, %v : f32
  %u = arith.addf %w, %v : f32
  %a = memref.alloc() : memref<2xf32>
  memref.store %u, %a[%c0] : memref<2xf32>
  cf.br ^two
^two:
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.br ^three
^three:
  %t = arith.addf %v, %v : f32
  %c = memref.alloc() : memref<8xf32>
  memref.store %t, %c[%c0] : memref<8xf32>
  cf.br ^four
^four:
  %x = memref.load %a[%c0] : memref<2xf32>
  %y = memref.load %b[%c0] : memref<4xf32>
  %k = memref.load %c[%c0] : memref<8xf32>
  %z = arith.addf %x, %y : f32
  %r = arith.addf %z, %k : f32
  return %r : f32
}

// -----

func.func @over_a_diamond(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^head
^head:
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  cf.cond_br %c, ^yes, ^no
^yes:
  %x = memref.load %a[%c0] : memref<2xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  cf.br ^end
^no:
  %y = memref.load %b[%c0] : memref<4xf32>
  memref.store %y, %a[%c0] : memref<2xf32>
  cf.br ^end
^end:
  %p = memref.load %a[%c0] : memref<2xf32>
  %q = memref.load %b[%c0] : memref<4xf32>
  %z = arith.addf %p, %q : f32
  return %z : f32
}

// -----

// Block arguments of different blocks, one of them the function's.
func.func @arguments_of_two_blocks(%m: memref<2xf32>, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^one(%a : memref<2xf32>)
^one(%p: memref<2xf32>):
  cf.br ^two
^two:
  %x = memref.load %m[%c0] : memref<2xf32>
  %y = memref.load %p[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

// Both captured by a region.
func.func @captured_from_two_blocks(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^one
^one:
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  %r = scf.if %c -> (f32) {
    %x = memref.load %a[%c0] : memref<2xf32>
    %y = memref.load %b[%c0] : memref<4xf32>
    %z = arith.addf %x, %y : f32
    scf.yield %z : f32
  } else {
    scf.yield %v : f32
  }
  return %r : f32
}

// -----

// One forwarded, two live.
func.func @forwarded_beside_live(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^one
^one:
  %b = memref.alloc() : memref<2xf32>
  %d = memref.alloc() : memref<2xf32>
  memref.store %v, %b[%c0] : memref<2xf32>
  memref.store %v, %d[%c0] : memref<2xf32>
  cf.cond_br %c, ^two(%d : memref<2xf32>), ^three
^two(%p: memref<2xf32>):
  %x = memref.load %a[%c0] : memref<2xf32>
  %y = memref.load %b[%c0] : memref<2xf32>
  %k = memref.load %p[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  %r = arith.addf %z, %k : f32
  return %r : f32
^three:
  %q = memref.load %a[%c0] : memref<2xf32>
  return %q : f32
}
