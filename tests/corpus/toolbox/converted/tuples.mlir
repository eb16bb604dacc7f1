// Tuples at the boundary of functions.
func.func @pair(%a: tuple<i1, f32>) -> tuple<i1, f32> {
  return %a : tuple<i1, f32>
}
func.func @nested(%a: tuple<i1, tuple<f32, i8>>) -> tuple<i1, tuple<f32, i8>> {
  return %a : tuple<i1, tuple<f32, i8>>
}
func.func @deep(%a: tuple<tuple<tuple<i1>>, index>, %n: index) -> (index, tuple<tuple<tuple<i1>>, index>) {
  return %n, %a : index, tuple<tuple<tuple<i1>>, index>
}
func.func @empty(%a: tuple<>, %n: index) -> (index, tuple<>) {
  return %n, %a : index, tuple<>
}
func.func @empty_inside(%a: tuple<i1, tuple<>, i8>) -> tuple<i1, tuple<>, i8> {
  return %a : tuple<i1, tuple<>, i8>
}
func.func @of_buffers(%a: tuple<memref<4xf32>, index>) -> tuple<memref<4xf32>, index> {
  return %a : tuple<memref<4xf32>, index>
}
func.func @mixed(%n: index, %a: tuple<i1, f32>, %m: memref<4xf32>, %b: tuple<i8>) -> (tuple<i8>, memref<4xf32>, tuple<i1, f32>, index) {
  return %b, %m, %a, %n : tuple<i8>, memref<4xf32>, tuple<i1, f32>, index
}
func.func @unused(%a: tuple<i1, f32>, %n: index) -> index {
  return %n : index
}
func.func @more_than_ten(%a: tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>) -> tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12> {
  return %a : tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12>
}

// -----

func.func @calls(%a: tuple<i1, f32>, %n: index) -> tuple<i1, f32> {
  %x = call @outside(%a) : (tuple<i1, f32>) -> tuple<i1, f32>
  %y:2 = call @two(%x, %n) : (tuple<i1, f32>, index) -> (index, tuple<i1, f32>)
  call @nothing(%y#1) : (tuple<i1, f32>) -> ()
  %z = call @made() : () -> tuple<i1, f32>
  return %z : tuple<i1, f32>
}
func.func private @outside(tuple<i1, f32>) -> tuple<i1, f32>
func.func private @nothing(%a: tuple<i1, f32>)
func.func private @made() -> tuple<i1, f32>
func.func @two(%a: tuple<i1, f32>, %n: index) -> (index, tuple<i1, f32>) {
  return %n, %a : index, tuple<i1, f32>
}
func.func @unused_result(%a: tuple<i1, f32>) {
  %0 = call @outside(%a) : (tuple<i1, f32>) -> tuple<i1, f32>
  return
}
func.func @again(%a: tuple<i1, tuple<f32>>, %n: index) -> (tuple<i1, tuple<f32>>, index) {
  %0:2 = call @again(%a, %n) : (tuple<i1, tuple<f32>>, index) -> (tuple<i1, tuple<f32>>, index)
  return %0#0, %0#1 : tuple<i1, tuple<f32>>, index
}

// -----

func.func @in_regions(%c: i1, %a: tuple<i1, f32>) -> tuple<i1, f32> {
  %r = scf.if %c -> (tuple<i1, f32>) {
    %x = func.call @f(%a) : (tuple<i1, f32>) -> tuple<i1, f32>
    scf.yield %x : tuple<i1, f32>
  } else {
    scf.yield %a : tuple<i1, f32>
  }
  return %r : tuple<i1, f32>
}
func.func private @f(%a: tuple<i1, f32>) -> tuple<i1, f32> {
  return %a : tuple<i1, f32>
}
func.func @two_returns(%c: i1, %a: tuple<i1, f32>, %b: tuple<i1, f32>) -> tuple<i1, f32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : tuple<i1, f32>
^bb2:
  %t = call @f(%b) : (tuple<i1, f32>) -> tuple<i1, f32>
  return %t : tuple<i1, f32>
}
func.func @said_of_them(%a: tuple<i1, f32> {test.first}, %n: index {test.second}) -> (index {test.third}, tuple<i8, index> {test.fourth}) {
  %x = arith.constant 3 : i8
  %r = "test.make_tuple"(%x, %n) : (i8, index) -> tuple<i8, index>
  return %n, %r : index, tuple<i8, index>
}
