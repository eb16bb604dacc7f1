emitc.include <"math.h">
emitc.include "own.h"
emitc.declare_func @sum
emitc.global extern const @table : !emitc.array<4xi32>
emitc.global static @counter : i32 = 42
emitc.func @sum(%a: i32, %b: i32) -> i32 attributes {specifiers = ["static", "inline"]} {
  %0 = add %a, %b : (i32, i32) -> i32
  return %0 : i32
}
emitc.func private @extern(i32) attributes {specifiers = ["extern"]}
emitc.func @nothing() {
  emitc.return
}
emitc.class final @C {
  emitc.field @x : i32 = 3
  emitc.field @y : !emitc.array<4xf32>
  emitc.func @get() {
    %0 = get_field @y : !emitc.array<4xf32>
    return
  }
}
emitc.file "other" {
  emitc.verbatim "// text"
}
// -----
emitc.func @values(%a: i32, %b: i32, %f: f32, %c: i1, %p: !emitc.ptr<i32>, %arr: !emitc.array<4x8xf32>, %i: index) {
  %0 = emitc.call @other(%a) : (i32) -> i32
  %1:2 = emitc.call_opaque "std::div"(%a, %b) {args = [0 : index, 1 : index], template_args = [i32]} : (i32, i32) -> (i32, f32)
  %2 = emitc.cast %a : i32 to f32
  %3 = emitc.literal "M_PI" : f32
  %4 = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  emitc.assign %a : i32 to %4 : <i32>
  %5 = emitc.load %4 : <i32>
  %6 = emitc.subscript %arr[%i, %i] : (!emitc.array<4x8xf32>, index, index) -> !emitc.lvalue<f32>
  %7 = emitc.apply "*"(%p) : (!emitc.ptr<i32>) -> i32
  %8 = emitc.address_of %4 : !emitc.lvalue<i32>
  %9 = emitc.dereference %p : !emitc.ptr<i32>
  %10 = emitc.add %a, %b : (i32, i32) -> i32
  %11 = emitc.sub %a, %b : (i32, i32) -> i32
  %12 = emitc.mul %a, %b : (i32, i32) -> i32
  %13 = emitc.div %a, %b : (i32, i32) -> i32
  %14 = emitc.rem %a, %b : (i32, i32) -> i32
  %15 = emitc.bitwise_and %a, %b : (i32, i32) -> i32
  %16 = emitc.bitwise_or %a, %b : (i32, i32) -> i32
  %17 = emitc.bitwise_xor %a, %b : (i32, i32) -> i32
  %18 = emitc.bitwise_left_shift %a, %b : (i32, i32) -> i32
  %19 = emitc.bitwise_right_shift %a, %b : (i32, i32) -> i32
  %20 = emitc.bitwise_not %a : (i32) -> i32
  %21 = emitc.unary_minus %a : (i32) -> i32
  %22 = emitc.unary_plus %a : (i32) -> i32
  %23 = emitc.cmp eq, %a, %b : (i32, i32) -> i1
  %24 = emitc.logical_and %a, %b : i32, i32
  %25 = emitc.logical_or %a, %b : i32, i32
  %26 = emitc.logical_not %a : i32
  %27 = emitc.conditional %c, %a, %b : i32
  %28 = emitc.get_global @counter : !emitc.lvalue<i32>
  emitc.verbatim "print({}, {});" args %a, %f : i32, f32
  emitc.return
}
emitc.func private @other(i32) -> i32
emitc.global @counter : i32
// -----
func.func @control(%c: i1, %i: index, %n: i32, %p: !emitc.ptr<i32>) {
  emitc.if %c {
  }
  emitc.if %c {
    emitc.verbatim "a"
  } else {
    emitc.verbatim "b"
  }
  emitc.for %k = %i to %i step %i {
    emitc.verbatim "c"
  }
  emitc.for %k = %n to %n step %n : i32 {
  }
  emitc.switch %n : i32
  case 1 {
    emitc.verbatim "d"
    emitc.yield
  }
  case 3 {
    emitc.yield
  }
  default {
    emitc.verbatim "e"
  }
  %0 = emitc.expression %n : (i32) -> i32 {
    %1 = emitc.mul %n, %n : (i32, i32) -> i32
    emitc.yield %1 : i32
  }
  %2 = emitc.expression %n, %0 noinline : (i32, i32) -> i32 {
    %1 = emitc.mul %n, %0 : (i32, i32) -> i32
    emitc.yield %1 : i32
  }
  emitc.do {
    emitc.verbatim "f"
  } while {
    %3 = emitc.expression %n : (i32) -> i1 {
      %4 = emitc.cmp eq, %n, %n : (i32, i32) -> i1
      emitc.yield %4 : i1
    }
    emitc.yield %3 : i1
  }
  return
}
