"""The reader: Datalog text to statements, through the grammar `datalog.lark`.

A program is read the way Soufflé reads it: the preprocessor's part first (`#include "file"`, `#ifndef`,
`#ifdef`, `#define NAME`, `#undef`, `#else`, `#endif`; no macros with a value), then the language. What is
outside the portable part of either is refused by name.
"""

from __future__ import annotations

import gc
import itertools
import os
import pickle
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache as memoize
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from dealog.diagnostics import DealogError, Diagnostic, SourceText
from dealog.engine import cache
from dealog.engine.program import (
    Aggregate,
    Atom,
    BodyLiteral,
    Comparison,
    Constant,
    Directive,
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

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

    Node = Tree[Token]

_MAX_INCLUDE_DEPTH = 200
_MAX_ALTERNATIVES = 4096


def read(files: Sequence[Path], include_dirs: Sequence[Path] = ()) -> Program:
    """Read and check the program made of `files`, one after the other.

    Raises:
        DealogError: a file cannot be read, or the program is invalid or not portable; it has all the faults
            that could be found.
    """
    scanner = _Scanner(include_dirs)
    for path in files:
        scanner.file(path, None)
    return _finish(scanner)


def read_text(text: str, name: str, include_dirs: Sequence[Path] = ()) -> Program:
    """Like `read`, for a text at hand; `name` stands for it in messages."""
    scanner = _Scanner(include_dirs)
    scanner.text(SourceText(name, text), Path(), None)
    return _finish(scanner)


def _finish(scanner: _Scanner) -> Program:
    parts = [_version()]
    for source in scanner.sources.values():
        parts += [source.name, source.text]
    for segment in scanner.segments:
        parts += [segment.position.file, str(segment.position.offset), segment.text]
    entry = f"program-{cache.key(parts)}"
    if (stored := cache.read(entry)) is not None and (program := _unpickle(stored)) is not None:
        return program
    from dealog.engine.check import check

    program = check(_parse(scanner))
    cache.write(entry, pickle.dumps(program, protocol=pickle.HIGHEST_PROTOCOL))
    return program


def _unpickle(data: bytes) -> Program | None:
    collecting = gc.isenabled()
    gc.disable()  # tens of thousands of small objects, none of them garbage
    try:
        program = pickle.loads(data)
    except Exception:  # whatever is wrong with an entry, the text is still there
        return None
    finally:
        if collecting:
            gc.enable()
    return program if isinstance(program, Program) else None


@memoize
def _version() -> str:
    """Stands for the code that reads programs, so that nothing cached outlives a change of it."""
    folder = resources.files("dealog.engine")
    names = ("datalog.lark", "reader.py", "statements.py", "program.py", "scope.py", "check.py")
    return cache.key(folder.joinpath(name).read_text("utf-8") for name in names)


# The preprocessor -------------------------------------------------------------------------------------------

_LEXEME = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|"(?:\\.|[^"\\\n])*\""""
    r"""|^(?P<directive>[ \t]*\#(?:\\\r?\n|[^\n])*)""",
    re.MULTILINE | re.DOTALL,
)
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(?P<word>\w*)[ \t]*(?P<rest>.*?)[ \t\r]*\Z", re.DOTALL)
_TRAILING_COMMENT = re.compile(r"//.*|/\*.*?\*/", re.DOTALL)
_MACRO = re.compile(r"(\w+)(\(.*|[ \t]+\S.*)?\Z", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n]+")


@dataclass
class _Condition:
    """An open `#ifdef` or `#ifndef`."""

    position: Position
    active: bool
    parent_active: bool


class _Scanner:
    """Follows includes and conditionals; collects the segments that make up the program, and the comments."""

    def __init__(self, include_dirs: Sequence[Path]) -> None:
        self.include_dirs = include_dirs
        self.sources: dict[str, SourceText] = {}
        self.segments: list[Segment] = []
        self.comments: dict[str, dict[int, _Comment]] = {}
        self.defined: dict[str, Position] = {}
        self.depth = 0

    def file(self, path: Path, included_at: Position | None) -> None:
        real = os.path.realpath(path)
        source = self.sources.get(real)
        if source is None:
            try:
                text = path.read_text("utf-8")
            except UnicodeDecodeError as fault:
                raise DealogError(f"{path}: this is not UTF-8 text (byte {fault.start})") from None
            except OSError as fault:
                message = f"cannot read {path}: {fault.strerror}"
                raise DealogError(
                    included_at.error(message) if included_at else Diagnostic(message)
                ) from None
            source = SourceText(str(path), text)
            self.sources[real] = source
        self.text(source, path.parent, included_at)

    def text(self, source: SourceText, folder: Path, included_at: Position | None) -> None:
        if self.depth > _MAX_INCLUDE_DEPTH:
            assert included_at is not None
            raise DealogError(
                included_at.error(
                    "files include each other without end",
                    hint="guard each file with #ifndef NAME / #define NAME / ... / #endif",
                )
            )
        if not any(source is known for known in self.sources.values()):
            self.sources[source.name] = source
        self.depth += 1
        comments = self.comments.setdefault(source.name, {})
        conditions: list[_Condition] = []
        pieces: list[str] = []
        text, done, begin = source.text, 0, 0

        def keep(until: int) -> None:
            stretch = text[done:until]
            active = not conditions or conditions[-1].active
            pieces.append(stretch if active else _blank(stretch))

        def cut(until: int) -> None:
            blanked = "".join(pieces)
            pieces.clear()
            if blanked.strip():
                self.segments.append(Segment(Position(source, begin, until), blanked))

        for match in _LEXEME.finditer(text):
            start, end = match.span()
            if match["comment"] is not None:
                keep(start)
                comment = _Comment(source, start, end)
                if text.startswith("/*", start) and not text.endswith("*/", start + 2, end):
                    raise DealogError(Position(source, start, end).error("this comment is never closed"))
                comments[comment.last_line] = comment
            elif match["directive"] is not None:
                keep(start)
                place = Position(source, start + len(match[0]) - len(match[0].lstrip()), end)
                included = self.directive(place, match[0], conditions, folder)
                if included is not None:
                    cut(start)
                    self.file(included, place)
                    begin = start
            else:
                continue
            pieces.append(_blank(text[start:end]))
            done = end
        keep(len(text))
        cut(len(text))
        self.depth -= 1
        if conditions:
            raise DealogError(conditions[-1].position.error("this condition has no #endif"))

    def directive(
        self, place: Position, line: str, conditions: list[_Condition], folder: Path
    ) -> Path | None:
        """Carry out one preprocessor line; the file to include, if it is that."""
        parsed = _DIRECTIVE.match(line)
        assert parsed is not None
        word, rest = parsed["word"], parsed["rest"]
        if word != "include":  # whose file name may well look like a comment
            rest = _TRAILING_COMMENT.sub(" ", rest).strip()
        active = not conditions or conditions[-1].active
        if word in ("ifdef", "ifndef"):
            if not re.fullmatch(r"\w+", rest):
                raise DealogError(place.error(f"#{word} takes one name"))
            holds = (rest in self.defined) == (word == "ifdef")
            conditions.append(_Condition(place, active and holds, active))
        elif word in ("else", "endif"):
            if not conditions:
                raise DealogError(place.error(f"#{word} without #ifdef or #ifndef"))
            if word == "endif":
                conditions.pop()
            else:
                conditions[-1].active = conditions[-1].parent_active and not conditions[-1].active
        elif not active:
            pass
        elif word == "define":
            macro = _MACRO.match(rest)
            if macro is None or macro[2]:
                hint = "state it as a relation with one fact, or write it out"
                raise DealogError(place.error("macros with a value are not portable", hint=hint))
            self.defined[macro[1]] = place
        elif word == "undef":
            self.defined.pop(rest, None)
        elif word == "include":
            return self.included(place, rest, folder)
        elif word not in ("", "line"):
            hint = "there are #include, #ifdef, #ifndef, #else, #endif, #define and #undef"
            raise DealogError(place.error(f"#{word} is not portable", hint=hint))
        return None

    def included(self, place: Position, rest: str, folder: Path) -> Path:
        quoted = re.match(r'"([^"\n]+)"', rest)
        if quoted is None:
            raise DealogError(place.error('write #include "file"'))
        for place_to_look in (folder, *self.include_dirs):
            path = place_to_look / quoted[1]
            if path.is_file():
                return path
        looked = ", ".join(str(p) for p in (folder, *self.include_dirs))
        message = f'there is no file "{quoted[1]}" to include'
        raise DealogError(place.error(message, hint=f"looked in {looked}"))


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(lambda m: " " * len(m[0]), text)


class _Comment:
    """One comment and the lines that it stands on."""

    def __init__(self, source: SourceText, start: int, end: int) -> None:
        self.first_line = source.position(start)[0]
        self.last_line = source.position(end)[0]
        before = source.text[source.text.rfind("\n", 0, start) + 1 : start]
        self.alone = not before.strip()
        self.start = start
        self.raw = source.text[start:end]

    def lines(self) -> Iterator[str]:
        """The text, without comment signs and without lines that only draw."""
        raw = self.raw.removeprefix("/*").removesuffix("*/") if self.raw.startswith("/*") else self.raw
        for line in raw.split("\n"):
            line = line.strip()
            line = line.lstrip("/").removeprefix("!") if self.raw.startswith("//") else line.lstrip("*")
            line = line.strip()
            if not line or re.search(r"\w", line):
                yield line


# The language -----------------------------------------------------------------------------------------------


def _parse(scanner: _Scanner) -> Statements:
    statements = Statements(sources=list(scanner.sources.values()))
    faults: list[Diagnostic] = []
    for segment in scanner.segments:
        statements.segments.append(segment)
        builder = _Builder(segment.position, scanner.comments[segment.position.file], statements, faults)
        builder.run(segment.text)
        for name, macro in scanner.defined.items():
            if re.search(rf"\b{name}\b", segment.text):
                message = f"{name} is the name of a macro, and is used in the program"
                faults.append(macro.error(message, "give one of them another name"))
    if faults:
        raise DealogError(faults)
    return statements


@memoize
def _grammar() -> Lark:
    """The parser, from the cached tables if there are any."""
    import io

    import lark

    text = resources.files("dealog.engine").joinpath("datalog.lark").read_text("utf-8")
    entry = f"datalog-{cache.key([lark.__version__, text])}"
    if (stored := cache.read(entry)) is not None:
        try:
            return lark.Lark.load(io.BytesIO(stored))
        except Exception:  # an entry that lark cannot use is made again
            pass
    parser = lark.Lark(text, parser="lalr", propagate_positions=True, maybe_placeholders=True)
    out = io.BytesIO()
    parser.save(out)
    cache.write(entry, out.getvalue())
    return parser


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

# What stands where the grammar cannot go on: a pattern for the text there, what it is, what to do instead.
_REFUSED: tuple[tuple[str, str, str], ...] = (
    (r"\.(comp|init|override)\b", "components (.{0})", "write the relations out, one file for each subject"),
    (r"\.(functor)\b", "user-defined functors (.{0})", "there are cat, to_string, min, max and arithmetic"),
    (r"\.(lattice)\b", "lattices (.{0})", "use min or max aggregates"),
    (r"\.(plan|pragma)\b", ".{0}", "remove it: it does not change what the program means"),
    (r"\.(printsize|limitsize)\b", ".{0}", "use .output, or a count aggregate"),
    (r"\.(number_type|symbol_type)\b", ".{0}", "write .type Name <: number (or symbol)"),
    (r"\.(include|once)\b", ".{0}", 'write #include "file", and guard files with #ifndef / #define / #endif'),
    (r"choice-domain\b", "choice-domain", "derive all tuples, and choose with a min or max aggregate"),
    (r"(eqrel)\b", "{0} relations", "write the rules of an equivalence out"),
    (r"(inline|no_inline|magic|no_magic|brie|btree_delete|btree|overridable)\b", "{0}", "remove it"),
    (r"(input|output|printsize)\b", "{0} as a word of .decl", "write .{0} name on a line of its own"),
    (r"(b(?:and|or|xor|not|shl|shr|shru)|l(?:and|or|xor|not))\b", "the operator {0}", "use relations"),
    (r"\^", "the operator ^", "multiply"),
    (r"(as)\s*\(", "{0}(...)", "declare columns of a common parent type"),
    (r"(autoinc|recursive_iteration_cnt|debug_delta)\s*\(", "{0}(...)", "number things outside the program"),
    (r"\[", "records", "use one column for each field"),
    (r"\$", "algebraic data types and counters ($)", "use one relation for each case"),
    (r"@", "user-defined functors and annotations (@)", "use relations"),
    (r"\|", "union types and algebraic data types (|)", "use a common parent type: .type Name <: symbol"),
    (r"<>", "lattice columns (<>)", "use min or max aggregates"),
    (r"[0-9]+\.[0-9]", "floating-point numbers", "numbers are 32-bit integers"),
    (r"(?:0x[0-9a-fA-F]+|[0-9]+)u\b", "unsigned numbers", "numbers are signed 32-bit integers"),
)

_TOKEN_NAMES = {
    "IDENT": "a name", "STRING": "a string", "NUMBER": "a number", "WILDCARD": "_",
    "TRUTH": "true or false", "FUNCTOR": "a functor", "AGGREGATE": "an aggregate",
    "COMPARISON": "a comparison", "LPAR": "(", "RPAR": ")", "LBRACE": "{", "RBRACE": "}", "COMMA": ",",
    "DOT": ".", "SEMICOLON": ";", "COLON": ":", "BANG": "!", "__ANON_0": "<:", "__ANON_1": ":-",
    "$END": "the end", "PLUS": "+", "MINUS": "-", "STAR": "*", "SLASH": "/", "PERCENT": "%", "EQUAL": "=",
    "INPUT": ".input", "OUTPUT": ".output", "_TYPE": ".type", "_DECL": ".decl",
}  # fmt: skip

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

    def __init__(
        self, place: Position, comments: dict[int, _Comment], out: Statements, faults: list[Diagnostic]
    ) -> None:
        self.source, self.base = place.source, place.offset
        self.comments, self.out, self.faults = comments, out, faults

    def run(self, text: str) -> None:
        from lark.exceptions import UnexpectedInput

        try:
            tree = _grammar().parse(text)
            for statement in tree.children:
                assert not isinstance(statement, str)
                self.statement(statement)
        except UnexpectedInput as fault:
            self.faults.append(self.syntax_error(fault, text))
        except RecursionError:
            self.faults.append(Position(self.source, self.base, self.base).error("this is nested too deeply"))

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
                doc = self.doc(position, trailing=True)
                for token in children[0].children:
                    relation = RelationStatement(self.name(token), columns, doc, self.place(token))
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
            case "fact":
                self.out.rules.append(Rule((self.atom(children[0]),), ((),), self.doc(position), position))
            case "rule":
                heads = tuple(self.atom(h) for h in children[0].children)
                rule = Rule(heads, self.alternatives(children[1], position), self.doc(position), position)
                self.out.rules.append(rule)

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
        """The comment directly above, or else (where `trailing`) the one behind on the same line."""
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
            wanted = f"{least} argument{'s' * (least > 1)}" if most else f"at least {least} arguments"
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

    def syntax_error(self, fault: UnexpectedInput, text: str) -> Diagnostic:
        """Say what stands where the grammar could not go on: a construct known by name, or just its text."""
        from lark.exceptions import UnexpectedCharacters, UnexpectedToken

        at = fault.pos_in_stream
        ended = isinstance(fault, UnexpectedToken) and fault.token.type == "$END"
        if at is None or ended:
            at = len(text.rstrip())
        place = Position(self.source, self.base + at, self.base + at)
        word = re.search(r"[\w?]+\s*\Z", text[:at])
        for start in (at, word.start() if word else at):
            for pattern, what, hint in _REFUSED:
                match = re.compile(pattern).match(text, start)
                if match is not None and not text[match.end() : at].strip():
                    refused = Position(self.source, self.base + start, self.base + match.end())
                    name, hint = what.format(*match.groups()), hint.format(*match.groups())
                    return refused.error(f"{name}: not in the portable part of Datalog", hint)
        if ended:
            cut = self.base + len(text) < len(self.source.text)
            hint = "an include has to stand between statements" if cut else "is a full stop missing?"
            return place.error("the text ends inside a statement", hint)
        if text.startswith("<=", at) and re.search(r"\)\s*\Z", text[:at]):
            hint = "derive all tuples, and choose with a min or max aggregate"
            return place.error("subsumption (<= between heads): not in the portable part of Datalog", hint)
        if text[at] == "=" and re.search(r"\.type\s+\w+\s*\Z", text[:at]):
            hint = "write .type Name <: symbol (or number, or another type)"
            return place.error("a type defined with =: not in the portable part of Datalog", hint)
        if text[at] == '"':
            return place.error("this string does not end on its line", 'close it with ", or write \\n')
        expected: Iterable[str] = ()
        if isinstance(fault, UnexpectedToken):
            expected = fault.accepts or fault.expected
        elif isinstance(fault, UnexpectedCharacters):
            expected = fault.allowed or ()
        names = sorted({_TOKEN_NAMES.get(token, token) for token in expected})
        found = re.compile(r"[\w?]+|\S").match(text, at)
        shown = found[0] if found else text[at]
        return place.error(f"unexpected {shown}", f"expected {' or '.join(names)}" if names else None)
