// Buffers that are not needed at the same time.
func.func @chain(%m: memref<64xf32>, %o: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%c : memref<64xf32>)
  memref.copy %c, %o : memref<64xf32> to memref<64xf32>
  return
}
func.func @freed(%m: memref<64xf32>, %o: memref<64xf32>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  linalg.exp ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<8x8xf64>
  %v = memref.cast %b : memref<8x8xf64> to memref<?x8xf64>
  memref.copy %a, %o : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  %c = memref.alloc() : memref<32xi32>
  memref.copy %v, %b : memref<?x8xf64> to memref<8x8xf64>
  memref.copy %c, %c : memref<32xi32> to memref<32xi32>
  memref.dealloc %b : memref<8x8xf64>
  memref.dealloc %c : memref<32xi32>
  return
}
func.func @loops(%n: index, %m: memref<16xf32>, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%sum : memref<16xf32>)
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%sum : memref<16xf32>) outs(%a : memref<16xf32>)
    %b = memref.alloc() : memref<16xf32>
    linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    %c = memref.alloc() : memref<16xf32>
    linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
    linalg.exp ins(%c : memref<16xf32>) outs(%sum : memref<16xf32>)
  }
  memref.copy %sum, %m : memref<16xf32> to memref<16xf32>
  return
}
func.func @branches(%c: i1, %m: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %m, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %m : memref<16xf32> to memref<16xf32>
  cf.br ^bb3
^bb2:
  %d = memref.alloc() : memref<16xf32>
  memref.copy %m, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %a : memref<16xf32> to memref<16xf32>
  cf.br ^bb3
^bb3:
  memref.copy %a, %m : memref<16xf32> to memref<16xf32>
  %e = memref.alloc() : memref<16xf32>
  memref.copy %m, %e : memref<16xf32> to memref<16xf32>
  memref.copy %e, %m : memref<16xf32> to memref<16xf32>
  return
}
func.func @by_themselves(%n: index, %h: memref<memref<4xf32>>, %c: i1) -> memref<4xf32> {
  %dynamic = memref.alloc(%n) : memref<?xf32>
  %laid = memref.alloc() : memref<4xf32, strided<[1], offset: 0>>
  %space = memref.alloc() : memref<4xf32, 1>
  %bits = memref.alloc() : memref<4xi7>
  %wide = memref.alloc() {alignment = 128 : i64} : memref<4xf32>
  %kept = memref.alloc() : memref<4xf32>
  memref.store %kept, %h[] : memref<memref<4xf32>>
  %returned = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    %yielded = memref.alloc() : memref<4xf32>
    scf.yield %yielded : memref<4xf32>
  } else {
    scf.yield %kept : memref<4xf32>
  }
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    %each = memref.alloc() : memref<4xf32>
    memref.copy %r, %each : memref<4xf32> to memref<4xf32>
  }
  %alone = memref.alloc() : memref<4xf32>
  memref.copy %r, %alone : memref<4xf32> to memref<4xf32>
  return %returned : memref<4xf32>
}
func.func @round_after_round(%c: i1, %m: memref<4xf32>) {
  %first = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%first : memref<4xf32>)
^bb1(%p: memref<4xf32>):
  memref.copy %p, %m : memref<4xf32> to memref<4xf32>
  %next = memref.alloc() : memref<4xf32>
  memref.copy %m, %next : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%next : memref<4xf32>), ^bb2
^bb2:
  %second = memref.alloc() : memref<4xf32>
  memref.copy %m, %second : memref<4xf32> to memref<4xf32>
  cf.br ^bb3(%second : memref<4xf32>)
^bb3(%q: memref<4xf32>):
  %around = memref.alloc() : memref<4xf32>
  memref.copy %m, %around : memref<4xf32> to memref<4xf32>
  memref.copy %q, %m : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb3(%around : memref<4xf32>), ^bb4
^bb4:
  %last = memref.alloc() : memref<4xf32>
  memref.copy %m, %last : memref<4xf32> to memref<4xf32>
  return
}
