"""The embedded engine: the program on clingo's grounder.

A stratified program has no choices, so grounding alone computes it: every derived atom is a fact in the
domains of the grounder, from where the results are read; nothing is ever solved. Symbols travel as numbers
(types are checked before, so that a symbol never meets a number), which makes any text a symbol and keeps
tuples small. What goes through the C interface of clingo directly does so because it runs once for every
tuple.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from operator import itemgetter
from typing import Any

from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine.program import (
    Aggregate,
    Atom,
    Base,
    BodyLiteral,
    Comparison,
    Constant,
    Functor,
    Negation,
    Program,
    Rule,
    Term,
    Truth,
    Tuple,
    Variable,
    Wildcard,
    aggregates,
    literal_terms,
    variables,
)
from dealog.engine.scope import clause_variables, grounded, is_materialized, scopes
from dealog.engine.selection import select

_OPERATORS = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "\\"}
_CALLED = ("cat", "to_string")
"""The functors that clingo does not have."""

_FEW = 4
"""Where no more tuples than these differ in what `_` stands for, they are gone through one by one."""

_FEW_FACTS = 2_000
"""Among so many facts, long joins cost less than the rules that it takes to do them step by step."""

_FEW_OF_EACH = 500
"""Nor are they done step by step where no relation has more facts than these."""

_MANY = 50_000
"""From so many facts on, a run gets a process of its own."""

_NAMES: dict[str, str] = {}
"""What clingo knows relations by. The grounder keeps every term that it has met for as long as the process lasts, and
finds it again where it has the same name, and the same number for a text, in every run."""

Pattern = tuple[tuple[str, str], ...]
"""How a text is put together: from pieces that are ("text", TEXT), or ("symbol", "") and ("number", ""): arguments."""

_PATTERNS: dict[Pattern, str] = {}
"""What clingo calls to have texts put together."""

_PATTERN_OF: dict[str, Pattern] = {}
"""The pattern that each of these calls puts together."""

_JOINS: dict[tuple[str, str], str] = {}
"""What clingo knows the parts of long joins by: what is kept of which body."""

Body = tuple[BodyLiteral, ...]
Line = tuple[str | None, str]
"""A line for clingo, behind the part of a long join that it defines: that is defined once in a run."""
Choices = dict[tuple[str, tuple[int, ...]], bool]
"""What a translation found of the facts: see `_Run.differ_in_few`."""
Translations = dict[tuple[int, int, bool], list[tuple[Choices, list[Line]]]]
"""The lines for a head and a body of a program, by their identities, with long joins done step by step or not, for what
was found of the facts."""

_TRANSLATIONS: dict[int, Translations] = {}
"""What was translated of each program that is in use, by its identity: a process solves the same ones many times."""


class TimedOut(DealogError):
    """The time is over."""


def _out_of_memory() -> Diagnostic:
    hint = "give it more memory, or evaluate the rules with Soufflé, which takes less: --engine souffle"
    return Diagnostic("the embedded engine ran out of memory", hint=hint)


def solve(
    program: Program,
    facts: Mapping[str, Collection[Tuple]],
    outputs: Sequence[str],
    timeout: float | None = None,
) -> dict[str, list[Tuple]]:
    """Compute the relations `outputs`, and no more than they need; each comes sorted.

    The grounder cannot be stopped, and keeps what it has met for as long as its process lasts: with a `timeout`
    (seconds), and for many facts, it gets a process of its own.

    Raises:
        DealogError: division by zero, out of memory or time.
    """
    needed = program.needed_for(outputs)
    given = {name: tuples for name, tuples in facts.items() if name in needed}
    methods = multiprocessing.get_all_start_methods()
    many = sum(map(len, given.values())) >= _MANY and "fork" in methods  # elsewhere all would have to be copied
    if timeout is None and not many:
        return _without_collector(_Run(program, outputs).solve, given)
    context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sender, program, given, outputs), daemon=True)
    child.start()
    sender.close()
    try:
        if not receiver.poll(timeout):
            hint = "give it more time, or try the engine souffle"
            message = f"the embedded engine did not finish within {timeout:g} s"
            raise TimedOut(Diagnostic(message, hint=hint))
        result = receiver.recv()
    except EOFError:
        child.join()
        if (child.exitcode or 0) < 0:
            message = f"the embedded engine was ended by the signal {-child.exitcode}, as happens when memory runs out"
            raise DealogError(replace(_out_of_memory(), message=message)) from None
        raise DealogError(f"the embedded engine failed: exit code {child.exitcode}") from None
    finally:
        child.kill()
        child.join()
        receiver.close()
    if isinstance(result, tuple):
        raise DealogError(result)
    relations: dict[str, list[Tuple]] = result
    return relations


def _child(sender: Any, program: Program, facts: Mapping[str, Collection[Tuple]], outputs: Sequence[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # it is the parent that tells of an interruption
    result: object
    try:
        result = _without_collector(_Run(program, outputs).solve, facts)
    except DealogError as fault:
        result = fault.diagnostics
    sender.send(result)
    sender.close()
    os._exit(0)  # nothing else of the parent's is to be finished here


def _without_collector(
    run: Callable[[Mapping[str, Collection[Tuple]]], dict[str, list[Tuple]]],
    facts: Mapping[str, Collection[Tuple]],
) -> dict[str, list[Tuple]]:
    """Run with Python's cycle collector off: it would look at millions of new tuples again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        return run(facts)
    finally:
        if collecting:
            gc.enable()


class _Run:
    """One computation: the translation, the grounder."""

    def __init__(self, program: Program, outputs: Sequence[str]) -> None:
        self.program, self.outputs = program, list(dict.fromkeys(outputs))
        self.needed = program.needed_for(self.outputs)
        self.names = {name: _NAMES.setdefault(name, f"r{len(_NAMES)}") for name in program.relations}
        self.texts, self.encodings = _encodings()
        self.facts: dict[str, list[Tuple]] = {}
        self.multiples: dict[tuple[str, tuple[int, ...]], int] = {}
        self.lines: list[str] = []
        self.clauses: list[tuple[Rule, Atom, Body]] = []  # for each line
        self.joined: set[str] = set()  # the parts of long joins that are defined
        self.undefined: dict[int, None] = {}  # the lines in which a division had no result
        self.translations = _translations(program)
        self.choices: Choices = {}  # of the translation at hand
        self.step_by_step = True  # whether long joins are done by joins of two

    def intern(self, text: str) -> int:
        """The number that stands for a symbol."""
        return self.encodings["symbol"][text] - self.encodings["number"][0]

    def most_alike(self, relation: str, columns: tuple[int, ...]) -> int:
        """How many facts of `relation` have the same values in `columns`, at most."""
        known = self.multiples.get((relation, columns))
        if known is None:
            known = 1
            if len(columns) == 1 or all(self.most_alike(relation, (column,)) > 1 for column in columns):
                shown = list(map(itemgetter(*columns), self.facts.get(relation, ())))
                if len(set(shown)) < len(shown):
                    known = max(Counter(shown).values())
            self.multiples[relation, columns] = known
        return known

    # running

    def solve(self, facts: Mapping[str, Collection[Tuple]]) -> dict[str, list[Tuple]]:
        import clingo

        given: dict[str, list[Tuple]] = {}
        for fact in self.program.facts:
            if fact.relation in self.needed:
                given.setdefault(fact.relation, []).append(fact.values)
        for name in self.program.relations:
            if name in self.needed and facts.get(name):
                given[name] = [*given.get(name, ()), *facts[name]]
        self.facts, possible = select(self.program, self.needed, self.outputs, given)
        reached = self.reached(possible)
        sizes = [len(rows) for rows in self.facts.values()]
        self.step_by_step = sum(sizes) > _FEW_FACTS and max(sizes) > _FEW_OF_EACH
        for rule in self.program.rules:
            heads = [h for h in rule.heads if h.relation in reached]
            for head in heads:
                for body in rule.alternatives:
                    if id(body) not in possible:  # the grounder need not look at what cannot hold
                        continue
                    self.translate(rule, head, body)
        control = clingo.Control(["-Wno-atom-undefined"], self.log, 2**31 - 1)
        nobody: Any = _Nobody()
        control.register_observer(nobody, replace=True)
        try:
            self.add_facts(control)
            control.add("base", [], "\n".join(self.lines))
            control.ground([("base", [])], context=_Functions(self))
            self.check_divisions(control)
        except RuntimeError as fault:
            if "bad_alloc" in str(fault):
                raise DealogError(_out_of_memory()) from None
            raise DealogError(f"the embedded engine failed: {fault}") from None
        except MemoryError:
            raise DealogError(_out_of_memory()) from None
        return {name: self.read(control, name) for name in self.outputs}

    def reached(self, possible: Collection[int]) -> set[str]:
        """The outputs and what they are derived from, by rules with bodies among the `possible` ones: what only others
        read need not be derived."""
        reached: set[str] = set()
        work = list(self.outputs)
        while work:
            name = work.pop()
            if name not in reached:
                reached.add(name)
                for rule, read in self.program.read_by_rules[name]:
                    if any(id(body) in possible for body in rule.alternatives):
                        work += read
        return reached

    def translate(self, rule: Rule, head: Atom, body: Body) -> None:
        """Add the lines for `head` and `body`, one of the alternatives of `rule`."""
        known = self.translations.setdefault((id(head), id(body), self.step_by_step), [])
        lines = next((found for choices, found in known if self.are_right(choices)), None)
        if lines is None:
            self.choices = {}
            lines = list(_Clause(self, head, body).lines())
            known.append((self.choices, lines))
        for part, line in lines:
            if part is not None:
                if part in self.joined:
                    continue
                self.joined.add(part)
            self.lines.append(line)
            self.clauses.append((rule, head, body))

    def are_right(self, choices: Choices) -> bool:
        return all(self.differ_in_few(*asked) == answer for asked, answer in choices.items())

    def differ_in_few(self, relation: str, columns: tuple[int, ...]) -> bool:
        """Whether `relation` has facts alone, of which no more than a few have the same values in `columns`."""
        return relation in self.facts and self.most_alike(relation, columns) <= _FEW

    def log(self, code: Any, message: str) -> None:
        import clingo

        if code is clingo.MessageCode.OperationUndefined:
            place = message.split(":", 2)[1]  # "<block>:LINE:COLUMNS: info: ..."
            self.undefined[int(place) - 1] = None

    def check_divisions(self, control: Any) -> None:
        """Tell a division by zero, unless another condition of the rule fails for the same values.

        The grounder skips what has no result, in an order of its own: only after the fact is it asked whether
        anything other than the division would have held.
        """
        for line in list(self.undefined):
            rule, head, alternative = self.clauses[line]
            checks = _Clause(self, head, alternative).zero_checks()
            if checks is not None:
                part = f"check{line}"
                control.add(part, [], "\n".join(f"{part} :- {body}." for body in checks))
                control.ground([(part, [])], context=_Functions(self))
                if not any(True for _ in control.symbolic_atoms.by_signature(part, 0)):
                    continue
            raise DealogError(rule.position.error("division by zero"))

    def add_facts(self, control: Any) -> None:
        ffi, lib, check = _clingo()
        found = ffi.new("clingo_backend_t**")
        check(lib.clingo_control_backend(control._rep, found))
        backend = found[0]
        symbol, atom, null = ffi.new("clingo_symbol_t*"), ffi.new("clingo_atom_t*"), ffi.NULL
        create, add = lib.clingo_symbol_create_function, lib.clingo_backend_add_atom
        rule = lib.clingo_backend_rule
        check(lib.clingo_backend_begin(backend))
        for name, tuples in self.facts.items():
            relation = self.program.relations[name]
            arity = relation.arity
            encoded: list[int] = [0] * (len(tuples) * arity)
            for i, (base, column) in enumerate(zip(relation.bases, zip(*tuples, strict=True), strict=False)):
                encoded[i::arity] = map(self.encodings[base].__getitem__, column)
            arguments = ffi.new("clingo_symbol_t[]", encoded)
            c_name = ffi.new("char[]", self.names[name].encode())
            for at in range(0, len(encoded), arity) if arity else (0,):
                if not (
                    create(c_name, arguments + at, arity, True, symbol)
                    and add(backend, symbol, atom)
                    and rule(backend, False, atom, 1, null, 0)
                ):
                    check(False)
        check(lib.clingo_backend_end(backend))

    def read(self, control: Any, name: str) -> list[Tuple]:
        ffi, lib, check = _clingo()
        relation = self.program.relations[name]
        arity = relation.arity
        found = ffi.new("clingo_symbolic_atoms_t**")
        check(lib.clingo_control_symbolic_atoms(control._rep, found))
        atoms = found[0]
        signature = ffi.new("clingo_signature_t*")
        check(lib.clingo_signature_create(self.names[name].encode(), arity, True, signature))
        here, end = ffi.new("clingo_symbolic_atom_iterator_t*"), ffi.new("clingo_symbolic_atom_iterator_t*")
        check(lib.clingo_symbolic_atoms_begin(atoms, signature, here))
        check(lib.clingo_symbolic_atoms_end(atoms, end))
        at, stop = here[0], end[0]
        if not arity or at == stop:
            return [()] if at != stop else []
        symbol, arguments = ffi.new("clingo_symbol_t*"), ffi.new("clingo_symbol_t**")
        size = ffi.new("size_t*")
        symbol_of, arguments_of = lib.clingo_symbolic_atoms_symbol, lib.clingo_symbol_arguments
        step, unpack = lib.clingo_symbolic_atoms_next, ffi.unpack
        encoded: list[int] = []
        extend = encoded.extend
        while at != stop:
            symbol_of(atoms, at, symbol)
            arguments_of(symbol[0], arguments, size)
            extend(unpack(arguments[0], arity))
            step(atoms, at, here)
            at = here[0]
        columns = (self.decode(encoded[i::arity], base) for i, base in enumerate(relation.bases))
        return sorted(zip(*columns, strict=True))

    def decode(self, column: list[int], base: Base) -> list[Any]:
        """A column of clingo symbols as values."""
        tag = self.encodings["number"][0]
        if base == "number":
            return [((symbol - tag) ^ 0x80000000) - 0x80000000 for symbol in column]
        texts = self.texts
        return [texts[symbol - tag] for symbol in column]


def _clingo() -> tuple[Any, Any, Any]:
    """The C interface of clingo as its Python package binds it: cffi, the library, the check of a result."""
    internal: Any = import_module("clingo._internal")
    return internal._ffi, internal._lib, internal._handle_error


class _Numbers(dict[int, int]):
    """Numbers as clingo symbols: their 32 bits behind a tag. To know it saves a call for each value."""

    def __init__(self) -> None:
        import clingo

        self[0] = self.tag = int(clingo.Number(0)._rep)
        for value in (1, -1, 12345, -(2**31), 2**31 - 1):
            if int(clingo.Number(value)._rep) != self[value]:
                hint = "install clingo 5.7 or 5.8, or use the engine souffle"
                raise DealogError(Diagnostic(f"clingo {clingo.__version__} cannot be used", hint=hint))

    def __missing__(self, value: int) -> int:
        symbol = self[value] = self.tag + (value & 0xFFFFFFFF)
        return symbol


class _Texts(dict[str, int]):
    """Symbols as clingo symbols: the number of each of `texts`, in the order in which they were met."""

    def __init__(self, texts: list[str], numbers: _Numbers) -> None:
        self.texts, self.tag = texts, numbers.tag

    def __missing__(self, text: str) -> int:
        symbol = self[text] = self.tag + len(self.texts)
        self.texts.append(text)
        return symbol


@cache
def _encodings() -> tuple[list[str], Mapping[Base, dict[Any, int]]]:
    """The texts that stand behind numbers, and the clingo symbols that stand for the values of each type.

    Raises:
        DealogError: this clingo lays its symbols out in another way.
    """
    texts: list[str] = []
    numbers = _Numbers()
    return texts, {"number": numbers, "symbol": _Texts(texts, numbers)}


class _Nobody:
    """Stands where clingo's solver does, and takes note of nothing: an `Observer` would be called for every tuple."""


class _Functions:
    """What clingo calls back while it grounds: functors that it does not have."""

    def __init__(self, run: _Run) -> None:
        import clingo

        self.run = run
        self.symbol: Any = clingo.Symbol

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in _PATTERN_OF:
            raise AttributeError(name)
        function = self.putting_together(_PATTERN_OF[name])
        setattr(self, name, function)
        return function

    def putting_together(self, pattern: Pattern) -> Callable[..., Any]:
        """The function that puts texts of `pattern` together. It is called for each tuple, so it takes clingo's symbols
        as they are."""
        texts, numbers, symbol = self.run.texts, self.run.encodings["symbol"], self.symbol
        tag = self.run.encodings["number"][0]
        parts = [text for _, text in pattern]
        gaps = [(at, kind == "number") for at, (kind, _) in enumerate(pattern) if kind != "text"]

        def together(*arguments: Any) -> Any:
            for (at, is_number), argument in zip(gaps, arguments, strict=True):
                value = argument._rep - tag
                parts[at] = str((value ^ 0x80000000) - 0x80000000) if is_number else texts[value]
            return symbol(numbers["".join(parts)])

        return together

    def min(self, *arguments: Any) -> Any:
        return min(arguments)

    def max(self, *arguments: Any) -> Any:
        return max(arguments)


def _names(terms: Iterable[Term]) -> set[str]:
    """The variables in terms."""
    return {variable.name for term in terms for variable in variables(term)}


def _divisions(term: Term) -> Iterator[Term]:
    """The divisors in a term."""
    if isinstance(term, Functor):
        if term.op in ("/", "%"):
            yield term.arguments[1]
        for argument in term.arguments:
            yield from _divisions(argument)


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


def _translations(program: Program) -> Translations:
    """What was translated of `program` in this process, for as long as it is in use."""
    known = _TRANSLATIONS.get(id(program))
    if known is None:
        known = _TRANSLATIONS[id(program)] = {}
        weakref.finalize(program, _TRANSLATIONS.pop, id(program), None)
    return known


def _join(kept: str, body: str) -> tuple[str, str]:
    """A name for the part of a long join that has `kept` of `body`, and the atom that stands for it."""
    name = _JOINS.setdefault((kept, body), f"j{len(_JOINS) + 1}")
    return name, f"{name}({kept})" if kept else name


class _Clause:
    """One head and one alternative of a rule, in clingo's language."""

    def __init__(self, run: _Run, head: Atom, body: Collection[BodyLiteral]) -> None:
        self.run, self.head, self.body = run, head, body
        self.scopes = scopes((head,), body)
        self.variables: dict[str, str] = {}
        self.count = self.wildcards = 0
        self.hoisted: list[str] = []

    def lines(self) -> Iterator[Line]:
        if any(isinstance(literal, Truth) and not literal.value for literal in self.body):
            return
        literals = [x for x in self.body if not isinstance(x, Truth)]
        if self.is_long_join(literals):
            yield from self.joins(literals)
            return
        body = [self.literal(x) for x in literals]
        if len(body) > 1 and self.head_calls_back():
            yield from self.called_last(", ".join((*body, *self.hoisted)))
            return
        head = self.atom(self.head)
        yield None, f"{head} :- {', '.join((*body, *self.hoisted))}." if body or self.hoisted else f"{head}."

    def head_calls_back(self) -> bool:
        """Whether what clingo does not have is computed for each tuple of the head, and nothing is aggregated there."""
        terms = self.head.arguments
        return any(_calls_back(term) for term in terms) and not any(True for _ in aggregates(terms))

    def called_last(self, body: str) -> Iterator[Line]:
        """The head of what `body` has, in two steps: the grounder would call back before it looks at all conditions."""
        kept = ",".join(sorted(self.variable(name) for name in _names(self.head.arguments)))
        name, met = _join(kept, body)
        yield name, f"{met} :- {body}."
        yield None, f"{self.atom(self.head)} :- {met}."

    def is_long_join(self, literals: Collection[BodyLiteral]) -> bool:
        """Whether the body joins more than two relations, is made of plain atoms and conditions, and is to be done step
        by step."""
        if not self.run.step_by_step:
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
        """The body as a chain of joins of two, in the order in which the rule is written.

        The grounder's own order goes by the sizes that it knows when it starts, and with three relations and
        more it may enumerate pairs that no later condition needs.
        """
        names = {id(x): _names(literal_terms(x)) for x in literals}
        head_names = _names(self.head.arguments)
        atoms = [x for x in literals if isinstance(x, Atom)]
        conditions = [x for x in literals if not isinstance(x, Atom)]
        first = atoms.pop(0)
        left, bound = self.literal(first), set(names[id(first)])
        while atoms:
            atom = next((a for a in atoms if names[id(a)] & bound), atoms[0])
            atoms.remove(atom)
            bound |= names[id(atom)]
            ready = [c for c in conditions if not atoms or names[id(c)] <= bound]
            conditions = [c for c in conditions if c not in ready]
            body = ", ".join((left, self.literal(atom), *map(self.literal, ready)))
            if atoms:
                wanted = head_names.union(*(names[id(x)] for x in (*atoms, *conditions)))
                kept = ",".join(sorted(self.variable(n) for n in bound & wanted))
                name, left = _join(kept, body)
                yield name, f"{left} :- {body}."
            elif self.head_calls_back():
                yield from self.called_last(body)
            else:
                yield None, f"{self.atom(self.head)} :- {body}."

    def zero_checks(self) -> list[str] | None:
        """For each division, a body that holds where it would divide by zero and all else is true.

        None where that cannot be said: a division inside an aggregate, or one that another depends on.
        """
        literals = [x for x in self.body if not isinstance(x, Truth)]
        plain = [x for x in literals if not any(True for t in literal_terms(x) for _ in _divisions(t))]
        bound = grounded(plain)
        divided = [t for x in literals for t in literal_terms(x)] + list(self.head.arguments)
        divisors = [divisor for term in divided for divisor in _divisions(term)]
        if not divisors or any(v.name not in bound for d in divisors for v in variables(d)):
            return None
        checks = []
        for divisor in divisors:
            self.hoisted = []
            body = [self.literal(x) for x in plain]
            checks.append(", ".join((*body, f"{self.term(divisor)} = 0", *self.hoisted)))
        return checks

    def fresh(self) -> str:
        self.count += 1
        return f"V{self.count}"

    def variable(self, name: str) -> str:
        if name not in self.variables:
            self.variables[name] = self.fresh()
        return self.variables[name]

    def literal(self, literal: BodyLiteral) -> str:
        if isinstance(literal, Atom):
            return self.atom(self.spelled_out(literal) if self.is_enumerable(literal) else literal)
        if isinstance(literal, Negation):
            return f"not {self.atom(literal.atom)}"
        if isinstance(literal, Comparison):
            return f"{self.term(literal.left)} {literal.op} {self.term(literal.right)}"
        return "#true" if literal.value else "#false"

    def atom(self, atom: Atom) -> str:
        name = self.run.names[atom.relation]
        return f"{name}({','.join(self.term(a) for a in atom.arguments)})" if atom.arguments else name

    def term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self.variable(term.name)
        if isinstance(term, Wildcard):
            return "_"
        if isinstance(term, Constant):
            number = self.run.intern(term.value) if isinstance(term.value, str) else term.value
            return str(number) if number >= 0 else f"({number})"
        if isinstance(term, Aggregate):
            result = self.fresh()
            self.hoisted.append(self.aggregate(term, result))
            return result
        if term.op in _CALLED:
            return self.text(term)
        arguments = [self.term(a) for a in term.arguments]
        if term.op == "neg":
            return f"(-{arguments[0]})"
        if term.op in _OPERATORS:
            return f"({arguments[0]}{_OPERATORS[term.op]}{arguments[1]})"
        return f"@{term.op}({','.join(arguments)})"

    def text(self, term: Functor) -> str:
        """A text that is put together: by one call, of however many functors it is made."""
        pieces = list(_pieces(term))
        pattern = tuple(piece for piece, _ in pieces)
        name = _PATTERNS.setdefault(pattern, f"text{len(_PATTERNS)}")
        _PATTERN_OF[name] = pattern
        return f"@{name}({','.join(self.term(argument) for _, argument in pieces if argument is not None)})"

    def aggregate(self, aggregate: Aggregate, result: str) -> str:
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
        """Whether `_` in `atom` may as well be variables, as few facts differ in nothing else.

        The grounder makes a relation of its own of what is left without the `_`, and that takes as long as a
        rule.
        """
        columns = tuple(i for i, a in enumerate(atom.arguments) if not isinstance(a, Wildcard))
        if not 0 < len(columns) < len(atom.arguments) or self.run.program.rules_of[atom.relation]:
            return False
        few = self.run.choices[atom.relation, columns] = self.run.differ_in_few(atom.relation, columns)
        return few

    def spelled_out(self, atom: Atom) -> Atom:
        """The atom with a variable of its own for each `_`."""
        arguments = []
        for argument in atom.arguments:
            if isinstance(argument, Wildcard):
                self.wildcards += 1
                argument = Variable(f"_ {self.wildcards}", argument.position)
            arguments.append(argument)
        return Atom(atom.relation, tuple(arguments), atom.position)
