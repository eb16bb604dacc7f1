"""What is left to the run: whether two buffers are one, whether a buffer is owned."""

import pytest

from tests.support.engines import ENGINES

from .derive import LOWERING, derive, findings, told

T = "memref<4xf32>"

JOINED = f"""\
func.func @f(%k: i1, %m: {T}, %v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : {T}
  memref.store %v, %a[%c0] : {T}
  cf.cond_br %k, ^next(%a : {T}), ^next(%m : {T})
^next(%p: {T}):
  memref.store %v, %p[%c0] : {T}
  %x = memref.load %a[%c0] : {T}
  return %x : f32
}}
"""
LOOP = f"""\
func.func @f(%n: index, %m: {T}, %v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.cmpi sgt, %n, %c1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> ({T}) {{
    %b = memref.alloc() : {T}
    memref.copy %p, %b : {T} to {T}
    %q = arith.select %k, %p, %b : {T}
    scf.yield %q : {T}
  }}
  %x = memref.load %r[%c0] : {T}
  return %x : f32
}}
"""
RETURNED = f"""\
func.func @f(%n: index, %m: {T}, %v: f32) -> {T} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> ({T}) {{
    %b = memref.alloc() : {T}
    memref.copy %p, %b : {T} to {T}
    scf.yield %b : {T}
  }}
  return %r : {T}
}}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_two_values_that_may_be_one(engine):
    names = ("runtime_check", "in_question", "compares_at_run_time")
    check, pairs, ops = derive(JOINED, *names, stage=LOWERING, engine=engine)
    ((op, value, other),) = check
    assert (value, other) == ("%a", "%p") and ops == {(op,)}
    assert len(pairs) == 1


def test_where_it_is_told():
    assert told(JOINED, "runtime_check") == [
        "9: whether %a and %p are the same buffer is checked at run time, before %a is freed; "
        "3: %a is defined here; 6: %p is defined here"
    ]


def test_in_a_loop():
    assert [line.partition(" are")[0] for line in told(LOOP, "runtime_check")] == [
        "9: whether %b and %q",
        "9: whether %p and %q",
    ]


def test_the_way_back_from_base_buffers_and_clones():
    written, stems, found, cloned, wanted = derive(
        RETURNED, "written", "stems_from", "in_the_text", "perhaps_cloned", "written_wanted", stage=LOWERING
    )
    ((owned, returned),) = cloned
    assert returned == "%r" and (owned,) in wanted and (owned, "%r") in written and (owned, "%r") in stems
    bases = {value for value, original in written if value.startswith("%base_buffer") and original == "%r"}
    assert bases and all((base,) in found for base in bases)


def test_a_value_or_its_clone():
    check, clone = derive(RETURNED, "runtime_check", "clone_check", stage=LOWERING)
    assert {row[1] for row in clone} == {"%r"}
    assert check == set()
    (line,) = told(RETURNED, "clone_check")
    assert line == (
        "9: whether %r or a clone of it is returned is checked at run time, before %r is freed; 4: %r is defined here"
    )


def test_a_reallocated_buffer_stands_where_it_is_reallocated():
    text = """\
func.func @f(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m) -> (memref<?xf32>) {
    %b = memref.realloc %a(%i) : memref<?xf32> to memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  return %r : memref<?xf32>
}
"""
    assert told(text, "runtime_check") == [
        "6: whether %a and %b are the same buffer is checked at run time, before %a is freed; "
        "4: %a is defined here; 5: %b is defined here"
    ]


ANSWERED = {
    "freed where it is made": f"""\
func.func @f(%v: f32) {{
  %a = memref.alloc() : {T}
  linalg.fill ins(%v : f32) outs(%a : {T})
  return
}}
""",
    "apart": f"""\
func.func @f(%m: {T}, %v: f32) -> {T} {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  memref.copy %m, %a : {T} to {T}
  memref.copy %a, %b : {T} to {T}
  return %b : {T}
}}
""",
}


@pytest.mark.parametrize("text", ANSWERED.values(), ids=ANSWERED)
def test_nothing_is_left_to_the_run(text):
    assert told(text, "runtime_check", "clone_check", "conditional_free") == []


def test_a_dealloc_of_the_text():
    text = f"""\
func.func @f(%a: {T}, %b: {T}, %k: i1) {{
  bufferization.dealloc (%a : {T}) if (%k) retain (%b : {T})
  return
}}
"""
    text = text.replace("retain", "\n    retain")  # an operation of two lines is told by its first
    ((op, *pair),) = derive(text, "runtime_check")
    assert op == "bufferization.dealloc#1" and pair == ["%a", "%b"]


MANY = 9


def many() -> str:
    """A deallocation of more buffers than are compared with each other: each may be its neighbour."""
    names = ", ".join(f"%p{i}" for i in range(MANY))
    types = ", ".join([T] * MANY)
    rotated = ", ".join(f"%p{(i + 1) % MANY}" for i in range(MANY))
    conditions = ", ".join(["%k"] * MANY)
    return f"""\
func.func @f({", ".join(f"%a{i}: {T}" for i in range(MANY))}, %k: i1) {{
  cf.br ^loop({", ".join(f"%a{i}" for i in range(MANY))} : {types})
^loop({", ".join(f"%p{i}: {T}" for i in range(MANY))}):
  cf.cond_br %k, ^loop({rotated} : {types}), ^end
^end:
  bufferization.dealloc ({names} : {types}) if ({conditions})
  return
}}
"""


def test_many_buffers_that_are_tied_to_each_other():
    text = many()
    unanswered, entries, first, ties, checks = derive(
        text, "stays_as_it_is", "dealloc_entry", "first_tie", "tie", "runtime_check"
    )
    ((op,),) = unanswered
    assert {row[1:] for row in entries} == {(i, f"%p{i}") for i in range(MANY)}
    assert {row[1:] for row in first} == {(i, i + 1) for i in range(MANY - 1)}
    assert (op, 0, MANY - 1) in ties
    assert {row[1:] for row in checks} == {(f"%p{i}", f"%p{i + 1}") for i in range(MANY - 1)}
    origins, sources, firsts, some = derive(
        text, "entry_origin", "entry_source", "first_entry", "some_entry_source"
    )
    assert {row[1:] for row in origins} == {(i, f"%p{i}") for i in range(MANY)}
    assert (op, 0, "%a0") in sources and (op, "%a0", 0) in firsts and (op, "%a0") in some


def test_a_free_that_depends_on_ownership():
    names = ("conditional_free", "frees_if_owned", "free_condition", "part_of_condition", "tells_ownership")
    free, of, conditions, parts, tells = derive(LOOP, *names, stage=LOWERING)
    assert {row[1] for row in free} == {"%p", "%r"}
    assert {row[0] for row in of} == {row[0] for row in free}
    used = {row[2] for row in conditions}
    assert used <= {row[0] for row in parts} and used & {row[0] for row in tells}
    assert told(LOOP, "conditional_free") == [
        "9: %p is freed here only if it is owned, which turns out at run time; 5: %p is defined here",
        "12: %r is freed here only if it is owned, which turns out at run time; 5: %r is defined here",
    ]


def test_a_free_on_one_side_of_a_branch_does_not():
    text = f"""\
func.func @f(%k: i1, %v: f32) -> {T} {{
  %a = memref.alloc() : {T}
  %b = memref.alloc() : {T}
  linalg.fill ins(%v : f32) outs(%a : {T})
  linalg.fill ins(%v : f32) outs(%b : {T})
  cf.cond_br %k, ^one, ^other
^one:
  return %b : {T}
^other:
  %c = memref.alloc() : {T}
  memref.copy %a, %c : {T} to {T}
  return %c : {T}
}}
"""
    conditions, free = derive(text, "free_condition", "conditional_free", stage=LOWERING)
    assert len(conditions) > 0 and free == set()


def test_the_stretch_of_what_a_pass_made_is_the_operation_after_it():
    (finding,) = findings(JOINED, "runtime_check")
    assert finding.spot.source.text[finding.spot.offset : finding.spot.end] == "return %x : f32"
    assert finding.fact.startswith("runtime_check(bufferization.dealloc#") and finding.fact.endswith(", %a, %p)")
