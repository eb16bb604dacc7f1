"""Relations that are a file's own: `@own` in the comment above a declaration says that no other file uses it.

Such a relation does not take its name away from other files. Where another file declares one of that name, too, the one
that is own is called after its file in the program: `uses` of `liveness.dl` is `liveness_uses` there, and that of
`My-rules.dl` is `my_rules_uses`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TypeVar

from dealog.diagnostics import SourceText
from dealog.engine.program import Atom, Position, Rule, SetApart
from dealog.engine.statements import RelationStatement, Statements

Node = TypeVar("Node")


def set_apart(statements: Statements, names: Collection[str] = ()) -> list[SetApart]:
    """Rename, in `statements`, the relations that are a file's own and that another file declares, too, or that are
    among `names`; returns where they stand."""
    declared: dict[str, list[RelationStatement]] = {name: [] for name in names}
    for statement in statements.relations:
        declared.setdefault(statement.name, []).append(statement)
    taken = set(declared)
    found: list[SetApart] = []
    by_file: dict[int, dict[str, str]] = {}
    for name, stated in declared.items():
        files = {id(statement.position.source): statement for statement in stated}
        if len(files) < 2 and name not in names:
            continue
        for statement in files.values():
            if statement.is_own:
                new = _called_after(statement.position.source, name, taken)
                taken.add(new)
                by_file.setdefault(id(statement.position.source), {})[name] = new
    if by_file:
        statements.relations[:] = [_declared(s, by_file, found) for s in statements.relations]
        rules = [_renamed(rule, by_file.get(id(rule.position.source)), found) for rule in statements.rules]
        statements.rules[:] = rules
    return list({(id(a.position.source), a.position.offset): a for a in found}.values())


def called(source: SourceText) -> str:
    """What a file is called at the start of names: that starts with a small letter, as names of relations do."""
    stem = re.sub(r"\W", "_", Path(source.name).stem, flags=re.ASCII)
    stem = stem[:1].lower() + stem[1:]
    return stem if stem[:1].isalpha() else f"file_{stem}"


def _called_after(source: SourceText, name: str, taken: Collection[str]) -> str:
    new = f"{called(source)}_{name}"
    while new in taken:
        new += "_"
    return new


def _declared(
    statement: RelationStatement, by_file: Mapping[int, Mapping[str, str]], found: list[SetApart]
) -> RelationStatement:
    new = by_file.get(id(statement.position.source), {}).get(statement.name)
    if new is None:
        return statement
    found.append(SetApart(statement.position, statement.name, new))
    doc = statement.doc
    if doc.startswith(f"{statement.name}("):
        doc = new + doc.removeprefix(statement.name)
    return replace(statement, name=new, doc=doc)


def _renamed(rule: Rule, names: Mapping[str, str] | None, found: list[SetApart]) -> Rule:
    if not names or not any(atom.relation in names for atom in _atoms(rule)):
        return rule
    found += [SetApart(a.position, a.relation, names[a.relation]) for a in _atoms(rule) if a.relation in names]
    return _with_names(rule, names)


def _atoms(node: object) -> Iterator[Atom]:
    if isinstance(node, Atom):
        yield node
    for part in _parts(node):
        yield from _atoms(part)


def _parts(node: object) -> Iterable[object]:
    if isinstance(node, tuple):
        return node
    if is_dataclass(node) and not isinstance(node, Position):
        return [getattr(node, f.name) for f in fields(node)]
    return ()


def _with_names(node: Node, names: Mapping[str, str]) -> Node:
    """`node` with its relations called by other names, as far as `names` has them."""
    if isinstance(node, tuple):
        return tuple(_with_names(part, names) for part in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, Position | type):
        return node
    parts = {f.name: _with_names(getattr(node, f.name), names) for f in fields(node)}
    if isinstance(node, Atom):
        parts["relation"] = names.get(node.relation, node.relation)
    return replace(node, **parts)


def with_names_apart(text: str, source: SourceText, offset: int, places: Iterable[SetApart]) -> str:
    """`text`, which stands at `offset` in `source`, with the names that its relations have in the program. Blank places
    stay blank."""
    here = [p for p in places if p.position.source is source and offset <= p.position.offset < offset + len(text)]
    for place in sorted(here, key=lambda place: -place.position.offset):
        at = place.position.offset - offset
        if text.startswith(place.old, at):
            text = text[:at] + place.new + text[at + len(place.old) :]
    return text
