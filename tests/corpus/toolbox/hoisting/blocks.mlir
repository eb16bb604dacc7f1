// Allocations between blocks: up to the block that dominates all uses, and not above what they depend on.
func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %arg1, %0 : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  memref.copy %1, %arg2 : memref<2xf32> to memref<2xf32>
  return
}
func.func @condBranchDynamicType(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
  cf.br ^bb3(%arg1 : memref<?xf32>)
^bb2(%0: index):
  %1 = memref.alloc(%0) : memref<?xf32>
  memref.copy %arg1, %1 : memref<?xf32> to memref<?xf32>
  cf.br ^bb3(%1 : memref<?xf32>)
^bb3(%2: memref<?xf32>):
  memref.copy %2, %arg2 : memref<?xf32> to memref<?xf32>
  return
}
func.func @condBranchDynamicTypeNested(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3: index)
^bb1:
  cf.br ^bb6(%arg1 : memref<?xf32>)
^bb2(%0: index):
  %c0 = arith.constant 0 : index
  cf.cond_br %arg0, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%arg1 : memref<?xf32>)
^bb4:
  %1 = memref.alloc(%0) : memref<?xf32>
  memref.copy %arg1, %1 : memref<?xf32> to memref<?xf32>
  cf.br ^bb5(%1 : memref<?xf32>)
^bb5(%2: memref<?xf32>):
  cf.br ^bb6(%2 : memref<?xf32>)
^bb6(%3: memref<?xf32>):
  cf.br ^bb7(%3 : memref<?xf32>)
^bb7(%4: memref<?xf32>):
  memref.copy %4, %arg2 : memref<?xf32> to memref<?xf32>
  return
}
func.func @criticalEdge(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : memref<2xf32>)
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %arg1, %0 : memref<2xf32> to memref<2xf32>
  cf.br ^bb2(%0 : memref<2xf32>)
^bb2(%1: memref<2xf32>):
  memref.copy %1, %arg2 : memref<2xf32> to memref<2xf32>
  return
}
func.func @several(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %arg1, %0 : memref<2xf32> to memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  memref.copy %0, %1 : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%0, %1 : memref<2xf32>, memref<2xf32>)
^bb2:
  %2 = memref.alloc() : memref<2xf32>
  memref.copy %arg1, %2 : memref<2xf32> to memref<2xf32>
  cf.br ^bb3(%2, %arg1 : memref<2xf32>, memref<2xf32>)
^bb3(%x: memref<2xf32>, %y: memref<2xf32>):
  memref.copy %x, %arg2 : memref<2xf32> to memref<2xf32>
  memref.copy %y, %arg2 : memref<2xf32> to memref<2xf32>
  return
}
func.func @ladder(%a: i1, %b: i1, %c: i1, %m: memref<2xf32>, %n: memref<2xf32>) {
  cf.cond_br %a, ^bb1, ^bb5(%m : memref<2xf32>)
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %m, %0 : memref<2xf32> to memref<2xf32>
  cf.cond_br %b, ^bb2, ^bb5(%0 : memref<2xf32>)
^bb2:
  cf.cond_br %c, ^bb3, ^bb4(%m : memref<2xf32>)
^bb3:
  %1 = memref.alloc() : memref<2xf32>
  memref.copy %m, %1 : memref<2xf32> to memref<2xf32>
  cf.br ^bb4(%1 : memref<2xf32>)
^bb4(%x: memref<2xf32>):
  memref.copy %x, %n : memref<2xf32> to memref<2xf32>
  cf.br ^bb5(%n : memref<2xf32>)
^bb5(%y: memref<2xf32>):
  memref.copy %y, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @diamonds(%a: i1, %b: i1, %m: memref<2xf32>, %n: memref<2xf32>) {
  cf.cond_br %a, ^bb1, ^bb2
^bb1:
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  cf.cond_br %b, ^bb4, ^bb5
^bb4:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %m, %0 : memref<2xf32> to memref<2xf32>
  cf.br ^bb6(%0 : memref<2xf32>)
^bb5:
  %1 = memref.alloc() : memref<2xf32>
  memref.copy %n, %1 : memref<2xf32> to memref<2xf32>
  cf.br ^bb6(%1 : memref<2xf32>)
^bb6(%x: memref<2xf32>):
  memref.copy %x, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @around(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) {
  cf.br ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %x, %0 : memref<2xf32> to memref<2xf32>
  cf.br ^bb1(%0 : memref<2xf32>)
^bb3:
  memref.copy %x, %n : memref<2xf32> to memref<2xf32>
  return
}
func.func @freed_before_the_end(%c: i1, %m: memref<2xf32>, %n: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  memref.copy %m, %0 : memref<2xf32> to memref<2xf32>
  memref.copy %0, %n : memref<2xf32> to memref<2xf32>
  memref.dealloc %0 : memref<2xf32>
  cf.br ^bb2
^bb2:
  return
}
