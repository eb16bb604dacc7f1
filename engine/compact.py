"""Programs made small: what some outputs need, with what follows from no facts but the program's own worked out.

It gives the same tuples as the whole program, and is read in a fraction of the time. What it has lost is where things
stand in the rule files, so it is for runs that are asked for tuples, on the embedded engine.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any

from dealog import cache
from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.engine.program import (
    Constant,
    Position,
    Program,
    Tuple,
    Variable,
)

_PROTOCOL = 5  # of all versions of Python that there are: a wheel is for several


class Stated(dict[str, list[Tuple]]):
    """Tuples of relations."""


_LONGEST = 20.0
"""How many seconds rules may take that depend on nothing but what rule files say, where files were added."""


def load_compact(
    name: str, whole: Callable[[], Program], outputs: Callable[[Program], Collection[str]], made_from: str
) -> tuple[Program, Stated]:
    """The program called `name`, which `whole` gives, reduced to the relations that `outputs` picks out of it: see
    `compact`.

    What was made once is kept. `made_from` changes with all that it is made from: the texts of the files and of those
    that they include, and `outputs`.

    Raises:
        DealogError: what `whole` raises.
    """
    from dealog.engine.translation import keep_translations
    from dealog.engine.version import version

    def make() -> tuple[Program, Stated]:
        program = whole()
        return compact(program, outputs(program))

    stands_for = cache.key([version(), cache.key_of_files([__file__]), name, made_from])
    kept: tuple[Program, Stated] = cache.kept(
        f"compact-{stands_for}", make, lambda made: pickle.dumps(made, _PROTOCOL), pickle.loads
    )
    keep_translations(kept[0], stands_for)
    return kept


def compact(program: Program, outputs: Collection[str]) -> tuple[Program, Stated]:
    """`program` reduced to what `outputs` need, without its facts, and these: tuples that every run gets. Of the
    outputs of `program` only those that are among `outputs` are left. Whether anything was added to it can be asked
    (`added`), but not what."""
    from dealog.engine import solve
    from dealog.engine.embedded import TimedOut

    needed = program.needed_for(outputs)
    fixed = _fixed(program, needed)
    worked_out = sorted(name for name in fixed if program.rules_of[name])
    # Rules of a user's own may never end, and these are worked out before any run that has a time limit. The limit
    # takes a process of its own, which cannot be forked off safely where there are threads.
    timeout = _LONGEST if program.added and threading.active_count() == 1 else None
    try:
        tuples = solve(program, {}, engine="embedded", outputs=worked_out, timeout=timeout)
    except TimedOut:
        raise DealogError(
            Diagnostic(
                f"rules that depend on nothing but other rules did not come to an end within {_LONGEST:g} s",
                hint="numbers or texts that grow with each round need a bound",
            )
        ) from None
    nowhere = Position(SourceText("", ""), 0, 0)
    stated = {name: list(tuples[name]) for name in worked_out if tuples[name]}
    for fact in program.facts:
        if fact.relation in needed and fact.relation not in worked_out:
            stated.setdefault(fact.relation, []).append(fact.values)
    kept = [
        replace(rule, heads=heads, doc="")
        for rule in program.rules
        if (heads := tuple(head for head in rule.heads if head.relation in needed and head.relation not in fixed))
    ]
    small = _Small(nowhere)
    reduced = replace(
        program,
        sources=(), segments=(), types={}, directives=(), added=(nowhere.source,) if program.added else (),
        relations={
            name: small.of(replace(relation, doc="", is_output=relation.is_output and name in outputs))
            for name, relation in program.relations.items()
            if name in needed
        },
        rules=tuple(small.of(rule) for rule in kept),
        facts=(),
        strata=tuple(stratum & needed for stratum in program.strata if stratum & needed),
    )  # fmt: skip
    read = reduced.needed_for(outputs)
    relations = {name: relation for name, relation in reduced.relations.items() if name in read}
    strata = tuple(stratum & read for stratum in reduced.strata if stratum & read)
    made = replace(reduced, relations=relations, strata=strata)
    made.needed_for(outputs)  # is worked out, and kept with the program, as outlines are
    _ = [rule.outlines for rule in made.rules]
    return made, Stated({n: rows for n, rows in stated.items() if n in read})


def given(
    program: Program, facts: Mapping[str, Collection[Tuple]], stated: Mapping[str, list[Tuple]] = MappingProxyType({})
) -> dict[str, Collection[Tuple]]:
    """What a program gets in a run: those of `facts` that it knows, and, where it is compact, what is `stated` with
    it."""
    known = {name: rows for name, rows in facts.items() if name in program.relations}
    return known | {name: [*rows, *known.get(name, ())] for name, rows in stated.items()}


def _fixed(program: Program, needed: Collection[str]) -> set[str]:
    """The relations that no facts from outside can change."""
    fixed: set[str] = set()
    for stratum in program.strata:
        if any(name not in needed or program.relations[name].is_input for name in stratum):
            continue
        if all(read in fixed or read in stratum for name in stratum for read in program.read_by(name)):
            fixed |= stratum
    return fixed


class _Small:
    """Makes parts of programs that stand nowhere; those that are equal are one."""

    def __init__(self, nowhere: Position) -> None:
        self.nowhere = nowhere
        self.made: dict[tuple[object, ...], Any] = {}  # by their kinds, and what they are made of: see `_stands_for`
        self.fields: dict[type, tuple[str, ...]] = {}  # of dataclasses; empty for other kinds

    def of(self, part: Any) -> Any:
        """`part` without its places."""
        kind = type(part)
        if kind is Variable or kind is Constant:  # as most parts are; this only takes less time than what follows
            value = part.name if kind is Variable else part.value
            known = self.made.get((kind, value))
            if known is None:
                known = self.made[kind, value] = kind(value, self.nowhere)
            return known
        if kind is Position:
            return self.nowhere
        if kind is tuple:
            made = tuple([self.of(each) for each in part])
            return self.made.setdefault((kind, *map(_stands_for, made)), made)
        names = self.fields.get(kind)
        if names is None:
            names = self.fields[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
        if not names:
            return part
        values = [self.of(getattr(part, name)) for name in names]
        key = (kind, *map(_stands_for, values))
        known = self.made.get(key)
        if known is None:
            known = self.made[key] = kind(**dict(zip(names, values, strict=True)))
        return known


def _stands_for(part: object) -> object:
    """Something that is quick to compare, and the same where `part` is: equal parts of programs are one (`_Small`)."""
    return part if isinstance(part, str | int) else id(part)
