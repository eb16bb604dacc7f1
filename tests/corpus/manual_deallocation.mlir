// bufferization.manual_deallocation: buffers that the program frees itself.

func.func @never_touched(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %x = memref.load %a[%c0] : memref<2xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<2xf32>
  return %x : f32
}

func.func @beside_an_automatic_one(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<2xf32>
  %x = memref.load %b[%c0] : memref<2xf32>
  return %x : f32
}

func.func @live_across(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^next
^next:
  %x = memref.load %a[%c0] : memref<2xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<2xf32>
  return %x : f32
}

func.func @forwarded(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  cf.br ^next(%a : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  memref.dealloc %p {bufferization.manual_deallocation} : memref<2xf32>
  return %x : f32
}

func.func @selected(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  memref.store %v, %b[%c0] : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  %x = memref.load %s[%c0] : memref<2xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<2xf32>
  return %x : f32
}

func.func @in_a_region(%c: i1, %v: f32, %out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  scf.if %c {
    %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
    memref.store %v, %a[%c0] : memref<2xf32>
    memref.copy %a, %out : memref<2xf32> to memref<2xf32>
    memref.dealloc %a {bufferization.manual_deallocation} : memref<2xf32>
  }
  return
}

func.func @returned(%v: f32) -> memref<2xf32> {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  %b = memref.alloc() : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<2xf32>
  return %b : memref<2xf32>
}
