"""Rules in the language of clingo: for each head and each alternative of a rule, the lines that clingo reads.

What a line is depends on the rule, and on a few questions about the facts. So lines are kept with their program for as
long as a process has it; and for programs that are cached themselves, in the user's cache folder. There are names for
texts in them, and no numbers: by which number clingo knows a text is another thing in each process.
"""

from __future__ import annotations

import pickle
import re
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from dealog import cache
from dealog.engine.multiplicity import FEW, Multiplicities, in_any_order
from dealog.engine.program import (
    Aggregate,
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Functor,
    Negation,
    Program,
    Term,
    Truth,
    Tuple,
    Variable,
    Wildcard,
    aggregates,
    argument_names,
    literal_terms,
    variables,
)
from dealog.engine.scope import Scope, clause_variables, grounded, is_materialized, positive_atoms, scopes

_OPERATORS = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "\\"}
_LEAST = -(2**31)
_CALLED = ("cat", "to_string")
"""The functors that clingo does not have."""

_MOST = 8
"""How many translations of one alternative are kept."""

_PROTOCOL = 5

_TEXT = re.compile(r"\$([0-9]+)\$")

Pattern = tuple[tuple[str, str], ...]
"""How a text is put together: from pieces that are ("text", TEXT), or ("symbol", "") and ("number", ""): arguments."""

Body = tuple[BodyLiteral, ...]
Place = tuple[int, int, int]
"""Where an alternative stands in a program: the number of the rule, of its head, and of the alternative."""
Line = tuple[str | None, str, tuple[str, int] | None]
"""A line for clingo, after the part of a join that it defines, which is defined once in a run, and before the part that
is all that it reads, with the number of its arguments."""
Choices = dict[tuple[str, tuple[int, ...]], int]
"""What a translation found of the facts: see `Translator.alike`."""


@dataclass
class Translations:
    """What was translated of a program: the lines of each alternative, with long joins done step by step or not, for
    what was found of the facts; the texts that they name, what is called to have texts put together, and the names of
    the parts of long joins, each by what it is of which body."""

    lines: dict[tuple[Place, bool], list[tuple[Choices, list[Line]]]] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    calls: dict[Pattern, str] = field(default_factory=dict)
    joins: dict[tuple[str, str], str] = field(default_factory=dict)
    kept_as: str = ""  # in the cache folder
    grown: bool = False


_TRANSLATIONS: dict[int, Translations] = {}
"""The translations of each program that is in use, by its identity: a process solves the same ones many times."""


def translations(program: Program) -> Translations:
    """What was translated of `program` before, for as long as it is in use."""
    known = _TRANSLATIONS.get(id(program))
    if known is None:
        known = _TRANSLATIONS[id(program)] = Translations()
        weakref.finalize(program, _TRANSLATIONS.pop, id(program), None)
    return known


def keep_translations(program: Program, name: str) -> None:
    """Keep what is translated of `program`, which has not been solved yet, under a name that stands for it."""
    kept_as = f"lines-{cache.key([cache.key_of_files([__file__]), name])}"
    known = translations(program)
    stored = cache.kept_bytes(kept_as)
    if stored is not None:
        with suppress(Exception):
            known.lines, known.texts, known.calls, known.joins = pickle.loads(stored)
    known.kept_as = kept_as


def name_of(relation: str) -> str:
    """What clingo knows a relation by: in every run the same. The grounder keeps every term that it has met for as long
    as the process lasts, and finds it again where it has the same name, and the same number for a text."""
    return "r_" + relation.replace("?", "'")


class Translator:
    """Translates a program for a run over `facts`, in which the bodies in `possible` may hold; with `step_by_step`,
    long joins are done in several steps where that may be less work."""

    def __init__(
        self,
        program: Program,
        facts: Mapping[str, Sequence[Tuple]],
        step_by_step: bool,
        possible: Collection[int] | None = None,
    ) -> None:
        self.program, self.step_by_step = program, step_by_step
        self.known = translations(program)
        self.choices: Choices = {}  # of the translation at hand
        self.multiplicities = Multiplicities(program, facts, possible)
        self._patterns: Mapping[str, Pattern] = {}

    def lines(self, place: Place, head: Atom, body: Body) -> list[Line]:
        """The lines for `head` and `body`, which stand at `place`."""
        known = self.known.lines.setdefault((place, self.step_by_step), [])
        for choices, lines in known:
            if all(self.multiplicities.of(*asked) == answer for asked, answer in choices.items()):
                return lines
        self.choices = {}
        lines = list(Clause(self, head, body).lines())
        if len(known) < _MOST:
            known.append((self.choices, lines))
            self.known.grown = True
        return lines

    def keep(self) -> None:
        """Keep what is new, where it is to be kept."""
        known = self.known
        if known.grown and known.kept_as:
            cache.keep_bytes(
                known.kept_as, pickle.dumps((known.lines, known.texts, known.calls, known.joins), _PROTOCOL)
            )
        known.grown = False

    @property
    def texts(self) -> Collection[str]:
        """The texts that lines name."""
        return self.known.texts

    @property
    def patterns(self) -> Mapping[str, Pattern]:
        """What clingo calls to have texts put together, and how they are."""
        if len(self._patterns) < len(self.known.calls):
            self._patterns = {name: pattern for pattern, name in self.known.calls.items()}
        return self._patterns

    def with_numbers(self, text: str, numbers: Sequence[int]) -> str:
        """`text` with numbers in the place of names of texts: those that stand for `texts`, in their order."""
        written = list(map(str, numbers))
        return _TEXT.sub(lambda match: written[int(match[1])], text)

    def text(self, text: str) -> str:
        """The name of a text."""
        texts = self.known.texts
        return f"${texts.setdefault(text, len(texts))}$"

    def call(self, pattern: Pattern) -> str:
        """What clingo calls to have a text put together."""
        return self.known.calls.setdefault(pattern, f"text{len(self.known.calls)}")

    def join(self, kept: str, body: str) -> tuple[str, str]:
        """A name for the part of a long join that has `kept` of `body`, and the atom that stands for it."""
        joins = self.known.joins
        name = joins.setdefault((kept, body), f"j{len(joins) + 1}")
        return name, f"{name}({kept})" if kept else name

    def alike(self, relation: str, columns: tuple[int, ...]) -> int:
        """How many tuples of `relation` have the same values in `columns`; it is remembered what was asked."""
        answer = self.choices[relation, columns] = self.multiplicities.of(relation, columns)
        return answer


def _names(terms: Iterable[Term]) -> set[str]:
    """The variables in terms."""
    return {variable.name for term in terms for variable in variables(term)}


def _divisions(term: Term) -> Iterator[Functor]:
    """The divisions in a term."""
    if isinstance(term, Functor):
        if term.op in ("/", "%"):
            yield term
        for argument in term.arguments:
            yield from _divisions(argument)


def _may_be(term: Term, value: int) -> bool:
    return not isinstance(term, Constant) or term.value == value


def _binding(atoms: Sequence[Atom], names: Collection[str]) -> list[Atom] | None:
    """Few of `atoms` that bind the variables `names`, if these are among their arguments."""
    missing, found = set(names), []
    for atom in sorted(atoms, key=lambda atom: not argument_names(atom) >= missing):
        if argument_names(atom) & missing:
            found.append(atom)
            missing -= argument_names(atom)
    return None if missing else found


def _anything(names: Iterable[str], place: Atom) -> Atom:
    """An atom of no relation that has the variables `names`."""
    return Atom("", tuple(Variable(name, place.position) for name in names), place.position)


def _showing(atom: Atom, names: Collection[str]) -> Atom:
    """`atom` with `_` in place of all but the variables `names`, and constants."""
    arguments = [
        x if isinstance(x, Constant) or (isinstance(x, Variable) and x.name in names) else Wildcard(x.position)
        for x in atom.arguments
    ]
    return Atom(atom.relation, tuple(arguments), atom.position)


def _calls_back(term: Term) -> bool:
    return isinstance(term, Functor) and (term.op in _CALLED or any(map(_calls_back, term.arguments)))


def _pieces(term: Functor) -> Iterator[tuple[tuple[str, str], Term | None]]:
    """What a text is put together from: the pieces of the pattern, each with the argument that it stands for."""
    for argument in term.arguments:
        if term.op == "to_string":
            yield ("number", ""), argument
        elif isinstance(argument, Constant):
            yield ("text", str(argument.value)), None
        elif isinstance(argument, Functor) and argument.op in _CALLED:
            yield from _pieces(argument)
        else:
            yield ("symbol", ""), argument


class Clause:
    """One head and one alternative of a rule, in clingo's language."""

    def __init__(self, to: Translator, head: Atom, body: Collection[BodyLiteral]) -> None:
        self.to, self.head, self.body = to, head, body
        self.scopes = scopes((head,), body)
        self.variables: dict[str, str] = {}
        self.count = self.wildcards = 0
        self.hoisted: list[str] = []
        self.results: list[tuple[str, Scope]] = []  # of the aggregates that are hoisted

    def lines(self) -> Iterator[Line]:
        """The lines that clingo reads."""
        if any(isinstance(literal, Truth) and not literal.value for literal in self.body):
            return
        literals = [x for x in self.body if not isinstance(x, Truth)]
        if self.is_long_join(literals):
            yield from self.joins(literals)
            return
        body = [self.literal(x) for x in literals]
        yield from self.computed_once(positive_atoms(literals))
        if len(body) > 1 and self.head_calls_back():
            yield from self.called_last(", ".join((*body, *self.hoisted)))
            return
        head = self.atom(self.head)
        yield None, f"{head} :- {', '.join((*body, *self.hoisted))}." if body or self.hoisted else f"{head}.", None

    def head_calls_back(self) -> bool:
        """Whether what clingo does not have is computed for each tuple of the head, and nothing is aggregated there."""
        terms = self.head.arguments
        return any(_calls_back(term) for term in terms) and not any(True for _ in aggregates(terms))

    def called_last(self, body: str) -> Iterator[Line]:
        """The head of what `body` has, in two steps: the grounder would call back before it looks at all conditions."""
        kept = ",".join(sorted(self.variable(name) for name in _names(self.head.arguments)))
        name, met = self.to.join(kept, body)
        yield name, f"{met} :- {body}.", None
        yield None, f"{self.atom(self.head)} :- {met}.", (name, kept.count(",") + 1 if kept else 0)

    def is_long_join(self, literals: Collection[BodyLiteral]) -> bool:
        """Whether the body joins more than two relations, is made of plain atoms and conditions, and is to be done step
        by step."""
        if not self.to.step_by_step:
            return False
        atoms = [x for x in literals if isinstance(x, Atom)]
        terms = [t for x in literals for t in literal_terms(x)] + list(self.head.arguments)
        return (
            len(atoms) > 2
            and not any(isinstance(t, Functor) for atom in atoms for t in atom.arguments)
            and not any(True for _ in aggregates(terms))
            and not any(True for term in terms for _ in _divisions(term))
        )

    def joins(self, literals: Sequence[BodyLiteral]) -> Iterator[Line]:
        """The body as a chain of joins, in the order in which the rule is written: of as many atoms at a time as can be
        joined in any order.

        The grounder's own order goes by the sizes of relations alone, and it may enumerate pairs that no later
        condition needs.
        """
        names = {id(x): _names(literal_terms(x)) for x in literals}
        head_names = _names(self.head.arguments)
        atoms = [x for x in literals if isinstance(x, Atom)]
        conditions = [x for x in literals if not isinstance(x, Atom)]
        first = atoms.pop(0)
        joined, body, bound = [first], [self.literal(first)], set(names[id(first)])
        while atoms:
            atom = next((a for a in atoms if names[id(a)] & bound), atoms[0])
            if len(joined) > 1 and not in_any_order([*joined, atom], self.to.alike):
                wanted = head_names.union(*(names[id(x)] for x in (*atoms, *conditions)))
                kept = sorted(bound & wanted)
                name, left = self.to.join(",".join(map(self.variable, kept)), ", ".join(body))
                yield name, f"{left} :- {', '.join(body)}.", None
                joined, body, bound = [_anything(kept, first)], [left], set(kept)
            atoms.remove(atom)
            joined.append(atom)
            bound |= names[id(atom)]
            ready = [c for c in conditions if not atoms or names[id(c)] <= bound]
            conditions = [c for c in conditions if c not in ready]
            body += map(self.literal, (atom, *ready))
        if self.head_calls_back():
            yield from self.called_last(", ".join(body))
        else:
            yield None, f"{self.atom(self.head)} :- {', '.join(body)}.", None

    def computed_once(self, atoms: Sequence[Atom]) -> Iterator[Line]:
        """What is hoisted, each in a rule of its own where `atoms` of the body are true in several ways for one result.

        The grounder would go through the elements of an aggregate again for each of these ways.
        """
        bound = _names(term for atom in atoms for term in atom.arguments)
        for number, (result, scope) in enumerate(self.results):
            if bound <= scope.injected:
                continue
            domain = _binding(atoms, scope.injected)
            if domain is None:
                continue
            several = [name for atom in domain for name in _names(atom.arguments)]
            shown = scope.injected | {name for name in several if several.count(name) > 1}
            body = ", ".join((*(self.atom(_showing(atom, shown)) for atom in domain), self.hoisted[number]))
            kept = ",".join((*sorted(self.variable(name) for name in scope.injected), result))
            name, self.hoisted[number] = self.to.join(kept, body)
            yield name, f"{self.hoisted[number]} :- {body}.", None

    def zero_checks(self) -> list[str] | None:
        """For each division, a body that holds where it has no result and all else is true.

        None where that cannot be said: a division inside an aggregate, or one that another depends on.
        """
        literals = [x for x in self.body if not isinstance(x, Truth)]
        plain = [x for x in literals if not any(True for t in literal_terms(x) for _ in _divisions(t))]
        bound = grounded(plain)
        divided = [t for x in literals for t in literal_terms(x)] + list(self.head.arguments)
        divisions = [division for term in divided for division in _divisions(term)]
        if not divisions or any(v.name not in bound for d in divisions for v in variables(d)):
            return None
        checks = []
        for division in divisions:
            self.hoisted, self.results = [], []
            body = [self.literal(x) for x in plain]
            _, divisor = self.divided(division)
            checks.append(", ".join((*body, f"{divisor} = 0", *self.hoisted)))
        return checks

    def fresh(self) -> str:
        """A variable that there is not yet."""
        self.count += 1
        return f"V{self.count}"

    def variable(self, name: str) -> str:
        """What clingo calls the variable `name`."""
        if name not in self.variables:
            self.variables[name] = self.fresh()
        return self.variables[name]

    def literal(self, literal: BodyLiteral) -> str:
        """`literal`, as clingo has it."""
        if isinstance(literal, Atom):
            return self.atom(self.spelled_out(literal) if self.is_enumerable(literal) else literal)
        if isinstance(literal, Negation):
            return f"not {self.atom(literal.atom)}"
        if isinstance(literal, Comparison):
            return f"{self.term(literal.left)} {literal.op} {self.term(literal.right)}"
        return "#true" if literal.value else "#false"

    def atom(self, atom: Atom) -> str:
        """`atom`, as clingo has it."""
        name = name_of(atom.relation)
        return f"{name}({','.join(self.term(a) for a in atom.arguments)})" if atom.arguments else name

    def term(self, term: Term) -> str:
        """`term`, as clingo has it. Aggregates in it are put into `hoisted`."""
        if isinstance(term, Variable):
            return self.variable(term.name)
        if isinstance(term, Wildcard):
            return "_"
        if isinstance(term, Constant):
            if isinstance(term.value, str):
                return self.to.text(term.value)
            return str(term.value) if term.value >= 0 else f"({term.value})"
        if isinstance(term, Aggregate):
            result = self.fresh()
            self.hoisted.append(self.aggregate(term, result))
            self.results.append((result, self.scopes[id(term)]))
            return result
        if term.op in _CALLED:
            return self.text(term)
        if term.op in ("/", "%"):
            dividend, divisor = self.divided(term)
            return f"({dividend}{_OPERATORS[term.op]}{divisor})"
        arguments = [self.term(a) for a in term.arguments]
        if term.op == "neg":
            return f"(-{arguments[0]})"
        if term.op in _OPERATORS:
            return f"({arguments[0]}{_OPERATORS[term.op]}{arguments[1]})"
        return f"@{term.op}({','.join(arguments)})"

    def divided(self, division: Functor) -> tuple[str, str]:
        """The dividend and the divisor. The latter is 0 where there is no result: clingo crashes where the least number
        is divided by -1."""
        dividend, divisor = map(self.term, division.arguments)
        if _may_be(division.arguments[0], _LEAST) and _may_be(division.arguments[1], -1):
            divisor = f"@divisor({dividend},{divisor})"
        return dividend, divisor

    def text(self, term: Functor) -> str:
        """A text that is put together: by one call, of however many functors it is made."""
        pieces = list(_pieces(term))
        pattern = tuple(piece for piece, _ in pieces)
        name = self.to.call(pattern)
        return f"@{name}({','.join(self.term(argument) for _, argument in pieces if argument is not None)})"

    def aggregate(self, aggregate: Aggregate, result: str) -> str:
        """The condition that `result` is the result of `aggregate`."""
        scope, outside = self.scopes[id(aggregate)], self.variables
        self.variables = {name: text for name, text in outside.items() if name not in scope.local}
        for name in scope.injected:
            outside[name] = self.variable(name)
        body: Iterable[BodyLiteral] = aggregate.body
        if not is_materialized(aggregate):  # then each `_` is a variable
            body = [self.spelled_out(x) if isinstance(x, Atom) else x for x in aggregate.body]
        condition = ", ".join(self.literal(x) for x in body) or "#true"
        named = dict.fromkeys(v.name for v in clause_variables((), body) if v.name not in scope.injected)
        counted = [self.variable(name) for name in named] or ["0"]
        target = self.term(aggregate.target) if aggregate.target is not None else None
        self.variables = outside
        if target is None:
            return f"{result} = #count {{ {','.join(counted)} : {condition} }}"
        if aggregate.op == "sum":
            return f"{result} = #sum {{ {','.join((target, *counted))} : {condition} }}"
        exists = f"{result} < #sup" if aggregate.op == "min" else f"{result} > #inf"
        return f"{result} = #{aggregate.op} {{ {target} : {condition} }}, {exists}"

    def is_enumerable(self, atom: Atom) -> bool:
        """Whether `_` in `atom` may as well be variables, as few tuples differ in nothing else.

        The grounder makes a relation of its own of what is left without the `_`, and that takes as long as a
        rule.
        """
        columns = tuple(i for i, a in enumerate(atom.arguments) if not isinstance(a, Wildcard))
        if not 0 < len(columns) < len(atom.arguments):
            return False
        if self.to.program.rules_of[atom.relation] and not self.to.step_by_step:
            return False
        return self.to.alike(atom.relation, columns) <= FEW

    def spelled_out(self, atom: Atom) -> Atom:
        """The atom with a variable of its own for each `_`."""
        arguments = []
        for argument in atom.arguments:
            if isinstance(argument, Wildcard):
                self.wildcards += 1
                argument = Variable(f"_ {self.wildcards}", argument.position)
            arguments.append(argument)
        return Atom(atom.relation, tuple(arguments), atom.position)
