// Of two buffers one is chosen, and returned; the other is freed by the opposite choice.
func.func @chain(%c: i1, %d: i1, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %s = arith.select %c, %a, %b : memref<?xf32>
  %e = memref.alloc(%n) : memref<?xf32>
  %t = arith.select %d, %s, %e : memref<?xf32>
  return %t : memref<?xf32>
}
// One of the two may be the caller's, so an i1 tells whether it is freed.
func.func @one_of_them(%c: i1, %d: i1, %n: index, %m: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %d, ^bb1(%a : memref<?xf32>), ^bb1(%m : memref<?xf32>)
^bb1(%x: memref<?xf32>):
  %s = arith.select %c, %b, %x : memref<?xf32>
  cf.br ^bb2(%s : memref<?xf32>)
^bb2(%y: memref<?xf32>):
  memref.copy %y, %m : memref<?xf32> to memref<?xf32>
  return
}
