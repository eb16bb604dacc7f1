"""No rule goes through all that comes before something, for each of many: `next_marks.dl` finds the next one."""

from __future__ import annotations

from collections.abc import Iterator

from dealog.engine import Comparison, Program, load, loads
from dealog.engine.program import literal_terms, variables
from dealog.engine.scope import clause_aggregates, scopes

from .house import ROOT

FEW = {"results_before", "next_handed", "name_place", "i1_place", "compared_before", "kept_before"}
"""What is gone through is few: the results of a function, up to 32 values that one name may be, up to 12 names and i1s
of one buffer that is followed, and the operands of a call."""


def compared_inside(program: Program) -> Iterator[str]:
    """The relations in whose rules an aggregate compares with a variable of the rest of the body."""
    for rule in program.rules:
        for body in rule.alternatives:
            scope_of = scopes(rule.heads, body)
            for aggregate in clause_aggregates(rule.heads, body):
                conditions = [x for x in aggregate.body if isinstance(x, Comparison)]
                names = {v.name for x in conditions for term in literal_terms(x) for v in variables(term)}
                if names & scope_of[id(aggregate)].injected:
                    yield rule.heads[0].relation


def test_aggregates_do_not_compare_with_the_rest_of_the_body() -> None:
    assert set(compared_inside(load(sorted((ROOT / "rules").rglob("*.dl"))))) == FEW


def test_such_an_aggregate_is_found() -> None:
    text = ".decl n(x: number) .input n .decl before(x: number, y: number) .output before "
    assert list(compared_inside(loads(text + "before(x, y) :- n(x), y = max k : { n(k), k < x }."))) == ["before"]
    assert list(compared_inside(loads(text + "before(x, y) :- n(x), y = max k : { n(k), k < 9 }."))) == []
