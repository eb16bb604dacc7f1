"""What is probably not meant: warnings about a program that is valid."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass
from difflib import get_close_matches

from dealog.diagnostics import Diagnostic
from dealog.engine.program import Aggregate, Atom, Functor, Position, Program, Relation, Rule, Variable, Wildcard
from dealog.engine.scope import clause_aggregates, is_materialized


def warnings(program: Program, files: Collection[str]) -> list[Diagnostic]:
    """The warnings about what stands in `files`, source names of `program`, in the order of the text."""
    rules = [rule for rule in program.rules if rule.position.file in files]
    found = [
        *_undocumented(program),
        *_empty(program),
        *_twice(program, files),
        *(warning for rule in rules for warning in (*_single(rule), *_idle(rule), *_endless(rule))),
    ]
    order = {source.name: i for i, source in enumerate(program.sources)}
    mine = [d for d in found if d.source is not None and d.source.name in files]
    return sorted(mine, key=lambda d: (order[d.source.name] if d.source else -1, d.offset or 0))


def _undocumented(program: Program) -> Iterator[Diagnostic]:
    for relation in program.relations.values():
        if not relation.doc:
            hint = f"a comment above it says what a tuple means, for people and in proofs: {_sentence(relation)}"
            yield relation.position.warning(f"the relation {relation.name} has no documentation", hint)


def _sentence(relation: Relation) -> str:
    names = [column.name for column in relation.columns]
    return f"// {relation.name}({', '.join(names)}): {' … '.join(f'`{name}`' for name in names) or '…'} …"


def _empty(program: Program) -> Iterator[Diagnostic]:
    stated = {fact.relation for fact in program.facts}
    for relation in program.relations.values():
        if not relation.is_input and relation.name not in stated and not program.rules_of[relation.name]:
            message = f"the relation {relation.name} is always empty: nothing derives it"
            yield relation.position.warning(message, "add a rule or a fact, or remove it")


def _twice(program: Program, files: Collection[str]) -> Iterator[Diagnostic]:
    """Clauses that are the same but for the names of their variables, of which `files` have one."""
    known: dict[object, Position] = {}
    derived = {head.relation for rule in program.rules if rule.position.file in files for head in rule.heads}
    for fact in program.facts:
        place = known.setdefault((fact.relation, fact.values), fact.position)
        if place is not fact.position:
            yield fact.position.warning("this is stated twice", notes=[place.note("stated here before")])
    for rule in program.rules:
        if derived.isdisjoint(head.relation for head in rule.heads):
            continue
        place = known.setdefault(_shape((rule.heads, rule.alternatives), {}), rule.position)
        if place is not rule.position:
            yield rule.position.warning("this rule is there twice", notes=[place.note("the same stands here")])


def _shape(node: object, names: dict[str, int]) -> object:
    """`node` with its variables numbered in the order in which they come."""
    if isinstance(node, Variable):
        return names.setdefault(node.name, len(names))
    if isinstance(node, tuple):
        return tuple([_shape(part, names) for part in node])
    if is_dataclass(node):
        parts = [_shape(getattr(node, f.name), names) for f in fields(node) if f.compare]
        return (type(node).__name__, *parts)
    return (type(node).__name__, node)


def _single(rule: Rule) -> Iterator[Diagnostic]:
    """Variables that stand in a rule once. A name that starts with `_` says that this is meant, and an aggregate
    over several atoms cannot have `_`, so there it has to be."""
    places: dict[str, dict[int, Variable]] = {}
    excused: set[int] = set()
    for variable in _variables((rule.heads, rule.alternatives)):
        places.setdefault(variable.name, {})[variable.position.offset] = variable
    for body in rule.alternatives:
        for aggregate in clause_aggregates(rule.heads, body):
            if is_materialized(aggregate):
                excused |= {v.position.offset for v in _variables(aggregate)}
    for name, found in places.items():
        (offset, variable), *others = found.items()
        if not others and not name.startswith("_") and offset not in excused:
            hint = "write _ if any value will do"
            alike = get_close_matches(name, [n for n in places if n != name and len(places[n]) > 1], n=1)
            if alike:
                hint = f"did you mean {alike[0]}? If not, {hint}"
            yield variable.position.warning(f"{name} stands in this rule only once", hint)


def _variables(node: object) -> Iterator[Variable]:
    if isinstance(node, Variable):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _variables(part)
    elif is_dataclass(node) and not isinstance(node, Wildcard | Position):
        for f in fields(node):
            if f.compare:
                yield from _variables(getattr(node, f.name))


def _idle(rule: Rule) -> Iterator[Diagnostic]:
    """Alternatives that need just what they derive."""
    if len(rule.heads) != 1 or any(isinstance(a, Aggregate) for a in rule.heads[0].arguments):
        return
    head = rule.heads[0]
    for body in rule.alternatives:
        for literal in body:
            if isinstance(literal, Atom) and literal == head:
                yield literal.position.warning("this rule derives nothing new: it needs what it derives")
                return


def _endless(rule: Rule) -> Iterator[Diagnostic]:
    """Texts and numbers that a rule makes of what it has derived, which no other condition is about."""
    for head in rule.heads:
        made = [term for term in head.arguments if isinstance(term, Functor) and term.op in ("cat", "+", "-", "*")]
        for body in rule.alternatives if made else ():
            again = [x for x in body if isinstance(x, Atom) and x.relation == head.relation]
            derived = {variable.name for atom in again for variable in _variables(atom)}
            others = {variable.name for x in body if x not in again for variable in _variables(x)}
            for term in made:
                if derived.isdisjoint(others) and any(variable.name in derived for variable in _variables(term)):
                    kind, more = ("text", "longer") if term.op == "cat" else ("number", "further")
                    hint = f"add a condition that only some of the {kind}s meet"
                    message = f"each {kind} that this makes leads to a {more} one, without end"
                    yield term.position.warning(message, hint)
