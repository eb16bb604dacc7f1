// Addresses and buffers that operations of other dialects, loops and calls write to memory, read from it, or combine.

// mlir: clean

func.func @filled(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  linalg.fill ins(%i : i64) outs(%m : memref<4xi64>)
  %j = memref.load %m[%c0] : memref<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @captured(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xi64>) {
  ^bb0(%o: i64):
    linalg.yield %i : i64
  }
  %j = memref.load %m[%c0] : memref<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @vector_stored(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  %v = vector.broadcast %i : i64 to vector<4xi64>
  vector.store %v, %m[%c0] : memref<4xi64>, vector<4xi64>
  %j = memref.load %m[%c0] : memref<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @vector_written(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  %v = vector.broadcast %i : i64 to vector<4xi64>
  vector.transfer_write %v, %m[%c0] : vector<4xi64>, memref<4xi64>
  %j = memref.load %m[%c0] : memref<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @masked(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  %t = vector.constant_mask [4] : vector<4xi1>
  %v = vector.broadcast %i : i64 to vector<4xi64>
  vector.maskedstore %m[%c0], %t, %v : memref<4xi64>, vector<4xi1>, vector<4xi64>
  %j = memref.load %m[%c0] : memref<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @vector_loaded(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  memref.store %i, %m[%c0] : memref<4xi64>
  %v = vector.load %m[%c0] : memref<4xi64>, vector<4xi64>
  %j = vector.extract %v[0] : i64 from vector<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @vector_read(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  memref.store %i, %m[%c0] : memref<4xi64>
  %v = vector.transfer_read %m[%c0], %zero : memref<4xi64>, vector<4xi64>
  %j = vector.extract %v[0] : i64 from vector<4xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @affine_vector(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  memref.store %i, %m[%c0] : memref<4xi64>
  %v = affine.vector_load %m[0] : memref<4xi64>, vector<2xi64>
  %j = vector.extract %v[0] : i64 from vector<2xi64>
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @exchanged(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<4xi64>
  linalg.fill ins(%zero : i64) outs(%m : memref<4xi64>)
  memref.store %i, %m[%c0] : memref<4xi64>
  %j = memref.atomic_rmw assign %zero, %m[%c0] : (i64, memref<4xi64>) -> i64
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @copied_by_llvm(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %m = memref.alloca() : memref<2xi64>
  %n = memref.alloca() : memref<2xi64>
  %mp = memref.extract_aligned_pointer_as_index %m : memref<2xi64> -> index
  %np = memref.extract_aligned_pointer_as_index %n : memref<2xi64> -> index
  %mi = arith.index_cast %mp : index to i64
  %ni = arith.index_cast %np : index to i64
  %mq = llvm.inttoptr %mi : i64 to !llvm.ptr
  %nq = llvm.inttoptr %ni : i64 to !llvm.ptr
  llvm.store %i, %mq : i64, !llvm.ptr
  %eight = llvm.mlir.constant(8 : i64) : i64
  "llvm.intr.memcpy"(%nq, %mq, %eight) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %j = llvm.load %nq : !llvm.ptr -> i64
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @reduced(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %c1 = arith.constant 1 : index
  %j = scf.parallel (%n) = (%c0) to (%c1) step (%c1) init (%zero) -> i64 {
    scf.reduce (%i : i64) {
    ^bb0(%u: i64, %w: i64):
      %s = arith.addi %u, %w : i64
      scf.reduce.return %s : i64
    }
  }
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @reduced_by_affine(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  %i = arith.index_cast %p : index to i64
  %j = affine.parallel (%n) = (0) to (1) reduce ("addi") -> (i64) {
    affine.yield %i : i64
  }
  %q = llvm.inttoptr %j : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func private @address_of(%x: memref<4xi64>) -> index {
  %p = memref.extract_aligned_pointer_as_index %x : memref<4xi64> -> index
  return %p : index
}
func.func @address_by_address(%k: i64) -> i64 {
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %f = func.constant @address_of : (memref<4xi64>) -> index
  %p = call_indirect %f(%x) : (memref<4xi64>) -> index
  %i = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %i : i64 to !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func private @put_into(%x: memref<4xi64>, %h: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func @put_by_address(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %h = memref.alloca() : memref<1xmemref<4xi64>>
  %f = func.constant @put_into : (memref<4xi64>, memref<1xmemref<4xi64>>) -> ()
  call_indirect %f(%x, %h) : (memref<4xi64>, memref<1xmemref<4xi64>>) -> ()
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func private @first_of_first(%o: memref<1xmemref<1xmemref<4xi64>>>) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.load %o[%c0] : memref<1xmemref<1xmemref<4xi64>>>
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}
func.func @read_two_levels_down(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %inner = memref.alloc() : memref<1xmemref<4xi64>>
  %outer = memref.alloc() : memref<1xmemref<1xmemref<4xi64>>>
  memref.store %x, %inner[%c0] : memref<1xmemref<4xi64>>
  memref.store %inner, %outer[%c0] : memref<1xmemref<1xmemref<4xi64>>>
  %r = call @first_of_first(%outer) : (memref<1xmemref<1xmemref<4xi64>>>) -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func private @put_down(%o: memref<1xmemref<1xmemref<4xi64>>>, %x: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %h = memref.load %o[%c0] : memref<1xmemref<1xmemref<4xi64>>>
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func @written_two_levels_down(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %inner = memref.alloc() : memref<1xmemref<4xi64>>
  %outer = memref.alloc() : memref<1xmemref<1xmemref<4xi64>>>
  memref.store %inner, %outer[%c0] : memref<1xmemref<1xmemref<4xi64>>>
  call @put_down(%outer, %x) : (memref<1xmemref<1xmemref<4xi64>>>, memref<4xi64>) -> ()
  %l = memref.load %inner[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func private @move(%from: memref<1xmemref<4xi64>>, %to: memref<1xmemref<4xi64>>) {
  %c0 = arith.constant 0 : index
  %l = memref.load %from[%c0] : memref<1xmemref<4xi64>>
  memref.store %l, %to[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func @moved(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %inner = memref.alloc() : memref<1xmemref<4xi64>>
  %other = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %x, %inner[%c0] : memref<1xmemref<4xi64>>
  call @move(%inner, %other) : (memref<1xmemref<4xi64>>, memref<1xmemref<4xi64>>) -> ()
  %l = memref.load %other[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func private @fetch(%h: memref<1xmemref<4xi64>>) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  return %l : memref<4xi64>
}
func.func @fetched_and_returned(%k: i64) -> (i64, memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %inner = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %x, %inner[%c0] : memref<1xmemref<4xi64>>
  %l = call @fetch(%inner) : (memref<1xmemref<4xi64>>) -> memref<4xi64>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r, %l : i64, memref<4xi64>
}
