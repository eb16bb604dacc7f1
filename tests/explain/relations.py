"""Small IR and small programs in, complete relations out: what explanation works on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dealog import rules as shipped_rules
from dealog.engine import Program, load, loads, solve
from dealog.explain.database import Database
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.facts import export_facts
from dealog.passes import PASSES

EXAMPLES = Path(__file__).parents[2] / "examples"
ANALYSES = ("alias", "dominance")
PROGRAMS = tuple(dict.fromkeys(pass_.program for pass_ in PASSES.values()))


@cache
def rules(name: str) -> Program:
    return load([shipped_rules.program(name)])


def database(program: Program, facts: dict) -> Database:
    """Everything that `program` derives from `facts`, by the embedded engine."""
    derived = solve(program, facts, engine="embedded", outputs=list(program.relations))
    stated: dict = {name: list(rows) for name, rows in facts.items()}
    for fact in program.facts:
        stated.setdefault(fact.relation, []).append(fact.values)
    return Database(derived, stated)


def of_text(text: str, name: str, **options: str) -> tuple[Program, Database]:
    """The rule program `name` and all its relations for the module in `text`."""
    program = rules(name)
    spelled = {k.replace("_", "-"): v for k, v in options.items()}
    facts = export_facts(parse(text, "test.mlir"), NO_EXTENSIONS.structure, spelled)
    return program, database(program, facts.relations)


def of_program(text: str) -> tuple[Program, Database]:
    """A program with its facts in it, and all its relations."""
    program = loads(text)
    return program, database(program, {})
