func.func @assuming(%w: !shape.witness, %m: memref<?xf32>, %x: f32) -> memref<?xf32> {
  shape.assuming %w {
  }
  shape.assuming %w {
    shape.assuming_yield
  } {test.note}
  %0 = shape.assuming %w -> memref<?xf32> {
    shape.assuming_yield %m : memref<?xf32>
  }
  %1:2 = shape.assuming %w -> (memref<?xf32>, f32) {
    shape.assuming_yield {test.note} %0, %x : memref<?xf32>, f32
  }
  return %1#0 : memref<?xf32>
}
// -----
func.func @shapes(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %s: !shape.shape, %e: tensor<?xindex>, %z: !shape.size, %n: index, %v: !shape.value_shape, %c: i1) {
  %0 = shape.shape_of %m : memref<?x?xf32> -> tensor<2xindex>
  %1 = shape.shape_of %v {test.note} : !shape.value_shape -> !shape.shape
  %2 = shape.add %z, %n : !shape.size, index -> !shape.size
  %3 = shape.concat %0, %e : tensor<2xindex>, tensor<?xindex> -> tensor<?xindex>
  %4 = shape.dim %m, %n : memref<?x?xf32>, index -> index
  %5 = shape.div %n, %n {test.note} : index, index -> index
  %6 = shape.get_extent %s, %z : !shape.shape, !shape.size -> !shape.size
  %7 = shape.max %s, %s : !shape.shape, !shape.shape -> !shape.shape
  %8 = shape.min %z, %z : !shape.size, !shape.size -> !shape.size
  %9 = shape.mul %n, %z : index, !shape.size -> !shape.size
  %10 = shape.meet %s, %s, error = "they \"differ\"" : !shape.shape, !shape.shape -> !shape.shape
  %11 = shape.meet %n, %n {test.note} : index, index -> index
  %12 = shape.any %s, %e : !shape.shape, tensor<?xindex> -> !shape.shape
  %13 = shape.broadcast %0, %3, %e {error = "no"} : tensor<2xindex>, tensor<?xindex>, tensor<?xindex> -> !shape.shape
  %14 = shape.num_elements %s : !shape.shape -> !shape.size
  %15 = shape.rank %e : tensor<?xindex> -> index
  %16 = shape.to_extent_tensor %s : !shape.shape -> tensor<3xindex>
  %17 = shape.value_as_shape %e : tensor<?xindex> -> !shape.shape
  %18 = shape.is_broadcastable %s, %17 : !shape.shape, !shape.shape
  %19 = shape.shape_eq %s, %e {test.note} : !shape.shape, tensor<?xindex>
  %20 = shape.const_shape [2, 3, 4] : !shape.shape
  %21 = shape.const_shape {test.note} [] : tensor<0xindex>
  %22 = shape.const_size 10
  %23 = shape.const_size 3 {test.note}
  %24 = shape.from_extent_tensor %16 : tensor<3xindex>
  %25 = shape.from_extents %n, %z : index, !shape.size
  %26 = shape.from_extents %z {test.note} : !shape.size
  %27 = shape.index_to_size %n
  %28 = shape.size_to_index %27 : !shape.size
  %29 = shape.value_of %v : tensor<?x?xf32>
  %30 = shape.with_shape %29, %s : tensor<?x?xf32>, !shape.shape
  %31 = shape.reduce(%s, %22) : !shape.shape -> !shape.size {
  ^bb0(%i: index, %d: !shape.size, %acc: !shape.size):
    %p = shape.mul %d, %acc : !shape.size, !shape.size -> !shape.size
    shape.yield %p : !shape.size
  }
  %32:2 = shape.reduce(%e, %n, %n) : tensor<?xindex> -> (index, index) {
  ^bb0(%i: index, %d: index, %a: index, %b: index):
    shape.yield {test.note} %a, %b : index, index
  } {test.note}
  return
}
// -----
func.func @witnesses(%s: !shape.shape, %e: tensor<?xindex>, %c: i1) -> !shape.witness {
  %0 = shape.const_witness true
  %1 = shape.const_witness false {test.note}
  %2 = shape.cstr_broadcastable %s, %e : !shape.shape, tensor<?xindex>
  %3 = shape.cstr_eq %s, %s, %s {test.note} : !shape.shape, !shape.shape, !shape.shape
  %4 = shape.cstr_require %c, "must hold"
  %5 = shape.assuming_all %0, %1, %2, %3, %4
  %6 = shape.assuming_all %5 {test.note}
  return %6 : !shape.witness
}
// -----
module attributes {shape.lib = [@library]} {
  shape.function_library @library {
    shape.func @same(%v: !shape.value_shape) -> !shape.shape {
      %0 = shape_of %v : !shape.value_shape -> !shape.shape
      return %0 : !shape.shape
    }
    shape.func private @declared(!shape.value_shape) -> !shape.shape
    shape.func @two(%a: !shape.size, %b: !shape.size) -> (!shape.size, !shape.size) attributes {test.note} {
      shape.return %a, %b : !shape.size, !shape.size
    }
  } mapping {
    test.same = @same
  }
}
