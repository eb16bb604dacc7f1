"""Clones that go on in place of what is read from memory, where the name of the buffer that it may be ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog import rules
from dealog.engine import Tuple, load, solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts
from tests.rules.derive import derive
from tests.support.dealog import run_dealog

STATIC = ("static_buffer_deallocation",)
T = "memref<4xf32>"
HOLDER = f"memref<2x{T}>"
ROUND = f"""
func.func @f(%n: index, %m: {T}, %i: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %m, %z = %m) -> ({T}, {T}) {{
    %h = memref.alloc() : {HOLDER}
    %a = memref.alloc() : {T}
    %b = memref.alloc() : {T}
    memref.copy %x, %a : {T} to {T}
    memref.copy %z, %b : {T} to {T}
    memref.store %a, %h[%c0] : {HOLDER}
    memref.store %b, %h[%c1] : {HOLDER}
    %l = memref.load %h[%i] : {HOLDER}
    MORE
    scf.yield HANDED : {T}, {T}
  }}
  BEHIND
  return
}}
func.func private @seen({T})
func.func private @holds(%h: {HOLDER}) {{
  %c0 = arith.constant 0 : index
  %l = memref.load %h[%c0] : {HOLDER}
  %p = memref.extract_aligned_pointer_as_index %l : {T} -> index
  %w = arith.index_cast %p : index to i64
  %q = llvm.inttoptr %w : i64 to !llvm.ptr
  %f = arith.constant 1.0 : f32
  llvm.store %f, %q : f32, !llvm.ptr
  call @written(%l) : ({T}) -> ()
  return
}}
func.func private @written(%x: {T}) {{
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  memref.store %f, %x[%c0] : {T}
  return
}}
"""


def _round(more: str = "", handed: str = "%l, %m", behind: str = "") -> str:
    return ROUND.replace("MORE", more).replace("HANDED", handed).replace("BEHIND", behind)


def test_what_is_read_goes_on_as_a_clone() -> None:
    leaves, own, asked, unfit, cloned, ours, refused, going, text = derive(
        _round(), "leaves_unnamed", "may_own_clone", "clone_asked", "unfit", "cloned_on_way", "ours_to_free", "refused",
        "clone_going_on", "clone_inserted", rules=STATIC,
    )  # fmt: skip
    ((terminator, operand),) = cloned
    assert leaves == {(r, terminator, 0, s) for r in ("%x", "%last#0") for s in ("%a", "%b")}
    assert own == {("%x",), ("%last#0",)} and asked == cloned and operand == 0
    assert ("%x",) in ours and ("%last#0",) in ours and ("%z",) not in ours
    assert not unfit and not refused
    ((name, value, where, anchor, _),) = text
    assert (value, where, anchor) == ("%l", "before", terminator) and going == {(terminator, 0, name)}


def test_the_clone_is_made_before_the_buffer_is_freed_and_freed_where_it_ends() -> None:
    output = run_dealog(_round(), ("static-buffer-deallocation",)).text
    assert output is not None
    lines = [line.strip() for line in output.splitlines()]
    at = lines.index(f"%clone = bufferization.clone %l : {T} to {T}")
    assert {f"memref.dealloc %{name} : {T}" for name in "ab"} == set(lines[at + 1 : at + 3])
    assert lines[at + 3].startswith("scf.yield %clone, %m, %true")


def test_a_clone_for_the_caller_is_made_before_the_buffer_is_freed() -> None:
    """Whatever the number of the result."""
    text = f"""
func.func @f(%m: {T}, %i: index, %j: index) -> ({", ".join([T] * 50)}) {{
  %a = memref.alloc() : {T}
  %h = memref.alloc() : {HOLDER}
  memref.store %a, %h[%i] : {HOLDER}
  %l = memref.load %h[%j] : {HOLDER}
  return {"%m, " * 49}%l : {", ".join([T] * 50)}
}}
"""
    clones, freed = derive(text, "clone_inserted", "free_inserted", rules=STATIC)
    (cloned,) = [(where, anchor, order) for _, value, where, anchor, order in clones if value == "%l"]
    (ended,) = [(where, anchor, order) for value, _, where, anchor, order in freed if value == "%a"]
    assert cloned[:2] == ended[:2] and cloned[2] < ended[2]


def test_what_goes_on_by_its_name_is_not_cloned() -> None:
    leaves, cloned = derive(_round(handed="%a, %m"), "leaves_unnamed", "cloned_on_way", rules=STATIC)
    assert not leaves and not cloned


@pytest.mark.parametrize(
    ("more", "handed", "behind", "noticed"),
    [
        ("", "%l, %a", "", False),
        (f"memref.copy %m, %x : {T} to {T}", "%l, %m", "", True),
        (f"memref.copy %m, %z : {T} to {T}", "%l, %m", "", False),
        (f"memref.copy %m, %z : {T} to {T}", "%l, %a", "", True),
        (f"memref.copy %m, %l : {T} to {T}", "%l, %m", "", False),
        (f"memref.copy %m, %l : {T} to {T}", "%l, %a", "", True),
        ("", "%l, %m", f"memref.copy %m, %last#0 : {T} to {T}", True),
        ("", "%l, %m", f"memref.copy %last#0, %m : {T} to {T}", False),
        ("", "%l, %m", f"call @seen(%last#0) : ({T}) -> ()", True),
        ("", "%l, %m", f"call @written(%last#0) : ({T}) -> ()", True),
        (
            "", "%l, %m",
            f"%c = arith.cmpi eq, %n, %c0 : index\n  %r = scf.if %c -> {T} {{\n    scf.yield %last#0 : {T}\n"
            f"  }} else {{\n    scf.yield %m : {T}\n  }}\n  memref.copy %m, %r : {T} to {T}",
            True,
        ),
        (
            f"%v = memref.cast %x : {T} to memref<?xf32>\n    memref.copy %m, %v : {T} to memref<?xf32>",
            "%l, %m", "", True,
        ),
        (
            f"%c = arith.cmpi eq, %k, %c0 : index\n    %v = arith.select %c, %x, %m : {T}\n"
            f"    memref.copy %m, %v : {T} to {T}",
            "%l, %m", "", True,
        ),
        (
            f"%s = memref.subview %x[%k] [1] [1] : {T} to memref<1xf32, strided<[1], offset: ?>>\n"
            "    %g = arith.constant 1.0 : f32\n"
            "    memref.store %g, %s[%c0] : memref<1xf32, strided<[1], offset: ?>>",
            "%l, %m", "", True,
        ),
        (f"%s = bufferization.clone %x : {T} to {T}\n    memref.copy %m, %s : {T} to {T}", "%l, %m", "", False),
        (f"memref.store %x, %h[%c1] : {HOLDER}\n    memref.copy %m, %l : {T} to {T}", "%l, %m", "", True),
        (f"memref.store %x, %h[%c1] : {HOLDER}", "%l, %m", "", False),
        (f"memref.store %x, %h[%c1] : {HOLDER}\n    call @holds(%h) : ({HOLDER}) -> ()", "%l, %m", "", True),
        (f"call @holds(%h) : ({HOLDER}) -> ()", "%l, %m", "", False),
        (f"call @holds(%h) : ({HOLDER}) -> ()", "%l, %a", "", True),
    ],
)  # fmt: skip
def test_no_clone_goes_on_where_what_is_written_could_be_missed(
    more: str, handed: str, behind: str, noticed: bool
) -> None:
    text = _round(more, handed, behind)
    asked, seen, cloned, refused, names = derive(
        text, "clone_asked", "noticed", "cloned_on_way", "refused", "clone_name", rules=STATIC
    )
    assert len(asked) == 1 and asked == (seen if noticed else cloned) and bool(refused) == noticed
    assert {(op, operand, name) for op, operand in asked for name in ("%x", "%last#0")} <= names


@pytest.mark.parametrize("by_pointer", [True, False])
def test_addresses_by_which_something_may_be_written(by_pointer: bool) -> None:
    more = f"""%p = memref.extract_aligned_pointer_as_index %x : {T} -> index
    %w = arith.index_cast %p : index to i64"""
    written = """
    %q = llvm.inttoptr %w : i64 to !llvm.ptr
    %f = arith.constant 1.0 : f32
    llvm.store %f, %q : f32, !llvm.ptr"""
    by_address, seen, asked, cloned = derive(
        _round(more + written * by_pointer), "writes_by_address", "noticed", "clone_asked", "cloned_on_way",
        rules=STATIC,
    )  # fmt: skip
    assert bool(by_address) == by_pointer and asked == (seen if by_pointer else cloned) and len(asked) == 1


def test_a_buffer_that_lives_on_by_its_name() -> None:
    lives, read, within = derive(
        _round(handed="%l, %a"), "lives_on", "may_be_read", "within_function", rules=STATIC
    )  # fmt: skip
    assert {receiver for _, _, receiver in lives} == {"%z", "%last#1"}
    assert read == {(op, operand) for op, operand, _ in lives} and within == {(op, "@f") for op, _ in read}


def test_what_other_functions_do_does_not_matter() -> None:
    """Unless they are called with what matters: so functions can be decided in parts."""
    more = f"memref.store %x, %h[%c1] : {HOLDER}"
    address, away, names = derive(
        _round(more), "writes_by_address", "gives_memory_away", "clone_name", rules=STATIC
    )  # fmt: skip
    assert not address and not away and "%l" in {name for _, _, name in names}
    assert not any(name.startswith("@holds") for _, _, name in names)
    (away,) = derive(_round(f"call @holds(%h) : ({HOLDER}) -> ()"), "gives_memory_away", "refused", rules=STATIC)[:1]
    assert away == {("@f",)}


def test_an_address_is_not_cloned() -> None:
    text = _round().replace("%x = %m", "%x = %c0").replace(f"-> ({T}, {T})", f"-> (index, {T})")
    text = text.replace(f"memref.copy %x, %a : {T} to {T}", "").replace(f"%l, %m : {T}, {T}", f"%p, %m : index, {T}")
    address = f"    %p = memref.extract_aligned_pointer_as_index %l : {T} -> index\n"
    text = text.replace("    scf.yield", f"{address}    scf.yield")
    text = text.replace("  return", "  %r = arith.addi %last#0, %c1 : index\n  return", 1)
    leaves, asked, refused = derive(text, "leaves_unnamed", "clone_asked", "refused", rules=STATIC)
    assert leaves and not asked and refused


READ_BACK = f"""
%h = memref.alloc() : {HOLDER}
%a = memref.alloc() : {T}
memref.copy %x, %a : {T} to {T}
memref.store %a, %h[%c0] : {HOLDER}
memref.store %m, %h[%c1] : {HOLDER}
%l = memref.load %h[%i] : {HOLDER}
"""
BLOCKS = f"""
func.func @f(%m: {T}, %i: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^round(%m : {T})
^round(%x: {T}):
  {READ_BACK}
  %c = func.call @more() : () -> i1
  cf.cond_br %c, ^round(%l : {T}), ^done
^done:
  return
}}
func.func private @more() -> i1
"""


def test_where_the_other_successor_is_taken_the_clone_is_freed() -> None:
    cloned, dropped, blocks, freed = derive(
        BLOCKS, "cloned_on_way", "dropped_clone", "block_inserted", "free_inserted", rules=STATIC
    )
    ((terminator, _),) = cloned
    ((branch, successor, name),) = dropped
    assert (branch, successor) == (terminator, 1) and (terminator, 1) in {(op, number) for op, number, _ in blocks}
    (edge,) = {block for op, number, block in blocks if number == 1}
    assert (name, "memref.dealloc", "start", edge, 0) in freed


WHILE = f"""
func.func @f(%m: {T}, %i: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.while (%x = %m) : ({T}) -> {T} {{
    {READ_BACK}
    %c = func.call @more() : () -> i1
    scf.condition(%c) %l : {T}
  }} do {{
  ^bb0(%y: {T}):
    scf.yield %y : {T}
  }}
  memref.copy %last, %m : {T} to {T}
  return
}}
func.func private @more() -> i1
"""


def test_one_clone_goes_into_the_next_region_or_out_of_the_loop() -> None:
    cloned, ours, refused = derive(WHILE, "cloned_on_way", "ours_to_free", "refused", rules=STATIC)
    assert {operand for _, operand in cloned} == {1} and not refused
    assert {("%y",), ("%last",), ("%x",)} <= ours


@pytest.mark.parametrize("by_hand", [True, False])
def test_not_in_functions_that_free_on_conditions(by_hand: bool) -> None:
    """%x is freed by hand where an i1 that comes along with it holds."""
    text = _round().replace("%z = %m) ->", "%z = %m, %own = %false) ->").replace("last:2", "last:3")
    text = text.replace(f"({T}, {T}) {{", f"({T}, {T}, i1) {{").replace(f"%m : {T}, {T}", f"%m, %false : {T}, {T}, i1")
    text = text.replace("  %c0 =", "  %false = arith.constant false\n  %c0 =", 1)
    if by_hand:
        freed = f"scf.if %own {{\n      memref.dealloc %x : {T}\n    }}\n"
        text = text.replace("    scf.yield", f"    {freed}    scf.yield")
    leaves, own, asked = derive(text, "leaves_unnamed", "may_own_clone", "clone_asked", rules=STATIC)
    assert leaves and bool(own) == bool(asked) == (not by_hand)


def _derived(text: str, taught: Path, *relations: str) -> dict[str, list[Tuple]]:
    program = load(rules.program("static_buffer_deallocation"), extra=[taught])
    facts = export_facts(parse(text, "test.mlir"), NO_EXTENSIONS.structure).relations
    return solve(program, facts, outputs=relations)


@pytest.mark.parametrize(
    ("held", "handed", "cloned"), [("%a", "%l", True), ("%b", "%l", True), ("%b", "%s", True), ("%a", "%a", False)]
)
def test_no_clone_stands_for_what_another_operation_frees(
    held: str, handed: str, cloned: bool, tmp_path: Path
) -> None:
    """What is handed on is read from memory, or is chosen between that and a buffer that `my.open` makes."""
    taught = tmp_path / "taught.dl"
    taught.write_text("""
known_effects("my.open"). allocates("my.open", 0). freed_by("my.open", "my.close"). frees("my.close", 0).
""")
    text = f"""
func.func @f(%n: index, %m: {T}, %i: index, %c: i1) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%x = %m) -> {T} {{
    %h = memref.alloc() : {HOLDER}
    %b = memref.alloc() : {T}
    %a = "my.open"() : () -> {T}
    memref.copy %x, %a : {T} to {T}
    memref.copy %x, %b : {T} to {T}
    memref.store {held}, %h[%c0] : {HOLDER}
    %l = memref.load %h[%i] : {HOLDER}
    %s = arith.select %c, %l, %a : {T}
    scf.yield {handed} : {T}
  }}
  return
}}
"""
    derived = _derived(text, taught, "cloned_on_way", "refused")
    message = "a clone of a buffer that another operation than memref.dealloc frees would be taken over here"
    assert bool(derived["cloned_on_way"]) == cloned
    assert any(said == message for _, _, said in derived["refused"]) == (cloned and (held, handed) != ("%b", "%l"))


@pytest.mark.parametrize(("round_", "out", "is_unfit"), [(0, 0, False), (0, 1, True), (1, 0, True)])
def test_not_where_control_may_go_on_without_it(round_: int, out: int, is_unfit: bool, tmp_path: Path) -> None:
    """Of an operation that hands on one operand of its terminator to the next round, and one to its result."""
    taught = tmp_path / "taught.dl"
    taught.write_text(f"""
known_effects("my.loop"). recursive_effects("my.loop"). region_branch("my.loop"). known_effects("my.next").
terminator("my.next"). region_terminator("my.next").
entry_operand(Op, 0, 0, 0) :- operation(Op, "my.loop", _, _).
next_region_operand(T, {round_}, 0, 0) :- operation(T, "my.next", _, _).
exit_operand(T, {out}, 0) :- operation(T, "my.next", _, _).
""")
    text = f"""
func.func @f(%m: {T}, %i: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = "my.loop"(%m) ({{
  ^bb0(%x: {T}):
    {READ_BACK}
    "my.next"(%l, %m) : ({T}, {T}) -> ()
  }}) : ({T}) -> {T}
  memref.copy %last, %m : {T} to {T}
  return
}}
"""
    derived = _derived(text, taught, "clone_asked", "unfit", "cloned_on_way")
    assert len(derived["clone_asked"]) == 1
    assert set(derived["clone_asked"]) == set(derived["unfit" if is_unfit else "cloned_on_way"])
