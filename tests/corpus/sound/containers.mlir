// Memory that holds buffers: a buffer that is stored lives as long as it may be read from there.

// mlir: clean

func.func @read_in_another_block(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func @read_in_a_loop(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k) -> i64 {
    %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
    %r = memref.load %l[%c0] : memref<4xi64>
    %b = arith.addi %a, %r : i64
    scf.yield %b : i64
  }
  return %s : i64
}

// -----

// mlir: clean

func.func @read_in_a_region(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %s = scf.execute_region -> i64 {
    %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
    cf.br ^bb2
  ^bb2:
    %r = memref.load %l[%c0] : memref<4xi64>
    scf.yield %r : i64
  }
  return %s : i64
}

// -----

// mlir: clean

func.func @through_a_view(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<4xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %v = memref.subview %h[1] [2] [1] : memref<4xmemref<4xi64>> to memref<2xmemref<4xi64>, strided<[1], offset: 1>>
  memref.store %x, %v[%c0] : memref<2xmemref<4xi64>, strided<[1], offset: 1>>
  cf.br ^bb1
^bb1:
  %c1 = arith.constant 1 : index
  %l = memref.load %h[%c1] : memref<4xmemref<4xi64>>
  cf.br ^bb2
^bb2:
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func @nested(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %o = memref.alloc() : memref<2xmemref<2xmemref<4xi64>>>
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %h, %o[%c0] : memref<2xmemref<2xmemref<4xi64>>>
  %g = memref.load %o[%c0] : memref<2xmemref<2xmemref<4xi64>>>
  memref.store %x, %g[%c0] : memref<2xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %e = memref.load %o[%c0] : memref<2xmemref<2xmemref<4xi64>>>
  cf.br ^bb2
^bb2:
  %l = memref.load %e[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func private @first(%h: memref<2xmemref<4xi64>>) -> i64 {
  %c0 = arith.constant 0 : index
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}
func.func private @put(%h: memref<2xmemref<4xi64>>, %m: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %h[%c0] : memref<2xmemref<4xi64>>
  return
}
func.func @passed_to_calls(%k: i64) -> i64 {
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  call @put(%h, %x) : (memref<2xmemref<4xi64>>, memref<4xi64>) -> ()
  cf.br ^bb1
^bb1:
  %r = call @first(%h) : (memref<2xmemref<4xi64>>) -> i64
  return %r : i64
}

// -----

// mlir: clean

func.func @copied(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %g = memref.alloc() : memref<1xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  memref.copy %h, %g : memref<1xmemref<4xi64>> to memref<1xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %l = memref.load %g[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func @written_and_read_in_a_loop(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k) -> i64 {
    %x = memref.alloc() : memref<4xi64>
    linalg.fill ins(%a : i64) outs(%x : memref<4xi64>)
    memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
    %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
    %r = memref.load %l[%c0] : memref<4xi64>
    %b = arith.addi %a, %r : i64
    scf.yield %b : i64
  }
  return %s : i64
}

// -----

// mlir: clean

func.func @element_returned(%k: i64) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  return %l : memref<4xi64>
}

// -----

// mlir: clean

func.func @shifted_view_held(%c: i1, %k: i8) -> i64 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<64xi8>
  linalg.fill ins(%k : i8) outs(%x : memref<64xi8>)
  %v = memref.view %x[%c8][] : memref<64xi8> to memref<4xi64>
  memref.store %v, %h[%c0] : memref<2xmemref<4xi64>>
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  cf.cond_br %c, ^bb1(%l : memref<4xi64>), ^bb1(%v : memref<4xi64>)
^bb1(%p: memref<4xi64>):
  %r = memref.load %p[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// dealog: this buffer is kept in memory that is read where the buffer cannot be
// mlir: used after free

func.func @written_in_one_branch(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %y = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%y : memref<4xi64>)
  memref.store %y, %h[%c0] : memref<2xmemref<4xi64>>
  cf.br ^bb2
^bb2:
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// dealog: this buffer is kept in memory that is read where the buffer cannot be
// mlir: used after free

func.func @written_in_a_loop(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  scf.for %i = %c0 to %c2 step %c1 {
    %x = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
    memref.store %x, %h[%i] : memref<2xmemref<4xi64>>
  }
  %l = memref.load %h[%c1] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// dealog: this buffer is kept in memory that outlives it
// mlir: used after free

func.func private @filled(%k: i64) -> memref<2xmemref<4xi64>> {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  return %h : memref<2xmemref<4xi64>>
}
func.func @returned(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = call @filled(%k) : (i64) -> memref<2xmemref<4xi64>>
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// dealog: this buffer is kept in memory that outlives it
// mlir: used after free

memref.global "private" @table : memref<1xmemref<4xi64>> = uninitialized
func.func private @keep(%k: i64) {
  %c0 = arith.constant 0 : index
  %h = memref.get_global @table : memref<1xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  return
}
func.func @held_by_a_global(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  call @keep(%k) : (i64) -> ()
  %h = memref.get_global @table : memref<1xmemref<4xi64>>
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// mlir: clean

func.func private @either(%c: i1, %a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r : memref<4xi64>
}
func.func private @put(%h: memref<2xmemref<4xi64>>, %m: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %h[%c0] : memref<2xmemref<4xi64>>
  return
}
func.func @given_back_and_put(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  %v = call @either(%c, %a, %b) : (i1, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  call @put(%h, %v) : (memref<2xmemref<4xi64>>, memref<4xi64>) -> ()
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %y = memref.load %x[%c0] : memref<4xi64>
  cf.br ^bb1
^bb1:
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  %s = arith.addi %r, %y : i64
  return %s : i64
}

// -----

// mlir: clean

func.func @written_after_handed_on(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  cf.br ^bb1(%h : memref<1xmemref<4xi64>>)
^bb1(%s: memref<1xmemref<4xi64>>):
  memref.store %a, %h[%c0] : memref<1xmemref<4xi64>>
  cf.br ^bb2(%s : memref<1xmemref<4xi64>>)
^bb2(%t: memref<1xmemref<4xi64>>):
  %p = memref.load %t[%c0] : memref<1xmemref<4xi64>>
  %x = memref.load %p[%c0] : memref<4xi64>
  return %x : i64
}

// -----

// mlir: clean

func.func @stored_receiver_then_freed(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  cf.cond_br %c, ^bb1(%a : memref<4xi64>), ^bb1(%b : memref<4xi64>)
^bb1(%x: memref<4xi64>):
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  cf.br ^bb2(%x : memref<4xi64>)
^bb2(%y: memref<4xi64>):
  %u = memref.load %y[%c0] : memref<4xi64>
  cf.br ^bb3
^bb3:
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %v = memref.load %l[%c0] : memref<4xi64>
  %t = arith.addi %u, %v : i64
  return %t : i64
}

// -----

// mlir: used after free

func.func @holder_handed_on(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  %g = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %r = scf.if %c -> memref<1xmemref<4xi64>> {
    memref.store %a, %h[%c0] : memref<1xmemref<4xi64>>
    scf.yield %h : memref<1xmemref<4xi64>>
  } else {
    memref.store %a, %g[%c0] : memref<1xmemref<4xi64>>
    scf.yield %g : memref<1xmemref<4xi64>>
  }
  cf.cond_br %c, ^bb1(%r : memref<1xmemref<4xi64>>), ^bb2
^bb1(%s: memref<1xmemref<4xi64>>):
  %p = memref.load %s[%c0] : memref<1xmemref<4xi64>>
  %x = memref.load %p[%c0] : memref<4xi64>
  return %x : i64
^bb2:
  return %k : i64
}

// -----

// mlir: clean

func.func @overwritten_slot(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %s = memref.alloc() : memref<1xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  memref.store %a, %s[%c0] : memref<1xmemref<4xi64>>
  %l = memref.load %s[%c0] : memref<1xmemref<4xi64>>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  memref.store %b, %s[%c0] : memref<1xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %m = memref.load %s[%c0] : memref<1xmemref<4xi64>>
  %x = memref.load %l[%c0] : memref<4xi64>
  %y = memref.load %m[%c0] : memref<4xi64>
  %t = arith.addi %x, %y : i64
  return %t : i64
}

// -----

// dealog: this buffer is kept in memory that is read where the buffer cannot be
// mlir: used after free

func.func @handed_to_the_other_region_of_a_loop(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %few = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %sum = memref.alloc() : memref<1xi64>
  memref.store %zero, %sum[%c0] : memref<1xi64>
  %n, %last = scf.while (%i = %zero) : (i64) -> (i64, memref<1xmemref<4xi64>>) {
    %x = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
    %h = memref.alloc() : memref<1xmemref<4xi64>>
    memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
    %more = arith.cmpi slt, %i, %few : i64
    scf.condition(%more) %i, %h : i64, memref<1xmemref<4xi64>>
  } do {
  ^bb0(%i: i64, %w: memref<1xmemref<4xi64>>):
    %l = memref.load %w[%c0] : memref<1xmemref<4xi64>>
    %v = memref.load %l[%c0] : memref<4xi64>
    %old = memref.load %sum[%c0] : memref<1xi64>
    %new = arith.addi %old, %v : i64
    memref.store %new, %sum[%c0] : memref<1xi64>
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  %r = memref.load %sum[%c0] : memref<1xi64>
  return %r : i64
}

// -----

// dealog: this buffer is kept in memory that is read where the buffer cannot be
// mlir: used after free

func.func @read_an_iteration_later(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %first = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %a, %first[%c0] : memref<1xmemref<4xi64>>
  %r, %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%sum = %zero, %h = %first) -> (i64, memref<1xmemref<4xi64>>) {
    %x = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
    %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
    %v = memref.load %l[%c0] : memref<4xi64>
    %more = arith.addi %sum, %v : i64
    %g = memref.alloc() : memref<1xmemref<4xi64>>
    memref.store %x, %g[%c0] : memref<1xmemref<4xi64>>
    scf.yield %more, %g : i64, memref<1xmemref<4xi64>>
  }
  return %r : i64
}

// -----

// A call returns memory that holds what it was given.
// mlir: clean

func.func private @holding(%x: memref<4xi64>) -> memref<1xmemref<4xi64>> {
  %c0 = arith.constant 0 : index
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  return %h : memref<1xmemref<4xi64>>
}
func.func @read_from_what_a_call_returns(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %h = call @holding(%x) : (memref<4xi64>) -> memref<1xmemref<4xi64>>
  cf.br ^bb1
^bb1:
  %other = memref.alloc() : memref<4xi64>
  %none = arith.constant 0 : i64
  linalg.fill ins(%none : i64) outs(%other : memref<4xi64>)
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %v = memref.load %l[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// A call gives back a buffer that was read from memory.
// mlir: clean

func.func private @same(%x: memref<4xi64>) -> memref<4xi64> {
  return %x : memref<4xi64>
}
func.func @a_name_for_what_was_read(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %s = call @same(%l) : (memref<4xi64>) -> memref<4xi64>
  %v = memref.load %s[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// Memory that was handed to a block is used for the last time in a region.
// mlir: clean

func.func @lent_and_used_in_a_region(%k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c = arith.constant true
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %x, %h[%c0] : memref<1xmemref<4xi64>>
  %g = memref.alloc() : memref<1xmemref<1xmemref<4xi64>>>
  memref.store %h, %g[%c0] : memref<1xmemref<1xmemref<4xi64>>>
  cf.cond_br %c, ^bb1(%h, %g : memref<1xmemref<4xi64>>, memref<1xmemref<1xmemref<4xi64>>>), ^bb3(%k : i64)
^bb1(%m: memref<1xmemref<4xi64>>, %n: memref<1xmemref<1xmemref<4xi64>>>):
  %o = memref.load %n[%c0] : memref<1xmemref<1xmemref<4xi64>>>
  %r = scf.if %c -> (memref<1xmemref<1xmemref<4xi64>>>) {
    %l = memref.load %m[%c0] : memref<1xmemref<4xi64>>
    %v = memref.load %l[%c0] : memref<4xi64>
    memref.store %v, %x[%c0] : memref<4xi64>
    scf.yield %n : memref<1xmemref<1xmemref<4xi64>>>
  } else {
    %f = memref.alloc() : memref<1xmemref<1xmemref<4xi64>>>
    memref.store %o, %f[%c0] : memref<1xmemref<1xmemref<4xi64>>>
    scf.yield %f : memref<1xmemref<1xmemref<4xi64>>>
  }
  %w = memref.load %x[%c0] : memref<4xi64>
  cf.br ^bb3(%w : i64)
^bb3(%z: i64):
  return %z : i64
}

// -----

// What a loop reads from memory it writes back: the buffers are those from before the loop, whatever they are called inside.

// mlir: clean

func.func @exchanged_in_a_loop(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  memref.store %a, %h[%c0] : memref<2xmemref<4xi64>>
  memref.store %b, %h[%c1] : memref<2xmemref<4xi64>>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %h[%c0] : memref<2xmemref<4xi64>>
    %y = memref.load %h[%c1] : memref<2xmemref<4xi64>>
    memref.store %x, %h[%c1] : memref<2xmemref<4xi64>>
    memref.store %y, %h[%c0] : memref<2xmemref<4xi64>>
  }
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// A loop writes a buffer from outside to memory by a name that ends with the iteration: a view of it, or what it carries around.

// mlir: clean

func.func @by_names_of_the_loop(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<?xi64>>
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  %start = memref.cast %a : memref<4xi64> to memref<?xi64>
  memref.store %start, %h[%c0] : memref<2xmemref<?xi64>>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<4xi64>, memref<4xi64>) {
    %x = memref.cast %q : memref<4xi64> to memref<?xi64>
    memref.store %x, %h[%c0] : memref<2xmemref<?xi64>>
    scf.yield %q, %p : memref<4xi64>, memref<4xi64>
  }
  %l = memref.load %h[%c0] : memref<2xmemref<?xi64>>
  %v = memref.load %l[%c0] : memref<?xi64>
  return %v : i64
}

// -----

// Of what a loop hands on to its next iteration, some is from the iteration before: it cannot be freed behind the loop.

// dealog: this buffer is kept in memory that is read where the buffer cannot be
// mlir: used after free

func.func @by_what_an_iteration_allocates(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  memref.store %a, %h[%c0] : memref<2xmemref<4xi64>>
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a) -> memref<4xi64> {
    %next = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%next : memref<4xi64>)
    memref.store %p, %h[%c0] : memref<2xmemref<4xi64>>
    scf.yield %next : memref<4xi64>
  }
  %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
  %v = memref.load %l[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// dealog: Only structured control-flow loops are supported.
// static: this buffer is kept in memory that is read where the buffer cannot be
// mlir: refused

func.func @behind_a_loop_of_blocks(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<8xmemref<4xi64>>
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  memref.store %a, %h[%i] : memref<8xmemref<4xi64>>
  %j = arith.addi %i, %c1 : index
  %m = arith.cmpi ult, %j, %n : index
  cf.cond_br %m, ^loop(%j : index), ^done
^done:
  %l = memref.load %h[%c0] : memref<8xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// dealog: Only structured control-flow loops are supported.
// static: this buffer is kept in memory that is read where the buffer cannot be
// mlir: refused

func.func @behind_an_inner_loop_of_blocks(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  cf.br ^outer(%c0, %z : index, i64)
^outer(%o: index, %s: i64):
  %h = memref.alloc() : memref<8xmemref<4xi64>>
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  memref.store %a, %h[%i] : memref<8xmemref<4xi64>>
  %j = arith.addi %i, %c1 : index
  %m = arith.cmpi ult, %j, %n : index
  cf.cond_br %m, ^loop(%j : index), ^done
^done:
  %l = memref.load %h[%c0] : memref<8xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  %t = arith.addi %s, %r : i64
  %p = arith.addi %o, %c1 : index
  %q = arith.cmpi ult, %p, %n : index
  cf.cond_br %q, ^outer(%p, %t : index, i64), ^end
^end:
  return %t : i64
}

// -----

// dealog: Only structured control-flow loops are supported.
// static: this buffer is kept in memory that is read where the buffer cannot be
// mlir: refused

func.func @handed_out_of_a_loop_of_blocks(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%g : memref<4xi64>)
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %g, %h[%c0] : memref<1xmemref<4xi64>>
  cf.br ^loop(%c0, %h : index, memref<1xmemref<4xi64>>)
^loop(%i: index, %w: memref<1xmemref<4xi64>>):
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  %new = memref.alloc() : memref<1xmemref<4xi64>>
  memref.store %a, %new[%c0] : memref<1xmemref<4xi64>>
  %j = arith.addi %i, %c1 : index
  %m = arith.cmpi ult, %j, %n : index
  cf.cond_br %m, ^loop(%j, %new : index, memref<1xmemref<4xi64>>), ^done(%w : memref<1xmemref<4xi64>>)
^done(%z: memref<1xmemref<4xi64>>):
  %l = memref.load %z[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// dealog: Only structured control-flow loops are supported.
// static: clean
// mlir: refused

func.func @of_the_same_round(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %h = memref.alloc() : memref<1xmemref<4xi64>>
  cf.br ^fill
^fill:
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
  memref.store %a, %h[%c0] : memref<1xmemref<4xi64>>
  %j = arith.addi %i, %c1 : index
  %m = arith.cmpi ult, %j, %n : index
  cf.cond_br %m, ^loop(%j : index), ^done
^done:
  %l = memref.load %h[%c0] : memref<1xmemref<4xi64>>
  %r = memref.load %l[%c0] : memref<4xi64>
  return %r : i64
}

// -----

// Of a round, memory is only read where it was written before in that round.

// mlir: clean

func.func @written_anew_in_each_round(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  memref.store %x, %h[%c1] : memref<2xmemref<4xi64>>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %k) -> i64 {
    %v = arith.index_cast %i : index to i64
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
    memref.store %a, %h[%c1] : memref<2xmemref<4xi64>>
    %even = arith.cmpi eq, %i, %c0 : index
    %r = scf.if %even -> i64 {
      %l = memref.load %h[%c1] : memref<2xmemref<4xi64>>
      %y = memref.load %l[%c0] : memref<4xi64>
      scf.yield %y : i64
    } else {
      %l = memref.load %h[%c0] : memref<2xmemref<4xi64>>
      %y = memref.load %l[%c0] : memref<4xi64>
      scf.yield %y : i64
    }
    %t = arith.addi %sum, %r : i64
    scf.yield %t : i64
  }
  return %s : i64
}

// -----

// Behind the rounds, what is read is what was written before them, and is another element.

// mlir: clean

func.func @another_element_is_read_behind_the_rounds(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %x = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%x : memref<4xi64>)
  memref.store %x, %h[%c0] : memref<2xmemref<4xi64>>
  %w = scf.for %i = %c0 to %n step %c1 iter_args(%g = %h) -> memref<2xmemref<4xi64>> {
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
    memref.store %a, %g[%c1] : memref<2xmemref<4xi64>>
    scf.yield %g : memref<2xmemref<4xi64>>
  }
  %l = memref.load %w[%c0] : memref<2xmemref<4xi64>>
  %y = memref.load %l[%c0] : memref<4xi64>
  return %y : i64
}

// -----

// The loop hands on what is read from memory: that may be a buffer of the round, which memory got by another name. A clone can go on.

// static: clean
// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: clean

func.func @read_and_handed_on_out_of_the_round(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%w = %o) -> memref<4xi64> {
    %even = arith.cmpi eq, %i, %c0 : index
    %r = scf.if %even -> memref<4xi64> {
      %a = memref.alloc() : memref<4xi64>
      linalg.fill ins(%k : i64) outs(%a : memref<4xi64>)
      scf.yield %a : memref<4xi64>
    } else {
      scf.yield %o : memref<4xi64>
    }
    %h = memref.alloc() : memref<1xmemref<4xi64>>
    memref.store %r, %h[%c0] : memref<1xmemref<4xi64>>
    %l = scf.if %even -> memref<4xi64> {
      %v = memref.load %h[%c0] : memref<1xmemref<4xi64>>
      scf.yield %v : memref<4xi64>
    } else {
      scf.yield %o : memref<4xi64>
    }
    scf.yield %l : memref<4xi64>
  }
  %y = memref.load %last[%c0] : memref<4xi64>
  return %y : i64
}

// -----

// One of two buffers of the round is read back and goes round; the clone is dropped where control leaves the loop.

// static: clean
// dealog: Only structured control-flow loops are supported.
// mlir: refused

func.func @read_and_handed_round_by_blocks(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %two = arith.constant 2 : index
  cf.br ^round(%c0, %o : index, memref<4xi64>)
^round(%i: index, %x: memref<4xi64>):
  %v = memref.load %x[%c0] : memref<4xi64>
  %h = memref.alloc() : memref<2xmemref<4xi64>>
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
  memref.store %a, %h[%c0] : memref<2xmemref<4xi64>>
  memref.store %b, %h[%c1] : memref<2xmemref<4xi64>>
  %e = arith.remui %i, %two : index
  %l = memref.load %h[%e] : memref<2xmemref<4xi64>>
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^round(%j, %l : index, memref<4xi64>), ^done
^done:
  %y = memref.load %x[%c0] : memref<4xi64>
  return %y : i64
}

// -----

// A clone goes on to the second region of the loop, and out of it.

// static: clean
// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: clean

func.func @read_and_handed_round_a_while(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %two = arith.constant 2 : index
  %last:2 = scf.while (%i = %c0, %x = %o) : (index, memref<4xi64>) -> (index, memref<4xi64>) {
    %v = memref.load %x[%c0] : memref<4xi64>
    %h = memref.alloc() : memref<2xmemref<4xi64>>
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
    memref.store %a, %h[%c0] : memref<2xmemref<4xi64>>
    memref.store %b, %h[%c1] : memref<2xmemref<4xi64>>
    %e = arith.remui %i, %two : index
    %l = memref.load %h[%e] : memref<2xmemref<4xi64>>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i, %l : index, memref<4xi64>
  } do {
  ^bb0(%p: index, %q: memref<4xi64>):
    %j = arith.addi %p, %c1 : index
    scf.yield %j, %q : index, memref<4xi64>
  }
  %y = memref.load %last#1[%c0] : memref<4xi64>
  return %y : i64
}

// -----

// What goes round is written to there, and it is read by its first name as well. A clone would not have that.

// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: clean

func.func @written_after_it_went_round(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %two = arith.constant 2 : index
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %o, %z = %o) -> (memref<4xi64>, memref<4xi64>) {
    %v = memref.load %x[%c0] : memref<4xi64>
    %h = memref.alloc() : memref<2xmemref<4xi64>>
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
    memref.store %a, %h[%c0] : memref<2xmemref<4xi64>>
    memref.store %b, %h[%c1] : memref<2xmemref<4xi64>>
    %e = arith.remui %i, %two : index
    %l = memref.load %h[%e] : memref<2xmemref<4xi64>>
    memref.store %v, %x[%c1] : memref<4xi64>
    scf.yield %l, %a : memref<4xi64>, memref<4xi64>
  }
  %y = memref.load %last#1[%c1] : memref<4xi64>
  return %y : i64
}

// -----

// One of the buffers goes round by its own name, too, and is written to by that.

// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: clean

func.func @written_by_its_name_after_it_went_round(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %two = arith.constant 2 : index
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %o, %z = %o) -> (memref<4xi64>, memref<4xi64>) {
    %v = memref.load %x[%c0] : memref<4xi64>
    %h = memref.alloc() : memref<2xmemref<4xi64>>
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%k : i64) outs(%b : memref<4xi64>)
    memref.store %a, %h[%c0] : memref<2xmemref<4xi64>>
    memref.store %b, %h[%c1] : memref<2xmemref<4xi64>>
    %e = arith.remui %i, %two : index
    %l = memref.load %h[%e] : memref<2xmemref<4xi64>>
    memref.store %v, %z[%c1] : memref<4xi64>
    scf.yield %l, %a : memref<4xi64>, memref<4xi64>
  }
  %y = memref.load %last#0[%c1] : memref<4xi64>
  return %y : i64
}

// -----

// Memory that holds buffers is read from memory itself and goes round, with what it holds from outside of the loop.

// static: clean
// dealog: what is made from this buffer is needed where the buffer cannot be
// mlir: clean

func.func @memory_read_and_handed_round(%n: index, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<4xi64>
  linalg.fill ins(%k : i64) outs(%o : memref<4xi64>)
  %two = arith.constant 2 : index
  %g = memref.alloc() : memref<2xmemref<4xi64>>
  memref.store %o, %g[%c0] : memref<2xmemref<4xi64>>
  memref.store %o, %g[%c1] : memref<2xmemref<4xi64>>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%x = %g) -> (memref<2xmemref<4xi64>>) {
    %w = memref.load %x[%c1] : memref<2xmemref<4xi64>>
    %h = memref.alloc() : memref<2xmemref<2xmemref<4xi64>>>
    %a = memref.alloc() : memref<2xmemref<4xi64>>
    memref.store %o, %a[%c0] : memref<2xmemref<4xi64>>
    memref.store %o, %a[%c1] : memref<2xmemref<4xi64>>
    %b = memref.alloc() : memref<2xmemref<4xi64>>
    memref.store %o, %b[%c0] : memref<2xmemref<4xi64>>
    memref.store %o, %b[%c1] : memref<2xmemref<4xi64>>
    memref.store %a, %h[%c0] : memref<2xmemref<2xmemref<4xi64>>>
    memref.store %b, %h[%c1] : memref<2xmemref<2xmemref<4xi64>>>
    %e = arith.remui %i, %two : index
    %l = memref.load %h[%e] : memref<2xmemref<2xmemref<4xi64>>>
    scf.yield %l : memref<2xmemref<4xi64>>
  }
  %q = memref.load %last[%c1] : memref<2xmemref<4xi64>>
  %y = memref.load %q[%c0] : memref<4xi64>
  return %y : i64
}
