// Loops made of branches.

// expected-error@below {{Only structured control-flow loops are supported.}}
func.func @while_loop(%n: i32, %m: memref<2xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  cf.br ^head(%k0, %m : i32, memref<2xf32>)
^head(%i: i32, %p: memref<2xf32>):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body(%i, %p : i32, memref<2xf32>), ^end(%p : memref<2xf32>)
^body(%j: i32, %q: memref<2xf32>):
  %a = memref.alloc() : memref<2xf32>
  memref.copy %q, %a : memref<2xf32> to memref<2xf32>
  %k = arith.addi %j, %k1 : i32
  cf.br ^head(%k, %a : i32, memref<2xf32>)
^end(%e: memref<2xf32>):
  %x = memref.load %e[%c0] : memref<2xf32>
  return %x : f32
}
