// A buffer loaded out of a buffer of buffers. MLIR 22.1 lets it have the ownership of the buffer that holds it, returns it as
// owned, and so two owners free it. Right: storing a buffer does not hand it over and loading does not take it; what is
// loaded is not owned, and is cloned before it leaves the function.

func.func @element_returned(%m: memref<2xf32>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  memref.store %m, %h[%c0] : memref<1xmemref<2xf32>>
  %l = memref.load %h[%c0] : memref<1xmemref<2xf32>>
  return %l : memref<2xf32>
}

// -----

func.func @element_selected(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<2xf32>>
  memref.store %m, %h[%c0] : memref<1xmemref<2xf32>>
  %l = memref.load %h[%c0] : memref<1xmemref<2xf32>>
  %s = arith.select %c, %l, %m : memref<2xf32>
  return %s : memref<2xf32>
}
