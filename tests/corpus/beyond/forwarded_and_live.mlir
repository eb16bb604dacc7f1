// A branch forwards a buffer to a block that uses it directly as well. MLIR 22.1 enters two ownership indicators for the buffer
// (the one of the forwarded operand and the one of the live value) and then refuses: "MemRef value does not have valid
// ownership". Right: it is one buffer under two names, the dealloc in the block frees it once, whichever name owns it.

func.func @br(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^next(%a : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  %y = memref.load %a[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

// Only the later of two blocks uses the buffer directly.
func.func @live_beyond(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^next(%a : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  cf.br ^last
^last:
  %y = memref.load %a[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

func.func @cond_br_on_one_edge(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.cond_br %c, ^yes(%a : memref<2xf32>), ^no
^yes(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  %y = memref.load %a[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
^no:
  return %v : f32
}

// -----

func.func @twice_forwarded_and_live(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^next(%a, %a : memref<2xf32>, memref<2xf32>)
^next(%p: memref<2xf32>, %q: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  %y = memref.load %q[%c0] : memref<2xf32>
  %w = memref.load %a[%c0] : memref<2xf32>
  %s = arith.addf %x, %y : f32
  %z = arith.addf %s, %w : f32
  return %z : f32
}

// -----

// The forwarded name leaves the function, the live one is only read.
func.func @forwarded_name_returned(%v: f32) -> (memref<2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  cf.br ^next(%a : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %a[%c0] : memref<2xf32>
  return %p, %x : memref<2xf32>, f32
}

// -----

// The live name leaves the function, the forwarded one is only read.
func.func @live_name_returned(%v: f32) -> (memref<2xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  cf.br ^next(%a : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %a, %x : memref<2xf32>, f32
}

// -----

// A function's argument: nobody here owns it, under either name.
func.func @argument(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  cf.br ^next(%m : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  %y = memref.load %m[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

// The block's regions use the live name.
func.func @live_into_a_region(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^next(%a : memref<2xf32>)
^next(%p: memref<2xf32>):
  %r = scf.if %c -> (f32) {
    %x = memref.load %a[%c0] : memref<2xf32>
    scf.yield %x : f32
  } else {
    %x = memref.load %p[%c0] : memref<2xf32>
    scf.yield %x : f32
  }
  return %r : f32
}
