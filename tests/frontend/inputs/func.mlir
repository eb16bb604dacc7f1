func.func private @declared(memref<4xf32>, i32 {test.attribute = "x, y"}) -> (f32, memref<?xf32> {test.unit})
func.func nested @nothing()
func.func @multiple(%a: i32, %m: memref<*xf32> {test.attribute = {nested = [1, 2]}}) -> (i32, memref<*xf32>)
    attributes {test.flag, llvm.emit_c_interface} {
  return %a, %m : i32, memref<*xf32>
}
// -----
module @outer attributes {test.flag} {
  func.func private @callee(memref<2xf32>, (i32) -> i32) -> memref<2xf32>
  module {
    func.func @inner() { return }
  }
  builtin.module @inner {
    func.func public @inner() -> index {
      %c = arith.constant 1 : index
      func.return %c : index
    }
  }
  func.func @caller(%m: memref<2xf32>, %f: (i32) -> i32, %c: i32) -> memref<2xf32> {
    %0 = call @callee(%m, %f) : (memref<2xf32>, (i32) -> i32) -> memref<2xf32>
    %1 = func.call @callee(%0, %f) {test.note} : (memref<2xf32>, (i32) -> i32) -> memref<2xf32>
    %2 = call_indirect %f(%c) : (i32) -> i32
    %g = constant @callee : (memref<2xf32>, (i32) -> i32) -> memref<2xf32>
    %3 = call_indirect %g(%1, %f) {test.note} : (memref<2xf32>, (i32) -> i32) -> memref<2xf32>
    func.return {test.note} %3 : memref<2xf32>
  }
}
// -----
#layout = affine_map<(d0, d1) -> (d1, d0)>
!buffer = memref<4x?xf32, #layout, 3>
!function = (!buffer) -> !buffer
func.func @aliases(%m: !buffer, %f: !function) -> !buffer {
  %0 = call_indirect %f(%m) : (!buffer) -> !buffer
  return %0 : !buffer
}
// -----
func.func @casts(%m: memref<4xf32>, %i: index) -> i64 {
  %0 = builtin.unrealized_conversion_cast %m : memref<4xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>)>
  %1:2 = builtin.unrealized_conversion_cast %i, %m : index, memref<4xf32> to i64, memref<4xi32> {test.note}
  %2 = builtin.unrealized_conversion_cast to i32
  return %1#0 : i64
}
// -----
func.func @forward(%c: i1) -> i32 {
  cf.br ^second
^first:
  return %later#1 : i32
^second:
  %later:2 = "test.pair"() : () -> (i32, i32)
  cf.br ^first
}
