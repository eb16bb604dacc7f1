// A buffer on the stack that is returned must be cloned.
// no reference: without the clone it returns memory that is gone

func.func @stack_returned(%v: f32) -> memref<2xf32> {
  %s = memref.alloca() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%s : memref<2xf32>)
  return %s : memref<2xf32>
}
