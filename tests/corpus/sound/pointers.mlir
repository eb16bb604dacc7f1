// Addresses and handles of buffers: a value derived from a buffer keeps it alive, whatever its type, until its last use.

// mlir: clean

func.func @number(%k: i64) -> i64 {
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  %i = arith.index_cast %p : index to i64
  cf.br ^bb1
^bb1:
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @pointer_as_argument(%c: i1, %k: i64) -> i64 {
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %q1 = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i64
  cf.cond_br %c, ^bb1(%q : !llvm.ptr), ^bb1(%q1 : !llvm.ptr)
^bb1(%a: !llvm.ptr):
  %r = llvm.load %a : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @descriptor_and_back(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %d = builtin.unrealized_conversion_cast %x : memref<8xi64> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %m = builtin.unrealized_conversion_cast %d : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<8xi64>
  %r = memref.load %m[%c0] : memref<8xi64>
  return %r : i64
^bb2:
  return %k : i64
}

// -----

// mlir: used after free

func.func @out_of_a_condition(%c: i1, %d: i1, %k: i64) -> i64 {
  %x = memref.alloc() : memref<8xi64>
  %y = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  linalg.fill ins(%k : i64) outs(%y : memref<8xi64>)
  %i = scf.if %c -> index {
    %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
    scf.yield %p : index
  } else {
    %p = memref.extract_aligned_pointer_as_index %y : memref<8xi64> -> index
    scf.yield %p : index
  }
  cf.cond_br %d, ^bb1, ^bb2
^bb1:
  %j = arith.index_cast %i : index to i64
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
^bb2:
  return %k : i64
}

// -----

// mlir: clean

func.func @around_a_loop(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<64xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<64xi64> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %e = scf.for %j = %c0 to %n step %c1 iter_args(%a = %q) -> !llvm.ptr {
    %b = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i64
    scf.yield %b : !llvm.ptr
  }
  cf.br ^bb1(%e : !llvm.ptr)
^bb1(%z: !llvm.ptr):
  %r = llvm.load %z : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @around_a_while_loop(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<64xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<64xi64> -> index
  %j, %e = scf.while (%i = %c0, %a = %p) : (index, index) -> (index, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %a : index, index
  } do {
  ^bb0(%i: index, %a: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a : index, index
  }
  cf.br ^bb1
^bb1:
  %z = arith.index_cast %e : index to i64
  %q = llvm.inttoptr %z : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func private @address_of(%m: memref<8xi64>) -> i64 {
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xi64> -> index
  %i = arith.index_cast %p : index to i64
  return %i : i64
}
func.func private @behind(%i: i64) -> !llvm.ptr {
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %q1 = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i64
  return %q1 : !llvm.ptr
}
func.func @through_calls(%k: i64) -> i64 {
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %i = call @address_of(%x) : (memref<8xi64>) -> i64
  cf.br ^bb1
^bb1:
  %q = call @behind(%i) : (i64) -> !llvm.ptr
  cf.br ^bb2
^bb2:
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @selected(%c: i1, %k: i64) -> i64 {
  %x = memref.alloc() : memref<8xi64>
  %y = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  linalg.fill ins(%k : i64) outs(%y : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  %q = memref.extract_aligned_pointer_as_index %y : memref<8xi64> -> index
  %s = arith.select %c, %p, %q : index
  cf.br ^bb1
^bb1:
  %i = arith.index_cast %s : index to i64
  %z = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %z : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @kept_on_the_stack(%k: i64) -> i64 {
  %one = arith.constant 1 : i64
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %slot = llvm.alloca %one x !llvm.ptr : (i64) -> !llvm.ptr
  llvm.store %q, %slot : !llvm.ptr, !llvm.ptr
  cf.br ^bb1
^bb1:
  %z = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  cf.br ^bb2
^bb2:
  %r = llvm.load %z : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @kept_in_a_buffer_of_numbers(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %table = memref.alloc() : memref<2xindex>
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  memref.store %p, %table[%c0] : memref<2xindex>
  cf.br ^bb1
^bb1:
  %z = memref.load %table[%c0] : memref<2xindex>
  %i = arith.index_cast %z : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: used after free

func.func @of_two_branches(%c: i1, %k: i64) -> i64 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  cf.br ^bb3(%p : index)
^bb2:
  %y = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%y : memref<8xi64>)
  %q = memref.extract_aligned_pointer_as_index %y : memref<8xi64> -> index
  cf.br ^bb3(%q : index)
^bb3(%a: index):
  %i = arith.index_cast %a : index to i64
  %z = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %z : !llvm.ptr -> i64
  return %r : i64
}

// -----

// dealog: what is made from this buffer is returned, but not the buffer
// mlir: used after free

func.func private @dangling(%k: i64) -> index {
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<8xi64> -> index
  return %p : index
}
func.func @from_a_callee(%k: i64) -> i64 {
  %p = call @dangling(%k) : (i64) -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// The address is that of a view.
// dealog: what is made from this buffer is returned, but not the buffer
// mlir: used after free

func.func private @dangling_view(%k: i64) -> index {
  %zero = arith.constant 0 : index
  %x = memref.alloc() : memref<64xi8>
  %v = memref.view %x[%zero][] : memref<64xi8> to memref<8xi64>
  linalg.fill ins(%k : i64) outs(%v : memref<8xi64>)
  %p = memref.extract_aligned_pointer_as_index %v : memref<8xi64> -> index
  return %p : index
}
func.func @of_a_view_from_a_callee(%k: i64) -> i64 {
  %p = call @dangling_view(%k) : (i64) -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// The address is that of a buffer that was chosen.
// dealog: what is made from this buffer is returned, but not the buffer
// mlir: used after free

func.func private @dangling_choice(%c: i1, %k: i64, %m: memref<8xi64>) -> index {
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  %b = scf.if %c -> (memref<8xi64>) {
    scf.yield %x : memref<8xi64>
  } else {
    scf.yield %m : memref<8xi64>
  }
  %p = memref.extract_aligned_pointer_as_index %b : memref<8xi64> -> index
  return %p : index
}
func.func @of_a_choice_from_a_callee(%k: i64) -> i64 {
  %yes = arith.constant true
  %m = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%m : memref<8xi64>)
  %p = call @dangling_choice(%yes, %k, %m) : (i1, i64, memref<8xi64>) -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// dealog: this buffer is kept in memory that outlives it
// mlir: clean

memref.global "private" @table : memref<1xindex> = dense<0>
func.func private @keep(%m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %table = memref.get_global @table : memref<1xindex>
  %p = memref.extract_aligned_pointer_as_index %m : memref<8xi64> -> index
  memref.store %p, %table[%c0] : memref<1xindex>
  return
}
func.func @kept_in_a_global(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<8xi64>)
  call @keep(%x) : (memref<8xi64>) -> ()
  cf.br ^bb1
^bb1:
  %table = memref.get_global @table : memref<1xindex>
  %p = memref.load %table[%c0] : memref<1xindex>
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func private @either(%c: i1, %a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r : memref<4xi64>
}
func.func @given_back_as_pointer(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  %v = call @either(%c, %a, %b) : (i1, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  %p = memref.extract_aligned_pointer_as_index %v : memref<4xi64> -> index
  %n = arith.index_cast %p : index to i64
  cf.br ^bb1
^bb1:
  %q = llvm.inttoptr %n : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: used after free

func.func @pointer_of_receiver(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %r = scf.if %c -> memref<4xi64> {
    scf.yield %a : memref<4xi64>
  } else {
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
    scf.yield %b : memref<4xi64>
  }
  %p = memref.extract_aligned_pointer_as_index %r : memref<4xi64> -> index
  %n = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %n : i64 to !llvm.ptr
  cf.cond_br %c, ^bb1(%q : !llvm.ptr), ^bb2(%n : i64)
^bb1(%w: !llvm.ptr):
  %x = llvm.load %w : !llvm.ptr -> i64
  return %x : i64
^bb2(%o: i64):
  %v = llvm.inttoptr %o : i64 to !llvm.ptr
  %y = llvm.load %v : !llvm.ptr -> i64
  return %y : i64
}

// -----

// mlir: clean

func.func @metadata(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4x4xi64>)
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %a : memref<4x4xi64> -> memref<i64>, index, index, index, index, index
  %v = memref.reinterpret_cast %base to offset: [5], sizes: [2], strides: [4] : memref<i64> to memref<2xi64, strided<[4], offset: 5>>
  cf.cond_br %c, ^bb1(%base : memref<i64>), ^bb2(%v : memref<2xi64, strided<[4], offset: 5>>)
^bb1(%x: memref<i64>):
  %y = memref.load %x[] : memref<i64>
  return %y : i64
^bb2(%z: memref<2xi64, strided<[4], offset: 5>>):
  %w = memref.load %z[%c0] : memref<2xi64, strided<[4], offset: 5>>
  return %w : i64
}

// -----

// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: used after free

func.func @address_of_one_of_several(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  memref.store %o, %h[%c0] : memref<2xmemref<4xi64>>
  memref.store %o, %h[%c1] : memref<2xmemref<4xi64>>
  %start = memref.extract_aligned_pointer_as_index %o : memref<4xi64> -> index
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%w = %start) -> index {
    %j = arith.index_cast %w : index to i64
    %q = llvm.inttoptr %j : i64 to !llvm.ptr
    %r = llvm.load %q : !llvm.ptr -> i64
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%r : i64) outs(%a : memref<4xi64>)
    %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
    %b = arith.cmpi ult, %i, %c1 : index
    %s1 = arith.select %b, %a, %l : memref<4xi64>
    %s2 = arith.select %b, %s1, %o : memref<4xi64>
    %p = memref.extract_aligned_pointer_as_index %s2 : memref<4xi64> -> index
    scf.yield %p : index
  }
  %j = arith.index_cast %z : index to i64
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}
