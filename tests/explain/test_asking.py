"""What is computed for a question: the tuples that it is about, and not more than it takes to know them."""

from __future__ import annotations

import pytest

from dealog.asking.stage import Stage, input_stage, stage_called, stages
from dealog.explain.query_reader import parse_query
from dealog.frontend import parse
from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, expand
from tests.support.nightly import NIGHTLY, nightly

from .conftest import TWO
from .test_evaluate import LOOP

EMBEDDED = Engine("embedded")
INPUTS = {"loop": LOOP, "two": TWO}


def fresh(text: str) -> Stage:
    return input_stage(parse(text, "test.mlir"), {}, EMBEDDED)


@pytest.mark.parametrize("name", [pytest.param(name, marks=nightly) if name == "loop" else name for name in INPUTS])
def test_what_is_computed_for_a_question_alone_is_what_is_computed_for_all(name):
    whole, stage = fresh(INPUTS[name]), fresh(INPUTS[name])
    derived = [n for n in whole.program.relations if whole.program.rules_of[n]][:: 1 if NIGHTLY else 18]
    whole.require(derived)
    known = whole.entities.known
    alone = 0
    for relation in derived:
        rows = list(whole.database.tuples(relation))
        for row in rows[:: len(rows) // 2 + 1]:
            for i in (i for i, value in enumerate(row) if known(value)):
                stage.derived = {n: t for n, t in whole.derived.items() if n != relation}
                stage._forget()
                pattern = ", ".join(f'"{value}"' if i == k else "_" for k, value in enumerate(row))
                stage.ask(parse_query(f"{relation}({pattern})", stage.program, stage.entities))
                agreeing = [other for other in rows if other[i] == row[i]]
                if relation not in stage.derived:
                    assert list(stage.database.tuples(relation)) == sorted(agreeing), relation
                    alone += 1
    assert alone > (50 if NIGHTLY else 2)


@pytest.mark.parametrize(
    ("query", "computed"),
    [
        ("may_alias(%a, X)", False),
        ("may_alias(%a, X), !may_alias(X, %m)", False),
        ("may_alias(%a, X), ownership(X, B, O)", False),
        ("may_alias(X, Y)", True),
        ("may_alias(%a, X), may_alias(X, Y)", True),
        ("may_alias(%a, X), never_aliases(%a, Y)", True),
    ],
)
def test_what_is_asked_of_one_buffer_is_not_computed_for_all(query, computed):
    stage = fresh(TWO)
    parsed = parse_query(query, stage.program, stage.entities)
    stage.ask(parsed)
    assert ("may_alias" in stage.derived) == computed
    whole = fresh(TWO)
    whole.require(["may_alias", *parsed.relations])
    assert parsed.answers(stage.database) == parsed.answers(whole.database) != []


def test_what_was_computed_for_one_question_is_not_all_for_the_next():
    stage = fresh(TWO)
    for query in ("may_alias(%a, X)", "may_alias(%m, X)", "may_alias(X, Y)", "never_aliases(%a, X)"):
        parsed = parse_query(query, stage.program, stage.entities)
        stage.ask(parsed)
        whole = fresh(TWO)
        whole.require(parsed.relations)
        assert parsed.answers(stage.database) == parsed.answers(whole.database)


def test_passes_on_the_way_give_what_they_decide_and_nothing_else():
    steps = expand(DEALLOCATION)
    run = stages(parse(TWO, "test.mlir"), steps, EMBEDDED)
    passed = [stage for stage in run if stage.name != steps[-1].pass_.name]
    assert not any(stage.derived for stage in passed)
    last = stage_called(steps[-1].pass_.name, parse(TWO, "test.mlir"), steps, EMBEDDED)
    asked = []
    for stage in stages(parse(TWO, "test.mlir"), steps, EMBEDDED):
        asked.append(stage.facts.relations)
        stage.require([relation.name for relation in stage.program.outputs])
    assert last.facts.relations == asked[-1]
