import pytest

from dealog import rules
from dealog.engine import Constant, load

from .derive import derive

M = "memref<2xf32>"


@pytest.mark.parametrize(
    ("lines", "op", "rank"),
    [
        ("  cf.br ^bb1\n^bb1:\n  cf.cond_br %c, ^bb1, ^bb2\n^bb2:", "func.func#0", 0),
        (f"  bufferization.dealloc (%m : {M}) if (%c)", "bufferization.dealloc#1", 1),
        (f'  "mydb.scan"(%m) : ({M}) -> ()', "mydb.scan#1", 2),
        ('  "mydb.scan"() : () -> ()', "mydb.scan#1", 2),
        (f"  memref.dealloc %m : {M}", "memref.dealloc#1", 7),
        ("  cf.switch %i : i32, [default: ^bb1, 1: ^bb1]\n^bb1:", "cf.switch#1", 8),
    ],
)
def test_refused_with_a_rank(lines, op, rank):
    text = f"func.func @f(%c: i1, %i: i32, %m: {M}) {{\n{lines}\n  return\n}}"
    refused = derive(text, "refused")
    assert {o for o, _, _ in refused} == {op}
    assert min(r for _, r, _ in refused) == rank


def test_a_switch_that_forwards_a_buffer_is_refused_before_that():
    text = f"func.func @f(%i: i32, %m: {M}) {{\n  cf.switch %i : i32, [default: ^bb1(%m : {M}), 1: ^bb1(%m : {M})]\n"
    text += f"^bb1(%x: {M}):\n  return\n}}"
    assert min(r for _, r, _ in derive(text, "refused")) == 6


def test_only_what_may_be_refused_is_examined():
    text = f"func.func @f(%i: i32, %m: {M}) {{\n  memref.copy %m, %m : {M} to {M}\n"
    text += f'  "test.unknown"(%m) : ({M}) -> ()\n  "test.other"(%i) : (i32) -> ()\n  return\n}}'
    names, questionable, may_be = derive(text, "occurs", "questionable", "may_be_refused")
    assert {("memref.copy",), ("test.unknown",), ("func.return",)} < names
    assert questionable == {("test.unknown",), ("test.other",), ("func.func",)}
    assert may_be == {("test.unknown#2", "test.unknown"), ("test.other#3", "test.other")}
    examined, concerns = derive(text, "examined", "concerns_buffers")
    assert examined == may_be  # what is not known to neither allocate nor free
    assert concerns == {("test.unknown#2",)}


def test_operations_without_buffers_and_effects_are_not_examined():
    text = f"func.func @f(%i: index, %m: {M}) -> index {{\n"
    text += '  %0 = "linalg.index"() ({ "linalg.yield"() : () -> () }) {dim = 0 : i64} : () -> index\n'
    text += f"  memref.copy %m, %m : {M} to {M}\n  return %0 : index\n}}"
    questionable, examined = derive(text, "questionable", "examined")
    assert ("linalg.index",) in questionable and examined == set()


def test_what_is_stated_for_an_operation_alone_needs_no_interface():
    text = f"func.func @f(%c: i1, %m: {M}) {{\n  cf.cond_br %c, ^bb1(%m : {M}), ^bb1(%m : {M})\n"
    text += f"^bb1(%x: {M}):\n  return\n}}"
    refused, itself = derive(text, "refused", "deallocates_itself")
    assert refused == set()
    assert ("cf.cond_br",) in itself


def test_what_neither_allocates_nor_frees_is_known_of_what_occurs():
    text = f"func.func @f(%c: i1) {{\n  scf.if %c {{\n    %a = memref.alloc() : {M}\n  }}\n  return\n}}"
    neither = derive(text, "neither_allocates_nor_frees")
    assert neither == {("func.return",), ("scf.if",), ("scf.yield",)}


def test_a_layout_without_strides_is_refused_where_its_base_buffer_is_needed():
    swapped = "memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>"
    text = f"func.func @f() {{\n  %a = memref.alloc() : {swapped}\n  cf.br ^bb1(%a : {swapped})\n"
    text += f"^bb1(%x: {swapped}):\n  return\n}}"
    refused, extracts, starts = derive(text, "refused", "extracts_base", "starts_allocation")
    assert {(op, rank) for op, rank, _ in refused} == {("func.return#3", 11)}
    assert extracts == {("^bb1", "%x")}
    assert starts == {("%a",)}


def test_refusals_say_what_to_do():
    program = load(rules.program("ownership_based_buffer_deallocation"))
    heads = [head for rule in program.rules for head in rule.heads if head.relation == "refused"]
    said = {head.arguments[2].value for head in heads if isinstance(head.arguments[2], Constant)}
    advised = {fact.values[0] for fact in program.facts if fact.relation == "advice"}
    assert advised < said
    # one is answered by what is known of the operation, two say it themselves
    assert {str(message).split(" when ")[0] for message in said - advised} == {
        "ops with unknown memory side effects are not supported",
        "only supported",
    }


def test_advice_is_told_with_the_refusal():
    text = f"func.func @f(%m: {M}) {{\n  memref.dealloc %m : {M}\n  return\n}}"
    refused, advice = derive(text, "refused", "advice")
    ((_, _, message),) = refused
    assert "manual" in dict(advice)[message]


REDUCED = f"""func.func @f(%n: index, %x: f32, %m: {M}) {{
  %o = memref.alloc() : {M}
  scf.parallel (%i) = (%n) to (%n) step (%n) init (%x) -> f32 {{
    %a = memref.alloc() : {M}
    %v = memref.cast %a : {M} to memref<?xf32>
    scf.reduce(%x : f32) {{
    ^bb0(%l: f32, %r: f32):
      %y = memref.load USED[%n] : TYPE
      scf.reduce.return %y : f32
    }}
  }}
  return
}}"""


@pytest.mark.parametrize(
    ("used", "type", "refused"), [("%a", M, True), ("%v", "memref<?xf32>", True), ("%o", M, False), ("%m", M, False)]
)
def test_regions_of_a_terminator_use_nothing_that_is_freed_ahead_of_it(used, type, refused):
    text = REDUCED.replace("USED", used).replace("TYPE", type)
    uses, refusals = derive(text, "used_at_the_end", "refused")
    assert {value for _, _, value in uses} == {used}
    assert {(op.partition("#")[0], rank) for op, rank, _ in refusals} == ({("scf.reduce", 9)} if refused else set())


UNDOMINATED = f"""func.func @f(%c: i1, %m: {M}) {{
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %b = memref.alloc() : {M}
  cf.br ^bb2
^bb2:
  scf.if %c {{
    memref.copy %m, %b : {M} to {M}
  }}
  return
}}"""


def test_a_buffer_that_need_not_be_defined_is_refused():
    undefined, used, refused = derive(UNDOMINATED, "undefined", "used_inside", "refused")
    assert undefined == {("%b", "^bb0"), ("%b", "^bb2")}
    assert used == {("memref.copy#5", 1, "scf.if#4.0", "%b"), ("memref.copy#5", 1, "^bb2", "%b")}
    assert refused == {("memref.copy#5", 0, "operand #1 does not dominate this use")}


def test_blocks_that_control_never_reaches_may_use_anything():
    text = UNDOMINATED.replace("cf.cond_br %c, ^bb1, ^bb2", "cf.br ^bb1").replace("cf.br ^bb2", "return")
    refused, ownership = derive(text, "refused", "ownership")
    assert refused == set()
    assert {block: indicator for value, block, indicator in ownership if value == "%b"} == {
        "^bb1": "true", "^bb2": "false", "scf.if#4.0": "false"
    }  # fmt: skip
