"""Every rule program derives the same from real facts on both engines: all declared relations, not only outputs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from dealog import rules
from dealog.engine import load, solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts
from tests.support.cases import corpus, examples
from tests.support.dealog import run_dealog
from tests.support.engines import needs_souffle
from tests.support.nightly import one_in

PROGRAMS = sorted(path.stem for path in rules.programs() if path.parent.name != "findings")

# Relations over all pairs of buffers or blocks are there to be asked about small functions.
QUADRATIC = {"may_alias", "must_alias", "never_aliases", "avoids", "dominates", "dominates_between"}


@cache
def facts() -> Mapping[str, list[tuple[str | int, ...]]]:
    """What the frontend states about a model and about functions of every kind, once read and once deallocated."""
    texts = [case.text for case in examples() if case.name.endswith("mlp")]
    texts += [case.text for case in corpus() if case.name in ("branches", "calls", "scf_for", "scf_while", "select")]
    relations: dict[str, list[tuple[str | int, ...]]] = {}
    for number, text in enumerate(texts):
        freed = run_dealog(text, ["ownership-based-buffer-deallocation"]).unwrap()
        for kind, source in (("read", text), ("freed", freed)):
            for name, rows in export_facts(parse(source), NO_EXTENSIONS.structure).relations.items():
                mark = f"{number}-{kind}:"  # identifiers of different modules stay apart
                relations.setdefault(name, []).extend(tuple(_marked(cell, mark) for cell in row) for row in rows)
    return relations


def _marked(cell: str | int, mark: str) -> str | int:
    is_identifier = isinstance(cell, str) and (cell.startswith("@") or "#" in cell)
    return f"{mark}{cell}" if is_identifier else cell


def test_every_program_is_here() -> None:
    assert {Path(name).stem for name in PROGRAMS} >= {"alias", "dominance", "ownership", "simplification"}


def test_every_program_declares_what_it_uses() -> None:
    """A rule file can be run by itself: what it needs of others, it includes."""
    assert all(load(rules.program(name)).relations for name in one_in(4, PROGRAMS))


@needs_souffle
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_engines_agree(name: str) -> None:
    program = load(rules.program(name))
    asked = [relation for relation in program.relations if relation not in QUADRATIC]
    known = {relation: rows for relation, rows in facts().items() if relation in program.relations}
    embedded = solve(program, known, engine="embedded", outputs=asked)
    souffle = solve(program, known, engine="souffle", outputs=asked)
    for relation in asked:
        assert embedded[relation] == souffle[relation], relation
