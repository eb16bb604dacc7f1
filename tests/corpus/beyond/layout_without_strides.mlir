// A buffer whose layout is no stride pattern. MLIR 22.1 takes the base buffer of everything that it frees, and such a buffer has
// none: its output does not verify. Right: what is allocated in the block can be freed as it is.
// not executable: allocations of this type have no lowering

#swap = affine_map<(d0, d1) -> (d1, d0)>

func.func @dies_where_it_is_allocated(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2x3xf32, #swap>
  memref.store %v, %a[%c0, %c0] : memref<2x3xf32, #swap>
  %x = memref.load %a[%c0, %c0] : memref<2x3xf32, #swap>
  return %x : f32
}
