func.func @undefined(%c: i1) -> memref<4xf32> {
  %0 = ub.poison : i32
  %1 = ub.poison {test.note} : memref<4xf32>
  %2 = ub.poison <#ub.poison> : vector<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  ub.unreachable
^bb2:
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  ub.unreachable {test.note}
^bb4:
  return %1 : memref<4xf32>
}
