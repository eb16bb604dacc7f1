// Generic and custom form in one function.
module {
  func.func @mixed(%c: i1, %v: f32) -> f32 {
    %i = "arith.constant"() <{value = 0 : index}> : () -> index
    %a = memref.alloc() : memref<2xf32>
    "memref.store"(%v, %a, %i) : (f32, memref<2xf32>, index) -> ()
    %r = "scf.if"(%c) ({
      %b = memref.alloc() : memref<2xf32>
      memref.copy %a, %b : memref<2xf32> to memref<2xf32>
      "scf.yield"(%b) : (memref<2xf32>) -> ()
    }, {
      scf.yield %a : memref<2xf32>
    }) : (i1) -> memref<2xf32>
    cf.br ^next(%r : memref<2xf32>)
  ^next(%p: memref<2xf32>):
    %x = "memref.load"(%p, %i) : (memref<2xf32>, index) -> f32
    return %x : f32
  }
}
