// A loop of branches is refused even where no buffer is near it.

// expected-error@below {{Only structured control-flow loops are supported.}}
func.func @counts(%n: i32) -> i32 {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  cf.br ^head(%k0 : i32)
^head(%i: i32):
  %j = arith.addi %i, %k1 : i32
  %more = arith.cmpi slt, %j, %n : i32
  cf.cond_br %more, ^head(%j : i32), ^end
^end:
  return %j : i32
}
