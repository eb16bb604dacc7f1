// Functions that call each other, whose arenas may come from elsewhere.
func.func private @called(%m: memref<64xf32>, %o: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%m : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %o : memref<64xf32> to memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<64xf32>
  return
}
func.func private @again(%c: i1, %x: f32) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  func.call @called(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  scf.if %c {
    %false = arith.constant false
    func.call @again(%false, %x) : (i1, f32) -> ()
  }
  return
}
func.func private @at_once() {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %a : memref<64xf32> to memref<64xf32>
  memref.copy %b, %b : memref<16xf32> to memref<16xf32>
  return
}
func.func private @below() {
  func.call @at_once() : () -> ()
  return
}
func.func private @unknown()
func.func @back(%m: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  memref.copy %m, %a : memref<64xf32> to memref<64xf32>
  func.call @unknown() : () -> ()
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  return
}
func.func @main(%c: i1, %n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    func.call @below() : () -> ()
    scf.reduce
  }
  func.call @again(%c, %x) : (i1, f32) -> ()
  return
}
memref.global "private" @arena_0 : memref<1xi8> = uninitialized
