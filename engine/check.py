"""The checker: what makes a program invalid or not portable, and otherwise the `Program`.

Names, arities, types with their subtypes, safety, aggregates and stratification follow Soufflé, so that what
passes here is accepted there. Refused although Soufflé accepts it is `<` on symbols, whose order is
Soufflé's own affair.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

from dealog.diagnostics import DealogError, Diagnostic, plural
from dealog.engine.clause_types import ClauseTypes
from dealog.engine.program import (
    NUMBER_MAX,
    NUMBER_MIN,
    Aggregate,
    Atom,
    Base,
    BodyLiteral,
    Column,
    Comparison,
    Constant,
    Directive,
    Functor,
    Negation,
    Position,
    Program,
    Relation,
    Rule,
    Term,
    Type,
    Wildcard,
    aggregates,
    body_relations,
    literal_terms,
    variables,
)
from dealog.engine.scope import (
    Scope,
    binding_atoms,
    clause_aggregates,
    clause_variables,
    grounded,
    has_wildcard,
    is_materialized,
    scopes,
)
from dealog.engine.statements import RelationStatement, Statements

_ALIKE = 0.65  # how much of two names has to be the same for one to be meant by the other
_OWN_RELATION = "give the body of the aggregate a relation of its own"
_UNSUPPORTED_TYPES = {"float": "numbers are 32-bit integers", "unsigned": "use number, which is signed"}


def check(statements: Statements) -> Program:
    """Look everything up and put the program together.

    Raises:
        DealogError: with every fault found.
    """
    return _Checker(statements).program()


def closest(name: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant."""
    return next(iter(get_close_matches(name, list(names), n=1, cutoff=_ALIKE)), None)


def did_you_mean(name: str, names: Iterable[str]) -> str | None:
    """A hint with the name that was probably meant."""
    close = closest(name, names)
    return f"did you mean {close}?" if close else None


def _name_in(directive: Directive, name: str) -> Position:
    """Where `directive` has `name`."""
    position = directive.position
    found = re.search(rf"(?<![\w?]){re.escape(name)}(?![\w?])", position.text)
    assert found is not None
    return replace(position, offset=position.offset + found.start(), end=position.offset + found.end())


class _Checker:
    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.faults: dict[tuple[str, str, int], Diagnostic] = {}
        self.types: dict[str, Type] = {}
        self.relations: dict[str, Relation] = {}
        self.missing: set[str] = set()  # names that nothing declares, and that are like no other
        self.unread = set(statements.unread)  # names that a declaration with faults declares

    def fault(self, place: Position, message: str, hint: str | None = None, *notes: Diagnostic) -> None:
        # the alternatives of a rule share literals: a fault in one is reported once
        self.faults.setdefault((message, place.file, place.offset), place.error(message, hint, notes))

    def program(self) -> Program:
        self.check_types()
        self.check_relations()
        rules, facts = [], []
        added = {id(source) for source in self.statements.added}
        for rule in self.statements.rules:
            before = len(self.faults)
            if not added or id(rule.position.source) in added:  # what files are added to is valid by itself
                self.check_rule(rule)
            if rule.fact is not None:
                if len(self.faults) == before:
                    facts.append(rule.fact)
            else:
                rules.append(rule)
        program = Program(
            sources=tuple(self.statements.sources),
            segments=tuple(self.statements.segments),
            types=self.types,
            relations=self.relations,
            rules=tuple(rules),
            facts=tuple(facts),
            directives=tuple(self.statements.directives),
            added=tuple(self.statements.added),
            set_apart=tuple(self.statements.set_apart),
        )
        strata = () if self.faults or self.statements.faults else self.stratify(program)
        if self.faults or self.statements.faults:
            raise DealogError(self.in_order())
        return replace(program, strata=strata)

    def in_order(self) -> list[Diagnostic]:
        """All faults, each once, in the order of the files and of the text."""
        files = {id(source): i for i, source in enumerate(self.statements.sources)}
        found = {
            (files.get(id(d.source), -1), d.offset or 0, d.message): d
            for d in (*self.statements.faults, *self.faults.values())
        }
        return [found[key] for key in sorted(found)]

    # declarations

    def check_types(self) -> None:
        stated = {t.name: t for t in reversed(self.statements.types)}
        seen: set[str] = set()
        for statement in self.statements.types:
            first = stated[statement.name]
            if statement.name in seen:
                note = first.position.note("declared here before")
                self.fault(statement.position, f"the type {statement.name} is declared twice", None, note)
                continue
            seen.add(statement.name)
            if statement.name in ("symbol", "number", *_UNSUPPORTED_TYPES):
                self.fault(statement.position, f"{statement.name} is a type of the language")
                continue
            chain, parent = [statement.name], statement.parent
            while parent in stated and parent not in chain:
                chain.append(parent)
                parent = stated[parent].parent
            if parent in chain:
                self.fault(statement.position, f"the type {statement.name} is its own parent")
            before = len(self.faults)
            base = self.base(parent, stated[chain[-1]].parent_position, stated)
            if parent in self.unread or len(self.faults) > before:
                self.unread.add(statement.name)
            doc, place = statement.doc, statement.position
            self.types[statement.name] = Type(statement.name, statement.parent, base, doc, place)

    def base(self, name: str, place: Position, known: Collection[str]) -> Base:
        if name in ("symbol", "number"):
            return name  # type: ignore[return-value]
        if name in self.unread:
            return "symbol"
        if name in self.types:
            return self.types[name].base
        if name in _UNSUPPORTED_TYPES:
            self.fault(place, f"the type {name} is not portable", _UNSUPPORTED_TYPES[name])
        elif name not in known and not self.statements.incomplete:
            close = closest(name, (*known, "symbol", "number"))
            hint = f"did you mean {close}?" if close else f"declare it: .type {name} <: symbol"
            notes = [self.types[close].position.note("declared here")] if close in self.types else []
            self.fault(place, f"there is no type {name}", hint, *notes)
        return "symbol"

    def check_relations(self) -> None:
        declared = {r.name: r for r in reversed(self.statements.relations)}
        marked: dict[str, set[str]] = {"input": set(), "output": set()}
        for directive in self.statements.directives:
            for name in directive.relations:
                marked[directive.kind].add(name)
                if name in declared and declared[name].is_own:
                    message = f"{name} is its file's own, so it cannot be an {directive.kind}"
                    self.fault(_name_in(directive, name), message, "remove @own above its declaration")
                if name not in declared:
                    self.undeclared(name, _name_in(directive, name), declared)
        seen: set[str] = set()
        for statement in self.statements.relations:
            first = declared[statement.name]
            if statement.name in seen:
                note = first.position.note("declared here before")
                hint = "use the one there is, or take another name"
                if (first.position.file, first.position.offset) == (statement.position.file, statement.position.offset):
                    hint = "a file that is included from several places needs an #ifndef guard"
                self.fault(statement.position, f"the relation {statement.name} is declared twice", hint, note)
                if [c.type for c in first.columns] != [c.type for c in statement.columns]:
                    self.unread.add(statement.name)  # which of the two its uses have in mind is unknown
                continue
            seen.add(statement.name)
            before = len(self.faults)
            columns: list[Column] = []
            for c in statement.columns:
                if any(c.name == other.name for other in columns):
                    self.fault(c.position, f"{statement.name} has two columns with the name {c.name}")
                base = self.base(c.type, c.type_position, self.types)
                columns.append(Column(c.name, c.type, base, c.position))
            if len(self.faults) > before or any(c.type in self.unread for c in statement.columns):
                self.unread.add(statement.name)
            self.relations[statement.name] = Relation(
                statement.name,
                tuple(columns),
                statement.doc,
                statement.name in marked["input"],
                statement.name in marked["output"],
                statement.position,
                statement.is_own,
            )

    def undeclared(
        self, name: str, place: Position, declared: Mapping[str, Relation | RelationStatement]
    ) -> None:
        if name in self.unread or self.statements.incomplete:
            return
        message = f"the relation {name} is not declared"
        close = closest(name, declared)
        if close is not None:
            note = declared[close].position.note(f"{close} is declared here")
            self.fault(place, message, f"did you mean {close}?", note)
        elif name not in self.missing:
            self.missing.add(name)  # it is forgotten once, however often it is used
            self.fault(place, message, f"declare it: .decl {name}(...)")

    # rules

    def check_rule(self, rule: Rule) -> None:
        before = len(self.faults)
        is_fact = rule.alternatives == ((),)
        for head in rule.heads:
            self.check_atom(head)
            for argument in head.arguments:
                if has_wildcard(argument):
                    self.fault(argument.position, "_ in a head has no value", "name a variable of the body")
                elif is_fact and (v := next(variables(argument), None)) is not None:
                    hint = f'write "{v.name}" for the symbol, or a rule with :- for more than one tuple'
                    self.fault(v.position, f"the fact has the variable {v.name}", hint)
        for body in rule.alternatives:
            self.check_literals(body)
        if len(self.faults) > before:
            return  # what follows relies on atoms and terms being in order
        used = {*rule.read, *(head.relation for head in rule.heads)}
        known = not used & self.unread and used <= set(self.relations)
        for body in rule.alternatives:
            clause_scopes = self.check_scopes(rule.heads, body)
            if clause_scopes is not None and known:
                ClauseTypes(self.relations, self.types, self.fault).check(rule.heads, body, clause_scopes)

    def check_atom(self, atom: Atom) -> None:
        relation = self.relations.get(atom.relation)
        if relation is None:
            self.undeclared(atom.relation, atom.position, self.relations)
        elif atom.relation not in self.unread and len(atom.arguments) != relation.arity:
            columns = plural(relation.arity, "column")
            note = relation.position.note(f"declared as {relation.signature}")
            message = f"{atom.relation} has {columns}, not {len(atom.arguments)}"
            self.fault(atom.position, message, None, note)
        if relation is not None and relation.is_own and relation.position.source is not atom.position.source:
            name = Path(relation.position.file).name
            hint = "use a relation that is for all files, or declare one of your own"
            message = f"the relation {atom.relation} is {name}'s own"
            self.fault(atom.position, message, hint, relation.position.note("declared here"))
        for argument in atom.arguments:
            self.check_term(argument, wildcard=True)

    def check_literals(self, body: Iterable[BodyLiteral], inside: bool = False) -> None:
        for literal in body:
            if isinstance(literal, Atom):
                self.check_atom(literal)
            elif isinstance(literal, Negation):
                self.check_atom(literal.atom)
            elif isinstance(literal, Comparison):
                self.check_term(literal.left)
                self.check_term(literal.right)
            if inside:
                for inner in aggregates(literal_terms(literal)):
                    hint = "give the inner aggregate a relation of its own"
                    self.fault(inner.position, "an aggregate inside an aggregate is not portable", hint)

    def check_term(self, term: Term, wildcard: bool = False) -> None:
        if isinstance(term, Wildcard) and not wildcard:
            self.fault(term.position, "_ has no value here", "it can only be an argument of an atom")
        elif isinstance(term, Constant):
            if isinstance(term.value, int) and not NUMBER_MIN <= term.value <= NUMBER_MAX:
                hint = f"numbers go from {NUMBER_MIN} to {NUMBER_MAX}"
                self.fault(term.position, f"{term.value} does not fit into 32 bits", hint)
            elif isinstance(term.value, str) and "\0" in term.value:
                self.fault(term.position, "a symbol in a program cannot contain the character NUL")
        elif isinstance(term, Functor):
            for argument in term.arguments:
                self.check_term(argument)
        elif isinstance(term, Aggregate):
            if term.target is not None:
                self.check_term(term.target)
                for inner in aggregates((term.target,)):
                    hint = "give the inner aggregate a relation of its own"
                    self.fault(inner.position, "an aggregate inside an aggregate is not portable", hint)
            self.check_literals(term.body, inside=True)

    def check_scopes(
        self, heads: Sequence[Atom], body: Collection[BodyLiteral]
    ) -> Mapping[int, Scope] | None:
        """Safety: every variable has a value, and aggregates share no variable by accident."""
        before = len(self.faults)
        known = scopes(heads, body)
        outside = {v.name: v for v in reversed(list(clause_variables(heads, body)))}
        for aggregate in clause_aggregates(heads, body):
            scope = known[id(aggregate)]
            target = {v.name for v in variables(aggregate.target)} if aggregate.target else set()
            bound = grounded(aggregate.body, scope.injected)
            inner = list(clause_variables((), aggregate.body))
            inner += variables(aggregate.target) if aggregate.target else ()
            for variable in inner:
                name = variable.name
                if name not in bound:
                    hint = "use it in a positive atom of the aggregate"
                    self.fault(variable.position, f"{name} has no value in this aggregate", hint)
                elif name in scope.local - target and name in outside:
                    note = outside[name].position.note(f"{name} is used here too")
                    message = f"{name} has its value from inside the aggregate, and is used outside"
                    hint = "bind it outside by an atom as well, or take another name inside"
                    self.fault(variable.position, message, hint, note)
            self.check_materialized(aggregate, scope, body)
        if len(self.faults) == before:
            bound = grounded(body, known=known)
            injected = {name for scope in known.values() for name in scope.injected}
            for name, variable in outside.items():
                if name not in bound:
                    hint = "use it in a positive atom, or equate it with something that has a value"
                    if name in injected:
                        hint = "an aggregate that uses it is needed to find it"
                    self.fault(variable.position, f"{name} has no value: nothing in the body binds it", hint)
        return known if len(self.faults) == before else None

    def check_materialized(self, aggregate: Aggregate, scope: Scope, body: Collection[BodyLiteral]) -> None:
        """What Soufflé cannot do with an aggregate whose body it makes a relation of."""
        if not is_materialized(aggregate):
            return
        for literal in aggregate.body:
            # how often `_` counts here is up to Soufflé's optimizer; `count` cannot have it in a negation
            counted = isinstance(literal, Atom) and aggregate.op in ("count", "sum")
            if counted or (isinstance(literal, Negation) and aggregate.op == "count"):
                for argument in literal_terms(literal):
                    if isinstance(argument, Wildcard):
                        message = f"_ inside a {aggregate.op} over several atoms is not portable"
                        self.fault(argument.position, message, f"name the variable, or {_OWN_RELATION}")
        for name, atom in binding_atoms(aggregate, scope, body).items():
            if atom is None:
                message = f"{name} comes into the aggregate from outside, but no atom outside binds it"
                self.fault(aggregate.position, message, _OWN_RELATION)

    # strata

    def stratify(self, program: Program) -> tuple[frozenset[str], ...]:
        import networkx  # type: ignore[import-untyped]

        graph = program.dependencies
        # Tarjan's algorithm finds components after all that they lead to: in the order of strata.
        strata = [frozenset(members) for members in networkx.strongly_connected_components(graph)]
        component_of = {name: number for number, members in enumerate(strata) for name in members}
        recursive = {name for name, used in graph.edges if component_of[name] == component_of[used]}
        cycles: list[tuple[list[str], Position]] = []
        for rule in program.rules:
            own = {component_of[head.relation] for head in rule.heads if head.relation in recursive}
            if not own:  # as most rules are
                continue
            for name, negative, place in body_relations(rule):
                for head in rule.heads:
                    if negative and component_of[head.relation] == component_of[name]:
                        back = networkx.shortest_path(graph, name, head.relation)
                        cycles.append(([head.relation, *back], place))
            for literals in rule.alternatives:
                known = scopes(rule.heads, literals)
                for aggregate in clause_aggregates(rule.heads, literals):
                    copied = binding_atoms(aggregate, known[id(aggregate)], literals)
                    for name, atom in copied.items():
                        if atom is not None and component_of[atom.relation] in own:
                            origin = f"{atom.relation}, which is recursive"
                            message = f"{name} comes into the aggregate from {origin}"
                            self.fault(aggregate.position, message, _OWN_RELATION)
        if cycles:
            self.report_cycles(program, cycles)
        return tuple(strata)

    def report_cycles(self, program: Program, cycles: Iterable[tuple[list[str], Position]]) -> None:
        """Faults for cycles (the first relation being the last, too), each with the negation that it starts by.

        A cycle that rules of added files close is reported there, once for each such rule: what they are added to was
        in order.
        """
        added = {id(source) for source in program.added}
        edges: dict[tuple[str, str], list[tuple[Rule, Position]]] = {}
        for rule in program.rules if added else ():
            for name, _, place in body_relations(rule):
                for head in rule.heads:
                    edges.setdefault((head.relation, name), []).append((rule, place))
        reported: set[int] = set()
        for cycle, negation in sorted(cycles, key=lambda found: len(found[0])):
            place = negation
            closing = None
            for i, edge in enumerate(pairwise(cycle)):
                readings = edges.get(edge, ())
                if readings and all(id(at.source) in added for _, at in readings):
                    closing, place = next((r for r in readings if r[1] == negation), readings[0])
                    cycle = [*cycle[i:-1], *cycle[:i], cycle[i]]
                    break
            if closing is not None:
                if id(closing) in reported:
                    continue
                reported.add(id(closing))
            message = f"{cycle[0]} depends on its own absence or on an aggregate of itself"
            notes = [] if place == negation else [negation.note("its absence, or an aggregate of it, counts here")]
            self.fault(place, message, f"break the cycle {' -> '.join(cycle)}", *notes)
