// Buffers whose elements are buffers: an element loaded is not owned.

func.func @stored_and_loaded(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  memref.store %a, %h[%c0] : memref<1xmemref<2xf32>>
  %l = memref.load %h[%c0] : memref<1xmemref<2xf32>>
  %x = memref.load %l[%c0] : memref<2xf32>
  return %x : f32
}

func.func @holder_forwarded(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  memref.store %m, %h[%c0] : memref<1xmemref<2xf32>>
  cf.br ^next(%h : memref<1xmemref<2xf32>>)
^next(%p: memref<1xmemref<2xf32>>):
  %l = memref.load %p[%c0] : memref<1xmemref<2xf32>>
  %x = memref.load %l[%c0] : memref<2xf32>
  return %x : f32
}

func.func @two_held(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<2xf32>)
  %h = memref.alloc() : memref<2xmemref<2xf32>>
  memref.store %a, %h[%c0] : memref<2xmemref<2xf32>>
  memref.store %b, %h[%c1] : memref<2xmemref<2xf32>>
  %i = arith.select %c, %c0, %c1 : index
  %l = memref.load %h[%i] : memref<2xmemref<2xf32>>
  %x = memref.load %l[%c0] : memref<2xf32>
  return %x : f32
}

// -----

// A private function returns what it finds in memory: with dynamic ownership that is the caller's own buffer, which
// has to live as long as the result.

func.func private @found(%h: memref<1xmemref<2xf32>>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %l = memref.load %h[%c0] : memref<1xmemref<2xf32>>
  return %l : memref<2xf32>
}
func.func @element_handed_back(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  memref.store %a, %h[%c0] : memref<1xmemref<2xf32>>
  %r = call @found(%h) : (memref<1xmemref<2xf32>>) -> memref<2xf32>
  cf.br ^bb1(%r : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %v = memref.load %x[%c0] : memref<2xf32>
  return %v : f32
}
