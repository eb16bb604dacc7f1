"""Operations that take a buffer over: which get the buffer itself, and which a clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog import rules
from dealog.engine import load, solve
from dealog.execution import run
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend import parse, print_module
from dealog.frontend.facts import export_facts
from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, expand
from dealog.pipeline import run as run_passes
from dealog.stopwatch import Stopwatch

T = "memref<2xf32>"
ALLOC = f"  %a = memref.alloc() : {T}\n"
GIVE = f'  "db.give"(%a) : ({T}) -> ()\n'


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    path = tmp_path / "db.dl"
    path.write_text(
        'known_effects("db.give"). takes("db.give", 0). known_effects("db.two").\n'
        'known_effects("db.free"). frees("db.free", 0).\n'
        'manual(Op) :- operation(Op, "db.free", _, _).\n'
    )
    return path


def function(lines: str) -> str:
    return f"func.func @f(%c: i1, %m: {T}) {{\n{lines}  return\n}}\n"


def derive(taught: Path, lines: str, *relations: str) -> list[set[tuple[str | int, ...]]]:
    program = load(rules.program("ownership_based_buffer_deallocation"), extra=[taught])
    options = {"private-function-dynamic-ownership": "false"}
    facts = export_facts(parse(function(lines), "test.mlir"), NO_EXTENSIONS.structure, options)
    derived = solve(program, facts.relations, engine="embedded", outputs=relations)
    return [
        {tuple(x.removeprefix("@f/") if isinstance(x, str) else x for x in row) for row in derived[name]}
        for name in relations
    ]


def test_an_allocation_is_moved_by_its_last_use(taught: Path) -> None:
    lines = ALLOC + f"  memref.copy %m, %a : {T} to {T}\n" + GIVE
    taken, moved, away, cloned, freed = derive(
        taught, lines, "taken_over", "moved_into", "moved_away", "cloned_for", "to_free"
    )
    assert taken == {("db.give#3", 0, "%a", "^bb0")}
    assert moved == {("db.give#3", 0, "%a")} and away == {("%a",)}
    assert cloned == set() and ("^bb0", "%a") not in freed


@pytest.mark.parametrize(
    "lines",
    [
        ALLOC + GIVE + f"  memref.copy %m, %a : {T} to {T}\n",  # used later
        ALLOC + GIVE + GIVE,  # given twice
        ALLOC + f'  "db.give"(%a, %a) : ({T}, {T}) -> ()\n',  # an operand twice
        ALLOC + f"  %v = memref.cast %a : {T} to memref<?xf32>\n" + GIVE,  # another name for it
        ALLOC + f"  %t = bufferization.to_tensor %a : {T} to tensor<2xf32>\n" + GIVE,  # seen as a tensor
        ALLOC + f"  scf.if %c {{\n    memref.copy %m, %a : {T} to {T}\n  }}\n" + GIVE,  # used in another block
        ALLOC
        + f"  %z = arith.constant 0 : index\n  %h = memref.alloc() : memref<1x{T}>\n"
        + f"  memref.store %a, %h[%z] : memref<1x{T}>\n"
        + GIVE,  # kept in memory
    ],
)
def test_what_is_needed_beyond_is_cloned(taught: Path, lines: str) -> None:
    beyond, cloned, moved = derive(taught, lines, "needed_beyond", "cloned_for", "moved_into")
    given = {(op, i) for op, i in cloned}
    assert beyond == given != set()
    assert all((op, i) not in given for op, i, _ in moved)


@pytest.mark.parametrize(
    ("lines", "op"),
    [
        (GIVE.replace("%a", "%m"), "db.give#1"),
        (ALLOC + f"  scf.if %c {{\n  {GIVE}  }}\n", "db.give#3"),  # given on some paths only
    ],
)
def test_what_is_not_ours_there_is_cloned(taught: Path, lines: str, op: str) -> None:
    beyond, cloned = derive(taught, lines, "needed_beyond", "cloned_for")
    assert beyond == set() and cloned == {(op, 0)}


def test_what_the_user_frees_by_hand_is_left_alone(taught: Path) -> None:
    lines = ALLOC.replace("()", "() {bufferization.manual_deallocation}") + GIVE.replace("give", "free")
    manual, refused, freed = derive(taught, lines, "manual", "refused", "freed_if")
    assert {op for (op,) in manual} == {"memref.alloc#1", "db.free#2"}
    assert refused == set() and freed == set()


def test_the_output_hands_over_what_it_may_and_frees_the_rest(taught: Path) -> None:
    """With `memref.dealloc` in the place of the operation that takes over, nothing leaks and nothing is freed twice."""
    lines = ALLOC + GIVE + ALLOC.replace("%a", "%b") + GIVE.replace("%a", "%b")
    lines += f"  memref.copy %m, %b : {T} to {T}\n" + GIVE.replace("%a", "%m")
    module = parse(function(lines), "test.mlir")
    with Stopwatch(show=False) as stopwatch:
        run_passes(module, expand(DEALLOCATION), Engine("embedded"), stopwatch, Extensions(rules=(taught,)))
    text = print_module(module)
    assert text.count("memref.alloc") == 4 and text.count("memref.dealloc") == 1
    closed = text.replace('"db.give"', '"memref.dealloc"')
    main = f"func.func @main(%c: i1) {{\n  %m = memref.alloc() : {T}\n  call @f(%c, %m) : (i1, {T}) -> ()\n"
    main += f"  memref.dealloc %m : {T}\n  return\n}}\n"
    outcome = run(parse(closed + main, "closed.mlir"), "main", [True])
    assert outcome.faults == []
