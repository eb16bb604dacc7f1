// Element types and shapes: base buffers keep the element type.

func.func @scalar_buffer(%v: f32) -> f32 {
  %a = memref.alloc() : memref<f32>
  memref.store %v, %a[] : memref<f32>
  cf.br ^next(%a : memref<f32>)
^next(%p: memref<f32>):
  %x = memref.load %p[] : memref<f32>
  return %x : f32
}

func.func @element_types(%c: i1) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi1>
  %b = memref.alloc() : memref<2xindex>
  %d = memref.alloc() : memref<2xf64>
  %e = memref.alloc() : memref<2xvector<4xf32>>
  %f = memref.alloc() : memref<2xcomplex<f32>>
  %g = memref.alloc() : memref<2xbf16>
  cf.br ^next(%a, %b, %d, %e, %f, %g : memref<2xi1>, memref<2xindex>, memref<2xf64>, memref<2xvector<4xf32>>, memref<2xcomplex<f32>>, memref<2xbf16>)
^next(%p: memref<2xi1>, %q: memref<2xindex>, %r: memref<2xf64>, %s: memref<2xvector<4xf32>>, %t: memref<2xcomplex<f32>>, %u: memref<2xbf16>):
  %n = memref.dim %q, %c0 : memref<2xindex>
  return %n : index
}

func.func @empty_dimension() -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<0x4xf32>
  cf.br ^next(%a : memref<0x4xf32>)
^next(%p: memref<0x4xf32>):
  %n = memref.dim %p, %c0 : memref<0x4xf32>
  return %n : index
}

func.func @cast_to_a_dynamic_layout(%v: f32) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %a = memref.alloc() : memref<2x3xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2x3xf32>)
  %d = memref.cast %a : memref<2x3xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %d : memref<?x?xf32, strided<[?, ?], offset: ?>>
}
