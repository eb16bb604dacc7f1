// The source of the clone is not used behind it: the clone is the source, and nothing frees that.
func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %1 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
  %2 = bufferization.clone %1 : memref<?x?xf32> to memref<?x?xf32>
  memref.dealloc %1 : memref<?x?xf32>
  return %2 : memref<?x?xf32>
}
// Nothing uses the clone: what it was made of stays as it is.
func.func @reuse_target(%arg0: memref<2xf32>) {
  %temp = memref.alloc() : memref<2xf32>
  linalg.exp ins(%arg0 : memref<2xf32>) outs(%temp : memref<2xf32>)
  %result = bufferization.clone %temp : memref<2xf32> to memref<2xf32>
  memref.dealloc %temp : memref<2xf32>
  return
}
func.func @never_used(%m: memref<4xf32>) {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return
}
func.func @only_freed(%m: memref<4xf32>) {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return
}
func.func @read_in_source(%m: memref<4xf32>, %i: index) -> f32 {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %x = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %x : f32
}
func.func @source_written(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %y = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}
func.func @clone_written(%m: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}
func.func @another_may_be_the_source(%m: memref<4xf32>, %o: memref<4xf32>) {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%c : memref<4xf32>) outs(%o : memref<4xf32>)
  memref.dealloc %c : memref<4xf32>
  return
}
func.func @said_to_be_distinct(%m: memref<4xf32>, %o: memref<4xf32>) {
  %d:2 = memref.distinct_objects %m, %o : memref<4xf32>, memref<4xf32>
  %c = bufferization.clone %d#0 : memref<4xf32> to memref<4xf32>
  linalg.exp ins(%c : memref<4xf32>) outs(%d#1 : memref<4xf32>)
  memref.dealloc %c : memref<4xf32>
  return
}
func.func @handed_over_later(%x: f32, %i: index) -> (memref<4xf32>, f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %c, %y : memref<4xf32>, f32
}
func.func @one_after_the_other(%x: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %c = bufferization.clone %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %c : memref<4xf32>
}
func.func @two_of_one(%x: f32) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b, %c : memref<4xf32>, memref<4xf32>
}
func.func @cast_to_another_type(%x: f32) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  %c = bufferization.clone %b : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<4xf32>
  return %c : memref<?xf32>
}
func.func @part_of_a_buffer(%x: f32) -> memref<2xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32>
  %c = bufferization.clone %b : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<4xf32>
  return %c : memref<2xf32>
}
func.func @on_two_ways(%b: i1, %x: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^bb3(%c : memref<4xf32>)
^bb2:
  %d = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  cf.br ^bb3(%d : memref<4xf32>)
^bb3(%r: memref<4xf32>):
  return %r : memref<4xf32>
}
func.func @freed_behind_both_ways(%b: i1, %m: memref<4xf32>, %x: f32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb3(%c : memref<4xf32>)
^bb2:
  %d = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  cf.br ^bb3(%d : memref<4xf32>)
^bb3(%r: memref<4xf32>):
  memref.dealloc %a : memref<4xf32>
  return %r : memref<4xf32>
}
func.func @freed_in_another_block(%b: i1, %x: f32, %i: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  cf.cond_br %b, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  return %c : memref<4xf32>
^bb2:
  memref.dealloc %a : memref<4xf32>
  return %c : memref<4xf32>
}
func.func @kept_in_memory(%h: memref<memref<4xf32>>, %x: f32, %i: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %h[] : memref<memref<4xf32>>
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %l = memref.load %h[] : memref<memref<4xf32>>
  memref.store %x, %l[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %c : memref<4xf32>
}
func.func @source_of_a_loop(%n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %zero to %n step %one {
    %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
    memref.store %x, %c[%zero] : memref<4xf32>
    memref.dealloc %c : memref<4xf32>
  }
  memref.dealloc %a : memref<4xf32>
  return
}
func.func @returned(%m: memref<4xf32>) -> memref<4xf32> {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  return %c : memref<4xf32>
}
func.func @both_returned(%x: f32) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return %a, %c : memref<4xf32>, memref<4xf32>
}
func.func @yielded(%b: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %b -> (memref<4xf32>) {
    %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
    scf.yield %c : memref<4xf32>
  } else {
    %d = bufferization.clone %m : memref<4xf32> to memref<4xf32>
    scf.yield %d : memref<4xf32>
  }
  return %r : memref<4xf32>
}
func.func @cloned_as_another_type(%x: f32) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %c = bufferization.clone %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %a : memref<4xf32>
  return %c : memref<?xf32>
}
