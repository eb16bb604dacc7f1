// Conditional branches: two successors, two deallocs, ownership merged behind them.

// Used on one side only.
func.func @used_on_one_side(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^yes, ^no
^yes:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
^no:
  return %v : f32
}

// Used on both sides.
func.func @used_on_both_sides(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  cf.cond_br %c, ^yes, ^no
^yes:
  %x = memref.load %a[%i] : memref<4xf32>
  cf.br ^end(%x : f32)
^no:
  %y = memref.load %a[%j] : memref<4xf32>
  cf.br ^end(%y : f32)
^end(%r: f32):
  return %r : f32
}

// Used behind the join only.
func.func @used_behind_the_join(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^yes, ^no
^yes:
  cf.br ^end
^no:
  cf.br ^end
^end:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// One side brings a new buffer, the other the argument.
func.func @new_or_argument(%c: i1, %m: memref<4xf32>, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  cf.cond_br %c, ^new, ^join(%m : memref<4xf32>)
^new:
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^join(%a : memref<4xf32>)
^join(%b: memref<4xf32>):
  %x = memref.load %b[%i] : memref<4xf32>
  return %x : f32
}

// Each side brings its own.
func.func @own_on_each_side(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  cf.cond_br %c, ^yes, ^no
^yes:
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^join(%a : memref<4xf32>)
^no:
  %b = memref.alloc() : memref<4xf32>
  %w = arith.negf %v : f32
  memref.store %w, %b[%i] : memref<4xf32>
  cf.br ^join(%b : memref<4xf32>)
^join(%p: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  return %x : f32
}

// The same successor twice, with different operands.
func.func @same_successor_twice(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %w = arith.negf %v : f32
  memref.store %v, %a[%i] : memref<4xf32>
  memref.store %w, %b[%i] : memref<4xf32>
  cf.cond_br %c, ^next(%a : memref<4xf32>), ^next(%b : memref<4xf32>)
^next(%p: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  return %x : f32
}

// The same successor twice, with the same operand.
func.func @same_successor_same_operand(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^next(%a : memref<4xf32>), ^next(%a : memref<4xf32>)
^next(%p: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  return %x : f32
}

// The same successor twice, nothing forwarded, the buffer live.
func.func @same_successor_live(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^next, ^next
^next:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// Forwarded on one side, live on the other.
func.func @forwarded_here_live_there(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^yes(%a : memref<4xf32>), ^no
^yes(%p: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  return %x : f32
^no:
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}

// Two buffers cross over.
func.func @crossed(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %w = arith.negf %v : f32
  memref.store %v, %a[%i] : memref<4xf32>
  memref.store %w, %b[%i] : memref<4xf32>
  cf.cond_br %c, ^next(%a, %b : memref<4xf32>, memref<4xf32>), ^next(%b, %a : memref<4xf32>, memref<4xf32>)
^next(%p: memref<4xf32>, %q: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  %y = memref.load %q[%i] : memref<4xf32>
  %d = arith.subf %x, %y : f32
  return %d : f32
}

// A join of three ways, one of them without a buffer of its own.
func.func @three_ways(%c: i1, %d: i1, %m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %v = arith.constant 3.0 : f32
  cf.cond_br %c, ^one, ^two
^one:
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  cf.br ^join(%a : memref<?xf32>)
^two:
  cf.cond_br %d, ^three, ^join(%m : memref<?xf32>)
^three:
  %k = arith.addi %n, %n : index
  %b = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  cf.br ^join(%b : memref<?xf32>)
^join(%p: memref<?xf32>):
  return %p : memref<?xf32>
}

// Condition known: the branch goes one way.
func.func @constant_condition(%v: f32) -> f32 {
  %t = arith.constant true
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %t, ^yes, ^no
^yes:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
^no:
  return %v : f32
}

// Two diamonds in a row, the buffer goes through both.
func.func @two_diamonds(%c: i1, %d: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^l1, ^r1
^l1:
  cf.br ^j1(%a : memref<4xf32>)
^r1:
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  cf.br ^j1(%b : memref<4xf32>)
^j1(%p: memref<4xf32>):
  cf.cond_br %d, ^l2, ^r2
^l2:
  cf.br ^j2(%p : memref<4xf32>)
^r2:
  %e = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%e : memref<4xf32>)
  cf.br ^j2(%e : memref<4xf32>)
^j2(%q: memref<4xf32>):
  %x = memref.load %q[%i] : memref<4xf32>
  return %x : f32
}

// Scalars and buffers on the two edges in different orders.
func.func @mixed_edges(%c: i1, %n: index, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  cf.cond_br %c, ^yes(%i, %a, %v : index, memref<4xf32>, f32), ^no(%b, %i : memref<4xf32>, index)
^yes(%k: index, %p: memref<4xf32>, %s: f32):
  %x = memref.load %p[%k] : memref<4xf32>
  %y = arith.addf %x, %s : f32
  return %y : f32
^no(%q: memref<4xf32>, %l: index):
  %z = memref.load %q[%l] : memref<4xf32>
  return %z : f32
}

// A critical edge: from a block of two successors into a block of two predecessors.
func.func @critical_edge(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c, ^middle, ^end
^middle:
  %w = arith.addf %v, %v : f32
  memref.store %w, %a[%i] : memref<4xf32>
  cf.br ^end
^end:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// Returned from one side, freed on the other; both return.
func.func @two_returns(%c: i1, %n: index) -> memref<?xf32> {
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  cf.cond_br %c, ^yes, ^no
^yes:
  return %a : memref<?xf32>
^no:
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  return %b : memref<?xf32>
}

// Branch weights stay where they are.
func.func @weighted(%c: i1, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.cond_br %c weights([90, 10]), ^yes, ^no
^yes:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
^no:
  return %v : f32
}

// The successor sees one of the two that are forwarded to it directly.
func.func @forwarded_and_live(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  memref.store %v, %b[%c0] : memref<2xf32>
  cf.cond_br %c, ^next(%a : memref<2xf32>), ^next(%b : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  %y = memref.load %a[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
