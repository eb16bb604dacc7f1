"""How many tuples agree in some columns, and what the grounder is spared by that."""

from __future__ import annotations

import re

import pytest

from dealog.engine import loads
from dealog.engine.embedded import _Run
from dealog.engine.multiplicity import FEW, MANY, ONE, Multiplicities, in_any_order
from dealog.engine.scope import positive_atoms

RULES = """
.decl op(name: symbol, kind: symbol, block: symbol)
.input op
.decl use(name: symbol, number: number, value: symbol)
.input use
.decl ends(kind: symbol)
.input ends
.decl end_of(name: symbol, block: symbol)
end_of(N, B) :- ends(K), op(N, K, B).
.decl used_in(value: symbol, block: symbol, number: number)
used_in(V, B, I) :- use(N, I, V), op(N, _, B).
.decl total(name: symbol, much: number)
total(N, C) :- op(N, _, _), C = count : { use(N, _, _) }.
.decl either(name: symbol, block: symbol)
either(N, B) :- end_of(N, B).
either(N, B) :- op(N, "call", B).
.decl reaches(from: symbol, to: symbol)
reaches(V, N) :- use(N, _, V).
reaches(V, N) :- reaches(V, M), use(N, _, M).
.decl near(one: symbol, other: symbol)
.output near
near(N, M) :- end_of(N, B), op(M, "call", B), use(M, 0, V), used_in(V, C, _), C != B.
"""
FACTS = {
    "op": [(f"n{i}", "call" if i % 10 else "end", f"b{i // 10}") for i in range(100)],
    "use": [(f"n{i}", k, f"n{i - 1 - k}") for i in range(2, 100) for k in range(2 - i % 2)],
    "ends": [("end",)],
}


@pytest.mark.parametrize(
    ("relation", "columns", "answer"),
    [
        ("op", (0,), ONE), ("op", (2,), MANY), ("op", (0, 1, 2), ONE), ("use", (0,), FEW), ("use", (0, 1), ONE),
        ("end_of", (0,), ONE), ("end_of", (1,), MANY), ("used_in", (0,), FEW), ("used_in", (1,), MANY),
        ("total", (0,), ONE), ("total", (1,), MANY), ("either", (0,), FEW), ("either", (), MANY),
        ("reaches", (0,), MANY), ("reaches", (1,), MANY), ("reaches", (0, 1), ONE),
    ],
)  # fmt: skip
def test_how_many_tuples_have_the_same_values(relation: str, columns: tuple[int, ...], answer: int) -> None:
    assert Multiplicities(loads(RULES), FACTS).of(relation, columns) == answer


def test_bodies_that_cannot_hold_derive_nothing() -> None:
    program = loads(RULES)
    (first, second) = (rule.alternatives[0] for rule in program.rules_of["either"])
    assert Multiplicities(program, FACTS, {id(first), id(program.rules_of["end_of"][0].alternatives[0])}).of(
        "either", (0,)
    ) == ONE
    assert Multiplicities(program, FACTS, {id(second)}).of("either", (0,)) == ONE


@pytest.mark.parametrize(
    ("body", "holds"),
    [
        ("op(N, K, B), ends(K), use(N, 0, V)", True),  # all operations of a kind, and no more
        ("use(N, 0, V), op(N, _, B), total(N, C)", True),
        ("use(N, 0, V), use(N, 1, W), op(N, _, B)", True),
        ("op(N, K, B), op(M, K, C), use(M, _, N)", False),  # all pairs of a kind
        ("use(N, 0, V), use(M, 0, W)", False),  # nothing that would join them
    ],
)
def test_whether_any_order_will_do(body: str, holds: bool) -> None:
    program = loads(f"{RULES}.decl asked(n: symbol)\nasked(N) :- {body}.")
    atoms = positive_atoms(program.rules_of["asked"][0].alternatives[0])
    assert in_any_order(atoms, Multiplicities(program, FACTS).of) is holds


def test_the_grounder_makes_no_relation_where_few_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is joined step by step, and what `_` is left out of, has predicates of its own."""
    monkeypatch.setattr("dealog.engine.embedded._FEW_FACTS", 0)
    monkeypatch.setattr("dealog.engine.embedded._FEW_OF_EACH", 0)
    run = _Run(loads(RULES), ["near"])
    assert run.solve(FACTS)["near"]
    assert len(run.joined) == 1  # all calls of a block for each of its ends, before what they use
    assert not any(re.search(r"[(,]_[,)]", line) for line in run.lines)
