module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence private @helper(%arg0: !transform.any_op {transform.consumed}) -> (!transform.any_op) attributes {a = 1 : i32} {
    transform.yield %arg0 : !transform.any_op
  }
  func.func @f(%m: memref<4xf32>) {
    return
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  %0 = transform.structured.match ops{["arith.addi"]} in %arg0 : (!transform.any_op) -> !transform.any_op
}
// -----
transform.with_pdl_patterns {
^bb0(%arg0: !transform.any_op):
  pdl.pattern @p : benefit(1) {
    %0 = operands
    %1 = types
    %2 = operation "test"(%0 : !pdl.range<value>) -> (%1 : !pdl.range<type>)
    rewrite %2 with "transform.dialect"
  }
  sequence %arg0 : !transform.any_op failures(suppress) {
  ^bb1(%arg1: !transform.any_op):
    %0 = pdl_match @p in %arg1 : (!transform.any_op) -> !transform.any_op
  }
}
