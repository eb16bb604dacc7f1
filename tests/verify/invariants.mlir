// What MLIR asks of single operations, valid ones and such as are not. Of those that are not, the first line says what both tell.

// 'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'foo'
module { module @x attributes {foo = 1} { } }
// -----
module @m attributes {sym_visibility = "private", a.b = 1, "x.y" = 2, llvm.data_layout = "e"} { module attributes {t.x} { } }
// -----
// 'builtin.module' op region should have no arguments
module { "builtin.module"() ({ ^bb0(%x: i32): }) : () -> () }
// -----
// 'builtin.unrealized_conversion_cast' op expected at least one result for cast operation
func.func @f() { "builtin.unrealized_conversion_cast"() : () -> ()
 return }
// -----
func.func @f() { %0 = "builtin.unrealized_conversion_cast"() : () -> i32
 return }
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [{}], res_attrs = []}> ({ ^bb0(%x: i32): "func.return"() : () -> () }) : () -> ()
// -----
// 'func.func' op attribute 'res_attrs' failed to satisfy constraint: Array of dictionary attributes
"func.func"() <{sym_name = "f", function_type = (i32) -> i32, arg_attrs = [{}], res_attrs = ["x"]}> ({ ^bb0(%x: i32): "func.return"(%x) : (i32) -> () }) : () -> ()
// -----
#d = {a.b = 1}
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [#d]}> ({ ^bb0(%x: i32): "func.return"() : () -> () }) : () -> ()
// -----
// 'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes
#d = 1
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [#d]}> ({ ^bb0(%x: i32): "func.return"() : () -> () }) : () -> ()
// -----
// 'func.call' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes
func.func private @g(i32)
func.func @f(%x: i32) { "func.call"(%x) <{callee = @g, arg_attrs = [1]}> : (i32) -> ()
 return }
// -----
// 'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0
"func.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = [{}], res_attrs = [{}]}> ({ ^bb0(%x: i32): "func.return"() : () -> () }) : () -> ()
// -----
// custom op 'func.func' 'sym_visibility' is an inferred attribute and should not be specified in the explicit attribute dictionary
func.func @f() attributes {sym_visibility = "private"} { return }
// -----
// custom op 'gpu.func' attribute 'sym_name' occurs more than once in the attribute list
gpu.module @m { gpu.func @f() attributes {sym_name = "g"} { gpu.return } }
// -----
// custom op 'async.func' 'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary
async.func @f() -> !async.token attributes {sym_name = "g"} { return }
// -----
module @m attributes {sym_name = "g"} { }
// -----
func.func @f() attributes {a.b = {sym_name = "g"}} { return }
// -----
func.func @f(%n: index) { %m = memref.alloc()[%n] : memref<2xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
 %a = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
 return }
// -----
// 'memref.alloc' op symbol operand count does not equal memref symbol count: expected 1, got 0
func.func @f(%n: index) { %a = memref.alloc(%n) : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
 return }
// -----
// 'memref.alloc' op symbol operand count does not equal memref symbol count: expected 2, got 0
func.func @f(%n: index) { %a = memref.alloc() : memref<2xf32, strided<[?], offset: ?>>
 return }
// -----
func.func @f(%n: index) { %a = memref.alloc()[%n, %n] : memref<2xf32, strided<[?], offset: ?>>
 return }
// -----
func.func @f(%n: index) { %a = memref.alloc() : memref<2xf32, strided<[2], offset: 1>>
 return }
// -----
// 'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1
func.func @f(%n: index) { %a = memref.alloc()[%n] : memref<2xf32, strided<[2], offset: 1>>
 return }
// -----
// 'memref.alloc' op symbol operand count does not equal memref symbol count: expected 1, got 0
func.func @f(%n: index) { %a = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2xf32, strided<[?], offset: 1>>
 return }
// -----
module { %c = arith.constant 0 : index
 scf.for %i = %c to %c step %c { %m = memref.alloca() : memref<2xf32> } }
// -----
// 'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait
module { %c = arith.constant 0 : i1
 scf.if %c { %m = memref.alloca() : memref<2xf32> } }
// -----
// 'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait
module { module { %m = memref.alloca() : memref<2xf32> } }
// -----
func.func @f(%c: i1) { scf.if %c { %m = memref.alloca() : memref<2xf32> }
 return }
// -----
// 'memref.alloca' op requires an ancestor op with AutomaticAllocationScope trait
module { %c = arith.constant 0 : index
 %m = memref.alloca(%c) : memref<?xf32> }
// -----
func.func @f(%m: memref<2xf32, strided<[2]>>) { %n = memref.cast %m : memref<2xf32, strided<[2]>> to memref<2xf32, strided<[?]>>
 return }
// -----
// 'memref.cast' op operand type 'memref<2xf32>' and result type 'memref<2xf32, strided<[1], offset: 2>>' are cast incompatible
func.func @f(%m: memref<2xf32>) { %n = memref.cast %m : memref<2xf32> to memref<2xf32, strided<[1], offset: 2>>
 return }
// -----
// 'memref.cast' op operand type 'memref<4x5xf32>' and result type 'memref<4x5xf32, strided<[6, 1]>>' are cast incompatible
func.func @f(%m: memref<4x5xf32>) { %n = memref.cast %m : memref<4x5xf32> to memref<4x5xf32, strided<[6, 1]>>
 return }
// -----
func.func @f(%m: memref<4x5xf32>) { %n = memref.cast %m : memref<4x5xf32> to memref<?x?xf32, strided<[5, 1], offset: ?>>
 return }
// -----
func.func @f(%m: memref<?x?xf32>) { %n = memref.cast %m : memref<?x?xf32> to memref<4x5xf32, strided<[6, 1]>>
 return }
// -----
// 'memref.cast' op operand type 'memref<4x5xf32>' and result type 'memref<4x5xf32, affine_map<(d0, d1) -> (d0 * 6 + d1)>>' are cast incompatible
func.func @f(%m: memref<4x5xf32>) { %n = memref.cast %m : memref<4x5xf32> to memref<4x5xf32, affine_map<(i, j) -> (i * 6 + j)>>
 return }
// -----
func.func @f(%m: memref<4xf32, 1>) { %s = memref.subview %m[0][2][1] : memref<4xf32, 1> to memref<2xf32, strided<[1]>, 1>
 return }
// -----
func.func @f(%m: memref<4xf32, 0>) { %s = memref.subview %m[0][2][1] : memref<4xf32, 0> to memref<2xf32, strided<[1]>>
 return }
// -----
// expected result element type to be 'f32', but got 'memref<2xf64, strided<[1]>>'
func.func @f(%m: memref<4xf32>) { %s = memref.subview %m[0][2][1] : memref<4xf32> to memref<2xf64, strided<[1]>>
 return }
// -----
// different memory spaces specified for source type 'memref<4xf32>' and result memref type 'memref<4xf32, strided<[1]>, 1>'
func.func @f(%m: memref<4xf32>) { %s = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf32, strided<[1]>, 1>
 return }
// -----
// different element types specified for source type 'memref<4xf32>' and result memref type 'memref<4xf64, strided<[1]>>'
func.func @f(%m: memref<4xf32>) { %s = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<4xf32> to memref<4xf64, strided<[1]>>
 return }
// -----
// 'memref.collapse_shape' op expected
func.func @f(%m: memref<4x4xf32>) { %s = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<16xf32, 1>
 return }
// -----
// 'memref.transpose' op result type 'memref<4x4xf32, strided<[1, 4]>, 1>' is not
func.func @f(%m: memref<4x4xf32>) { %s = memref.transpose %m (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>, 1>
 return }
// -----
// 'memref.reshape' op element types of source and destination memref types should be the same
func.func @f(%m: memref<4xf32>, %s: memref<2xi32>) { %r = memref.reshape %m(%s) : (memref<4xf32>, memref<2xi32>) -> memref<2x2xf64>
 return }
// -----
// 'memref.reshape' op source memref type should have identity affine map
func.func @f(%m: memref<4xf32, strided<[2]>>, %s: memref<2xi32>) { %r = memref.reshape %m(%s) : (memref<4xf32, strided<[2]>>, memref<2xi32>) -> memref<2x2xf32>
 return }
// -----
func.func @f(%m: memref<4xf32, strided<[1]>>, %s: memref<2xi32>) { %r = memref.reshape %m(%s) : (memref<4xf32, strided<[1]>>, memref<2xi32>) -> memref<2x2xf32>
 return }
// -----
// 'memref.reshape' op source memref type should have identity affine map
func.func @f(%m: memref<4x4xf32, strided<[4, 1]>>, %s: memref<2xi32>) { %r = memref.reshape %m(%s) : (memref<4x4xf32, strided<[4, 1]>>, memref<2xi32>) -> memref<2x2xf32>
 return }
// -----
func.func @f(%m: memref<4xf32>, %s: memref<?xi32>) { %r = memref.reshape %m(%s) : (memref<4xf32>, memref<?xi32>) -> memref<*xf32>
 return }
// -----
// different element types specified for source memref type 'memref<2xf32>' and result memref type 'memref<4xf64>'
func.func @f(%m: memref<2xf32>) { %g = memref.realloc %m : memref<2xf32> to memref<4xf64>
 return }
// -----
// unsupported layout for result memref type 'memref<4xf32, strided<[2]>>'
func.func @f(%m: memref<2xf32>) { %g = memref.realloc %m : memref<2xf32> to memref<4xf32, strided<[2]>>
 return }
// -----
func.func @f(%m: memref<2xf32, strided<[1]>>) { %g = memref.realloc %m : memref<2xf32, strided<[1]>> to memref<4xf32>
 return }
// -----
// unsupported layout for source memref type 'memref<2xf32, strided<[1], offset: 1>>'
func.func @f(%m: memref<2xf32, strided<[1], offset: 1>>) { %g = memref.realloc %m : memref<2xf32, strided<[1], offset: 1>> to memref<4xf32>
 return }
// -----
func.func @f(%m: memref<2xf32, affine_map<(d0) -> (d0 + 0)>>) { %g = memref.realloc %m : memref<2xf32, affine_map<(d0) -> (d0 + 0)>> to memref<4xf32>
 return }
// -----
// missing dimension operand for result type 'memref<?xf32>'
func.func @f(%m: memref<2xf32>) { %g = memref.realloc %m : memref<2xf32> to memref<?xf32>
 return }
// -----
// body of 'memref.generic_atomic_rmw' should contain only operations with no side effects
func.func @f(%m: memref<2xf32>, %i: index, %v: f32) { %g = memref.generic_atomic_rmw %m[%i] : memref<2xf32> { ^bb0(%c: f32): %z = memref.load %m[%i] : memref<2xf32>
 memref.atomic_yield %z : f32 }
 return }
// -----
func.func @f(%m: memref<2xf32>, %i: index, %v: f32, %q: i1) { %g = memref.generic_atomic_rmw %m[%i] : memref<2xf32> { ^bb0(%c: f32): 
 %z = scf.if %q -> f32 { 
  %s = arith.addf %v, %c : f32
  scf.yield %s : f32
 } else { scf.yield %v : f32 }
 %d = memref.dim %m, %i : memref<2xf32>
 %x = memref.cast %m : memref<2xf32> to memref<?xf32>
 %r = memref.rank %m : memref<2xf32>
 %s2 = memref.subview %m[0][1][1] : memref<2xf32> to memref<1xf32>
 %aa = affine.apply affine_map<(d0) -> (d0)>(%i)
 memref.atomic_yield %z : f32 }
 return }
// -----
// body of 'memref.generic_atomic_rmw' should contain only operations with no side effects
func.func private @g()
func.func @f(%m: memref<2xf32>, %i: index, %v: f32, %q: i1) { %g = memref.generic_atomic_rmw %m[%i] : memref<2xf32> { ^bb0(%c: f32): 
 func.call @g() : () -> ()
 memref.atomic_yield %c : f32 }
 return }
// -----
memref.global @gg : memref<2xf32>
func.func @f(%m: memref<2xf32>, %i: index, %v: f32) { %g = memref.generic_atomic_rmw %m[%i] : memref<2xf32> { ^bb0(%c: f32): 
 %z = memref.get_global @gg : memref<2xf32>
 memref.atomic_yield %c : f32 }
 return }
// -----
// 'memref.extract_strided_metadata' op inferred type(s)
func.func @f(%m: memref<2xf32>) { %b, %o = memref.extract_strided_metadata %m : memref<2xf32> -> memref<f32>, index
 return }
// -----
func.func @f(%m: memref<f32>) { %b, %o = memref.extract_strided_metadata %m : memref<f32> -> memref<f32>, index
 return }
// -----
func.func @f() { %c = arith.constant dense<[1,1]> : vector<[2]xi32>
 return }
// -----
// 'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat
func.func @f() { %c = arith.constant dense<[1.0, 2.0]> : vector<[2]xf32>
 return }
// -----
// 'arith.constant' op intializing scalable vectors with elements attribute is not supported unless it's a vector splat
func.func @f() { %c = arith.constant dense<[[1, 2], [1, 2]]> : vector<2x[2]xi32>
 return }
// -----
func.func @f() { %c = arith.constant dense<[1, 2]> : vector<2xi32>
 return }
// -----
func.func @f() { %c = arith.constant dense<[255, -1]> : vector<[2]xi8>
 return }
// -----
// 'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute
func.func @f() { scf.forall (%i) in (4) { } {mapping = ["x"]}
 return }
// -----
func.func @f() { scf.forall (%i) in (4) { } {mapping = [#gpu.thread<x>]}
 return }
// -----
func.func @f() { scf.forall (%i) in (4) { } {mapping = 3}
 return }
// -----
// expected 1 dynamic upper bound values
func.func @f(%n: index) { "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({ ^bb0(%i: index): scf.forall.in_parallel { } }) : () -> ()
 return }
// -----
// expected 0 dynamic step values
func.func @f(%n: index) { "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 0, 1, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({ ^bb0(%i: index): scf.forall.in_parallel { } }) : (index) -> ()
 return }
// -----
func.func @f(%n: index) { "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({ ^bb0(%i: index): scf.forall.in_parallel { } }) : (index) -> ()
 return }
// -----
// expected 1 upper bound values, got 2
func.func @f(%n: index) { "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4, 5>, staticStep = array<i64: 1>}> ({ ^bb0(%i: index): scf.forall.in_parallel { } }) : () -> ()
 return }
// -----
func.func @f(%n: index) { scf.forall (%i, %j) = (0, %n) to (%n, 4) step (1, %n) { }
 return }
// -----
func.func @f() { "scf.execute_region"() ({ ^bb0: 
 %x = arith.constant 1 : i32
 cf.br ^bb1(%x : i32)
 ^bb1(%y: i32): scf.yield }) : () -> ()
 return }
// -----
// custom op 'affine.for' symbol operand count and affine map symbol count must match
func.func @f(%n: index) { affine.for %i = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n, %n] { }
 return }
// -----
// custom op 'affine.for' dim operand count and affine map dim count must match
func.func @f(%n: index) { affine.for %i = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%n, %n) { }
 return }
// -----
func.func @f(%n: index) { affine.for %i = affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n] to min affine_map<()[s0] -> (s0, 5)>()[%n] { }
 return }
// -----
// custom op 'affine.for' dim operand count and affine map dim count must match
#m = affine_map<(d0) -> (d0)>
func.func @f(%n: index) { affine.for %i = 0 to #m(%n, %n) { }
 return }
// -----
#m = affine_map<(d0) -> (d0)>
func.func @f(%n: index) { affine.for %i = #m(%n) to #m(%n) { }
 return }
// -----
func.func @f() { "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0, 0)>, upperBoundsMap = affine_map<() -> (10, 4, 3)>, lowerBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsGroups = dense<[1, 2]> : tensor<2xi32>, steps = [1, 1], reductions = []}> ({ ^bb0(%i: index, %j: index): affine.yield }) : () -> ()
 return }
// -----
// 'affine.parallel' op expected lower bounds map to have 1 results
func.func @f() { "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0, 0)>, upperBoundsMap = affine_map<() -> (10)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1], reductions = []}> ({ ^bb0(%i: index): affine.yield }) : () -> ()
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { %v = affine.load %m[%i] : memref<4xf32> }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index, %c: i1) { scf.for %i = %j to %j step %j { scf.if %c { %v = affine.load %m[%i + 1] : memref<4xf32> } }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.forall (%i) in (4) { %v = affine.load %m[%i] : memref<4xf32> }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index, %c: i1) { %r = scf.while (%i = %j) : (index) -> index { scf.condition(%c) %i : index } do { ^bb0(%k: index): %v = affine.load %m[%k] : memref<4xf32>
 scf.yield %k : index }
 return }
// -----
func.func @f(%m: memref<4xf32>, %j: index) { cf.br ^bb1(%j : index)
 ^bb1(%k: index): %v = affine.load %m[%k] : memref<4xf32>
 return }
// -----
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { gpu.launch blocks(%a, %b, %c) in (%d = %j, %e = %j, %ff = %j) threads(%g, %h, %ii) in (%k = %j, %l = %j, %mm = %j) { %v = affine.load %m[%i] : memref<4xf32>
 gpu.terminator } }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { scf.execute_region { %v = affine.load %m[%i] : memref<4xf32>
 scf.yield } }
 return }
// -----
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { %x = affine.apply affine_map<(d0) -> (d0)>(%i) }
 return }
// -----
// 'affine.if' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { affine.if affine_set<(d0) : (d0 >= 0)>(%i) { } }
 return }
// -----
// 'affine.if' op operand cannot be used as a symbol
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { affine.if affine_set<()[s0] : (s0 >= 0)>()[%i] { } }
 return }
// -----
// 'affine.for' op operand cannot be used as a symbol
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { affine.for %k = 0 to %i { } }
 return }
// -----
// 'affine.for' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { affine.for %k = affine_map<(d0) -> (d0)>(%i) to 10 { } }
 return }
// -----
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { %r = affine.for %k = 0 to 10 iter_args(%z = %i) -> index { affine.yield %z : index } }
 return }
// -----
// 'affine.parallel' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { affine.parallel (%k) = (0) to (%i) { } }
 return }
// -----
// 'affine.store' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index, %v: f32) { scf.for %i = %j to %j step %j { affine.store %v, %m[%i] : memref<4xf32> }
 return }
// -----
// 'affine.vector_load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { %x = affine.vector_load %m[%i] : memref<4xf32>, vector<2xf32> }
 return }
// -----
// 'affine.prefetch' op index must be a valid dimension or symbol identifier
func.func @f(%m: memref<4xf32>, %j: index, %v: vector<2xf32>) { scf.for %i = %j to %j step %j { affine.prefetch %m[%i], read, locality<3>, data : memref<4xf32> }
 return }
// -----
// 'affine.load' op operand cannot be used as a symbol
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { %x = "affine.load"(%m, %j, %i) <{map = affine_map<(d0)[s0] -> (d0 + s0)>}> : (memref<4xf32>, index, index) -> f32 }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { %r = scf.for %i = %j to %j step %j iter_args(%k = %j) -> index { %x = affine.load %m[%k] : memref<4xf32>
 scf.yield %k : index }
 return }
// -----
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { %x = affine.load %m[%j] : memref<4xf32> }
 return }
// -----
func.func @f(%m: memref<4xindex>, %j: index) { scf.for %i = %j to %j step %j { affine.for %k = 0 to 4 { affine.store %i, %m[%k] : memref<4xindex> } }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { scf.for %i = %j to %j step %j { affine.for %k = 0 to 4 { %x = affine.load %m[%k + %i] : memref<4xf32> } }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %j: index) { gpu.launch blocks(%a, %b, %c) in (%d = %j, %e = %j, %ff = %j) threads(%g, %h, %ii) in (%k = %j, %l = %j, %mm = %j) { scf.for %i = %j to %j step %j { %v = affine.load %m[%i] : memref<4xf32> }
 gpu.terminator } 
 return }
// -----
// 'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<2xf32>) outs(%a : memref<2xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x, %y : f32, f32 }
 return }
// -----
// 'linalg.yield' op expected number of yield values (1) to match the number of inits / outs operands of the enclosing LinalgOp (2)
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a, %a : memref<2xf32>, memref<2xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a, %a : memref<2xf32>, memref<2xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x, %y : f32, f32 }
 return }
// -----
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield }
 return }
// -----
// 'linalg.generic' op expected the number of tensor results (1) to be equal to the number of output tensors (0)
func.func @f(%a: memref<2xf32>) { %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 } -> tensor<2xf32>
 return }
// -----
// 'linalg.generic' op expected type of operand #0 ('tensor<2xf32>') to match type of corresponding result ('tensor<3xf32>')
func.func @f(%a: tensor<2xf32>) { %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 } -> tensor<3xf32>
 return }
// -----
// 'linalg.generic' op expected the number of tensor results (0) to be equal to the number of output tensors (1)
func.func @f(%a: tensor<2xf32>) { "linalg.generic"(%a) <{operandSegmentSizes = array<i32: 0, 1>, indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>]}> ({ ^bb0(%x: f32): linalg.yield %x : f32 }) : (tensor<2xf32>) -> ()
 return }
// -----
// 'linalg.reduce' op expected the number of tensor results (0) to be equal to the number of output tensors (1)
func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) { "linalg.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }) : (tensor<2xf32>, tensor<f32>) -> ()
 return }
// -----
// 'linalg.map' op expected the number of tensor results (0) to be equal to the number of output tensors (1)
func.func @f(%a: tensor<2xf32>, %b: tensor<f32>) { "linalg.map"(%a, %a) ({ ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }) : (tensor<2xf32>, tensor<2xf32>) -> ()
 return }
// -----
// 'linalg.map' op expects number of operands to match the arity of mapper, but got: 2 and 3
func.func @f(%a: memref<2xf32>) { linalg.map ins(%a : memref<2xf32>) outs(%a : memref<2xf32>) (%x: f32, %y: f32, %z: f32) { linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<2xf32>) { linalg.map outs(%a : memref<2xf32>) (%y: f32) { linalg.yield %y : f32 }
 return }
// -----
// 'linalg.map' op expected shape of input (
func.func @f(%a: memref<?xf32>, %b: memref<3xf32>) { linalg.map ins(%a : memref<?xf32>) outs(%b : memref<3xf32>) (%x: f32, %o: f32) { linalg.yield %x : f32 }
 return }
// -----
// 'linalg.map' op expected shape of input (2) to match shape of output (3)
func.func @f(%a: memref<2xf32>, %b: memref<3xf32>) { linalg.map { arith.negf } ins(%a : memref<2xf32>) outs(%b : memref<3xf32>)
 return }
// -----
func.func @f(%a: memref<2xf32>, %b: memref<2xf32>) { linalg.map { arith.addf } ins(%a, %b : memref<2xf32>, memref<2xf32>) outs(%b : memref<2xf32>)
 return }
// -----
func.func @f(%a: memref<2x3xf32>, %b: memref<2xf32>) { linalg.reduce ins(%a : memref<2x3xf32>) outs(%b : memref<2xf32>) dimensions = [1] (%x: f32, %y: f32) { linalg.yield %x : f32 }
 return }
// -----
// 'linalg.reduce' op mismatching number of operands and block arguments
func.func @f(%a: memref<2x3xf32>, %b: memref<2xf32>) { linalg.reduce ins(%a : memref<2x3xf32>) outs(%b : memref<2xf32>) dimensions = [1] (%x: f32, %y: f32, %z: f32) { linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<2x3xf32>, %b: memref<2xf32>) { linalg.reduce ins(%a, %a : memref<2x3xf32>, memref<2x3xf32>) outs(%b, %b : memref<2xf32>, memref<2xf32>) dimensions = [1] (%x: f32, %y: f32, %z: f32, %w: f32) { linalg.yield %x, %y : f32, f32 }
 return }
// -----
func.func @f(%a: memref<2x3xf32>, %b: memref<2xf32>) { linalg.reduce { arith.addf } ins(%a : memref<2x3xf32>) outs(%b : memref<2xf32>) dimensions = [1]
 return }
// -----
func.func @f(%a: memref<2xf32>, %b: memref<2x3xf32>) { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%b : memref<2x3xf32>) outs(%a : memref<2xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
 return }
// -----
// 'linalg.generic' op invalid indexing maps are non-invertible
func.func @f(%a: memref<2xf32>, %b: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%b : memref<4xf32>) outs(%a : memref<2xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<f32>) { linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%a : memref<f32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 0)>], iterator_types = ["parallel"]} outs(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> ((d0))>], iterator_types = ["parallel"]} outs(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
#m = affine_map<(d0) -> (d0)>
#l = [#m]
func.func @f(%a: memref<2xf32>) { linalg.generic {indexing_maps = #l, iterator_types = ["parallel"]} outs(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: memref<2xf32>) { linalg.generic {doc = "x", indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"], library_call = "s"} outs(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
// 'linalg.generic' op attribute 'doc' failed to satisfy constraint: string attribute
func.func @f(%a: memref<2xf32>) { linalg.generic {doc = 1, indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"], library_call = "s"} outs(%a : memref<2xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2x2x2xf32>) { %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
 return }
// -----
func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2x3x3xf32>, %p: f32) { %r = linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [3, 3] into %b : tensor<4x4xf32> -> tensor<2x2x3x3xf32>
 return }
// -----
// 'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set
func.func @f(%a: tensor<?x4xf32>, %b: tensor<?x2x3x3xf32>) { %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [3, 3] into %b : tensor<?x4xf32> -> tensor<?x2x3x3xf32>
 return }
// -----
func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2x?x2xf32>, %n: index) { %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [%n, 2] into %b : tensor<4x4xf32> -> tensor<2x2x?x2xf32>
 return }
// -----
// 'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set
func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2x?x3xf32>, %n: index) { %r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [%n, 3] into %b : tensor<4x4xf32> -> tensor<2x2x?x3xf32>
 return }
// -----
// 'func.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute
// custom op 'func.call' invalid kind of attribute specified
module @m { func.func private @g() }
func.func @f() { func.call @m::@g() : () -> ()
 return }
// -----
// 'memref.get_global' op attribute 'name' failed to satisfy constraint: flat symbol reference attribute
// invalid properties {name = @m::@g} for op memref.get_global: Invalid attribute `name` in property conversion: @m::@g
module @m { memref.global @g : memref<2xf32> }
func.func @f() { %x = "memref.get_global"() <{name = @m::@g}> : () -> memref<2xf32>
 return }
// -----
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32>>} { }
// -----
// 'dlti.map' is expected to be a #dlti.map attribute
module attributes {dlti.map = 3} { }
// -----
#a = #dlti.dl_spec<#dlti.dl_entry<index, 32>>
module attributes {dlti.dl_spec = #a} { }
// -----
func.func @f(%t: tensor<2x?xf32>, %m: memref<?x3xf32>) { bufferization.materialize_in_destination %t in restrict writable %m : (tensor<2x?xf32>, memref<?x3xf32>) -> ()
 return }
// -----
// 'bufferization.materialize_in_destination' op source/destination shapes are incompatible
func.func @f(%t: tensor<2xf32>, %m: memref<3xf32>) { bufferization.materialize_in_destination %t in restrict writable %m : (tensor<2xf32>, memref<3xf32>) -> ()
 return }
// -----
// 'bufferization.materialize_in_destination' op failed to verify that all of {source, dest} have same element type
func.func @f(%t: tensor<2xf32>, %m: memref<2xf64>) { bufferization.materialize_in_destination %t in restrict writable %m : (tensor<2xf32>, memref<2xf64>) -> ()
 return }
// -----
func.func @f(%t: tensor<*xf32>, %m: memref<*xf32>) { bufferization.materialize_in_destination %t in restrict writable %m : (tensor<*xf32>, memref<*xf32>) -> ()
 return }
// -----
func.func @f(%m: memref<2xf32>, %c: i1) { %0 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<2xf32>, i1, memref<2xf32>) -> i1
 return }
// -----
// 'bufferization.dealloc' op operand #1 must be
func.func @f(%m: memref<2xf32>, %c: i8) { "bufferization.dealloc"(%m, %c) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<2xf32>, i8) -> ()
 return }
// -----
func.func @f(%m: memref<*xf32>, %c: i1) { "bufferization.dealloc"(%m, %c) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<*xf32>, i1) -> ()
 return }
// -----
// 'builtin.module' op requires zero results
%0 = "builtin.module"() ({ }) : () -> i32
// -----
// 'builtin.module' op region should have no arguments
"builtin.module"() ({ ^bb0(%x: i32): }) : () -> ()
// -----
// 'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'foo'
module attributes {foo = 1} { }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>) { affine.for %x = 0 to 4 { %k = arith.muli %x, %x : index
  %0 = affine.load %m[%k] : memref<4xf32> }
 return }
// -----
func.func @f(%m: memref<4xf32>, %i: index) { affine.for %x = 0 to 4 { %c = arith.constant 2 : index
  %k = arith.muli %i, %c : index
  %l = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%x)[%k]
  %0 = affine.load %m[%k + %l + symbol(%k)] : memref<4xf32> }
 return }
// -----
// 'affine.load' op operand cannot be used as a dimension id
func.func @f(%m: memref<4xf32>, %i: index) { affine.for %x = 0 to 4 iter_args(%z = %i) -> index {
  %0 = affine.load %m[%z] : memref<4xf32>
  affine.yield %z : index }
 return }
// -----
// 'affine.load' op operand cannot be used as a symbol
func.func @f(%m: memref<4xf32>) { affine.for %x = 0 to 4 {
  %0 = affine.load %m[symbol(%x)] : memref<4xf32> }
 return }
// -----
// 'affine.for' op operand cannot be used as a symbol
func.func @f() { affine.for %x = 0 to 4 {
  affine.for %y = 0 to affine_map<()[s0] -> (s0)>()[%x] { } }
 return }
// -----
func.func @f(%n: memref<?xf32>) { affine.for %x = 0 to 4 { %z = memref.dim %n, %x : memref<?xf32>
  affine.for %y = %z to affine_map<(d0) -> (d0)>(%x) { } }
 return }
// -----
func.func @f(%m: memref<4xf32>, %i: index) { scf.for %u = %i to %i step %i {
  gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %g = %i) threads(%h, %j, %k) in (%l = %i, %n = %i, %o = %i) {
    scf.for %v = %i to %i step %i { %p = arith.muli %u, %a : index
      %0 = affine.load %m[%p] : memref<4xf32> }
    gpu.terminator } }
 return }
// -----
// dimensional operand cannot be used as a symbol
func.func @f() { affine.for %x = 0 to 4 {
  %0 = affine.apply affine_map<()[s0] -> (s0)>()[%x] }
 return }
// -----
// custom op 'affine.if' dim operand count and integer set dim count must match
func.func @f(%i: index) { affine.if affine_set<(d0)[s0] : (d0 >= s0)>(%i, %i) { }
 return }
// -----
// custom op 'affine.apply' dimension or symbol index mismatch
func.func @f(%i: index) { %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i, %i)
 return }
// -----
// custom op 'affine.if' invalid kind of attribute specified
func.func @f(%i: index) { affine.if affine_map<(d0) -> (d0)>(%i) { }
 return }
// -----
// custom op 'affine.for' expected valid affine map representation for loop bounds
func.func @f(%i: index) { affine.for %x = affine_set<(d0) : (d0 >= 0)>(%i) to 3 { }
 return }
// -----
// 'affine.parallel' op the number of region arguments (1) and the number of map groups for lower (1) and upper bound (1), and the number of steps (2) must all match
func.func @f() { affine.parallel (%x) = (0) to (10) step (1, 1) { }
 return }
// -----
// 'affine.delinearize_index' op should return an index for each basis element and up to one extra index
func.func @f(%i: index) { %0:2 = affine.delinearize_index %i into () : index, index
 return }
// -----
// 'affine.linearize_index' op should be passed a basis element for each index except possibly the first
func.func @f(%i: index) { %0 = affine.linearize_index [%i, %i] by () : index
 return }
// -----
func.func @f(%i: index) { %0 = affine.linearize_index [%i] by () : index
 %1 = affine.delinearize_index %i into () : index
 return }
// -----
// 'affine.for' op expected lower bound map to have at least one result
func.func @f() { affine.for %x = max affine_map<() -> ()>() to 10 { }
 return }
// -----
// 'affine.for' op different number of inits and region iter_args: 0 != 1
func.func @f() { "affine.for"() <{step = 1 : index, lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({ ^bb0(%x: index, %y: index): affine.yield }) : () -> ()
 return }
// -----
// 'affine.parallel' op the number of region arguments (0) and the number of map groups for lower (1) and upper bound (1), and the number of steps (1) must all match
func.func @f() { "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (10)>}> ({ ^bb0: affine.yield }) : () -> ()
 return }
// -----
// 'affine.apply' op Invalid attribute `map` in property conversion
// Invalid attribute `map` in property conversion: 1 : i64
func.func @f(%i: index) { %0 = "affine.apply"(%i) <{map = 1}> : (index) -> index
 return }
// -----
// invalid tensor element type
func.func private @f(tensor<tensor<4xf32>>)
// -----
// expected non-function type
func.func private @f() attributes {x.y = memref<4xfoo>}
// -----
func.func private @f() attributes {x.y = memref<4xf32>, x.z = tensor<*xf32>, x.w = vector<[4]xi32>, x.u = memref<*xf32, 1>}
// -----
// expected '>' in tensor type
func.func @f(%a: tensor<4xf32, enc>) { return }
// -----
// cannot apply encoding to unranked tensor
func.func @f(%a: tensor<*xf32, 1>) { return }
// -----
// expected non-function type
func.func @f(%a: tensor<4x?x*xf32>) { return }
// -----
func.func @f(%a: tensor<4xf32, 1>, %b: tensor<4xf32, "x">, %c: tensor<4xf32, i32>, %d: tensor<4xf32, {a = 1}>, %e: tensor<4xf32, @x>, %g: tensor<4xf32, [1, 2]>, %h: tensor<4xf32, affine_map<(d0) -> (d0)>>, %j: tensor<4xf32, unit>, %k: tensor<4xf32, true>, %l: tensor<4xf32, dense<1> : tensor<2xi32>>, %m: tensor<f32, none>) { return }
// -----
// expected element type to be 'f32'
func.func @f(%t: tensor<4xf32>) { %0 = tensor.extract_slice %t[0][2][1] : tensor<4xf32> to tensor<2xf64>
 return }
// -----
// expected InParallelOpInterface parent, got:
func.func @f(%t: tensor<4xf32>) { tensor.parallel_insert_slice %t into %t[0][4][1] : tensor<4xf32> into tensor<4xf32>
 return }
// -----
// 'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step
func.func @f() { scf.parallel () = () to () step () { scf.reduce }
 return }
// -----
// 'scf.while' op region #1 ('after') failed to verify constraint: region with 1 blocks
func.func @f(%c: i1) { scf.while : () -> () { scf.condition(%c) } do { }
 return }
// -----
func.func @f(%i: index) { scf.index_switch %i case 1 { scf.yield } default { }
 return }
// -----
// 'scf.index_switch' op attribute 'cases' failed to satisfy constraint: i64 dense array attribute
// Invalid attribute `cases` in property conversion: array<i32: 1>
func.func @f(%i: index) { "scf.index_switch"(%i) <{cases = array<i32: 1>}> ({ scf.yield }, { scf.yield }) : (index) -> ()
 return }
// -----
// 'cf.switch' op number of case values (2) should match number of case destinations (1)
func.func @f(%a: i32) { "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>, case_values = dense<[1, 2]> : vector<2xi32>}> : (i32) -> ()
^bb1:
  return }
// -----
// 'cf.switch' op 'flag' type ('i32') should match case value type ('i64')
func.func @f(%a: i32) { "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>, case_values = dense<[1]> : vector<1xi64>}> : (i32) -> ()
^bb1:
  return }
// -----
// 'memref.expand_shape' op invalid output shape provided at pos 0
func.func @f(%m: memref<4xf32>, %i: index) { %0 = memref.expand_shape %m [[0, 1]] output_shape [%i, 2] : memref<4xf32> into memref<2x2xf32>
 return }
// -----
func.func @f(%m: tensor<4xf32>, %i: index) { %0 = tensor.expand_shape %m [[0, 1]] output_shape [%i, 2] : tensor<4xf32> into tensor<2x2xf32>
 return }
// -----
// 'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims
func.func @f(%m: memref<2x2xf32, strided<[3, 1]>>) { %0 = memref.collapse_shape %m [[0, 1]] : memref<2x2xf32, strided<[3, 1]>> into memref<4xf32>
 return }
// -----
func.func @f(%m: memref<2x1x2xf32, strided<[2, 7, 1]>>) { %0 = memref.collapse_shape %m [[0, 1, 2]] : memref<2x1x2xf32, strided<[2, 7, 1]>> into memref<4xf32, strided<[1]>>
 return }
// -----
// shapes do not match
func.func @f(%u: memref<*xf32>) { %0 = bufferization.to_tensor %u : memref<*xf32> to tensor<4xf32>
 return }
// -----
func.func @f(%u: memref<*xf32>) { %0 = bufferization.to_tensor %u : memref<*xf32> to tensor<*xf32>
 return }
// -----
// 'bufferization.to_buffer' op operand #0 must be TensorLikeType instance, but got 'memref<4xf32>'
func.func @f(%m: memref<4xf32>) { %0 = "bufferization.to_buffer"(%m) : (memref<4xf32>) -> memref<4xf32>
 return }
// -----
// use of value '%a' expects different type than prior uses: 'index' vs 'i32'
func.func @f(%a: i32) { %0 = bufferization.alloc_tensor() size_hint=%a : tensor<4xf32>
 return }
// -----
// 'memref.atomic_rmw' op attribute 'kind' failed to satisfy constraint: allowed 64-bit signless integer cases: 0, 1, 2,
// Invalid attribute `kind` in property conversion: 16 : i64
func.func @f(%m: memref<4xi32>, %f: i32, %i: index) { %0 = "memref.atomic_rmw"(%f, %m, %i) <{kind = 16 : i64}> : (i32, memref<4xi32>, index) -> i32
 return }
// -----
func.func @f(%m: memref<4xi32>, %f: i32, %i: index) { %0 = "memref.atomic_rmw"(%f, %m, %i) <{kind = 15 : i64}> : (i32, memref<4xi32>, index) -> i32
 return }
// -----
// 'memref.collapse_shape' op attribute 'reassociation' failed to satisfy constraint: Array of 64-bit integer array attributes
func.func @f(%m: memref<4xf32>) { %0 = "memref.collapse_shape"(%m) <{reassociation = [0]}> : (memref<4xf32>) -> memref<4xf32>
 return }
// -----
// invalid properties for op memref.alloc: expected DenseI32ArrayAttr for key
// expected DenseI32ArrayAttr for key
func.func @f() { %0 = "memref.alloc"() <{operandSegmentSizes = dense<0> : vector<2xi32>}> : () -> memref<4xf32>
 return }
// -----
// expected operation name in quotes
memref.global @g : memref<4xf32> = dense<1.0> : tensor<4xf32>
// -----
// 'memref.global' op Invalid attribute `sym_name` in property conversion
// Invalid attribute `sym_name` in property conversion: @g
"memref.global"() <{sym_name = @g, type = memref<4xf32>}> : () -> ()
// -----
// 'builtin.module' op attribute 'sym_name' failed to satisfy constraint: string attribute
module attributes {sym_name = 1} { }
// -----
// 'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks
"builtin.module"() ({
}) : () -> ()
// -----
// 'func.func' op Invalid attribute `arg_attrs` in property conversion
// Invalid attribute `arg_attrs` in property conversion
"func.func"() <{sym_name = "f", function_type = (i32) -> (), sym_visibility = "private", arg_attrs = {}}> ({}) : () -> ()
// -----
// 'linalg.copy' op expected the number of tensor results (1) to be equal to the number of output tensors (0)
func.func @f(%m: memref<4xf32>) { linalg.copy ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) -> tensor<4xf32>
 return }
// -----
// 'linalg.generic' op attribute 'indexing_maps' failed to satisfy constraint: AffineMap array attribute
func.func @f(%m: memref<4xf32>) { linalg.generic {indexing_maps = affine_map<(d0) -> (d0)>, iterator_types = ["parallel"]} outs(%m : memref<4xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
// 'linalg.generic' op attribute 'indexing_maps' failed to satisfy constraint: AffineMap array attribute
func.func @f(%m: memref<4xf32>) { "linalg.generic"(%m) <{indexing_maps = [1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({ ^bb0(%x: f32): linalg.yield %x : f32 }) : (memref<4xf32>) -> ()
 return }
// -----
// custom op 'linalg.generic' expected "iterator_types" array attribute
func.func @f(%m: memref<4xf32>) { linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = "parallel"} outs(%m : memref<4xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
 return }
// -----
// 'linalg.generic' op expects to have 1 region with 1 block
func.func @f(%m: memref<4xf32>) { "linalg.generic"(%m) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({}) : (memref<4xf32>) -> ()
 return }
// -----
// expected '>'
func.func @f(%f: f32) { %0 = arith.addf %f, %f fastmath<nnan nsz> : f32
 return }
// -----
func.func @f(%f: f32, %a: i32) { %0 = arith.addf %f, %f fastmath<nnan, nsz> : f32
 %1 = arith.addi %a, %a overflow< nsw,nuw > : i32
 return }
// -----
// custom op 'e' is unknown
func.func @f() { %0 = arith.constant 1e : f32
 return }
// -----
func.func @f() { %0 = arith.constant 1. : f32
 %1 = arith.constant -1.e5 : f32
 %2 = arith.constant 1.5E-3 : f32
 %3 = arith.constant 0x7FC00000 : f32
 return }
// -----
// 'arith.constant' op attribute 'value' failed to satisfy constraint: TypedAttr instance
// invalid kind of attribute specified
func.func @f() { %0 = arith.constant array<i32: 1>
 return }
// -----
// 'arith.scaling_extf' op operand types 'f32', 'f8E8M0FNU' and result type 'f32' are cast incompatible
func.func @f(%f: f32, %e: f8E8M0FNU) { %0 = arith.scaling_extf %f, %e : f32, f8E8M0FNU to f32
 return }
// -----
// 'arith.scaling_truncf' op operand types 'f32', 'f8E8M0FNU' and result type 'f32' are cast incompatible
func.func @f(%f: f32, %e: f8E8M0FNU) { %0 = arith.scaling_truncf %f, %e : f32, f8E8M0FNU to f32
 return }
// -----
func.func @f(%w: vector<2x4xf32>, %v: vector<4xf32>, %m: memref<4xf32>, %i: index, %b: vector<4xi1>, %n: vector<4xi32>, %s: vector<[4]xf32>, %z: vector<f32>) {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  %1 = vector.maskedload %m[%i], %b, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %b, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>
  %2 = vector.gather %m[%i] [%n], %b, %v : memref<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i] [%n], %b, %v : memref<4xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %3 = vector.expandload %m[%i], %b, %v : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %b, %v : memref<4xf32>, vector<4xi1>, vector<4xf32>
  %4 = vector.scalable.extract %s[4] : vector<4xf32> from vector<[4]xf32>
  return
}
// -----
func.func @f(%z: vector<f32>) {
  %5 = vector.reduction <add>, %z : vector<f32> into f32
  return
}
// -----
// 'vector.reduction' op unsupported reduction rank: 2
func.func @f(%w: vector<2x4xf32>) {
  %5 = vector.reduction <add>, %w : vector<2x4xf32> into f32
  return
}
// -----
// 'vector.maskedload' op operand #2 must be vector of 1-bit signless integer values, but got 'vector<4xf32>'
func.func @f(%m: memref<4xf32>, %i: index, %v: vector<4xf32>) {
  %0 = vector.maskedload %m[%i], %v, %v : memref<4xf32>, vector<4xf32>, vector<4xf32> into vector<4xf32>
  return
}
// -----
// 'vector.gather' op operand #3 must be vector of 1-bit signless integer values, but got 'vector<4xi32>'
func.func @f(%m: memref<4xf32>, %i: index, %v: vector<4xf32>, %n: vector<4xi32>) {
  %0 = vector.gather %m[%i] [%n], %n, %v : memref<4xf32>, vector<4xi32>, vector<4xi32>, vector<4xf32> into vector<4xf32>
  return
}
// -----
// use of value '%a' expects different type than prior uses: 'index' vs 'i32'
func.func @f(%a: i32, %i: index) {
  gpu.launch blocks(%x, %y, %z) in (%u = %a, %v = %i, %w = %i) threads(%o, %p, %q) in (%r = %i, %s = %i, %n = %i) { gpu.terminator }
  return
}
// -----
func.func @f(%a: i32, %i: index) {
  gpu.launch blocks(%x, %y, %z) in (%u = %i, %v = %i, %w = %i) threads(%o, %p, %q) in (%r = %i, %s = %i, %n = %i) dynamic_shared_memory_size %a { gpu.terminator }
  %t = gpu.wait async
  %t2 = gpu.launch async [%t] blocks(%x, %y, %z) in (%u = %i, %v = %i, %w = %i) threads(%o, %p, %q) in (%r = %i, %s = %i, %n = %i) { gpu.terminator }
  return
}
// -----
// custom op 'gpu.dealloc' invalid kind of type specified: expected builtin.memref, but found 'f32'
func.func @f(%f: f32) { gpu.dealloc %f : f32
 return }
// -----
func.func @f(%m: memref<4xf32>) { gpu.dealloc %m : memref<4xf32>
 %t = gpu.wait async
 %u = gpu.dealloc async [%t] %m : memref<4xf32>
 return }
// -----
// 'llvm.bitcast' op can only cast pointers from and to pointers
llvm.func @f(%a: i32, %p: !llvm.ptr) { %0 = llvm.bitcast %a : i32 to !llvm.ptr
 llvm.return }
// -----
llvm.func @f(%a: i32, %p: !llvm.ptr) { %0 = llvm.bitcast %a : i32 to f32
 %1 = llvm.bitcast %p : !llvm.ptr to !llvm.ptr
 llvm.return }
// -----
// 'llvm.mlir.constant' op expected integer type
llvm.func @f() { %0 = llvm.mlir.constant(1) : !llvm.ptr
 llvm.return }
// -----
llvm.func @f() { %0 = llvm.mlir.constant(1) : i32
 llvm.return }
// -----
// 'llvm.intr.memcpy' op attribute 'isVolatile' failed to satisfy constraint: 1-bit signless integer attribute
llvm.func @f(%a: i32, %p: !llvm.ptr) { "llvm.intr.memcpy"(%p, %p, %a) <{isVolatile = 1 : i32}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
 llvm.return }
// -----
llvm.func @f(%a: i32, %p: !llvm.ptr) { "llvm.intr.memcpy"(%p, %p, %a) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
 "llvm.intr.memcpy"(%p, %p, %a) <{isVolatile = 0 : i1}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
 llvm.return }
// -----
// custom op 'linalg.elementwise' [parseNamedStructuredOpRegion] ods-gen generated region expects 3 args, got 2
func.func @f(%t: tensor<4xf32>) { %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32> return }
// -----
func.func @f(%t: tensor<4xf32>, %c: tensor<4xi1>) { %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
 %1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
 %2 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%c, %t, %t : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
 return }
// -----
// expected non-function type
func.func @f(%m: memref<4xi64>, %i: index) { %y = memref.load %m[%i] : tuple<4xi64>
 return }
// -----
func.func @f(%a: tuple<memref<4xf32>, index>, %b: tuple<>, %c: complex<f32>, %d: tensor<4xf32, >, %e: memref<4 x f32>) { return }
// -----
// expected 'x' in dimension list
func.func private @f(tuple<memref<4XF32>, index>)
// -----
// expected '>' in complex type
func.func private @f(complex<f32, f32>)
// -----
// expected list element
func.func private @f(memref<4xf32, >)
// -----
// expected non-function type
func.func private @f(memref<4x*xf32>)
// -----
// missing ']' closing scalable dimension
func.func private @f(vector<[4xf32>)
// -----
// invalid dimension
func.func private @f(tensor<9223372036854775808xf32>)
// -----
// integer bitwidth is limited to 16777215 bits
func.func private @f(i16777216)
// -----
// multiple memory spaces specified in memref type
func.func private @f(memref<4xf32, 1, 2>)
// -----
// expected memory space to be last in memref type
func.func private @f(memref<4xf32, "a", strided<[1]>>)
// -----
// cannot have affine map for unranked memref type
func.func private @f(memref<*xf32, strided<[1]>>)
// -----
// expected a 64-bit signed integer or '?'
func.func private @f(memref<2xf32, strided<[x]>>)
// -----
// use of undeclared identifier
func.func private @f(memref<4xf32, affine_map<(d0) -> (d1)>>)
// -----
// invalid memref element type
func.func private @f(memref<4x() -> ()>)
// -----
// failed to verify 'elementType': VectorElementTypeInterface instance
func.func private @f(vector<4xtensor<4xf32>>)
// -----
// expected non-function type
!t = memref<4xfoo>
module { }
// -----
!t = tensor<4x!llvm.ptr<1>>
!f = (i32) -> ((tensor<4xf32>) -> ())
module { }
// -----
// expected attribute value
func.func @f() { %0 = "memref.alloc"() <{operandSegmentSizes = <i32: 0, 0>}> : () -> memref<4xf32>
 return }
// -----
// expected DenseI32ArrayAttr for key `value`
func.func @f() { %0 = "memref.alloc"() <{operandSegmentSizes = i32}> : () -> memref<4xf32>
 return }
// -----
// Invalid attribute `fastmath` in property conversion
func.func @f(%x: f32) { %0 = "arith.addf"(%x, %x) <{fastmath = {}}> : (f32, f32) -> f32
 return }
// -----
// Invalid attribute `value` in property conversion
func.func @f() { %0 = "arith.constant"() <{value = loc(unknown)}> : () -> index
 return }
// -----
// Invalid attribute `value` in property conversion
func.func @f() { %0 = "arith.constant"() <{value = unit}> : () -> index
 return }
// -----
// Invalid attribute `static_sizes` in property conversion
func.func @f(%m: memref<4xf32>) { %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = i64, static_strides = array<i64: 1>}> : (memref<4xf32>) -> memref<2xf32, strided<[1]>>
 return }
// -----
// 'operandSegmentSizes' has 3 elements, and its operands come in 2 lists
// size mismatch in attribute conversion
func.func @f(%a: memref<2xf32>) { "linalg.generic"(%a) <{indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 0, 1>}> ({ ^bb0(%x: f32): linalg.yield %x : f32 }) : (memref<2xf32>) -> ()
 return }
// -----
// 'linalg.reduce' op output element type 'f32' does not match corresponding block argument type 'memref<i32>'
func.func @f(%a: memref<2x3xf32>, %b: memref<2xf32>) { linalg.reduce ins(%a : memref<2x3xf32>) outs(%b : memref<2xf32>) dimensions = [1] (%x: f32, %y: memref<i32>) { linalg.yield %x : f32 }
 return }
// -----
// 'scf.forall' op operand #0 must be variadic of index, but got 'f64'
func.func @f(%n: f64) { "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>}> ({ ^bb0(%i: index): scf.forall.in_parallel { } }) : (f64) -> ()
 return }
// -----
// 'scf.forall' op expects 0-th block argument to be an index
func.func @f() { "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({ ^bb0(%i: i32): scf.forall.in_parallel { } }) : () -> ()
 return }
// -----
// 'scf.forall' op type mismatch between 0-th output and corresponding block argument
func.func @f(%t: tensor<4xf32>) { %0 = "scf.forall"(%t) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({ ^bb0(%i: index, %a: tensor<5xf32>): scf.forall.in_parallel { } }) : (tensor<4xf32>) -> tensor<4xf32>
 return }
// -----
// use of value '%n' expects different type than prior uses: 'index' vs 'i64'
func.func @f(%a: memref<9xf32>, %b: memref<9xf32, 2>, %t: memref<1xi32>, %i: index, %n: i64) { affine.dma_start %a[%i], %b[%i], %t[%i], %n : memref<9xf32>, memref<9xf32, 2>, memref<1xi32>
 return }
// -----
func.func @f(%a: memref<9xf32>, %b: memref<9xf32, 2>, %t: memref<1xi32>, %i: index, %n: index) { affine.dma_start %a[%i], %b[%i], %t[%i], %n : memref<9xf32>, memref<9xf32, 2>, memref<1xi32>
 return }
// -----
// use of value '%m' expects different type than prior uses: 'memref<5xf32>' vs 'memref<4xf32>'
func.func @f(%m: memref<4xf32>, %x: f32, %i: index) { %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<5xf32>) -> f32
 return }
// -----
// attribute '"bufferization.to_buffer"' not supported as an op attribute by the bufferization dialect
func.func @f(%m: memref<4xf32>) { memref.dealloc %m {bufferization.to_buffer} : memref<4xf32>
 return }
// -----
// expected named operation to have at least 1 result
func.func @f() { %0:0 = call @g() : () -> ()
 return }
func.func private @g()
// -----
func.func @f() { %0 = index.bool.constant 1
 %1 = index.bool.constant false
 return }
// -----
// failed to construct function type: expected LLVM type for function arguments
llvm.func @f(%v: vector<3x4xf32>) { llvm.return }
// -----
// failed to construct function type: expected LLVM type for function results
llvm.func @f() -> tensor<4xf32>
// -----
llvm.func @f(%v: vector<4xf32>, %s: !llvm.struct<(i32, f32)>, %p: !llvm.ptr, ...) -> i1
// -----
// 'llvm.return' op expected no operands
llvm.func @f(%i: i32) { llvm.return %i : i32 }
// -----
// 'llvm.call' op incorrect number of operands (0) for callee (expecting: 1)
llvm.func @f(%i: i32) { llvm.call @f() : () -> ()
 llvm.return }
// -----
// 'llvm.call' op indirect call expects a pointer as callee: 'i32'
llvm.func @f(%i: i32) { llvm.call %i(%i) : i32, (i32) -> ()
 llvm.return }
// -----
// number of operands and types do not match: got 2 operands and 1 types
llvm.func @f(%i: i32, %p: !llvm.ptr) { %0 = llvm.getelementptr %p[%i] : (!llvm.ptr) -> !llvm.ptr, i32
 llvm.return }
// -----
// 'llvm.getelementptr' op type 'i32' cannot be indexed (index #1)
llvm.func @f(%i: i32, %p: !llvm.ptr) { %0 = llvm.getelementptr %p[%i, %i] : (!llvm.ptr, i32, i32) -> !llvm.ptr, i32
 llvm.return }
// -----
// 'llvm.getelementptr' op type 'f32' cannot be indexed (index #1)
llvm.func @f(%p: !llvm.ptr) { %0 = "llvm.getelementptr"(%p) <{elem_type = f32, rawConstantIndices = array<i32: 0, 1>}> : (!llvm.ptr) -> !llvm.ptr
 llvm.return }
// -----
// 'llvm.getelementptr' op expected as many dynamic indices as specified in 'rawConstantIndices'
llvm.func @f(%i: i32, %p: !llvm.ptr) { %0 = "llvm.getelementptr"(%p, %i, %i) <{elem_type = i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, i32, i32) -> !llvm.ptr
 llvm.return }
// -----
llvm.func @f(%i: i32, %p: !llvm.ptr) { %0 = "llvm.getelementptr"(%p, %i) <{elem_type = !llvm.array<4 x i32>, rawConstantIndices = array<i32: 1, -2147483648>}> : (!llvm.ptr, i32) -> !llvm.ptr
 llvm.return }
// -----
// 'llvm.extractelement' op failed to verify that result type matches vector element type
llvm.func @f(%i: i32, %v: vector<4xi32>) { %0 = "llvm.extractelement"(%v, %i) : (vector<4xi32>, i32) -> i64
 llvm.return }
// -----
// 'llvm.insertelement' op failed to verify that argument type matches vector element type
llvm.func @f(%i: i32, %x: f32, %v: vector<4xi32>) { %0 = "llvm.insertelement"(%v, %x, %i) : (vector<4xi32>, f32, i32) -> vector<4xi32>
 llvm.return }
// -----
// 'llvm.icmp' op failed to verify that result type has i1 element type and same shape as operands
llvm.func @f(%v: vector<4xi32>) { %0 = "llvm.icmp"(%v, %v) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> i1
 llvm.return }
// -----
// Invalid attribute `static_inner_tiles` in property conversion
func.func @f(%a: tensor<4x4xf32>, %b: tensor<2x2x2x2xf32>) { %0 = "linalg.pack"(%a, %b) <{inner_dims_pos = array<i64: 0, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_inner_tiles = []}> : (tensor<4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32>
 return }
// -----
func.func @f() { scf.forall (%i) in (4) { } {mapping = dense<0> : tensor<2xi32>}
 return }
// -----
llvm.func @f(%x: f32) { %0 = llvm.fcmp "olt" %x, %x {fastmathFlags = 1 : i32} : f32
 llvm.return }
// -----
// attribute 'nontemporal' failed to satisfy constraint: bool attribute
func.func @f(%m: memref<4xf32>, %i: index) { %0 = memref.load %m[%i] {nontemporal = -1 : i64} : memref<4xf32>
 return }
// -----
// 'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute
func.func @f() { scf.forall (%i) in (4) { } {mapping = [1]}
 return }
// -----
func.func @f(%n: index) { affine.for %i = 0 to 10 { %a = memref.alloc(%n, %i) : memref<?x4x?xf32>
 %c = arith.constant 0 : index
 %d = memref.dim %a, %c : memref<?x4x?xf32>
 affine.for %j = 0 to %d { } }
 return }
// -----
func.func @f(%m: memref<2048xi8, 3>) { %0 = xegpu.create_mem_desc %m : memref<2048xi8, 3> -> !xegpu.mem_desc<16x64xf16>
 return }
// -----
// 'xegpu.create_mem_desc' op operand #0 must be reside in share memory and statically 1d shaped memref of
func.func @f(%m: memref<?xi8, 3>) { %0 = xegpu.create_mem_desc %m : memref<?xi8, 3> -> !xegpu.mem_desc<16x64xf16>
 return }
// -----
// 'xegpu.create_mem_desc' op operand #0 must be reside in share memory and statically 1d shaped memref of
func.func @f(%m: memref<2048xi8, 1>) { %0 = xegpu.create_mem_desc %m : memref<2048xi8, 1> -> !xegpu.mem_desc<16x64xf16>
 return }
// -----
func.func @f() { scf.forall (%i) in (4) { } {mapping = {}}
 return }
// -----
func.func @f() { scf.forall (%i) in (4) { } {mapping = "a"}
 return }
