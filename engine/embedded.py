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
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from operator import itemgetter
from typing import Any

from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine.program import Atom, Base, Program, Rule, Tuple
from dealog.engine.selection import select
from dealog.engine.translation import Body, Clause, Line, Pattern, Translator, name_of

_FEW_FACTS = 2_000
"""Among this many facts, long joins cost less than the rules that it takes to do them step by step."""

_FEW_OF_EACH = 500
"""Nor are they done step by step where no relation has more facts than these."""

_AT_ONCE = 200
"""So many lines are ground together before it is asked which relations are empty."""

_FEW_WAITING = 15
"""More lines than these, which have nothing unless what others define has tuples, wait until that is known."""

_MANY = 50_000
"""From this many facts on, a run gets a process of its own."""

_ENOUGH = 4_000_000
"""Once the runs in this process have had this many facts (some 600 MiB are kept for them), each gets one of its own."""

_met = [0]
"""How many facts the runs in this process have had."""


Derivation = tuple[Rule, Atom, Body]
"""A rule, one of its heads, and one of its alternatives."""


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
    meanwhile: Callable[[], None] = lambda: None,
) -> dict[str, list[Tuple]]:
    """Compute the relations `outputs`, and no more than they need; each comes sorted.

    The grounder cannot be stopped, and keeps what it has met for as long as its process lasts: with a `timeout`
    (seconds), for many facts, and after many runs, it gets a process of its own. `meanwhile` is called before this one
    waits for that one, or when it has computed.

    Raises:
        DealogError: division by zero, out of memory or time. What `meanwhile` raises comes first.
    """
    needed = program.needed_for(outputs)
    given = {name: tuples for name, tuples in facts.items() if name in needed}
    methods = multiprocessing.get_all_start_methods()
    total = sum(map(len, given.values()))
    many = (total >= _MANY or _met[0] >= _ENOUGH) and "fork" in methods  # elsewhere all would have to be copied
    if timeout is None and not many:
        _met[0] += total
        try:
            computed = _without_collector(_Run(program, outputs).solve, given)
        except DealogError:
            meanwhile()
            raise
        meanwhile()
        return computed
    context: Any = multiprocessing.get_context("fork" if "fork" in methods else "spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sender, program, given, outputs), daemon=True)
    begun = time.monotonic()
    child.start()
    sender.close()
    try:
        meanwhile()
        left = None if timeout is None else max(0.0, timeout - (time.monotonic() - begun))
        if not receiver.poll(left):
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
    threading.Thread(target=_end_with_parent, daemon=True).start()
    result: object
    try:
        result = _without_collector(_Run(program, outputs).solve, facts)
    except DealogError as fault:
        result = fault.diagnostics
    sender.send(result)
    sender.close()
    os._exit(0)  # nothing else of the parent's is to be finished here


def _end_with_parent() -> None:
    """End this process when the one that waits for it ends, however that is: nobody else would, nor read the result."""
    parent: Any = multiprocessing.parent_process()
    parent.join()
    os._exit(1)


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
        self.texts, self.encodings = _encodings()
        self.facts: dict[str, list[Tuple]] = {}
        self.lines: list[str] = []
        self.ground_lines = 0  # how many of them are ground
        self.clauses: list[Derivation] = []  # for each line
        self.joined: set[str] = set()  # the parts of long joins that are defined
        self.undefined: dict[int, None] = {}  # the lines in which a division had no result
        self.exceeded = False  # the least number was divided by -1

    # running

    def solve(self, facts: Mapping[str, Collection[Tuple]]) -> dict[str, list[Tuple]]:
        import clingo

        given = self.stated()
        for name in self.program.relations:
            if name in self.needed and facts.get(name):
                given[name] = [*given.get(name, ()), *facts[name]]
        self.facts, possible = select(self.program, self.needed, self.outputs, given)
        reached = self.reached(possible)
        sizes = [len(rows) for rows in self.facts.values()]
        step_by_step = sum(sizes) > _FEW_FACTS and max(sizes) > _FEW_OF_EACH
        self.translator = Translator(self.program, self.facts, step_by_step, possible)
        control = clingo.Control(["-Wno-atom-undefined"], self.log, 2**31 - 1)
        nobody: Any = _Nobody()
        control.register_observer(nobody, replace=True)
        try:
            self.add_facts(control)
            self.ground(control, possible, reached)
            self.check_divisions(control)
        except RuntimeError as fault:
            if "bad_alloc" in str(fault):
                raise DealogError(_out_of_memory()) from None
            raise DealogError(f"the embedded engine failed: {fault}") from None
        except MemoryError:
            raise DealogError(_out_of_memory()) from None
        self.translator.keep()
        return {name: self.read(control, name) for name in self.outputs}

    def ground(self, control: Any, possible: Collection[int], reached: Collection[str]) -> None:
        """Ground the bodies of rules in `possible` that derive what is `reached`, a few hundred at a time, from the
        bottom up. What grounding takes on small programs goes by the number of rules, and of what is known to be empty
        by then no rule need be looked at."""
        there = {name for name, rows in self.facts.items() if rows}
        maybe: set[str] = set()  # relations that may have got tuples since it was asked last
        for stratum in self.program.strata:
            if stratum.isdisjoint(reached):
                continue
            clauses = [
                each
                for name in stratum
                if name in reached
                for each in self.program.clauses_of[name]
                if id(each[2]) in possible
            ]
            clauses.sort(key=itemgetter(0))  # as they stand in the program
            before = -1
            held: list[Any] = []
            while before != (before := len(held)):
                held = [each for each in clauses if each[3] <= there]
                there.update([head.relation for _, head, _, _, _ in held])
            waiting: list[tuple[tuple[str, int], Line, Derivation]] = []
            for place, head, body, _, rule in held:
                for line in self.translator.lines(place, head, body):
                    if line[2] is None:
                        self.add_line(line, (rule, head, body))
                    else:
                        waiting.append((line[2], line, (rule, head, body)))
            if len(waiting) > _FEW_WAITING and not self.program.is_recursive(stratum):
                self.ground_part(control)
                waiting = [each for each in waiting if self.has_atoms(control, *each[0])]
            for _, line, derivation in waiting:
                self.add_line(line, derivation)
            maybe.update([head.relation for _, head, _, _, _ in held])
            if len(self.lines) - self.ground_lines >= _AT_ONCE:
                self.ground_part(control)
                there -= {name for name in maybe if not self.has_tuples(control, name)}
                maybe.clear()
        self.ground_part(control)

    def ground_part(self, control: Any) -> None:
        """Ground the lines that have been added since this was done last."""
        part, lines = f"part{self.ground_lines}", self.lines[self.ground_lines :]
        control.add(part, [], self.with_numbers("\n".join(lines)))
        control.ground([(part, [])], context=_Functions(self))
        self.ground_lines = len(self.lines)

    def add_line(self, line: Line, derivation: Derivation) -> None:
        """Add a line that `derivation` takes, unless it defines a part of a join that is defined."""
        part, text, _ = line
        if part not in self.joined:
            if part is not None:
                self.joined.add(part)
            self.lines.append(text)
            self.clauses.append(derivation)

    def with_numbers(self, text: str) -> str:
        """`text` with the number of each text that it names."""
        numbers, tag = self.encodings["symbol"], self.encodings["number"][0]
        return self.translator.with_numbers(text, [numbers[each] - tag for each in self.translator.texts])

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

    def log(self, code: Any, message: str) -> None:
        import clingo

        if code is clingo.MessageCode.OperationUndefined:
            place = message.split(":", 2)[1]  # "<block>:LINE:COLUMNS: info: ..."
            self.undefined[self.ground_lines + int(place) - 1] = None

    def check_divisions(self, control: Any) -> None:
        """Tell a division without a result, unless another condition of the rule fails for the same values.

        The grounder skips what has no result, in an order of its own: only after the fact is it asked whether
        anything other than the division would have held.
        """
        for line in list(self.undefined):
            rule, head, alternative = self.clauses[line]
            checks = Clause(self.translator, head, alternative).zero_checks()
            if checks is not None:
                part = f"check{line}"
                control.add(part, [], self.with_numbers("\n".join(f"{part} :- {body}." for body in checks)))
                control.ground([(part, [])], context=_Functions(self))
                if not any(True for _ in control.symbolic_atoms.by_signature(part, 0)):
                    continue
            besides = ", or of -2147483648 by -1" if self.exceeded else ""
            raise DealogError(rule.position.error(f"division by zero{besides}"))

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
            c_name = ffi.new("char[]", name_of(name).encode())
            for at in range(0, len(encoded), arity) if arity else (0,):
                if not (
                    create(c_name, arguments + at, arity, True, symbol)
                    and add(backend, symbol, atom)
                    and rule(backend, False, atom, 1, null, 0)
                ):
                    check(False)
        check(lib.clingo_backend_end(backend))

    def has_tuples(self, control: Any, name: str) -> bool:
        """Whether a relation has tuples, as far as it is ground."""
        return self.has_atoms(control, name_of(name), self.program.relations[name].arity)

    def has_atoms(self, control: Any, name: str, arity: int) -> bool:
        """Whether what clingo knows by `name` has tuples, as far as it is ground."""
        return any(True for _ in control.symbolic_atoms.by_signature(name, arity))

    def stated(self) -> dict[str, list[Tuple]]:
        """The facts of the program itself that are needed."""
        found = self.program.facts_of
        return {name: [fact.values for fact in found[name]] for name in found if name in self.needed}

    def read(self, control: Any, name: str) -> list[Tuple]:
        ffi, lib, check = _clingo()
        relation = self.program.relations[name]
        arity = relation.arity
        found = ffi.new("clingo_symbolic_atoms_t**")
        check(lib.clingo_control_symbolic_atoms(control._rep, found))
        atoms = found[0]
        signature = ffi.new("clingo_signature_t*")
        check(lib.clingo_signature_create(name_of(name).encode(), arity, True, signature))
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
        self.zero: Any = clingo.Number(0)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        pattern = self.run.translator.patterns.get(name)
        if pattern is None:
            raise AttributeError(name)
        function = self.putting_together(pattern)
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

    def divisor(self, dividend: Any, divisor: Any) -> Any:
        """`divisor`, or 0 where it divides the least number into one that is too large."""
        if divisor.number != -1 or dividend.number != -(2**31):
            return divisor
        self.run.exceeded = True
        return self.zero

    def min(self, *arguments: Any) -> Any:
        return min(arguments)

    def max(self, *arguments: Any) -> Any:
        return max(arguments)
