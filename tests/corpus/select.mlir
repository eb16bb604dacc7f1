// arith.select over buffers.

func.func @of_two_allocations(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %w = arith.negf %v : f32
  memref.store %v, %a[%c0] : memref<2xf32>
  memref.store %w, %b[%c0] : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  %x = memref.load %s[%c0] : memref<2xf32>
  return %x : f32
}

func.func @returned(%c: i1, %m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %s = arith.select %c, %m, %a : memref<?xf32>
  return %s : memref<?xf32>
}

func.func @of_two_arguments_returned(%c: i1, %m: memref<?xf32>, %o: memref<?xf32>) -> memref<?xf32> {
  %s = arith.select %c, %m, %o : memref<?xf32>
  return %s : memref<?xf32>
}

func.func @of_two_allocations_returned(%c: i1, %n: index) -> memref<?xf32> {
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %s = arith.select %c, %a, %b : memref<?xf32>
  return %s : memref<?xf32>
}

// The select's second operand has unknown ownership itself.
func.func @of_a_select(%c: i1, %d: i1, %m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %s = arith.select %c, %m, %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %t = arith.select %d, %s, %b : memref<?xf32>
  return %t : memref<?xf32>
}

func.func @chain_of_three(%c: i1, %d: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %e = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<2xf32>)
  linalg.fill ins(%v : f32) outs(%e : memref<2xf32>)
  %s = arith.select %c, %a, %b : memref<2xf32>
  %t = arith.select %d, %s, %e : memref<2xf32>
  %x = memref.load %t[%c0] : memref<2xf32>
  return %x : f32
}

// Both operands the same.
func.func @of_one(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %s = arith.select %c, %a, %a : memref<2xf32>
  %x = memref.load %s[%c0] : memref<2xf32>
  return %x : f32
}

// The select is forwarded: the next block must know who owns it.
func.func @forwarded(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %w = arith.negf %v : f32
  memref.store %v, %a[%c0] : memref<2xf32>
  memref.store %w, %b[%c0] : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  cf.br ^next(%s : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
}

// Yielded from a region; one operand is captured.
func.func @yielded(%c: i1, %d: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  %r = scf.if %c -> memref<2xf32> {
    %b = memref.alloc() : memref<2xf32>
    %w = arith.negf %v : f32
    linalg.fill ins(%w : f32) outs(%b : memref<2xf32>)
    %s = arith.select %d, %a, %b : memref<2xf32>
    scf.yield %s : memref<2xf32>
  } else {
    scf.yield %a : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

// Scalars are none of our business.
func.func @of_scalars(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %x = memref.load %a[%c0] : memref<2xf32>
  %s = arith.select %c, %v, %x : f32
  return %s : f32
}

// The select reads block arguments whose ownership is not known before run time.
func.func @of_block_arguments(%c: i1, %d: i1, %m: memref<2xf32>, %v: f32) -> memref<2xf32> {
  cf.cond_br %c, ^new, ^join(%m, %m : memref<2xf32>, memref<2xf32>)
^new:
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  cf.br ^join(%a, %m : memref<2xf32>, memref<2xf32>)
^join(%p: memref<2xf32>, %q: memref<2xf32>):
  %s = arith.select %d, %p, %q : memref<2xf32>
  return %s : memref<2xf32>
}

// A select between a buffer and a view of it.
func.func @of_a_buffer_and_its_view(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %d = memref.cast %a : memref<4xf32> to memref<?xf32, strided<[1], offset: ?>>
  %s = memref.subview %a[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  %e = memref.cast %s : memref<2xf32, strided<[1], offset: 2>> to memref<?xf32, strided<[1], offset: ?>>
  %t = arith.select %c, %d, %e : memref<?xf32, strided<[1], offset: ?>>
  %x = memref.load %t[%c0] : memref<?xf32, strided<[1], offset: ?>>
  return %x : f32
}
