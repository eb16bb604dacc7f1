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

// -----

// A constant says that the argument is never handed on. So what is freed behind that is not the argument.
func.func private @never(%m: memref<4xf32>) -> memref<4xf32> {
  %false = arith.constant false
  %r = scf.if %false -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
func.func private @never_by_a_branch(%m: memref<4xf32>) -> memref<4xf32> {
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %true, ^bb1(%a : memref<4xf32>), ^bb1(%m : memref<4xf32>)
^bb1(%r: memref<4xf32>):
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return %m : memref<4xf32>
}
func.func @calls_both(%m: memref<4xf32>) {
  %r = call @never(%m) : (memref<4xf32>) -> memref<4xf32>
  %s = call @never_by_a_branch(%r) : (memref<4xf32>) -> memref<4xf32>
  memref.copy %s, %m : memref<4xf32> to memref<4xf32>
  return
}
func.func private @either_way(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  return %a : memref<4xf32>
^bb2:
  return %m : memref<4xf32>
}
func.func @folds(%m: memref<4xf32>) {
  %true = arith.constant true
  %r = call @either_way(%true, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
// -----
// A view is given to a function that gives it back on some paths, and the buffer is freed by its own name on the others.
func.func private @new_or_given(%c: i1, %x: memref<?xf32>) -> memref<?xf32> {
  %r = scf.if %c -> (memref<?xf32>) {
    scf.yield %x : memref<?xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    %v = memref.cast %a : memref<4xf32> to memref<?xf32>
    memref.copy %x, %v : memref<?xf32> to memref<?xf32>
    scf.yield %v : memref<?xf32>
  }
  return %r : memref<?xf32>
}
func.func @gives_a_view(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %w = memref.cast %a : memref<4xf32> to memref<?xf32>
  %r = call @new_or_given(%c, %w) : (i1, memref<?xf32>) -> memref<?xf32>
  %f = memref.load %r[%c0] : memref<?xf32>
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<4xf32>)
  %u = memref.cast %b : memref<4xf32> to memref<?xf32>
  %s = call @new_or_given(%c, %u) : (i1, memref<?xf32>) -> memref<?xf32>
  %g = memref.load %s[%c0] : memref<?xf32>
  %h = memref.load %b[%c0] : memref<4xf32>
  %x = arith.addf %f, %g : f32
  %y = arith.addf %x, %h : f32
  return %y : f32
}
