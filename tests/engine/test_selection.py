"""Only facts that some rule can match reach the embedded engine, and what is asked for comes out whole."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dealog.engine import Tuple, loads, solve
from dealog.engine.selection import select, usable
from tests.support import generate
from tests.support.dealog import run_dealog

pytestmark = pytest.mark.usefixtures("computes_here")

DECLARATIONS = """
.decl operation(op: symbol, name: symbol)
.input operation
.decl operand(op: symbol, index: number, value: symbol)
.input operand
.decl total(op: symbol, number: number)
.input total
.decl out(value: symbol)
.output out
"""

FACTS: Mapping[str, list[Tuple]] = {
    "operation": [("f", "free"), ("g", "free"), ("c", "copy"), ("n", "none")],
    "operand": [("f", 0, "a"), ("g", 0, "b"), ("c", 0, "a"), ("c", 1, "b")],
    "total": [("f", 1), ("g", 1), ("c", 2), ("n", 0)],
}


def kept(rules: str, *outputs: str) -> dict[str, list[Tuple]]:
    program = loads(DECLARATIONS + rules)
    wanted = outputs or ("out",)
    return usable(program, program.needed_for(wanted), wanted, {name: list(rows) for name, rows in FACTS.items()})


def test_a_symbol_that_every_rule_names_picks_facts_out() -> None:
    rows = kept('out(O) :- operation(O, "free"). out(O) :- operation(O, "none").')
    assert rows == {"operation": [("f", "free"), ("g", "free"), ("n", "none")]}


def test_facts_are_kept_that_join_with_what_is_named() -> None:
    rows = kept('out(V) :- operation(O, "free"), operand(O, _, V), total(O, N), N > 0.')
    assert rows["operand"] == [("f", 0, "a"), ("g", 0, "b")]
    assert rows["total"] == [("f", 1), ("g", 1)]


def test_one_rule_that_matches_all_keeps_all() -> None:
    rows = kept('out(O) :- operation(O, "free"), total(O, 1). out(O) :- total(O, _).')
    assert rows["total"] == FACTS["total"] and len(rows["operation"]) == 2


def test_a_number_picks_facts_out_where_nothing_else_does() -> None:
    assert kept("out(O) :- total(O, 2).")["total"] == [("c", 2)]


@pytest.mark.parametrize(
    "rule",
    [
        "out(O) :- operation(O, _), !total(O, 2).",  # the facts that an absence is about
        "out(O) :- operation(O, _), 1 = sum N : { total(O, N) }.",
        'out(to_string(N)) :- operation("f", _), N = count : { operand(X, I, V) }.',
    ],
)
def test_absences_and_aggregates_see_what_they_need(rule: str) -> None:
    program = loads(DECLARATIONS + rule)
    found = solve(program, FACTS, engine="embedded")["out"]
    assert found and found == solve(program, FACTS, engine="embedded", outputs=[*FACTS, "out"])["out"]


def test_what_is_asked_for_comes_whole() -> None:
    program = loads(DECLARATIONS + 'out(O) :- operation(O, "free").')
    found = solve(program, FACTS, engine="embedded", outputs=["out", "operation"])
    assert found["operation"] == sorted(FACTS["operation"])


def test_facts_of_a_relation_that_is_derived_too_are_picked_out_alike() -> None:
    rows = kept('total(O, 7) :- operation(O, "none"). out(O) :- total(O, 1). out(O) :- total(O, 7).')
    assert rows["total"] == [("f", 1), ("g", 1)]


def test_what_a_program_states_is_reduced_by_the_names_that_there_are() -> None:
    rules = '.decl kind(name: symbol, kind: number) kind("free", 1). kind("copy", 2). kind("lost", 1).'
    program = loads(DECLARATIONS + rules + "out(O) :- kind(N, 1), operation(O, N).")
    stated = [fact.values for fact in program.facts]
    facts = {"operation": FACTS["operation"], "kind": stated}
    rows = usable(program, program.needed_for(["out"]), ["out"], facts)
    assert rows["kind"] == [("free", 1), ("copy", 2)]
    assert solve(program, FACTS, engine="embedded")["out"] == [("f",), ("g",)]


def test_bodies_that_cannot_hold_are_left_out() -> None:
    program = loads(DECLARATIONS + 'out(O) :- operation(O, "free"). out(O) :- operation(O, "lost"), total(O, _).')
    _, live = select(program, program.needed_for(["out"]), ["out"], {name: list(rows) for name, rows in FACTS.items()})
    assert [[id(body) in live for body in rule.alternatives] for rule in program.rules] == [[True], [False]]


@pytest.mark.parametrize("condition", ['N = "lost"', '"lost" = N', 'N = "lost", N != "free"'])
def test_a_variable_that_is_a_constant_by_a_condition_picks_facts_out(condition: str) -> None:
    rules = f'out(O) :- operation(O, N), total(O, _), {condition}. out(O) :- operation(O, N), N = "copy".'
    assert kept(rules) == {"operation": [("c", "copy")]}
    program = loads(DECLARATIONS + rules)
    _, live = select(program, program.needed_for(["out"]), ["out"], {name: list(rows) for name, rows in FACTS.items()})
    assert [id(rule.alternatives[0]) in live for rule in program.rules] == [False, True]


def test_a_condition_picks_facts_out_of_many() -> None:
    program = loads(DECLARATIONS + 'out(O) :- operation(O, N), N = "lost". out(O) :- operation(O, N), N = "n7".')
    facts: dict[str, list[Tuple]] = {"operation": [(f"o{i}", f"n{i}") for i in range(300)]}
    rows, live = select(program, program.needed_for(["out"]), ["out"], facts)
    assert rows == {"operation": [("o7", "n7")]}
    assert [id(rule.alternatives[0]) in live for rule in program.rules] == [False, True]


def test_a_condition_binds_what_is_derived() -> None:
    rules = """
    .decl named(op: symbol, name: symbol)
    named(O, N) :- total(O, _), N = "none".
    out(O) :- named(O, "none").
    out(O) :- named(O, "free"), operand(O, _, _).
    """
    rows = kept(rules)
    assert rows["total"] == FACTS["total"] and "operand" not in rows


def test_a_variable_inside_an_aggregate_is_its_own() -> None:
    rule = 'out(O) :- operation(O, "none"), 3 = count : { operand(X, I, V), operation(X, "free") }.'
    program = loads(DECLARATIONS + rule)
    assert kept(rule)["operand"] == FACTS["operand"]
    assert solve(program, FACTS, engine="embedded")["out"] == []  # two operands of what frees, not three


def test_patterns_match_alike_whether_facts_are_gone_through_or_projected() -> None:
    """`operand(O, _, _)` matches many facts for one `O` here, and few there; either way each `O` once."""
    many: list[Tuple] = [("f", i, f"v{i}") for i in range(9)]
    program = loads(DECLARATIONS + "out(O) :- operand(O, _, _), operation(O, _).")
    for rows in (many, many[:2]):
        assert solve(program, {**FACTS, "operand": rows}, engine="embedded")["out"] == [("f",)]


def test_rules_share_the_joins_they_begin_with(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = """
    out(V) :- operation(O, "free"), operand(O, _, V), operand(P, _, V), total(P, N), N > 0.
    out(V) :- operation(Q, "free"), operand(Q, _, V), operand(R, _, V), total(R, M), M < 0.
    """
    from dealog.engine.embedded import _Run

    program = loads(DECLARATIONS + rules)
    others = [(f"x{i}", 0, value) for i in range(9) for value in "ab"]
    totals = [(f"x{i}", 2) for i in range(9)]
    many = {**FACTS, "operand": [*FACTS["operand"], *others], "total": [*FACTS["total"], *totals]}
    # among few facts, or where each relation has few, all of a body is joined at once; and where few have one value
    for facts, few, few_of_each, shared in ((many, 0, 0, 1), (many, 1000, 0, 0), (many, 0, 1000, 0), (FACTS, 0, 0, 0)):
        monkeypatch.setattr("dealog.engine.embedded._FEW_FACTS", few)
        monkeypatch.setattr("dealog.engine.embedded._FEW_OF_EACH", few_of_each)
        run = _Run(program, ["out"])
        assert run.solve(facts)["out"] == [("a",), ("b",)]
        assert len(run.joined) == shared


@pytest.mark.parametrize("passes", ["static-buffer-deallocation", "buffer-deallocation-pipeline"])
def test_joined_at_once_or_step_by_step_rules_decide_the_same(passes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr("dealog.engine.embedded._FEW_OF_EACH", 0)
    for few in (0, 10**6):
        monkeypatch.setattr("dealog.engine.embedded._FEW_FACTS", few)
        made.append([run_dealog(generate.program(seed, size=20), [passes]).unwrap() for seed in range(4)])
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "rules",
    [
        'out(O) :- operation(O, "lost"), total(O, _).',  # a symbol that no fact has
        'lost(O) :- operation(O, "lost").\nout(O) :- total(O, _), lost(O).',  # nothing is derived
        "lost(O) :- lost(O), total(O, _).\nout(O) :- total(O, _), lost(O).",  # nothing to begin with
        "out(O) :- none(O), total(O, _).",  # no facts
    ],
)
def test_what_cannot_hold_asks_for_nothing(rules: str) -> None:
    more = ".decl lost(op: symbol)\n.decl none(op: symbol)\n.input none\n"
    assert kept(more + rules + 'out(O) :- operation(O, "copy").') == {"operation": [("c", "copy")]}


def test_what_holds_through_recursion_asks_for_its_facts() -> None:
    rules = """
    .decl even(op: symbol)
    .decl odd(op: symbol)
    even(O) :- odd(P), operand(P, 0, _), operation(O, _).
    odd(O) :- even(P), operand(P, 1, _), operation(O, "none").
    odd(O) :- operation(O, "copy").
    out(O) :- even(O), total(O, _).
    """
    rows = kept(rules)
    assert rows["total"] == FACTS["total"] and rows["operand"] == [("c", 0, "a"), ("c", 1, "b")]


def test_bodies_whose_atoms_share_no_value_are_left_out() -> None:
    rules = """
    .decl kind(name: symbol)
    kind("lost").
    .decl found(name: symbol)
    found(N) :- kind(N), operation(_, M), M != N.
    out(O) :- operation(O, N), found(N).
    out(O) :- operation(O, N), kind(N), total(O, _).
    """
    program = loads(DECLARATIONS + rules)
    facts = {**{name: list(rows) for name, rows in FACTS.items()}, "kind": [fact.values for fact in program.facts]}
    _, live = select(program, program.needed_for(["out"]), ["out"], facts)
    assert [id(rule.alternatives[0]) in live for rule in program.rules] == [True, False, False]
    assert solve(program, FACTS, engine="embedded")["out"] == []
