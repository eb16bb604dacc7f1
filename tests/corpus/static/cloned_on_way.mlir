// What a round reads back goes on to the next one as a clone; the buffers that it may be end with the round.
func.func @round(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m) -> (memref<4xf32>) {
    %h = memref.alloc() : memref<2xmemref<4xf32>>
    %a = memref.alloc() : memref<4xf32>
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    memref.store %a, %h[%c0] : memref<2xmemref<4xf32>>
    memref.store %b, %h[%c1] : memref<2xmemref<4xf32>>
    %e = arith.remui %i, %two : index
    %l = memref.load %h[%e] : memref<2xmemref<4xf32>>
    scf.yield %l : memref<4xf32>
  }
  memref.copy %last, %m : memref<4xf32> to memref<4xf32>
  return
}
// -----
// Between blocks; where control leaves the loop, the clone is freed.
func.func @blocks(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : index
  cf.br ^round(%c0, %m : index, memref<4xf32>)
^round(%i: index, %x: memref<4xf32>):
  %h = memref.alloc() : memref<2xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  memref.store %a, %h[%c0] : memref<2xmemref<4xf32>>
  memref.store %b, %h[%c1] : memref<2xmemref<4xf32>>
  %e = arith.remui %i, %two : index
  %l = memref.load %h[%e] : memref<2xmemref<4xf32>>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^round(%j, %l : index, memref<4xf32>), ^done
^done:
  return
}
