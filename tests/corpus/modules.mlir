// Modules in modules, functions of the same name in each, symbols with visibility.
// not executable: nested modules are not linked into one program

module @outer attributes {tag.author = "corpus"} {
  func.func @f(%m: memref<2xf32>) -> memref<2xf32> {
    return %m : memref<2xf32>
  }
  module @inner {
    func.func @f(%m: memref<2xf32>) -> memref<2xf32> {
      %a = memref.alloc() : memref<2xf32>
      memref.copy %m, %a : memref<2xf32> to memref<2xf32>
      return %a : memref<2xf32>
    }
    func.func private @g(%m: memref<2xf32>) -> memref<2xf32> {
      return %m : memref<2xf32>
    }
    func.func @h(%m: memref<2xf32>) -> memref<2xf32> {
      %r = call @g(%m) : (memref<2xf32>) -> memref<2xf32>
      return %r : memref<2xf32>
    }
    module {
      func.func private @deepest() -> memref<2xf32> {
        %a = memref.alloc() : memref<2xf32>
        return %a : memref<2xf32>
      }
      func.func @caller() {
        %r = call @deepest() : () -> memref<2xf32>
        return
      }
    }
  }
  func.func private @g(%m: memref<2xf32>) -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    memref.copy %m, %a : memref<2xf32> to memref<2xf32>
    return %a : memref<2xf32>
  }
  func.func @h(%m: memref<2xf32>) -> memref<2xf32> {
    %r = call @g(%m) : (memref<2xf32>) -> memref<2xf32>
    return %r : memref<2xf32>
  }
}

module {
}
