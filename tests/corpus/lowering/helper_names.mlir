// Symbols that are called like the helper function, in several symbol tables.

func.func private @dealloc_helper()
memref.global @dealloc_helper_1 : memref<2xf32>

func.func @outer(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1) {
  func.call @dealloc_helper() : () -> ()
  bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %c)
  return
}

module @dealloc_helper_0 {
  func.func @inner(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1) {
    bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %c)
    bufferization.dealloc (%b, %a : memref<2xf32>, memref<2xf32>) if (%c, %c)
    return
  }
  module {
    func.func @dealloc_helper(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1) -> i1 {
      %own = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %c) retain (%a : memref<2xf32>)
      return %own : i1
    }
  }
}

module {
  func.func @without(%a: memref<2xf32>, %c: i1) {
    bufferization.dealloc (%a : memref<2xf32>) if (%c)
    return
  }
}
