// What the first run writes is what the second run leaves. Here a loop has two entries, and nothing uses the argument of the last block:
// what is handed to it is freed ahead of that.
func.func @two_entries(%n: index, %c: i1, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.cond_br %c, ^bb1(%n : index), ^bb2(%n : index)
^bb1(%i: index):
  %q = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %more = arith.cmpi ugt, %i, %zero : index
  %j = arith.subi %i, %one : index
  cf.cond_br %more, ^bb2(%j : index), ^bb3(%q : memref<4xf32>)
^bb2(%k: index):
  %left = arith.cmpi ugt, %k, %zero : index
  cf.cond_br %left, ^bb1(%k : index), ^bb3(%m : memref<4xf32>)
^bb3(%unused: memref<4xf32>):
  return
}

// -----

// A copy that is made on a condition may be a view of what was allocated for it.
func.func @strided(%c: i1, %m: memref<?xf32, strided<[1], offset: ?>>) -> memref<?xf32, strided<[1], offset: ?>> {
  %four = arith.constant 4 : index
  %a = memref.alloc(%four) : memref<?xf32>
  %x = memref.cast %a : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  memref.copy %m, %x : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
  %r = scf.if %c -> memref<?xf32, strided<[1], offset: ?>> {
    scf.yield %x : memref<?xf32, strided<[1], offset: ?>>
  } else {
    scf.yield %m : memref<?xf32, strided<[1], offset: ?>>
  }
  return %r : memref<?xf32, strided<[1], offset: ?>>
}
