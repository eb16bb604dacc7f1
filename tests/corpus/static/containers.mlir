// Memory that holds buffers.

// A call gives the container back: what is stored by one name is read by the other.
func.func private @same(%h: memref<1xmemref<4xi64>>) -> memref<1xmemref<4xi64>> {
  return %h : memref<1xmemref<4xi64>>
}
func.func @given_back(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %inner = memref.alloc() : memref<1xmemref<4xi64>>
  %h = call @same(%inner) : (memref<1xmemref<4xi64>>) -> memref<1xmemref<4xi64>>
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  %l = memref.load %inner[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// A private function makes a container of bytes: what is stored by its result is read by the caller's own view of the bytes.
func.func private @as_container(%bytes: memref<64xi8>) -> memref<1xmemref<4xi64>> {
  %c0 = arith.constant 0 : index
  %h = memref.view %bytes[%c0][] : memref<64xi8> to memref<1xmemref<4xi64>>
  return %h : memref<1xmemref<4xi64>>
}
func.func @made_of_bytes(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %bytes = memref.alloc() : memref<64xi8>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %h = call @as_container(%bytes) : (memref<64xi8>) -> memref<1xmemref<4xi64>>
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %own = memref.view %bytes[%c0][] : memref<64xi8> to memref<1xmemref<4xi64>>
  %l = memref.load %own[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// A region hands on what it has just read back from memory of its own: that is the allocation.
func.func @read_back(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %r = scf.if %c -> (memref<4xi64>) {
    %x = memref.alloc() : memref<4xi64>
    memref.copy %o, %x : memref<4xi64> to memref<4xi64>
    %h = memref.alloc() : memref<1xmemref<4xi64>>
    memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
    %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
    scf.yield %l : memref<4xi64>
  } else {
    scf.yield %o : memref<4xi64>
  }
  %v = memref.load %r[%c0] : memref<4xi64>
  return %v : i64
}
