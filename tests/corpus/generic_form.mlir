// The generic form, as written by hand and as tools print it.
"builtin.module"() ({
  "func.func"() <{function_type = (i1, f32, memref<2xf32>) -> f32, sym_name = "diamond"}> ({
  ^bb0(%c: i1, %v: f32, %m: memref<2xf32>):
    %i = "arith.constant"() <{value = 0 : index}> : () -> index
    "cf.cond_br"(%c, %m)[^yes, ^join] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, memref<2xf32>) -> ()
  ^yes:
    %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2xf32>
    "memref.store"(%v, %a, %i) : (f32, memref<2xf32>, index) -> ()
    "cf.br"(%a)[^join] : (memref<2xf32>) -> ()
  ^join(%p: memref<2xf32>):
    %x = "memref.load"(%p, %i) <{nontemporal = false}> : (memref<2xf32>, index) -> f32
    "func.return"(%x) : (f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, memref<2xf32>) -> memref<2xf32>, sym_name = "loop", sym_visibility = "private"}> ({
  ^bb0(%n: index, %m: memref<2xf32>):
    %zero = "arith.constant"() {value = 0 : index} : () -> index
    %one = "arith.constant"() {value = 1 : index} : () -> index
    %r:2 = "scf.for"(%zero, %n, %one, %m, %zero) ({
    ^bb0(%i: index, %p: memref<2xf32>, %k: index):
      %a = "memref.alloc"() {alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>} : () -> memref<2xf32>
      "memref.copy"(%p, %a) : (memref<2xf32>, memref<2xf32>) -> ()
      "scf.yield"(%a, %i) : (memref<2xf32>, index) -> ()
    }) : (index, index, index, memref<2xf32>, index) -> (memref<2xf32>, index)
    "func.return"(%r#0) : (memref<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (index, i1) -> f32, sym_name = "caller"}> ({
  ^bb0(%n: index, %c: i1):
    %i = "arith.constant"() <{value = 0 : index}> : () -> index
    %v = "arith.constant"() <{value = 1.5 : f32}> : () -> f32
    %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2xf32>
    "memref.store"(%v, %a, %i) : (f32, memref<2xf32>, index) -> ()
    %r = "func.call"(%n, %a) <{callee = @loop}> : (index, memref<2xf32>) -> memref<2xf32>
    %s = "scf.if"(%c) ({
      "scf.yield"(%r) : (memref<2xf32>) -> ()
    }, {
      "scf.yield"(%a) : (memref<2xf32>) -> ()
    }) : (i1) -> memref<2xf32>
    %x = "memref.load"(%s, %i) : (memref<2xf32>, index) -> f32
    "func.return"(%x) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
