// Calls to public, private and external functions; ownership by the function boundary rules or passed along.

func.func @public_makes(%v: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  return %a : memref<2xf32>
}

func.func private @private_makes(%v: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  return %a : memref<2xf32>
}

func.func private @private_returns_argument(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

func.func @public_returns_argument(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}

func.func private @private_chooses(%c: i1, %m: memref<2xf32>, %v: f32) -> memref<2xf32> {
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %m : memref<2xf32>
  } else {
    %a = memref.alloc() : memref<2xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
    scf.yield %a : memref<2xf32>
  }
  return %r : memref<2xf32>
}

func.func private @private_several(%m: memref<2xf32>, %v: f32) -> (f32, memref<2xf32>, index, memref<?xf32>) {
  %c3 = arith.constant 3 : index
  %a = memref.alloc(%c3) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  return %v, %m, %c3, %a : f32, memref<2xf32>, index, memref<?xf32>
}

func.func private @private_without_buffers(%v: f32) -> f32 {
  %w = arith.addf %v, %v : f32
  return %w : f32
}

func.func private @private_consumes(%m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<2xf32>
  return %x : f32
}

func.func private @external_makes(f32) -> memref<2xf32>
func.func private @external_reads(memref<2xf32>)
func.func private @external_changes(memref<2xf32>) -> memref<2xf32>

func.func @calls_public(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @public_makes(%v) : (f32) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @calls_private(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = call @private_makes(%v) : (f32) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @passes_own_buffer(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %x = call @private_consumes(%a) : (memref<2xf32>) -> f32
  %y = call @private_consumes(%a) : (memref<2xf32>) -> f32
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @gets_own_buffer_back(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = call @private_returns_argument(%a) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  %y = memref.load %a[%c0] : memref<2xf32>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

func.func @gets_a_copy_back(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = call @public_returns_argument(%a) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @gets_one_or_the_other(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = call @private_chooses(%c, %a, %v) : (i1, memref<2xf32>, f32) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @gets_several(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r:4 = call @private_several(%a, %v) : (memref<2xf32>, f32) -> (f32, memref<2xf32>, index, memref<?xf32>)
  %x = memref.load %r#1[%c0] : memref<2xf32>
  %y = memref.load %r#3[%c0] : memref<?xf32>
  %z = arith.addf %x, %y : f32
  %w = arith.addf %z, %r#0 : f32
  return %w : f32
}

func.func @hands_on(%v: f32) -> memref<2xf32> {
  %r = call @private_makes(%v) : (f32) -> memref<2xf32>
  return %r : memref<2xf32>
}

func.func private @hands_on_in_private(%m: memref<2xf32>) -> memref<2xf32> {
  %r = call @private_returns_argument(%m) : (memref<2xf32>) -> memref<2xf32>
  return %r : memref<2xf32>
}

func.func @two_levels(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  %r = call @hands_on_in_private(%a) : (memref<2xf32>) -> memref<2xf32>
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @only_scalars(%v: f32) -> f32 {
  %r = call @private_without_buffers(%v) : (f32) -> f32
  return %r : f32
}

func.func @calls_external(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = call @external_makes(%v) : (f32) -> memref<2xf32>
  memref.store %v, %a[%c0] : memref<2xf32>
  call @external_reads(%a) : (memref<2xf32>) -> ()
  %x = memref.load %a[%c0] : memref<2xf32>
  return %x : f32
}

func.func @external_result_escapes(%v: f32) -> memref<2xf32> {
  %a = call @external_makes(%v) : (f32) -> memref<2xf32>
  %b = call @external_changes(%a) : (memref<2xf32>) -> memref<2xf32>
  return %b : memref<2xf32>
}

func.func @result_unused(%v: f32) {
  %r = call @private_makes(%v) : (f32) -> memref<2xf32>
  %s = call @public_makes(%v) : (f32) -> memref<2xf32>
  return
}

func.func @calls_in_a_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @private_makes(%v) : (f32) -> memref<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<2xf32>) {
    %x = memref.load %p[%c0] : memref<2xf32>
    %b = func.call @private_makes(%x) : (f32) -> memref<2xf32>
    scf.yield %b : memref<2xf32>
  }
  %x = memref.load %r[%c0] : memref<2xf32>
  return %x : f32
}

func.func @calls_in_branches(%c: i1, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^yes, ^no
^yes:
  %a = call @private_makes(%v) : (f32) -> memref<2xf32>
  cf.br ^join(%a : memref<2xf32>)
^no:
  %b = call @public_makes(%v) : (f32) -> memref<2xf32>
  cf.br ^join(%b : memref<2xf32>)
^join(%p: memref<2xf32>):
  %x = memref.load %p[%c0] : memref<2xf32>
  return %x : f32
}

// A call at the end of a loop's body, where the terminator goes without saying.
func.func private @fresh_for_loop(%v: f32) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<2xf32>)
  return %a : memref<2xf32>
}

func.func @last_in_a_loop(%n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %r = func.call @fresh_for_loop(%v) : (f32) -> memref<2xf32>
  }
  return %v : f32
}
