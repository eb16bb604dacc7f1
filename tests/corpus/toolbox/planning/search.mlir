// Best fit takes seven units, the largest buffer first and in the order of the text alike; six suffice.
func.func @f() {
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  %c = memref.alloc() : memref<32xf32>
  memref.copy %c, %c : memref<32xf32> to memref<32xf32>
  memref.copy %a, %a : memref<32xf32> to memref<32xf32>
  %d = memref.alloc() : memref<48xf32>
  memref.copy %b, %b : memref<32xf32> to memref<32xf32>
  memref.copy %d, %d : memref<48xf32> to memref<48xf32>
  return
}
