// Unconditional branches: buffers forwarded, kept, dropped, and mixed with scalars.

// The buffer dies in the block that makes it.
func.func @dies_before_branch(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %x = memref.load %a[%i] : memref<4xf32>
  cf.br ^next
^next:
  return %x : f32
}

// The buffer travels as a block argument and dies there.
func.func @forwarded(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^next(%a : memref<4xf32>)
^next(%b: memref<4xf32>):
  %x = memref.load %b[%i] : memref<4xf32>
  return %x : f32
}

// A function argument travels: never owned, so never freed.
func.func @forwarded_argument(%m: memref<4xf32>) -> f32 {
  cf.br ^next(%m : memref<4xf32>)
^next(%b: memref<4xf32>):
  %i = arith.constant 1 : index
  %x = memref.load %b[%i] : memref<4xf32>
  return %x : f32
}

// Two hops.
func.func @forwarded_twice() -> f32 {
  %i = arith.constant 0 : index
  %v = arith.constant 2.5 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^one(%a : memref<4xf32>)
^one(%b: memref<4xf32>):
  cf.br ^two(%b : memref<4xf32>)
^two(%c: memref<4xf32>):
  %x = memref.load %c[%i] : memref<4xf32>
  return %x : f32
}

// Live into a later block without being forwarded.
func.func @live_across(%v: f32) -> f32 {
  %i = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^next
^next:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// Live through a block that does not mention it.
func.func @live_through(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^middle
^middle:
  cf.br ^last
^last:
  %x = memref.load %a[%i] : memref<4xf32>
  return %x : f32
}

// Several buffers and scalars in one argument list.
func.func @mixed_arguments(%v: f32, %n: index) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  cf.br ^next(%v, %a, %n, %b : f32, memref<4xf32>, index, memref<4xf32>)
^next(%s: f32, %p: memref<4xf32>, %k: index, %q: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  %y = memref.load %q[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  %r = arith.addf %z, %s : f32
  return %r : f32
}

// The same buffer twice: two names of one allocation.
func.func @forwarded_under_two_names(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^next(%a, %a : memref<4xf32>, memref<4xf32>)
^next(%p: memref<4xf32>, %q: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  %y = memref.load %q[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// One of two buffers goes on.
func.func @one_of_two(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  cf.br ^next(%b : memref<4xf32>)
^next(%p: memref<4xf32>):
  %x = memref.load %p[%i] : memref<4xf32>
  return %x : f32
}

// Both stay live, made in one block.
func.func @two_live_from_one_block(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  memref.store %v, %b[%i] : memref<4xf32>
  cf.br ^next
^next:
  %x = memref.load %a[%i] : memref<4xf32>
  %y = memref.load %b[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// The forwarded buffer is returned: ownership goes to the caller.
func.func @forwarded_and_returned(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %v = arith.constant 1.0 : f32
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  cf.br ^next(%a : memref<?xf32>)
^next(%b: memref<?xf32>):
  return %b : memref<?xf32>
}

// An argument and an allocation change places.
func.func @swapped(%m: memref<4xf32>, %v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^one(%a, %m : memref<4xf32>, memref<4xf32>)
^one(%p: memref<4xf32>, %q: memref<4xf32>):
  cf.br ^two(%q, %p : memref<4xf32>, memref<4xf32>)
^two(%r: memref<4xf32>, %s: memref<4xf32>):
  %x = memref.load %r[%i] : memref<4xf32>
  %y = memref.load %s[%i] : memref<4xf32>
  %z = arith.subf %x, %y : f32
  return %z : f32
}

// A block argument that no one uses still carries its buffer to its end.
func.func @unused_argument() {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^next(%a : memref<4xf32>)
^next(%b: memref<4xf32>):
  return
}

// A block argument stays live in the next block.
func.func @argument_live_across(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  cf.br ^one(%a : memref<4xf32>)
^one(%b: memref<4xf32>):
  cf.br ^two
^two:
  %x = memref.load %b[%i] : memref<4xf32>
  return %x : f32
}

// Each block allocates and frees its own.
func.func @one_each(%v: f32) -> f32 {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  %x = memref.load %a[%i] : memref<4xf32>
  cf.br ^one(%x : f32)
^one(%y: f32):
  %b = memref.alloc() : memref<8xf32>
  memref.store %y, %b[%i] : memref<8xf32>
  %z = memref.load %b[%i] : memref<8xf32>
  cf.br ^two(%z : f32)
^two(%w: f32):
  %c = memref.alloc() : memref<16xf32>
  memref.store %w, %c[%i] : memref<16xf32>
  %u = memref.load %c[%i] : memref<16xf32>
  return %u : f32
}

// A switch with one way out is a branch.
func.func @one_way_switch(%flag: i32, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.switch %flag : i32, [
    default: ^one(%a : memref<2xf32>)
  ]
^one(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
}
