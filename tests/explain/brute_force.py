"""What a proof must be measured against, found by trying all rows: slow, and not with the code under test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from dealog.engine import Aggregate, Atom, Constant, Functor, Negation, Program, Variable, Wildcard

DOMAIN = range(5)
Relations = dict[str, set[tuple]]


def heights(program: Program, relations: Relations, given: Relations) -> dict[tuple[str, tuple], int]:
    """The smallest height of a proof of each tuple that has one: rules are applied until no height falls."""
    found = {(name, row): 0 for name, rows in given.items() for row in rows}
    instances = [
        (head, needed)
        for rule in program.rules
        for body in rule.alternatives
        for head, needed in _instances(rule.heads[0], body, relations)
    ]
    changed = True
    while changed:
        changed = False
        for head, needed in instances:
            if all(fact in found for fact in needed):
                height = 1 + max((found[fact] for fact in needed), default=0)
                if head not in found or height < found[head]:
                    found[head] = height
                    changed = True
    return found


def _instances(head: Atom, body: tuple, relations: Relations) -> Iterator[tuple]:
    """Every way in which a rule yields a tuple: the tuple, and the facts that it rests on."""
    body = tuple(
        Atom(
            x.relation,
            tuple(
                Variable(f"w{i}{k}", a.position) if isinstance(a, Wildcard) else a
                for k, a in enumerate(x.arguments)
            ),
            x.position,
        )
        if isinstance(x, Atom)
        else x
        for i, x in enumerate(body)
    )
    atoms = [x for x in body if isinstance(x, Atom)]
    for rows in product(*(relations[atom.relation] for atom in atoms)):
        env = _agreed(atoms, rows)
        if env is None:
            continue
        for value in DOMAIN:  # of the variable that only an equation names
            needed: list = []
            if all(_holds(x, {"n": value, **env}, relations, needed) for x in body):
                made = tuple(_value(t, {"n": value, **env}, relations, []) for t in head.arguments)
                yield (head.relation, made), needed


def _agreed(atoms: list[Atom], rows: tuple) -> dict | None:
    """The variables, if every atom can be its row."""
    env: dict = {}
    for atom, row in zip(atoms, rows, strict=True):
        for term, value in zip(atom.arguments, row, strict=True):
            wanted = env.setdefault(term.name, value) if isinstance(term, Variable) else term.value
            if wanted != value:
                return None
    return env


def _holds(literal, env, relations, needed) -> bool:
    if isinstance(literal, Atom):
        row = tuple(_value(t, env, relations, needed) for t in literal.arguments)
        needed.append((literal.relation, row))
        return row in relations[literal.relation]
    if isinstance(literal, Negation):
        pattern = [None if isinstance(t, Wildcard) else _value(t, env, relations, []) for t in literal.atom.arguments]
        rows = relations[literal.atom.relation]
        return not any(all(p in (None, v) for p, v in zip(pattern, row, strict=True)) for row in rows)
    left, right = (_value(t, env, relations, needed) for t in (literal.left, literal.right))
    return {"=": left == right, "!=": left != right, "<": left < right}[literal.op]


def _value(term, env, relations, needed):
    if isinstance(term, Constant):
        return term.value
    if isinstance(term, Variable):
        return env[term.name]
    if isinstance(term, Functor):
        left, right = (_value(t, env, relations, needed) for t in term.arguments)
        return left + right if term.op == "+" else left - right
    assert isinstance(term, Aggregate) and term.op == "count"
    (atom,) = term.body
    fixed = [env.get(t.name) if isinstance(t, Variable) else None for t in atom.arguments]
    rows = [
        row
        for row in relations[atom.relation]
        if all(f is None or f == v for f, v in zip(fixed, row, strict=True))
    ]
    needed += [(atom.relation, row) for row in rows]
    return len(rows)
