func.func @formulas(%x: i8) -> i32 {
  %0:2 = smt.solver(%x) : (i8) -> (i8, i32) {
  ^bb0(%y: i8):
    smt.set_logic "HORN"
    %a = smt.declare_fun "a" : !smt.bool
    %f = smt.declare_fun : !smt.func<(!smt.int, !smt.bool) !smt.bool>
    %t = smt.constant true
    %i = smt.int.constant -12
    %b = smt.bv.constant #smt.bv<5> : !smt.bv<16>
    %v = smt.declare_fun : !smt.array<[!smt.int -> !smt.bool]>
    %1 = smt.and %a, %t, %a
    %2 = smt.not %1
    %3 = smt.int.add %i, %i, %i
    %4 = smt.int.abs %3
    %5 = smt.bv.add %b, %b : !smt.bv<16>
    %6 = smt.bv.not %5 : !smt.bv<16>
    %7 = smt.eq %a, %t, %2 : !smt.bool
    %8 = smt.int.cmp lt %3, %4
    %9 = smt.bv.cmp ult %5, %6 : !smt.bv<16>
    %10 = smt.bv.concat %b, %6 : !smt.bv<16>, !smt.bv<16>
    %11 = smt.bv.extract %10 from 3 : (!smt.bv<32>) -> !smt.bv<4>
    %12 = smt.bv.repeat 2 times %11 : !smt.bv<4>
    %13 = smt.bv2int %12 signed : !smt.bv<8>
    %14 = smt.int2bv %13 : !smt.bv<8>
    %15 = smt.array.broadcast %t : !smt.array<[!smt.int -> !smt.bool]>
    %16 = smt.array.store %15[%i], %a : !smt.array<[!smt.int -> !smt.bool]>
    %17 = smt.array.select %16[%i] : !smt.array<[!smt.int -> !smt.bool]>
    %18 = smt.apply_func %f(%i, %17) : !smt.func<(!smt.int, !smt.bool) !smt.bool>
    %19 = smt.ite %a, %i, %3 : !smt.int
    %20 = smt.forall ["p", "q"] weight 2 {
    ^bb0(%p: !smt.int, %q: !smt.int):
      %21 = smt.eq %p, %q : !smt.int
      smt.yield %21 : !smt.bool
    } patterns {
    ^bb0(%p: !smt.int, %q: !smt.int):
      %21 = smt.eq %p, %q : !smt.int
      smt.yield %21 : !smt.bool
    }
    %22 = smt.exists no_pattern {
      smt.yield %a : !smt.bool
    }
    smt.assert %20
    smt.push 1
    smt.pop 1
    smt.reset
    %23 = smt.check sat {
      %c = arith.constant 1 : i32
      smt.yield %c : i32
    } unknown {
      %c = arith.constant 0 : i32
      smt.yield %c : i32
    } unsat {
      %c = arith.constant -1 : i32
      smt.yield %c : i32
    } -> i32
    smt.check sat {
    } unknown {
    } unsat {
    }
    smt.yield %y, %23 : i8, i32
  }
  return %0#1 : i32
}
