func.func @reduces(%n: index, %m: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%m) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.reduce(%a : memref<2xf32>) {
    ^bb0(%l: memref<2xf32>, %q: memref<2xf32>):
      // expected-error@below {{only supported when operand is not a MemRef}}
      scf.reduce.return %q : memref<2xf32>
    }
  }
  return
}
