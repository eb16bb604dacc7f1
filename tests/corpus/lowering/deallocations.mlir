// Deallocations in all kinds of places: blocks, loops, branches, regions that see values from outside.

func.func @in_a_loop(%n: index, %m: memref<4xf32>, %keep: memref<4xf32>) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %own = scf.for %i = %c0 to %n step %c1 iter_args(%so_far = %false) -> (i1) {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    %more = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%so_far, %so_far)
        retain (%keep : memref<4xf32>)
    scf.yield %more : i1
  }
  return %own : i1
}

func.func @results_branch(%c: i1, %m: memref<?xf32>, %r: memref<?xf32>) -> i1 {
  %own:2 = bufferization.dealloc (%m : memref<?xf32>) if (%c) retain (%r, %m : memref<?xf32>, memref<?xf32>)
  cf.cond_br %own#0, ^bb1(%own#1 : i1), ^bb2
^bb1(%x: i1):
  return %x : i1
^bb2:
  %again = bufferization.dealloc (%m : memref<?xf32>) if (%own#1) retain (%m : memref<?xf32>)
  cf.br ^bb1(%again : i1)
}

// The block that decides stands last.
func.func @defined_further_down(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
  cf.br ^decide
^free:
  bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%own#1, %own#0)
  return
^decide:
  %own:2 = bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
      retain (%n, %m : memref<2xf32>, memref<2xf32>)
  cf.br ^free
}

func.func @one_decides_the_next(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) -> i1 {
  %first = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%n : memref<2xf32>)
  %second = bufferization.dealloc (%n : memref<2xf32>) if (%first) retain (%m : memref<2xf32>)
  %third = bufferization.dealloc (%n, %n : memref<2xf32>, memref<2xf32>) if (%first, %second)
      retain (%m : memref<2xf32>)
  return %third : i1
}

func.func @kinds_of_memrefs(%a: memref<*xf32>, %b: memref<?x4xi8, strided<[?, 1], offset: ?>>, %d: memref<f64, 3>, %c: i1) -> (i1, i1) {
  bufferization.dealloc (%d : memref<f64, 3>) if (%c)
  %own:2 = bufferization.dealloc (%a, %b, %d : memref<*xf32>, memref<?x4xi8, strided<[?, 1], offset: ?>>, memref<f64, 3>)
      if (%c, %c, %c) retain (%d, %a : memref<f64, 3>, memref<*xf32>)
  return %own#0, %own#1 : i1, i1
}

func.func @by_case(%i: index, %m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
  scf.index_switch %i
  case 1 {
    bufferization.dealloc (%m : memref<2xf32>) if (%c)
    scf.yield
  }
  default {
    bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
  }
  return
}

"func.func"() <{function_type = (memref<2xf32>, i1) -> i1, sym_name = "generic"}> ({
^bb0(%m: memref<2xf32>, %c: i1):
  %0:1 = "bufferization.dealloc"(%m, %m, %c, %c, %m) <{operandSegmentSizes = array<i32: 2, 2, 1>}> : (memref<2xf32>, memref<2xf32>, i1, i1, memref<2xf32>) -> i1
  "func.return"(%0#0) : (i1) -> ()
}) : () -> ()

// One buffer twice: the second condition counts, also where the first never holds, and where the buffer is retained.
func.func @twice(%m: memref<2xf32>, %c: i1, %d: i1) -> i1 {
  %false = arith.constant false
  bufferization.dealloc (%m, %m : memref<2xf32>, memref<2xf32>) if (%false, %c)
  %own = bufferization.dealloc (%m, %m : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%m : memref<2xf32>)
  return %own : i1
}
