// Clones by type: what is static, dynamic, laid out, in a memory space, or of no known rank.

#strided = strided<[?, 1], offset: ?>
#mapped = affine_map<(i, j)[s] -> (i * s + j)>

func.func @static(%m: memref<2x3xf32>) -> memref<2x3xf32> {
  %r = bufferization.clone %m : memref<2x3xf32> to memref<2x3xf32>
  return %r : memref<2x3xf32>
}

func.func @dynamic(%m: memref<?x3x?xi8>) -> memref<?x3x?xi8> {
  %r = bufferization.clone %m : memref<?x3x?xi8> to memref<?x3x?xi8>
  return %r : memref<?x3x?xi8>
}

func.func @sizes_forgotten(%m: memref<4x?xi8>) -> memref<?x?xi8> {
  %r = bufferization.clone %m : memref<4x?xi8> to memref<?x?xi8>
  return %r : memref<?x?xi8>
}

func.func @sizes_stated(%m: memref<?x?xi8>) -> memref<4x?xi8> {
  %r = bufferization.clone %m : memref<?x?xi8> to memref<4x?xi8>
  return %r : memref<4x?xi8>
}

func.func @size_of_an_allocation(%n: index) -> memref<?xi8> {
  %m = memref.alloc(%n) : memref<?xi8>
  %r = bufferization.clone %m : memref<?xi8> to memref<?xi8>
  return %r : memref<?xi8>
}

func.func @scalar(%m: memref<f32, strided<[], offset: ?>>) -> memref<f32, strided<[], offset: ?>> {
  %r = bufferization.clone %m : memref<f32, strided<[], offset: ?>> to memref<f32, strided<[], offset: ?>>
  return %r : memref<f32, strided<[], offset: ?>>
}

func.func @strided(%m: memref<?x4xf32, #strided>) -> memref<?x4xf32, #strided> {
  %r = bufferization.clone %m : memref<?x4xf32, #strided> to memref<?x4xf32, #strided>
  return %r : memref<?x4xf32, #strided>
}

func.func @layout_dropped(%m: memref<?x4xf32, #strided>) -> memref<?x4xf32> {
  %r = bufferization.clone %m : memref<?x4xf32, #strided> to memref<?x4xf32>
  return %r : memref<?x4xf32>
}

func.func @layout_taken(%m: memref<2x4xf32>) -> memref<?x4xf32, strided<[4, 1]>> {
  %r = bufferization.clone %m : memref<2x4xf32> to memref<?x4xf32, strided<[4, 1]>>
  return %r : memref<?x4xf32, strided<[4, 1]>>
}

func.func @mapped(%m: memref<2x3xf32, #mapped>) -> memref<2x3xf32, #mapped> {
  %r = bufferization.clone %m : memref<2x3xf32, #mapped> to memref<2x3xf32, #mapped>
  return %r : memref<2x3xf32, #mapped>
}

func.func @empty(%m: memref<4x0xf32, strided<[7, 1]>>) -> memref<4x0xf32, strided<[7, 1]>> {
  %r = bufferization.clone %m : memref<4x0xf32, strided<[7, 1]>> to memref<4x0xf32, strided<[7, 1]>>
  return %r : memref<4x0xf32, strided<[7, 1]>>
}

func.func @memory_space(%m: memref<?xf32, 3>) -> memref<?xf32, 3> {
  %r = bufferization.clone %m : memref<?xf32, 3> to memref<?xf32, 3>
  return %r : memref<?xf32, 3>
}

func.func @no_rank(%m: memref<*xf32>) -> memref<*xf32> {
  %r = bufferization.clone %m : memref<*xf32> to memref<*xf32>
  return %r : memref<*xf32>
}

func.func @rank_forgotten(%m: memref<?x2xf32>) -> memref<*xf32> {
  %r = bufferization.clone %m : memref<?x2xf32> to memref<*xf32>
  return %r : memref<*xf32>
}

func.func @rank_stated(%m: memref<*xf32>) -> memref<?x2xf32> {
  %r = bufferization.clone %m : memref<*xf32> to memref<?x2xf32>
  return %r : memref<?x2xf32>
}

func.func @in_a_branch(%c: i1, %m: memref<?xf32>) -> memref<?xf32> {
  %r = scf.if %c -> (memref<?xf32>) {
    %copy = bufferization.clone %m : memref<?xf32> to memref<?xf32>
    scf.yield %copy : memref<?xf32>
  } else {
    scf.yield %m : memref<?xf32>
  }
  return %r : memref<?xf32>
}

func.func @unused(%m: memref<?xf32>) {
  bufferization.clone %m : memref<?xf32> to memref<?xf32>
  return
}
