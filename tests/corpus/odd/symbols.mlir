// A symbol is what its spelling stands for, and every use of a function holds its signature.

// mlir: right
#callee = @g
func.func private @g() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @callee_by_alias() {
  %x = "func.call"() <{callee = #callee}> : () -> memref<4xf32>
  return
}

// -----

// mlir: right
#callee = @g
func.func private @g(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @constant_by_alias(%m: memref<4xf32>) -> memref<4xf32> {
  %f = "func.constant"() <{value = #callee}> : () -> ((memref<4xf32>) -> memref<4xf32>)
  %x = func.call_indirect %f(%m) : (memref<4xf32>) -> memref<4xf32>
  %y = call @g(%x) : (memref<4xf32>) -> memref<4xf32>
  return %y : memref<4xf32>
}

// -----

// mlir: right
func.func private @"p q"(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @quoted(%m: memref<4xf32>) -> memref<4xf32> {
  %x = call @"p\20q"(%m) : (memref<4xf32>) -> memref<4xf32>
  %y = call @"\70 q"(%x) : (memref<4xf32>) -> memref<4xf32>
  return %y : memref<4xf32>
}

// -----

// mlir: right
func.func private @"\C3\A9\5C\22"() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @beyond_ascii() {
  %x = call @"é\\\""() : () -> memref<4xf32>
  return
}

// -----

// mlir: refuses with dynamic ownership
func.func private @g() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
llvm.func @other() {
  %x = func.call @g() : () -> memref<4xf32>
  llvm.return
}
func.func @called_from_llvm() {
  %x = call @g() : () -> memref<4xf32>
  return
}

// -----

// not executable: a region at the top level is no function
// mlir: refuses with dynamic ownership
func.func private @g() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
scf.execute_region {
  %x = func.call @g() : () -> memref<4xf32>
  scf.yield
}
func.func @called_from_the_top_level() {
  %x = call @g() : () -> memref<4xf32>
  return
}

// -----

// not executable: there is no device
// mlir: refuses with dynamic ownership
gpu.module @kernels {
  func.func private @g(%m: memref<4xf32>) -> memref<4xf32> {
    return %m : memref<4xf32>
  }
  gpu.func @kernel(%m: memref<4xf32>) kernel {
    %x = func.call @g(%m) : (memref<4xf32>) -> memref<4xf32>
    gpu.return
  }
}

// -----

// mlir: right
func.func private @dealloc_helper(%m: memref<4xf32>) {
  return
}
func.func private @"dealloc\5Fhelper_0"(%m: memref<4xf32>) {
  return
}
func.func @beside_the_helper(%c: i1, %d: i1, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %m, %b : memref<4xf32> to memref<4xf32>
  cf.cond_br %c, ^bb1(%a, %b : memref<4xf32>, memref<4xf32>), ^bb1(%b, %m : memref<4xf32>, memref<4xf32>)
^bb1(%x: memref<4xf32>, %y: memref<4xf32>):
  call @"dealloc\5fhelper"(%x) : (memref<4xf32>) -> ()
  cf.cond_br %d, ^bb2(%x, %y : memref<4xf32>, memref<4xf32>), ^bb2(%x, %x : memref<4xf32>, memref<4xf32>)
^bb2(%u: memref<4xf32>, %v: memref<4xf32>):
  return %u, %v : memref<4xf32>, memref<4xf32>
}

// -----

// not executable: the attribute is in no dialect that is lowered
// mlir: right
#entries = [@g]
module attributes {mydb.entries = #entries} {
  func.func private @g() -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    return %a : memref<4xf32>
  }
  func.func @named_by_the_module() {
    %x = call @g() : () -> memref<4xf32>
    return
  }
}

// -----

// not executable: modules in modules are not lowered
// mlir: right
module @outer {
  func.func private @g() -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    return %a : memref<4xf32>
  }
  module @"in ner" {
    func.func private @g() -> memref<4xf32> {
      %a = memref.alloc() : memref<4xf32>
      return %a : memref<4xf32>
    }
    func.func @inner() {
      %x = call @g() : () -> memref<4xf32>
      return
    }
  }
  func.func @outer() attributes {mydb.uses = @"in\20ner"::@g} {
    %x = call @g() : () -> memref<4xf32>
    return
  }
}

// -----

// mlir: right
#name = "g"
#hidden = "private"
"func.func"() <{function_type = () -> memref<4xf32>, sym_name = #name, sym_visibility = #hidden}> ({
  %a = memref.alloc() : memref<4xf32>
  "func.return"(%a) : (memref<4xf32>) -> ()
}) : () -> ()
func.func @named_by_an_alias() {
  %x = call @g() : () -> memref<4xf32>
  return
}
