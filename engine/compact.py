"""Programs made small: what some outputs need, with what follows from no facts but the program's own worked out.

It gives the same tuples as the whole program, and is read in a fraction of the time. What it has lost is where things
stand in the rule files, so it is for runs that are asked for tuples, on the embedded engine.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from dealog import cache
from dealog.diagnostics import SourceText
from dealog.engine.program import Position, Program, Tuple

_PROTOCOL = 5  # of all versions of Python that there are: a wheel is for several


Stated = dict[str, list[Tuple]]


def load_compact(path: Path, outputs: Sequence[str], among: Iterable[Path]) -> tuple[Program, Stated]:
    """The program at `path`, which takes in files that are `among` those named, reduced to `outputs`: see `compact`.

    Raises:
        DealogError: a file cannot be read, or the program is invalid or not portable.
    """
    from dealog.engine import load
    from dealog.engine.reader import version

    own = Path(__file__).read_text("utf-8")
    texts = [part for file in sorted(among) for part in (file.name, file.read_bytes())]
    kept: tuple[Program, Stated] = cache.kept(
        f"compact-{cache.key([version(), own, path.name, *outputs, *texts])}",
        lambda: compact(load(path), outputs),
        lambda made: pickle.dumps(made, _PROTOCOL),
        pickle.loads,
    )
    return kept


def compact(program: Program, outputs: Sequence[str]) -> tuple[Program, Stated]:
    """`program` reduced to what `outputs` need, without its facts, and these: tuples that every run gets."""
    from dealog.engine import solve

    needed = program.needed_for(outputs)
    given = _given(program, needed)
    worked_out = sorted(name for name in given if program.rules_of[name])
    tuples = solve(program, {}, engine="embedded", outputs=worked_out)
    nowhere = Position(SourceText("", ""), 0, 0)
    stated: Stated = {name: list(tuples[name]) for name in worked_out if tuples[name]}
    for fact in program.facts:
        if fact.relation in needed and fact.relation not in worked_out:
            stated.setdefault(fact.relation, []).append(fact.values)
    kept = [
        replace(rule, heads=heads, doc="")
        for rule in program.rules
        if (heads := tuple(head for head in rule.heads if head.relation in needed and head.relation not in given))
    ]
    small = _Small(nowhere)
    reduced = replace(
        program,
        sources=(), segments=(), types={}, directives=(), added=(),
        relations={n: small.of(replace(r, doc="")) for n, r in program.relations.items() if n in needed},
        rules=tuple(small.of(rule) for rule in kept),
        facts=(),
        strata=tuple(stratum & needed for stratum in program.strata if stratum & needed),
    )  # fmt: skip
    read = reduced.needed_for(outputs)
    relations = {name: relation for name, relation in reduced.relations.items() if name in read}
    strata = tuple(stratum & read for stratum in reduced.strata if stratum & read)
    return replace(reduced, relations=relations, strata=strata), {n: rows for n, rows in stated.items() if n in read}


def _given(program: Program, needed: Collection[str]) -> set[str]:
    """The relations that no facts from outside can change."""
    given: set[str] = set()
    for stratum in program.strata:
        if any(name not in needed or program.relations[name].is_input for name in stratum):
            continue
        if all(read in given or read in stratum for name in stratum for read in program.read_by(name)):
            given |= stratum
    return given


class _Small:
    """Makes parts of programs that stand nowhere; those that are equal are one."""

    def __init__(self, nowhere: Position) -> None:
        self.nowhere = nowhere
        self.made: dict[object, Any] = {}

    def of(self, part: Any) -> Any:
        """`part` without its places."""
        if isinstance(part, Position):
            return self.nowhere
        if isinstance(part, tuple):
            return tuple(self.of(each) for each in part)
        if not is_dataclass(part) or isinstance(part, type):
            return part
        new = replace(part, **{field.name: self.of(getattr(part, field.name)) for field in fields(part)})
        return self.made.setdefault(new, new)
