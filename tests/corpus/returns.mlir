// What leaves a function: a result is always owned, and never shares an argument's buffer.

func.func @argument(%m: memref<?xf32>) -> memref<?xf32> {
  return %m : memref<?xf32>
}

func.func @argument_twice(%m: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  return %m, %m : memref<?xf32>, memref<?xf32>
}

func.func @two_arguments(%m: memref<?xf32>, %s: i32, %o: memref<2xf32>) -> (memref<2xf32>, i32, memref<?xf32>) {
  return %o, %s, %m : memref<2xf32>, i32, memref<?xf32>
}

func.func @allocation(%n: index) -> memref<?xf32> {
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  return %a : memref<?xf32>
}

func.func @allocation_and_argument(%m: memref<2xf32>, %v: f32) -> (memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return %m, %a : memref<2xf32>, memref<2xf32>
}

func.func @two_allocations_one_stays(%v: f32) -> (memref<2xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  linalg.fill ins(%v : f32) outs(%b : memref<8xf32>)
  linalg.fill ins(%v : f32) outs(%c : memref<4xf32>)
  return %a, %c : memref<2xf32>, memref<4xf32>
}

func.func private @private_argument(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

func.func private @private_argument_twice(%m: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>) {
  return %m, %m : memref<2xf32>, memref<2xf32>
}

func.func private @private_mixed(%m: memref<2xf32>, %v: f32) -> (f32, memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return %v, %a, %m : f32, memref<2xf32>, memref<2xf32>
}

func.func private @private_two_ends(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  cf.cond_br %c, ^yes, ^no
^yes:
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  return %a : memref<2xf32>
^no:
  return %m : memref<2xf32>
}

func.func nested @nested_visibility(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

func.func @calls_the_private_ones(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  %p = call @private_argument(%a) : (memref<2xf32>) -> memref<2xf32>
  %m:3 = call @private_mixed(%p, %v) : (memref<2xf32>, f32) -> (f32, memref<2xf32>, memref<2xf32>)
  %e = call @private_two_ends(%c, %m#1) : (i1, memref<2xf32>) -> memref<2xf32>
  %n = call @nested_visibility(%e) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %n[%c0] : memref<2xf32>
  %y = memref.load %m#2[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @view_of_a_returned_buffer(%v: f32) -> (memref<4xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<4xf32>)
  %b = memref.alloc() : memref<2xf32>
  %s = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %s, %b : memref<2xf32, strided<[1]>> to memref<2xf32>
  return %a, %b : memref<4xf32>, memref<2xf32>
}

// One buffer under two results: both are owned, and the caller's one dealloc frees it once.
func.func @allocation_twice(%v: f32) -> (memref<2xf32>, memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  return %a, %a : memref<2xf32>, memref<2xf32>
}

func.func @allocation_and_its_view(%v: f32) -> (memref<2xf32>, memref<1xf32, strided<[1]>>) {
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  %s = memref.subview %a[0] [1] [1] : memref<2xf32> to memref<1xf32, strided<[1]>>
  return %a, %s : memref<2xf32>, memref<1xf32, strided<[1]>>
}

func.func @one_of_the_two_is_forwarded(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r:2 = call @allocation_twice(%v) : (f32) -> (memref<2xf32>, memref<2xf32>)
  cf.br ^next(%r#0 : memref<2xf32>)
^next(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
}

func.func @one_of_the_two_is_returned(%v: f32) -> memref<2xf32> {
  %r:2 = call @allocation_twice(%v) : (f32) -> (memref<2xf32>, memref<2xf32>)
  return %r#1 : memref<2xf32>
}
