// Unranked buffers that the boundary rules clone.
// not executable: cloning an unranked buffer has no lowering

func.func @argument_returned(%m: memref<*xf32>) -> memref<*xf32> {
  return %m : memref<*xf32>
}

func.func @argument_or_new_returned(%c: i1, %m: memref<*xf32>) -> memref<*xf32> {
  %r = scf.if %c -> memref<*xf32> {
    scf.yield %m : memref<*xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    %w = memref.cast %a : memref<4xf32> to memref<*xf32>
    scf.yield %w : memref<*xf32>
  }
  return %r : memref<*xf32>
}

func.func @in_a_memory_space(%m: memref<*xi8, 1>) -> memref<*xi8, 1> {
  cf.br ^next(%m : memref<*xi8, 1>)
^next(%p: memref<*xi8, 1>):
  return %p : memref<*xi8, 1>
}
