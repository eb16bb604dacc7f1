pdl.pattern @p : benefit(2) attributes {a} {
  %0 = type
  %1 = operation "a.b" -> (%0 : !pdl.type)
  rewrite %1 {
    replace %1 with %1
  }
}
// -----
pdl.pattern : benefit(1) {
  %0 = operation
  rewrite %0 with "erase"
}
// -----
pdl.pattern @matched : benefit(1) {
  %t = type : i32
  %ts = types
  %u = types : [i32, i64]
  %v = operand : %t
  %w = operand
  %vs = operands : %ts
  %a = attribute
  %b = attribute = 1 : i32
  %c = attribute : %t
  %0 = operation "a.c"(%v, %w : !pdl.value, !pdl.value) {"x" = %a, "y" = %b, "z" = %c} -> (%t : !pdl.type)
  %1 = result 0 of %0
  %2 = results of %0
  %3 = results 0 of %0 -> !pdl.range<value>
  %4 = operation "a.d"(%1, %2, %vs : !pdl.value, !pdl.range<value>, !pdl.range<value>) -> (%u : !pdl.range<type>)
  %5 = operation "a.e"(%3 : !pdl.range<value>)
  apply_native_constraint "small"(%0 : !pdl.operation)
  %6 = apply_native_constraint "known"(%0 : !pdl.operation) : !pdl.attribute
  rewrite with "outside"(%4, %5, %6 : !pdl.operation, !pdl.operation, !pdl.attribute)
}
// -----
pdl.pattern @replaced : benefit(1) {
  %v = operand
  %0 = operation "a.b"(%v : !pdl.value)
  %1 = operation "a.c"(%v : !pdl.value)
  rewrite %0 {
    %2 = apply_native_rewrite "make"(%v : !pdl.value) : !pdl.value
    %3 = range %2, %v : !pdl.value, !pdl.value
    %4 = range : !pdl.range<value>
    %5 = operation "a.d"(%3, %4 : !pdl.range<value>, !pdl.range<value>)
    replace %0 with (%2 : !pdl.value)
    erase %1
  }
}
// -----
pdl.pattern @noted : benefit(1) {
  %0 = type
  %1 = attribute = loc("x")
  %2 = operation "a.b" {"x" = %1} -> (%0 : !pdl.type) {a}
  rewrite %2 {
    %3 = operation "a.b" {"x" = %1} {a}
    %4 = operation "a.b" -> (%0 : !pdl.type) {a}
    replace %2 with %4
  }
}
