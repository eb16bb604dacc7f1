// Buffers of dynamic size, in straight lines, loops and cycles of blocks.
func.func @kept(%n: index, %k: index, %m: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %other = memref.alloc(%k) : memref<?xf32>
  memref.copy %m, %other : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  %whole = memref.alloc(%n) : memref<?xi32>
  memref.copy %whole, %whole : memref<?xi32> to memref<?xi32>
  %d = memref.alloc(%n) : memref<?xf32>
  memref.copy %c, %d : memref<?xf32> to memref<?xf32>
  %e = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  memref.copy %d, %e : memref<?xf32> to memref<?xf32>
  memref.copy %e, %m : memref<?xf32> to memref<?xf32>
  return
}
func.func @freed(%n: index, %m: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %a : memref<?xf32> to memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    memref.copy %a, %b : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    %c = memref.alloc(%n) : memref<?xf32>
    memref.copy %b, %c : memref<?xf32> to memref<?xf32>
    memref.dealloc %b : memref<?xf32>
    memref.copy %c, %m : memref<?xf32> to memref<?xf32>
    %d = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %d : memref<?xf32> to memref<?xf32>
    memref.dealloc %d : memref<?xf32>
    memref.dealloc %c : memref<?xf32>
  }
  return
}
func.func @rounds(%n: index, %c: i1, %m: memref<?xf32>) {
  %x = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %x : memref<?xf32> to memref<?xf32>
  cf.br ^bb1(%x : memref<?xf32>)
^bb1(%before: memref<?xf32>):
  %y = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %y : memref<?xf32> to memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  memref.copy %before, %z : memref<?xf32> to memref<?xf32>
  memref.copy %z, %m : memref<?xf32> to memref<?xf32>
  %w = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %w : memref<?xf32> to memref<?xf32>
  cf.cond_br %c, ^bb1(%y : memref<?xf32>), ^bb2
^bb2:
  memref.copy %w, %m : memref<?xf32> to memref<?xf32>
  return
}
func.func @stay(%n: index, %c: i1, %m: memref<?xf32>) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %a : memref<?xf32> to memref<?xf32>
  %returned = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %returned : memref<?xf32> to memref<?xf32>
  %some = memref.alloc(%n) : memref<?xf32>
  memref.copy %m, %some : memref<?xf32> to memref<?xf32>
  scf.if %c {
    memref.dealloc %some : memref<?xf32>
  } else {
    memref.dealloc %some : memref<?xf32>
  }
  return %returned : memref<?xf32>
}
