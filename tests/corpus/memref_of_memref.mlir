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
