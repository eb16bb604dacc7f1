func.func @values(%v: vector<4xf32>, %w: vector<2x4xf32>, %s: vector<[4]xf32>, %z: vector<f32>, %x: f32, %n: index) {
  %0 = vector.vscale
  %1 = vector.step : vector<[4]xindex>
  %2 = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  %3 = vector.broadcast %x : f32 to vector<2x4xf32>
  %4 = vector.shape_cast %w {test.note} : vector<2x4xf32> to vector<8xf32>
  %5 = vector.extract_strided_slice %w {offsets = [0], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x4xf32>
  %6 = vector.insert_strided_slice %v, %w {offsets = [0, 0], strides = [1]} : vector<4xf32> into vector<2x4xf32>
  %7 = vector.constant_mask [1, 3] : vector<2x4xi1>
  %8 = vector.create_mask %n, %n : vector<2x4xi1>
  %9 = vector.from_elements %x, %x : vector<2xf32>
  %10:4 = vector.to_elements %v : vector<4xf32>
  %11, %12 = vector.to_elements %9 : vector<2xf32>
  %13 = vector.fma %v, %v, %v : vector<4xf32>
  %14 = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  %15 = vector.extract %w[%n, 2] {test.note} : f32 from vector<2x4xf32>
  %16 = vector.extract %z[] : f32 from vector<f32>
  %17 = vector.insert %v, %w[%n] : vector<4xf32> into vector<2x4xf32>
  %18 = vector.insert %x, %z[] : f32 into vector<f32>
  %19 = vector.scalable.extract %s[4] : vector<2xf32> from vector<[4]xf32>
  %20 = vector.scalable.insert %19, %s[4] : vector<2xf32> into vector<[4]xf32>
  %21 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %22, %23 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %24:2 = vector.deinterleave %21 {test.note} : vector<8xf32> -> vector<4xf32>
  %25 = vector.shuffle %v, %v [0, 5, 1] : vector<4xf32>, vector<4xf32>
  %26 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %27 = "test.use"(%10#3, %12, %24#1, %25) : (f32, f32, vector<4xf32>, vector<3xf32>) -> f32
  return
}
// -----
#rows = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>
#results = affine_map<(i, j) -> (i)>
#trait = {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "reduction"]}
func.func @reductions(%v: vector<4xf32>, %w: vector<2x4xf32>, %u: vector<2xf32>, %x: f32, %m: vector<4xi1>, %k: vector<2x4xi1>) {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  %1 = vector.reduction <mul>, %v, %x fastmath<reassoc> {test.note} : vector<4xf32> into f32
  %2 = vector.reduction #vector.kind<maxnumf>, %v, %x : vector<4xf32> into f32
  %3 = vector.multi_reduction <add>, %w, %u [1] : vector<2x4xf32> to vector<2xf32>
  %4 = vector.multi_reduction <mul>, %w, %x {test.note} [0, 1] : vector<2x4xf32> to f32
  %5:2 = vector.scan <add>, %w, %u {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
  %6 = vector.contract #trait %w, %v, %u : vector<2x4xf32>, vector<4xf32> into vector<2xf32>
  %7 = vector.contract {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %w, %v, %u
    {test.note} : vector<2x4xf32>, vector<4xf32>, vector<2xf32> into vector<2xf32>
  %8 = vector.outerproduct %u, %v : vector<2xf32>, vector<4xf32>
  %9 = vector.outerproduct %u, %v, %8 {kind = #vector.kind<add>} : vector<2xf32>, vector<4xf32>
  %10 = vector.outerproduct %v, %x : vector<4xf32>, f32
  vector.print %v : vector<4xf32>
  vector.print %x : f32 punctuation <comma>
  vector.print punctuation <newline>
  vector.print str "done"
  vector.print
  return
}
// -----
func.func @buffers(%a: memref<?x8xf32>, %b: memref<?xf32>, %n: index, %v: vector<4xf32>, %m: vector<4xi1>, %i: vector<4xi32>) -> memref<vector<4x8xf32>> {
  %0 = vector.load %a[%n, %n] : memref<?x8xf32>, vector<4xf32>
  %1 = vector.load %a[%n, %n] {nontemporal = true} : memref<?x8xf32>, vector<f32>
  vector.store %0, %a[%n, %n] : memref<?x8xf32>, vector<4xf32>
  vector.store %0, %b[%n] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
  %2 = vector.maskedload %b[%n], %m, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.expandload %b[%n], %m, %v {test.note} : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %b[%n], %m, %3 : memref<?xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %b[%n], %m, %3 {test.note} : memref<?xf32>, vector<4xi1>, vector<4xf32>
  %4 = vector.gather %b[%n][%i], %m, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %b[%n] [%i], %m, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %c = memref.alloc() : memref<4x8xf32>
  %5 = vector.type_cast %c : memref<4x8xf32> to memref<vector<4x8xf32>>
  return %5 : memref<vector<4x8xf32>>
}
// -----
func.func @tensors(%t: tensor<?x8xf32>, %u: tensor<?xf32>, %n: index, %v: vector<4xf32>, %m: vector<4xi1>, %i: vector<4xi32>) -> tensor<?xf32> {
  %0 = vector.gather %u[%n] [%i], %m, %v {test.note} : tensor<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.scatter %u[%n] [%i], %m, %v : tensor<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<?xf32>
  %2 = vector.transfer_write %v, %t[%n, %n] : vector<4xf32>, tensor<?x8xf32>
  %3 = vector.transfer_write %v, %1[%n], %m {in_bounds = [true]} : vector<4xf32>, tensor<?xf32>
  return %3 : tensor<?xf32>
}
// -----
func.func @transfers(%a: memref<?x8xf32>, %n: index, %x: f32, %v: vector<4xf32>, %m: vector<4xi1>) -> vector<4xf32> {
  %0 = vector.transfer_read %a[%n, %n], %x : memref<?x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %a[%n, %n], %x, %m {in_bounds = [true]} : memref<?x8xf32>, vector<4xf32>
  %2 = vector.transfer_read %a[%n, %n], %x {permutation_map = affine_map<(i, j) -> (i)>} : memref<?x8xf32>, vector<4xf32>
  vector.transfer_write %0, %a[%n, %n] : vector<4xf32>, memref<?x8xf32>
  vector.transfer_write %1, %a[%n, %n], %m {permutation_map = affine_map<(i, j) -> (j)>} : vector<4xf32>, memref<?x8xf32>
  return %2 : vector<4xf32>
}
// -----
func.func @masks(%a: memref<?xf32>, %n: index, %x: f32, %v: vector<4xf32>, %m: vector<4xi1>) -> f32 {
  %0 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %1 = vector.mask %m, %v {
    %2 = vector.transfer_read %a[%n], %x : memref<?xf32>, vector<4xf32>
    vector.yield %2 : vector<4xf32>
  } {test.note} : vector<4xi1> -> vector<4xf32>
  vector.mask %m { vector.transfer_write %1, %a[%n] : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  vector.mask %m { } : vector<4xi1>
  vector.mask %m { vector.yield } : vector<4xi1>
  return %0 : f32
}
