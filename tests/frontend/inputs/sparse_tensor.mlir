#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
#coo = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed(nonunique), j : singleton)}>
#slice = #sparse_tensor.encoding<{map = (i : #sparse_tensor<slice(1, 4, 1)>, j : #sparse_tensor<slice(1, 4, 2)>) -> (i : dense, j : compressed)}>

func.func @storage(%s: !llvm.ptr, %t: tensor<?x?xf64, #csr>, %u: tensor<4x4xf64, #slice>, %p: tensor<3xindex>, %k: tensor<5xindex>, %v: tensor<5xf64>, %i: index, %f: f64) {
  %0 = sparse_tensor.new %s : !llvm.ptr to tensor<?x?xf64, #csr>
  %1 = sparse_tensor.assemble (%p, %k), %v : (tensor<3xindex>, tensor<5xindex>), tensor<5xf64> to tensor<2x9xf64, #csr>
  %2:6 = sparse_tensor.disassemble %1 : tensor<2x9xf64, #csr> out_lvls(%p, %k : tensor<3xindex>, tensor<5xindex>)
      out_vals(%v : tensor<5xf64>) -> (tensor<3xindex>, tensor<5xindex>), tensor<5xf64>, (index, index), index
  %3 = sparse_tensor.convert %t : tensor<?x?xf64, #csr> to tensor<?x?xf64, #coo>
  %4 = sparse_tensor.reinterpret_map %t : tensor<?x?xf64, #csr> to tensor<?x?xf64, #csr>
  %5 = sparse_tensor.positions %t {level = 1 : index} : tensor<?x?xf64, #csr> to memref<?xindex>
  %6 = sparse_tensor.coordinates %t {level = 1 : index} : tensor<?x?xf64, #csr> to memref<?xindex>
  %7 = sparse_tensor.coordinates_buffer %3 : tensor<?x?xf64, #coo> to memref<?xindex>
  %8 = sparse_tensor.values %t : tensor<?x?xf64, #csr> to memref<?xf64>
  %9 = sparse_tensor.number_of_entries %t : tensor<?x?xf64, #csr>
  %10 = sparse_tensor.concatenate %1, %1 {dimension = 0 : index} : tensor<2x9xf64, #csr>, tensor<2x9xf64, #csr> to tensor<4x9xf64, #csr>
  %11 = sparse_tensor.slice.offset %u at 0 : tensor<4x4xf64, #slice>
  %12 = sparse_tensor.slice.stride %u at 1 : tensor<4x4xf64, #slice>
  %13 = sparse_tensor.storage_specifier.init : !sparse_tensor.storage_specifier<#csr>
  %14 = sparse_tensor.storage_specifier.get %13 lvl_sz at 0 : !sparse_tensor.storage_specifier<#csr>
  %15 = sparse_tensor.storage_specifier.set %13 lvl_sz at 1 with %14 : !sparse_tensor.storage_specifier<#csr>
  %16 = sparse_tensor.storage_specifier.get %15 val_mem_sz : !sparse_tensor.storage_specifier<#csr>
  %17 = sparse_tensor.storage_specifier.init with %13 : from !sparse_tensor.storage_specifier<#csr> to !sparse_tensor.storage_specifier<#slice>
  %18 = sparse_tensor.lvl %t, %i : tensor<?x?xf64, #csr>
  %19:2 = sparse_tensor.crd_translate dim_to_lvl [%i, %i] as #csr : index, index
  %20, %21 = sparse_tensor.push_back %i, %8, %f : index, memref<?xf64>, f64
  %22, %23 = sparse_tensor.push_back inbounds %i, %20, %f, %i : index, memref<?xf64>, f64, index
  %24, %25, %26, %27 = sparse_tensor.expand %t : tensor<?x?xf64, #csr> to memref<?xf64>, memref<?xi1>, memref<?xindex>
  %28 = sparse_tensor.compress %24, %25, %26, %27 into %t[%i] : memref<?xf64>, memref<?xi1>, memref<?xindex>, tensor<?x?xf64, #csr>
  %29 = sparse_tensor.load %28 hasInserts : tensor<?x?xf64, #csr>
  sparse_tensor.out %29, %s : tensor<?x?xf64, #csr>, !llvm.ptr
  sparse_tensor.sort quick_sort %i, %6 jointly %8 {perm_map = affine_map<(d0) -> (d0)>} : memref<?xindex> jointly memref<?xf64>
  %30 = sparse_tensor.reorder_coo quick_sort %3 : tensor<?x?xf64, #coo> to tensor<?x?xf64, #coo>
  sparse_tensor.print %t : tensor<?x?xf64, #csr>
  %31 = sparse_tensor.has_runtime_library
  return
}

// -----

#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>

func.func @entries(%t: tensor<4x8xf64, #csr>, %x: f64, %y: i8) -> f64 {
  %0 = sparse_tensor.binary %x, %y : f64, i8 to f64
    overlap = {
    ^bb0(%a: f64, %b: i8):
      sparse_tensor.yield %a : f64
    }
    left = identity
    right = {
    }
  %1 = sparse_tensor.unary %x : f64 to f64
    present = {
    ^bb0(%a: f64):
      sparse_tensor.yield %a : f64
    }
    absent = {
    }
  %2 = sparse_tensor.reduce %0, %1, %x : f64 {
  ^bb0(%a: f64, %b: f64):
    %s = arith.addf %a, %b : f64
    sparse_tensor.yield %s : f64
  }
  %3 = sparse_tensor.select %2 : f64 {
  ^bb0(%a: f64):
    %p = arith.cmpf ogt, %a, %x : f64
    sparse_tensor.yield %p : i1
  }
  sparse_tensor.foreach in %t : tensor<4x8xf64, #csr> do {
  ^bb0(%i: index, %j: index, %v: f64):
  }
  %4 = sparse_tensor.foreach in %t init(%x) : tensor<4x8xf64, #csr>, f64 -> f64 do {
  ^bb0(%i: index, %j: index, %v: f64, %s: f64):
    %n = arith.addf %s, %v : f64
    sparse_tensor.yield %n : f64
  }
  return %4 : f64
}

// -----

#coo = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed(nonunique), j : singleton(soa))}>

func.func @iterate(%t: tensor<4x8xf32, #coo>, %i: index) -> index {
  %0 = sparse_tensor.extract_iteration_space %t lvls = 0 : tensor<4x8xf32, #coo> -> !sparse_tensor.iter_space<#coo, lvls = 0>
  %1 = sparse_tensor.iterate %it in %0 at(%c) iter_args(%s = %i) : !sparse_tensor.iter_space<#coo, lvls = 0> -> index {
    %3 = sparse_tensor.extract_iteration_space %t at %it lvls = 1 to 2 : tensor<4x8xf32, #coo>, !sparse_tensor.iterator<#coo, lvls = 0>
        -> !sparse_tensor.iter_space<#coo, lvls = 1>
    sparse_tensor.iterate %last in %3 : !sparse_tensor.iter_space<#coo, lvls = 1> {
      %2 = sparse_tensor.extract_value %t at %last : tensor<4x8xf32, #coo>, !sparse_tensor.iterator<#coo, lvls = 1>
    }
    %4 = arith.addi %s, %c : index
    sparse_tensor.yield %4 : index
  }
  sparse_tensor.iterate %it in %0 at(_) : !sparse_tensor.iter_space<#coo, lvls = 0> {
  }
  return %1 : index
}
// -----
#sv = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>
!space = !sparse_tensor.iter_space<#sv, lvls = 0 to 1>
!at = !sparse_tensor.iterator<#sv, lvls = 0 to 1>
func.func @several_at_once(%a: !space, %b: !space, %x: f32, %y: memref<4xf32>) -> (f32, memref<4xf32>) {
  sparse_tensor.coiterate (%a, %b) at(%c) : (!space, !space)
  case %i, _ {
    %u = builtin.unrealized_conversion_cast %c, %i : index, !at to i1
  }
  case %j, %k {
    %u = builtin.unrealized_conversion_cast %c, %j, %k : index, !at, !at to i1
  }
  %0:2 = sparse_tensor.coiterate (%a, %b) iter_args(%p = %x, %q = %y) : (!space, !space) -> (f32, memref<4xf32>)
  case _, %i {
    %u = builtin.unrealized_conversion_cast %i : !at to i1
    sparse_tensor.yield %p, %y : f32, memref<4xf32>
  }
  case %j, _ {
    sparse_tensor.yield %p, %q : f32, memref<4xf32>
  }
  %1 = sparse_tensor.coiterate (%a) at(%c) iter_args(%p = %x) : (!space) -> f32
  case %i {
    %u = builtin.unrealized_conversion_cast %c : index to i1
    sparse_tensor.yield %p : f32
  } {a}
  %2 = sparse_tensor.coiterate (%a, %b) at(_) iter_args(%p = %1) : (!space, !space) -> (f32)
  case %i, %j {
    sparse_tensor.yield %p : f32
  }
  return %2, %0#1 : f32, memref<4xf32>
}
