// Unranked buffers: freed through a rank-0 reinterpretation.

func.func @cast_and_used(%v: f32) -> index {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  %r = memref.rank %u : memref<*xf32>
  return %r : index
}

func.func @forwarded(%v: f32) -> index {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  cf.br ^next(%u : memref<*xf32>)
^next(%p: memref<*xf32>):
  %r = memref.rank %p : memref<*xf32>
  return %r : index
}

func.func @of_two_ranks(%c: i1, %v: f32) -> index {
  cf.cond_br %c, ^one, ^two
^one:
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  cf.br ^join(%u : memref<*xf32>)
^two:
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<4x4xf32>)
  %w = memref.cast %b : memref<4x4xf32> to memref<*xf32>
  cf.br ^join(%w : memref<*xf32>)
^join(%p: memref<*xf32>):
  %r = memref.rank %p : memref<*xf32>
  return %r : index
}

func.func @out_of_a_region(%c: i1, %v: f32) -> index {
  %m = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%v : f32) outs(%m : memref<4x4xf32>)
  %u = scf.if %c -> memref<*xf32> {
    %a = memref.alloc() : memref<4xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
    %w = memref.cast %a : memref<4xf32> to memref<*xf32>
    scf.yield %w : memref<*xf32>
  } else {
    %w = memref.cast %m : memref<4x4xf32> to memref<*xf32>
    scf.yield %w : memref<*xf32>
  }
  %r = memref.rank %u : memref<*xf32>
  return %r : index
}

func.func @around_a_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %u) -> (memref<*xf32>) {
    %b = memref.alloc() : memref<4xf32>
    %q = memref.cast %p : memref<*xf32> to memref<4xf32>
    memref.copy %q, %b : memref<4xf32> to memref<4xf32>
    %w = memref.cast %b : memref<4xf32> to memref<*xf32>
    scf.yield %w : memref<*xf32>
  }
  %k = memref.cast %r : memref<*xf32> to memref<4xf32>
  %x = memref.load %k[%c0] : memref<4xf32>
  return %x : f32
}

func.func private @makes_unranked(%v: f32) -> memref<*xf32> {
  %a = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2x2xf32>)
  %u = memref.cast %a : memref<2x2xf32> to memref<*xf32>
  return %u : memref<*xf32>
}

func.func @calls(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %u = call @makes_unranked(%v) : (f32) -> memref<*xf32>
  %k = memref.cast %u : memref<*xf32> to memref<2x2xf32>
  %x = memref.load %k[%c0, %c0] : memref<2x2xf32>
  return %x : f32
}
