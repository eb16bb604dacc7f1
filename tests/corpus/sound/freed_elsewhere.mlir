// Buffers that the text frees under another name: in a function that they are given to, or read from memory.

// mlir: freed twice
// dealog: what is called here frees a buffer that it is given, and that is freed here, too

func.func private @frees(%m: memref<4xi64>) {
  memref.dealloc %m {bufferization.manual_deallocation} : memref<4xi64>
  return
}
func.func @given_to_a_function(%k: i64) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  call @frees(%a) : (memref<4xi64>) -> ()
  return %k : i64
}

// -----

// mlir: freed twice
// dealog: what is called here frees a buffer that it is given, and that is freed here, too

func.func private @frees(%c: i1, %m: memref<4xi64>) {
  cf.cond_br %c, ^bb1(%m : memref<4xi64>), ^bb2
^bb1(%x: memref<4xi64>):
  %v = memref.cast %x : memref<4xi64> to memref<?xi64>
  memref.dealloc %v {bufferization.manual_deallocation} : memref<?xi64>
  return
^bb2:
  return
}
func.func private @passes(%c: i1, %m: memref<4xi64>) {
  call @frees(%c, %m) : (i1, memref<4xi64>) -> ()
  return
}
func.func @given_on(%c: i1, %k: i64) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  %s = arith.select %c, %a, %b : memref<4xi64>
  call @passes(%c, %s) : (i1, memref<4xi64>) -> ()
  return %k : i64
}

// -----

// mlir: freed twice
// dealog: what is called here frees a buffer that it is given, and that is freed here, too

func.func private @frees(%m: memref<4xi64>) {
  memref.dealloc %m {bufferization.manual_deallocation} : memref<4xi64>
  return
}
func.func private @keeps(%m: memref<4xi64>) {
  return
}
func.func @called_by_address(%c: i1, %k: i64) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %f = func.constant @frees : (memref<4xi64>) -> ()
  %g = func.constant @keeps : (memref<4xi64>) -> ()
  %h = arith.select %c, %f, %g : (memref<4xi64>) -> ()
  func.call_indirect %h(%a) : (memref<4xi64>) -> ()
  return %k : i64
}

// -----

// mlir: used after free
// dealog: what is read from memory here is freed, and may be a buffer that is freed anyway

func.func @read_from_memory(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  memref.store %a, %h[%c0] : memref<1xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  memref.dealloc %l {bufferization.manual_deallocation} : memref<4xi64>
  return %k : i64
}

// -----

// mlir: freed twice
// dealog: what is read from memory here is freed, and may be a buffer that is freed anyway

func.func private @put(%h: memref<1xmemref<4xi64>>, %m: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %h[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func private @frees_held(%h: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  memref.dealloc %l {bufferization.manual_deallocation} : memref<4xi64>
  return
}
func.func private @empties(%h: memref<1xmemref<4xi64>>) {
  call @frees_held(%h) : (memref<1xmemref<4xi64>>) -> ()
  return
}
func.func @read_by_a_function(%k: i64) -> i64 {
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  call @put(%h, %a) : (memref<1xmemref<4xi64>>, memref<4xi64>) -> ()
  call @empties(%h) : (memref<1xmemref<4xi64>>) -> ()
  return %k : i64
}

// -----

// mlir: clean

func.func private @frees(%m: memref<4xi64>) {
  memref.dealloc %m {bufferization.manual_deallocation} : memref<4xi64>
  return
}
func.func private @frees_held(%h: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  memref.dealloc %l {bufferization.manual_deallocation} : memref<4xi64>
  return
}
func.func @by_hand_on_both_sides(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xi64>
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  memref.store %a, %h[%c0] : memref<1xmemref<4xi64>>
  %x = memref.load %b[%c0] : memref<4xi64>
  call @frees(%b) : (memref<4xi64>) -> ()
  call @frees_held(%h) : (memref<1xmemref<4xi64>>) -> ()
  return %x : i64
}
