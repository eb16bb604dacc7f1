// Kernels beside buffers.
// not executable: needs a device

func.func @launch(%n: index, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %b = memref.alloc() : memref<4xf32>
    memref.store %v, %b[%c0] : memref<4xf32>
    %x = memref.load %b[%c0] : memref<4xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    gpu.terminator
  }
  memref.copy %a, %out : memref<?xf32> to memref<?xf32>
  return
}

func.func @device_memory(%n: index) {
  %a = gpu.alloc (%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  gpu.memcpy %b, %a : memref<?xf32>, memref<?xf32>
  return
}
