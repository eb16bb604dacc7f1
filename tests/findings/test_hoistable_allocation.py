"""Allocations that could stand before the loop."""

import pytest

from tests.support.engines import ENGINES

from .derive import derive, findings, told

T = "memref<4xf32>"


def function(body: str, arguments: str = "") -> str:
    return f"""\
func.func private @use({T})
func.func private @give({T}) -> {T}
func.func @f(%n: index, %m: {T}, %v: f32, %k: i1{arguments}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{body}
  return
}}
"""


def loop(*lines: str, kind: str = "scf.for %i = %c0 to %n step %c1") -> str:
    return function(f"  {kind} {{\n" + "".join(f"    {line}\n" for line in lines) + "  }")


ALLOC = f"%a = memref.alloc() : {T}"
STORE = f"memref.store %v, %a[%i] : {T}"

HOISTABLE = {
    "scf.for": loop(ALLOC, STORE),
    "affine.for": loop(ALLOC, f"affine.store %v, %a[%i] : {T}", kind="affine.for %i = 0 to 5"),
    "called": loop(ALLOC, "func.call @use(%a) : (memref<4xf32>) -> ()"),
    "size from outside": loop("%a = memref.alloc(%n) : memref<?xf32>", "memref.store %v, %a[%i] : memref<?xf32>"),
    "size computed in the loop": loop(
        "%two = arith.constant 2 : index",
        "%s = arith.muli %n, %two : index",
        "%a = memref.alloc(%s) : memref<?xf32>",
        "memref.store %v, %a[%i] : memref<?xf32>",
    ),
    "size of a buffer from outside": loop(
        f"%s = memref.dim %m, %c0 : {T}",
        "%a = memref.alloc(%s) : memref<?xf32>",
        "memref.store %v, %a[%i] : memref<?xf32>",
    ),
    "chosen in the iteration": loop(ALLOC, f"%s = arith.select %k, %a, %m : {T}", f"memref.store %v, %s[%i] : {T}"),
    "given back by a call": loop(
        ALLOC, f"%b = func.call @give(%a) : ({T}) -> {T}", f"memref.store %v, %b[%i] : {T}"
    ),
    "while": function(f"""\
  %r = scf.while (%i = %c0) : (index) -> index {{
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  }} do {{
  ^bb0(%i: index):
    {ALLOC}
    {STORE}
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }}"""),
    "inside a parallel loop": function(f"""\
  scf.parallel (%p) = (%c0) to (%n) step (%c1) {{
    scf.for %i = %c0 to %n step %c1 {{
      {ALLOC}
      {STORE}
    }}
  }}"""),
}

STAYS = {
    "yielded": function(f"""\
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> ({T}) {{
    {ALLOC}
    {STORE}
    scf.yield %a : {T}
  }}"""),
    "a view is yielded": function(f"""\
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> ({T}) {{
    {ALLOC}
    %b = memref.cast %a : {T} to memref<?xf32>
    %d = memref.cast %b : memref<?xf32> to {T}
    scf.yield %d : {T}
  }}"""),
    "perhaps yielded": function(f"""\
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> ({T}) {{
    {ALLOC}
    %b = scf.if %k -> ({T}) {{
      scf.yield %a : {T}
    }} else {{
      scf.yield %p : {T}
    }}
    scf.yield %b : {T}
  }}"""),
    "given back by a function of the module": """\
func.func private @same(%x: memref<4xf32>) -> memref<4xf32> {
  return %x : memref<4xf32>
}
"""
    + function(f"""\
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> ({T}) {{
    {ALLOC}
    %b = func.call @same(%a) : ({T}) -> {T}
    scf.yield %b : {T}
  }}"""),
    "stored": loop(ALLOC, f"memref.store %a, %o[%i] : memref<8x{T}>").replace("%k: i1", f"%k: i1, %o: memref<8x{T}>"),
    "size of the iteration": loop("%a = memref.alloc(%i) : memref<?xf32>", "memref.store %v, %a[%c0] : memref<?xf32>"),
    "size computed of the iteration": loop(
        "%s = arith.addi %i, %n : index",
        "%a = memref.alloc(%s) : memref<?xf32>",
        "memref.store %v, %a[%c0] : memref<?xf32>",
    ),
    "size from memory": loop(
        "%s = memref.load %z[%i] : memref<8xindex>",
        "%a = memref.alloc(%s) : memref<?xf32>",
        "memref.store %v, %a[%c0] : memref<?xf32>",
    ).replace("%k: i1", "%k: i1, %z: memref<8xindex>"),
    "parallel": function(f"""\
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {{
    {ALLOC}
    {STORE}
  }}"""),
    "forall": function(f"""\
  scf.forall (%i) in (4) {{
    {ALLOC}
    {STORE}
  }}"""),
    "only on some path": loop(f"scf.if %k {{ {ALLOC}\n {STORE} }}"),
    "a clone": loop(f"%a = bufferization.clone %m : {T} to {T}", STORE),
    "on the stack": loop(f"%a = memref.alloca() : {T}", STORE),
    "reallocated": loop(ALLOC, STORE, f"%b = memref.realloc %a : {T} to memref<8xf32>"),
    "its address is taken": loop(ALLOC, STORE, f"%p = memref.extract_aligned_pointer_as_index %a : {T} -> index"),
    "a tensor of it": loop(ALLOC, STORE, f"%t = bufferization.to_tensor %a : {T} to tensor<4xf32>"),
    "unknown operation": loop(ALLOC, f'"mydb.keep"(%a) : ({T}) -> ()'),
    "not in a loop": function(f"  {ALLOC}\n  memref.store %v, %a[%c0] : {T}"),
}


@pytest.mark.parametrize("text", HOISTABLE.values(), ids=HOISTABLE)
def test_one_before_the_loop_would_do(text):
    assert {row[0] for row in derive(text, "hoistable_allocation")} == {"%a"}


@pytest.mark.parametrize("text", STAYS.values(), ids=STAYS)
def test_it_takes_one_an_iteration(text):
    assert derive(text, "hoistable_allocation") == set()


NESTED = function("""\
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<4xf32>
      %b = memref.alloc(%i) : memref<?xf32>
      memref.store %v, %a[%c0] : memref<4xf32>
      memref.store %v, %b[%c0] : memref<?xf32>
    }
  }""")


def test_out_of_as_many_loops_as_can_be():
    found, further, inside = derive(NESTED, "hoistable_allocation", "hoistable_further", "directly_in")
    outer, inner = "scf.for#3", "scf.for#4"
    names = {name for _, name in found}
    assert found == {("%a", min(names)), ("%b", max(names))} and len(names) == 2
    assert further == {("%a", max(names))}
    assert inside == {(max(names), min(names))}
    assert outer != inner


def test_the_parts_of_the_answer():
    text = HOISTABLE["size computed in the loop"]
    body, around, starts, carries, measured = derive(
        text, "loop_body", "allocated_in", "loop_start", "carries", "measured_by"
    )
    ((loop_op, _),) = body
    assert starts == {(loop_op, loop_op)} and around == {("%a", loop_op)} == derive(text, "in_loops")
    assert carries == {("%a", "%a")}
    assert measured == {("%a", "%s"), ("%a", "%n"), ("%a", "%two")}
    new, hoistable, computes = derive(STAYS["size from memory"], "new_size", "hoistable", "computes")
    assert {row[0] for row in new} == {"%a"} and hoistable == set() and ("memref.dim",) in computes
    leaves, given_on, carries = derive(STAYS["yielded"], "leaves_iteration", "given_on", "carries")
    assert {row[0] for row in leaves} == {"%a"} and "%a" in {row[0] for row in given_on}
    assert carries == {("%a", "%a")}  # what it becomes behind the loop is not followed
    assert len(derive(STAYS["unknown operation"], "may_keep")) == 1
    assert len(derive(STAYS["a clone"], "fills_from_another")) == 1


CYCLE = """\
func.func @f(%m: memref<4xf32>, %c: i1, %n: index, %v: f32) -> memref<4xf32> {{
  %c0 = arith.constant 0 : index
  cf.br ^head(%m : memref<4xf32>)
^head(%p: memref<4xf32>):
  {head}
  cf.cond_br %c, ^body, ^after
^body:
  {body}
  cf.cond_br %c, ^side, ^latch
^side:
  {side}
  cf.br ^latch
^latch:
  {latch}
  cf.br ^head({next} : memref<4xf32>)
^after:
  return {returned} : memref<4xf32>
}}
"""
STORED = "%a = memref.alloc() : memref<4xf32>\n  memref.store %v, %a[%c0] : memref<4xf32>"


def cycle(head="", body="", side="", latch="", next="%p", returned="%p"):
    return CYCLE.format(head=head, body=body, side=side, latch=latch, next=next, returned=returned)


@pytest.mark.parametrize("where", ["head", "body", "latch"])
def test_a_loop_of_blocks(where):
    text = cycle(**{where: STORED})
    blocks, starts = derive(text, "on_cycle", "loop_start")
    assert blocks == {("^head", b) for b in ("^head", "^body", "^side", "^latch")}
    ((head, first),) = starts
    assert head == "^head" and derive(text, "hoistable_allocation") == {("%a", first)}


def test_a_loop_of_blocks_that_keeps_its_buffer():
    assert derive(cycle(body=STORED, next="%a"), "hoistable_allocation") == set()
    assert derive(cycle(head=STORED, returned="%a"), "hoistable_allocation") == set()
    text = cycle(side=STORED)
    passed, found = derive(text, "passed_by", "hoistable_allocation")
    assert passed == {("^head", "^side")} and found == set()


def test_a_loop_of_blocks_in_another():
    text = """\
func.func @f(%c: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  cf.br ^outer
^outer:
  cf.br ^inner
^inner:
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  cf.cond_br %c, ^inner, ^next
^next:
  cf.cond_br %c, ^outer, ^end
^end:
  return
}
"""
    inner, found = derive(text, "inner_cycle", "allocated_in")
    assert inner == {("^outer", "^inner")} and found == {("%a", "^inner")}
    assert told(text, "hoistable_allocation") == [
        "7: the buffer %a is allocated in every iteration, and one before the loop would do; 7: the loop starts here"
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_how_it_is_told(engine):
    (finding,) = findings(HOISTABLE["scf.for"], "hoistable_allocation", engine=engine)
    assert finding.fact.startswith("hoistable_allocation(%a, scf.for#")
    (note,) = finding.notes
    assert note[1] == "the loop starts here"
    assert note[0].source.text[note[0].offset :].startswith("scf.for %i")
