"""Changes of the IR: text and tree stay in step, in both forms, and mlir-opt accepts what is printed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import Block, Module, Operation, Value, edits, parse, print_module
from tests.frontend.structure import differences, mlir_opt

I1 = ["i1"]


def find(module: Module, name: str) -> list[Operation]:
    return [op for op in module.walk() if op.name == name]


def entry(op: Operation, region: int = 0) -> Block:
    return op.regions[region].blocks[0]


def constant(module: Module, where: Operation) -> Value:
    """A new `true`, first in the function `where`."""
    op = Operation.create(
        "arith.constant",
        result_types=I1,
        result_names=[module.fresh_name(where, "true")],
        attributes={"value": "true"},
        generic=where.generic,
        custom="arith.constant true",
        properties=["value"],
    )
    entry(where).prepend(op)
    return op.results[0]


def last_function(module: Module) -> Operation:
    return find(module, "func.func")[-1]


def grow_if(module: Module) -> None:
    true = constant(module, last_function(module))
    op = find(module, "scf.if")[0]
    edits.grow_results(op, I1)
    for region in op.regions:
        terminator = region.blocks[0].terminator
        assert terminator is not None
        edits.grow_operands(terminator, 0, [true])


def grow_for(module: Module) -> None:
    true = constant(module, last_function(module))
    op = find(module, "scf.for")[0]
    edits.grow_operands(op, 3, [true, true])
    arguments = edits.grow_arguments(entry(op), ["i1", "i1"])
    edits.grow_results(op, ["i1", "i1"])
    terminator = entry(op).terminator
    assert terminator is not None
    edits.grow_operands(terminator, 0, arguments[::-1])


def grow_while(module: Module) -> None:
    true = constant(module, last_function(module))
    op = find(module, "scf.while")[0]
    edits.grow_operands(op, 0, [true])
    before = edits.grow_arguments(entry(op, 0), I1)
    condition, end = entry(op, 0).terminator, entry(op, 1).terminator
    assert condition is not None and end is not None
    edits.grow_operands(condition, 1, before)
    edits.grow_operands(end, 0, edits.grow_arguments(entry(op, 1), I1))
    edits.grow_results(op, I1)


def grow_branches(module: Module) -> None:
    true = constant(module, last_function(module))
    op = find(module, "cf.cond_br")[0]
    edits.grow_operands(op, 1, [true, true])
    edits.grow_operands(op, op.successors[1].start, [true])
    edits.grow_arguments(op.successors[0].block, ["i1", "i1"])
    own = edits.grow_arguments(op.successors[1].block, I1)
    assert [(s.start, s.end) for s in op.successors] == [(1, 4), (4, 6)]
    br = find(module, "cf.br")[0]
    edits.grow_operands(br, 0, op.successors[0].block.arguments[-1:])
    assert own[0].name in print_module(module)


def grow_function(module: Module) -> None:
    function = last_function(module)
    own = edits.grow_arguments(entry(function), I1)
    edits.grow_function_results(function, I1)
    edits.grow_operands(find(module, "func.return")[-1], 0, own)
    assert "i1" in function.attributes["function_type"]


def grow_call(module: Module) -> None:
    callee, caller = find(module, "func.func")
    true = constant(module, caller)
    own = edits.grow_arguments(entry(callee), I1)
    edits.grow_function_results(callee, I1)
    edits.grow_operands(find(module, "func.return")[0], 0, own)
    call = find(module, "func.call")[0]
    edits.grow_operands(call, 0, [true])
    edits.grow_results(call, I1)


def insert_everywhere(module: Module) -> None:
    """A new operation before and after every one, and in every empty block."""
    function = last_function(module)
    argument = entry(function).arguments[0]

    def new() -> Operation:
        template = "memref.dealloc {0} : {t0}"
        return Operation.create("memref.dealloc", [argument], generic=function.generic, custom=template)

    for op in [op for op in function.walk() if op is not function]:
        assert op.block is not None
        op.block.insert_before(op, new())
        if op is not op.block.terminator:
            op.block.insert_before(op.block.operations[op.block.operations.index(op) + 1], new())
    for op in function.walk():
        for region in op.regions:
            for block in region.blocks:
                block.prepend(new())
                block.prepend(new())


def replace_operands(module: Module) -> None:
    true = constant(module, last_function(module))
    for op in find(module, "scf.condition"):
        edits.set_operand(op, 0, true)
        edits.grow_operands(op, 1, [true])
        edits.set_operand(op, 2, op.operands[1])


def erase(op: Operation) -> None:
    assert op.block is not None
    op.block.replace({op: ()})


def erase_stores(module: Module) -> None:
    for op in find(module, "memref.store"):
        erase(op)


def build_region(module: Module) -> None:
    function = last_function(module)
    true = constant(module, function)
    buffer = entry(function).arguments[0]
    generic = function.generic
    op = Operation.create(
        "scf.if",
        [true],
        [buffer.type],
        [module.fresh_name(function, "kept")],
        generic=generic,
        custom="scf.if {0} -> ({r0}) {region0} else {region1}",
    )
    for _ in range(2):
        block = op.add_region().add_block()
        block.append(
            Operation.create("scf.yield", [buffer], generic=generic, custom="scf.yield {o0:} : {ot0:}")
        )
    end = find(module, "func.return")[-1]
    assert end.block is not None
    end.block.insert_before(end, op)
    edits.set_operand(end, 0, op.results[0])


IF = """
func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {  // both ways
    scf.yield %m : memref<4xf32>
  } else { scf.yield %m : memref<4xf32> }
  return %r : memref<4xf32>
}
"""
UNBOUND = """
func.func @f(%m: memref<4xf32>, %c: i1) {
  scf.if %c -> memref<4xf32> {
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return
}
"""
FOR = """
func.func @f(%m: memref<4xf32>, %n: index) -> (memref<4xf32>, index) {
  %r:2 = scf.for %i = %n to %n step %n iter_args(%a = %m, // the buffer
      %b = %n) -> (memref<4xf32>, index) {
    %own = memref.alloc() : memref<4xf32>
    scf.yield %own, %b : memref<4xf32>, index
  }
  return %r#0, %r#1 : memref<4xf32>, index
}
"""
WHILE = """
func.func @f(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.while (%a = %m) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%c) %a : memref<4xf32>
  } do {
  ^bb0(%x: memref<4xf32>):
    scf.yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
"""
BRANCHES = """
func.func @f(%m: memref<4xf32>, %c: i1) {
  cf.cond_br %c, ^one(%m : memref<4xf32>), ^two(%m : memref<4xf32>)
^one(%a: memref<4xf32>): // first
  cf.br ^two(%a : memref<4xf32>)
^two ( %b: memref<4xf32> ) :
  return
}
"""
FUNCTION = """
func.func private @f(%m: memref<4xf32> {llvm.noalias}) -> (memref<4xf32> {llvm.noalias})
    attributes {test.note} {
  return %m : memref<4xf32>
}
"""
ONE_RESULT = FUNCTION.replace("(memref<4xf32> {llvm.noalias})", "memref<4xf32>")
CALL = """
func.func private @g(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = call @g(%m) : (memref<4xf32>) -> memref<4xf32>
  return %0 : memref<4xf32>
}
"""
NESTED = """
func.func @f(%m: memref<4xf32>, %n: index, %c: i1) {
  scf.if %c { }
  scf.if %c {
    // nothing here
  } else { scf.if %c {} }
  scf.for %i = %n to %n step %n { scf.parallel (%j) = (%n) to (%n) step (%n) {
    } }
  memref.store %0, %m[%n] : memref<4xf32> // behind
  return
}
""".replace("%0", "%f").replace("%c: i1)", "%c: i1, %f: f32)")

CASES: list[tuple[str, str, Callable[[Module], None]]] = [
    ("if", IF, grow_if),
    ("if without name", UNBOUND, grow_if),
    ("for", FOR, grow_for),
    ("while", WHILE, grow_while),
    ("branches", BRANCHES, grow_branches),
    ("function", FUNCTION, grow_function),
    ("function with one result", ONE_RESULT, grow_function),
    ("call", CALL, grow_call),
    ("insertions", NESTED, insert_everywhere),
    ("erasures", NESTED, erase_stores),
    ("region", IF, build_region),
    ("region in a call", CALL, build_region),
]
CHANGES = pytest.mark.parametrize(
    ("text", "change"), [pytest.param(text, change, id=name) for name, text, change in CASES]
)


@CHANGES
def test_mlir_opt_accepts_what_is_printed(text: str, change: Callable[[Module], None]) -> None:
    generic = mlir_opt(text, "-mlir-print-op-generic")
    assert generic is not None
    outputs = []
    for form in (text, generic):
        module = parse(form)
        change(module)
        printed = print_module(module)
        assert not differences(parse(printed), module), printed
        accepted = mlir_opt(printed)
        assert accepted is not None, printed
        outputs.append(accepted)
    assert outputs[0] == outputs[1]


@CHANGES
def test_only_changed_places_change(text: str, change: Callable[[Module], None]) -> None:
    module = parse(text)
    change(module)
    printed = print_module(module)
    for comment in ("// both ways", "// the buffer", "// first", "// nothing here"):
        assert (comment in text) == (comment in printed)
    assert not differences(parse(printed), module), printed


def test_while_with_a_new_condition() -> None:
    module = parse(WHILE)
    replace_operands(module)
    assert "scf.condition(%true) %a, %a : memref<4xf32>, memref<4xf32>" in print_module(module)


def test_layout_of_what_is_inserted() -> None:
    module = parse(NESTED)
    insert_everywhere(module)
    lines = print_module(module).splitlines()
    assert all(line.startswith("  ") for line in lines if "memref.dealloc" in line)
    assert "  memref.store %f, %m[%n] : memref<4xf32> // behind" in lines


def test_names_are_fresh_and_readable() -> None:
    module = parse(FOR)
    function = last_function(module)
    names = [module.fresh_name(function, hint) for hint in ("own", "own", "base", "a")]
    assert names == ["%own_0", "%own_1", "%base", "%a_0"]


def test_old_segment_sizes_grow_in_their_spelling() -> None:
    old = "{operand_segment_sizes = dense<[1, 1, 1]> : vector<3xi32>, test.x}"
    text = f"""
"func.func"() ({{
^bb0(%c: i1, %m: memref<4xf32>):
  "cf.cond_br"(%c, %m, %m)[^bb1, ^bb1] {old} : (i1, memref<4xf32>, memref<4xf32>) -> ()
^bb1(%a: memref<4xf32>):
  "func.return"() : () -> ()
}}) {{function_type = (i1, memref<4xf32>) -> (), sym_name = "f"}} : () -> ()
"""
    module = parse(text)
    op = find(module, "cf.cond_br")[0]
    edits.grow_operands(op, 1, [op.operands[0]])
    printed = print_module(module)
    assert "dense<[1, 2, 1]> : vector<3xi32>, test.x} : (i1, memref<4xf32>, i1, memref<4xf32>)" in printed
    assert '"cf.cond_br"(%c, %m, %c, %m)' in printed


def test_forms_without_a_place_are_refused() -> None:
    module = parse(
        "func.func @f(%m: memref<4xf32>, %n: index) {\n  memref.dealloc %m : memref<4xf32>\n  return\n}"
    )
    op = find(module, "memref.dealloc")[0]
    with pytest.raises(DealogError, match="no place for further operands"):
        edits.grow_operands(op, 0, [op.operands[0]])
    with pytest.raises(DealogError, match="no place for further results"):
        edits.grow_results(op, I1)


def test_bindings_grow_in_pairs() -> None:
    module = parse(FOR)
    op = find(module, "scf.for")[0]
    edits.grow_operands(op, 3, [op.operands[3]])
    with pytest.raises(DealogError, match=r"1 operands were added to 'scf\.for', but 0 arguments"):
        print_module(module)


def test_what_comes_after_an_operation_comes_behind_what_has_grown_at_its_end() -> None:
    """The last operation of a block whose terminator goes without saying grows, and others follow it."""
    text = """func.func private @g() -> i32
func.func @f(%n: index) {
  scf.for %i = %n to %n step %n {
    %r = func.call @g() : () -> i32
  }
  return
}
"""
    module = parse(text, "test.mlir")
    (call,) = find(module, "func.call")
    edits.grow_results(call, I1, "own")
    block = call.block
    assert block is not None
    made = Operation.create("test.made", custom="test.made")
    block.insert_before(block.operations[-1], made)
    assert print_module(module) == text.replace(
        "%r = func.call @g() : () -> i32", "%r, %own = func.call @g() : () -> (i32, i1)\n    test.made"
    )
