"""Passes that look for some operations only have nothing to do where there are none."""

from __future__ import annotations

import pytest

from dealog import rules
from dealog.engine import load, solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts
from dealog.passes import PASSES
from dealog.pipeline import has_work

from .test_dialects import ARGUMENTS, DECLARATIONS, SURVEY, SURVEYED

OPERATIONS = dict(zip(SURVEYED, SURVEY, strict=True))
LOOKED_FOR = {
    "expand-realloc": {"memref.realloc"},
    "buffer-deallocation-simplification": {"bufferization.dealloc"},
    "bufferization-lower-deallocations": {"bufferization.dealloc"},
    "drop-equivalent-buffer-results": {"func.call"},
    "clone-removal": {"bufferization.clone"},
    "convert-bufferization-to-memref": {name for name in SURVEYED if name.startswith("bufferization.")},
}


def in_a_function(*operations: str) -> str:
    return "\n".join([DECLARATIONS, f"func.func @f({ARGUMENTS}) {{", *operations, "return", "}"])


@pytest.mark.parametrize("name", PASSES)
def test_what_passes_look_for(name: str) -> None:
    modules = {op: parse(in_a_function(line), "test") for op, line in OPERATIONS.items()}
    found = {op for op, module in modules.items() if has_work(PASSES[name], module)}
    assert found == LOOKED_FOR.get(name, set(SURVEYED))


@pytest.mark.parametrize("name", LOOKED_FOR)
def test_rules_derive_nothing_from_all_else(name: str) -> None:
    others = [line for op, line in OPERATIONS.items() if op not in LOOKED_FOR[name]]
    module = parse(in_a_function(*others), "test")
    assert not has_work(PASSES[name], module)
    facts = export_facts(module, NO_EXTENSIONS.structure)
    derived = solve(load(rules.program(PASSES[name].program)), facts.relations, engine="embedded")
    assert {relation for relation, tuples in derived.items() if tuples} <= {"advice"}  # which goes with what is refused
