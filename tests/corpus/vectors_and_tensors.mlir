// Vectors, tensors and complex numbers beside buffers.

func.func @transfers(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %x = vector.transfer_read %a[%c0], %v : memref<8xf32>, vector<4xf32>
  %y = arith.addf %x, %x : vector<4xf32>
  vector.transfer_write %y, %a[%c0] : vector<4xf32>, memref<8xf32>
  %z = vector.load %a[%c0] : memref<8xf32>, vector<4xf32>
  %s = vector.reduction <add>, %z : vector<4xf32> into f32
  return %s : f32
}

func.func @vector_stored_over_branches(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %x = vector.load %a[%c0] : memref<8xf32>, vector<4xf32>
  cf.cond_br %c, ^yes(%x : vector<4xf32>), ^no
^yes(%p: vector<4xf32>):
  vector.store %p, %a[%c0] : memref<8xf32>, vector<4xf32>
  %y = memref.load %a[%c0] : memref<8xf32>
  return %y : f32
^no:
  return %v : f32
}

func.func @complex_numbers(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %z = complex.create %v, %v : complex<f32>
  %a = memref.alloc() : memref<2xcomplex<f32>>
  memref.store %z, %a[%c0] : memref<2xcomplex<f32>>
  %w = memref.load %a[%c0] : memref<2xcomplex<f32>>
  %r = complex.re %w : complex<f32>
  return %r : f32
}

func.func @atomics(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  %x = memref.atomic_rmw addf %v, %a[%c0] : (f32, memref<2xf32>) -> f32
  %y = memref.load %a[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @math_and_index(%v: f32, %n: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %k = index.constant 1
  %m = index.add %k, %n
  %x = memref.load %a[%m] : memref<8xf32>
  %y = math.absf %x : f32
  return %y : f32
}
