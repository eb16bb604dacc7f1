// What operations do with a buffer.
func.func @freed(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return
}
func.func @freed_twice_in_the_text(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %c {
    memref.dealloc %a : memref<2xf32>
  } else {
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    memref.dealloc %a : memref<2xf32>
  }
  return
}
func.func @moved_on(%n: index, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  %b = memref.realloc %a : memref<2xf32> to memref<4xf32>
  return
}
func.func @cloned(%m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  %b = bufferization.clone %a : memref<2xf32> to memref<2xf32>
  return %b : memref<2xf32>
}
func.func private @uses(memref<2xf32>)
func.func private @hands_on(memref<2xf32>) -> memref<2xf32>
func.func @given_to_calls(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  call @uses(%a) : (memref<2xf32>) -> ()
  %b = memref.alloc() : memref<2xf32>
  %r = call @hands_on(%b) : (memref<2xf32>) -> memref<2xf32>
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
func.func @what_a_call_returns_leaves(%m: memref<2xf32>) -> memref<2xf32> {
  %b = memref.alloc() : memref<2xf32>
  memref.copy %m, %b : memref<2xf32> to memref<2xf32>
  %r = call @hands_on(%b) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}
func.func @on_the_stack_already(%m: memref<2xf32>) {
  %a = memref.alloca() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return
}
// A view of it is freed.
func.func @freed_by_a_view(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  memref.dealloc %v : memref<?xf32>
  return
}
// The deallocation frees it.
func.func @to_be_freed(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  bufferization.dealloc (%a : memref<2xf32>) if (%c)
  return
}
// A function frees what it is given.
func.func private @frees(%m: memref<2xf32>) {
  memref.dealloc %m : memref<2xf32>
  return
}
func.func @freed_by_a_call(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  call @frees(%a) : (memref<2xf32>) -> ()
  return
}
