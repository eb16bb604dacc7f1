// Views that start elsewhere than their allocation: what is freed is the allocation, once, whatever names are live.

// mlir: clean

func.func @branch(%k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  memref.store %k, %v[%c0] : memref<8xi8>
  memref.store %k, %x[%c0] : memref<64xi8>
  cf.br ^bb1
^bb1:
  %a = memref.load %x[%c0] : memref<64xi8>
  %b = memref.load %v[%c0] : memref<8xi8>
  %s = arith.addi %a, %b : i8
  return %s : i8
}

// -----

// mlir: freed twice

func.func @conditional_branch(%c: i1, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  memref.store %k, %v[%c0] : memref<8xi8>
  memref.store %k, %x[%c0] : memref<64xi8>
  cf.cond_br %c, ^bb1(%v : memref<8xi8>), ^bb2
^bb1(%p: memref<8xi8>):
  %a = memref.load %x[%c0] : memref<64xi8>
  %b = memref.load %p[%c0] : memref<8xi8>
  %s = arith.addi %a, %b : i8
  return %s : i8
^bb2:
  %d = memref.load %v[%c0] : memref<8xi8>
  return %d : i8
}

// -----

// mlir: clean

func.func @both_as_arguments(%c: i1, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<64xi8>
  memref.store %k, %v[%c0] : memref<64xi8>
  memref.store %k, %x[%c0] : memref<64xi8>
  cf.cond_br %c, ^bb1(%x, %v : memref<64xi8>, memref<64xi8>), ^bb1(%v, %x : memref<64xi8>, memref<64xi8>)
^bb1(%p: memref<64xi8>, %q: memref<64xi8>):
  %a = memref.load %p[%c0] : memref<64xi8>
  %b = memref.load %q[%c0] : memref<64xi8>
  %s = arith.addi %a, %b : i8
  cf.br ^bb2
^bb2:
  %d = memref.load %p[%c0] : memref<64xi8>
  %e = memref.load %q[%c0] : memref<64xi8>
  %t = arith.addi %d, %e : i8
  %r = arith.addi %s, %t : i8
  return %r : i8
}

// -----

// mlir: used after free

func.func @out_of_a_condition(%c: i1, %d: i1) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k = arith.constant 3 : i8
  %x = memref.alloc() : memref<64xi8>
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  memref.store %k, %v[%c0] : memref<8xi8>
  %r = scf.if %c -> memref<8xi8> {
    scf.yield %v : memref<8xi8>
  } else {
    %n = memref.alloc() : memref<8xi8>
    memref.store %k, %n[%c0] : memref<8xi8>
    scf.yield %n : memref<8xi8>
  }
  cf.cond_br %d, ^bb1(%r : memref<8xi8>), ^bb2
^bb1(%p: memref<8xi8>):
  %a = memref.load %p[%c0] : memref<8xi8>
  return %a : i8
^bb2:
  return %k : i8
}

// -----

// mlir: clean

func.func @around_a_loop(%n: index, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> memref<64xi8> {
    %v = memref.view %x[%i][] : memref<64xi8> to memref<64xi8>
    %a = memref.load %p[%c0] : memref<64xi8>
    scf.yield %v : memref<64xi8>
  }
  cf.br ^bb1
^bb1:
  %b = memref.load %r[%c0] : memref<64xi8>
  return %b : i8
}

// -----

// mlir: clean

func.func @around_a_while_loop(%n: index, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %j, %r = scf.while (%i = %c0, %p = %x) : (index, memref<64xi8>) -> (index, memref<64xi8>) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %p : index, memref<64xi8>
  } do {
  ^bb0(%i: index, %p: memref<64xi8>):
    %v = memref.view %x[%i][] : memref<64xi8> to memref<64xi8>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %v : index, memref<64xi8>
  }
  %b = memref.load %r[%c0] : memref<64xi8>
  return %b : i8
}

// -----

// mlir: clean

func.func @returned(%k: i8) -> memref<8xi8> {
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  return %v : memref<8xi8>
}

// -----

// mlir: freed twice

func.func @returned_with_its_allocation(%k: i8) -> (memref<64xi8>, memref<8xi8>) {
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  return %x, %v : memref<64xi8>, memref<8xi8>
}

// -----

// mlir: clean

func.func private @second_half(%m: memref<64xi8>) -> memref<32xi8> {
  %c32 = arith.constant 32 : index
  %v = memref.view %m[%c32][] : memref<64xi8> to memref<32xi8>
  return %v : memref<32xi8>
}
func.func private @same(%m: memref<32xi8>) -> memref<32xi8> {
  return %m : memref<32xi8>
}
func.func @through_calls(%k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %v = call @second_half(%x) : (memref<64xi8>) -> memref<32xi8>
  %c16 = arith.constant 16 : index
  %w = memref.view %x[%c16][] : memref<64xi8> to memref<32xi8>
  %s = call @same(%w) : (memref<32xi8>) -> memref<32xi8>
  cf.br ^bb1(%s : memref<32xi8>)
^bb1(%p: memref<32xi8>):
  %a = memref.load %p[%c0] : memref<32xi8>
  %b = memref.load %v[%c0] : memref<32xi8>
  %r = arith.addi %a, %b : i8
  return %r : i8
}

// -----

// mlir: clean

func.func @chain_of_views(%c: i1, %k: i8) -> i64 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<4xi64>
  %s = memref.subview %v[1] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 1>>
  %t = memref.cast %s : memref<2xi64, strided<[1], offset: 1>> to memref<?xi64, strided<[1], offset: ?>>
  %w = memref.reinterpret_cast %v to offset: [2], sizes: [2], strides: [1]
      : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
  %u = memref.cast %w : memref<2xi64, strided<[1], offset: 2>> to memref<?xi64, strided<[1], offset: ?>>
  %q = arith.select %c, %t, %u : memref<?xi64, strided<[1], offset: ?>>
  cf.br ^bb1(%q : memref<?xi64, strided<[1], offset: ?>>)
^bb1(%p: memref<?xi64, strided<[1], offset: ?>>):
  %a = memref.load %p[%c0] : memref<?xi64, strided<[1], offset: ?>>
  %b = memref.load %v[%c0] : memref<4xi64>
  %r = arith.addi %a, %b : i64
  return %r : i64
}

// -----

// mlir: used after free

func.func @selected_or_new(%c: i1, %d: i1, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %n = memref.alloc() : memref<8xi8>
  linalg.fill ins(%k : i8) outs(%n : memref<8xi8>)
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  %s = arith.select %c, %v, %n : memref<8xi8>
  cf.cond_br %d, ^bb1(%s : memref<8xi8>), ^bb2
^bb1(%p: memref<8xi8>):
  %a = memref.load %p[%c0] : memref<8xi8>
  return %a : i8
^bb2:
  %b = memref.load %s[%c0] : memref<8xi8>
  return %b : i8
}

// -----

// dealog: what is made from this buffer is needed where the buffer cannot be
// static: clean
// mlir: clean

func.func @of_two_allocations(%c: i1, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<8xi8>
  cf.br ^bb3(%v : memref<8xi8>)
^bb2:
  %y = memref.alloc() : memref<8xi8>
  linalg.fill ins(%k : i8) outs(%y : memref<8xi8>)
  cf.br ^bb3(%y : memref<8xi8>)
^bb3(%p: memref<8xi8>):
  %b = memref.load %p[%c0] : memref<8xi8>
  return %b : i8
}

// -----

// mlir: freed twice

func.func @view_outlives_handed_over(%c: i1, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%a : memref<64xi8>)
  %v = memref.view %a[%c8][] : memref<64xi8> to memref<8xi8>
  cf.cond_br %c, ^bb1(%a : memref<64xi8>), ^bb2(%v : memref<8xi8>)
^bb1(%x: memref<64xi8>):
  %u = memref.load %x[%c0] : memref<64xi8>
  %w = memref.load %v[%c0] : memref<8xi8>
  %t = arith.addi %u, %w : i8
  return %t : i8
^bb2(%y: memref<8xi8>):
  %s = memref.load %y[%c0] : memref<8xi8>
  return %s : i8
}

// -----

// mlir: clean

func.func @select_of_views(%c: i1, %d: i1, %k: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%a : memref<64xi8>)
  %b = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%b : memref<64xi8>)
  %v = memref.view %a[%c8][] : memref<64xi8> to memref<8xi8>
  %w = memref.view %b[%c8][] : memref<64xi8> to memref<8xi8>
  %s = arith.select %c, %v, %w : memref<8xi8>
  %t = arith.select %d, %s, %v : memref<8xi8>
  cf.cond_br %d, ^bb1(%s : memref<8xi8>), ^bb1(%t : memref<8xi8>)
^bb1(%x: memref<8xi8>):
  %y = memref.load %x[%c0] : memref<8xi8>
  return %y : i8
}
