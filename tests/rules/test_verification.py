"""The verifier's rules on small IR: what is stated of operations, and what is derived on the way to a message."""

from __future__ import annotations

import pytest

from tests.support.tools import run_mlir_opt

from .derive import derive

VERIFICATION = ("verification",)

# What is stated of operations by their names, and of types: nothing of it depends on a module.
STATED = (
    "arity", "region_arity", "successor_arity", "uniform_types", "operand_constraint", "operands_constraint",
    "result_constraint", "results_constraint", "requires_attribute", "same_types", "same_operand_types",
    "same_element_types", "same_operand_element_types", "same_shapes", "same_operand_shapes", "operand_segments",
    "expected_parent", "region_end", "unordered_regions", "written_type", "known_operation", "implied_body", "agreeing",
    "only_type", "only_forwards", "fans_out", "leaves_with", "continues_with", "starts_with", "arity_of_its_own",
    "without_segments", "accesses", "maps_operands", "bound_map", "boolean_result", "maps_elements", "multiplies_wide",
    "converts", "allocation_of_memref", "has_alignment", "power_of_two", "memref_cast", "same_elements", "masks",
    "written_from_end", "indices_from", "takes_exactly", "attribute_constraint", "stated_like", "ruled_out",
    "number_type", "writes_iterators",
    "items_type", "is_list", "mixed_numbers", "slice", "sliced", "reaches_into", "transfers",
    "called_by_llvm", "llvm_compatible",
    "described_constraint", "of_kind", "of_elements", "of_scalars", "of_rank", "or_container_of",
    "of_name", "at_a_place", "calls_by_name", "in_dictionary", "largest_number", "least_number", "no_number",
    "number_among", "one_type", "only_text", "operand_rank", "refers_by", "returns", "reduces_in_threads",
    "typed_function", "stands_in_table", "holds_no", "wrong_elements", "moves", "layout_place", "layout_slide",
    "loops_as", "most_in", "list_constraint", "operand_constraint_from_end", "one_element_type", "of_emitc",
    "of_integers_and_pointers", "multiplies_sparse", "called_as", "numbered_way",
    "other_types_inside", "points_to", "reducing_region", "segment_count", "slid_over", "step_attribute", "to_be_bound",
    "window_rank", "result_segments", "as_many", "bit_for_each", "chain", "dot_product", "entry_or_exit", "exactly_of",
    "grows", "is_declared", "keeps_element", "keeps_rank", "keeps_shape", "keeps_type", "masked_values", "masks_values",
    "moves_along", "needs_data", "of_dialect", "of_image", "of_scalable", "of_tiles", "of_variable", "operand_segment",
    "pointed", "pointer_access", "product_sizes", "quant_cast", "quantifies", "recipe", "recipe_argument", "sums_up",
    "takes_clause", "tile_place", "tile_sizes", "yields_results", "made_for", "names_base",
    "gives_last", "loaded", "accesses_buffer", "attribute_of_arguments", "counts_handles", "describes_patterns",
    "has_windows", "indexes_at", "known_strategy", "least_of_window", "names_local", "of_transform", "pattern_list",
    "strategy", "takes_properties", "transform_type", "block_permutations", "moves_elements", "tosa_rank",
    "stands_once", "describes_properties", "own_attribute", "mma_numbers", "accumulates", "convolves", "window_axis",
    "spread_along", "pooled_along", "bits_of", "of_integers", "of_floats", "has_dimensions", "has_dimensions_from_end",
    "of_dimensions", "interp_check", "interp_switch", "range_of", "value_typed", "element_in_range",
    "one_up_to",
)  # fmt: skip


def function(body: str, arguments: str = "", results: str = "") -> str:
    return f"func.func @f({arguments}){results} {{\n{body}\n}}\n"


def test_what_is_stated_of_operations() -> None:
    stated = dict(zip(STATED, derive("", *STATED, rules=VERIFICATION), strict=True))
    assert [name for name, rows in stated.items() if not rows] == []
    assert ("memref.store", 2, -1, 0, 0) in stated["arity"] and ("arith.addf", 2, 2, 1, 1) in stated["arity"]
    assert ("scf.if", 2, 2) in stated["region_arity"] and ("cf.cond_br", 2, 2) in stated["successor_arity"]
    assert ("linalg.fill",) in stated["known_operation"] and ("linalg.fill", "linalg.yield") in stated["region_end"]


def test_what_belongs_together_by_place_or_by_name() -> None:
    text = function(
        '  %a = "amdgpu.swizzle_bitmode"(%x) <{and_mask = 1 : i32, or_mask = 2 : i32, xor_mask = 4 : i32}> '
        ": (f32) -> i32\n"
        "  linalg.dot ins(%m, %m : memref<4x5xf32>, memref<4x5xf32>) outs(%s : memref<f32>)\n"
        '  %b = "ml_program.global_load"() <{global = @g}> : () -> i32\n'
        "  return",
        "%x: f32, %m: memref<4x5xf32>, %s: memref<f32>",
    )
    places, ranks, found, diagnosed = derive(
        f"ml_program.global private @g(dense<0> : tensor<4xi32>) : tensor<4xi32>\n{text}",
        "type_at", "rank_of_operand", "found", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {(place, type) for _, _, place, type in places} == {(0, "f32"), (-1, "i32")}
    assert {row[2:] for row in ranks} == {(0, 2), (1, 2), (2, 0)}
    assert {attribute for _, attribute in found} == {"global"}
    assert {message.partition(" op ")[2] for _, _, message in diagnosed} == {
        "failed to verify that all of {result, src} have same type",
        "expected operand #0 rank (2) to match the result rank of indexing_map (1)",
        "expected operand #1 rank (2) to match the result rank of indexing_map (1)",
        "cannot load from global typed 'tensor<4xi32>' as 'i32'",
    }


def test_vectors_are_read_from_and_written_to_memory() -> None:
    arguments = "%m: memref<?x8xf32>, %v: vector<4xf32>, %k: vector<4xi1>, %i: index, %x: f32, %j: i32"
    said = "use of value '{}' expects different type than prior uses: '{}' vs '{}'"
    for line, message in {
        "%a = vector.load %m[%i, %i] : memref<?x8xf32>, vector<4xf32>": None,
        "vector.maskedstore %m[%i, %i], %k, %v : memref<?x8xf32>, vector<4xi1>, vector<4xf32>": None,
        "%a = vector.transfer_read %m[%i, %i], %x, %k : memref<?x8xf32>, vector<4xf32>": None,
        "%a = vector.load %m[%i] : memref<?x8xf32>, vector<4xf32>": "'vector.load' op requires 2 indices",
        "%a = vector.load %m[%i, %j] : memref<?x8xf32>, vector<4xf32>": said.format("%j", "index", "i32"),
        "vector.store %v, %m[%i, %i] : memref<?x8xf32>, vector<8xf32>": said.format(
            "%v", "vector<8xf32>", "vector<4xf32>"
        ),
        "vector.maskedstore %m[%i, %i], %v, %v : memref<?x8xf32>, vector<4xi1>, vector<4xf32>": said.format(
            "%v", "vector<4xi1>", "vector<4xf32>"
        ),
        "%a = vector.transfer_read %m[%i, %i], %j : memref<?x8xf32>, vector<4xf32>": (
            "'vector.transfer_read' op requires formal padding and source of the same elemental type"
        ),
        "gpu.memcpy %m, %v : memref<?x8xf32>, memref<?x8xf32>": said.format("%v", "memref<?x8xf32>", "vector<4xf32>"),
        "%a = llvm.add %j, %i : i32": said.format("%i", "i32", "index"),
        "%a = shape.rank %m : tensor<?xf32> -> index": said.format("%m", "tensor<?xf32>", "memref<?x8xf32>"),
    }.items():
        diagnosed = derive(function(f"  {line}\n  return", arguments), "diagnosed", rules=VERIFICATION)
        lowest = min((rank for _, rank, _ in diagnosed), default=0)
        assert {text for _, rank, text in diagnosed if rank == lowest} == ({message} if message else set()), line


def test_what_reduces_agrees_with_what_it_reduces() -> None:
    reduce = (
        "  %s = scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {{\n"
        "    scf.reduce(%x : f32) {{\n    ^bb0(%a: f32, %b: {}):\n      scf.reduce.return %{} : {}\n"
        "    }}\n  }}\n  return"
    )
    arguments = "%n: index, %x: f32, %j: i32"
    reduces, diagnosed = derive(
        function(reduce.format("f32", "a", "f32"), arguments), "reduces", "diagnosed", rules=VERIFICATION
    )
    assert {(operand, type) for _, operand, type, _ in reduces} == {(0, "f32")} and diagnosed == set()
    arguments_wanted = "expected two block arguments with type 'f32' in the 0-th reduction region"
    for wrong, message in {
        ("i32", "a", "f32"): f"'scf.reduce' op {arguments_wanted}",
        ("f32", "j", "i32"): "'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)",
    }.items():
        diagnosed = derive(function(reduce.format(*wrong), arguments), "diagnosed", rules=VERIFICATION)
        assert {text for _, _, text in diagnosed} == {message}


def test_a_valid_function_has_nothing_wrong() -> None:
    text = function("  %a = memref.alloc() : memref<4xf32>\n  return %a : memref<4xf32>", results=" -> memref<4xf32>")
    assert derive(text, "invalid", "mismatch", "diagnosed", rules=VERIFICATION) == (set(), set(), set())


def test_messages_carry_the_name_of_the_operation() -> None:
    text = function("  %a = memref.alloc() : memref<?xf32>\n  return")
    invalid, diagnosed = derive(text, "invalid", "diagnosed", rules=VERIFICATION)
    message = "incorrect number of dynamic sizes, has 0, expected 1"
    assert invalid == {("memref.alloc#1", 4, message)}
    assert diagnosed == {("memref.alloc#1", 4, f"'memref.alloc' op {message}")}


def test_types_that_should_be_the_same_and_what_the_text_says() -> None:
    text = function("  memref.store %v, %m[%i] : memref<4xf32>\n  return", "%m: memref<4xf32>, %v: i32, %i: index")
    expects, mismatch, differ = derive(text, "expected_type", "mismatch", "types_differ", rules=VERIFICATION)
    assert expects == {
        ("memref.store#1", 0, "f32"),
        ("memref.store#1", 1, "memref<4xf32>"),
        ("memref.store#1", 2, "index"),
    }
    assert {row[1:3] for row in mismatch} == {("f32", "i32")}
    assert differ == {("f32", "i32")}


def test_types_that_may_be_spelled_in_two_ways_do_not_differ() -> None:
    text = function(
        "  %r = arith.select %c, %m, %n : memref<4xf32, affine_map<(d0) -> (d0 + 1)>>\n  return",
        "%c: i1, %m: memref<4xf32, affine_map<(d0) -> (d0 + 1)>>, %n: memref<4xf32, affine_map<(d0) -> (1 + d0)>>",
    )
    mismatch, differ = derive(text, "mismatch", "types_differ", rules=VERIFICATION)
    assert mismatch and differ == set()


def test_constraints() -> None:
    text = function("  %r = arith.addf %a, %a : i32\n  return", "%a: i32")
    operands, results, asked, wrong = derive(
        text, "constrained_operand", "constrained_result", "to_satisfy", "unsatisfied", rules=VERIFICATION
    )
    assert operands == {("arith.addf#1", i, "i32", "floating-point-like", "") for i in (0, 1)}
    assert results == {("arith.addf#1", 0, "i32", "floating-point-like", "")}
    assert asked == wrong == {("i32", "floating-point-like")}
    vectors = text.replace("i32", "vector<4xf32>")
    good, kinds, containers = derive(vectors, "satisfies", "among", "container", rules=VERIFICATION)
    assert good == {("vector<4xf32>", "floating-point-like")}
    assert ("f32", "float") in kinds and containers == {("vector<4xf32>",)}


def test_agreement_of_operands_and_results() -> None:
    text = function(
        '  "memref.copy"(%a, %b) : (memref<4xf32>, memref<5xi32>) -> ()\n  return',
        "%a: memref<4xf32>, %b: memref<5xi32>",
    )
    first, other, elements, compared, shapes, scalars = derive(
        text, "first_type", "other_type", "elements_of", "compared_type", "shapes_differ", "scalar_type",
        rules=VERIFICATION,
    )
    assert first == {("memref.copy#1", "memref<4xf32>")} and other == {("memref.copy#1", "memref<5xi32>", 0)}
    assert elements == {("memref<4xf32>", "f32"), ("memref<5xi32>", "i32")}
    assert compared == {("memref<4xf32>",), ("memref<5xi32>",)}
    assert shapes == {("memref<4xf32>", "memref<5xi32>")} and ("f32",) in scalars


def test_agreement_element_by_element() -> None:
    compared = '%x = "arith.cmpi"(%a, %b) <{predicate = 0 : i64}> : (tensor<4xi32>, tensor<?xi32>) -> vector<4xi1>'
    added = '%y = "arith.addi"(%a, %b) : (tensor<4xi32>, tensor<?xi32>) -> tensor<4xi32>'
    text = function(f"  {compared}\n  {added}\n  return", "%a: tensor<4xi32>, %b: tensor<?xi32>")
    types, shaped, operands, results, alike, diagnosed = derive(
        text, "elementwise_type", "has_shape", "maps_operand", "maps_result", "one_but_for_unknown_sizes", "diagnosed",
        rules=VERIFICATION,
    )
    assert types == {("tensor<4xi32>", "tensor"), ("tensor<?xi32>", "tensor"), ("vector<4xi1>", "vector")}
    assert shaped == {(name,) for name, _ in types}
    assert operands == {("arith.cmpi#1",)} and results == {("arith.cmpi#1", 0)}
    assert alike == {("tensor<4xi32>", "tensor<?xi32>")}
    assert {row[0] for row in diagnosed} == {"arith.cmpi#1"}


def test_uses_before_definitions_and_on_paths_without_them() -> None:
    text = function(
        "  cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n  %x = arith.constant 1 : i32\n  cf.br ^bb2\n"
        "^bb2:\n  %y = arith.addi %x, %z : i32\n  %z = arith.constant 2 : i32\n  return",
        "%c: i1",
    )
    defined, used, meets, on_at, on, needed, at_start, undefined, unordered, without = derive(
        text,
        "defined_for",
        "used_at",
        "used_beside",
        "defined_on_at",
        "defined_on_stretch",
        "needed_at_start",
        "undefined_at_start",
        "undefined_in",
        "in_unordered_region",
        "without_order",
        rules=VERIFICATION,
    )
    assert defined == {("%x", "^bb1", 0), ("%z", "^bb2", 1)}
    assert used == {("arith.addi#4", 0, "%x", "^bb2", 0), ("arith.addi#4", 1, "%z", "^bb2", 0)}
    assert {(row[2], row[3], row[5]) for row in meets} == {("%x", "^bb2", "^bb1"), ("%z", "^bb2", "^bb2")}
    assert on_at == {("%x", "^bb1", 0), ("%z", "^bb0", 2)}  # ^bb2 is where the sides come together again
    assert on == {row[:2] for row in on_at}
    assert needed == at_start == {("^bb0", "%x")} and undefined == {("^bb2", "%x")}
    assert unordered == set() and without >= {("builtin.module",)}
    diagnosed = derive(text, "diagnosed", rules=VERIFICATION)
    assert {row[2] for row in diagnosed} == {f"operand #{i} does not dominate this use" for i in (0, 1)}


@pytest.mark.parametrize("used", ["^bb0", "^bb1", "^bb2", "^bb3", "^bb4", "^bb5"])
@pytest.mark.parametrize("defined", ["^bb0", "^bb1", "^bb2", "^bb3", "^bb4", "^bb5"])
def test_blocks_that_all_pass_define_for_those_after_them(defined: str, used: str) -> None:
    """^bb1 and ^bb2 are the sides of a branch, ^bb3 comes after both, and ^bb4 is a loop that ^bb5 comes after."""
    ends = {
        "^bb0": "cf.cond_br %c, ^bb1, ^bb2",
        "^bb1": "cf.br ^bb3",
        "^bb2": "cf.br ^bb3",
        "^bb3": "cf.br ^bb4",
        "^bb4": "cf.cond_br %c, ^bb4, ^bb5",
        "^bb5": "return",
    }
    after = {"^bb0": "12345", "^bb1": "", "^bb2": "", "^bb3": "45", "^bb4": "5", "^bb5": ""}
    lines = []
    for block, end in ends.items():
        lines += [f"{block}:"] if block != "^bb0" else []
        lines += ["  %x = arith.constant 1 : i32"] if block == defined else []
        lines += ["  %y = arith.addi %x, %x : i32"] if block == used else []
        lines += [f"  {end}"]
    is_defined = defined == used or used[-1] in after[defined]
    assert (derive(function("\n".join(lines), "%c: i1"), "diagnosed", rules=VERIFICATION) == set()) == is_defined


def test_blocks_of_unknown_operations_have_no_order() -> None:
    uses = '  {} = "test.op"(%{}) : (i32) -> i32'
    inside = "\n".join((uses.format("%x", "y"), uses.format("%y", "x")))
    text = function(f'  "test.regions"() ({{\n{inside}\n  }}) : () -> ()\n  return')
    without, diagnosed = derive(text, "without_order", "diagnosed", rules=VERIFICATION)
    assert ("test.regions",) in without and diagnosed == set()
    blocks = inside.replace("\n", "\n    cf.br ^bb1\n  ^bb1:\n")
    assert derive(text.replace(inside, blocks), "diagnosed", rules=VERIFICATION) != set()
    assert derive(text.replace("test.regions", "scf.execute_region"), "diagnosed", rules=VERIFICATION) != set()


def test_where_control_never_comes_order_does_not_matter() -> None:
    text = function("  return\n^bb1:\n  %y = arith.addi %x, %x : i32\n  %x = arith.constant 1 : i32\n  cf.br ^bb1")
    assert derive(text, "diagnosed", rules=VERIFICATION) == set()


def test_parents_and_terminators() -> None:
    text = function('  "scf.if"(%c) ({\n    "func.return"() : () -> ()\n  }, {\n  }) : (i1) -> ()\n  return', "%c: i1")
    parent, misplaced, parents = derive(text, "has_parent", "misplaced", "parents", rules=VERIFICATION)
    assert ("func.return#2", "func.return", "scf.if") in parent
    assert misplaced == {("func.return#2", "func.return")} and parents == {("func.return", 1)}


def test_segments_add_up() -> None:
    text = function(
        '  %a = "memref.alloc"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32>\n  return',
        "%n: index",
    )
    assert derive(text, "segments_total", "sizes_taken", rules=VERIFICATION) == (
        {("memref.alloc#1", 1)},
        {("memref.alloc#1", 1)},
    )


def test_lists_of_one_operand_in_front_are_operands_of_these_numbers() -> None:
    lists, operands = derive("", "one_up_to", "operand_constraint", rules=VERIFICATION)
    name = "vector.transfer_write"  # of a vector, a buffer, any number of indices, and perhaps a mask
    assert {number for each, number in lists if each == name} == {0, 1}
    assert {number for each, number, _ in operands if each == name} == {0, 1}


def test_symbols() -> None:
    text = "func.func private @g()\nfunc.func private @g()\nmemref.global @m : memref<2xf32>\n"
    text += function("  %a = memref.get_global @m : memref<2xf32>\n  call @g() : () -> ()\n  return")
    position, first, globals_, callee = derive(
        text, "symbol_position", "first_definition", "found_global", "finds_callee", rules=VERIFICATION
    )
    assert {row[1::2] for row in position} == {("g", 0), ("g", 1), ("m", 2), ("f", 3)}
    assert {row[::2] for row in first} == {("g", 0), ("m", 2), ("f", 3)}
    assert globals_ == {("memref.get_global#1",)} and callee == {("func.call#2",)}
    assert derive("memref.global @m : memref<2xf32>", "has_static_shape", rules=VERIFICATION) == {("memref<2xf32>",)}


def test_functions_calls_and_returns() -> None:
    text = "func.func private @g(i32) -> f32\n" + function(
        "  %0 = call @g(%a) : (i32) -> f32\n  %1 = call_indirect %h(%a) : (i32) -> f32\n  return %1 : f32",
        "%a: i32, %h: (i32) -> f32",
        " -> f32",
    )
    signatures, hidden, returns, calls, indirect = derive(
        text, "function_signature", "hidden", "returns_from", "calls_type", "indirect_type", rules=VERIFICATION
    )
    assert {type for _, type in signatures} == {"(i32) -> f32", "(i32, (i32) -> f32) -> f32"}
    assert len(hidden) == 1
    assert {row[0] for row in returns} == {"func.return#3"}
    assert calls == {("func.call#1", "(i32) -> f32")} and indirect == {("func.call_indirect#2", "(i32) -> f32")}


def test_what_is_handed_on() -> None:
    text = function("  cf.br ^bb1(%a : i32)\n^bb1(%x: i32):\n  return", "%a: i32")
    assert derive(text, "forwarded_count", rules=VERIFICATION) == {("cf.br#1", 0, 1)}
    body = "  cf.cond_br %c, ^bb1(%a : i32), ^bb2\n^bb1(%x: i32):\n  return\n^bb2:\n  return"
    text = function(body, "%c: i1, %a: i32")
    assert derive(text, "forwarded_count", rules=VERIFICATION) == {("cf.cond_br#1", 0, 1), ("cf.cond_br#1", 1, 0)}
    text = function("  scf.if %c {\n    scf.yield\n  }\n  return", "%c: i1")
    ends = derive(text, "ends_region", rules=VERIFICATION)
    assert ends == {("scf.yield#2", "scf.yield", "scf.if#1", "scf.if")}
    text = function(
        "  %r = scf.index_switch %i -> i32\n  case 1 {\n    scf.yield %a : i32\n  }\n"
        "  default {\n    scf.yield %a : i32\n  }\n  return",
        "%i: index, %a: i32",
    )
    assert derive(text, "yielded_by_case", rules=VERIFICATION) == {
        ("scf.index_switch#1", 0, 1),
        ("scf.index_switch#1", 1, 1),
    }
    text = function("  affine.for %i = 0 to 4 {\n    affine.yield\n  }\n  return")
    assert derive(text, "yields_to", rules=VERIFICATION) == {("affine.yield#2", "affine.for#1")}


def test_numbers_converted_and_buffers_cast() -> None:
    text = function(
        "  %0 = arith.index_cast %a : i32 to i64\n  %1 = memref.cast %m : memref<4xf32> to memref<5xf32>\n  return",
        "%a: i32, %m: memref<4xf32>",
    )
    converted, wrong, between, incompatible = derive(
        text, "converted_elements", "not_castable", "cast_between", "cast_incompatible", rules=VERIFICATION
    )
    assert converted == {("arith.index_cast#1", "i32", "i64")}
    assert ("index", "i32", "i64") in wrong
    assert between == incompatible == {("memref.cast", "memref<4xf32>", "memref<5xf32>")}


def test_structured_operations() -> None:
    text = function(
        "  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
        'iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%b : memref<4xi32>) {\n'
        "  ^bb0(%x: f32, %y: i32):\n    linalg.yield %y : i32\n  }\n  return",
        "%a: memref<4xf32>, %b: memref<4xi32>",
    )
    body, elements, yields = derive(
        text, "structured_region", "element_of_operand", "yields_elements", rules=VERIFICATION
    )
    assert {row[::2] for row in body} == {("linalg.generic#1", 2)}
    assert elements == {("linalg.generic#1", 0, "f32"), ("linalg.generic#1", 1, "i32")}
    assert yields == {("linalg.yield#2", "linalg.generic#1")}
    text = text.replace("linalg.generic {", "linalg.generic {operandSegmentSizes = array<i32: 1, 1>, ")
    assert derive(text, "generic_inputs", rules=VERIFICATION) == {("linalg.generic#1", 1)}


def test_operands_of_deallocations() -> None:
    text = function(
        '  %0 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : '
        "(memref<4xf32>, i1, memref<4xf32>) -> i1\n"
        "  bufferization.dealloc (%m : memref<4xf32>) if (%c)\n  return",
        "%m: memref<4xf32>, %c: i1",
    )
    segments, by_text = derive(text, "dealloc_segment", "freed_by_text", rules=VERIFICATION)
    assert segments == {("bufferization.dealloc#1", i, 1) for i in range(3)}
    assert by_text == {("bufferization.dealloc#2", 1)}


def test_parts_of_buffers() -> None:
    part = "memref<2x?xf32, strided<[5, 1], offset: ?>>"
    text = function(
        f"  %a = memref.subview %m[0, %i][2, %i][1, 1] : memref<4x5xf32> to {part}\n"
        "  %b = memref.subview %m[0, 0][1, 5][1, 1] : memref<4x5xf32> to memref<5xf32>\n"
        "  %c = memref.collapse_shape %m [[0, 1]] : memref<4x5xf32> into memref<20xf32>\n"
        "  return",
        "%m: memref<4x5xf32>, %i: index",
    )
    a, b, c = (f"memref.{name}" for name in ("subview#1", "subview#2", "collapse_shape#3"))
    open_items, parts, whole, regrouped, groups, starts, products, left_out = derive(
        text, "open_items", "part_type", "whole_rank", "regrouped", "in_groups", "starts_at", "product", "left_out",
        rules=VERIFICATION,
    )  # fmt: skip
    names = ("static_offsets", "static_sizes", "static_strides")
    assert open_items == {(a, name, n) for name, n in zip(names, (1, 1, 0), strict=True)} | {(b, n, 0) for n in names}
    assert parts == {(a, part), (b, "memref<5xf32>")} and whole == {(a,)}
    assert regrouped == {(c, "memref<4x5xf32>", "memref<20xf32>")}
    assert groups == {(c, 2)} and starts == {(c, 0, 0), (c, 1, 2)}
    assert products == {(c, 0, 0, 1), (c, 0, 1, 4), (c, 0, 2, 20)}
    assert left_out == {(op, "i64") for op in (a, b, c, "func.func#0")}


def test_layouts_of_parts() -> None:
    whole, part = "memref<4x?x8xf32, strided<[?, 16, 1]>>", "memref<?xf32, strided<[32], offset: ?>>"
    text = function(
        f"  %a = memref.subview %m[0, 3, %i][1, %i, 1][1, 2, 1] : {whole} to {part}\n"
        f"  %b = memref.subview %m[0, 3, 2][1, 4, 1][1, 1, 1] : {whole} to memref<4xf32, strided<[16], offset: 50>>\n"
        f"  %c = memref.subview %m[0, 3, 2][1, 4, 1][1, 2000000000, 1] : {whole} to {part}\n"
        "  return",
        f"%m: {whole}, %i: index",
    )
    a, b, c = (f"memref.subview#{number}" for number in (1, 2, 3))
    taken, large, steps, extents, same, keeps, skipped, starts = derive(
        text, "taken_part", "large_number", "step", "same_extent", "same_step", "keeps_first", "skipped_elements",
        "starts_after", rules=VERIFICATION,
    )  # fmt: skip
    assert {op for op, *_ in taken} == {a, b} and large == {(c,)}
    assert steps == {(a, 1, 32), (a, 2, 1), (b, 1, 16), (b, 2, 1)}
    assert extents == {(a, 1, 0), (a, 1, 1), (a, 1, 2), (b, 1, 0)}  # (which of them the part has, is not asked there)
    assert {(op, d, kept) for op, d, kept in same if kept == 0} == {(a, 1, 0), (b, 1, 0)}
    assert keeps >= {(op, d, kept) for op in (a, b) for d, kept in ((0, 0), (1, 0), (2, 1), (3, 1))}
    assert skipped == {(a, 0, 0), (a, 1, 48), (b, 0, 0), (b, 1, 48), (b, 2, 2)}
    assert starts == {(b, 50)}


def test_elements_that_linalg_computes_with() -> None:
    text = function(
        "  linalg.add ins(%f, %i : memref<4xf32>, memref<4xi32>) outs(%f : memref<4xf32>)\n"
        "  linalg.copy ins(%n : memref<4xindex>) outs(%f : memref<4xf32>)\n"
        "  linalg.dot ins(%i, %i : memref<4xi32>, memref<4xi32>) outs(%z : memref<f32>)\n"
        "  linalg.transpose ins(%d : memref<?x4xf32>) outs(%s : memref<4x4xf32>) permutation = [1, 0]\n"
        "  %v = vector.type_cast %s : memref<4x4xf32> to memref<vector<4x4xf32>>\n"
        "  vector.print %z : memref<f32>\n  return",
        "%f: memref<4xf32>, %i: memref<4xi32>, %n: memref<4xindex>, %z: memref<f32>, %d: memref<?x4xf32>, "
        "%s: memref<4x4xf32>",
    )
    given, outputs, computes, converted, pools, products, numbers, may, within, diagnosed = derive(
        text, "element_given", "output_operand", "computes_on", "converted", "pools",
        "computes_product", "is_number", "may_convert", "computes_as", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    add, copy, dot = "linalg.add#1", "linalg.copy#2", "linalg.dot#3"
    assert {row for row in given if row[0] == add} == {
        (add, "linalg.add", 0, "f32"), (add, "linalg.add", 1, "i32"), (add, "linalg.add", 2, "f32"),
    }  # fmt: skip
    assert {("linalg.add", 2), ("linalg.copy", 1), ("linalg.dot", 2), ("linalg.fill", 1)} <= outputs
    assert {kind for name, kind in computes if name == "linalg.add"} == {"float", "integer", "complex"}
    assert converted == {(copy, 0, "index", "f32"), (dot, 0, "i32", "f32"), (dot, 1, "i32", "f32")}
    assert ("linalg.pooling_nhwc_sum",) in pools and ("linalg.dot",) in products and not pools & products
    assert numbers == {("f32",), ("i32",)} and may == {("i32", "f32")} and within == {(dot, "f32")}
    stated, kept, printed, scalars, cast = derive(
        text, "one_size_stated", "kept_size", "printed_kind", "scalar_of_cast", "cast_memref", rules=VERIFICATION
    )
    source, target = "memref<?x4xf32>", "memref<4x4xf32>"
    assert kept == {(source, 0, target, 1), (source, 1, target, 0)} and stated == {(source, 0, target, 1)}
    assert ("vector",) in printed and ("memref",) not in printed
    assert {(type,) for type, _ in scalars} == cast and {scalar for _, scalar in scalars} == {"f32"}
    assert {op for op, *_ in diagnosed} == {add, copy, "linalg.transpose#4", "vector.print#6"}


def test_floats_of_one_width_are_not_converted() -> None:
    text = function(
        "  linalg.copy ins(%a : memref<4xf16>) outs(%b : memref<4xbf16>)\n"
        "  linalg.copy ins(%b : memref<4xbf16>) outs(%c : memref<4xf32>)\n  return",
        "%a: memref<4xf16>, %b: memref<4xbf16>, %c: memref<4xf32>",
    )
    wide, may = derive(text, "equally_wide", "may_convert", rules=VERIFICATION)
    assert wide == {("f16", "bf16")} and may == {("bf16", "f32")}


def test_layouts_that_are_strided_and_others() -> None:
    none, turned = "memref<4x4xf32>", "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>"
    apart, row = "memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 8 + d1 * 2)>>", "memref<4xf32, strided<[1]>>"
    text = function(
        f"  %v = vector.load %a[%i, %i] : {apart}, vector<4xf32>\n"
        f"  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %m : {turned} -> memref<f32>, index, index, index, "
        "index, index\n  return",
        f"%n: {none}, %m: {turned}, %a: {apart}, %r: {row}, %i: index",
    )
    unstrided, mapped, layouts, known, rearranged, of_strided, lacking, side_by_side, diagnosed = derive(
        text, "unstrided_layout", "mapped", "has_layout", "has_known_strides", "rearranged", "of_strided",
        "lacks_strides", "side_by_side", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert unstrided == {(turned,)} and mapped == rearranged == {(turned,), (apart,)}
    assert layouts == mapped | {(row,)} and known == {(none,), (apart,), (row,), ("memref<f32>",)}
    assert lacking == {(turned, "strided memref of any type values")}
    assert {(constraint,) for _, constraint in lacking} < of_strided
    assert side_by_side == {("vector.load",), ("vector.store",)}
    assert {op for op, *_ in diagnosed} == {"vector.load#1", "memref.extract_strided_metadata#2"}


def test_layouts_that_are_expanded_and_collapsed() -> None:
    few = "memref<4x8xf32, strided<[32, 2], offset: 4>>"
    many = "memref<2x2x8x1xf32, strided<[64, 32, 2, 2], offset: 4>>"
    row = "memref<4xf32, strided<[1]>>"
    text = function(
        f"  %a = memref.expand_shape %f [[0, 1], [2, 3]] output_shape [2, 2, 8, 1] : {few} into {many}\n"
        f"  %b = memref.collapse_shape %m [[0, 1], [2, 3]] : {many} into {few}\n"
        f"  %c = memref.expand_shape %r [[0, 1]] output_shape [2, 2] : {row} into memref<2x2xf32>\n"
        "  return",
        f"%f: {few}, %m: {many}, %r: {row}",
    )
    a, b = "memref.expand_shape#1", "memref.collapse_shape#2"
    reshaped, relaid, rows, expanded, beyond, last, at_most, collapsed = derive(
        text, "reshaped", "relaid", "plain_row", "expanded_stride", "beyond_count", "last_kept", "ends_at_most",
        "collapsed_stride", rules=VERIFICATION,
    )  # fmt: skip
    assert relaid == {(a, few, many, "expanded"), (b, many, few, "collapsed")} and rows == {(row,)}
    assert reshaped == relaid | {("memref.expand_shape#3", row, "memref<2x2xf32>", "expanded")}
    assert expanded == {(a, 0, 64), (a, 1, 32), (a, 2, 2), (a, 3, 2)} and beyond == set()
    assert at_most == {(b, 0, 1), (b, 1, 1), (b, 1, 0)} and last == {(b, 0, 1), (b, 1, 0)}
    assert collapsed == {(b, 0, 32), (b, 1, 2)}
    large = text.replace("strided<[32, 2]", "strided<[1073741824, 2]")
    assert derive(large, "beyond_count", rules=VERIFICATION) == {(a,)}


def test_shapes_that_linalg_operations_add_to_and_drop() -> None:
    text = function(
        "  %b = linalg.broadcast ins(%t : tensor<4x5xf32>) outs(%u : tensor<4x3x6xf32>) dimensions = [1]\n"
        "  linalg.reduce ins(%m : memref<4x5xf32>) outs(%n : memref<6xf32>) dimensions = [0] "
        "(%x: f32, %y: f32) {\n    linalg.yield %x : f32\n  }\n"
        "  return",
        "%t: tensor<4x5xf32>, %u: tensor<4x3x6xf32>, %m: memref<4x5xf32>, %n: memref<6xf32>",
    )
    added, larger, dimensions, unnamed, before, kept, reduced, kinds, diagnosed = derive(
        text, "dimensions_added", "larger_type", "type_dimension", "unnamed_dimension", "named_before",
        "kept_dimension", "reduced_to", "takes_kind", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert added == {("linalg.broadcast#1", 1)}
    assert larger == {("linalg.broadcast#1", "tensor<4x3x6xf32>"), ("linalg.reduce#2", "memref<4x5xf32>")}
    assert len(dimensions) == 5
    assert unnamed == {("linalg.broadcast#1", 0), ("linalg.broadcast#1", 2), ("linalg.reduce#2", 1)}
    assert before == {("linalg.broadcast#1", 2, 1), ("linalg.reduce#2", 1, 0)}
    assert kept == {("linalg.broadcast#1", 0, 0), ("linalg.broadcast#1", 1, 2), ("linalg.reduce#2", 0, 1)}
    assert reduced == {("linalg.reduce#2", "memref<6xf32>")}
    assert kinds == {("linalg.broadcast#1", "tensor"), ("linalg.reduce#2", "memref")}
    assert {message.partition(" op ")[2] for _, _, message in diagnosed} == {
        "input dim 1 should match init dim 2. input: 5, init: 6",
        "init dimensions [6] doesn't match input dimensions after reduction [5]",
    }


def test_elements_that_are_listed_and_sizes_of_loops() -> None:
    text = function(
        "  %a = arith.constant dense<[[1.0, 2.0]]> : tensor<2x2xf32>\n"
        "  %b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], "
        'iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) {\n'
        "  ^bb0(%x: f32, %y: f32):\n    linalg.yield %x : f32\n  } -> tensor<4x5xf32>\n  return",
        "%t: tensor<4x5xf32>",
    )
    ranks, sizes, kinds, wrong, maps, loops, diagnosed = derive(
        text, "literal_rank", "literal_size", "literal_kind", "wrong_shape", "map_dimension", "loop_size", "diagnosed",
        rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in ranks} == {("value", 2)} and {row[2:] for row in sizes} == {(0, 1), (1, 2)}
    assert {row[2] for row in kinds} == {"float"} and {row[1:] for row in wrong} == {("value", "tensor<2x2xf32>")}
    assert {row[2:] for row in maps} == {(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)}
    assert {row[1:] for row in loops} == {(0, 0, 0, 4), (1, 0, 1, 5), (1, 1, 0, 4), (0, 1, 1, 5)}
    assert {message.partition(" op ")[2] or message for _, _, message in diagnosed} == {
        "inferred shape of elements literal does not match type 'tensor<2x2xf32>'",
        "inferred shape of elements literal ([1, 2]) does not match type ([2, 2])",
        "inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4",
        "inferred input/output operand #1 has shape's dimension #1 to be 4, but found 5",
    }


def test_vectors_and_the_memory_that_they_come_from() -> None:
    text = function(
        "  %a = vector.load %e[%i] : memref<?xvector<4xf32>>, vector<4xf32>\n"
        '  "vector.store"(%v, %m, %i) : (vector<4xf32>, memref<?xi32>, index) -> ()\n'
        "  %r = vector.transfer_read %m[%i], %s {in_bounds = [true, true], "
        "permutation_map = affine_map<(d0) -> (d0)>} : memref<?xi32>, vector<4xi32>\n"
        "  %b = vector.bitcast %v : vector<4xf32> to vector<4xi16>\n"
        "  %h = vector.shuffle %v, %v [0, 8] : vector<4xf32>, vector<4xf32>\n"
        "  return",
        "%e: memref<?xvector<4xf32>>, %m: memref<?xi32>, %v: vector<4xf32>, %i: index, %s: i32",
    )
    moved, permuted, inside, bits, lanes, made, diagnosed = derive(
        text, "moved_type", "permuted", "vectors_inside", "lane_bits", "shuffled_lanes", "made_type", "diagnosed",
        rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in moved} == {
        ("memref<?xvector<4xf32>>", "vector<4xf32>"), ("memref<?xi32>", "vector<4xf32>")
    }  # fmt: skip
    assert {row[1:] for row in permuted} == {("memref<?xi32>", "vector<4xi32>")}
    assert inside == {("memref<?xvector<4xf32>>",)}
    assert {("vector<4xf32>", 32), ("vector<4xi16>", 16)} <= bits
    assert {row[1:] for row in lanes} == {(4, 4)}
    assert ("vector.bitcast#4", "vector<4xi16>") in made
    assert {message.partition(" op ")[2] for _, _, message in diagnosed} == {
        "base and vector element type should match",
        "expects the in_bounds attr of same rank as permutation_map results: 1 vs inBounds of size: 2",
        "source/result bitwidth of the minor 1-D vectors must be equal",
        "mask index #2 out of range",
    }


def test_what_contractions_sum_up() -> None:
    maps = "affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>"
    text = function(
        f"  %a = vector.contract {{indexing_maps = [{maps}], "
        'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<and>} '
        "%v, %w, %x : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>\n  return",
        "%v: vector<2x4xf32>, %w: vector<4x3xf32>, %x: vector<2x3xf32>",
    )
    side, summed, kept, known, made, ways, elements, diagnosed = derive(
        text, "side_loop", "contracting_loop", "keeps_loops", "has_known_loops", "contracts_to", "contracts_by",
        "element_of_contraction", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    op = "vector.contract#1"
    assert side == {(op, 0), (op, 1), (op, 2)} and summed == {(op, 2)} and kept == known == {(op,)}
    assert made == {(op, "vector<2x3xf32>")} and elements == {("vector<2x3xf32>", "f32")} and ways == {(op, "and")}
    assert diagnosed == {(op, 8, "'vector.contract' op unsupported contraction type")}


def test_vectors_without_dimensions() -> None:
    text = function(
        "  %x = vector.multi_reduction <add>, %v, %s [] : vector<f32> to f32\n"
        "  vector.maskedstore %m[%i], %k, %w : memref<4xf32>, vector<i1>, vector<4xf32>\n  return",
        "%v: vector<f32>, %s: f32, %m: memref<4xf32>, %i: index, %k: vector<i1>, %w: vector<4xf32>",
    )
    reduced, stored = "vector.multi_reduction#1", "vector.maskedstore#2"
    flat, diagnosed = derive(text, "flat_operand", "diagnosed", rules=VERIFICATION)
    assert flat == {(reduced, 0, "vector<f32>"), (stored, 2, "vector<i1>")}
    said = "'vector.multi_reduction' op operand #0 must be vector of any type values, but got 'vector<f32>'"
    assert (reduced, 3, said) in diagnosed


def test_numbers_that_are_too_long() -> None:
    numbers = ("4294967296", "2147483648", "-2147483649", "64")
    body = "\n".join(f"  %{i} = memref.assume_alignment %m, {n} : memref<4xf32>" for i, n in enumerate(numbers))
    text = function(f"{body}\n  return", "%m: memref<4xf32>")
    read, wraps, diagnosed = derive(text, "read_as", "wraps", "diagnosed", rules=VERIFICATION)
    constraint = "32-bit signless integer attribute whose value is positive"
    name = "memref.assume_alignment"
    assert read == {(f"{name}#{i}", "alignment", constraint, 32) for i in range(1, 5)}
    assert wraps == {(f"{name}#{i}", "alignment", constraint) for i in (2, 3)}
    said = f"'{name}' op attribute 'alignment' failed to satisfy constraint: {constraint}"
    assert (f"{name}#1", 0, "integer constant out of range for attribute") in diagnosed
    assert (f"{name}#2", 2, said) in diagnosed and not any(op == f"{name}#4" for op, _, _ in diagnosed)


def test_places_in_vectors_and_sizes_of_allocations() -> None:
    text = function(
        "  %a = vector.extract %v[1] : vector<8xf32> from vector<4x8xf32>\n"
        "  %b = gpu.alloc (%i) : memref<?xf32>\n  return",
        "%v: vector<4x8xf32>, %i: index",
    )
    places, sizes = derive(text, "place", "sizes_of_gpu", rules=VERIFICATION)
    assert places == {("vector.extract#1", "vector<4x8xf32>", "vector<8xf32>", 2, 1)}
    assert sizes == {("gpu.alloc#2", 1)}


def test_a_type_that_is_none() -> None:
    body = "  %a = vector.load %m[%i] : memref<4xf32>, vector<?xf32>\n  return"
    text = function(body, "%m: memref<4xf32>, %i: index")
    unreadable, found = derive(text, "unreadable_type", "diagnosed", rules=VERIFICATION)
    assert ("vector.load#1", "expected non-function type") in unreadable
    assert ("vector.load#1", 0, "expected non-function type") in found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("memref.copy %m, %m : <4xf32> to memref<4xf32>", "expected non-function type"),
        ("memref.dealloc %m : <4xf32>", "expected non-function type"),
        ("%a = arith.constant 1 : <i32>", "expected non-function type"),
        ("%a = arith.constant dense<1.0> : <2xf32>", "expected non-function type"),
        ("%a = arith.constant dense<[1, 2,]> : tensor<2xi32>", "expected element literal of primitive type"),
        ("%a = arith.constant dense<[[1],, [3]]> : tensor<2x1xi32>", "expected element literal of primitive type"),
        ("%a = tensor.empty() : tensor<>", "expected non-function type"),
        ("%a = memref.alloc() : memref<2xf32, strided<[x]>>", "expected a 64-bit signed integer or '?'"),
        ("%a = memref.alloc() : memref<2xf32, strided<1>>", "expected '['"),
        ("%a = arith.constant dense<[1, 2]> : tensor<2xi32>", None),
        ("memref.dealloc %m : memref<4xf32>", None),
    ],
)
def test_texts_that_are_no_types_or_elements(line: str, message: str | None) -> None:
    text = function(f"  {line}\n  return", "%m: memref<4xf32>")
    (output,) = run_mlir_opt([text])
    assert (output.text is None) == (message is not None)
    found = {said for _, _, said in derive(text, "diagnosed", rules=VERIFICATION)}
    assert message in found if message is not None else found == set()


def test_sizes_of_buffers_of_vectors() -> None:
    lines = (
        "%0 = vector.type_cast %a : memref<2xvector<3xi32>> to memref<vector<2x3xi32>>",
        "%1 = vector.type_cast %b : memref<4xf32> to memref<vector<4xf32>>",
        "%2 = vector.type_cast %c : memref<vector<4xf32>> to memref<vector<4xf32>>",
    )
    arguments = "%a: memref<2xvector<3xi32>>, %b: memref<4xf32>, %c: memref<vector<4xf32>>"
    text = function("\n".join((*lines, "return")), arguments)
    sizes, found = derive(text, "all_sizes", "diagnosed", rules=VERIFICATION)
    assert sizes == {("memref<2xvector<3xi32>>", "2x3"), ("memref<4xf32>", "4"), ("memref<vector<4xf32>>", "4")}
    assert found == set() and run_mlir_opt([text])[0].text is not None


def test_what_signatures_and_lists_of_numbers_state() -> None:
    text = (
        "func.func @f(%t: tensor<2x3xf32>, %n: index, %d: tensor<?x?x8x2xf32>, %s: tensor<?x?xf32>) {\n"
        "  %c = tensor.concat dim(1) %t, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>\n"
        "  %l = affine.linearize_index [%n, %n] by (8, %n) : index\n"
        "  %p = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %d : tensor<?x?xf32> -> "
        "tensor<?x?x8x2xf32>\n"
        "  return\n}\n"
        "llvm.func @g(%a: i32) -> i32 {\n  llvm.return %a : i32\n}\n"
    )
    parts, rank, taken, returns, written, basis = derive(
        text, "concatenated_size", "packed_rank", "llvm_signature", "returns_to_llvm", "written_signature",
        "takes_basis", rules=VERIFICATION,
    )  # fmt: skip
    assert parts == {("tensor.concat#1", 0, 1, 3), ("tensor.concat#1", 1, 1, 3)}
    assert rank == {("linalg.pack#3", 2)}
    assert taken == {("llvm.func#1", "(i32) -> i32")}
    assert returns == {("llvm.return#2", "(i32) -> i32")}
    assert ("tensor.concat",) in written and ("affine.linearize_index", "static_basis") in basis


def test_loops_of_named_operations() -> None:
    text = function(
        "  %a = linalg.matmul ins(%t, %t : tensor<4x5xf32>, tensor<4x5xf32>) outs(%t : tensor<4x5xf32>) "
        "-> tensor<4x5xf32>\n"
        "  %b = linalg.conv_1d_nwc_wcf {strides = dense<3> : tensor<1xi64>} ins(%i, %k : tensor<1x8x2xf32>, "
        "tensor<4x2x1xf32>) outs(%o : tensor<1x3x1xf32>) -> tensor<1x3x1xf32>\n"
        "  %c = linalg.add ins(%v, %v : tensor<?x5xf32>, tensor<?x5xf32>) outs(%u : tensor<?x4xf32>) "
        "-> tensor<?x4xf32>\n"
        "  %e = linalg.matmul ins(%u, %t : tensor<?x4xf32>, tensor<4x5xf32>) outs(%v : tensor<?x5xf32>) "
        "-> tensor<?x5xf32>\n"
        "  return",
        "%t: tensor<4x5xf32>, %i: tensor<1x8x2xf32>, %k: tensor<4x2x1xf32>, %o: tensor<1x3x1xf32>, "
        "%u: tensor<?x4xf32>, %v: tensor<?x5xf32>",
    )
    places, first, ranges, open_, slides, steps, items, diagnosed = derive(
        text, "loop_place", "range_place", "loop_range", "open_loops", "slides", "step_of", "literal_item", "diagnosed",
        rules=VERIFICATION,
    )  # fmt: skip
    product = "linalg.matmul#1"
    assert {row[1:] for row in places if row[0] == product} == {
        (0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 2, 0), (2, 1, 1), (2, 2, 1)
    }  # fmt: skip
    assert {row[1:] for row in first if row[0] == product} == {(0, 1), (1, 0), (2, 101)}
    assert {row[1:] for row in ranges if row[0] == product} == {(0, 5), (1, 4), (2, 5)}
    assert len(open_) == 2 and not {row for row in ranges if row[0] in {op for (op,) in open_}}
    assert {row[1:] for row in items} == {("strides", -1, 3)}
    assert {row[1:] for row in steps} == {("strides", 0, 3), ("dilations", 0, 1)}
    assert {row[1:] for row in slides} == {(1, 9)}
    assert {message.partition(" op ")[2] for _, _, message in diagnosed} == {
        "inferred input/output operand #1 has shape's dimension #0 to be 5, but found 4",
        "inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 10, but found 8",
    }


def test_subscripts_lists_of_results_and_vectors_taken_apart() -> None:
    text = function(
        "  %a = affine.load %m[%n, %n + 1] : memref<4x5xf32>\n"
        "  %b = vector.from_elements %a, %a : vector<2x1xf32>\n"
        "  %c = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, "
        "affine_map<(d0, d1, d2) -> (d2, d1)>, "
        'affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], '
        "kind = #vector.kind<add>} %b, %b, %v : vector<2x1xf32>, vector<2x1xf32> into vector<2x1xf32>\n"
        '  %d = "nvvm.read.ptx.sreg.tid.x"() <{range = #llvm.constant_range<i32, 0, 64>}> : () -> i32\n'
        '  %e = "gpu.spmm_buffer_size"() <{resultSegmentSizes = array<i32: 1, 3>}> : () -> index\n'
        "  return",
        "%m: memref<4x5xf32>, %n: index, %v: vector<2x1xf32>",
    )
    subscripts, apart, total, up, sizes, parameters, results = derive(
        text, "subscript_count", "apart_type", "type_total", "up_to_dimension", "contracted_size", "parameter_type",
        "results_total", rules=VERIFICATION,
    )  # fmt: skip
    assert subscripts == {("affine.load#1", 0, 2)}
    assert apart == {("vector<2x1xf32>",)} and total == {("vector<2x1xf32>", 2)}
    assert {row[1:] for row in up} == {(0, 1), (1, 2), (2, 2)}
    assert {row[1:] for row in sizes} == {
        (0, 0, 0, 2), (2, 0, 1, 1), (2, 1, 0, 2), (1, 1, 1, 1), (0, 2, 0, 2), (1, 2, 1, 1)
    }  # fmt: skip
    assert {row[1:] for row in parameters} == {("range", "i32")}
    assert {row[1:] for row in results} == {(4,)}


def test_what_patterns_bind_and_classes_define() -> None:
    text = (
        "pdl.pattern @p : benefit(1) {\n  %a = operand\n  %b = operand\n  %c = operation(%a : !pdl.value)\n"
        '  rewrite %c with "x"\n}\n'
        "emitc.class @C {\n  emitc.field @x : i32\n  emitc.field @x : i32\n}\n"
    )
    named, bound, fields, diagnosed = derive(
        text, "named_in_pattern", "binds", "in_class", "diagnosed", rules=VERIFICATION
    )
    assert len(named) == 3 and len(bound) == 2 and {row[1] for row in fields} == {'"x"'} and len(fields) == 2
    messages = {message.partition(" op ")[2] or message for _, _, message in diagnosed}
    assert "expected a bindable user when defined in the matcher body of a `pdl.pattern`" in messages
    assert any(message.startswith("redefinition of symbol") for message in messages)


def test_what_interpreted_patterns_choose_by_and_make() -> None:
    text = (
        "pdl_interp.func @m(%o: !pdl.operation, %t: !pdl.type, %v: !pdl.value) {\n"
        "  %0 = pdl_interp.create_range %t, %v : !pdl.type, !pdl.value\n"
        "  pdl_interp.switch_type %t to [i32, i64](^a) -> ^a\n^a:\n"
        "  pdl_interp.switch_operand_count of %o to dense<[1, 2, 3]> : vector<3xi32>(^b, ^b, ^b) -> ^b\n^b:\n"
        "  pdl_interp.finalize\n}\n"
    )
    values, made, diagnosed = derive(text, "case_values", "made_range", "diagnosed", rules=VERIFICATION)
    assert sorted(total for _, total in values) == [2, 3]
    assert {row[1] for row in made} == {"!pdl.type"}
    messages = {message.partition(" op ")[2] for _, _, message in diagnosed}
    assert "expected number of cases to match the number of case values, got 1 but expected 2" in messages
    assert "expected operand to have element type '!pdl.type', but got '!pdl.value'" in messages


def test_data_clauses_recipes_and_lists_of_operands() -> None:
    text = (
        '"acc.private.recipe"() <{sym_name = "kept", type = memref<4xf32>}> ({\n'
        '^bb0(%v: memref<4xf32>):\n  "acc.yield"(%v) : (memref<4xf32>) -> ()\n}, {\n}) : () -> ()\n'
    ) + function(
        "  %p = acc.private varPtr(%m : memref<4xf32>) recipe(@kept) -> memref<4xf32>\n"
        "  %c = acc.copyin varPtr(%m : memref<4xf32>) -> memref<4xf64>\n"
        '  "acc.data"(%c, %i) <{operandSegmentSizes = array<i32: 0, 0, 0, 2>}> ({\n    "acc.terminator"() : () -> ()\n'
        "  }) : (memref<4xf64>, i32) -> ()\n"
        "  acc.data dataOperands(%p : memref<4xf32>) {\n    acc.terminator\n  }\n"
        "  return",
        "%m: memref<4xf32>, %i: i32",
    )
    recipes, data, made, starts, diagnosed = derive(
        text, "found_recipe", "data_operand", "made_by_clause", "segment_start", "diagnosed", rules=VERIFICATION
    )
    assert recipes == {("acc.private#1",)}
    assert {row[1] for row in data} == {0} and len(data) == 2 and len(made) == 1
    assert {row[1:] for row in starts} == {(0, 0), (1, 0), (2, 0), (3, 0), (4, 2)}
    assert {message.partition(" op ")[2] or message for _, _, message in diagnosed} == {
        "input and output types must match",
        "operand #1 must be any pointer or mappable, but got 'i32'",
        "expect data entry/exit operation or acc.getdeviceptr as defining op",
    }


def test_grids_and_what_moves_along_them() -> None:
    text = '"shard.grid"() <{shape = array<i64: 2, 4>, sym_name = "g"}> : () -> ()\n' + function(
        '  %a = "shard.all_gather"(%t) <{gather_axis = 1 : index, grid = @g, grid_axes = array<i16: 1>}> '
        ": (tensor<8x4xf32>) -> tensor<7x17xf32>\n"
        '  %b = "shard.all_reduce"(%t) <{grid = @h, grid_axes = array<i16: -1>}> '
        ": (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
        "  return",
        "%t: tensor<8x4xf32>",
    )
    grids, moved, devices, axes, diagnosed = derive(
        text, "found_grid", "moved_dimension", "devices", "axis_of_grid", "diagnosed", rules=VERIFICATION
    )
    assert grids == {("shard.all_gather#1",)} and {row[1] for row in moved} == {1}
    assert {row[1] for row in devices} == {4}
    assert {row[1] for row in axes} == {1, -1}
    assert {message for _, _, message in diagnosed} == {
        "Dimension size mismatch for result axis 0. Expected 8, but got 7.",
        "Dimension size mismatch for result axis 1. Expected 16, but got 17.",
        'Undefined required grid symbol "h".',
        "0-based grid axis index -1 is out of bounds.",
    }


def test_formulas_pointers_tiles_and_quantized_types() -> None:
    text = function(
        "  smt.solver() : () -> () {\n"
        "    %0 = smt.forall {\n    ^bb0(%x: !smt.int):\n      smt.yield %x : !smt.int\n    }\n    smt.yield\n  }\n"
        "  %1 = ptr.load %p alignment = 3 : !ptr.ptr<#ptr.generic_space> -> i64\n"
        "  %2 = ptr.masked_load %p, %k, %v : !ptr.ptr<#ptr.generic_space> -> vector<4xf32>\n"
        "  %3 = arm_sme.extract_tile_slice %t[%i] : vector<[4]xf64> from vector<[4]x[4]xf32>\n"
        "  %4 = quant.scast %q : tensor<2xi8> to tensor<2xi8>\n"
        "  %5 = quant.qcast %f : tensor<2xf32> to tensor<2x!quant.uniform<i8:f32, 2.0>>\n"
        "  %6 = x86vector.avx512.cvt.packed.f32_to_bf16 %w : vector<8xf32> -> vector<16xbf16>\n"
        "  return",
        "%p: !ptr.ptr<#ptr.generic_space>, %k: vector<2xi1>, %v: vector<4xf32>, %t: vector<[4]x[4]xf32>, %i: index, "
        "%q: tensor<2xi8>, %f: tensor<2xf32>, %w: vector<8xf32>",
    )
    yields, bools, aligned, masked, tiles, of_tiles, quantized, elements, diagnosed = derive(
        text, "smt_yield", "yields_one_bool", "aligned", "masked_type", "tile", "of_tile", "quantized", "elements_at",
        "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert len(yields) == 2 and bools == set() and {row[1] for row in aligned} == {3}
    assert {row[1] for row in masked} == {"vector<4xf32>"} and {row[1] for row in tiles} == {"vector<[4]x[4]xf32>"}
    assert {row[1] for row in of_tiles} == {"vector<[4]xf64>"}
    assert quantized == {("tensor<2x!quant.uniform<i8:f32,2.0>>",)}
    assert {row[1:] for row in elements} == {(0, 8), (-1, 16)}
    assert {message.partition(" op ")[2] or message for _, _, message in diagnosed} >= {
        "yielded value must be of '!smt.bool' type",
        "alignment must be a power of 2",
        "value and mask must be compatible",
        "failed to verify that input must be integer and result must be quantized, or vice versa",
    }


def test_images_chains_and_local_variables() -> None:
    image = "!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>"
    text = function(
        f"  %0 = spirv.ImageRead %m, %i : {image}, vector<2xi32> -> vector<4xi32>\n"
        "  %1 = spirv.AccessChain %p[%n] : !spirv.ptr<!spirv.array<4 x f32>, Function>, i32 "
        "-> !spirv.ptr<i32, Function>\n"
        '  %2 = "spirv.EXT.ConstantCompositeReplicate"() <{value = 1 : i32}> : () -> vector<2xf32>\n'
        "  %3 = wasmssa.local of type i32\n"
        "  %6 = spirv.INTEL.SubgroupBlockRead %s : !spirv.ptr<i32, StorageBuffer> -> vector<2xf32>\n"
        '  %4 = "wasmssa.local_get"(%3) : (!wasmssa<local ref to i32>) -> i64\n'
        "  return",
        f"%m: {image}, %i: vector<2xi32>, %p: !spirv.ptr<!spirv.array<4 x f32>, Function>, %n: i32, "
        "%s: !spirv.ptr<i32, StorageBuffer>",
    )
    numbers, pixels, reached, parts, kept, blocks, held, diagnosed = derive(
        text, "numbers_in_image", "pixel", "reached", "repeated_part", "keeps", "block_value", "numbers_of",
        "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[2] for row in blocks} == {"vector<2xf32>"} and held == {("vector<2xf32>", "f32")}
    assert {row[1] for row in numbers} == {"f32"} and {row[1:] for row in pixels} == {("result", "vector<4xi32>")}
    assert {row[1:] for row in reached} == {(1, "!spirv.array<4xf32>"), (2, "f32")}
    assert {row[1] for row in parts} == {"f32"} and {row[1:] for row in kept} == {("!wasmssa.localreftoi32", "i64")}
    assert {message.partition(" op ")[2] or message for _, _, message in diagnosed} >= {
        "failed to verify that the result component type must match the image sampled type",
        "expected value attribute type 'f32', but got: 'i32'",
        "a local variable of the type '!wasmssa.localreftoi32' has no value of the type 'i64'",
    }


def test_shapes_variables_first_values_and_named_parameters() -> None:
    text = (
        '"memref.global"() <{initial_value = dense<0.0> : tensor<3xf32>, sym_name = "g", type = memref<4xf32>}> '
        ": () -> ()\n"
        '"tosa.variable"() <{sym_name = "v", type = i8, var_shape = dense<[2, 4]> : tensor<2xindex>}> : () -> ()\n'
        "irdl.dialect @d {\n  irdl.type @a {\n  }\n  irdl.type @b {\n    %0 = irdl.base @d::@a\n"
        "    %1 = irdl.base @d::@c\n  }\n}\n"
    ) + function(
        "  %0 = tosa.const_shape {values = dense<[8, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
        "  %1 = tosa.reshape %t, %0 : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x3xf32>\n"
        '  %2 = "tosa.variable_read"() <{name = "v"}> : () -> tensor<2x5xi8>\n'
        "  %3 = nvvm.wgmma.mma_async %d, %d, %r, #nvvm.shape<m = 32, n = 8, k = 32>,\n"
        "      D [<s32>, <zero>], A [<s8>, <one>, <row>], B [<s8>, <one>, <col>] "
        ": !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>\n"
        "  return",
        "%t: tensor<4x8xf32>, %d: i64, %r: !llvm.struct<(i32, i32, i32, i32)>",
    ) + (
        "llvm.comdat @c {\n  llvm.comdat_selector @any any\n}\n"
        "llvm.mlir.global external @x() comdat(@c::@any) : i32\nllvm.mlir.global external @y() comdat(@c::@no) : i32\n"
    )
    initial, sizes, new, bases, comdats, named, diagnosed = derive(
        text, "initial_type", "variable_size", "reshaped_size", "found_base", "found_comdat", "parameter_number",
        "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in initial} == {("memref<4xf32>", "tensor<3xf32>")}
    assert {row[1:] for row in sizes} == {(0, 2), (1, 4)} and {row[1:] for row in new} == {(0, 8), (1, 4)}
    assert len(comdats) == 1 and len(bases) == 1 and {row[2:] for row in named} == {("m", 32), ("n", 8), ("k", 32)}
    assert {message.partition(" op ")[2] or message for _, _, message in diagnosed} == {
        "initial value shape expected to be 4 but was 3",
        "new shape is inconsistent with result shape",
        "require same shapes for 'output1' ('tensor<2x5xi8>') and the input tensor",
        "symbol '@d::@c' not found",
        "shape 'm' must be 64",
        "expected comdat symbol",
    }


def test_launches_buffers_and_texts_of_attributes() -> None:
    text = (
        "gpu.module @k {\n"
        "  gpu.func @f(%x: f32) -> f32 {\n    gpu.return %x : f32\n  }\n"
        "}\n"
        "func.func @g(%i: index, %x: i32, %m: memref<4xf32>, %n: i32 {llvm.align = \"four\", a.b = 1 : f32}) {\n"
        "  gpu.launch_func @k::@f blocks in (%i, %i, %i) threads in (%i, %i, %i) args(%x : i32)\n"
        "  %a = amdgpu.raw_buffer_load %m[%n] : memref<4xf32>, i32 -> vector<2xi32>\n"
        '  %b = "emitc.call_opaque"(%x) <{args = [0 : index, 1 : index], callee = "h"}> : (i32) -> i32\n'
        "  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i) {\n  }\n"
        '  %c = "arith.extui"(%x) <{a = 1 : i32}> : (i32) -> i64\n'
        "  return\n}\n"
    )
    returns, launched, numbers, unreadable, kinds, items, sets, properties, found = derive(
        text, "returns_to_gpu", "launched", "accessed_number", "unreadable_attribute", "argument_attribute",
        "typed_item", "affine_set", "has_properties", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1] for row in returns} == {"(f32) -> f32"} == {row[1] for row in launched}
    assert {row[1:] for row in numbers} == {(0, "i32")}
    assert {row[1] for row in unreadable} == {"unexpected decimal integer literal for a floating point value"}
    assert {row[1:] for row in kinds} == {("llvm.align", "string"), ("a.b", "integer")}
    assert {row[1:] for row in items} == {("args", 0, "index"), ("args", 1, "index")}
    assert {row[1:] for row in sets} == {("condition", 1, 1)}
    assert {(name.partition("#")[0], dialect) for name, dialect in properties} == {
        ("@g/emitc.call_opaque", "emitc"), ("@g/arith.extui", "arith")
    }  # fmt: skip
    messages = {message.partition(" op ")[2] or message for _, _, message in found}
    assert {
        "index argument is out of range",
        "operand count and integer set dimension and symbol count must match",
        "type of function argument 0 does not match",
        "failed to verify that all of {value, memref} have same element type",
        "unexpected decimal integer literal for a floating point value",
        "arith.extui: this operation does not support properties",
    } <= messages


def test_windows_tiles_and_what_is_moved() -> None:
    zeros = "%z, %z : (tensor<1x47x40x28xf32>, tensor<28x3x3x28xf32>, tensor<28xf32>, tensor<1xf32>, tensor<1xf32>)"
    attributes = "acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 1>, dilation = array<i64: 2, 1>"
    text = function(
        f"  %a = tosa.conv2d %t, %w, %b, {zeros.replace(' : ', f' {{{attributes}}} : ')} -> tensor<1x45x40x28xf32>\n"
        "  %p = linalg.pack %s outer_dims_perm = [1, 0] inner_dims_pos = [0] inner_tiles = [4] into %d"
        " : tensor<10x6xf32> -> tensor<6x2x4xf32>\n"
        "  %v = affine.vector_load %m[%i] : memref<8xf32>, vector<4xi32>\n  return",
        "%t: tensor<1x47x40x28xf32>, %w: tensor<28x3x3x28xf32>, %b: tensor<28xf32>, %z: tensor<1xf32>, "
        "%s: tensor<10x6xf32>, %d: tensor<6x2x4xf32>, %m: memref<8xf32>, %i: index",
    )
    text += """spirv.module Logical GLSL450 {
  spirv.GlobalVariable @in built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.func @main() "None" {
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @main, @in, @out
}
"""
    steps, untiled, along, outer, packed, moved, inside, diagnosed = derive(
        text, "window_steps", "untiled_type", "tiled_along", "outer_size", "packed_size", "moves_vector",
        "in_interface", "diagnosed", rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in steps} == {(1, 44), (2, 39)}
    assert {type for _, type in untiled} == {"tensor<10x6xf32>"} and {row[1:] for row in along} == {(0,)}
    assert {row[1:] for row in outer} == {(0, 3), (1, 6)} and {row[1:] for row in packed} == {(0, 6), (1, 3)}
    assert {row[1:] for row in moved} == {("vector<4xi32>", "memref<8xf32>")}
    assert {symbol for _, symbol in inside} == {"in"}
    assert {message for _, _, message in diagnosed} == {
        "'tosa.conv2d' op calculated output height did not match expected: calculated=23, expected=45",
        "'linalg.pack' op expected size 3 of dimension 1 for the packed domain value, got 2",
        "'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value"
        " is not set",
        "'affine.vector_load' op requires memref and vector types of the same elemental type",
        "expected spirv.GlobalVariable symbol reference instead of'@out'",
    }


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "%a = tosa.max_pool2d %t {kernel = array<i64: 2, 2>, pad = array<i64: 0, 2, 0, 0>, "
            "stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x9x7x4xf32>",
            "expected top/bottom padding to be less than the height of the kernel, got pad_top=0, pad_bottom=2, "
            "kernel_y=2",
        ),
        (
            "%a = tosa.max_pool2d %t {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
            "stride = array<i64: 1, 4>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x2x4xf32>",
            "expected input_width with its padding to be wholly divisible by stride_x, got 6 / 4",
        ),
        (
            "%a = tosa.transpose_conv2d %t, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, "
            "stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>, tensor<6xf32>, tensor<1xf32>, "
            "tensor<1xf32>) -> tensor<1x10x11x6xf32>",
            "dimension mismatch: expected OW == (IW - 1) * stride_x + out_pad_left + out_pad_right + KW, but got "
            "11 != (8 - 1) * 1 + 0 + 0 + 3",
        ),
        (
            "%a = tosa.transpose_conv2d %t, %w, %b, %z, %z {acc_type = f16, out_pad = array<i64: 0, 0, 0, 0>, "
            "stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>, tensor<6xf32>, tensor<1xf32>, "
            "tensor<1xf32>) -> tensor<1x10x10x6xf32>",
            "accumulator type for f32 tensor is not f32",
        ),
        (
            "%a:2 = affine.delinearize_index %i into (0, 8) : index, index",
            "no basis element may be statically non-positive",
        ),
        (
            "%a = rocdl.mfma.f32.4x4x4f16 %h, %h, %x, %j, %j, %j, %j : "
            "(vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>",
            "got 7 operands and 6 types",
        ),
        (
            "%a = tosa.conv2d %t, %w, %z5, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, "
            "stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<6x3x3x4xf32>, "
            "tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x8x6xf32>",
            "bias channels expected to be equal to output channels (6) or 1, got 5",
        ),
        (
            '%a = "tosa.const"() <{values = dense<1> : tensor<2xi32>}> : () -> tensor<2xi16>',
            "expected same attr/result element types",
        ),
        (
            '%s = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>\n'
            "  %a = tosa.mul %b, %b, %s : (tensor<6xf32>, tensor<6xf32>, tensor<1xi8>) -> tensor<6xf32>",
            "require shift to be 0 for float type",
        ),
        (
            '%s = "tosa.const_shape"() <{values = dense<5> : tensor<1xindex>}> : () -> !tosa.shape<1>\n'
            "  %a = tosa.reshape %b, %s : (tensor<6xf32>, !tosa.shape<1>) -> tensor<6xf32>",
            "new shape is inconsistent with result shape",
        ),
        (
            "%a = tosa.max_pool2d %t {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, "
            "stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xi32>",
            "expect input and output to have same element type",
        ),
        (
            '%a = "spirv.VectorShuffle"(%x, %x) <{components = [1 : i32, 3 : i32]}> : '
            "(vector<4xf32>, vector<4xf32>) -> vector<3xf32>",
            "result type element count (3) mismatch with the number of component selectors (2)",
        ),
        (
            '"xegpu.prefetch"(%u, %o) : (ui64, vector<4xindex>) -> ()',
            "offset_align_byte is required with integer source.",
        ),
        (
            '"shape.func"() <{function_type = () -> (), sym_name = "g"}> ({\n  }) : () -> ()',
            "symbol declaration cannot have public visibility",
        ),
    ],
)
def test_sizes_are_those_that_mlir_opt_asks_for(line: str, message: str) -> None:
    text = function(
        f"  {line}\n  return",
        "%t: tensor<1x8x8x4xf32>, %w: tensor<6x3x3x4xf32>, %b: tensor<6xf32>, %z: tensor<1xf32>, %i: index, %j: i32, "
        "%h: vector<4xf16>, %x: vector<4xf32>, %z5: tensor<5xf32>, %u: ui64, %o: vector<4xindex>",
    )
    assert any(message in told for _, _, told in derive(text, "diagnosed", rules=VERIFICATION))
    (theirs,) = run_mlir_opt([text])
    assert theirs.text is None and (message in str(theirs.errors) or "wholly divisible" in str(theirs.errors))


@pytest.mark.parametrize(
    ("space", "kind", "message"),
    [
        ("1", "integer", None),
        ("1 : i32", "integer", None),
        ("true", "bool", None),
        ('"near"', "string", None),
        ("{bank = 1}", "dictionary", None),
        ("#gpu.address_space<workgroup>", "dialect", None),
        ("0", None, None),  # goes without saying
        ("1.0", "float", "unsupported memory space Attribute"),
        ("unit", "unit", "unsupported memory space Attribute"),
        ("loc(unknown)", "location", "unsupported memory space Attribute"),
        ("f32", "other", "unsupported memory space Attribute"),
        ("@a", "symbol", "unsupported memory space Attribute"),
        ("[1, 2]", "array", "unsupported memory space Attribute"),
        ("dense<1> : tensor<1xi32>", "elements", "unsupported memory space Attribute"),
    ],
)
def test_not_every_attribute_is_a_memory_space(space: str, kind: str | None, message: str | None) -> None:
    text = f"func.func @f(%m: memref<4xf32, {space}>) {{\n  return\n}}\n"
    kinds, misfits = derive(text, "space_kind", "misfit", rules=VERIFICATION)
    assert {found for _, found in kinds} == ({kind} if kind else set())
    assert {told for _, told in misfits} == ({message} if message else set())
    (output,) = run_mlir_opt([text])
    assert (output.text is None) == (message is not None)
    assert message is None or message in output.errors


@pytest.mark.parametrize(
    ("type", "message"),
    [
        ("memref<9223372036854775808xf32>", "invalid dimension"),
        ("tensor<9223372036854775808xf32>", "invalid dimension"),
        ("memref<*xf32, strided<[1]>>", "cannot have affine map for unranked memref type"),
        ("i16777216", "integer bitwidth is limited to 16777215 bits"),
        ("memref<4xf32, 1, 2>", "multiple memory spaces specified in memref type"),
        ('memref<4xf32, "a", strided<[1]>>', "expected memory space to be last in memref type"),
    ],
)
def test_sizes_and_parts_of_types(type: str, message: str) -> None:
    text = f"func.func @f(%m: {type}) {{\n  return\n}}\n"
    unreadable, diagnosed = derive(text, "unreadable_type", "diagnosed", rules=VERIFICATION)
    assert {found for _, found in unreadable} == {message} and diagnosed
    assert run_mlir_opt([text, text.replace(type, "memref<4xf32>")])[0].text is None


@pytest.mark.parametrize(
    ("layout", "rank", "message"),
    [
        ("affine_map<(d0)[s0] -> (d0 + s0)>", 1, "memref layout mismatch between rank and affine map: 2 != 1"),
        ("affine_map<(d0, d1) -> (d1, d0)>", 2, None),
        ("affine_map<(d0) -> (d0)>", 1, "memref layout mismatch between rank and affine map: 2 != 1"),
        ("strided<[1]>", 1, "expected the number of strides to match the rank"),
        ("strided<[?, 1], offset: ?>", 2, None),
    ],
)
def test_layouts_are_for_buffers_of_one_rank(layout: str, rank: int, message: str | None) -> None:
    type = f"memref<4x4xf32, {layout}>"
    for text in (
        f"func.func @f(%m: {type}) {{\n  return\n}}\n",
        f"func.func private @f({type})\nfunc.func private @g() -> {type}\n",
        f"func.func @f() {{\n  %a = memref.alloc() : {type}\n  return\n}}\n",
    ):
        layouts, misfits, diagnosed = derive(text, "layout_rank", "misfit", "diagnosed", rules=VERIFICATION)
        assert {row[1:] for row in layouts} == {(layout.partition("<")[0], rank)}
        assert {told for _, told in misfits} == ({message} if message else set())
        assert message is None or message in {told for _, _, told in diagnosed}
        if layout.count("?") == 0:
            assert (run_mlir_opt([text])[0].text is None) == (message is not None)
