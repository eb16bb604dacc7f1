// Views: another name for (part of) a buffer never owns it, and the base buffer is what is freed.

func.func @subview_used(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %x = memref.load %s[%c1] : memref<4xf32, strided<[1], offset: 2>>
  return %x : f32
}

func.func @subview_forwarded(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  cf.br ^next(%s : memref<4xf32, strided<[1], offset: 2>>)
^next(%p: memref<4xf32, strided<[1], offset: 2>>):
  %x = memref.load %p[%c1] : memref<4xf32, strided<[1], offset: 2>>
  return %x : f32
}

func.func @subview_live_across(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  cf.br ^next
^next:
  %x = memref.load %s[%c1] : memref<4xf32, strided<[1], offset: 2>>
  return %x : f32
}

func.func @subview_and_base_forwarded(%v: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %s = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  cf.br ^next(%s, %a : memref<4xf32, strided<[1], offset: 2>>, memref<8xf32>)
^next(%p: memref<4xf32, strided<[1], offset: 2>>, %q: memref<8xf32>):
  %x = memref.load %p[%c1] : memref<4xf32, strided<[1], offset: 2>>
  %y = memref.load %q[%c1] : memref<8xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @subview_returned(%n: index, %k: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %v = arith.constant 2.0 : f32
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c8) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %s = memref.subview %a[%n] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %s : memref<?xf32, strided<[1], offset: ?>>
}

func.func @subview_of_subview(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8x8xf32>)
  %s = memref.subview %a[1, 1] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 9>>
  %t = memref.subview %s[1, 0] [2, 4] [1, 1]
      : memref<4x4xf32, strided<[8, 1], offset: 9>> to memref<2x4xf32, strided<[8, 1], offset: 17>>
  %x = memref.load %t[%c0, %c0] : memref<2x4xf32, strided<[8, 1], offset: 17>>
  return %x : f32
}

func.func @rank_reduced(%v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8x4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8x4xf32>)
  %s = memref.subview %a[%i, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %x = memref.load %s[%c0] : memref<4xf32, strided<[1], offset: ?>>
  return %x : f32
}

func.func @cast_returned(%v: f32) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %d = memref.cast %a : memref<4xf32> to memref<?xf32>
  return %d : memref<?xf32>
}

func.func @cast_of_argument_returned(%m: memref<4xf32>) -> memref<?xf32> {
  %d = memref.cast %m : memref<4xf32> to memref<?xf32>
  return %d : memref<?xf32>
}

func.func @cast_forwarded_base_used(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %d = memref.cast %a : memref<4xf32> to memref<?xf32>
  cf.br ^next(%d : memref<?xf32>)
^next(%p: memref<?xf32>):
  %x = memref.load %p[%c0] : memref<?xf32>
  return %x : f32
}

func.func @collapse_and_expand(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3x4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2x3x4xf32>)
  %f = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %e = memref.expand_shape %f [[0, 1], [2]] output_shape [3, 2, 4] : memref<6x4xf32> into memref<3x2x4xf32>
  %x = memref.load %e[%c0, %c0, %c0] : memref<3x2x4xf32>
  return %x : f32
}

func.func @expanded_returned(%n: index, %v: f32) -> memref<?x2xf32> {
  %c2 = arith.constant 2 : index
  %k = arith.muli %n, %c2 : index
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  %e = memref.expand_shape %a [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  return %e : memref<?x2xf32>
}

func.func @reinterpreted(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %r = memref.reinterpret_cast %a to offset: [2], sizes: [2, 2], strides: [2, 1]
      : memref<8xf32> to memref<2x2xf32, strided<[2, 1], offset: 2>>
  %x = memref.load %r[%c0, %c0] : memref<2x2xf32, strided<[2, 1], offset: 2>>
  return %x : f32
}

func.func @bytes_viewed(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  %f = memref.view %a[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%v : f32) outs(%f : memref<16xf32>)
  %x = memref.load %f[%c0] : memref<16xf32>
  return %x : f32
}

func.func @bytes_viewed_returned(%n: index, %v: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xi8>
  %f = memref.view %a[%c0][%n] : memref<64xi8> to memref<?xf32>
  linalg.fill ins(%v : f32) outs(%f : memref<?xf32>)
  return %f : memref<?xf32>
}

func.func @transposed(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2x3xf32>)
  %t = memref.transpose %a (i, j) -> (j, i) : memref<2x3xf32> to memref<3x2xf32, strided<[1, 3]>>
  %x = memref.load %t[%c0, %c0] : memref<3x2xf32, strided<[1, 3]>>
  return %x : f32
}

func.func @metadata(%v: f32) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2x3xf32>)
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
      : memref<2x3xf32> -> memref<f32>, index, index, index, index, index
  %x = memref.load %base[] : memref<f32>
  memref.store %x, %a[%c0, %c0] : memref<2x3xf32>
  return %sizes#1 : index
}

func.func @reshaped(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %s = memref.alloc() : memref<2xindex>
  memref.store %c2, %s[%c0] : memref<2xindex>
  memref.store %c2, %s[%c1] : memref<2xindex>
  %r = memref.reshape %a(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?x?xf32>
  %x = memref.load %r[%c1, %c1] : memref<?x?xf32>
  return %x : f32
}

func.func @views_of_views_out_of_a_region(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
  %r = scf.if %c -> memref<?xf32> {
    %d = memref.cast %a : memref<8xf32> to memref<?xf32>
    scf.yield %d : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<2x2xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<2x2xf32>)
    %f = memref.collapse_shape %b [[0, 1]] : memref<2x2xf32> into memref<4xf32>
    %d = memref.cast %f : memref<4xf32> to memref<?xf32>
    scf.yield %d : memref<?xf32>
  }
  %x = memref.load %r[%c0] : memref<?xf32>
  return %x : f32
}

func.func @alignment_assumed(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %b = memref.assume_alignment %a, 16 : memref<4xf32>
  %x = memref.load %b[%c0] : memref<4xf32>
  return %x : f32
}
