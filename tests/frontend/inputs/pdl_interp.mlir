module @patterns {
  pdl_interp.func @matcher(%arg0: !pdl.operation) {
    pdl_interp.check_operation_name of %arg0 is "a.b" -> ^named, ^end
  ^named:
    %0 = pdl_interp.get_operand 0 of %arg0
    pdl_interp.is_not_null %0 : !pdl.value {a} -> ^operand, ^end
  ^operand:
    pdl_interp.record_match @rewriters::@r(%arg0, %0 : !pdl.operation, !pdl.value) : benefit(2), generatedOps(["a.c", "a.d"]), loc([%arg0]), root("a.b") -> ^next
  ^next:
    pdl_interp.record_match @rewriters::@r : benefit(1), loc([]) {a} -> ^end
  ^end:
    pdl_interp.finalize
  }
  module @rewriters {
    pdl_interp.func @r(%arg0: !pdl.operation, %arg1: !pdl.value) {
      pdl_interp.finalize {a}
    }
  }
}
// -----
pdl_interp.func @build(%arg0: !pdl.operation) -> !pdl.operation attributes {a} {
  pdl_interp.finalize
}
// -----
pdl_interp.func @found(%op: !pdl.operation) {
  %0 = pdl_interp.get_operand 0 of %op
  %1 = pdl_interp.get_result 1 of %op {a}
  %2 = pdl_interp.get_operands of %op : !pdl.range<value>
  %3 = pdl_interp.get_operands 1 of %op : !pdl.value
  %4 = pdl_interp.get_results of %op : !pdl.range<value>
  %5 = pdl_interp.get_results 0 of %op : !pdl.value {a}
  %6 = pdl_interp.get_attribute "x" of %op
  %7 = pdl_interp.get_attribute_type of %6
  %8 = pdl_interp.get_value_type of %0 : !pdl.type
  %9 = pdl_interp.get_value_type of %2 : !pdl.range<type>
  %10 = pdl_interp.get_defining_op of %1 : !pdl.value
  %11 = pdl_interp.get_defining_op of %4 : !pdl.range<value>
  %12 = pdl_interp.get_users of %3 : !pdl.value
  %13 = pdl_interp.get_users of %4 : !pdl.range<value> {a}
  %14 = pdl_interp.extract 1 of %2 : !pdl.value
  %15 = pdl_interp.extract 0 of %9 : !pdl.type
  pdl_interp.branch ^loop
^loop:
  pdl_interp.foreach %user : !pdl.operation in %12 {
    %16 = pdl_interp.get_result 0 of %user
    pdl_interp.are_equal %16, %14 : !pdl.value -> ^one, ^other
  ^one:
    pdl_interp.continue
  ^other:
    pdl_interp.branch ^one {a}
  } -> ^again
^again:
  pdl_interp.foreach %type : !pdl.type in %9 {
    pdl_interp.continue {a}
  } {b} -> ^end
^end:
  pdl_interp.finalize
}
// -----
pdl_interp.func @checked(%op: !pdl.operation, %a: !pdl.attribute, %t: !pdl.type, %ts: !pdl.range<type>) {
  pdl_interp.check_attribute %a is 10 : i64 -> ^bb1, ^end
^bb1:
  pdl_interp.check_attribute %a is loc("x") {a} -> ^bb2, ^end
^bb2:
  pdl_interp.check_attribute %a is i32 -> ^bb3, ^end
^bb3:
  pdl_interp.check_operand_count of %op is at_least 1 -> ^bb4, ^end
^bb4:
  pdl_interp.check_result_count of %op is 2 {a} -> ^bb5, ^end
^bb5:
  pdl_interp.check_type %t is tensor<?xf32> -> ^bb6, ^end
^bb6:
  pdl_interp.check_type %t is (i32) -> i32 {a} -> ^bb7, ^end
^bb7:
  pdl_interp.check_types %ts are [i32, (i32, i64) -> f32] -> ^bb8, ^end
^bb8:
  pdl_interp.apply_constraint "c"(%t, %a : !pdl.type, !pdl.attribute) -> ^bb9, ^end
^bb9:
  %0:2 = pdl_interp.apply_constraint "d"(%op : !pdl.operation) : !pdl.value, !pdl.range<type> {isNegated = true} -> ^bb10, ^end
^bb10:
  pdl_interp.are_equal %0#1, %ts : !pdl.range<type> -> ^end, ^bb1
^end:
  pdl_interp.finalize
}
// -----
pdl_interp.func @chosen(%op: !pdl.operation, %a: !pdl.attribute, %t: !pdl.type, %ts: !pdl.range<type>) {
  pdl_interp.switch_attribute %a to [10, true, i32](^bb1, ^bb2, ^end) -> ^bb3
^bb1:
  pdl_interp.switch_operand_count of %op to dense<[0, 2]> : vector<2xi32>(^bb2, ^bb3) {a} -> ^end
^bb2:
  pdl_interp.switch_result_count of %op to dense<0> : tensor<1xi32>(^bb3) -> ^bb4
^bb3:
  pdl_interp.switch_operation_name of %op to ["a.b", "a.c"](^bb4, ^bb5) -> ^end
^bb4:
  pdl_interp.switch_type %t to [i32, (i32) -> i64](^bb5, ^bb5) -> ^end
^bb5:
  pdl_interp.switch_types %ts to [[i32], [i64, f32], []](^bb6, ^bb1, ^end) -> ^bb1
^bb6:
  pdl_interp.switch_attribute %a to []() -> ^end
^end:
  pdl_interp.finalize
}
// -----
pdl_interp.func @changed(%op: !pdl.operation, %v: !pdl.value) {
  %0 = pdl_interp.create_attribute 10 : i64
  %1 = pdl_interp.create_attribute unit attributes {a}
  %2 = pdl_interp.create_attribute {a = [1, @b::@c]}
  %3 = pdl_interp.create_attribute loc("x") loc("y")
  %4 = pdl_interp.create_type i64
  %5 = pdl_interp.create_type (i32) -> (i64, f32) {a}
  %6 = pdl_interp.create_types [i64, i32]
  %7 = pdl_interp.create_range %v, %v : !pdl.value, !pdl.value
  %8 = pdl_interp.create_range %7, %v : !pdl.range<value>, !pdl.value {a}
  %9 = pdl_interp.create_range : !pdl.range<type>
  %10 = pdl_interp.create_operation "a.b"
  %11 = pdl_interp.create_operation "a.b"(%v, %7 : !pdl.value, !pdl.range<value>) {"x" = %0, "y" = %1} -> (%4, %6 : !pdl.type, !pdl.range<type>)
  %12 = pdl_interp.create_operation "a.b" {"x" = %2} {a}
  %13 = pdl_interp.create_operation "a.b" {"x" = %3}
  %14 = pdl_interp.create_operation "a.b"(%8 : !pdl.range<value>) -> (%9 : !pdl.range<type>) {a}
  %15 = pdl_interp.create_operation "arith.addi"(%v, %v : !pdl.value, !pdl.value) -> <inferred>
  %16 = pdl_interp.apply_rewrite "r"(%op : !pdl.operation) : !pdl.attribute
  %17:2 = pdl_interp.apply_rewrite "r" : !pdl.attribute, !pdl.value {a}
  pdl_interp.apply_rewrite "r"
  pdl_interp.replace %op with (%v, %17#1, %7 : !pdl.value, !pdl.value, !pdl.range<value>)
  pdl_interp.replace %10 with () {a}
  pdl_interp.erase %11
  pdl_interp.finalize
}
func.func @loaded(%arg0: i32) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  return %0 : i32
}
