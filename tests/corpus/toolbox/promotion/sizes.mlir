// How large a buffer may be, and how its elements count.
func.func @plain(%m: memref<256xf32>) {
  %fits = memref.alloc() : memref<256xf32>
  memref.copy %m, %fits : memref<256xf32> to memref<256xf32>
  memref.copy %fits, %m : memref<256xf32> to memref<256xf32>
  return
}
func.func @too_large(%m: memref<257xf32>) {
  %large = memref.alloc() : memref<257xf32>
  memref.copy %m, %large : memref<257xf32> to memref<257xf32>
  memref.copy %large, %m : memref<257xf32> to memref<257xf32>
  return
}
func.func @bits(%m: memref<8192xi1>, %n: memref<8193xi1>) {
  %a = memref.alloc() : memref<8192xi1>
  %b = memref.alloc() : memref<8193xi1>
  memref.copy %m, %a : memref<8192xi1> to memref<8192xi1>
  memref.copy %n, %b : memref<8193xi1> to memref<8193xi1>
  return
}
func.func @odd_width(%m: memref<3x5xi7>) {
  %a = memref.alloc() : memref<3x5xi7>
  memref.copy %m, %a : memref<3x5xi7> to memref<3x5xi7>
  return
}
func.func @indices(%m: memref<128xindex>, %n: memref<129xindex>) {
  %a = memref.alloc() : memref<128xindex>
  %b = memref.alloc() : memref<129xindex>
  memref.copy %m, %a : memref<128xindex> to memref<128xindex>
  memref.copy %n, %b : memref<129xindex> to memref<129xindex>
  return
}
func.func @complex(%m: memref<128xcomplex<f32>>, %n: memref<65xcomplex<f64>>) {
  %a = memref.alloc() : memref<128xcomplex<f32>>
  %b = memref.alloc() : memref<65xcomplex<f64>>
  memref.copy %m, %a : memref<128xcomplex<f32>> to memref<128xcomplex<f32>>
  memref.copy %n, %b : memref<65xcomplex<f64>> to memref<65xcomplex<f64>>
  return
}
// The innermost dimension of a vector is rounded up to a power of two.
func.func @vectors(%m: memref<64xvector<3xf32>>, %n: memref<65xvector<3xf32>>, %o: memref<4xvector<2x3x5xi8>>) {
  %a = memref.alloc() : memref<64xvector<3xf32>>
  %b = memref.alloc() : memref<65xvector<3xf32>>
  %c = memref.alloc() : memref<4xvector<2x3x5xi8>>
  memref.copy %m, %a : memref<64xvector<3xf32>> to memref<64xvector<3xf32>>
  memref.copy %n, %b : memref<65xvector<3xf32>> to memref<65xvector<3xf32>>
  memref.copy %o, %c : memref<4xvector<2x3x5xi8>> to memref<4xvector<2x3x5xi8>>
  return
}
func.func @single(%x: f64) -> f64 {
  %a = memref.alloc() : memref<f64>
  memref.store %x, %a[] : memref<f64>
  %r = memref.load %a[] : memref<f64>
  return %r : f64
}
func.func @nothing_in_it(%m: memref<100000x0x100000xf64>) {
  %a = memref.alloc() : memref<100000x0x100000xf64>
  memref.copy %m, %a : memref<100000x0x100000xf64> to memref<100000x0x100000xf64>
  return
}
func.func @huge(%m: memref<100000x100000xf64>) {
  %a = memref.alloc() : memref<100000x100000xf64>
  memref.copy %m, %a : memref<100000x100000xf64> to memref<100000x100000xf64>
  return
}
func.func @space_and_alignment(%m: memref<4xf32, 1>) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1>
  memref.copy %m, %a : memref<4xf32, 1> to memref<4xf32, 1>
  return
}
func.func @strided(%n: index, %m: memref<4x4xf32>) {
  %a = memref.alloc()[%n] : memref<4x4xf32, affine_map<(i, j)[s] -> (i * 4 + s + j)>>
  memref.copy %m, %a : memref<4x4xf32> to memref<4x4xf32, affine_map<(i, j)[s] -> (i * 4 + s + j)>>
  return
}
func.func @by_rank(%u: memref<*xf32>) -> index {
  %r = memref.rank %u : memref<*xf32>
  %a = memref.alloc(%r) : memref<?xindex>
  %b = memref.alloc(%r, %r) : memref<?x?xindex>
  %c = memref.alloc(%r) : memref<2x?xindex>
  %zero = arith.constant 0 : index
  memref.store %r, %a[%zero] : memref<?xindex>
  memref.store %r, %b[%zero, %zero] : memref<?x?xindex>
  memref.store %r, %c[%zero, %zero] : memref<2x?xindex>
  %x = memref.load %a[%zero] : memref<?xindex>
  %y = memref.load %b[%zero, %zero] : memref<?x?xindex>
  %z = memref.load %c[%zero, %zero] : memref<2x?xindex>
  %s = arith.addi %x, %y : index
  %t = arith.addi %s, %z : index
  return %t : index
}
func.func @dynamic(%n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%zero] : memref<?xf32>
  return
}
