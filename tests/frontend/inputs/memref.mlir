memref.global "private" constant @weights : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}
memref.global @external : memref<4xf32>
memref.global "public" @uninitialized : memref<4xf32> = uninitialized
memref.global constant @big : memref<3xi64> = dense_resource<blob>
func.func @allocations(%n: index, %m: memref<?xf32>) -> memref<2xf32> {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%n, %n) {alignment = 8 : i64} : memref<?x4x?xf32>
  %2 = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %3 = memref.alloc()[%n] : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %4 = memref.alloca(%n) : memref<?xf32, 5>
  %5 = memref.realloc %m : memref<?xf32> to memref<10xf32>
  %6 = memref.realloc %m(%n) {alignment = 8} : memref<?xf32> to memref<?xf32>
  %7 = memref.alloca_scope -> (memref<2xf32>) {
    %x = memref.get_global @weights : memref<2xf32>
    memref.alloca_scope {
      %y = memref.alloca() : memref<f32>
    }
    memref.alloca_scope.return %x : memref<2xf32>
  }
  memref.dealloc %0 {test.note} : memref<4xf32>
  %8 = memref.alloc() : memref<2xmemref<?xf32, strided<[1], offset: ?>, #gpu.address_space<private>>>
  %9 = memref.load %8[%n] {nontemporal = true} : memref<2xmemref<?xf32, strided<[1], offset: ?>, #gpu.address_space<private>>>
  return %7 : memref<2xf32>
}
// -----
func.func @views(%m: memref<4x5xf32>, %b: memref<2048xi8>, %n: index, %u: memref<*xf32>, %s: memref<2xindex>) {
  %0 = memref.subview %m[0, %n][%n, 2][1, %n] : memref<4x5xf32> to memref<?x2xf32, strided<[5, ?], offset: ?>>
  %1 = memref.subview %m[0, 0] [1, 5] [1, 1] {test.note} : memref<4x5xf32> to memref<5xf32>
  %2 = memref.cast %m : memref<4x5xf32> to memref<*xf32>
  %3 = memref.cast %u : memref<*xf32> to memref<?x?xf32>
  %4 = memref.memory_space_cast %m : memref<4x5xf32> to memref<4x5xf32, 1>
  %5 = memref.reinterpret_cast %m to offset: [%n], sizes: [%n, 5], strides: [5, %n]
      : memref<4x5xf32> to memref<?x5xf32, strided<[5, ?], offset: ?>>
  %6 = memref.reinterpret_cast %u to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
  %7 = memref.reshape %m(%s) : (memref<4x5xf32>, memref<2xindex>) -> memref<?x?xf32>
  %8 = memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<20xf32>
  %9 = memref.expand_shape %8 [[0, 1]] output_shape [4, 5] : memref<20xf32> into memref<4x5xf32>
  %10 = memref.transpose %m (i, j) -> (j, i) : memref<4x5xf32> to memref<5x4xf32, strided<[1, 5]>>
  %11 = memref.view %b[%n][%n, %n] : memref<2048xi8> to memref<?x?xf32>
  %12 = memref.view %b[%n][] : memref<2048xi8> to memref<4xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
      : memref<4x5xf32> -> memref<f32>, index, index, index, index, index
  %13 = memref.extract_aligned_pointer_as_index %m : memref<4x5xf32> -> index
  %14 = memref.dim %m, %n : memref<4x5xf32>
  %15 = memref.rank %u : memref<*xf32>
  %16 = memref.assume_alignment %m, 16 : memref<4x5xf32>
  %17, %18 = memref.distinct_objects %m, %b : memref<4x5xf32>, memref<2048xi8>
  return
}
// -----
func.func @accesses(%m: memref<4x5xf32>, %i: index, %f: f32, %tag: memref<1xi32>, %far: memref<4x5xf32, 1>) -> f32 {
  %0 = memref.load %m[%i, %i] : memref<4x5xf32>
  memref.store %0, %m[%i, %i] {nontemporal = true} : memref<4x5xf32>
  %1 = memref.atomic_rmw addf %f, %m[%i, %i] : (f32, memref<4x5xf32>) -> f32
  %2 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x5xf32> {
  ^bb0(%current: f32):
    memref.atomic_yield %current : f32
  }
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x5xf32>
  memref.copy %m, %far {test.note} : memref<4x5xf32> to memref<4x5xf32, 1>
  memref.dma_start %m[%i, %i], %far[%i, %i], %i, %tag[%i] : memref<4x5xf32>, memref<4x5xf32, 1>, memref<1xi32>
  memref.dma_start %m[%i, %i], %far[%i, %i], %i, %tag[%i], %i, %i
      : memref<4x5xf32>, memref<4x5xf32, 1>, memref<1xi32>
  memref.dma_wait %tag[%i], %i : memref<1xi32>
  return %2 : f32
}
