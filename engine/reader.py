"""The reader: Datalog text to statements, through the grammar `datalog.lark`.

A program is read the way Soufflé reads it: the preprocessor's part first (see `preprocessor`), then the
language. What is outside the portable part of either is refused by name, and what cannot be read costs no more
than the statement that it stands in.
"""

from __future__ import annotations

import functools
import io
import itertools
import os
import pickle
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache as memoize
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from dealog import cache
from dealog.diagnostics import SourceText, plural
from dealog.engine.preprocessor import Scanner, comments, source_text
from dealog.engine.program import (
    Aggregate,
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Directive,
    Fact,
    Functor,
    Negation,
    Position,
    Program,
    Rule,
    Segment,
    Term,
    Truth,
    Variable,
    Wildcard,
)
from dealog.engine.statements import ColumnStatement, RelationStatement, Statements, TypeStatement
from dealog.engine.syntax_errors import declared, explain, pieces
from dealog.engine.version import version
from dealog.engine.visibility import called, set_apart

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Node = Tree[Token]

_MAX_ALTERNATIVES = 4096
_OWN = re.compile(r"\n?^@own$", re.MULTILINE)  # says that a relation is for its file alone
_WORD = re.compile(r"\w+")
Made = TypeVar("Made")
_KEPT = 1024  # segments whose statements are kept in mind within a run
_LONG = 1000  # characters of a segment that takes longer to read than its statements take to load


def read(
    files: Sequence[Path],
    include_dirs: Sequence[Path] = (),
    extra: Sequence[Path] = (),
    apart: Collection[str] = (),
    keep: bool = True,
) -> Program:
    """Read and check the program made of `files`, one after the other, and `extra` ones added to it. Relations that are
    a file's own are renamed if they are among the names `apart`. The program is cached, unless `keep` is false.

    Raises:
        DealogError: a file cannot be read, or the program is invalid or not portable; it has all the faults
            that could be found.
    """
    scanner = (_scanned if extra else _scan)(tuple(files), tuple(include_dirs))
    first = len(scanner.sources)
    for path in extra:
        if not scanner.knows(path):
            scanner.file(path, None)
    return _finish(scanner, list(scanner.sources.values())[first:], apart, keep)


_scanners: dict[tuple[tuple[Path, ...], tuple[Path, ...]], tuple[list[object], Scanner]] = {}
"""What was made of files that others were added to, by these files and the folders that they look in, with the
`_stamps` of all that were met."""


def _scanned(files: tuple[Path, ...], include_dirs: tuple[Path, ...]) -> Scanner:
    """A scanner that has taken in `files`. They are read again where one of those that were met has changed."""
    kept = _scanners.get((files, include_dirs))
    if kept is None or kept[0] != _stamps(kept[1]):
        scanner = _scan(files, include_dirs)
        kept = _scanners[files, include_dirs] = _stamps(scanner), scanner
    return kept[1].copy()


def _scan(files: tuple[Path, ...], include_dirs: tuple[Path, ...]) -> Scanner:
    """A scanner that has taken in `files`."""
    scanner = Scanner(include_dirs)
    for path in files:
        scanner.file(path, None)
    return scanner


def _stamps(scanner: Scanner) -> list[object]:
    """What changes when one of the files that `scanner` has met does."""
    found: list[object] = []
    for source in scanner.sources.values():
        with suppress(OSError):
            state = os.stat(source.name)
            found.append((state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
    return found


def read_text(text: str, name: str, include_dirs: Sequence[Path] = ()) -> Program:
    """Like `read`, for a text at hand; `name` stands for it in messages."""
    scanner = Scanner(include_dirs)
    scanner.text(source_text(name, text), Path(), None)
    return _finish(scanner)


def _finish(
    scanner: Scanner, added: Sequence[SourceText] = (), apart: Collection[str] = (), keep: bool = True
) -> Program:
    sources = list(scanner.sources.values())
    numbers = {id(source): number for number, source in enumerate(sources)}
    called_after = [called(source) for source in sources if "@own" in source.text]
    parts = [version(), str(len(added)), *sorted(apart), *called_after, *_stand_for(sources, scanner.segments)]
    base = _base(scanner, added) if added else ()
    from dealog.engine.check import check

    def make() -> Program:
        return check(_parse(scanner, added, apart))

    if scanner.faults or not keep:
        return make()
    name = f"program-{cache.key(parts)}"
    asked = name, *map(id, sources)
    program = _recent.get(asked)
    if program is None:
        program = cache.kept(
            name,
            make,
            lambda program: _pickle(program, numbers, _kept_clauses(base)),
            lambda data: _unpickle(data, sources, Program, lambda: _kept_clauses(base)),
        )
        if added:
            if len(_recent) >= _MOST_RECENT:
                del _recent[next(iter(_recent))]
            _recent[asked] = program
    return program


_MOST_RECENT = 2
_recent: dict[tuple[object, ...], Program] = {}
"""Programs to which files were added that were asked for last, by what they are made from: a process that has asked for
one does so again. They hold the source texts, so that nothing else has their identities."""


def _stand_for(sources: Sequence[SourceText], segments: Sequence[Segment]) -> Iterator[str]:
    """Texts that are the same where the `segments` of `sources` are."""
    numbers = {id(source): number for number, source in enumerate(sources)}
    yield from (source.text for source in sources)
    for segment in segments:
        yield from (str(numbers[id(segment.position.source)]), str(segment.position.offset), segment.text)


_PROTOCOL = 5  # of all versions of Python that there are: a wheel is for several


def _source(number: int) -> SourceText:
    """Stands in a pickle for what gives the source text with this number."""
    raise NotImplementedError(number)


def _clause(number: int) -> Rule | Fact:
    """Stands in a pickle for what gives the rule or fact with this number."""
    raise NotImplementedError(number)


def _pickle(made: object, numbers: dict[int, int], known: Sequence[Rule | Fact] = ()) -> bytes:
    """What was `made` of source texts as bytes, in which those are numbers: where the files are does not matter. So are
    the rules and facts that are `known` anyway."""
    by_identity = {id(clause): number for number, clause in enumerate(known)}

    def reduced(clause: Rule | Fact) -> Any:
        number = by_identity.get(id(clause))
        return clause.__reduce_ex__(_PROTOCOL) if number is None else (_clause, (number,))

    out = io.BytesIO()
    pickler = pickle.Pickler(out, protocol=_PROTOCOL)
    pickler.dispatch_table = {
        SourceText: lambda source: (_source, (numbers[id(source)],)), Rule: reduced, Fact: reduced
    }  # fmt: skip
    pickler.dump(made)
    return out.getvalue()


def _unpickle(
    data: bytes, sources: Sequence[SourceText], kind: type[Made], known: Callable[[], Sequence[Rule | Fact]] = list
) -> Made:
    """The reverse of `_pickle`; `known` gives the rules and facts that were known."""
    clauses = functools.cache(known)

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> object:
            if name == _clause.__name__:
                return clauses().__getitem__
            return sources.__getitem__ if name == _source.__name__ else super().find_class(module, name)

    made = Unpickler(io.BytesIO(data)).load()
    if not isinstance(made, kind):
        raise TypeError(f"the entry is not a {kind.__name__}")
    return made


# The language -----------------------------------------------------------------------------------------------


def _parse(scanner: Scanner, added: Sequence[SourceText], apart: Collection[str]) -> Statements:
    statements = Statements(sources=list(scanner.sources.values()), segments=list(scanner.segments), added=list(added))
    statements.faults += scanner.faults
    statements.incomplete = scanner.incomplete
    base = _base(scanner, added)
    of_base = _kept_statements(base) if added else map(_statements, base)
    for read in (*of_base, *map(_statements, scanner.segments[len(base) :])):
        statements.extend(read)
    for segment in scanner.segments:
        for name in scanner.defined.keys() & _words(segment.text):
            message = f"{name} is the name of a macro, and is used in the program"
            statements.faults.append(scanner.defined[name].error(message, "give one of them another name"))
    statements.set_apart = set_apart(statements, apart)
    return statements


@lru_cache(maxsize=_KEPT)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _base(scanner: Scanner, added: Sequence[SourceText]) -> tuple[Segment, ...]:
    """The segments of what files are `added` to."""
    are_added = {id(source) for source in added}
    return tuple(itertools.takewhile(lambda one: id(one.position.source) not in are_added, scanner.segments))


@lru_cache(maxsize=4)
def _kept_statements(segments: tuple[Segment, ...]) -> Sequence[Statements]:
    """The statements of what files are added to. Another time other files are added, so these are cached."""
    sources = list(dict.fromkeys(segment.position.source for segment in segments))
    numbers = {id(source): number for number, source in enumerate(sources)}
    found: Sequence[Statements] = cache.kept(
        f"statements-{cache.key([version(), *_stand_for(sources, segments)])}",
        lambda: [_statements(segment) for segment in segments],
        lambda made: _pickle(made, numbers),
        lambda data: _unpickle(data, sources, list),
    )
    return found


@lru_cache(maxsize=4)
def _kept_clauses(segments: tuple[Segment, ...]) -> Sequence[Rule | Fact]:
    """The rules and facts of what files are added to."""
    return [rule.fact or rule for read in _kept_statements(segments) for rule in read.rules] if segments else []


@lru_cache(maxsize=_KEPT)
def _statements(segment: Segment) -> Statements:
    """The statements of a segment. Those of long ones are cached: many programs have the same files in them."""
    source, offset = segment.position.source, segment.position.offset

    def make() -> Statements:
        statements = Statements()
        _Builder(source, offset, statements).run(segment.text)
        return statements

    if len(segment.text) < _LONG:
        return make()
    return cache.kept(
        f"segment-{cache.key([version(), str(offset), source.text[offset : offset + len(segment.text)]])}",
        make,
        lambda made: _pickle(made, {id(source): 0}),
        lambda data: _unpickle(data, [source], Statements),
        lambda made: not made.faults,
    )


@memoize
def _grammar() -> Lark:
    """The parser, from the cached tables if there are any."""
    import lark

    text = resources.files("dealog.engine").joinpath("datalog.lark").read_text("utf-8")

    def make() -> Lark:
        return lark.Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True)

    def dump(parser: Lark) -> bytes:
        out = io.BytesIO()
        parser.save(out)
        return out.getvalue()

    return cache.kept(
        f"datalog-{cache.key([lark.__version__, text])}", make, dump, lambda data: lark.Lark.load(io.BytesIO(data))
    )


# Words that are Soufflé's own; none of them can be the name of anything.
_FUNCTORS = frozenset(
    re.findall(
        r"\w+",
        "cat ord range strlen substr to_float to_number to_string to_unsigned count sum min max mean",
    )
)
_RESERVED = _FUNCTORS | frozenset(
    re.findall(
        r"\w+",
        "debug_delta autoinc band bor bxor bnot bshl bshr bshru land lor lxor lnot match contains stateful "
        "output input overridable printsize eqrel inline no_inline magic no_magic brie btree_delete btree as "
        "nil true false recursive_iteration_cnt",
    )
)
_PORTABLE_FUNCTORS = {"cat": (2, None), "min": (2, None), "max": (2, None), "to_string": (1, 1)}

_ESCAPES = {
    '"': '"', "'": "'", "\\": "\\",
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}  # fmt: skip


@dataclass(frozen=True)
class _And:
    parts: tuple[_Body, ...]


@dataclass(frozen=True)
class _Or:
    parts: tuple[_Body, ...]


_Body: TypeAlias = "BodyLiteral | _And | _Or"
_NEGATED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _negated(body: _Body) -> _Body:
    """The opposite, with every negation moved down to the literals."""
    if isinstance(body, _And):
        return _Or(tuple(_negated(p) for p in body.parts))
    if isinstance(body, _Or):
        return _And(tuple(_negated(p) for p in body.parts))
    if isinstance(body, Negation):
        return body.atom
    if isinstance(body, Comparison):
        return Comparison(_NEGATED[body.op], body.left, body.right, body.position)
    if isinstance(body, Truth):
        return Truth(not body.value, body.position)
    return Negation(body, body.position)


def _alternatives(body: _Body) -> Iterator[tuple[BodyLiteral, ...]]:
    """The disjunctive normal form."""
    if isinstance(body, _Or):
        for part in body.parts:
            yield from _alternatives(part)
    elif isinstance(body, _And):
        for choice in itertools.product(*(tuple(_alternatives(p)) for p in body.parts)):
            yield tuple(itertools.chain.from_iterable(choice))
    else:
        yield (body,)


def _alternative_count(body: _Body) -> int:
    if isinstance(body, _Or):
        return sum(_alternative_count(p) for p in body.parts)
    if isinstance(body, _And):
        count = 1
        for part in body.parts:
            count *= _alternative_count(part)
        return count
    return 1


class _Builder:
    """Turns the syntax tree of one segment into statements."""

    def __init__(self, source: SourceText, base: int, out: Statements) -> None:
        self.source, self.base = source, base
        self.comments, self.out, self.faults = comments(source), out, out.faults

    def run(self, text: str) -> None:
        """Take in the statements of `text`; one that cannot be read is a fault, and the next goes on."""
        from lark.exceptions import UnexpectedInput

        try:
            self.read(text)
        except UnexpectedInput as fault:
            before = len(self.faults)
            self.read_pieces(text)
            if len(self.faults) == before:
                self.faults.append(explain(fault, self.source, self.base, text))

    def read(self, text: str) -> None:
        try:
            tree = _grammar().parse(text)
            for statement in tree.children:
                assert not isinstance(statement, str)
                self.statement(statement)
        except RecursionError:
            self.faults.append(Position(self.source, self.base, self.base).error("this is nested too deeply"))

    def read_pieces(self, text: str) -> None:
        from lark.exceptions import UnexpectedInput

        faulty = False
        for begin, end in pieces(text):
            if faulty and text[begin:end].strip() == ".":
                continue  # the end of what could not be read
            statement = text[begin:end]
            try:
                _Builder(self.source, self.base + begin, self.out).read(statement)
                faulty = False
            except UnexpectedInput as fault:
                faulty = True
                self.out.unread.update(declared(statement))
                self.faults.append(explain(fault, self.source, self.base + begin, statement))

    # statements

    def statement(self, tree: Node) -> None:
        position = self.place(tree)
        children: list[Any] = tree.children
        match tree.data:
            case "type_decl":
                name, parent = self.name(children[0]), str(children[1])
                doc = self.doc(position, trailing=True)
                self.out.types.append(TypeStatement(name, parent, doc, position, self.place(children[1])))
            case "relation_decl":
                columns = tuple(self.column(c) for c in children[1].children if c is not None)
                comment = self.doc(position, trailing=True)
                doc = _OWN.sub("", comment)
                for token in children[0].children:
                    name, place = self.name(token), self.place(token)
                    relation = RelationStatement(name, columns, doc, place, doc != comment)
                    self.out.relations.append(relation)
            case "directive":
                kind: Any = children[0][1:]
                names = tuple(str(t) for t in children[1].children)
                given = [p.children for p in children[2].children if p is not None] if children[2] else []
                parameters = tuple(
                    (str(key), self.string(value) if value.type == "STRING" else str(value))
                    for key, value in given
                )
                self.out.directives.append(Directive(kind, names, parameters, position))
            case _:  # a fact or a rule; one that is not portable is not looked at any further
                before = len(self.faults)
                atoms = children[:1] if tree.data == "fact" else children[0].children
                heads = tuple(self.atom(h) for h in atoms)
                alternatives = self.alternatives(children[1], position) if tree.data == "rule" else ((),)
                if len(self.faults) == before:
                    self.out.rules.append(Rule(heads, alternatives, self.doc(position), position))

    def column(self, tree: Node) -> ColumnStatement:
        children: list[Any] = tree.children
        name, type_name = children
        return ColumnStatement(self.name(name), str(type_name), self.place(name), self.place(type_name))

    def name(self, token: Token) -> str:
        """A name that the program gives to something."""
        name = str(token)
        if name in _RESERVED:
            hint = f"take another name, such as {name}_ or the_{name}"
            self.faults.append(self.place(token).error(f"{name} is a reserved word of Soufflé", hint))
        return name

    def doc(self, position: Position, trailing: bool = False) -> str:
        """The comment directly above, or else (where `trailing`) the one after on the same line."""
        line = position.line - 1
        found: list[str] = []
        while (comment := self.comments.get(line)) is not None and comment.alone:
            found[:0] = comment.lines()
            line = comment.first_line - 1
        if not found and trailing:
            behind = self.comments.get(position.source.position(position.end)[0])
            if behind is not None and not behind.alone and behind.start >= position.end:
                found = list(behind.lines())
        return "\n".join(found).strip()

    # bodies

    def alternatives(self, tree: Node, position: Position) -> tuple[tuple[BodyLiteral, ...], ...]:
        body = self.body(tree)
        if _alternative_count(body) > _MAX_ALTERNATIVES:
            hint = "give some of the disjunctions a relation of their own"
            message = f"this body has more than {_MAX_ALTERNATIVES} alternatives"
            self.faults.append(position.error(message, hint))
            return ()
        return tuple(_alternatives(body))

    def body(self, tree: Node) -> _Body:
        position = self.place(tree)
        children: list[Any] = tree.children
        match tree.data:
            case "body":
                return _Or(tuple(self.body(c) for c in children))
            case "conjunction":
                return _And(tuple(self.body(c) for c in children))
            case "group":
                return self.body(children[0])
            case "negation":
                inner = self.body(children[0])
                return Negation(inner, position) if isinstance(inner, Atom) else _negated(inner)
            case "truth":
                return Truth(children[0] == "true", position)
            case "comparison":
                left, op, right = children
                return Comparison(str(op), self.term(left), self.term(right), position)
        return self.atom(tree)

    def atom(self, tree: Node) -> Atom:
        children: list[Any] = tree.children
        relation, arguments = children
        position = self.place(tree)
        if relation in ("match", "contains"):
            hint = "only comparisons of whole symbols are portable"
            self.faults.append(position.error(f"{relation}(...) is not portable", hint))
        return Atom(str(relation), self.terms(arguments), position)

    # terms

    def terms(self, tree: Node) -> tuple[Term, ...]:
        children: list[Any] = tree.children
        return tuple(self.term(c) for c in children if c is not None)

    def term(self, tree: Node) -> Term:
        position = self.place(tree)
        children: list[Any] = tree.children
        match tree.data:
            case "variable":
                return Variable(self.name(children[0]), position)
            case "wildcard":
                return Wildcard(position)
            case "string":
                return Constant(self.string(children[0]), position)
            case "number":
                return Constant(int(children[0], 0 if children[0][1:2] in ("x", "b") else 10), position)
            case "negative":
                value = self.term(children[1])
                if isinstance(value, Constant) and isinstance(value.value, int) and value.value > 0:
                    return Constant(-value.value, position)
                return Functor("neg", (value,), position)
            case "binary":
                return Functor(str(children[1]), (self.term(children[0]), self.term(children[2])), position)
            case "functor":
                arguments = children[1:] if children[0].type == "AGGREGATE" else children[1].children
                return self.functor(str(children[0]), tuple(self.term(a) for a in arguments if a), position)
        op, target, inner = children
        return self.aggregate(op, target, inner, position)

    def functor(self, name: str, arguments: tuple[Term, ...], position: Position) -> Term:
        least, most = _PORTABLE_FUNCTORS.get(name, (0, None))
        if name not in _PORTABLE_FUNCTORS:
            hint = "the functors that can be used are cat, to_string, min, max and arithmetic"
            self.faults.append(position.error(f"the functor {name} is not portable", hint))
        elif len(arguments) < least or (most is not None and len(arguments) > most):
            wanted = plural(least, "argument") if most else f"at least {least} arguments"
            self.faults.append(position.error(f"{name} takes {wanted}, not {len(arguments)}"))
        return Functor(name, arguments, position)

    def aggregate(self, op: Token, target: Node | None, inner: Node, position: Position) -> Term:
        name = str(op)
        if name == "mean":
            message, hint = "the aggregate mean is not portable", "numbers are integers: use sum and count"
            self.faults.append(position.error(message, hint))
        elif (target is None) != (name == "count"):
            wanted = "takes no expression" if name == "count" else "needs an expression before the colon"
            self.faults.append(position.error(f"{name} {wanted}"))
        bodies = self.alternatives(inner, position) if inner.data == "body" else ((self.atom(inner),),)
        if len(bodies) > 1:
            hint = "give the body a relation of its own"
            self.faults.append(position.error("a disjunction inside an aggregate is not portable", hint))
        return Aggregate(name, self.term(target) if target else None, bodies[0] if bodies else (), position)

    def string(self, token: Token) -> str:
        if "\\" not in token:
            return str(token[1:-1])
        out = []
        characters = enumerate(token[1:-1], 1)
        for at, character in characters:
            if character == "\\":
                _, escaped = next(characters)
                if escaped not in _ESCAPES:
                    place = self.place(token)
                    place = Position(place.source, place.offset + at, place.end)
                    self.faults.append(place.error(f"\\{escaped} is not an escape sequence of Soufflé"))
                character = _ESCAPES.get(escaped, escaped)
            out.append(character)
        return "".join(out)

    # places and faults

    def place(self, node: Node | Token) -> Position:
        if isinstance(node, str):
            return Position(self.source, self.base + (node.start_pos or 0), self.base + (node.end_pos or 0))
        if node.meta.empty:
            return Position(self.source, self.base, self.base)
        return Position(self.source, self.base + node.meta.start_pos, self.base + node.meta.end_pos)
