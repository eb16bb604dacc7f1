"""How deallocations, clones and reallocations are lowered, derived from small IR."""

import pytest

from dealog.engine import Constant, solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts
from tests.support import tools
from tests.support.dealog import command

from .derive import derive, program

LOWER = ("bufferization_lower_deallocations",)
CONVERT = ("convert_bufferization_to_memref",)
EXPAND = ("expand_realloc",)
T = "memref<2xf32>"


def dealloc(buffers: str, conditions: str, retained: str, result: str = "") -> str:
    """A `bufferization.dealloc` in generic form, all of type `T`."""
    n, m = len(buffers.split()), len(retained.split())
    operands = ", ".join([*buffers.split(), *conditions.split(), *retained.split()])
    types = ", ".join([T] * n + ["i1"] * n + [T] * m)
    bound = f"{result}:{m} = " if result else ""
    return (
        f'  {bound}"bufferization.dealloc"({operands}) <{{operandSegmentSizes = array<i32: {n}, {n}, {m}>}}>'
        f" : ({types}) -> ({', '.join(['i1'] * m)})"
    )


def function(*body: str, name: str = "f") -> str:
    arguments = ", ".join([f"%m{i}: {T}" for i in range(3)] + ["%c0: i1", "%c1: i1"])
    return "\n".join([f"func.func @{name}({arguments}) {{", *body, "  return", "}"]) + "\n"


# ---- the operands of bufferization.dealloc -------------------------------------------------------


def test_operands_are_taken_apart():
    text = function(dealloc("%m0 %m1", "%c0 %c1", "%m2", "%own"))
    parts = ("dealloc_size", "dealloc_memref", "dealloc_condition", "dealloc_retained", "dealloc_result")
    sizes, memrefs, conditions, retained, results = derive(text, *parts, rules=LOWER)
    op = "bufferization.dealloc#1"
    assert sizes == {(op, 2, 1)}
    assert memrefs == {(op, 0, "%m0"), (op, 1, "%m1")}
    assert conditions == {(op, 0, "%c0"), (op, 1, "%c1")}
    assert retained == {(op, 0, "%m2")}
    assert results == {(op, 0, "%own")}


def test_operands_of_a_deallocation_of_nothing():
    text = function(dealloc("", "", "%m1 %m2", "%own"))
    sizes, memrefs, retained = derive(text, "dealloc_size", "dealloc_memref", "dealloc_retained", rules=LOWER)
    op = "bufferization.dealloc#1"
    assert (sizes, memrefs) == ({(op, 0, 2)}, set())
    assert retained == {(op, 0, "%m1"), (op, 1, "%m2")}


# ---- deallocations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buffers", "conditions", "retained", "how"),
    [
        ("", "", "", "erase"),
        ("", "", "%m1", "erase"),
        ("%m0", "%false", "", "erase"),
        ("%m0", "%false", "%m1", "erase"),
        ("%m0", "%true", "", "free"),
        ("%m0", "%c0", "", "free"),
        ("%m0", "%true", "%m1", "compare"),
        ("%m0", "%c0", "%m1 %m2", "compare"),
        ("%m0 %m1", "%c0 %c1", "", "call"),
        ("%m0 %m1", "%false %false", "%m2", "call"),
    ],
)
def test_which_lowering(buffers, conditions, retained, how):
    constants = "  %true = arith.constant true\n  %false = arith.constant false"
    text = function(constants, dealloc(buffers, conditions, retained, "%own" if retained else ""))
    lowered, lowering = derive(text, "lowered_dealloc", "lowering", rules=LOWER)
    assert lowered == {("bufferization.dealloc#3",)}
    assert lowering == {("bufferization.dealloc#3", how)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("arith.constant true", "true"),
        ('"arith.constant"() <{value = true}> : () -> i1', "true"),
        ("arith.constant 1 : i1", "true"),
        ("arith.constant -1 : i1", "true"),
        ("arith.constant false", "false"),
        ('"arith.constant"() {value = false} : () -> i1', "false"),
        ("arith.constant 0 : i1", "false"),
    ],
)
def test_constant_conditions(text, value):
    body = function(f"  %x = {text}", dealloc("%m0", "%x", ""), dealloc("%m0", "%c0", ""))
    constants, guards, never, truth = derive(
        body, "constant_condition", "guarded_by", "never_frees", "truth", rules=LOWER
    )
    assert constants == {("%x", value)}
    assert guards == {("bufferization.dealloc#3", "%c0")}
    assert never == ({("bufferization.dealloc#2", "%x")} if value == "false" else set())
    assert {word for _, word in truth} == {"true", "false"}


def test_results_that_nothing_depends_on():
    text = function(dealloc("%m0", "%c0", "%m1 %m2", "%own"), '  "test.use"(%own#1) : (i1) -> ()')
    assert derive(text, "result_used", rules=LOWER) == {("bufferization.dealloc#1", 1)}


# ---- the helper function -------------------------------------------------------------------------


TWO = dealloc("%m0 %m1", "%c0 %c1", "")


def test_one_helper_for_each_symbol_table():
    text = f"""
{function(TWO, TWO)}
module @inner {{
{function(TWO, name="g")}
{function(dealloc("%m0", "%c0", ""), name="h")}
}}
module @without {{
{function(name="k")}
}}"""
    helpers, needs, here = derive(text, "helper_function", "needs_helper", "table_in_pass", rules=LOWER)
    tables = {table for table, _ in helpers}
    assert {table for (table,) in here} == tables
    assert {name for _, name in helpers} == {"dealloc_helper"}
    assert len(tables) == 2
    assert {table for table, _ in needs} == tables
    assert len(needs) == 3


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        ([], "dealloc_helper"),
        (["dealloc_helper"], "dealloc_helper_0"),
        (["dealloc_helper", "dealloc_helper_0", "dealloc_helper_1"], "dealloc_helper_2"),
        (["dealloc_helper", "dealloc_helper_1"], "dealloc_helper_0"),
        (["dealloc_helper_0"], "dealloc_helper"),
    ],
)
def test_names_of_helpers_do_not_clash(taken, name):
    globals_ = "".join(f"memref.global @{symbol} : memref<1xi8>\n" for symbol in taken)
    elsewhere = "module @dealloc { func.func private @dealloc_helper() }\n"
    helpers, tried = derive(
        globals_ + elsewhere + function(TWO), "helper_function", "helper_candidate", rules=LOWER
    )
    assert [symbol for _, symbol in helpers] == [name]
    assert len(tried) == int(name.rpartition("_")[2]) + 2 if name[-1].isdigit() else len(tried) == 1


def nested_in_functions(text, relation):
    module = parse(text, "test.mlir")
    functions = [op for op in module.operation.regions[0].blocks[0].operations if op.name == "func.func"]
    facts = export_facts(module, NO_EXTENSIONS.structure, roots=functions)
    return solve(program(CONVERT), facts.relations, engine="embedded", outputs=[relation])[relation]


def test_functions_alone_cannot_get_a_helper():
    text = function(TWO, dealloc("%m0", "%c0", "")) + "module {\n" + function(TWO) + "}\n"
    refused = nested_in_functions(text, "refused")
    assert {op for op, _, _ in refused} == {"@f/bufferization.dealloc#1"}
    assert {message.split(",")[0] for _, _, message in refused} == {
        "library function required for generic lowering",
        "failed to legalize operation 'bufferization.dealloc' that was explicitly marked illegal",
    }
    assert derive(text, "refused", rules=LOWER) == set()


def test_what_the_pass_does_not_run_on_stays():
    text = function(dealloc("%m0", "%c0", "")) + "module {\n" + function(dealloc("%m0", "%c0", "")) + "}\n"
    assert len(nested_in_functions(text, "lowering")) == 1
    assert len(derive(text, "lowering", rules=LOWER)) == 2
    inside, tables = derive(text, "in_pass", "table_in_pass", rules=LOWER)
    assert len(inside) == 4  # two modules, two functions
    assert tables == set()  # no deallocation here needs the helper


# ---- clones --------------------------------------------------------------------------------------


def clone(source: str, result: str) -> str:
    return f"""func.func @f(%m: {source}) {{
  %r = "bufferization.clone"(%m) : ({source}) -> {result}
  return
}}"""


@pytest.mark.parametrize(
    ("type", "how"),
    [
        ("memref<2xf32>", "allocate"),
        ("memref<?x3xf32, 2>", "allocate"),
        ("memref<f32>", "allocate"),
        ("memref<2x3xf32, affine_map<(i, j) -> (i, j)>>", "allocate"),
        ("memref<2xf32, strided<[1]>>", "cast"),
        ("memref<?xf32, strided<[?], offset: ?>>", "cast"),
        ("memref<?x4xf32, strided<[4, 1]>>", "cast"),
        ("memref<?x?xf32, strided<[9, 1]>>", "cast"),
        ("memref<2x3xf32, affine_map<(i, j)[s] -> (i * s + j)>>", "cast"),
        ("memref<*xf32>", "reshape"),
        ("memref<2xf32, strided<[2]>>", "refuse"),
        ("memref<2x3xf32, strided<[1, 2]>>", "refuse"),
        ("memref<2xf32, strided<[1], offset: 4>>", "refuse"),
        ("memref<2x3xf32, affine_map<(i, j) -> (j, i)>>", "refuse"),
        ("memref<8xf32, affine_map<(i) -> (i mod 4)>>", "refuse"),
    ],
)
def test_clones(type, how):
    cloned, lowering, refused = derive(
        clone(type, type), "cloned_buffer", "clone_lowering", "refused", rules=CONVERT
    )
    op = "bufferization.clone#1"
    assert cloned == {(op, "%m", "%r")}
    if how == "refuse":
        assert lowering == set()
        assert [row[:2] for row in refused] == [(op, 0)]
    else:
        assert (lowering, refused) == ({(op, how)}, set())


def test_sizes_of_clones_that_the_source_states():
    text = clone("memref<4x?x6xf32>", "memref<?x?x6xf32>")
    assert derive(text, "clone_size", rules=CONVERT) == {("bufferization.clone#1", 0, 4)}


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("memref<4xi8>", "memref<4xf32>", "element type"),
        ("memref<*xi8>", "memref<4xi32>", "element type"),
        ("memref<4x?xi8>", "memref<4xi8>", "shape"),
        ("memref<4xi8>", "memref<5xi8>", "shape"),
        ("memref<4xi8>", "memref<?xi8>", None),
        ("memref<4294967296xi8>", "memref<?xi8>", None),
        ("memref<*xi8>", "memref<4xi8>", None),
    ],
)
def test_clones_of_another_type_are_refused_as_the_copies_that_they_would_be(source, target, message):
    refused = derive(clone(source, target), "refused", rules=CONVERT)
    said = {f"'memref.copy' op requires the same {message} for all operands"} if message else set()
    assert {text for _, _, text in refused} == said


def test_operations_on_tensors_are_refused():
    text = """
func.func @f(%t: tensor<2xf32>) {
  %m = "bufferization.to_buffer"(%t) : (tensor<2xf32>) -> memref<2xf32>
  return
}"""
    refused, names, known = derive(
        text, "refused", "tensor_operation", "needs_bufferization", rules=CONVERT
    )
    name = "bufferization.to_buffer"
    message = f"failed to legalize operation '{name}' that was explicitly marked illegal"
    assert names == {(f"{name}#1", name)}
    assert refused == {(f"{name}#1", 0, message)}
    assert ("bufferization.alloc_tensor",) in known


PARTLY_BUFFERIZED = """
func.func @f(%t: tensor<4xf32>, %m: memref<4xf32>, %i: index) -> (f32, memref<4xf32>) {
  %a = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %u = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %u[%i] : tensor<4xf32>
  return %x, %m : f32, memref<4xf32>
}
"""


@pytest.mark.parametrize("pipeline", ["static", "mlir"])
def test_operations_on_tensors_are_left_by_the_main_job(pipeline):
    """The buffer lives as long as the tensor, and the clone that is returned is lowered."""
    out = command("dealloc", "-", f"--pipeline={pipeline}", stdin=PARTLY_BUFFERIZED).out
    assert "bufferization.to_tensor" in out and "bufferization.clone" not in out and out.count("memref.alloc(") == 2
    assert out.index("tensor.extract") < out.index("memref.dealloc")
    run = command("opt", "--convert-bufferization-to-memref", stdin=PARTLY_BUFFERIZED)
    assert run.status == 1 and len(run.errors) == 2


@pytest.mark.parametrize("rules", [LOWER, CONVERT])
def test_refusals_say_what_to_do(rules):
    program_ = program(rules)
    heads = [head for rule in program_.rules for head in rule.heads if head.relation == "refused"]
    said = {head.arguments[2].value for head in heads if isinstance(head.arguments[2], Constant)}
    if rules == CONVERT:
        tensors = {fact.values[0] for fact in program_.facts if fact.relation == "needs_bufferization"}
        said |= {f"failed to legalize operation '{name}' that was explicitly marked illegal" for name in tensors}
    said = {text for text in said if "memref.copy" not in str(text)}  # says itself what is wrong
    assert {fact.values[0] for fact in program_.facts if fact.relation == "advice"} == said


# ---- reallocations -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "result", "how", "same"),
    [
        ("memref<4xf32>", "memref<8xf32>", "allocate", False),
        ("memref<8xf32>", "memref<4xf32>", "keep", False),
        ("memref<8xf32>", "memref<8xf32>", "keep", True),
        ("memref<8xf32, strided<[1]>>", "memref<8xf32>", "keep", False),
        ("memref<?xf32>", "memref<4xf32>", "compare", False),
        ("memref<4xf32>", "memref<?xf32>", "compare", False),
        ("memref<?xf32>", "memref<?xf32>", "compare", False),
        ("memref<4294967296xi8>", "memref<4294967297xi8>", "compare", False),
    ],
)
def test_reallocations(source, result, how, same):
    size = "(%n)" if "?" in result else ""
    text = f"""
func.func @f(%m: {source}, %n: index) {{
  %r = memref.realloc %m{size} : {source} to {result}
  return
}}"""
    relations = ("reallocation", "expansion", "both_sizes_stated", "same_type", "frees_source", "never_runs")
    found, expansion, stated, same_type, frees, dead = derive(text, *relations, rules=EXPAND)
    op = "memref.realloc#1"
    assert found == {(op, "%m", "%r")} and dead == set()
    assert expansion == {(op, how)}
    assert stated == (set() if how == "compare" else {("%m", "%r")})
    assert same_type == ({(op,)} if same else set())
    assert frees == {(op,)}
    assert derive(text, "frees_source", rules=EXPAND, emit_deallocs="false") == set()


def test_reallocations_that_feed_each_other_where_control_never_comes():
    text = """
func.func @f() {
  return
^bb1:
  %a = memref.realloc %b : memref<4xf32> to memref<4xf32>
  %b = memref.realloc %a : memref<4xf32> to memref<4xf32>
  cf.br ^bb1
}"""
    expansion, same_type, dead = derive(text, "expansion", "same_type", "never_runs", rules=EXPAND)
    assert dead == {("memref.realloc#2",), ("memref.realloc#3",)}
    assert expansion == {("memref.realloc#2", "keep"), ("memref.realloc#3", "keep")}
    assert same_type == {("memref.realloc#3",)}


@pytest.mark.parametrize(
    ("source", "result", "size", "message"),
    [
        ("memref<8xf32>", "memref<?xf32>", "", "missing dimension operand for result type 'memref<?xf32>'"),
        ("memref<8xf32>", "memref<9xf32>", ", %n", "unnecessary dimension operand for result type 'memref<9xf32>'"),
        (
            "memref<8xf32>", "memref<9xi8>", "",
            "different element types specified for source memref type 'memref<8xf32>' and result memref type "
            "'memref<9xi8>'",
        ),
        (
            "index", "memref<9xf32>", "",
            "'memref.realloc' op operand #0 must be 1D memref of any type values, but got 'index'",
        ),
    ],
)  # fmt: skip
def test_reallocations_that_are_none_are_refused_in_the_words_of_mlir(source, result, size, message):
    types = f"({source}{', index' if size else ''}) -> {result}"
    text = f'func.func @f(%m: {source}, %n: index) {{\n  %r = "memref.realloc"(%m{size}) : {types}\n  return\n}}'
    assert {said for _, _, said in derive(text, "refused", rules=EXPAND)} == {message}
    assert message in tools.run_mlir_opt([text])[0].errors


# ---- as edits --------------------------------------------------------------------------------------


def test_constants_stand_once_in_a_block():
    nothing = dealloc("", "", "%m1 %m2", "%own")
    use = '  "test.use"(%own#1, %own#0) : (i1, i1) -> ()'
    text = function(nothing, use, dealloc("", "", "%m0", "%other"), '  "test.use"(%other#0) : (i1) -> ()')
    asked = ("wants_constant_at", "block_constant", "wants_block_constant", "constant_of_block", "lowered_result")
    wanted, first, wants, names, results = derive(text, *asked, rules=LOWER)
    first_op, second_op = "bufferization.dealloc#1", "bufferization.dealloc#3"
    assert wanted == {("^bb0", "false", 0), ("^bb0", "false", 2)}
    assert wants == {(first_op, "false", 0), (second_op, "false", 0)}
    assert first == {("^bb0", "false", 0)}
    assert names == {("^bb0", "false", "false in ^bb0")}
    assert results == {
        (first_op, 0, "false in ^bb0"), (first_op, 1, "false in ^bb0"), (second_op, 0, "false in ^bb0"),
    }  # fmt: skip
    made = derive(text, "constant_inserted", rules=LOWER)
    assert made == {("false in ^bb0", "false", "before", first_op, 0)}


def test_a_buffer_is_compared_with_all_that_is_retained():
    op = "bufferization.dealloc#1"
    text = function(dealloc("%m0", "%c0", "%m1 %m2", "%own"), '  "test.use"(%own#1) : (i1) -> ()')
    asked = ("compared_with", "distinct_up_to", "distinct_from_all", "lowered_result", "free_if_inserted")
    compared, chain, all_, results, frees = derive(text, *asked, rules=LOWER)
    assert compared == {
        (op, 0, "%m1", f"pointer 0 of {op}", f"alias 0 of {op}"),
        (op, 1, "%m2", f"pointer 1 of {op}", f"alias 1 of {op}"),
    }
    last = f"own past pointer 1 of {op}"
    assert chain == {(op, 0, f"distinct from pointer 0 of {op}"), (op, 1, last)}
    assert all_ == {(op, last)}
    assert results == {(op, 1, f"own if alias 1 of {op}")}
    assert frees == {("%m0", f"own {op}", "memref.dealloc", "before", op, 30000000)}


def test_the_helper_takes_lists():
    op = "bufferization.dealloc#1"
    text = function(dealloc("%m0 %m1", "%c0 %c1", "%m2", "%own"), '  "test.use"(%own) : (i1) -> ()')
    lengths, pointers, conditions, stored = derive(
        text, "scratch_length", "stores_pointer", "stores_condition", "stored_pointer", rules=LOWER
    )
    assert {row[1:] for row in lengths} == {
        ("buffers", 2, "index"), ("conditions", 2, "i1"), ("retained", 1, "index"),
        ("free", 2, "i1"), ("owned", 1, "i1"),
    }  # fmt: skip
    assert pointers == {(op, "buffers", 0, "%m0"), (op, "buffers", 1, "%m1"), (op, "retained", 0, "%m2")}
    assert conditions == {(op, 0, "%c0"), (op, 1, "%c1")}
    assert (op, "retained", 0, f"pointer 0 for retained of {op}") in stored
    places, handed, fills, freed = derive(
        text, "scratch", "handed_to_helper", "storing", "scratch_freed", rules=LOWER
    )
    lists = {"buffers", "conditions", "retained", "free", "owned"}
    assert {name for name, *_ in places} == {name for name, *_ in handed} == {name for name, *_ in freed} == lists
    assert sorted(order for _, order, _ in handed) == [0, 1, 2, 3, 4]
    assert {name for name, _ in fills} == {"buffers", "conditions", "retained"}
    wanted, texts, named = derive(text, "index_wanted", "index_text", "index_of_block", rules=LOWER)
    assert wanted == {(0,), (1,)}
    assert texts == {(0, "0 : index"), (1, "1 : index")}
    assert named == {("^bb0", 0, "c0 in ^bb0"), ("^bb0", 1, "c1 in ^bb0")}


def test_sizes_of_a_clone():
    op = "bufferization.clone#1"
    text = clone("memref<4x?xf32>", "memref<?x?xf32, strided<[?, ?], offset: ?>>")
    target, dimensions, takes = derive(text, "clone_target", "clone_dimension", "allocation_takes", rules=CONVERT)
    assert target == {(op, f"cast {op}")}
    assert dimensions == {(op, 0), (op, 1)}
    assert takes == {(f"alloc {op}", 0, "c4 in ^bb0"), (f"alloc {op}", 1, f"dim 1 of {op}")}


@pytest.mark.parametrize(
    ("source", "result", "expanded", "sizes"),
    [
        ("4", "8", "alloc", ("4", "8")),
        ("8", "4", "resized", ("8", "4")),
        ("4", "4", "", ("4", "4")),
        ("?", "4", "chosen", ("dim", "4")),
        ("4", "?", "chosen", ("4", "%n")),
    ],
)
def test_what_takes_the_place_of_a_reallocation(source, result, expanded, sizes):
    size = "(%n)" if result == "?" else ""
    text = f"""
func.func @f(%m: memref<{source}xf32>, %n: index) -> memref<{result}xf32> {{
  %r = memref.realloc %m{size} : memref<{source}xf32> to memref<{result}xf32>
  return %r : memref<{result}xf32>
}}
"""
    op = "memref.realloc#1"
    made, same, old, new = derive(text, "expanded_to", "shares_type", "size_before", "size_after", rules=EXPAND)
    assert made == {(op, f"{expanded} {op}" if expanded else "%m")}
    assert same == (set() if expanded else {(op,)})
    assert {size.replace(f" {op}", "") for _, size in old} == {sizes[0]}
    assert new == {(op, sizes[1])}
    stated, compared, places = derive(text, "compared_size", "compared_index", "grown_at", rules=EXPAND)
    if expanded != "chosen":
        assert (stated, compared) == (set(), set())
        assert places == ({(op, "before", op)} if expanded == "alloc" else set())
        return
    assert places == {(op, "end", f"grows {op}")}
    old_name, new_name = (f"dim {op}", "c4 in ^bb0") if source == "?" else ("c4 in ^bb0", "%n")
    assert compared == {(op, "old", old_name), (op, "new", new_name)}
    assert {(which, number) for _, which, _, number in stated} == {("new" if source == "?" else "old", 4)}
