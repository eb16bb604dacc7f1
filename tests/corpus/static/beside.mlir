// What a private function takes over may be given to it by another name, too: it lives as long as that is used.
func.func private @frees_one(%c: i1, %x: memref<4xf32>, %y: memref<2xf32, strided<[1], offset: 1>>) -> f32 {
  %zero = arith.constant 0 : index
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %v = memref.load %x[%zero] : memref<4xf32>
  memref.dealloc %x : memref<4xf32>
  return %v : f32
^bb2:
  %w = memref.load %y[%zero] : memref<2xf32, strided<[1], offset: 1>>
  return %w : f32
}
func.func private @passes_both(%c: i1, %x: memref<4xf32>, %y: memref<2xf32, strided<[1], offset: 1>>) -> f32 {
  %v = call @frees_one(%c, %x, %y) : (i1, memref<4xf32>, memref<2xf32, strided<[1], offset: 1>>) -> f32
  return %v : f32
}
func.func @given_with_a_view(%c: i1, %m: memref<4xf32>) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %t = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %v = call @passes_both(%c, %a, %t) : (i1, memref<4xf32>, memref<2xf32, strided<[1], offset: 1>>) -> f32
  return %v : f32
}

// -----

// The other name goes round a loop, and is returned: then it is a clone.
func.func private @returns_other(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %x : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %seven = arith.constant 7.0 : f32
  linalg.fill ins(%seven : f32) outs(%n : memref<4xf32>)
  return %n : memref<4xf32>
^bb2:
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %r = scf.for %i = %zero to %two step %one iter_args(%z = %y) -> (memref<4xf32>) {
    scf.yield %z : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @given_one_of_two(%c: i1, %d: i1, %m: memref<4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %d, %a, %b : memref<4xf32>
  %r = call @returns_other(%c, %a, %s) : (i1, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %v = memref.load %r[%zero] : memref<4xf32>
  return %v : f32
}

// -----

// What is given beside it is an address.
func.func private @frees_by_name(%c: i1, %x: memref<4xf32>, %y: index) -> f32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %x : memref<4xf32>
  %seven = arith.constant 7.0 : f32
  return %seven : f32
^bb2:
  %i = arith.index_cast %y : index to i64
  %p = llvm.inttoptr %i : i64 to !llvm.ptr
  %v = llvm.load %p : !llvm.ptr -> f32
  return %v : f32
}
func.func @given_with_its_address(%c: i1, %m: memref<4xf32>) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  %y = memref.extract_aligned_pointer_as_index %a : memref<4xf32> -> index
  %v = call @frees_by_name(%c, %a, %y) : (i1, memref<4xf32>, index) -> f32
  return %v : f32
}
