ml_program.global private mutable @state(dense<4> : tensor<4xi32>) : tensor<4xi32>
ml_program.global public @constant(dense<1.0> : tensor<2xf32>) : tensor<?xf32> {test.note}
ml_program.global private @unset(#ml_program.extern : tensor<4xi32>) : tensor<4xi32>
ml_program.global private mutable @counter : i64
ml_program.func @f(%x: i64) -> (tensor<4xi32>, tensor<?xf32>) {
  %0 = ml_program.global_load @state : tensor<4xi32>
  %1 = ml_program.global_load_const @constant : tensor<?xf32>
  ml_program.global_store @state = %0 : tensor<4xi32>
  ml_program.global_store @counter = %x : i64 {test.note}
  ml_program.return %0, %1 : tensor<4xi32>, tensor<?xf32>
}
ml_program.func private @declared(i64) -> i64
ml_program.func @nothing() {
  ml_program.return
}
ml_program.subgraph private @graph(%x: tensor<4xi32>) -> (tensor<4xi32>, !ml_program.token) attributes {test.note} {
  %0 = ml_program.token
  %1, %2 = ml_program.global_load_graph @state ordering(() -> !ml_program.token) : tensor<4xi32>
  %3, %4 = ml_program.global_load_graph @state ordering(%0, %2 -> !ml_program.token) : tensor<4xi32> {test.note}
  %5 = ml_program.global_store_graph @state = %x ordering(%2, %4 -> !ml_program.token) : tensor<4xi32>
  %6 = ml_program.global_store_graph @state = %1 ordering(() -> !ml_program.token) : tensor<4xi32>
  ml_program.output %3, %5 : tensor<4xi32>, !ml_program.token
}
