"""A Datalog program as data: what the reader makes, and what engines, explainer and checker live on.

Everything here is an immutable value. Nodes compare by content; where they stand in the text (`position`)
does not count. A rule's body comes in disjunctive normal form: `Rule.alternatives` is a tuple of
conjunctions, each a tuple of literals in the order they were written, which is all that an evaluator needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from dealog.diagnostics import Diagnostic, SourceText

if TYPE_CHECKING:
    import networkx  # type: ignore[import-untyped]

NUMBER_MIN, NUMBER_MAX = -(2**31), 2**31 - 1  # of Soufflé's numbers

_ANNOTATION = re.compile(r"^@(?P<name>\w+)[ \t]*", re.MULTILINE)
_COMMENT_LINE = re.compile(r"[ \t]*//+!?[ \t]*(?P<text>.*?)\s*")

Base = Literal["symbol", "number"]
Value: TypeAlias = str | int
Tuple: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True, repr=False)
class Position:
    """A stretch of a source text: character offsets `offset` to `end` (exclusive)."""

    source: SourceText
    offset: int
    end: int

    @property
    def file(self) -> str:
        """The name of the file."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line, from 1."""
        return self.source.position(self.offset)[0]

    @property
    def column(self) -> int:
        """The column, from 1."""
        return self.source.position(self.offset)[1]

    @property
    def text(self) -> str:
        """The source text of this stretch."""
        return self.source.text[self.offset : self.end]

    def error(self, message: str, hint: str | None = None, notes: Iterable[Diagnostic] = ()) -> Diagnostic:
        """An error at this place."""
        return Diagnostic(message, source=self.source, offset=self.offset, hint=hint, notes=tuple(notes))

    def warning(self, message: str, hint: str | None = None, notes: Iterable[Diagnostic] = ()) -> Diagnostic:
        """A warning at this place."""
        return replace(self.error(message, hint, notes), severity="warning")

    def note(self, message: str) -> Diagnostic:
        """A note at this place."""
        return Diagnostic(message, severity="note", source=self.source, offset=self.offset)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    __repr__ = __str__


# Terms ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Variable:
    """A variable, by its name."""

    name: str
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Wildcard:
    """`_`: each one is a variable of its own."""

    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Constant:
    """A symbol or a number."""

    value: Value
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Functor:
    """An operation on values: `+ - * / %` (two numbers), `neg` (one), `min max` (numbers), `cat` (symbols),
    `to_string` (a number). Numbers have 32 bits and wrap around, `/` truncates toward zero, the result of `%`
    has the sign of its left operand."""

    op: str
    arguments: tuple[Term, ...]
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Aggregate:
    """`count`, `sum`, `min` or `max` over the matches of `body`; `target` is None for `count`.

    What is aggregated over, as in Soufflé: the distinct valuations of the aggregate's variables, each `_`
    being one (`count : { p(_, _) }` counts the tuples of `p`); with several positive atoms the checker allows
    no `_` in `count` and `sum`. A variable of `target` is always the aggregate's own; any other that is bound
    outside has its value from there. `min` and `max` over nothing have no value, so the literal they stand in
    fails.
    """

    op: str
    target: Term | None
    body: tuple[BodyLiteral, ...]
    position: Position = field(compare=False, repr=False)


Term: TypeAlias = Variable | Wildcard | Constant | Functor | Aggregate

# Literals ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Atom:
    """A relation with an argument for each of its columns."""

    relation: str
    arguments: tuple[Term, ...]
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Negation:
    """`!atom`: no tuple matches; a `_` inside stands for any value."""

    atom: Atom
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Comparison:
    """`left op right` with `op` one of `= != < <= > >=`."""

    op: str
    left: Term
    right: Term
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Truth:
    """The literals `true` and `false`."""

    value: bool
    position: Position = field(compare=False, repr=False)


BodyLiteral: TypeAlias = Atom | Negation | Comparison | Truth

# Statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Type:
    """`.type name <: parent`; `base` is what it comes down to."""

    name: str
    parent: str
    base: Base
    doc: str
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Column:
    """A column of a relation: its name, its type, and the base type below that."""

    name: str
    type: str
    base: Base
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Annotation:
    """A line `@name text` at the end of a comment, for tools; `text` goes on up to the next such line."""

    name: str
    text: str
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Relation:
    """A declared relation; `doc` is the comment directly above its `.decl`, or the one after it. One that `is_own` is
    for its file alone."""

    name: str
    columns: tuple[Column, ...]
    doc: str
    is_input: bool
    is_output: bool
    position: Position = field(compare=False, repr=False)
    is_own: bool = False

    @property
    def arity(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @cached_property
    def bases(self) -> tuple[Base, ...]:
        """The base type of each column."""
        return tuple(c.base for c in self.columns)

    @property
    def signature(self) -> str:
        """`name(column: type, ...)`."""
        return f"{self.name}({', '.join(f'{c.name}: {c.type}' for c in self.columns)})"

    @property
    def documentation(self) -> str:
        """What `doc` says to people: all up to the first annotation, a line that starts with `@` and a name."""
        mark = _ANNOTATION.search(self.doc)
        return self.doc[: mark.start()].rstrip() if mark else self.doc

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        """The annotations in the `//` comment above the declaration, in order, but for `@own`, which
        the reader takes care of."""
        if not _ANNOTATION.search(self.doc):
            return ()
        source = self.position.source
        row = source.text.count("\n", 0, source.text.rfind(".decl", 0, self.position.offset))
        lines = source.text.split("\n")
        first = row
        while first > 0 and _COMMENT_LINE.fullmatch(lines[first - 1]):
            first -= 1
        found: list[Annotation] = []
        start = sum(len(line) + 1 for line in lines[:first])
        for line in lines[first:row]:
            comment = _COMMENT_LINE.fullmatch(line)
            assert comment is not None
            at, end = (start + i for i in comment.span("text"))
            if mark := _ANNOTATION.match(comment["text"]):
                text = comment["text"][mark.end() :]
                found.append(Annotation(mark["name"], text, Position(source, at, end)))
            elif found and comment["text"]:
                last = found[-1]
                text = f"{last.text} {comment['text']}".strip()
                found[-1] = Annotation(last.name, text, Position(source, last.position.offset, end))
            start += len(line) + 1
        return tuple(each for each in found if each.name != "own")


@dataclass(frozen=True)
class Fact:
    """A tuple stated in the program itself."""

    relation: str
    values: Tuple
    doc: str
    position: Position = field(compare=False, repr=False)


Seen: TypeAlias = "tuple[str, tuple[tuple[int, Value], ...], tuple[tuple[int, str], ...]]"
"""What is seen of an atom: its relation, and the constants and variables in it, each after its column."""

Outline: TypeAlias = (
    "tuple[frozenset[str], tuple[Seen, ...], tuple[Seen, ...], tuple[Aggregate, ...], tuple[tuple[str, Value], ...]]"
)
"""What is seen of a body: the relations that have to have tuples, its atoms, those that are negated, the aggregates
in it and in the heads of its rule, and the variables that are constants, by conditions such as `x = "a"`."""


@dataclass(frozen=True)
class Rule:
    """Every head holds wherever one of the alternatives does; `doc` is the comment directly above."""

    heads: tuple[Atom, ...]
    alternatives: tuple[tuple[BodyLiteral, ...], ...]
    doc: str
    position: Position = field(compare=False, repr=False)

    @cached_property
    def fact(self) -> Fact | None:
        """The tuple that it states, if it states one with no condition. It is kept with the rule."""
        head = self.heads[0]
        if self.alternatives != ((),) or not all(isinstance(each, Constant) for each in head.arguments):
            return None
        values = tuple(each.value for each in head.arguments if isinstance(each, Constant))
        return Fact(head.relation, values, self.doc, self.position)

    @cached_property
    def read(self) -> tuple[str, ...]:
        """The relations that it reads, each once. They are kept with the rule, which may be in many programs."""
        return tuple(dict.fromkeys(_relations_read(self)))

    @cached_property
    def denied(self) -> frozenset[str]:
        """The relations that it reads through a negation or an aggregate. They are kept with the rule."""
        return frozenset([name for name, negative, _ in body_relations(self) if negative])

    @cached_property
    def outlines(self) -> tuple[Outline, ...]:
        """What is seen of each alternative. It is kept with the rule."""
        of_heads = tuple(aggregates([term for head in self.heads for term in head.arguments]))
        return tuple([outline_of(body, of_heads) for body in self.alternatives])


Clause: TypeAlias = "tuple[tuple[int, int, int], Atom, tuple[BodyLiteral, ...], frozenset[str], Rule]"
"""One head and one alternative of a rule: the numbers of the rule, of the head and of the alternative; the head, the
body, the relations that have to have tuples for it to hold, and the rule."""


OfStratum: TypeAlias = "tuple[tuple[BodyLiteral, ...], Outline, tuple[Atom, ...]]"
"""A body, its outline, and the heads of its rule."""


@dataclass(frozen=True)
class Directive:
    """`.input` or `.output`, with its parameters (`IO`, `filename`, `delimiter`, ...) as written."""

    kind: Literal["input", "output"]
    relations: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    position: Position = field(compare=False, repr=False)


@dataclass(frozen=True)
class Segment:
    """A stretch of a file between includes; `text` has its comments and preprocessor lines blanked out."""

    position: Position
    text: str


@dataclass(frozen=True)
class SetApart:
    """A place where the name of a relation stands in a text, `old`, that the program calls `new`."""

    position: Position
    old: str
    new: str


@dataclass(frozen=True)
class Program:
    """A program that has been read and checked.

    `sources` are the files in the order they were met; `segments` the stretches of them that make up the
    program, in the order in which an include preprocessor would string them together. `strata` lists the
    relations in an order in which they can be computed: a stratum is a set of mutually recursive relations.
    `added` are those of `sources` that files added to the program (`load`'s `extra`) are and bring with them.
    `set_apart` are the places where relations that are a file's own have another name in the program than in the
    text, since other files declare relations of that name.
    """

    sources: tuple[SourceText, ...]
    segments: tuple[Segment, ...]
    types: Mapping[str, Type]
    relations: Mapping[str, Relation]
    rules: tuple[Rule, ...]
    facts: tuple[Fact, ...]
    directives: tuple[Directive, ...]
    strata: tuple[frozenset[str], ...] = ()
    added: tuple[SourceText, ...] = ()
    set_apart: tuple[SetApart, ...] = ()

    @cached_property
    def inputs(self) -> tuple[Relation, ...]:
        """The relations whose tuples come from facts."""
        return tuple(r for r in self.relations.values() if r.is_input)

    @cached_property
    def outputs(self) -> tuple[Relation, ...]:
        """The relations whose tuples are asked for."""
        return tuple(r for r in self.relations.values() if r.is_output)

    @cached_property
    def rules_of(self) -> Mapping[str, tuple[Rule, ...]]:
        """The rules that derive each relation."""
        out: dict[str, list[Rule]] = {name: [] for name in self.relations}
        for rule in self.rules:
            for name in dict.fromkeys([head.relation for head in rule.heads]):
                out[name].append(rule)
        return {name: tuple(rules) for name, rules in out.items()}

    @cached_property
    def facts_of(self) -> Mapping[str, tuple[Fact, ...]]:
        """The facts of each relation that has any."""
        out: dict[str, list[Fact]] = {}
        for fact in self.facts:
            out.setdefault(fact.relation, []).append(fact)
        return {name: tuple(facts) for name, facts in out.items()}

    @cached_property
    def bodies(self) -> tuple[tuple[frozenset[str], tuple[OfStratum, ...], bool], ...]:
        """The strata that have rules, in their order: the bodies of these, and whether they are recursive."""
        out = []
        for stratum in self.strata:
            rules = [rule for name in sorted(stratum) for rule in self.rules_of[name]]
            if rules:
                bodies = [
                    (body, outline, rule.heads)
                    for rule in rules
                    for body, outline in zip(rule.alternatives, rule.outlines, strict=True)
                ]
                out.append((stratum, tuple(bodies), self.is_recursive(stratum)))
        return tuple(out)

    @cached_property
    def clauses_of(self) -> Mapping[str, tuple[Clause, ...]]:
        """The clauses that derive each relation."""
        out: dict[str, list[Clause]] = {name: [] for name in self.relations}
        for i, rule in enumerate(self.rules):
            for j, head in enumerate(rule.heads):
                for k, (body, outline) in enumerate(zip(rule.alternatives, rule.outlines, strict=True)):
                    out[head.relation].append(((i, j, k), head, body, outline[0], rule))
        return {name: tuple(clauses) for name, clauses in out.items()}

    @cached_property
    def added_clauses(self) -> tuple[tuple[Rule, ...], tuple[Fact, ...]]:
        """The rules and the facts of `added` files."""
        added = {id(source) for source in self.added}
        return (
            tuple([rule for rule in self.rules if id(rule.position.source) in added]),
            tuple([fact for fact in self.facts if id(fact.position.source) in added]),
        )

    @cached_property
    def dependencies(self) -> networkx.DiGraph[str]:
        """The dependency graph: an edge from each relation to every relation it is derived from.

        An edge has `negative` set where the dependency goes through a negation or an aggregate.
        """
        import networkx

        graph: networkx.DiGraph[str] = networkx.DiGraph()
        graph.add_nodes_from(self.relations)
        edges: dict[tuple[str, str], bool] = {}
        for rule in self.rules:
            for head in rule.heads:
                for name in rule.read:
                    edge = head.relation, name
                    edges[edge] = edges.get(edge, False) or name in rule.denied
        graph.add_edges_from([(head, name, {"negative": negative}) for (head, name), negative in edges.items()])
        return graph

    def needed_for(self, relations: Iterable[str]) -> frozenset[str]:
        """The given relations and all that they are derived from, directly or not."""
        given = frozenset(relations)
        known = self._needed.get(given)
        if known is None:
            seen: set[str] = set()
            work = list(given)
            while work:
                name = work.pop()
                if name not in seen:
                    seen.add(name)
                    work += self._read_by[name]
            known = self._needed[given] = frozenset(seen)
        return known

    def with_some(
        self, rules: Sequence[Rule], read_by_rules: Mapping[str, Sequence[tuple[Rule, frozenset[str]]]]
    ) -> Program:
        """This program with some of its rules, and with the relations that each of them reads, by what it derives. What
        relations need is what they need in the whole program."""
        made = replace(self, rules=tuple(rules))
        vars(made).update(
            read_by_rules={name: tuple(read) for name, read in read_by_rules.items()},
            rules_of={name: tuple([rule for rule, _ in read]) for name, read in read_by_rules.items()},
            _read_by=self._read_by, _needed=self._needed,
        )  # fmt: skip
        return made

    def is_recursive(self, stratum: frozenset[str]) -> bool:
        """Whether a relation of `stratum` is derived from one of it."""
        return any(not self._read_by[name].isdisjoint(stratum) for name in stratum)

    @cached_property
    def recursive(self) -> frozenset[str]:
        """The relations that are derived from themselves."""
        return frozenset().union(*[stratum for stratum in self.strata if self.is_recursive(stratum)])

    def read_by(self, relation: str) -> frozenset[str]:
        """The relations that the rules of `relation` read."""
        return self._read_by[relation]

    @cached_property
    def _needed(self) -> dict[frozenset[str], frozenset[str]]:
        return {}

    @cached_property
    def _read_by(self) -> Mapping[str, frozenset[str]]:
        """The relations that the rules of each relation read."""
        return {name: frozenset().union(*(read for _, read in rules)) for name, rules in self.read_by_rules.items()}

    @cached_property
    def read_by_rules(self) -> Mapping[str, tuple[tuple[Rule, frozenset[str]], ...]]:
        """The rules that derive each relation, each with the relations that it reads."""
        out: dict[str, list[tuple[Rule, frozenset[str]]]] = {name: [] for name in self.relations}
        for rule in self.rules:
            read = frozenset(rule.read)
            for name in dict.fromkeys([head.relation for head in rule.heads]):
                out[name].append((rule, read))
        return {name: tuple(rules) for name, rules in out.items()}


def outline_of(body: tuple[BodyLiteral, ...], of_heads: tuple[Aggregate, ...] = ()) -> Outline:
    """What is seen of `body`; `of_heads` are the aggregates in heads of its rule."""
    atoms = [literal for literal in body if isinstance(literal, Atom)]
    equal = dict(_equal(body))
    negated = tuple([_seen(literal.atom, equal) for literal in body if isinstance(literal, Negation)])
    inside = [aggregate for literal in body for aggregate in aggregates(literal_terms(literal))]
    relations = frozenset([atom.relation for atom in atoms])
    seen = tuple([_seen(atom, equal) for atom in atoms])
    return relations, seen, negated, (*inside, *of_heads), tuple(equal.items())


def _equal(body: Iterable[BodyLiteral]) -> Iterator[tuple[str, Value]]:
    """The variables that are constants by conditions of `body`, each with a constant."""
    for literal in body:
        if isinstance(literal, Comparison) and literal.op == "=":
            for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
                if isinstance(one, Variable) and isinstance(other, Constant):
                    yield one.name, other.value


def _seen(atom: Atom, equal: Mapping[str, Value]) -> Seen:
    constants: list[tuple[int, Value]] = []
    variables: list[tuple[int, str]] = []
    for i, each in enumerate(atom.arguments):
        if isinstance(each, Constant):
            constants.append((i, each.value))
        elif isinstance(each, Variable):
            if each.name in equal:
                constants.append((i, equal[each.name]))
            else:
                variables.append((i, each.name))
    return atom.relation, tuple(constants), tuple(variables)


# Walking ----------------------------------------------------------------------------------------------------


def _relations_read(rule: Rule) -> Iterator[str]:
    """The names that `body_relations` gives: most literals are atoms of variables and constants."""
    for head in rule.heads:
        yield from (name for name, _, _ in _read(head.arguments))
    for literals in rule.alternatives:
        for literal in literals:
            atom = literal.atom if isinstance(literal, Negation) else literal
            if isinstance(atom, Atom) and not any(isinstance(a, Aggregate | Functor) for a in atom.arguments):
                yield atom.relation
            else:
                yield from (name for name, _, _ in _literal_relations(literal, False))


def body_relations(rule: Rule) -> Iterator[tuple[str, bool, Position]]:
    """The relations that the body of `rule` (and an aggregate in its head) reads: name, whether through a
    negation or an aggregate, and where."""
    for head in rule.heads:
        yield from _read(head.arguments)
    for literals in rule.alternatives:
        for literal in literals:
            yield from _literal_relations(literal, False)


def _literal_relations(literal: BodyLiteral, negative: bool) -> Iterator[tuple[str, bool, Position]]:
    if isinstance(literal, Atom):
        yield literal.relation, negative, literal.position
        yield from _read(literal.arguments)
    elif isinstance(literal, Negation):
        yield literal.atom.relation, True, literal.position
        yield from _read(literal.atom.arguments)
    elif isinstance(literal, Comparison):
        yield from _read((literal.left, literal.right))


def _read(terms: Iterable[Term]) -> Iterator[tuple[str, bool, Position]]:
    for aggregate in aggregates(terms):
        for literal in aggregate.body:
            yield from _literal_relations(literal, True)


def literal_terms(literal: BodyLiteral) -> tuple[Term, ...]:
    """The terms that stand directly in a literal."""
    if isinstance(literal, Atom):
        return literal.arguments
    if isinstance(literal, Negation):
        return literal.atom.arguments
    if isinstance(literal, Comparison):
        return (literal.left, literal.right)
    return ()


def aggregates(terms: Iterable[Term]) -> Iterator[Aggregate]:
    """The outermost aggregates in `terms`."""
    for term in terms:
        if isinstance(term, Aggregate):
            yield term
        elif isinstance(term, Functor):
            yield from aggregates(term.arguments)


def argument_names(atom: Atom) -> set[str]:
    """The names of the variables that are arguments of `atom` themselves, and not only in a term."""
    return {argument.name for argument in atom.arguments if isinstance(argument, Variable)}


def variables(term: Term) -> Iterator[Variable]:
    """The variables in a term, aggregates left out: their variables have a scope of their own."""
    if isinstance(term, Variable):
        yield term
    elif isinstance(term, Functor):
        for argument in term.arguments:
            yield from variables(argument)
