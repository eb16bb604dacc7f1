#sum = affine_map<(d0)[s0] -> (d0 + s0)>
#both = affine_map<(d0)[s0] -> (d0, s0 * 2)>
#far = affine_set<(d0)[s0] : (d0 - 5 >= 0, s0 - d0 == 0)>
func.func @loops(%m: memref<?xf32>, %n: index, %k: index, %x: f32) -> (f32, memref<?xf32>) {
  affine.for %i = 0 to 10 {
  }
  affine.for %i = -5 to %n step 2 {
    affine.for %j = #sum(%i)[%n] to min #both(%i)[%n] {
      affine.yield
    } {test.note}
  }
  affine.for %i = max affine_map<(d0)[s0] -> (d0, s0)>(%k)[%n] to affine_map<() -> (100)>() step 4 {
    %f = affine.load %m[%i] : memref<?xf32>
    affine.store %f, %m[%i] : memref<?xf32>
  }
  affine.for %i = max #both(%k)[%n] to #sum(%k)[%n] {
    "test.use"(%i) : (index) -> ()
  }
  %0 = affine.for %i = 0 to 8 iter_args(%a = %x) -> f32 {
    affine.yield %a : f32
  }
  %1:2 = affine.for %i = 0 to %n step 3 iter_args(%a = %0, %b = %m) -> (f32, memref<?xf32>) {
    affine.yield %a, %b : f32, memref<?xf32>
  } {test.note}
  affine.if #far(%n)[%k] {
  }
  affine.if affine_set<() : (1 == 0)>() {
    affine.yield
  } else {
    "test.use"(%n) : (index) -> ()
  } {test.note}
  %2:2 = affine.if #far(%n)[%k] -> (f32, memref<?xf32>) {
    affine.yield %x, %m : f32, memref<?xf32>
  } else {
    affine.yield {test.note} %1#0, %1#1 : f32, memref<?xf32>
  }
  %3 = affine.if #far(%n)[%k] -> f32 {
    affine.yield %x : f32
  } else {
    affine.yield %x : f32
  }
  return %3, %2#1 : f32, memref<?xf32>
}
// -----
func.func @parallel(%m: memref<?x?xf32>, %n: index, %k: index, %x: f32) -> (f32, f32) {
  affine.parallel (%i) = (0) to (10) {
  }
  affine.parallel () = () to () {
    "test.use"() : () -> ()
  }
  affine.parallel (%i, %j) = (symbol(%n), %k - 1) to (min(%n + symbol(%k), 128), 2 * (%k + %n) floordiv 4) step (2, 3) {
    affine.store %x, %m[%i, %j] : memref<?x?xf32>
  } {test.note}
  affine.parallel (%i, %j) = (max(%k, %n, 0), -%k) to (100, %n ceildiv 2) {
    affine.yield
  }
  %0 = affine.parallel (%i) = (0) to (%n) reduce ("addf") -> f32 {
    affine.yield %x : f32
  }
  %1:2 = affine.parallel (%i) = (0) to (%n) step (4) reduce ("maximumf", "mulf") -> (f32, f32) {
    affine.yield %x, %0 : f32, f32
  }
  return %1#0, %1#1 : f32, f32
}
// -----
#map = affine_map<(d0)[s0] -> (d0 mod 3 + s0)>
func.func @values(%n: index, %k: index) -> index {
  %0 = affine.apply #map(%n)[%k]
  %1 = affine.apply affine_map<() -> (7)>() {test.note}
  %2 = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%0]
  %3 = affine.min affine_map<(d0)[s0] -> (d0, s0, 8)>(%1)[%2]
  %4 = affine.max affine_map<(d0, d1) -> (d0 - d1, 0)>(%3, %n) {test.note}
  %5:3 = affine.delinearize_index %4 into (%n, 3, %k) : index, index, index
  %6:2 = affine.delinearize_index %5#1 into (4) {test.note} : index, index
  %7 = affine.delinearize_index %6#0 into () : index
  %8 = affine.linearize_index [%5#0, %7, %6#1] by (%n, 3, %k) : index
  %9 = affine.linearize_index disjoint [%8, %5#2] by (8, %n) {test.note} : index
  %10 = affine.linearize_index [] by () : index
  return %10 : index
}
// -----
!b = memref<4xi8, strided<[1], offset: ?>>
func.func @accesses(%m: memref<?x?xf32>, %s: memref<f32>, %b: memref<?x!b>, %n: index, %x: f32, %v: vector<8xf32>) -> !b {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %0 = affine.load %m[%i, %j] : memref<?x?xf32>
      %1 = affine.load %m[%i + %j * 2 + symbol(%n), (%i - symbol(%n)) mod 3] {test.note} : memref<?x?xf32>
      %2 = affine.load %m[symbol(%n), %j] : memref<?x?xf32>
      affine.store %0, %m[-%i + 10, %j floordiv 2 - -3] : memref<?x?xf32>
      affine.store %x, %m[%j, 7 - symbol(%n) + %i] {test.note} : memref<?x?xf32>
      %3 = affine.vector_load %m[%i, %j + 3] : memref<?x?xf32>, vector<8xf32>
      affine.vector_store %v, %m[%i + symbol(%n), %j] : memref<?x?xf32>, vector<8xf32>
      %4 = affine.vector_load %m[%i, %i] {test.note} : memref<?x?xf32>, vector<4xf32>
      affine.vector_store %4, %m[0, 0] {test.note} : memref<?x?xf32>, vector<4xf32>
      affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<?x?xf32>
      affine.prefetch %m[symbol(%n) + %i, 0], write, locality<0>, instr {test.note} : memref<?x?xf32>
    }
  }
  %5 = affine.load %s[] : memref<f32>
  affine.store %5, %s[] : memref<f32>
  %6 = affine.load %b[3] : memref<?x!b>
  affine.store %6, %b[%n] : memref<?x!b>
  return %6 : !b
}
// -----
func.func @dma(%n: index) {
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc() : memref<100xf32, 2>
  %t = memref.alloc() : memref<1xi32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      affine.dma_start %a[%i + symbol(%n) + %j], %b[%j + 7], %t[symbol(%n) mod 2], %n : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
      affine.dma_wait %t[0], %n : memref<1xi32>
      affine.dma_start %a[%i], %b[symbol(%n) + %i], %t[0], %n, %n, %n
          : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
      affine.dma_wait %t[%i - %j], %n : memref<1xi32>
    }
  }
  return
}
