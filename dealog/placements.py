"""Answers what rules ask about where things are to lie: see `rules/placements.dl`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dealog.engine import Program, Tuple
    from dealog.frontend.facts import Facts

ASKED, ITEM, APART = "placement_asked", "placement_item", "placement_apart"


def questions(program: Program) -> list[str]:
    """The relations by which `program` asks, if it does."""
    return [name for name in (ASKED, ITEM, APART) if name in program.relations and program.rules_of[name]]


def answer(facts: Facts, derived: Mapping[str, Iterable[Tuple]]) -> bool:
    """Add to `facts` the answers to what was `derived`; whether anything was asked."""
    from dealog.engine.placing import place

    sizes: dict[object, dict[int, int]] = defaultdict(dict)
    apart: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for stretch, item, units in derived.get(ITEM, ()):
        sizes[stretch][int(item)] = int(units)
    for stretch, item, other in derived.get(APART, ()):
        apart[stretch].append((int(item), int(other)))
    found: list[Tuple] = []
    least: list[Tuple] = []
    for stretch, low, high, limit in derived.get(ASKED, ()):
        placed = place(sizes[stretch], apart[stretch], int(low), int(high), int(limit) / 1000)
        found += [(stretch, item, start) for item, start in sorted(placed.starts.items())]
        least.append((stretch, placed.least))
    facts.relations["placement_found"], facts.relations["placement_least"] = found, least
    return bool(least)
