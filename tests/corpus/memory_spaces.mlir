// Memory spaces and layouts: base buffers keep the space and lose the layout.
// not executable: allocations of these types have no lowering

func.func @string_space(%c: i1) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32, "fast">
  cf.cond_br %c, ^next(%a : memref<4xf32, "fast">), ^end
^next(%p: memref<4xf32, "fast">):
  %d = memref.dim %p, %c0 : memref<4xf32, "fast">
  return %d : index
^end:
  return %c0 : index
}

func.func @workgroup_space(%n: index) -> memref<?xf32, #gpu.address_space<workgroup>> {
  %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
  return %a : memref<?xf32, #gpu.address_space<workgroup>>
}

func.func @space_and_layout(%m: memref<4x4xf32, strided<[8, 1], offset: 3>, 2>) -> memref<4x4xf32, strided<[8, 1], offset: 3>, 2> {
  return %m : memref<4x4xf32, strided<[8, 1], offset: 3>, 2>
}

func.func @space_cast(%v: f32) -> memref<4xf32, 3> {
  %a = memref.alloc() : memref<4xf32>
  %s = memref.memory_space_cast %a : memref<4xf32> to memref<4xf32, 3>
  return %s : memref<4xf32, 3>
}

func.func @numbered_space(%c: i1) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32, 1>
  cf.br ^next(%a : memref<4xf32, 1>)
^next(%p: memref<4xf32, 1>):
  %d = memref.dim %p, %c0 : memref<4xf32, 1>
  return %d : index
}

func.func @transposed_layout(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x2xf32, strided<[1, 4]>>
  memref.store %v, %a[%c0, %c0] : memref<4x2xf32, strided<[1, 4]>>
  cf.br ^next(%a : memref<4x2xf32, strided<[1, 4]>>)
^next(%p: memref<4x2xf32, strided<[1, 4]>>):
  %x = memref.load %p[%c0, %c0] : memref<4x2xf32, strided<[1, 4]>>
  return %x : f32
}

#linear = affine_map<(d0, d1) -> (d0 + d1 * 2)>

func.func @mapped_layout(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3xf32, #linear>
  memref.store %v, %a[%c0, %c0] : memref<2x3xf32, #linear>
  cf.br ^next(%a : memref<2x3xf32, #linear>)
^next(%p: memref<2x3xf32, #linear>):
  %x = memref.load %p[%c0, %c0] : memref<2x3xf32, #linear>
  return %x : f32
}
