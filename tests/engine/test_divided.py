"""Compact programs in parts, of which a run reads those that it needs."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from dealog.engine import Program, Tuple, load, loads, solve
from dealog.engine.compact import compact
from dealog.engine.divided import Divided, divide, load_divided
from dealog.extensions import NO_EXTENSIONS, Extensions

TEXT = """
.decl operation(op: symbol, name: symbol)
.input operation
.decl arity(name: symbol, number: number)
arity("one.a", 1). arity("one.b", 2). arity("two.c", 3). arity("plain", 4).
.decl inside(name: symbol, parent: symbol)
inside("one.a", "two.c"). inside("one.b", "plain").
.decl takes(op: symbol, number: number)
.output takes
takes(O, K) :- operation(O, N), arity(N, K).
takes(O, K) :- around(O, N), arity(N, K), K > 3.
takes(O, 100) :- operation(O, "one.a").
takes(O, 200) :- operation(O, "two.c") ; operation(O, "two.d"), !operation(O, "one.a").
takes(O, 300) :- operation(O, "one.a"), operation(_, "two.c").
takes(O, 400) :- operation(O, "one.a") ; operation(O, "two.c").
.decl around(op: symbol, name: symbol)
around(O, P) :- operation(O, N), inside(N, P).
.decl made(op: symbol, name: symbol)
takes(O, K) :- made(O, N), arity(N, K).
"""


def divided(text: str) -> Divided:
    made: Divided = pickle.loads(pickle.dumps(divide(*compact(loads(text), ["takes"]))))
    return made


def taken(program: Program, facts: dict[str, list[Tuple]]) -> list[Tuple]:
    return solve(program, facts, engine="embedded", outputs=["takes"])["takes"]


def rules_of(program: Program) -> int:
    return sum(1 for rule in program.rules if rule.heads)


@pytest.mark.parametrize(
    ("names", "rules", "said_of"),
    [
        ((), 5, set()),
        (("one.a",), 7, {"one.a", "two.c"}),
        (("one.b",), 7, {"one.b", "plain"}),
        (("two.c", "other.x"), 6, {"two.c"}),
        (("one.a", "two.c", "two.d", "plain"), 8, {"one.a", "two.c", "plain"}),
    ],
)
def test_it_derives_the_same_from_less(names: tuple[str, ...], rules: int, said_of: set[str]) -> None:
    facts: dict[str, list[Tuple]] = {"operation": [(f"op{i}", name) for i, name in enumerate(names)]}
    program, known = divided(TEXT).for_run(facts)
    assert rules_of(program) == rules
    assert {name for name, _ in known.get("arity", ())} == said_of
    assert solve(program, known, engine="embedded")["takes"] == taken(loads(TEXT), facts)


@pytest.mark.parametrize(
    "rule",
    [
        'takes(O, 7) :- operation(O, _), arity(N, 3), N != "x".',  # found nowhere else
        'takes(O, K) :- operation(O, N), N != "x", arity(M, K), M = cat("one", ".b").',
        'made(O, cat("one.", "b")) :- operation(O, _).',
        'made(O, "one.b") :- operation(O, _).',
        'takes(O, K) :- operation(O, _), K = count : { arity(_, _) }.',
        'takes(O, 9) :- operation(O, _), arity("one.b", _).',
    ],
)
def test_names_that_rules_come_up_with(rule: str) -> None:
    text = TEXT + rule
    facts: dict[str, list[Tuple]] = {"operation": [("op", "two.c")]}
    program, known = divided(text).for_run(facts)
    assert solve(program, known, engine="embedded")["takes"] == taken(loads(text), facts) != taken(loads(TEXT), facts)


def test_what_is_stated_of_names_may_be_given_too() -> None:
    facts: dict[str, list[Tuple]] = {"operation": [("op", "new.x")], "arity": [("new.x", 5)]}
    text = TEXT + ".input arity"
    program, known = divided(text).for_run(facts)
    assert solve(program, known, engine="embedded")["takes"] == taken(loads(text), facts) == [("op", 5)]


def test_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "main.dl"
    file.write_text(TEXT)
    facts: dict[str, list[Tuple]] = {"operation": [("op", "one.b")]}
    for _ in range(2):
        program, known = load_divided("main", lambda: load(file), lambda _: ["takes"], "this").for_run(facts)
        assert solve(program, known, engine="embedded")["takes"] == [("op", 2), ("op", 4)]
        monkeypatch.setattr("dealog.engine.divided.divide", None)  # which is not needed again
    assert len(list((tmp_path / "cache").glob("lines-*"))) == 1


def test_the_verifier_reads_few_of_its_rules() -> None:
    whole = NO_EXTENSIONS.divided("verification")
    assert Extensions().divided("verification") is whole
    program, known = whole.for_run({"operation": [("op", "memref.load", "^bb0", 0)]})
    assert rules_of(program) < len(program.rules) * 2 / 3
    assert {name for name, *_ in known["arity"]} >= {"memref.load"}
    assert sum(map(len, known.values())) < 1200


def test_programs_to_which_rules_add_nothing_are_those_that_come_with_dealog(tmp_path: Path) -> None:
    effects, invariant = tmp_path / "effects.dl", tmp_path / "invariant.dl"
    effects.write_text('known_effects("mydb.take"). allocates("mydb.take", 0).\n')
    invariant.write_text('arity("mydb.take", 1, 1, 1, 1).\n')
    of_effects, of_invariant = Extensions(rules=(effects,)), Extensions(rules=(invariant,))
    static = "static_buffer_deallocation"
    assert of_effects.divided("verification") is NO_EXTENSIONS.divided("verification")
    assert of_effects.for_runs(static)[0].added and of_invariant.divided("verification").program.added
    assert of_invariant.for_runs(static) is NO_EXTENSIONS.for_runs(static)
