"""Operations that take a buffer over: the buffer goes to them where nothing else needs it, else a clone."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog import rules
from dealog.engine import load, solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts

from .derive import Rows

T = "memref<2xf32>"
ALLOC = f"  %a = memref.alloc() : {T}\n"
COPY = f"  memref.copy %m, %a : {T} to {T}\n"
GIVE = f'  "db.give"(%a) : ({T}) -> ()\n'


@pytest.fixture
def taught(tmp_path: Path) -> Path:
    path = tmp_path / "db.dl"
    path.write_text('known_effects("db.give"). takes("db.give", 0). takes("db.give", 1).\n')
    return path


def derive(taught: Path, lines: str, *relations: str) -> tuple[Rows, ...]:
    program = load(rules.program("static_buffer_deallocation"), extra=[taught])
    text = f"func.func @f(%c: i1, %m: {T}) {{\n{lines}  return\n}}\n"
    facts = export_facts(parse(text, "test.mlir"), NO_EXTENSIONS.structure, {})
    derived = solve(program, facts.relations, engine="embedded", outputs=relations)
    return tuple(
        {tuple(x.replace("@f/", "") if isinstance(x, str) else x for x in row) for row in derived[name]}
        for name in relations
    )


def test_the_last_use_gets_the_buffer(taught: Path) -> None:
    taken, may_be_given, given, gives, away, cloned, freed = derive(
        taught, ALLOC + COPY + GIVE,
        "operand_taken_over", "may_be_given", "given_to_taker", "gives", "takes_away", "cloned_to_give", "to_be_freed",
    )  # fmt: skip
    assert taken == {("db.give#3", 0, "%a")}
    assert may_be_given == given == {("%a", "db.give#3", 0)}
    assert gives == {("db.give#3", 0)} and away == {("%a", "db.give#3")}
    assert cloned == freed == set()


def test_a_view_that_starts_elsewhere_is_cloned(taught: Path) -> None:
    view = (
        "  %z = memref.alloc() : memref<64xi8>\n  %i = arith.constant 8 : index\n"
        f"  %a = memref.view %z[%i][] : memref<64xi8> to {T}\n  %w = memref.cast %a : {T} to {T}\n"
    )
    partial, given, cloned = derive(
        taught, view + GIVE.replace("%a", "%w"), "partial", "given_to_taker", "cloned_to_give"
    )
    assert partial == {("%a",), ("%w",)} and given == set() and {row[1] for row in cloned} == {0}
    whole = ALLOC + f"  %w = memref.cast %a : {T} to {T}\n" + GIVE.replace("%a", "%w")
    partial, given = derive(taught, whole, "partial", "given_to_taker")
    assert partial == set() and {row[0] for row in given} == {"%a"}


def test_a_use_ahead_of_another_gets_a_clone(taught: Path) -> None:
    may_be_given, given, cloned, names, set_to, freed = derive(
        taught, ALLOC + GIVE + COPY,
        "may_be_given", "given_to_taker", "cloned_to_give", "taken_clone", "operand_set", "freed_at",
    )  # fmt: skip
    assert may_be_given == {("%a", "db.give#2", 0)} and given == set()
    assert cloned == {("db.give#2", 0)}
    assert names == set_to == {("db.give#2", 0, "given 0 to db.give#2")}
    assert freed == {("%a", "true", "after", "memref.copy#3")}


def test_of_two_operands_the_first_gets_the_buffer(taught: Path) -> None:
    lines = ALLOC + f'  "db.give"(%a, %a) : ({T}, {T}) -> ()\n'
    may_be_given, given, cloned = derive(taught, lines, "may_be_given", "given_to_taker", "cloned_to_give")
    assert may_be_given == {("%a", "db.give#2", 0), ("%a", "db.give#2", 1)}
    assert given == {("%a", "db.give#2", 0)} and cloned == {("db.give#2", 1)}


def test_what_is_ours_at_times_is_cloned_at_others(taught: Path) -> None:
    lines = (
        f"  %r = scf.if %c -> ({T}) {{\n    %a = memref.alloc() : {T}\n    scf.yield %a : {T}\n  }} else {{\n"
        f"    scf.yield %m : {T}\n  }}\n" + GIVE.replace("%a", "%r")
    )
    given, cloned, unless = derive(taught, lines, "given_to_taker", "cloned_to_give", "clone_unless_inserted")
    assert given == {("%r", "db.give#5", 0)} and cloned == set()
    assert unless == {("given 0 to db.give#5", "%r", "%r", "%c", "before", "db.give#5", -50000000)}


def test_what_may_be_another_buffer_is_cloned(taught: Path) -> None:
    lines = ALLOC + f"  %s = arith.select %c, %a, %m : {T}\n" + GIVE.replace("%a", "%s")
    may_be_given, cloned = derive(taught, lines, "may_be_given", "cloned_to_give")
    assert may_be_given == set() and cloned == {("db.give#3", 0)}
