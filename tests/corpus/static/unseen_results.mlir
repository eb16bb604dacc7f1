// Functions whose bodies are not to be seen get buffers of ours, and return one: a new one, or one of these. The addresses tell.
func.func private @unseen(memref<4xf32>) -> memref<4xf32>
func.func @given_for_the_last_time(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  %r = call @unseen(%a) : (memref<4xf32>) -> memref<4xf32>
  %y = memref.load %r[%zero] : memref<4xf32>
  return %y : f32
}
func.func @used_further_on(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  %r = call @unseen(%a) : (memref<4xf32>) -> memref<4xf32>
  %y = memref.load %r[%zero] : memref<4xf32>
  %z = memref.load %a[%zero] : memref<4xf32>
  %s = arith.addf %y, %z : f32
  return %s : f32
}
func.func @round_and_round(%x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  %l = scf.for %i = %zero to %three step %one iter_args(%k = %a) -> memref<4xf32> {
    %r = func.call @unseen(%k) : (memref<4xf32>) -> memref<4xf32>
    scf.yield %r : memref<4xf32>
  }
  %y = memref.load %l[%zero] : memref<4xf32>
  return %y : f32
}

// -----

// It may be one of several, and their names end before its own does.
func.func private @one_of_two(memref<4xf32>, memref<4xf32>) -> memref<4xf32>
func.func @goes_on(%x: f32, %c: i1) -> f32 {
  %zero = arith.constant 0 : index
  %q = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.store %x, %a[%zero] : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    memref.store %x, %b[%zero] : memref<4xf32>
    %r = func.call @one_of_two(%a, %b) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
    scf.yield %r : memref<4xf32>
  } else {
    %n = memref.alloc() : memref<4xf32>
    memref.store %x, %n[%zero] : memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  %y = memref.load %q[%zero] : memref<4xf32>
  return %y : f32
}

// -----

// What a private function gets is one of its callers': they may own it. What a public one gets is not freed here, so nothing is compared with it.
func.func private @unseen(memref<4xf32>) -> memref<4xf32>
func.func private @through(%m: memref<4xf32>) -> memref<4xf32> {
  %r = call @unseen(%m) : (memref<4xf32>) -> memref<4xf32>
  return %r : memref<4xf32>
}
func.func @calls(%m: memref<4xf32>, %x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  %r = call @through(%a) : (memref<4xf32>) -> memref<4xf32>
  %y = memref.load %r[%zero] : memref<4xf32>
  %s = call @unseen(%m) : (memref<4xf32>) -> memref<4xf32>
  %z = memref.load %s[%zero] : memref<4xf32>
  %t = arith.addf %y, %z : f32
  return %t : f32
}

// -----

// The callee is only known by its address.
func.func private @known(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  return %n : memref<4xf32>
}
func.func @by_address(%c: i1) -> f32 {
  %zero = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  %f = constant @known : (memref<4xf32>, i1) -> memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%zero] : memref<4xf32>
  %r = call_indirect %f(%a, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  %y = memref.load %r[%zero] : memref<4xf32>
  return %y : f32
}
