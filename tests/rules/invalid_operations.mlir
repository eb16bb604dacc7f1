// What is invalid, with the message of Dealog's, and mlir-opt's where that has other words. Operations stand in a function of the
// arguments that test_verification_of_operations.py gives.

// 'scf.for' op region #0 ('region') failed to verify constraint: region with 1 blocks
  "scf.for"(%i, %j, %i) ({
  }) : (index, index, index) -> ()
// -----
// 'scf.if' op region #0 should have no arguments
  "scf.if"(%c) ({
  ^bb0(%a: i32):
  scf.yield
  }, {}) : (i1) -> ()
// -----
// 'scf.if' op region #0 ('thenRegion') failed to verify constraint: region with 1 blocks
  "scf.if"(%c) ({ }, {}) : (i1) -> ()
// -----
// 'scf.while' op region #1 ('after') failed to verify constraint: region with 1 blocks
  "scf.while"(%x) ({
  ^bb0(%a: i32):
  scf.condition(%c)
  }, {
  }) : (i32) -> ()
// -----
// 'arith.cmpi' op Invalid attribute `predicate` in property conversion
// invalid properties {predicate = 17 : i64} for op arith.cmpi: Invalid attribute `predicate` in property
  %0 = "arith.cmpi"(%x, %x) <{predicate = 17 : i64}> : (i32, i32) -> i1
// -----
// 'memref.subview' op expected result type to have the offset of the part (mismatch of result layout), but got
// expected result type to be 'memref<2xf32, strided<[1], offset: ?>>' or a rank-reduced version. (mismatch of
  %0 = memref.subview %m[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 3>>
// -----
// different memory spaces specified for base memref type 'memref<16xi8>' and view memref type 'memref<4xf32, 1>'
  %a = memref.alloc() : memref<16xi8>
  %0 = memref.view %a[%i][] : memref<16xi8> to memref<4xf32, 1>
// -----
// unsupported map for result memref type 'memref<4xf32, strided<[2]>>'
  %a = memref.alloc() : memref<16xi8>
  %0 = memref.view %a[%i][] : memref<16xi8> to memref<4xf32, strided<[2]>>
// -----
// 'memref.transpose' op result type is not that of the transposed operand
// 'memref.transpose' op result type 'memref<?x?xf32>' is not equivalent to the canonical transposed input type
  %0 = memref.transpose %n (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32>
// -----
// 'memref.transpose' op expected a permutation map
  %0 = memref.transpose %n (i, j) -> (j) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
// -----
// body of 'memref.generic_atomic_rmw' should contain only operations with no side effects
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
  ^bb0(%a: f32):
  %zz = memref.alloc() : memref<2xf32>
  memref.atomic_yield %fl : f32
  }
// -----
// 'memref.atomic_rmw' op with kind 'addi' expects an integer type
  %0 = memref.atomic_rmw addi %fl, %m[%i] : (f32, memref<4xf32>) -> f32
// -----
// 'memref.atomic_rmw' op with kind 'addf' expects a floating-point type
  %0 = memref.atomic_rmw addf %x, %mi[%i] : (i32, memref<4xi32>) -> i32
// -----
// 'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute
  memref.prefetch %m[%i], write, locality<4>, data : memref<4xf32>
// -----
// different memory spaces specified for source memref type 'memref<4xf32>' and result memref type 'memref<8xf32, 1>'
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32, 1>
// -----
// 'memref.reshape' op length of shape operand differs from the result's memref rank
  %0 = memref.reshape %m(%mi) : (memref<4xf32>, memref<4xi32>) -> memref<?xf32>
// -----
// 'memref.extract_strided_metadata' op inferred type(s) are incompatible with return type(s) of operation
// 'memref.extract_strided_metadata' op inferred type(s) 'memref<f32>', 'index', 'index', 'index' are
  %b, %o, %s, %st = memref.extract_strided_metadata %m : memref<4xf32> -> memref<i32>, index, index, index
// -----
// 'memref.dma_start' op expected indices and numbers of elements to be of index type
// 'memref.dma_start' op expected num elements to be of index type
  memref.dma_start %n[%i, %j], %n[%i], %i, %m[%i] : memref<?x?xf32>, memref<?x?xf32>, memref<4xf32>
// -----
// expected 1 upper bound values, got 2
  scf.forall (%a) in (4, 5) {
  }
// -----
// use of value '%x' expects different type than prior uses: 'index' vs 'i32'
  scf.forall (%a) in (%x) {
  }
// -----
// 'tensor.parallel_insert_slice' op may only insert into an output block argument
  %0 = scf.forall (%a) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
  scf.forall.in_parallel {
  tensor.parallel_insert_slice %t into %t[0][4][1] : tensor<4xf32> into tensor<4xf32>
  }
  }
// -----
// 'scf.forall' op operand #0 must be variadic of ranked tensor of any type values, but got 'memref<4xf32>'
  %0 = scf.forall (%a) in (4) shared_outs(%o = %m) -> (memref<4xf32>) {
  scf.forall.in_parallel {
  }
  }
// -----
// 'scf.forall' op mapping attribute size must match op rank
  scf.forall (%a) in (4) {
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
// -----
// 'scf.forall.in_parallel' op expected only ParallelCombiningOpInterface ops
  scf.forall (%a) in (4) {
  scf.forall.in_parallel {
  %z = arith.addi %x, %x : i32
  }
  }
// -----
// 'scf.index_switch' op has duplicate case value: 1
  scf.index_switch %i case 1 {
  scf.yield
  } case 1 {
  scf.yield
  } default {
  scf.yield
  }
// -----
// expects number of branch weights to match number of successors: 1 vs 2
  cf.cond_br %c weights([1]), ^bb1, ^bb1
  ^bb1:
// -----
// branch weights cannot all be zero
  cf.cond_br %c weights([0, 0]), ^bb1, ^bb1
  ^bb1:
// -----
// shapes do not match
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<?xf32>
// -----
// 'bufferization.alloc_tensor' op incorrect number of dynamic sizes, has 1, expected 0
  %0 = bufferization.alloc_tensor(%i) : tensor<4xf32>
// -----
// dynamic sizes not needed when copying a tensor
  %0 = bufferization.alloc_tensor(%i) copy(%td) : tensor<?x?xf32>
// -----
// 'bufferization.dealloc' op operand #0 must be variadic of ranked or unranked memref of any type values, but
  bufferization.dealloc (%t : tensor<4xf32>) if (%c)
// -----
// 'bufferization.materialize_in_destination' op rank mismatch between source and destination shape
  bufferization.materialize_in_destination %t in %td : (tensor<4xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
// -----
// 'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is
  bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
// -----
// 'bufferization.materialize_in_destination' op memref 'dest' implies zero results
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
// -----
// 'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations
  %0 = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// -----
// 'bufferization.materialize_in_destination' op result and 'dest' types must match
  %0 = bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
// -----
// 'tensor.from_elements' op result #0 must be statically shaped tensor of any type values, but got 'tensor<?xf32>'
// custom op 'tensor.from_elements' 'result' must be statically shaped tensor of any type values, but got
  %0 = tensor.from_elements %fl, %fl : tensor<?xf32>
// -----
// expected the block to have 1 arguments
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0:
  tensor.yield %fl : f32
  } : tensor<4xf32> to tensor<6xf32>
// -----
// 'tensor.bitcast' op operand type 'tensor<4xf32>' and result type 'tensor<4xf64>' are cast incompatible
  %0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xf64>
// -----
// 'tensor.scatter' op requires 'unique' attribute to be set
  %id = arith.constant dense<[[0]]> : tensor<1x1xi32>
  %0 = tensor.scatter %t into %t[%id] scatter_dims([0]) : (tensor<4xf32>, tensor<4xf32>, tensor<1x1xi32>) -> tensor<4xf32>
// -----
// 'linalg.fill' op result #0 must be variadic of ranked tensor of any type values, but got 'memref<4xf32>'
  linalg.fill ins(%fl : f32) outs(%m : memref<4xf32>) -> memref<4xf32>
// -----
// 'linalg.fill' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result
  %0 = linalg.fill ins(%fl : f32) outs(%t : tensor<4xf32>) -> tensor<5xf32>
// -----
// 'linalg.fill' op expected the number of tensor results (0) to be equal to the number of output tensors (1)
  linalg.fill ins(%fl : f32) outs(%t : tensor<4xf32>)
// -----
// 'linalg.fill' op [parseNamedStructuredOpRegion] ods-gen generated region expects 2 args, got 3
// custom op 'linalg.fill' [parseNamedStructuredOpRegion] ods-gen generated region expects 2 args, got 3
  linalg.fill ins(%fl, %fl : f32, f32) outs(%m : memref<4xf32>)
// -----
// 'linalg.generic' op unexpected symbols in indexing_map #0
  linalg.generic {indexing_maps = [affine_map<(d0)[s0] -> (d0 + s0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
  linalg.yield %a : f32
  }
// -----
// custom op 'linalg.generic' expected "iterator_types" array attribute
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]} ins(%m : memref<4xf32>) outs(%m : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
  linalg.yield %a : f32
  }
// -----
// 'linalg.softmax' op incompatible output shape
  linalg.softmax dimension(0) ins(%m : memref<4xf32>) outs(%n : memref<?x?xf32>)
// -----
// ranks of shaped operand and results of corresponding affine_map differ
  linalg.contract indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0, d1) -> ()>] ins(%m, %m : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>)
// -----
// 'vector.load' op destination memref has lower rank than the result vector
  %0 = vector.load %m[%i] : memref<4xf32>, vector<2x2xf32>
// -----
// 'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: 1 vs inBounds
// 'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0)
  %0 = vector.transfer_read %m[%i], %fl {in_bounds = [true, true]} : memref<4xf32>, vector<4xf32>
// -----
// 'vector.transfer_read' op attribute 'in_bounds' failed to satisfy constraint: 1-bit boolean array attribute
  %0 = vector.transfer_read %m[%i], %fl {in_bounds = [1]} : memref<4xf32>, vector<4xf32>
// -----
// 'vector.transfer_read' op requires a permutation_map that is a permutation (found one dim used more than once)
  %0 = vector.transfer_read %n[%i, %i], %fl {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x4xf32>
// -----
// 'vector.broadcast' op dimension mismatch (4 vs. 2)
  %0 = vector.broadcast %v : vector<4xf32> to vector<2xf32>
// -----
// 'vector.shuffle' op failed to verify that second operand v2 and result have same element type
  %0 = vector.shuffle %v, %vi [0] : vector<4xf32>, vector<4xi32>
// -----
// 'vector.reduction' op unsupported reduction type ''f32'' for kind 'and'
  %0 = vector.reduction <and>, %v : vector<4xf32> into f32
// -----
// 'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<4xf32>'
  %0 = vector.multi_reduction <add>, %v, %v [0] : vector<4xf32> to vector<4xf32>
// -----
// 'vector.shape_cast' op has different number of elements at source (4) and result (5)
  %0 = vector.shape_cast %v : vector<4xf32> to vector<5xf32>
// -----
// 'vector.shape_cast' op has different source and result element types
  %0 = vector.shape_cast %v : vector<4xf32> to vector<2x2xi32>
// -----
// 'vector.constant_mask' op must specify array attr of size equal vector result rank
  %0 = vector.constant_mask [1, 1] : vector<4xi1>
// -----
// 'vector.transpose' op dimension size mismatch at: 0
  %0 = vector.transpose %v, [0] : vector<4xf32> to vector<5xf32>
// -----
// 'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)
  %0 = vector.extract_strided_slice %v {offsets = [3], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
// -----
// 'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 0 to be confined to [1, 5)
  %0 = vector.insert_strided_slice %v, %v {offsets = [1], strides = [1]} : vector<4xf32> into vector<4xf32>
// -----
// 'vector.outerproduct' op failed to verify that rhs operand and result have same element type
  %0 = vector.outerproduct %v, %vi : vector<4xf32>, vector<4xi32>
// -----
// 'vector.contract' op expected an indexing map for each vector operand
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %fl : vector<4xf32>, vector<4xf32> into f32
// -----
// 'vector.contract' op expected at least one contracting dimension pair
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["parallel"], kind = #vector.kind<add>} %v, %v, %fl : vector<4xf32>, vector<4xf32> into f32
// -----
// 'vector.contract' op expected indexing map 0 to have 2 number of inputs
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction", "parallel"], kind = #vector.kind<add>} %v, %v, %fl : vector<4xf32>, vector<4xf32> into f32
// -----
// 'vector.scatter' op base and valueToStore element type should match
  vector.scatter %mi[%i] [%vi], %vc, %v : memref<4xi32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
// -----
// 'vector.step' op result #0 must be vector of index values of ranks 1, but got 'vector<2x4xindex>'
  %0 = vector.step : vector<2x4xindex>
// -----
// 'vector.mask' op expects number of results to match mask region yielded values
  %0 = vector.mask %vc {
  } : vector<4xi1> -> vector<4xf32>
// -----
// 'vector.print' op operand #0 must be , but got 'memref<4xf32>'
  vector.print %m : memref<4xf32>
// -----
// 'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<5xf32>>'
  %0 = vector.type_cast %m : memref<4xf32> to memref<vector<5xf32>>
// -----
// 'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<3x2xf32>>'
  %0 = memref.alloca() : memref<2xvector<3xf32>>
  %1 = vector.type_cast %0 : memref<2xvector<3xf32>> to memref<vector<3x2xf32>>
// -----
// 'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs
  %0 = vector.interleave %v, %v : vector<4xf32> -> vector<4xf32>
// -----
// 'vector.deinterleave' op failed to verify that the trailing dimension of the results is half the width of
  %0, %1 = vector.deinterleave %v : vector<4xf32> -> vector<3xf32>
// -----
// 'affine.if' op along control flow edge from parent to parent: region branch point has 0 operands, but region
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> i32 {
  affine.yield %x : i32
  }
// -----
// use of undeclared identifier
  %0 = affine.apply affine_map<(d0) -> (d1)>(%i)
// -----
// non-affine expression: at least one of the multiply operands has to be either a constant or symbolic
  %0 = affine.apply affine_map<(d0) -> (d0 * d0)>(%i)
// -----
// non-affine expression: right operand of mod has to be either a constant or symbolic
  %0 = affine.apply affine_map<(d0)[s0] -> (s0 mod d0)>(%i)[%j]
// -----
// 'affine.min' op affine map expect at least one result
  %0 = affine.min affine_map<(d0) -> ()>(%i)
// -----
// 'affine.parallel' op a reduction must be specified for each output
  %0 = affine.parallel (%a) = (0) to (10) reduce ("addf", "addf") -> (f32) {
  affine.yield %fl : f32
  }
// -----
// 'affine.delinearize_index' op should return an index for each basis element and up to one extra index
  %0:2 = affine.delinearize_index %i into (2, 3, 4) : index, index
// -----
// 'gpu.memcpy' op arguments have incompatible element type
  gpu.memcpy %m, %mi : memref<4xf32>, memref<4xi32>
// -----
// 'gpu.memcpy' op arguments have incompatible shape
  gpu.memcpy %m, %n : memref<4xf32>, memref<?x?xf32>
// -----
// 'gpu.memset' op failed to verify that all of {dst, value} have same element type
  gpu.memset %m, %x : memref<4xf32>, i32
// -----
// expected either an op attribute or a non-empty body
  %0 = gpu.all_reduce %fl {} : (f32) -> (f32)
// -----
// `and` reduction operation is not compatible with type 'f32'
  %0 = gpu.all_reduce and %fl {} : (f32) -> (f32)
// -----
// 'llvm.mlir.constant' op expected integer type
  %0 = llvm.mlir.constant(1 : i32) : f32
// -----
// 'llvm.mlir.constant' op expected array type of i8 elements for the string constant
// 'llvm.mlir.constant' op expected array type of 1 i8 elements for the string constant
  %0 = llvm.mlir.constant("a") : i32
// -----
// 'llvm.icmp' op operand #0 must be signless integer or LLVM dialect-compatible vector of signless integer or
  %0 = llvm.icmp "eq" %fl, %fl : f32
// -----
// 'llvm.load' op unsupported ordering 'release'
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.load %p atomic release {alignment = 4 : i64} : !llvm.ptr -> i32
// -----
// custom op 'llvm.func' failed to construct function type: expected LLVM type for function arguments
llvm.func @g(%a: memref<2xf32>) {
llvm.return
}
// -----
// custom op 'llvm.func' expected valid '@'-identifier for symbol name
llvm.func foo @g() {
llvm.return
}
// -----
// 'llvm.func' op external functions must have 'external' or 'extern_weak' linkage
llvm.func private @g()
// -----
// 'llvm.func' op functions cannot have 'common' linkage
llvm.func common @g() {
llvm.return
}
// -----
// 'llvm.mlir.global' op initializer region type 'i64' does not match global type 'i32'
llvm.mlir.global internal constant @x() : i32 {
%0 = llvm.mlir.constant(1 : i64) : i64
llvm.return %0 : i64
}
// -----
// alignment attribute is not a power of 2
llvm.mlir.global internal @x(1 : i32) {alignment = 3 : i64} : i32
// -----
// 'llvm.atomicrmw' op expected LLVM IR integer type
  %p = llvm.mlir.zero : !llvm.ptr
  %0 = llvm.atomicrmw add %p, %fl monotonic : !llvm.ptr, f32
// -----
// 'llvm.fence' op can be given only acquire, release, acq_rel, and seq_cst orderings
  llvm.fence monotonic
// -----
// 'arith.extsi' op failed to verify that input and output have the same tensor dimensions
  %0 = arith.extsi %vi : vector<4xi32> to tensor<4xi64>
// -----
// 'complex.constant' op requires 'value' to be a complex constant, represented as array of two values
  %0 = complex.constant [1.0] : complex<f32>
// -----
// 'complex.constant' op requires attribute's element types to match the element type of the op's return type
// 'complex.constant' op requires attribute's element types ('i64', 'i64') to match the element type of the op's
  %0 = complex.constant [1, 2] : complex<f32>
// -----
// 'complex.create' op failed to verify that complex element type matches real operand type
  %0 = "complex.create"(%d, %d) : (f64, f64) -> complex<f32>
// -----
// 'func.func' op arguments may only have dialect attributes
func.func private @f(i32 {foo})
// -----
// duplicate key 'a.b' in dictionary attribute
func.func private @f(i32 {a.b, a.b})
// -----
// 'func.func' op expects argument attribute array to have the same number of elements as the number of function
func.func @f() attributes {arg_attrs = [{}]} {
return
}
// -----
// inferred shape of elements literal does not match type
// inferred shape of elements literal ([3]) does not match type ([2])
memref.global "private" @g : memref<2xf32> = dense<[1.0, 2.0, 3.0]>
// -----
// invalid memref element type
func.func @f(%n: memref<2x!llvm.ptr>) { return }
// -----
// invalid element type for complex
func.func @f(%n: complex<index>) { return }
// -----
// expected destination to be of memref type
"memref.dma_start"(%m, %i, %i, %i, %i, %m, %i) : (memref<4xf32>, index, index, index, index, memref<4xf32>, index) -> ()
// -----
// expected indices and numbers of elements to be of index type
// expected num elements to be of index type
"memref.dma_start"(%m, %i, %m, %i, %x, %m, %i) : (memref<4xf32>, index, memref<4xf32>, index, i32, memref<4xf32>, index) -> ()
// -----
// expected 7 operands for the ranks of its memrefs, but found 8
// incorrect number of operands
"memref.dma_start"(%m, %i, %m, %i, %i, %m, %i, %i) : (memref<4xf32>, index, memref<4xf32>, index, index, memref<4xf32>, index, index) -> ()
// -----
// expected tagIndices to have the same number of elements as the tagMemRef rank, expected 2, but got 1
"memref.dma_wait"(%n, %i, %i) : (memref<?x?xf32>, index, index) -> ()
// -----
// destination type 'vector<2xf32>' is incompatible with source type 'vector<2x4xf32>'
%s = arith.constant dense<1.0> : vector<2xf32>
%0 = vector.multi_reduction <add>, %w, %s [0] : vector<2x4xf32> to vector<2xf32>
// -----
// unsupported reduction type
%0 = "vector.reduction"(%v) {kind = #vector.kind<add>} : (vector<4xf32>) -> memref<4xf32>
// -----
// operand #1 must be memref of any type values, but got 'f32'
"gpu.memcpy"(%m, %fl) : (memref<4xf32>, f32) -> ()
// -----
// operand #0 must be variadic of async token type, but got 'index'
"gpu.dealloc"(%i, %m) : (index, memref<4xf32>) -> ()
// -----
// operand #0 must be type supported by EmitC, but got 'vector<4xf32>'
%0 = "emitc.add"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> f32
// -----
// result type has i1 element type and same shape as operands
%0 = "math.isnan"(%v) : (vector<4xf32>) -> tensor<4xi1>
// -----
// if an operand is non-scalar, then there must be at least one non-scalar result
%0 = "arith.bitcast"(%v) : (vector<4xf32>) -> memref<4xi32>
// -----
// operand types match result element type
%0 = "tensor.from_elements"(%x, %fl) : (i32, f32) -> tensor<2xf32>
// -----
// cannot use shape operand with dynamic length to reshape to statically-ranked tensor type
%s = tensor.empty(%i) : tensor<?xindex>
%0 = "tensor.reshape"(%t, %s) : (tensor<4xf32>, tensor<?xindex>) -> tensor<2x2xf32>
// -----
// address must dereference to value type
"omp.atomic.write"(%m, %x) : (memref<4xf32>, i32) -> ()
// -----
// lhs and rhs have same element type
%0 = "vector.contract"(%vi, %v, %fl) {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>} : (vector<4xi32>, vector<4xf32>, f32) -> f32
// -----
// operand #2 must be vector of 1-bit signless integer values, but got 'vector<4xi32>'
%0 = "vector.maskedload"(%m, %i, %vi, %v) : (memref<4xf32>, index, vector<4xi32>, vector<4xf32>) -> vector<4xf32>
// -----
// expected DMA tag to be of memref type
"affine.dma_start"(%m, %i, %m, %i, %i, %i, %i) {src_map = affine_map<(d0) -> (d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<4xf32>, index, memref<4xf32>, index, index, index, index) -> ()
// -----
// destination index must have 'index' type
// dst index to dma_start must have 'index' type
"affine.dma_start"(%m, %i, %m, %x, %m, %i, %i) {src_map = affine_map<(d0) -> (d0)>, dst_map = affine_map<(d0) -> (d0)>, tag_map = affine_map<(d0) -> (d0)>} : (memref<4xf32>, index, memref<4xf32>, i32, memref<4xf32>, index, index) -> ()
// -----
// mismatch between dynamic and static basis
%0 = "affine.linearize_index"(%i, %i, %i) {operandSegmentSizes = array<i32: 2, 1>, static_basis = array<i64: 2, 3>} : (index, index, index) -> index
// -----
// Invalid attribute `fastmath` in property conversion
%0 = "arith.addf"(%fl, %fl) <{fastmath = #vector.kind<add>}> : (f32, f32) -> f32
// -----
// Invalid attribute `reassociation` in property conversion
%0 = "memref.collapse_shape"(%m) <{reassociation = array<i1: true>}> : (memref<4xf32>) -> memref<4xf32>
// -----
// Invalid attribute `map` in property conversion
%0 = "affine.load"(%m, %i) <{map = strided<[1]>}> : (memref<4xf32>, index) -> f32
// -----
// with kind 'addi' expects an integer type
%0 = "memref.atomic_rmw"(%fl, %m, %i) <{kind = 1 : i64}> : (f32, memref<4xf32>, index) -> f32
