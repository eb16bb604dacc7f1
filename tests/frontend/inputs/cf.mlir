func.func @branches(%c: i1, %m: memref<4xf32>, %n: memref<?xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^left(%m, %n : memref<4xf32>, memref<?xf32>), ^right {test.note = 1 : i8}
^left(%a: memref<4xf32>, %b: memref<?xf32>):
  cf.assert %c, "must, \"hold\""
  cf.br ^exit(%a : memref<4xf32>) {test.note}
^right:
  cf.cond_br %c weights([1, 2]), ^exit(%m : memref<4xf32>), ^exit(%m : memref<4xf32>)
^exit(%r: memref<4xf32>):
  return %r : memref<4xf32>
}
// -----
func.func @switch(%flag: i32, %m: memref<4xf32>) {
  cf.switch %flag : i32, [
    default: ^one(%flag : i32),
    42: ^two(%m, %flag : memref<4xf32>, i32),
    -3: ^one(%flag : i32)
  ]
^one(%a: i32):
  cf.switch %a : i32, [default: ^three]
^two(%b: memref<4xf32>, %c: i32):
  cf.br ^three
^three:
  return
}
