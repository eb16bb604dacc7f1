"""Small IR in, derived relations out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from dealog import rules as shipped
from dealog.engine import Tuple, load, solve
from dealog.engine.program import Program
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.frontend.details import DETAILS
from dealog.frontend.facts import export_facts

Rows = set[tuple[str | int, ...]]


OWNERSHIP = ("ownership_based_buffer_deallocation", "alias", "dominance")


@cache
def program(rules: tuple[str, ...] = OWNERSHIP) -> Program:
    """The rules of a pass; by default those of ownership, and the analyses that are only asked."""
    return load([shipped.program(name) for name in rules])


def derive(
    text: str,
    *relations: str,
    rules: tuple[str, ...] = OWNERSHIP,
    engine: str = "embedded",
    given: Mapping[str, Sequence[Tuple]] | None = None,
    **options: str,
) -> Rows | tuple[Rows, ...]:
    """What `relations` hold for `text`: a set of tuples, or as many sets as relations are asked for.

    `@f/` is left out of identifiers; `options` are pass options, with `_` for `-` in their names; `given` are facts
    that do not come from the text.
    """
    module = parse(text, "test.mlir")
    spelled = {name.replace("_", "-"): value for name, value in options.items()}
    details = any(name in DETAILS for name in program(rules).relations)
    facts = export_facts(module, NO_EXTENSIONS.structure, spelled, details=details)
    known = {**facts.relations, **(given or {})}
    if (rules, relations, engine) == (("verification",), ("diagnosed",), "embedded"):  # asked for most: as runs do
        derived = solve(*NO_EXTENSIONS.divided("verification").for_run(known), engine=engine, outputs=relations)
    else:
        derived = solve(program(rules), known, engine=engine, outputs=relations)
    sets = tuple({tuple(_short(cell) for cell in row) for row in derived[name]} for name in relations)
    return sets[0] if len(sets) == 1 else sets


def _short(cell: str | int) -> str | int:
    return cell.replace("@f/", "") if isinstance(cell, str) else cell
