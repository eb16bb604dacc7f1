"""What the verifier takes for alike is so: no rule tells apart what `rules/structure.dl` says is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import pytest

from dealog.engine import (
    Aggregate,
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Functor,
    Negation,
    Program,
    Term,
    Variable,
    Wildcard,
)
from dealog.engine.compact import Stated, compact
from dealog.engine.program import variables
from dealog.extensions import NO_EXTENSIONS, shipped

Body = tuple[BodyLiteral, ...]
Domain = frozenset[str] | None
"""The values that there may be; None for any."""
Domains = dict[str, Domain]

NAMES = {"operation": 1, "operand_type": 1, "result_type": 1, "counts": 1}
"""Where facts have the name of the operation in their first column."""
REPORTS = ("diagnosed", "invalid", "mismatch")
CONSTRAINED = {
    "constrained_operand": ("operand_constraint", "operands_constraint", "uniform_types"),
    "constrained_result": ("result_constraint", "results_constraint", "uniform_types"),
}
"""What is said of types of operations by their names, the constraint in the third column."""
LITERALS = {"literal_size", "literal_rank"}  # what has such a literal is alike to nothing else
SHAPES = {"type_size", "type_shape", "type_stride", "type_rank", "dynamic_sizes"}


@cache
def program() -> tuple[Program, Stated]:
    return compact(shipped("verification"), ["diagnosed"])


@cache
def stated_alone() -> Stated:
    """What is stated of relations that no rule adds to."""
    made, stated = program()
    return Stated({relation: rows for relation, rows in stated.items() if not made.rules_of[relation]})


def atoms(literals: Iterable[BodyLiteral]) -> Iterator[Atom]:
    for literal in literals:
        if isinstance(literal, Atom | Negation):
            yield literal.atom if isinstance(literal, Negation) else literal
        for term in terms(literal):
            yield from (atom for each in aggregates(term) for atom in atoms(each.body))


def terms(literal: BodyLiteral) -> tuple[Term, ...]:
    if isinstance(literal, Atom | Negation):
        return (literal.atom if isinstance(literal, Negation) else literal).arguments
    return (literal.left, literal.right) if isinstance(literal, Comparison) else ()


def aggregates(term: Term) -> Iterator[Aggregate]:
    if isinstance(term, Aggregate):
        yield term
    elif isinstance(term, Functor):
        for argument in term.arguments:
            yield from aggregates(argument)


def is_skipped(body: Body, comparing: str) -> bool:
    """Whether it only holds of operations that are alike to nothing else: with vectors, or with lists of elements, or,
    where types are compared, any elements."""
    said = {(atom.relation, getattr(atom.arguments[-1], "value", "")) for atom in body if isinstance(atom, Atom)}
    return (
        bool(LITERALS & {relation for relation, _ in said})
        or ("type_kind", "vector") in said
        or (comparing == "types" and ("attribute_kind", "elements") in said)
    )


# ---- which operations a body is about --------------------------------------------------------------------------


def names(body: Body, within: Domains, source: tuple[str, Domains] = ("", {})) -> Domains:
    """The values that variables of `body` may have, as far as facts of the program tell, and under `name of X`, the
    names of the operation `X`. `within` has those in columns of what is derived; `source` is what matters of that."""
    stated = stated_alone()
    found: Domains = {}

    def narrow(variable: str, values: Iterable[str]) -> None:
        old = found.get(variable)
        found[variable] = frozenset(values) if old is None else old & frozenset(values)

    plain = [atom for atom in body if isinstance(atom, Atom) and atom.arguments]
    for literal in body:
        if isinstance(literal, Comparison) and literal.op == "=":
            for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
                if isinstance(one, Variable) and isinstance(other, Constant):
                    narrow(one.name, [str(other.value)])
    while True:
        before = dict(found)
        for atom in plain:
            first = atom.arguments[0]
            if atom.relation in NAMES and isinstance(first, Variable):
                name = atom.arguments[NAMES[atom.relation]]
                if isinstance(name, Constant):
                    narrow(f"name of {first.name}", [str(name.value)])
                elif isinstance(name, Variable):
                    for one, other in ((f"name of {first.name}", name.name), (name.name, f"name of {first.name}")):
                        if (domain := found.get(other)) is not None:
                            narrow(one, domain)
            elif atom.relation in CONSTRAINED and isinstance(first, Variable):
                constraint = atom.arguments[3]
                allowed = found.get(constraint.name) if isinstance(constraint, Variable) else None
                rows = [row for relation in CONSTRAINED[atom.relation] for row in stated[relation]]
                chosen = {str(row[0]) for row in rows if allowed is None or row[2] in allowed}
                narrow(f"name of {first.name}", chosen)
            elif atom.relation in stated:
                rows = [
                    row
                    for row in stated[atom.relation]
                    if all(
                        row[i] == term.value
                        if isinstance(term, Constant)
                        else not isinstance(term, Variable) or (d := found.get(term.name)) is None or str(row[i]) in d
                        for i, term in enumerate(atom.arguments)
                    )
                ]
                for i, term in enumerate(atom.arguments):
                    if isinstance(term, Variable):
                        narrow(term.name, {str(row[i]) for row in rows})
        told = [(atom, within) for atom in plain]
        told += [(atom, source[1]) for atom in atoms(body) if atom.relation == source[0]]
        for atom, domains in told:
            for i, term in enumerate(atom.arguments):
                for kind in ("", "name of "):
                    domain = domains.get(f"{kind}{atom.relation} {i}")
                    if isinstance(term, Variable) and domain is not None:
                        narrow(kind + term.name, domain)
        if found == before:
            return found
    return found


@cache
def derived() -> Domains:
    """The values that may stand in columns of what is derived, and the names of the operations there."""
    known: Domains = {}
    made, facts = program()
    for stratum in made.strata:
        rules = [rule for name in stratum for rule in made.rules_of[name]]
        places = {
            f"{kind}{name} {i}": frozenset(str(row[i]) for row in facts.get(name, ()))
            for name in stratum
            for i in range(made.relations[name].arity)
            for kind in ("", "name of ")
            if rules and not made.relations[name].is_input
        }
        known |= places
        before: Domains = {}
        while before != (before := {place: known[place] for place in places}):  # what is recursive adds to itself
            for rule in rules:
                for body in rule.alternatives:
                    found = names(body, known)
                    for head in rule.heads:
                        if f"{head.relation} 0" in places:
                            add(known, head, found)
    return known


# ---- which bodies look at shapes -------------------------------------------------------------------------------


def looks_at_types(body: Body) -> bool:
    """At more than which types are the same, which have a rank other than 0, and which rank one with a layout has."""
    if states_layout(body):
        return False
    return any(
        atom.relation in SHAPES and not (atom.relation == "type_rank" and isinstance(atom.arguments[1], Wildcard))
        for atom in atoms(body)
    )


def states_layout(body: Body) -> bool:
    """Whether it only holds of memrefs that state a layout, the types of which are not compared by their sizes."""
    return any(atom.relation == "layout_rank" for atom in atoms(body))


def looks_at_shapes(body: Body) -> bool:
    """At more than the rank, which sizes are dynamic, and which shapes are the same."""
    if any(atom.relation in ("type_size", "type_stride") for atom in atoms(body)):
        return True
    return misuses(body, {("type_shape", 1)})


def looks_at_sizes(body: Body) -> bool:
    """At more than which sizes are dynamic, which are 0, and which are the same."""
    if states_layout(body):
        return False
    if any(atom.relation == "type_stride" for atom in atoms(body)):
        return True
    compared = [literal for literal in body if not (isinstance(literal, Comparison) and is_with_zero(literal))]
    return misuses(body, {("type_shape", 1)}) or misuses(compared, sizes())


def is_with_zero(literal: Comparison) -> bool:
    """Whether a variable is compared with 0: of a size, which is not negative, that only tells whether it is 0."""
    sides = literal.left, literal.right
    return any(isinstance(each, Variable) for each in sides) and any(getattr(each, "value", 1) == 0 for each in sides)


def misuses(body: Sequence[BodyLiteral], columns: set[tuple[str, int]]) -> bool:
    """Whether what stands in `columns` is not only compared with the same."""
    at = [(atom, i, term) for atom in atoms(body) for i, term in enumerate(atom.arguments)]
    inside = [term for atom, i, term in at if (atom.relation, i) in columns]
    if any(isinstance(term, Constant | Functor | Aggregate) for term in inside):
        return True
    held = {term.name for term in inside if isinstance(term, Variable)}
    if any((atom.relation, i) not in columns and held & {v.name for v in variables(term)} for atom, i, term in at):
        return True
    for literal in body:
        if isinstance(literal, Comparison):
            sides = [{v.name for v in variables(side)} for side in (literal.left, literal.right)]
            if held & (sides[0] | sides[1]):
                plain = isinstance(literal.left, Variable) and isinstance(literal.right, Variable)
                if literal.op not in ("=", "!=") or not plain or not (sides[0] | sides[1]) <= held:
                    return True
    return any(held & set(names_in(each)) for literal in body for term in terms(literal) for each in aggregates(term))


def names_in(aggregate: Aggregate) -> Iterator[str]:
    for atom in atoms(aggregate.body):
        for term in atom.arguments:
            yield from (v.name for v in variables(term))


@cache
def sizes() -> set[tuple[str, int]]:
    """The columns that hold sizes of types, and nothing else."""
    found = {("type_size", 2)}
    before = 0
    while before != (before := len(found)):
        for rule in program()[0].rules:
            for body in rule.alternatives:
                held = {
                    term.name
                    for atom in body
                    if isinstance(atom, Atom)
                    for i, term in enumerate(atom.arguments)
                    if (atom.relation, i) in found and isinstance(term, Variable)
                }
                for head in rule.heads:
                    if head.relation not in REPORTS:
                        found |= {
                            (head.relation, i)
                            for i, term in enumerate(head.arguments)
                            if isinstance(term, Variable) and term.name in held
                        }
    return found


LOOKS = {"types": looks_at_types, "shapes": looks_at_shapes, "sizes": looks_at_sizes}


@cache
def told_apart(comparing: str) -> set[str]:
    """The names of operations of which some rule finds out more than `comparing` shows; `*` for any."""
    made = program()[0]
    looking: dict[str, Domains] = {}  # relations that tell more, and of what
    told: set[str] = set()
    before = -1
    while before != (before := len(repr(looking))):
        for rule in made.rules:
            for body in rule.alternatives:
                if is_skipped(body, comparing):
                    continue
                sources = sorted({atom.relation for atom in atoms(body)} & looking.keys())
                found = [names(body, derived(), (source, looking[source])) for source in sources]
                if LOOKS[comparing](body) or (comparing == "sizes" and computes(rule.heads, body)):
                    found.append(names(body, derived()))
                for head in rule.heads if found else ():
                    for each in found:
                        if head.relation in REPORTS:
                            told |= each.get(f"name of {getattr(head.arguments[0], 'name', '')}") or {"*"}
                        else:
                            add(looking.setdefault(head.relation, {}), head, each)
    return told


def add(known: Domains, head: Atom, found: Domains) -> None:
    for i, term in enumerate(head.arguments):
        for kind in ("", "name of "):
            domain = found.get(kind + term.name) if isinstance(term, Variable) else None
            if isinstance(term, Constant) and not kind:
                domain = frozenset([str(term.value)])
            key = f"{kind}{head.relation} {i}"
            old = known.get(key, frozenset())
            known[key] = old | domain if old is not None and domain is not None else None


def computes(heads: Iterable[Atom], body: Body) -> bool:
    """Whether a size is made part of something else in what is derived."""
    held = {
        term.name
        for atom in body
        if isinstance(atom, Atom)
        for i, term in enumerate(atom.arguments)
        if (atom.relation, i) in sizes() and isinstance(term, Variable)
    }
    derived_terms = [term for head in heads if head.relation not in REPORTS for term in head.arguments]
    return any(isinstance(term, Functor) and held & {v.name for v in variables(term)} for term in derived_terms)


@pytest.mark.parametrize("comparing", LOOKS)
def test_no_rule_tells_apart_what_is_alike(comparing: str) -> None:
    told = told_apart(comparing)
    assert "*" not in told
    assert told & getattr(NO_EXTENSIONS.structure, f"comparing_{comparing}") == set()


# ---- which bodies look around ----------------------------------------------------------------------------------


APART = {
    "defined_for", "used_at", "comes_from_block", "on_side",  # what uses values from afar is always looked at
    "symbol_position",  # all symbols of a table are looked at where two may have the same name
    "value_inside", "looks_out",  # what indices are made of is part of what those that use them are compared by
    "in_workshare", "gets_field", "in_class",  # they only ask what is around operations that are entangled
}  # fmt: skip
"""What is derived, and looks around, for operations that are looked at for other reasons."""


def looking_around() -> set[str]:
    """The names of operations of which some rule sees more around them than the name of the nearest; `*` for any."""
    told: set[str] = set()
    for rule in program()[0].rules:
        for body in rule.alternatives:
            plain = [atom for atom in body if isinstance(atom, Atom)]
            for atom in plain if rule.heads[0].relation not in APART else ():
                inner = getattr(atom.arguments[0], "name", None)
                if atom.relation != "operation" or inner is None or not isinstance(atom.arguments[2], Variable):
                    continue
                around = {atom.arguments[2].name}
                for relation in ("block", "region"):
                    around |= {
                        getattr(other.arguments[1], "name", "_")
                        for other in plain
                        if other.relation == relation and getattr(other.arguments[0], "name", "") in around
                    }
                looked_at = [head for head in rule.heads if head.relation not in REPORTS]
                looked_at += [other for other in atoms(body) if other is not atom]
                is_about_it = any(getattr(head.arguments[0], "name", "") in around for head in rule.heads)
                if not is_about_it and any(looks_at(each, around - {inner}) for each in looked_at):
                    told |= names(body, derived()).get(f"name of {inner}") or {"*"}
    return told


def looks_at(atom: Atom, around: set[str]) -> bool:
    if atom.relation in ("block", "region", "last_operation") or (
        atom.relation == "operation" and not any(isinstance(term, Variable) for term in atom.arguments[2:])
    ):
        return False
    return bool(around & {v.name for term in atom.arguments for v in variables(term)})


def test_no_rule_looks_around_what_is_valid_anywhere() -> None:
    told = looking_around()
    assert {"linalg.yield"} <= told
    assert told & (NO_EXTENSIONS.structure.anywhere | {"*"}) == set()


def test_rules_tell_others_apart() -> None:
    assert {"memref.expand_shape", "memref.subview", "memref.transpose", "tensor.from_elements"} <= told_apart("sizes")
    by_sizes = {"memref.copy", "linalg.generic", "linalg.transpose", "memref.cast"}
    assert by_sizes <= told_apart("shapes") - told_apart("sizes")
    assert {"memref.alloc", "memref.load", "memref.dim"} <= told_apart("types") - told_apart("shapes")
