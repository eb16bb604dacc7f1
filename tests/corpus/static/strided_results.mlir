// Public functions that return parts of what they are given, with strides that no cast gives to a new buffer: the clone gets them.
func.func @corner(%m: memref<4x4xf32>) -> memref<2x2xf32, strided<[4, 1]>> {
  %s = memref.subview %m[0, 0] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  return %s : memref<2x2xf32, strided<[4, 1]>>
}
func.func @reads_the_corner(%m: memref<4x4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s = call @corner(%m) : (memref<4x4xf32>) -> memref<2x2xf32, strided<[4, 1]>>
  %x = memref.load %m[%zero, %one] : memref<4x4xf32>
  %y = memref.load %s[%one, %one] : memref<2x2xf32, strided<[4, 1]>>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

// An offset that is stated, and one that is not.
func.func @column(%m: memref<4x4xf32>) -> memref<4xf32, strided<[4], offset: 2>> {
  %s = memref.subview %m[0, 2] [4, 1] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[4], offset: 2>>
  return %s : memref<4xf32, strided<[4], offset: 2>>
}
func.func @every_other(%m: memref<4x4xf32>, %i: index) -> memref<2xf32, strided<[2], offset: ?>> {
  %s = memref.subview %m[%i, 0] [1, 2] [1, 2] : memref<4x4xf32> to memref<2xf32, strided<[2], offset: ?>>
  return %s : memref<2xf32, strided<[2], offset: ?>>
}
func.func @reads_both(%m: memref<4x4xf32>) -> f32 {
  %one = arith.constant 1 : index
  %s = call @column(%m) : (memref<4x4xf32>) -> memref<4xf32, strided<[4], offset: 2>>
  %t = call @every_other(%m, %one) : (memref<4x4xf32>, index) -> memref<2xf32, strided<[2], offset: ?>>
  %x = memref.load %s[%one] : memref<4xf32, strided<[4], offset: 2>>
  %y = memref.load %t[%one] : memref<2xf32, strided<[2], offset: ?>>
  %z = arith.addf %x, %y : f32
  return %z : f32
}

// -----

// Sizes that are known when the program runs, and a stride that is: how far the clone reaches is computed.
func.func @narrowed(%m: memref<?x4xf32>) -> memref<?x2xf32, strided<[4, 1], offset: 1>> {
  %zero = arith.constant 0 : index
  %size = memref.dim %m, %zero : memref<?x4xf32>
  %s = memref.subview %m[0, 1] [%size, 2] [1, 1] : memref<?x4xf32> to memref<?x2xf32, strided<[4, 1], offset: 1>>
  return %s : memref<?x2xf32, strided<[4, 1], offset: 1>>
}
func.func @turned(%m: memref<?x?xf32>) -> memref<?x?xf32, strided<[1, ?]>> {
  %t = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  return %t : memref<?x?xf32, strided<[1, ?]>>
}
func.func @reads_what_is_narrowed_and_turned(%m: memref<?x4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = call @narrowed(%m) : (memref<?x4xf32>) -> memref<?x2xf32, strided<[4, 1], offset: 1>>
  %c = memref.cast %m : memref<?x4xf32> to memref<?x?xf32>
  %t = call @turned(%c) : (memref<?x?xf32>) -> memref<?x?xf32, strided<[1, ?]>>
  %x = memref.load %n[%zero, %one] : memref<?x2xf32, strided<[4, 1], offset: 1>>
  %y = memref.load %t[%one, %zero] : memref<?x?xf32, strided<[1, ?]>>
  %z = arith.addf %x, %y : f32
  return %z : f32
}
