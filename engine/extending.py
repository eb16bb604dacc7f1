"""Programs to which files were added: what of these matters where.

Many programs may be made of parts of one whole, and files that add to it are written against the whole: they
speak of relations that one program or another does not have. `extended` finds what such a program needs of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from dealog.engine.program import Fact, Position, Program, Relation, Rule, Segment
from dealog.engine.visibility import with_names_apart

_NOT_NEWLINE = re.compile(r"[^\n]")


def extended(
    program: Program,
    whole: Program,
    wanted: Iterable[str] | None = None,
    left_out: Callable[[Rule | Fact], bool] | None = None,
) -> Program:
    """`program` with those clauses of the files added to `whole` that matter to the relations `wanted` (by
    default the outputs of `program`).

    `whole` is made of the same files as `program`, of others and of added ones (`whole.added`). What matters:
    added clauses that derive `wanted` or what that is derived from. Where their bodies read relations that
    `program` does not have, these come along with all their clauses in `whole`. Relations that `program` has
    get added clauses, and no others: in another program they may be derived in another way. Clauses of which
    `left_out` holds do not matter.

    What comes back has the outputs of `program`. Its texts stand where they stood, everything else in them being
    blank, so that every message about it leads to the files.
    """
    chosen = _Choice(program, whole, left_out)
    chosen.follow([relation.name for relation in program.outputs] if wanted is None else wanted)
    if not chosen.clauses and not chosen.relations:
        return program
    keep = [clause.position for clause in chosen.clauses.values()]
    types = {name: type for name, type in whole.types.items() if name not in program.types}
    keep += [type.position for type in types.values()]
    relations = {
        name: replace(whole.relations[name], is_input=False, is_output=False)
        for name in whole.relations
        if name in chosen.relations
    }
    segments = _kept(whole, keep, relations.values())
    sources = {id(s.position.source): s.position.source for s in segments}
    every = {**program.relations, **relations}
    return Program(
        sources=(*program.sources, *sources.values()),
        segments=(*program.segments, *segments),
        types={**program.types, **types},
        relations=every,
        rules=(*program.rules, *(c for c in whole.rules if id(c) in chosen.clauses)),
        facts=(*program.facts, *(c for c in whole.facts if id(c) in chosen.clauses)),
        directives=program.directives,
        strata=tuple(kept for stratum in whole.strata if (kept := stratum & every.keys())),
        added=tuple(source for source in whole.added if id(source) in sources),
        set_apart=(*program.set_apart, *whole.set_apart),
    )


def as_one_file(program: Program) -> str:
    """`program` as the text of one file, without comments: for running it by hand where it is not a file."""
    pieces = []
    for segment in program.segments:
        place = segment.position
        text = with_names_apart(segment.text, place.source, place.offset, program.set_apart)
        lines = [line.rstrip() for line in text.split("\n")]
        pieces.append("\n".join(("", f"// {segment.position.file}", *(line for line in lines if line), "")))
    return "".join(pieces).lstrip("\n")


class _Choice:
    """What is taken from `whole`: clauses (by `id`), and relations that `program` does not have."""

    def __init__(
        self, program: Program, whole: Program, left_out: Callable[[Rule | Fact], bool] | None
    ) -> None:
        self.program, self.whole, self.left_out = program, whole, left_out
        self.added = {id(source) for source in whole.added}
        self.clauses: dict[int, Rule | Fact] = {}
        self.relations: set[str] = set()

    def follow(self, wanted: Iterable[str]) -> None:
        """Take what matters to the relations `wanted`."""
        seen: set[str] = set()
        work = list(wanted)
        while work:
            name = work.pop()
            if name in seen:
                continue
            seen.add(name)
            known = name in self.program.relations
            if known:
                work += self.program.read_by(name)
            else:
                self.relations.add(name)
            clauses: tuple[Rule | Fact, ...] = (*self.whole.rules_of[name], *self.whole.facts_of.get(name, ()))
            for clause in clauses:
                if known and id(clause.position.source) not in self.added:
                    continue
                if self.left_out is not None and self.left_out(clause):
                    continue
                self.clauses[id(clause)] = clause
                if isinstance(clause, Rule):
                    work += [head.relation for head in clause.heads]
                    work += clause.read


def _kept(whole: Program, statements: Iterable[Position], relations: Iterable[Relation]) -> list[Segment]:
    """The segments of `whole` in which any of `statements`, or the declaration of one of `relations`, stands,
    blank but for these."""
    stretches: dict[int, list[tuple[int, int]]] = {}
    for place in statements:
        stretches.setdefault(id(place.source), []).append((place.offset, place.end))
    declared: dict[int, list[int]] = {}
    for relation in relations:
        declared.setdefault(id(relation.position.source), []).append(relation.position.offset)
    segments = []
    for segment in whole.segments:
        start, end = segment.position.offset, segment.position.offset + len(segment.text)
        source = id(segment.position.source)
        here = [(a - start, b - start) for a, b in stretches.get(source, ()) if start <= a < end]
        for offset in declared.get(source, ()):
            if start <= offset < end:
                at = offset - start
                here.append((segment.text.rindex(".decl", 0, at), segment.text.index(")", at) + 1))
        if here:
            pieces, done = [], 0
            for a, b in sorted(set(here)):
                pieces += [_NOT_NEWLINE.sub(" ", segment.text[done:a]), segment.text[a:b]]
                done = b
            pieces.append(_NOT_NEWLINE.sub(" ", segment.text[done:]))
            segments.append(Segment(segment.position, "".join(pieces)))
    return segments
