"""The verifier's rules for the dialects that stand beside memrefs, on small IR."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.extensions import Extensions
from tests.support.dealog import run_dealog
from tests.support.tools import run_mlir_opt

from .derive import derive

VERIFICATION = ("verification",)

# What is stated of operations by their names.
STATED = (
    "array_type", "by_element", "computes_in", "declares_variable", "describes_transfer", "existing", "graph_name",
    "has_hint", "has_two_memrefs", "moves_tiles", "of_length", "of_numbers", "once_in", "one_type_as_result",
    "overlooks", "rarely", "reduces_axis", "takes_number", "tile_numbers", "typed_in_order", "unsupported_ordering",
    "uses_variable",
    "wraps_loop",
)  # fmt: skip


def function(body: str, arguments: str = "") -> str:
    return f"func.func @f({arguments}) {{\n{body}\n  return\n}}\n"


def messages(diagnosed: set[tuple[str | int, ...]]) -> set[str]:
    return {str(message).partition(" op ")[2] or str(message) for _, _, message in diagnosed}


def test_what_is_stated_of_operations() -> None:
    variable = "tosa.variable @v = dense<1> : tensor<2xi8>"
    stated = dict(zip(STATED, derive(variable, *STATED, rules=VERIFICATION), strict=True))
    assert [name for name, rows in stated.items() if not rows] == []
    assert ("linalg.add", 2) in stated["by_element"] and ("omp.wsloop",) in stated["wraps_loop"]
    assert stated["declares_variable"] == {('"v"',)}


def test_only_where_there_are_such_operations_their_rules_are_looked_at() -> None:
    text = function("  %a = arith.addi %i, %i : i32\n  %b = spirv.Constant 1 : i32", "%i: i32")
    assert derive(text, "rare", rules=VERIFICATION) == {("spirv.Constant#2",)}


def test_vectors_that_are_gathered_scanned_and_masked() -> None:
    text = function(
        "  %0 = vector.gather %u[%n] [%i], %m, %v : tensor<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> "
        "into vector<4xf32>\n"
        "  %1:2 = vector.scan <add>, %w, %s {inclusive = true, reduction_dim = 0 : i64} : "
        "vector<2x4xf32>, vector<2xf32>\n"
        "  %2 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, "
        'affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32\n'
        "  %3 = vector.transfer_read %u[%n], %x, %m : tensor<?xf32>, vector<4xf32>\n"
        "  %4 = vector.transfer_read %u[%n], %x, %x : tensor<?xf32>, vector<4xf32>",
        "%u: tensor<?xf32>, %n: index, %i: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>, %w: vector<2x4xf32>, "
        "%s: vector<2xf32>, %x: f32",
    )
    gathered, scanned, masks, diagnosed = derive(
        text, "gathered", "adds_up", "transfer_mask", "diagnosed", rules=VERIFICATION
    )
    assert {row[1:] for row in gathered} == {("tensor<?xf32>", "vector<4xi32>", "vector<4xi1>", "vector<4xf32>")}
    assert {row[1:] for row in scanned} == {("vector<2x4xf32>", "vector<2xf32>")}
    assert {row[1:] for row in masks} == {(1, "vector<4xi1>"), (1, "f32")}
    assert messages(diagnosed) == {"incompatible input/initial value shapes", "requires 1 indices"}


def test_symbols_of_classes_are_their_own() -> None:
    text = (
        "emitc.declare_func @nothing\n"
        "emitc.global @counter : i32\n"
        "emitc.class @C {\n"
        "  emitc.field @counter : i32\n"
        "  emitc.func @get() {\n    %0 = get_field @counter : i32\n    %1 = get_field @other : i32\n    return\n  }\n"
        "}\n"
        "emitc.func @g() {\n  %0 = emitc.get_global @counter : !emitc.lvalue<i64>\n  emitc.return\n}\n"
    )
    fields, gets, of, apart, globals_, declares, diagnosed = derive(
        text, "field", "gets_field", "gets_field_of", "apart", "gets_global", "declares", "diagnosed",
        rules=VERIFICATION,
    )  # fmt: skip
    assert {row[1:] for row in fields} == {('"counter"', "i32")} and len(apart) == 1 and declares == set()
    assert len(gets) > 2 and len(of) == 2
    assert {row[1:] for row in globals_} == {("counter", "i32", "!emitc.lvalue<i64>")}
    assert messages(diagnosed) == {
        "'nothing' does not reference a valid function",
        "field '@other' not found in the class",
        "on non-array type expects result inner type 'i64' to match type 'i32' of the global @counter",
    }


def test_attributes_that_mlir_opt_overlooks() -> None:
    text = 'llvm.mlir.global internal constant @t("text") {addr_space = "broken"}\n'
    overlooked, diagnosed = derive(text, "overlooked", "diagnosed", rules=VERIFICATION)
    assert {attribute for _, attribute in overlooked} >= {"addr_space"} and diagnosed == set()


def test_calls_and_orderings_of_llvm() -> None:
    text = (
        "llvm.func @g(%x: i32) -> i32 {\n  llvm.return %x : i32\n}\n"
        "llvm.func @f(%a: i64, %p: !llvm.ptr) {\n"
        "  %0 = llvm.call @g(%a) : (i64) -> i32\n"
        '  %1 = "llvm.load"(%p) <{ordering = 5 : i64}> : (!llvm.ptr) -> i32\n'
        "  llvm.return\n}\n"
    )
    calls, atomic, diagnosed = derive(text, "calls_llvm", "atomic", "diagnosed", rules=VERIFICATION)
    assert {str(op).partition("#")[0] for (op, _) in calls} == {"llvm.call"}
    assert {str(op).partition("#")[0] for (op,) in atomic} == {"llvm.load"}
    assert messages(diagnosed) == {
        "operand type mismatch for operand 0: 'i64' != 'i32'",
        "unsupported ordering 'release'",
        "expected alignment for atomic access",
    }


def test_tiles_of_packed_tensors() -> None:
    text = function(
        "  %0 = linalg.unpack %p inner_dims_pos = [0] inner_tiles = [5] into %s : tensor<?x8xf32> -> tensor<?xf32>",
        "%p: tensor<?x8xf32>, %s: tensor<?xf32>",
    )
    tiled, diagnosed = derive(text, "tiled_type", "diagnosed", rules=VERIFICATION)
    assert {type for _, type in tiled} == {"tensor<?x8xf32>"}
    assert messages(diagnosed) == {
        "mismatch in inner tile sizes specified and shaped of tiled dimension in the packed type"
    }


def test_graphs_and_variables_of_tosa() -> None:
    text = "tosa.variable @v = dense<1> : tensor<2xi8>\n" + function(
        "  %0 = tosa.cond_if %c (%x = %a) : tensor<i1> (tensor<f32>) -> tensor<f32> {\n"
        "  ^bb0(%x: tensor<i32>):\n    tosa.yield %a : tensor<f32>\n  } else {\n"
        "  ^bb0(%x: tensor<f32>):\n    tosa.yield %x : tensor<f32>\n  }\n"
        "  %1 = tosa.variable_read @v : tensor<3xi8>\n"
        "  %2 = tosa.variable_read @w : tensor<3xi8>",
        "%c: tensor<i1>, %a: tensor<f32>",
    )
    graphs, compared, variables, held, diagnosed = derive(
        text, "graph_of", "compared", "variable_of", "held_in_variable", "diagnosed", rules=VERIFICATION
    )
    assert {row[2] for row in graphs} == {"'then_graph'", "'else_graph'"} and len(compared) == 4
    assert {type for _, type in variables} == {"tensor<2xi8>"}
    assert {row[1:] for row in held} == {("'output1'", "tensor<3xi8>")}
    assert messages(diagnosed) == {
        "require same element type for 'then_graph' arguments ('i32') and 'input_list' ('f32')",
        "require same shapes for 'output1' ('tensor<3xi8>') and the input tensor ('tensor<2xi8>')",
        "'w' has not been declared by 'tosa.variable'",
    }


def test_constants_of_spirv() -> None:
    text = function("  %0 = spirv.Constant dense<2> : tensor<2xi32> : !spirv.array<2 x i64>")
    elements, diagnosed = derive(text, "constant_elements", "diagnosed", rules=VERIFICATION)
    assert {type for _, type in elements} == {"i32"}
    assert messages(diagnosed) == {"result element type ('i64') does not match value element type ('i32')"}


def test_products_and_copies_of_nvgpu() -> None:
    map = "!nvgpu.tensormap.descriptor<tensor = memref<32x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, "
    map += "interleave = none>"
    text = function(
        "  %0 = nvgpu.mma.sync(%a, %b, %b) {mmaShape = [16, 8, 8]} : "
        "(vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>\n"
        "  %1 = nvgpu.device_async_copy %m[%i, %i], %s[%i], 8 : memref<32x32xf32> to memref<32x32xf32, 3>\n"
        f"  nvgpu.tma.async.store %s to %map[%i, %i] : memref<32x32xf32, 3> -> {map}",
        "%a: vector<4x2xf16>, %b: vector<2x2xf16>, %m: memref<32x32xf32>, %s: memref<32x32xf32, 3>, %i: index, "
        f"%map: {map}",
    )
    multiplied, factors, copied, tiles, diagnosed = derive(
        text, "multiplied", "factor", "copied", "tile_map", "diagnosed", rules=VERIFICATION
    )
    assert {row[2:] for row in multiplied} == {(16, 8, 8)}
    assert {row[1:] for row in factors} == {("A", 128, 0), ("B", 64, 1), ("C", 128, 2)}
    assert {row[1:] for row in copied} == {(0, 2, 2)}
    assert {row[1:] for row in tiles} == {("memref<32x32xf32, 3>", "memref<32x16xf32, 3>")}
    assert messages(diagnosed) == {
        "expected 128 warp-wide matrix A elements",
        "expected 64 warp-wide matrix B elements",
        "expected 2 destination indices, got 1",
        "memref and tensor map shapes mismatch 'memref<32x16xf32, 3>' != 'memref<32x32xf32, 3>'",
    }


def test_loops_and_hints_of_omp() -> None:
    loop = "omp.loop_nest (%a) : i32 = (%i) to (%i) step (%k) {\n      omp.yield\n    }"
    text = "omp.critical.declare @lock hint(contended)\n" + function(
        f"  omp.wsloop {{\n    {loop}\n    {loop}\n  }}\n"
        f"  omp.workshare.loop_wrapper {{\n    {loop}\n  }}\n"
        '  "omp.critical.declare"() <{hint = 3 : i64, sym_name = "other"}> : () -> ()',
        "%i: i32, %k: index",
    )
    counts, wrappers, shared, hints, diagnosed = derive(
        text, "counts_in", "in_workshare", "shares_work", "hints", "diagnosed", rules=VERIFICATION
    )
    assert {(row[1], row[3]) for row in counts} == {(3, "i32")}
    assert len(wrappers) > 1 and shared == set()
    assert {row[1:] for row in hints} == {("uncontended", "contended")}
    assert messages(diagnosed) == {
        "loop wrapper does not contain exactly one nested op",
        "must be nested in an omp.workshare",
        "the hints omp_sync_hint_uncontended and omp_sync_hint_contended cannot be combined",
        "use of value '%k' expects different type than prior uses: 'i32' vs 'index'",
    }


def test_what_is_moved_on_accelerators() -> None:
    text = function(
        "  amdgpu.gather_to_lds %f[%i], %s[%v] : f32, memref<8xf32, 1>, memref<8xf32, 3>\n"
        '  %0 = "xegpu.load_nd"(%t) : (!xegpu.tensor_desc<8x16xf32>) -> vector<8x16xi32>',
        "%f: memref<8xf32, 1>, %s: memref<8xf32, 3>, %i: index, %v: f32, %t: !xegpu.tensor_desc<8x16xf32>",
    )
    into, moved, diagnosed = derive(text, "gathered_into", "moved", "diagnosed", rules=VERIFICATION)
    assert {operand for _, operand in into} == {2}
    assert {row[2:] for row in moved} == {("vector<8x16xi32>", "!xegpu.tensor_desc<8x16xf32>")}
    assert messages(diagnosed) == {
        "use of value '%v' expects different type than prior uses: 'index' vs 'f32'",
        "failed to verify that all of {value, TensorDesc} have same element type",
    }


def test_what_is_gathered_from_tensors() -> None:
    text = function(
        "  %0 = tensor.gather %t[%i] gather_dims([1]) : (tensor<4x5xf32>, tensor<7x1xindex>) -> tensor<7x4x5xf32>",
        "%t: tensor<4x5xf32>, %i: tensor<7x1xindex>",
    )
    gathers, diagnosed = derive(text, "gathers", "diagnosed", rules=VERIFICATION)
    assert {row[1:] for row in gathers} == {(1, 0, 7), (1, 1, 4), (1, 2, 1)}
    assert messages(diagnosed) == {"result type mismatch: dimension 2 has to be 1"}


def test_what_values_and_globals_hold() -> None:
    text = "ml_program.global private @g(dense<0> : tensor<4xi32>) : tensor<4xi32>\n" + function(
        "  ml_program.global_store @g = %x : i64\n"
        '  %0 = "async.await"(%v) : (!async.value<f32>) -> i32',
        "%x: i64, %v: !async.value<f32>",
    )
    stores, stored, diagnosed = derive(text, "stores_global", "stored_value", "diagnosed", rules=VERIFICATION)
    assert {op for op, _, _ in stores} == {"ml_program.global_store#1"}
    assert {row[2:] for row in stored} == {("!async.value<f32>", "i32")}
    assert messages(diagnosed) == {
        "cannot store to a global typed 'tensor<4xi32>' from 'i64'",
        "cannot store to an immutable global @g",
        "result type 'i32' does not match async value type 'f32'",
    }


def test_a_dialect_has_no_operations_but_its_own() -> None:
    text = function('  "arith.foo"() : () -> ()\n  "own.foo"() : () -> ()')
    unheard, dialects, diagnosed = derive(text, "unheard_of", "describes_all", "diagnosed", rules=VERIFICATION)
    assert unheard == {("arith.foo#1", "arith"), ("own.foo#2", "own")}
    assert ("arith",) in dialects and ("llvm",) not in dialects
    message = "unregistered operation 'arith.foo' found in dialect ('arith') that does not allow unknown operations"
    assert {told for _, _, told in diagnosed} == {message}
    assert message in str(run_mlir_opt([function('  "arith.foo"() : () -> ()')])[0].errors)


@pytest.mark.parametrize("operation", ['"tensor.pack"() : () -> ()', '%0 = "llvm.foo"() : () -> i32'])
def test_operations_of_earlier_versions(operation: str) -> None:
    """So are those of dialects that take what they do not know."""
    known, diagnosed = derive(function(f"  {operation}"), "known_otherwise", "diagnosed", rules=VERIFICATION)
    assert {("tensor.pack",), ("vector.splat",)} <= known and diagnosed == set()


def test_operations_of_a_users_own(tmp_path: Path) -> None:
    """An operation that added rules speak of is heard of, also where it has the name of a dialect of MLIR."""
    rules = tmp_path / "own.dl"
    rules.write_text('known_effects("arith.own").\n')
    text = function('  "arith.own"() : () -> ()')
    (error,) = run_dealog(text, (), verify=True).diagnostics
    assert error.message.startswith("unregistered operation 'arith.own'")
    assert run_dealog(text, (), verify=True, extensions=Extensions((rules,))).text is not None
    assert run_dealog(text, (), verify=True).text is None  # what was valid with these rules is not so without


WORDS = {
    "memref.atomic_rmw fooo %x, %m[%i] : (f32, memref<4xf32>) -> f32": (
        "custom op 'memref.atomic_rmw' expected string or keyword containing one of the following enum values for "
        "attribute 'kind' [addf, addi, andi, assign, maximumf, maxnumf, maxs, maxu, minimumf, minnumf, mins, minu, "
        "mulf, muli, ori, xori]"
    ),
    "arith.mulf %x, %x fastmath<nnan, foo> : f32": (
        "custom op 'arith.mulf' expected ::mlir::arith::FastMathFlags to be one of: none, reassoc, nnan, ninf, nsz, "
        "arcp, contract, afn, fast"
    ),
    "arith.cmpi foo, %j, %j : i32": (
        "custom op 'arith.cmpi' expected string or keyword containing one of the following enum values for attribute "
        "'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]"
    ),
    "llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<foo>} : f32": (
        "expected ::mlir::LLVM::FastmathFlags to be one of: none, nnan, ninf, nsz, arcp, contract, afn, reassoc, fast"
    ),
    "arith.divsi %j, %j overflow<nsw> : i32": "expected ':'",
    "gpu.subgroup_reduce foo %x : (f32) -> f32": "custom op 'gpu.subgroup_reduce' invalid op kind",
    "vector.reduction <foo>, %v : vector<4xf32> into f32": (
        "custom op 'vector.reduction' expected ::mlir::vector::CombiningKind to be one of: add, mul, minui, minsi, "
        "minnumf, maxui, maxsi, maxnumf, and, or, xor, maximumf, minimumf"
    ),
    "vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], "
    'iterator_types = ["foo"], kind = #vector.kind<add>} %v, %v, %x : vector<4xf32>, vector<4xf32> into f32': (
        "custom op 'vector.contract' unexpected iterator_type (foo)"
    ),
    'affine.parallel (%k) = (0) to (10) reduce ("foo") -> (f32) {\n    affine.yield %x : f32\n  }': (
        "custom op 'affine.parallel' invalid reduction value: \"foo\""
    ),
}


@pytest.mark.parametrize("line", WORDS)
def test_words_are_those_of_enumerations(line: str) -> None:
    text = function(f"  %0 = {line}", "%x: f32, %j: i32, %m: memref<4xf32>, %i: index, %v: vector<4xf32>")
    enumerations, flags, words, diagnosed = derive(
        text, "enumeration", "flags_attribute", "has_word", "diagnosed", rules=VERIFICATION
    )
    assert ("arith.overflow", "overflowFlags") in flags
    assert {name for name, _ in enumerations} == {name for name, _ in words}
    assert WORDS[line] in {told for _, _, told in diagnosed}
    assert WORDS[line] in str(run_mlir_opt([text])[0].errors)


def test_words_of_custom_forms_and_of_attributes() -> None:
    line = "  %0 = arith.addf %x, %x fastmath<nnan, contract> {a.b = [#gpu.block<x>]} : f32"
    stated, of_attributes, diagnosed = derive(
        function(line, "%x: f32"), "stated_word", "attribute_word", "diagnosed", rules=VERIFICATION
    )
    assert stated == {("arith.addf#1", "arith.fastmath", word) for word in ("nnan", "contract")}
    assert of_attributes == {("arith.addf#1", "a.b", "gpu.block", "x")} and diagnosed == set()
