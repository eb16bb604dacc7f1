"""What the verifier derives of operations on its way to a message, on small IR."""

from __future__ import annotations

from .derive import derive

VERIFICATION = ("verification",)


def function(body: str, arguments: str) -> str:
    return f"func.func @f({arguments}) {{\n{body}\n  return\n}}\n"


def messages(diagnosed: set[tuple[str | int, ...]]) -> set[str]:
    return {str(message).partition(" op ")[2] or str(message) for _, _, message in diagnosed}


def test_lists_references_and_dictionaries() -> None:
    text = (
        '"func.func"() <{arg_attrs = [1, {}], function_type = (i32, i32) -> (), sym_name = "g"}> ({\n'
        '^bb0(%x: i32, %y: i32):\n  "func.return"() : () -> ()\n}) : () -> ()\n'
        'func.func @h() attributes {sym_visibility = "private"} {\n  func.call @m::@k() : () -> ()\n  return\n}\n'
        "module @m {\n  func.func private @k()\n}\n"
    )
    kinds, items, plain, nested, listed, stated, diagnosed = derive(
        text, "item_kind", "items_kind", "plain_kind", "nested_reference", "listed_attribute", "signature_in_text",
        "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in kinds} == {("arg_attrs", "integer"), ("arg_attrs", "dictionary")}
    assert ("Array of dictionary attributes", "dictionary") in items
    assert ("string",) in plain and ("other",) not in plain
    assert {row[1:] for row in nested} == {("callee",)} and {row[1:] for row in listed} == {("sym_visibility",)}
    assert ("func.func",) in stated and ("llvm.func",) not in stated
    assert {
        "attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes",
        "attribute 'callee' failed to satisfy constraint: flat symbol reference attribute",
    } <= messages(diagnosed)


def test_layouts_and_what_is_allocated() -> None:
    text = "module {\n  %c = arith.constant true\n  scf.if %c {\n    %z = memref.alloca() : memref<2xf32>\n  }\n}\n"
    text += function(
        "  %0 = memref.alloc(%n) : memref<?xf32, strided<[?], offset: ?>>\n"
        "  %1 = memref.realloc %m : memref<4xf32, strided<[2]>> to memref<8xf64>\n"
        "  %2 = memref.alloca() : memref<2xf32>\n"
        "  %3 = arith.constant dense<[1, 2]> : vector<[2]xi32>\n"
        "  %4 = arith.constant dense<[0.5, 0.50]> : vector<[2]xf32>\n"
        "  %5 = memref.generic_atomic_rmw %v[%n] : memref<4xf32> {\n  ^bb0(%x: f32):\n"
        "    memref.store %x, %v[%n] : memref<4xf32>\n    memref.atomic_yield %x : f32\n  }",
        "%n: index, %m: memref<4xf32, strided<[2]>>, %v: memref<4xf32>",
    )
    symbols, rearranged, kept, outside, names, varied, scalable, touching, diagnosed = derive(
        text, "layout_symbols", "rearranged", "elements_kept", "outside_scopes", "frees_no_stack", "varied_literal",
        "scalable_size", "touches_memory", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {("memref<?xf32, strided<[?], offset: ?>>", 2), ("memref<4xf32, strided<[2]>>", 0)} == symbols
    assert {row[0] for row in rearranged} == {row[0] for row in symbols}
    assert {row[3:] for row in kept} == {("f32", "f64")}
    assert len(outside) == 3 and ("scf.if",) in names and ("scf.for",) not in names
    assert {row[1] for row in varied} == {"value"} and len(varied) == 1
    assert scalable == {("vector<[2]xi32>", 0), ("vector<[2]xf32>", 0)} and ("memref.store",) in touching
    assert messages(diagnosed) == {
        "requires an ancestor op with AutomaticAllocationScope trait",
        "symbol operand count does not equal memref symbol count: expected 2, got 0",
        "unsupported layout for source memref type 'memref<4xf32, strided<[2]>>'",
        "different element types specified for source memref type 'memref<4xf32, strided<[2]>>' and result memref type "
        "'memref<8xf64>'",
        "intializing scalable vectors with elements attribute is not supported unless it's a vector splat",
        "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects",
    }


def test_indices_of_affine_operations() -> None:
    text = function(
        "  scf.for %i = %n to %n step %n {\n"
        "    affine.for %k = 0 to affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n, %n] {\n"
        "      %0 = affine.load %m[%k + symbol(%i)] : memref<4xf32>\n    }\n  }\n"
        '  "affine.parallel"() <{lowerBoundsMap = affine_map<() -> (0, 1, 2)>, upperBoundsMap = affine_map<() -> (4)>, '
        "lowerBoundsGroups = dense<[1, 2]> : tensor<2xi32>, upperBoundsGroups = dense<2> : tensor<2xi32>, "
        "steps = [1, 1], reductions = []}> ({\n  ^bb0(%a: index, %b: index):\n    affine.yield\n  }) : () -> ()",
        "%n: index, %m: memref<4xf32>",
    )
    applied, operands, inside, used, none, symbols, passing, bounds, groups, words, diagnosed = derive(
        text, "applied_to", "index_operand", "value_inside", "uses_inner", "no_index", "is_symbol",
        "makes_no_symbols", "grouped_bounds", "grouped_results", "operand_group", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in applied} == {("upperBoundMap", 1, 2)}
    assert ("affine.load#3", 1, "%k") in operands and ("affine.load#3", 2, "%i") in operands
    assert {value for value, _ in inside} == {"%i", "%k"} and {("affine.load#3", 2)} == none == symbols
    assert used == {("affine.load#3", 1, "%k"), ("affine.load#3", 2, "%i")}
    assert {("scf.for",), ("affine.for",)} <= passing and ("gpu.launch",) not in passing
    assert ("upperBoundsMap", "upperBoundsGroups", "upper") in bounds and ("affine.load#3", "symbol", 1) in words
    assert {row[1:] for row in groups} == {("lowerBoundsGroups", 3), ("upperBoundsGroups", 4)}
    assert messages(diagnosed) == {
        "'affine.for' symbol operand count and affine map symbol count must match",
        "operand cannot be used as a symbol",
        "expected upper bounds map to have 4 results",
    }


def test_what_indices_are_made_of() -> None:
    text = function(
        "  scf.for %i = %n to %n step %n {\n"
        "    affine.for %k = 0 to %n iter_args(%s = %n) -> (index) {\n"
        "      %e = arith.constant 2 : index\n"
        "      %d = memref.dim %m, %k : memref<4xf32>\n"
        "      %a = arith.addi %n, %e : index\n"
        "      %b = arith.addi %k, %a : index\n"
        "      %c = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)\n"
        "      %g = func.call @g() : () -> index\n"
        "      %0 = affine.load %m[%a + %b + %c + %g + %d] : memref<4xf32>\n"
        "      affine.yield %s : index\n    }\n  }",
        "%n: index, %m: memref<4xf32>",
    )
    feeding, made, looking, symbols, dimensions, binding, making, sizes, operands, bounds, called, applied = derive(
        text, "feeds_index", "makes_inner", "looks_out", "no_symbol", "no_dimension", "binds_dimension",
        "makes_dimensions", "sizes_something", "bound_operands", "operand_bound", "bound_called", "applies",
        rules=VERIFICATION,
    )  # fmt: skip
    assert {("%k",), ("%a",), ("%e",)} <= feeding and {"%a", "%b", "%c", "%d", "%e", "%g"} == {row[1] for row in made}
    assert {value for (value,) in symbols} == {"%k", "%b", "%c", "%g"} and dimensions == {("%b",), ("%g",)}
    assert {("affine.for", 0), ("affine.parallel", -1)} == binding and ("affine.apply",) in making
    assert ("memref.dim",) in sizes and {row[1:] for row in operands} == {(0, 0, 0)} and len(looking) > len(made)
    assert {row[1:] for row in bounds} == {("lowerBoundMap", 0, 0), ("upperBoundMap", 0, 1)}
    assert ("upperBoundMap", "upper", "min") in called and ("affine.if", "condition", "affine_set") in applied


def test_kinds_of_attributes_and_types_without_a_rank() -> None:
    text = function(
        '  %0 = "affine.apply"(%n) <{map = 1}> : (index) -> index\n'
        "  %1 = bufferization.to_tensor %u : memref<*xf32> to tensor<4xf32>",
        "%n: index, %u: memref<*xf32>",
    )
    kinds, unranked, inputs, diagnosed = derive(
        text, "only_kind", "without_rank", "elementwise_inputs", "diagnosed", rules=VERIFICATION
    )
    assert {("exp", 1), ("add", 2), ("select", 3)} <= inputs
    assert {("AffineMap attribute", "affine_map"), ("string attribute", "string")} <= kinds
    assert unranked == {("unranked_memref",), ("unranked_tensor",)}
    assert {"Invalid attribute `map` in property conversion", "shapes do not match"} <= messages(diagnosed)


def test_kinds_that_operations_keep() -> None:
    text = function(
        '  %0 = "arith.addf"(%x, %x) <{fastmath = {}}> : (f32, f32) -> f32\n'
        '  %1 = "arith.addf"(%x, %x) <{fastmath = #arith.fastmath<nnan>}> : (f32, f32) -> f32',
        "%x: f32",
    )
    kept, diagnosed = derive(text, "satisfied_by", "diagnosed", rules=VERIFICATION)
    assert {kind for constraint, kind in kept if constraint == "Floating point fast math flags"} == {"dialect"}
    assert {kind for constraint, kind in kept if constraint == "bool attribute"} == {"bool", "integer"}
    assert "Invalid attribute `fastmath` in property conversion" in messages(diagnosed)
    assert {op for op, _, _ in diagnosed} == {"arith.addf#1"}


def test_values_that_llvm_has_not() -> None:
    text = "llvm.func @f(%a: vector<2x3xf32>, %b: vector<2xf32>, %c: index, %d: !llvm.ptr) -> i32\n"
    outside, diagnosed = derive(text, "outside_of_llvm", "diagnosed", rules=VERIFICATION)
    assert outside == {("vector<2x3xf32>",), ("index",)}
    assert {"expected LLVM type for function arguments" in message for _, _, message in diagnosed} == {True}


def test_bounds_that_are_open() -> None:
    text = function(
        '  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, '
        "staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>}> ({\n  ^bb0(%i: index):\n"
        "    scf.forall.in_parallel {\n    }\n  }) : (index) -> ()",
        "%n: index",
    )
    bounds, found, diagnosed = derive(text, "bound_of_forall", "open_bounds", "diagnosed", rules=VERIFICATION)
    assert ("staticStep", 2, "step") in bounds and {total for _, _, total in found} == {0}
    assert messages(diagnosed) == {"expected 0 dynamic upper bound values"}


def test_outputs_bodies_and_tiles_of_structured_operations() -> None:
    head = '{indexing_maps = [MAP], iterator_types = ["parallel"]} outs'
    kept = head.replace("MAP", "affine_map<(d0) -> (d0 + 0)>")
    text = function(
        f"  linalg.generic {kept}(%t : tensor<4xf32>) {{\n  ^bb0(%x: f32):\n    linalg.yield %x : f32\n  }}\n"
        f"  linalg.generic {head.replace('MAP', 'affine_map<(d0) -> (0)>')}(%m : memref<4xf32>) {{\n"
        "  ^bb0(%x: f32):\n    linalg.yield %x : f32\n  }\n"
        f"  linalg.generic {head.replace('MAP', 'affine_map<(d0) -> (d0 floordiv 2)>')}(%m : memref<4xf32>) {{\n"
        "  ^bb0(%x: f32):\n    linalg.yield %x : f32\n  }\n"
        "  linalg.reduce ins(%m : memref<4xf32>) outs(%z : memref<f32>) dimensions = [0] (%x: f32) {\n"
        "    linalg.yield %x : f32\n  }\n"
        "  linalg.map { math.exp } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)\n"
        "  %p = linalg.pack %t inner_dims_pos = [0] inner_tiles = [3] into %d : tensor<4xf32> -> tensor<2x3xf32>",
        "%t: tensor<4xf32>, %m: memref<4xf32>, %z: memref<f32>, %d: tensor<2x3xf32>",
    )
    first, kinds, tensors, others, alone, total, rounding, bodies, tiles, diagnosed = derive(
        text, "outputs_from", "output_kind", "output_tensors", "other_output", "alone_in_index", "loops_alone",
        "rounding_map", "written_body", "open_tiles", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1] for row in first} == {0, 1} and {row[2] for row in kinds} == {"tensor", "memref"}
    assert {row[1] for row in tensors} == {0, 1} and others == set()
    assert len(alone) == 1 and {row[1] for row in total} == {0, 1} and len(rounding) == 1
    assert {row[1] for row in bodies} == {1} and {row[1] for row in tiles} == {0}
    assert messages(diagnosed) == {
        "expected the number of tensor results (0) to be equal to the number of output tensors (1)",
        "invalid indexing maps are non-invertible",
        "mismatching number of operands and block arguments",
        "invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set",
    }


def test_bodies_that_are_one_operation() -> None:
    """The short forms of linalg.map and linalg.reduce name an operation that has to take what the body gets."""
    text = function(
        "  linalg.map { arith.negf } ins(%i : memref<4xi32>) outs(%i : memref<4xi32>)\n"
        "  linalg.map { arith.addf } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)\n"
        "  linalg.map { test.mapper } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)\n"
        "  linalg.reduce { arith.addf } ins(%m : memref<4xf32>) outs(%z : memref<f64>) dimensions = [0]",
        "%m: memref<4xf32>, %i: memref<4xi32>, %z: memref<f64>",
    )
    payloads, operands, totals, results, constrained, satisfied, unsatisfied, diagnosed = derive(
        text, "payload", "payload_operand", "payload_operands", "payload_result", "constrained_in_payload",
        "to_satisfy", "unsatisfied", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert [name for _, name in sorted(payloads)] == ["arith.negf", "arith.addf", "arith.addf"]
    assert sorted(row[1:] for row in operands) == [
        ("arith.addf", 0, "f32"), ("arith.addf", 0, "f32"), ("arith.addf", 1, "f64"), ("arith.negf", 0, "i32"),
    ]  # fmt: skip
    assert sorted(row[1:] for row in totals) == [("arith.addf", 1), ("arith.addf", 2), ("arith.negf", 1)]
    assert sorted(row[1:] for row in results) == [
        ("arith.addf", 0, "f32"), ("arith.addf", 0, "f64"), ("arith.negf", 0, "i32"),
    ]  # fmt: skip
    assert {row[2:4] for row in constrained if row[1] == "arith.negf"} == {("operand #0", "i32"), ("result #0", "i32")}
    assert ("i32", "floating-point-like") in satisfied and unsatisfied == {("i32", "floating-point-like")}
    assert messages(diagnosed) == {
        "operand #0 must be floating-point-like, but got 'i32'",
        "result #0 must be floating-point-like, but got 'i32'",
        "expected 2 operands, but found 1",
        "requires all operands to have the same type",
        "requires the same type for all operands and results",
    }


def test_shapes_that_are_taken_apart_and_numbers_that_are_reduced() -> None:
    text = function(
        "  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xf32, strided<[2], offset: 3>> into "
        "memref<2x2xf32, strided<[4, 2]>>\n"
        "  %1 = memref.collapse_shape %n [] : memref<?x?xf32> into memref<f32>\n"
        "  %2 = memref.collapse_shape %n [[0], [1], []] : memref<?x?xf32> into memref<?x?x1xf32>\n"
        '  %3 = affine.parallel (%j) = (0) to (4) reduce ("maxs") -> i32 {\n    affine.yield %i : i32\n  }\n'
        '  %4 = affine.parallel (%j) = (0) to (4) reduce ("addf") -> f32 {\n    affine.yield %f : f32\n  }',
        "%m: memref<4xf32, strided<[2], offset: 3>>, %n: memref<?x?xf32>, %i: i32, %f: f32",
    )
    regrouped, reduces, diagnosed = derive(text, "regrouped", "reduces_kind", "diagnosed", rules=VERIFICATION)
    assert {row[1:] for row in regrouped} == {
        ("memref<2x2xf32, strided<[4, 2]>>", "memref<4xf32, strided<[2], offset: 3>>"),
        ("memref<?x?xf32>", "memref<f32>"), ("memref<?x?xf32>", "memref<?x?x1xf32>"),
    }  # fmt: skip
    assert {kind for word, kind in reduces if word == "addi"} == {"integer", "signed_integer"}
    assert {kind for word, kind in reduces if word in ("maxs", "addf")} == {"signed_integer", "float"}
    assert messages(diagnosed) >= {
        "expected expanded type to start 3 elements after the buffer, as the source does, but found "
        "'memref<2x2xf32, strided<[4, 2]>>'",
        "rank 0 memrefs can only be extended/collapsed with/from ones",
        "has source rank 2 and result rank 3. This is not a collapse (2 < 3).",
        "result type cannot match reduction attribute",
    }
