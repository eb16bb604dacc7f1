// memref.get_global, memref.alloca and bufferization.clone: what is not on the heap is never freed.

memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" @state : memref<2xf32> = dense<0.0>

func.func @global_read(%i: index) -> f32 {
  %g = memref.get_global @table : memref<4xf32>
  %x = memref.load %g[%i] : memref<4xf32>
  return %x : f32
}

func.func @global_returned() -> memref<4xf32> {
  %g = memref.get_global @table : memref<4xf32>
  return %g : memref<4xf32>
}

func.func @global_forwarded(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @table : memref<4xf32>
  cf.cond_br %c, ^new, ^join(%g : memref<4xf32>)
^new:
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  cf.br ^join(%a : memref<4xf32>)
^join(%p: memref<4xf32>):
  %x = memref.load %p[%c0] : memref<4xf32>
  return %x : f32
}

func.func @global_out_of_a_region(%c: i1, %v: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> memref<2xf32> {
    %g = memref.get_global @state : memref<2xf32>
    scf.yield %g : memref<2xf32>
  } else {
    %a = memref.alloc() : memref<2xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
    scf.yield %a : memref<2xf32>
  }
  return %r : memref<2xf32>
}

func.func @stack_read(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.alloca() : memref<2xf32>
  memref.store %v, %s[%c0] : memref<2xf32>
  %x = memref.load %s[%c0] : memref<2xf32>
  return %x : f32
}

func.func @stack_or_heap(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %s = memref.alloca() : memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %s[%c0] : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %t = arith.select %c, %s, %a : memref<2xf32>
  cf.br ^next(%t : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
}

func.func @stack_around_a_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloca() : memref<2xf32>
  memref.store %v, %s[%c0] : memref<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %s) -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %p, %a : memref<2xf32> to memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @clone_read(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %k = bufferization.clone %m : memref<2xf32> to memref<2xf32>
  %x = memref.load %k[%c0] : memref<2xf32>
  return %x : f32
}

func.func @clone_returned(%m: memref<2xf32>) -> memref<2xf32> {
  %k = bufferization.clone %m : memref<2xf32> to memref<2xf32>
  return %k : memref<2xf32>
}

func.func @clone_of_own(%v: f32) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  %k = bufferization.clone %a : memref<2xf32> to memref<2xf32>
  cf.br ^next(%k : memref<2xf32>)
^next(%p: memref<2xf32>):
  return %p : memref<2xf32>
}

func.func @clone_of_a_clone(%m: memref<2xf32>) -> memref<2xf32> {
  %k = bufferization.clone %m : memref<2xf32> to memref<2xf32>
  %l = bufferization.clone %k : memref<2xf32> to memref<2xf32>
  return %l : memref<2xf32>
}
