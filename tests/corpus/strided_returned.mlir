// Views with strides and offsets that the boundary rules clone.
// not executable: cloning a strided buffer has no lowering

func.func @subview_of_argument_returned(%m: memref<8xf32>) -> memref<2xf32, strided<[2], offset: 1>> {
  %s = memref.subview %m[1] [2] [2] : memref<8xf32> to memref<2xf32, strided<[2], offset: 1>>
  return %s : memref<2xf32, strided<[2], offset: 1>>
}

func.func @reinterpreted_returned(%m: memref<8xf32>, %n: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %c1 = arith.constant 1 : index
  %r = memref.reinterpret_cast %m to offset: [%n], sizes: [%c1], strides: [1]
      : memref<8xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %r : memref<?xf32, strided<[1], offset: ?>>
}

// A view of a select, returned.
func.func @view_of_a_select(%c: i1, %m: memref<4xf32>, %v: f32) -> memref<2xf32, strided<[1], offset: 1>> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %s = arith.select %c, %m, %a : memref<4xf32>
  %t = memref.subview %s[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  return %t : memref<2xf32, strided<[1], offset: 1>>
}
