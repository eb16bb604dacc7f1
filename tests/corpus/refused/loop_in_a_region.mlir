// A loop of branches inside a region of a structured op.

// expected-error@below {{Only structured control-flow loops are supported.}}
func.func @region(%n: i32) -> i32 {
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %r = scf.execute_region -> i32 {
    cf.br ^head(%k0 : i32)
  ^head(%i: i32):
    %j = arith.addi %i, %k1 : i32
    %more = arith.cmpi slt, %j, %n : i32
    cf.cond_br %more, ^head(%j : i32), ^end
  ^end:
    scf.yield %j : i32
  }
  return %r : i32
}
