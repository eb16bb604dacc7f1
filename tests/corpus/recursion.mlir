// Functions that call themselves or each other.

func.func @direct(%n: index, %v: f32) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> (memref<1xf32>) {
    %a = memref.alloc() : memref<1xf32>
    memref.store %v, %a[%c0] : memref<1xf32>
    scf.yield %a : memref<1xf32>
  } else {
    %k = arith.subi %n, %c1 : index
    %b = func.call @direct(%k, %v) : (index, f32) -> memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  return %r : memref<1xf32>
}

func.func private @private_direct(%n: index, %m: memref<1xf32>) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %done, ^end(%m : memref<1xf32>), ^more
^more:
  %k = arith.subi %n, %c1 : index
  %a = memref.alloc() : memref<1xf32>
  %x = memref.load %m[%c0] : memref<1xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %a[%c0] : memref<1xf32>
  %r = call @private_direct(%k, %a) : (index, memref<1xf32>) -> memref<1xf32>
  cf.br ^end(%r : memref<1xf32>)
^end(%e: memref<1xf32>):
  return %e : memref<1xf32>
}

func.func @runs_private_direct(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = call @private_direct(%n, %a) : (index, memref<1xf32>) -> memref<1xf32>
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}

func.func private @ping(%n: index, %m: memref<1xf32>) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %done -> (memref<1xf32>) {
    scf.yield %m : memref<1xf32>
  } else {
    %k = arith.subi %n, %c1 : index
    %b = func.call @pong(%k, %m) : (index, memref<1xf32>) -> memref<1xf32>
    scf.yield %b : memref<1xf32>
  }
  return %r : memref<1xf32>
}

func.func private @pong(%n: index, %m: memref<1xf32>) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.copy %m, %a : memref<1xf32> to memref<1xf32>
  %b = call @ping(%n, %a) : (index, memref<1xf32>) -> memref<1xf32>
  return %b : memref<1xf32>
}

func.func @runs_ping(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%c0] : memref<1xf32>
  %r = call @ping(%n, %a) : (index, memref<1xf32>) -> memref<1xf32>
  %x = memref.load %r[%c0] : memref<1xf32>
  return %x : f32
}
