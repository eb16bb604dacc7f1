module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence private @helper(%arg0: !transform.any_op {transform.consumed}) -> (!transform.any_op) attributes {a = 1 : i32} {
    transform.yield %arg0 : !transform.any_op
  }
  func.func @f(%m: memref<4xf32>) {
    return
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  %0 = transform.structured.match ops{["arith.addi"]} in %arg0 : (!transform.any_op) -> !transform.any_op
}
// -----
transform.with_pdl_patterns {
^bb0(%arg0: !transform.any_op):
  pdl.pattern @p : benefit(1) {
    %0 = operands
    %1 = types
    %2 = operation "test"(%0 : !pdl.range<value>) -> (%1 : !pdl.range<type>)
    rewrite %2 with "transform.dialect"
  }
  sequence %arg0 : !transform.any_op failures(suppress) {
  ^bb1(%arg1: !transform.any_op):
    %0 = pdl_match @p in %arg1 : (!transform.any_op) -> !transform.any_op
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @mapping(%op: !transform.any_op {transform.consumed}, %value: !transform.any_value {transform.readonly},
                                    %param: !transform.param<i64> {transform.readonly}) {
    %cast_0 = transform.cast %op : !transform.any_op to !transform.op<"tensor.empty">
    %cast_1 = transform.cast %op : !transform.any_op to !transform.op<"scf.for">
    %cast_2 = transform.cast %op : !transform.any_op to !transform.op<"memref.alloca">
    %cast_3 = transform.cast %op : !transform.any_op to !transform.op<"memref.alloc">
    %cast_4 = transform.cast %op : !transform.any_op to !transform.op<"linalg.pack">
    %cast_5 = transform.cast %op : !transform.any_op to !transform.op<"linalg.unpack">
    %0 = transform.bufferization.empty_tensor_to_alloc_tensor %cast_0 : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    %1 = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
    %2 = transform.get_parent_op %op {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
    %3 = transform.loop.coalesce %op : (!transform.any_op) -> !transform.any_op
    %4:2 = transform.loop.forall_to_for %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %5:2 = transform.loop.forall_to_parallel %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %6:2 = transform.loop.outline %op {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %7:2 = transform.loop.parallel_for_to_nested_fors %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %8:2 = transform.loop.peel %cast_1 : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    %9 = transform.loop.pipeline %cast_1 {read_latency = 2} : (!transform.op<"scf.for">) -> !transform.any_op
    %15:2 = transform.memref.alloca_to_global %cast_2 : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    transform.memref.erase_dead_alloc_and_stores %op : (!transform.any_op) -> ()
    %16 = transform.memref.make_loop_independent %op {num_loops = 1} : (!transform.any_op) -> !transform.any_op
    %17 = transform.memref.multibuffer %cast_3 {factor = 2} : (!transform.op<"memref.alloc">) -> !transform.any_op
    %18 = transform.num_associations %op : (!transform.any_op) -> !transform.param<i64>
    %19 = transform.nvgpu.create_async_groups %op : (!transform.any_op) -> !transform.any_op
    transform.nvgpu.rewrite_copy_as_tma %op : (!transform.any_op) -> ()
    transform.nvgpu.rewrite_matmul_as_mma_sync %op : (!transform.any_op) -> ()
    %20:2 = transform.split_handle %op {overflow_result = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %21:2 = transform.structured.convert_conv2d_to_img2col %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %22 = transform.structured.convert_to_loops %op : (!transform.any_op) -> !transform.any_op
    %23 = transform.structured.decompose %op : (!transform.any_op) -> !transform.any_op
    %24 = transform.structured.decompose_interface %op : (!transform.any_op) -> !transform.any_op
    %25 = transform.structured.decompose_winograd_op %op : (!transform.any_op) -> !transform.any_op
    %26 = transform.structured.flatten_elementwise %op : (!transform.any_op) -> !transform.any_op
    %27 = transform.structured.hoist_redundant_vector_broadcasts %op : (!transform.any_op) -> !transform.any_op
    %28 = transform.structured.hoist_redundant_vector_transfers %op : (!transform.any_op) -> !transform.any_op
    %29 = transform.structured.insert_slice_to_copy %op : (!transform.any_op) -> !transform.any_op
    %30 = transform.structured.linalg_copy_to_memref %op : (!transform.any_op) -> !transform.any_op
    %31:3 = transform.structured.lower_pack %cast_4 : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %32:4 = transform.structured.lower_unpack %cast_5 : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    %33 = transform.structured.rewrite_in_destination_passing_style %op : (!transform.any_op) -> !transform.any_op
    %34:4 = transform.structured.split_reduction %op : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %35 = transform.structured.transpose_conv2d %op : (!transform.any_op) -> !transform.any_op
    %36 = transform.structured.vectorize_children_and_apply_patterns %op : (!transform.any_op) -> !transform.any_op
    %37 = transform.structured.winograd_conv2d %op {fmr = 0 : i32} : (!transform.any_op) -> !transform.any_op
    %38 = transform.tensor.make_loop_independent %op {num_loops = 1} : (!transform.any_op) -> !transform.any_op
    %39 = transform.xegpu.get_desc_op %value : (!transform.any_value) -> !transform.any_op
    transform.affine.simplify_min_max_affine_ops %op : !transform.any_op
    transform.bufferization.buffer_loop_hoisting %op : !transform.any_op
    transform.bufferization.eliminate_empty_tensors %op : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %op : !transform.any_op
    transform.loop.promote_if_one_iteration %op : !transform.any_op
    transform.loop.unroll %op {factor = 2} : !transform.any_op
    transform.loop.unroll_and_jam %op {factor = 2} : !transform.any_op
    transform.match.operation_empty %op : !transform.any_op
    transform.structured.eliminate_empty_tensors %op : !transform.any_op
    transform.verify %op : !transform.any_op
    %41 = transform.sparse_tensor.match.sparse_inout %op : (!transform.any_op) -> !transform.any_op
    %42 = transform.structured.generalize %op : (!transform.any_op) -> !transform.any_op
    %43 = transform.structured.promote %op : (!transform.any_op) -> !transform.any_op
    %44 = transform.structured.scalarize %op : (!transform.any_op) -> !transform.any_op
    %45 = transform.structured.specialize %op : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %op : !transform.any_op
    transform.apply_dce to %op : !transform.any_op
    transform.apply_licm to %op {note} : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @patterns(%op: !transform.any_op {transform.consumed}) {
    transform.apply_patterns to %op {
      transform.apply_patterns.arm_neon.vector_contract_to_bfmmla
      transform.apply_patterns.arm_neon.vector_contract_to_i8mm
      transform.apply_patterns.arm_sve.vector_contract_to_bfmmla
      transform.apply_patterns.arm_sve.vector_contract_to_i8mm
      transform.apply_patterns.canonicalization
      transform.apply_patterns.gpu.eliminate_barriers
      transform.apply_patterns.gpu.gpu_rewrite_patterns
      transform.apply_patterns.linalg.decompose_pack_unpack
      transform.apply_patterns.linalg.decompose_pad
      transform.apply_patterns.linalg.erase_unnecessary_inputs
      transform.apply_patterns.linalg.fold_add_into_dest
      transform.apply_patterns.linalg.fold_pack_unpack_into_empty
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
      transform.apply_patterns.linalg.pad_vectorization
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.memref.expand_ops
      transform.apply_patterns.memref.expand_strided_metadata
      transform.apply_patterns.memref.extract_address_computations
      transform.apply_patterns.memref.fold_memref_alias_ops
      transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.tensor.bubble_up_extract_slice
      transform.apply_patterns.tensor.decompose_concat
      transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
      transform.apply_patterns.tensor.fold_tensor_empty
      transform.apply_patterns.tensor.fold_tensor_subset_ops
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
      transform.apply_patterns.tensor.reassociative_reshape_folding
      transform.apply_patterns.vector.cast_away_vector_leading_one_dim
      transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
      transform.apply_patterns.vector.drop_unit_dims_with_shape_cast
      transform.apply_patterns.vector.elementwise_to_vector
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.interleave_to_shuffle
      transform.apply_patterns.vector.lower_bitcast
      transform.apply_patterns.vector.lower_broadcast
      transform.apply_patterns.vector.lower_create_mask
      transform.apply_patterns.vector.lower_gather
      transform.apply_patterns.vector.lower_interleave
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.lower_masks
      transform.apply_patterns.vector.lower_outerproduct
      transform.apply_patterns.vector.lower_scan
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.vector.materialize_masks
      transform.apply_patterns.vector.rank_reducing_subview_patterns
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.rewrite_narrow_types
      transform.apply_patterns.vector.sink_mem_ops
      transform.apply_patterns.vector.sink_ops
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.unroll_from_elements
      transform.apply_patterns.vector.unroll_to_elements
      transform.apply_patterns.x86vector.sink_vector_producer_ops
      transform.apply_patterns.x86vector.vector_contract_bf16_to_fma
      transform.apply_patterns.x86vector.vector_contract_to_fma
      transform.apply_patterns.x86vector.vector_contract_to_packed_type_dot_product
      transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerparallel"
      transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu chipset = "gfx950"
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma [8, 16, 4]
      transform.apply_patterns.memref.alloc_to_alloca size_limit(32)
      transform.apply_patterns.tensor.rewrite_as_constant aggressive
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 1
      transform.apply_patterns.vector.lower_transpose lowering_strategy = shuffle_1d avx2_lowering_strategy = true
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 1 full_unroll = true
    } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
    transform.apply_conversion_patterns to %op {
      transform.apply_conversion_patterns.func.func_to_llvm
      transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm
      transform.apply_conversion_patterns.gpu.gpu_to_nvvm
      transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm
      transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm
      transform.apply_conversion_patterns.scf.scf_to_control_flow
      transform.apply_conversion_patterns.scf.structural_conversions
      transform.apply_conversion_patterns.vector.vector_to_llvm
      transform.apply_conversion_patterns.dialect_to_llvm "math"
      transform.apply_conversion_patterns.gpu.gpu_to_rocdl chipset = "gfx950"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {use_aligned_alloc = false}
    } {legal_dialects = ["llvm"], partial_conversion} : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @structured(%op: !transform.any_op {transform.consumed}, %loop: !transform.any_op {transform.consumed},
                                       %value: !transform.any_value {transform.readonly}, %n: !transform.param<i64> {transform.readonly}) {
    %0:4 = transform.structured.tile_using_for %op tile_sizes [4, %n, 0, [8]] interchange = [1, 0, 2]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %1, %forall = transform.structured.tile_using_forall %op num_threads [10, %n] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %2:2 = transform.structured.tile_using_forall %op tile_sizes *(%n)
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %3:4 = transform.structured.tile_reduction_using_for %op reduction_dims = [1] by tile_sizes = [0, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %4:4 = transform.structured.tile_reduction_using_forall %op reduction_dims = [1] by num_threads = [0, 5]
      tile_sizes = [0, 3] mapping = [#gpu.thread<x>]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %5:2 = transform.structured.continuous_tile_sizes %op {dimension = 0, target_size = 9} : (!transform.any_op) -> !transform.any_op
    %6:3 = transform.structured.multitile_sizes %op {dimension = 0, target_size = 3} : (!transform.any_op) -> !transform.any_op
    %7, %8:2 = transform.structured.fuse %op tile_sizes [4, %n] interchange [0, 1] {apply_cleanup}
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %9:2 = transform.structured.fuse_into_containing_op %op into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %10:2 = transform.structured.gpu.map_copy_to_threads %op total_num_threads = 32 desired_bit_alignment = 128
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %11 = transform.structured.hoist_pad %op by 1 loops, transpose by [1, 0] : (!transform.any_op) -> !transform.any_op
    %12 = transform.structured.hoist_pad.build_packing_loop_nest %op above %loop, transpose by [1, 0]
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %13 = transform.structured.interchange %op iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    %14 = transform.structured.interchange %op : (!transform.any_op) -> !transform.any_op
    %15 = transform.structured.pack %op packed_sizes = [2, 0, %loop] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %16 = transform.structured.pack_greedily %op matmul_packed_sizes = [8, 16, %loop]
      matmul_padded_sizes_next_multiple_of = [0, 0, 0] matmul_inner_dims_order = [1, 2, 0]
      : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %17:3 = transform.structured.pack_transpose %op with_compute_op(%loop) outer_perm = [1, 0] inner_perm = [0, 1]
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %18:3 = transform.structured.pad %op pad_to_multiple_of [2, %n] use_prescribed_tensor_shapes {
      padding_values = [0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1], nofold_flags = [1, 0]
    } : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %19:2 = transform.structured.pad_tiling_interface %op to padding_sizes [8, %n] pad_to_multiple_of {padding_values = [0.0 : f32]}
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %20 = transform.structured.promote_tensor to 1 %value : !transform.any_value
    %21 = transform.structured.split %op after 42 {dimension = 0} : !transform.any_op
    %22 = transform.structured.split %op after %n {dimension = 1} : !transform.any_op, !transform.param<i64>
    %23 = transform.structured.transpose_matmul %op <rhs> : (!transform.any_op) -> !transform.any_op
    %24:2 = transform.structured.bufferize_to_allocation %op {memory_space = 3, emit_dealloc} : !transform.any_op
    transform.structured.vectorize %op vector_sizes [4, %n, [8]] {vectorize_nd_extract} : !transform.any_op, !transform.param<i64>
    transform.structured.vectorize %op : !transform.any_op
    %25 = transform.structured.replace %op {
      builtin.module {
      }
    } : (!transform.any_op) -> !transform.any_op
    %26 = transform.structured.match interface{LinalgOp} attributes{a = 1 : i64} filter_result_type = f32 in %op
      : (!transform.any_op) -> !transform.any_op
    %27 = transform.loop.fuse_sibling %op into %loop : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op) {
    transform.match.operation_name %op ["linalg.matmul", "linalg.generic"] : !transform.any_op
    %bound = transform.param.constant 3 : i64 -> !transform.param<i64>
    %0:3 = transform.match.structured failures(propagate) %op
      : (!transform.any_op) -> (!transform.any_op, !transform.any_value, !transform.param<i64>) {
    ^bb0(%struct: !transform.any_op):
      transform.match.structured.dim %struct[all] {parallel} : !transform.any_op
      %1 = transform.match.structured.dim %struct[0, 2] : (!transform.any_op) -> !transform.param<i64>
      %2 = transform.match.structured.init %struct[except(0)] : (!transform.any_op) -> !transform.any_op
      transform.match.structured.input %struct[all] {projected_permutation} : !transform.any_op
      %3 = transform.match.structured.result %struct[0] : (!transform.any_op) -> !transform.any_value
      %4 = transform.match.structured.rank %struct : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.body %struct {passthrough} : !transform.any_op
      transform.match.structured.yield %2, %3, %1 : !transform.any_op, !transform.any_value, !transform.param<i64>
    }
    transform.match.param.cmpi le %0#2, %bound : !transform.param<i64>
    transform.match.structured %op : !transform.any_op {
    ^bb0(%struct: !transform.any_op):
      %init = transform.match.structured.init %struct[0] : (!transform.any_op) -> !transform.any_value
      %10:4 = transform.match.structured.classify_contraction_dims %struct : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      %11:8 = transform.match.structured.classify_convolution_dims %struct : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      %12 = transform.match.structured.elemental_bitwidth %init : (!transform.any_value) -> !transform.param<i64>
      %13 = transform.match.structured.num_inits %struct : (!transform.any_op) -> !transform.param<i64>
      %14 = transform.match.structured.num_inputs %struct : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.yield
    }
    %sparse = transform.sparse_tensor.match.sparse_inout %op : (!transform.any_op) -> !transform.any_op
    transform.match.operation_empty %op : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @action(%op: !transform.any_op {transform.readonly}) {
    transform.print %op {name = "matched"} : !transform.any_op
    transform.print {name = "all"}
    transform.yield
  }
  transform.named_sequence @__transform_main(%op: !transform.any_op {transform.consumed}) {
    %0 = transform.foreach_match restrict_root in %op @matcher -> @action : (!transform.any_op) -> !transform.any_op
    %1 = transform.collect_matching @matcher in %0 : (!transform.any_op) -> !transform.any_op
    transform.include @action failures(suppress) (%1) : (!transform.any_op) -> ()
    %2 = transform.merge_handles deduplicate %0, %1 : !transform.any_op
    %3:2 = transform.replicate num(%0) %1, %2 : !transform.any_op, !transform.any_op, !transform.any_op
    %4 = transform.select "func.func" in %2 : (!transform.any_op) -> !transform.any_op
    %5 = transform.get_producer_of_operand %2[0] : (!transform.any_op) -> !transform.any_op
    %6 = transform.get_consumers_of_result %2[0] : (!transform.any_op) -> !transform.any_op
    %7 = transform.get_operand %2[0, 1] : (!transform.any_op) -> !transform.any_value
    %8 = transform.get_result %2[all] : (!transform.any_op) -> !transform.any_value
    %9 = transform.get_type elemental %7 : (!transform.any_value) -> !transform.type
    %10 = transform.param.constant 3 : i64 -> !transform.param<i64>
    transform.annotate %2 "mark" = %10 : !transform.any_op, !transform.param<i64>
    transform.annotate %2 "seen" : !transform.any_op
    transform.debug.emit_remark_at %2, "here" : !transform.any_op
    transform.debug.emit_param_as_remark %10, "number" at %2 : !transform.param<i64>, !transform.any_op
    %11 = transform.tune.knob<"size"> = 2 from options = [2, 4] -> !transform.any_param
    %12 = transform.apply_registered_pass "canonicalize" with options = {"max-iterations" = %10, "test-convergence" = true} to %2
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %13 = transform.dlti.query ["key"] at %2 : (!transform.any_op) -> !transform.any_param
    transform.affine.simplify_bounded_affine_ops %2 with [%0 : !transform.any_op] within [0] and [20] : !transform.any_op
    %14 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %2 {bufferize_function_boundaries = true}
      : (!transform.any_op) -> !transform.any_op
    %15:2 = transform.func.deduplicate_func_args @f at %14 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %16:2 = transform.func.replace_func_signature @f args_interchange = [1, 0] results_interchange = [] at %14 {adjust_func_calls}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %17 = transform.func.cast_and_call @f(%7) -> %8 after %15#1 {
      transform.type_conversion.tensor.cast_shape_dynamic_dims ignore_dynamic_info
    } : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
    %18 = transform.func.cast_and_call %16#1 before %15#1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %19 = transform.gpu.map_forall_to_blocks %14 generate_gpu_launch grid_dims = [12, 9, 1] : (!transform.any_op) -> !transform.any_op
    %20 = transform.gpu.map_nested_forall_to_threads %19 block_dims = [32, 4, 1] sync_after_distribute = false warp_size = 16
      : (!transform.any_op) -> !transform.any_op
    %21 = transform.cast %20 : !transform.any_op to !transform.op<"scf.for">
    %22 = transform.nvgpu.pipeline_shared_memory_copies failures(suppress) %21 {depth = 4} : (!transform.op<"scf.for">) -> !transform.any_op
    transform.scf.take_assumed_branch %22 take_else_branch : (!transform.any_op) -> ()
    transform.yield
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op):
  %0 = transform.sequence %op : !transform.any_op -> !transform.any_op failures(suppress) {
  ^bb1(%inner: !transform.any_op):
    transform.yield %inner : !transform.any_op
  }
  transform.foreach %op, %0 with_zip_shortest : !transform.any_op, !transform.any_op {
  ^bb1(%one: !transform.any_op, %other: !transform.any_op):
  }
  %1 = transform.foreach %op : !transform.any_op -> !transform.any_op {
  ^bb1(%one: !transform.any_op):
    transform.yield %one : !transform.any_op
  }
  %2 = transform.alternatives %op : !transform.any_op -> !transform.any_op {
  ^bb1(%one: !transform.any_op):
    transform.yield %one : !transform.any_op
  }, {
  ^bb1(%one: !transform.any_op):
    transform.yield %one : !transform.any_op
  }
  %3 = transform.param.constant 1 : i64 -> !transform.param<i64>
  %4 = transform.tune.alternatives<"way"> selected_region = %3 : !transform.param<i64> -> !transform.any_op {
    transform.yield %1 : !transform.any_op
  }, {
    transform.yield %2 : !transform.any_op
  }
  %5 = transform.smt.constrain_params(%3) : (!transform.param<i64>) -> !transform.param<i64> {
  ^bb1(%number: !smt.int):
    smt.yield %number : !smt.int
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @layouts(%op: !transform.any_op {transform.consumed}, %value: !transform.any_value {transform.consumed},
                                    %n: !transform.param<i64> {transform.readonly}) {
    %0 = transform.xegpu.set_desc_layout %op sg_layout = [8, %n] sg_data = [32, 32] inst_data = [8, 16] slice_dims = [0]
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.xegpu.set_op_layout_attr %op result index = 0 sg_layout = [8, %n] sg_data = [32, 64] inst_data = [8, 16]
      : !transform.any_op, !transform.param<i64>
    transform.xegpu.set_gpu_launch_threads %op threads = [8, %n, 1] : !transform.any_op, !transform.param<i64>
    %1 = transform.xegpu.insert_prefetch %value nb_prefetch = 1 : (!transform.any_value) -> !transform.any_op
    %2 = transform.xegpu.insert_prefetch %value nb_prefetch = %n : (!transform.any_value, !transform.param<i64>) -> !transform.any_op
    %3 = transform.xegpu.convert_layout %value input_sg_layout = [8, %n] input_sg_data = [32, 32] input_inst_data = [8, 16]
      target_sg_layout = [8, 4] target_sg_data = [8, 32] target_inst_data = [8, 16]
      : (!transform.any_value, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%op: !transform.any_op):
  %0 = transform.irdl.collect_matching in %op : (!transform.any_op) -> !transform.any_op {
  ^bb1(%one: !transform.any_op):
    irdl.dialect @d {
      irdl.operation @o {
      }
    }
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%a: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.yield %a : !transform.any_op
  }
  transform.named_sequence @then(%a: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @in_any_order(%a: !transform.any_op, %n: !transform.any_op) {
    %0 = transform.foreach_match flatten_results restrict_root in %a @first -> @then : (!transform.any_op) -> !transform.any_op
    %1, %2:2 = transform.structured.fuse %a interchange [1, 0] tile_sizes [%n, 8] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.apply_patterns to %a {
      transform.apply_patterns.vector.lower_transpose avx2_lowering_strategy = true lowering_strategy = shuffle_1d
      transform.apply_patterns.vector.transfer_to_scf full_unroll = true max_transfer_rank = 2
    } : !transform.any_op
    transform.yield
  }
}
// -----
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  %x = transform.sequence %a : (!transform.any_op) -> !transform.any_op failures(suppress) {
  ^bb1(%b: !transform.any_op):
    transform.yield %b : !transform.any_op
  }
  %y = transform.sequence %a : !transform.any_op -> !transform.any_op failures(suppress) {
  ^bb1(%b: !transform.any_op):
    transform.yield %b : !transform.any_op
  }
}
