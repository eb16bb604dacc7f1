"""Runs Datalog programs: a reader, a checker, and two engines that give one answer.

Nothing here knows of MLIR. A program is portable Datalog in Soufflé's syntax; see `Program` for what the
reader makes of it, and `solve` for running it::

    program = loads('''
        .decl edge(a: symbol, b: symbol)
        .input edge
        .decl path(a: symbol, b: symbol)
        .output path
        path(x, y) :- edge(x, y).
        path(x, z) :- path(x, y), edge(y, z).
    ''')
    solve(program, {"edge": [("a", "b"), ("b", "c")]})["path"]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Literal

from dealog.diagnostics import DealogError, Diagnostic, plural
from dealog.engine.program import (
    NUMBER_MAX,
    NUMBER_MIN,
    Aggregate,
    Atom,
    BodyLiteral,
    Column,
    Comparison,
    Constant,
    Directive,
    Fact,
    Functor,
    Negation,
    Position,
    Program,
    Relation,
    Rule,
    Segment,
    Term,
    Truth,
    Tuple,
    Type,
    Value,
    Variable,
    Wildcard,
)

Engine = Literal["auto", "souffle", "embedded"]

__all__ = [
    "Aggregate", "Atom", "BodyLiteral", "Column", "Comparison", "Constant", "Directive", "Engine", "Fact",
    "Functor", "Negation", "Position", "Program", "Relation", "Relations", "Rule", "Segment", "Term",
    "Truth", "Tuple", "Type", "Value", "Variable", "Wildcard", "load", "loads", "read_facts", "solve",
    "write_facts",
]  # fmt: skip


class Relations(Mapping[str, list[Tuple]]):
    """The result of a run: for each relation asked for its tuples, sorted, each once."""

    def __init__(self, tuples: Mapping[str, list[Tuple]]) -> None:
        self._tuples = dict(tuples)

    def __getitem__(self, relation: str) -> list[Tuple]:
        return self._tuples[relation]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tuples)

    def __len__(self) -> int:
        return len(self._tuples)

    def __repr__(self) -> str:
        return f"Relations({', '.join(f'{name}: {len(t)}' for name, t in self._tuples.items())})"


def load(
    path_or_paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    extra: Sequence[str | PathLike[str]] = (),
    include_dirs: Sequence[str | PathLike[str]] = (),
    apart: Collection[str] = (),
    keep: bool = True,
) -> Program:
    """Read and check the program in one file or several.

    Args:
        path_or_paths: the files that make up the program, in order.
        extra: further files after them, such as a user's own rules. The rest is taken to be valid without them.
        include_dirs: where `#include` looks after the folder of the including file.
        apart: names that are needed for something else: relations that have them and are a file's own are renamed.
        keep: whether it is cached; it is not where the caller does so.

    Raises:
        DealogError: a file cannot be read, or the program is invalid or not portable.
    """
    from dealog.engine.reader import read

    paths = [path_or_paths] if isinstance(path_or_paths, str | PathLike) else path_or_paths
    return read([Path(p) for p in paths], [Path(p) for p in include_dirs], [Path(p) for p in extra], apart, keep)


def loads(text: str, name: str = "<string>") -> Program:
    """Read and check the program in `text`, which messages call `name`.

    Raises:
        DealogError: the program is invalid or not portable.
    """
    from dealog.engine.reader import read_text

    return read_text(text, name)


_Whole = Callable[[], tuple[Program, Mapping[str, Iterable[Tuple]]]]

_LONGEST = 1e6  # seconds: no system call waits for longer than some weeks

PATIENCE = 3.0
"""Seconds that the engine `auto` gives the embedded one: on programs that take less, Soufflé mostly takes longer, as it
reads and plans the rules in every run; on those that take more, mostly not."""


def solve(
    program: Program,
    facts: Mapping[str, Iterable[Tuple]],
    *,
    engine: Engine = "auto",
    outputs: Collection[str] | None = None,
    compile: bool = False,
    timeout: float | None = None,
    whole: _Whole | None = None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Relations:
    """Run a program over facts.

    Args:
        program: as `load` gives it.
        facts: tuples for any declared relation; one that is not mentioned has only what the program says.
        engine: `souffle`, `embedded`, or `auto`: embedded, which is faster on most programs; what takes it more than
            `PATIENCE` seconds goes to Soufflé, where there is one that can be used.
        outputs: the relations wanted; by default those that the program marks with `.output`.
        compile: let Soufflé compile the program; the binary is kept in the user's cache folder.
        timeout: give up after this many seconds; more than some days are no limit.
        whole: gives the program that `program` is a compact form of (see `dealog.engine.compact`), and its facts.
            Soufflé gets these, where `auto` goes on to it, and so does the embedded engine where rules of the user go
            wrong: only the whole program has their places.
        meanwhile: is called before there is a result to give, while the embedded engine computes it in a process of its
            own where it has one, and again where that goes wrong. What it raises, each time, comes before what the run
            raises.

    Returns:
        The wanted relations, both engines alike: tuples of `str` for symbols and `int` for numbers, sorted.

    Raises:
        DealogError: facts that do not fit the declarations, an unknown output, a failing engine, a time-out.
    """
    if timeout is not None and timeout > _LONGEST:
        timeout = None
    given = checked_facts(program, facts)
    wanted = [r.name for r in program.outputs] if outputs is None else _checked_outputs(program, outputs)
    if not wanted:
        meanwhile()
        return Relations({})
    _check_engine(engine, compile)
    if engine != "embedded":
        from dealog.engine import souffle

        if engine == "souffle" or (compile and souffle.usable()):
            meanwhile()
            return Relations(souffle.solve(program, given, wanted, compile=compile, timeout=timeout))
        if (timeout is None or timeout > PATIENCE) and souffle.there():
            return _solve_by_either(program, given, wanted, timeout, whole, meanwhile)
    return _solve_embedded(program, given, wanted, timeout, whole, meanwhile)


def _check_engine(engine: str, compile: bool) -> None:
    if engine not in ("auto", "souffle", "embedded"):
        raise DealogError(Diagnostic(f"there is no engine {engine}", hint="auto, souffle or embedded"))
    if compile and engine == "embedded":
        raise DealogError(Diagnostic("the embedded engine cannot compile", hint="use the engine souffle"))


def _solve_by_either(
    program: Program,
    facts: Mapping[str, Collection[Tuple]],
    wanted: Sequence[str],
    timeout: float | None,
    whole: _Whole | None,
    meanwhile: Callable[[], None],
) -> Relations:
    """Have the embedded engine try for as long as `PATIENCE` says, and then Soufflé."""
    from dealog.engine import souffle
    from dealog.engine.embedded import TimedOut

    try:
        return _solve_embedded(program, facts, wanted, PATIENCE, whole, meanwhile)
    except TimedOut:
        meanwhile()  # which may be what ran out of time
    left = None if timeout is None else timeout - PATIENCE
    if not souffle.usable():
        return _solve_embedded(program, facts, wanted, left, whole)
    if whole is not None:
        program, all_facts = whole()
        facts = checked_facts(program, all_facts)
    return Relations(souffle.solve(program, facts, wanted, timeout=left))


def _solve_embedded(
    program: Program,
    facts: Mapping[str, Collection[Tuple]],
    wanted: Sequence[str],
    timeout: float | None,
    whole: _Whole | None,
    meanwhile: Callable[[], None] = lambda: None,
) -> Relations:
    from dealog.engine import embedded

    try:
        return Relations(embedded.solve(program, facts, wanted, timeout, meanwhile))
    except embedded.TimedOut:
        raise
    except DealogError:
        if whole is None or not program.added:
            raise
    meanwhile()  # which may be what went wrong
    program, all_facts = whole()
    return Relations(embedded.solve(program, checked_facts(program, all_facts), wanted, timeout))


def write_facts(
    program: Program, facts: Mapping[str, Iterable[Tuple]], directory: str | PathLike[str]
) -> None:
    """Write the facts file of every `.input` relation (an empty one where there is no tuple), so that
    `souffle -F directory program.dl` reads them.

    Raises:
        DealogError: facts that do not fit the declarations, or files that cannot be written.
    """
    from dealog.engine.factfiles import write_folder

    write_folder(program, checked_facts(program, facts), Path(directory))


def read_facts(program: Program, directory: str | PathLike[str]) -> dict[str, list[Tuple]]:
    """Read back what `write_facts` wrote, or what was written by hand: the tuples of every `.input` relation
    that has a file in `directory`.

    Raises:
        DealogError: a line that does not fit the declaration, with file and line.
    """
    from dealog.engine.factfiles import read_folder

    return read_folder(program, Path(directory))


def checked_facts(program: Program, facts: Mapping[str, Iterable[Tuple]]) -> dict[str, Collection[Tuple]]:
    """The facts, after a look at each tuple."""
    out: dict[str, Collection[Tuple]] = {}
    for name, tuples in facts.items():
        relation = program.relations.get(name)
        if relation is None:
            from dealog.engine.check import did_you_mean

            message = f"there are facts for {name}, which the program does not declare"
            raise DealogError(Diagnostic(message, hint=did_you_mean(name, program.relations)))
        given = tuples if isinstance(tuples, list | tuple | set | frozenset) else list(tuples)
        _check_tuples(relation, given)
        out[name] = given
    return out


def _check_tuples(relation: Relation, tuples: Collection[Tuple]) -> None:
    # whole columns at a time: this is passed by every tuple of every run
    arity = relation.arity
    lengths = set(map(len, tuples))
    if lengths - {arity}:
        wrong = next(t for t in tuples if len(t) != arity)
        _wrong_fact(relation, wrong, f"{plural(arity, 'column')} are declared")
    columns = zip(*tuples, strict=True)
    for i, (column, base, values) in enumerate(zip(relation.columns, relation.bases, columns, strict=False)):
        wanted: type = str if base == "symbol" else int
        if set(map(type, values)) - {wanted}:
            wrong = next(t for t in tuples if type(t[i]) is not wanted)
            _wrong_fact(relation, wrong, f"{column.name} is a {base}, {wanted.__name__} in Python")
        if base == "number" and (min(values) < NUMBER_MIN or max(values) > NUMBER_MAX):
            at = next(j for j, value in enumerate(values) if not NUMBER_MIN <= value <= NUMBER_MAX)
            _wrong_fact(relation, list(tuples)[at], f"{column.name} does not fit into 32 bits")


def _wrong_fact(relation: Relation, values: Tuple, why: str) -> None:
    note = relation.position.note(f"declared as {relation.signature}")
    raise DealogError(Diagnostic(f"the fact {relation.name}{values!r} is wrong: {why}", notes=(note,)))


def _checked_outputs(program: Program, outputs: Collection[str]) -> list[str]:
    for name in outputs:
        if name not in program.relations:
            from dealog.engine.check import did_you_mean

            message = f"the program does not declare the relation {name}, which is asked for"
            raise DealogError(Diagnostic(message, hint=did_you_mean(name, program.relations)))
    return list(dict.fromkeys(outputs))
