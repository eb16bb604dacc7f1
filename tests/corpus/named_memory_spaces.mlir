// Memory spaces given by attributes.
// not executable: these spaces have no lowering here

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
