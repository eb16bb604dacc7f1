"""The checks of syntax files that users add: each mistake with its place, before the grammar is merged.

lark reports what is wrong with the merged text. What concerns a single file, or the names and
operations that files share, is found here, where the places are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import PurePath

from dealog.diagnostics import DealogError, Diagnostic, SourceText, plural
from dealog.frontend import lexer

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*)"""
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"i?)"""
    r"""|(?P<regexp>/(?:\\.|[^/\\\n])+/[imslux]*)"""
    r"""|(?P<statement>%[a-z]+)"""
    r"""|(?P<name>(?<![\w$])[!?]*_?[A-Za-z]\w*)"""
    r"""|(?P<end>\n(?![ \t]*\|))"""
    r"""|(?P<other>->|\S)"""
)
_DEFINES = re.compile(r"(?:\{(?P<parameters>[\w, \t]*)\})?(?:\.-?[0-9]+)?[ \t]*:")
_OPERATION = re.compile(r"[A-Za-z_][\w$]*\.[\w$.]+")
DIRECTIVE = re.compile(r"^//! *([a-z ]+?) *: *(\S.*?) *$", re.MULTILINE)
_LEXEMES = (lexer.WORD, lexer.PUNCTUATION)


@dataclass(frozen=True)
class _Named:
    """A name or a string, and where it stands; `parts` is how many things stand in braces after it."""

    text: str
    source: SourceText
    offset: int
    parts: int = 0

    def error(self, message: str, hint: str | None = None, *notes: Diagnostic) -> Diagnostic:
        return Diagnostic(message, source=self.source, offset=self.offset, hint=hint, notes=notes)


@dataclass
class _File:
    """What a syntax file defines and uses, as far as that can be seen without its grammar."""

    source: SourceText
    definitions: list[_Named] = field(default_factory=list)
    extensions: list[_Named] = field(default_factory=list)
    uses: list[_Named] = field(default_factory=list)
    strings: list[_Named] = field(default_factory=list)
    statements: list[_Named] = field(default_factory=list)

    def __post_init__(self) -> None:
        statement = ""
        parameters: set[str] = set()
        text = self.source.text
        alias = False
        for match in _TOKEN.finditer(text):
            kind, token, at = match.lastgroup, match[0], match.start()
            was_alias, alias = alias, token == "->"
            if kind == "end":
                statement, parameters = "", set()
            elif kind == "statement":
                statement = token
                self.statements.append(_Named(token, self.source, at))
            elif kind == "string":
                self.strings.append(_Named(_unescaped(token), self.source, at))
            elif kind == "name" and not was_alias:
                name = _Named(token.lstrip("!?"), self.source, at, _parts(text, match.end()))
                defines = _DEFINES.match(text, match.end())
                if statement == "%declare":
                    self.definitions.append(name)
                elif defines is not None and statement in ("", "%extend", "%override"):
                    (self.definitions if not statement else self.extensions).append(name)
                    parameters = set(re.findall(r"\w+", defines["parameters"] or ""))
                    statement = "rule"
                elif statement not in ("%import", "%ignore") and name.text not in parameters:
                    self.uses.append(name)


def check(shipped: Sequence[SourceText], added: Sequence[SourceText]) -> None:
    """Look for mistakes in the `added` files, which are to be merged with the `shipped` ones.

    Raises `DealogError` with every mistake found.
    """
    broken = [fault for source in added if (fault := _broken(source)) is not None]
    if broken:
        raise DealogError(broken)
    known, files = [_File(source) for source in shipped], [_File(source) for source in added]
    faults = list(_misplaced(files))
    if not faults:
        faults += [*_defined_twice(known, files), *_described_twice(known, files)]
        faults += [*_undefined(known, files), *_filled_wrongly(known, files), *_never_matched(files)]
    if faults:
        order = {id(source): i for i, source in enumerate(added)}
        raise DealogError(sorted(faults, key=lambda d: (order[id(d.source)], d.offset)))


def rest_on(added: Sequence[SourceText], others: Sequence[SourceText]) -> bool:
    """Whether the `added` files use any name that `others` define, or speak of their dialects in directives."""
    defined = {name.text for source in others for name in _File(source).definitions}
    dialects = {PurePath(source.name).stem for source in others}
    directed = (word for source in added for match in DIRECTIVE.finditer(source.text) for word in match[2].split())
    if any(word in defined or word.partition(".")[0] in dialects for word in directed):
        return True
    return any(name.text in defined for file in map(_File, added) for name in (*file.uses, *file.extensions))


def fault_of_grammar(sources: Sequence[SourceText], message: str) -> Diagnostic:
    """What lark says of the merged grammar, at the place in `sources` that it speaks of."""
    files = [_File(source) for source in sources]
    rules = sorted(set(re.findall(r"<(\w+) :", message)))
    named = [*rules, *re.findall(r"\w+", message.partition("\n")[0])]
    what, hint = message.strip().splitlines()[0].rstrip(": "), None
    if "ollision" in what:
        listed = " or ".join(f"'{rule}'" for rule in rules)
        what = f"the same text may be {listed}, and nothing says which"
        hint = "let them begin with different keywords, or make them one rule"
    elif "defined twice" in what:
        what, hint = "this rule has an alternative twice", "optional parts in a row may come to the same text"
    for name in named:
        for file in files:
            for definition in (*file.definitions, *file.extensions):
                if definition.text == name:
                    return definition.error(what, hint)
    return Diagnostic(what, source=sources[0], offset=0, hint=hint)


def place_of(sources: Sequence[SourceText], text: str) -> tuple[SourceText, int]:
    """Where the string or the name `text` stands in `sources`; the start of the first if nowhere."""
    for source in sources:
        file = _File(source)
        for named in (*file.strings, *file.definitions, *file.uses):
            if named.text == text:
                return source, named.offset
    return sources[0], 0


def _broken(source: SourceText) -> Diagnostic | None:
    """Where `source` is not a lark grammar."""
    from lark.exceptions import GrammarError, UnexpectedToken
    from lark.load_grammar import GrammarBuilder

    try:
        GrammarBuilder().load_grammar(source.text, source.name)
    except UnexpectedToken as error:
        found = "the end of the line" if error.token.type == "_NL" else f"'{error.token}'"
        if error.token.type == "$END":
            found = "the end of the file"
        return _at(source, f"unexpected {found}", error.line, error.column)
    except GrammarError as error:
        placed = re.match(r"(.*?),? at line (\d+) column (\d+)", str(error))
        if placed is not None:
            message = placed[1][:1].lower() + placed[1][1:]
            return _at(source, message, int(placed[2]), int(placed[3]))
    return None


def _at(source: SourceText, message: str, line: int, column: int) -> Diagnostic:
    lines = source.text.split("\n")
    offset = sum(len(text) + 1 for text in lines[: line - 1]) + column - 1
    hint = "syntax files are grammars of lark; frontend/syntax/core.lark tells how they are written"
    return Diagnostic(message, source=source, offset=min(offset, len(source.text)), hint=hint)


def _misplaced(files: Iterable[_File]) -> Iterator[Diagnostic]:
    """Statements of lark's that the merged grammar cannot do with."""
    for file in files:
        for statement in file.statements:
            if statement.text != "%extend":
                hint = "there are rules, terminals that list strings, and %extend (see frontend/syntax/core.lark)"
                yield statement.error(f"{statement.text} has no place in a syntax file", hint)


def _first(files: Iterable[_File]) -> dict[str, _Named]:
    """The first definition of each name."""
    first: dict[str, _Named] = {}
    for file in files:
        for name in file.definitions:
            first.setdefault(name.text, name)
    return first


def _defined_twice(known: Sequence[_File], files: Sequence[_File]) -> Iterator[Diagnostic]:
    first = _first((*known, *files))
    for file in files:
        for name in file.definitions:
            other = first[name.text]
            if other is not name:
                dialect = PurePath(file.source.name).stem
                hint = f"take a name with the dialect's, such as '{dialect}_{name.text}'"
                if name.text.startswith(("attr_", "quoted_")):
                    hint = f"write '{name.text}__{dialect}'; the attribute is called the same"
                elif name.text.isupper():
                    hint = f"take a name with the dialect's, such as '{dialect.upper()}_{name.text}'"
                note = Diagnostic("defined here", "note", other.source, other.offset)
                yield name.error(f"'{name.text}' is defined in {other.source.name} already", hint, note)


def _described_twice(known: Sequence[_File], files: Sequence[_File]) -> Iterator[Diagnostic]:
    described: dict[str, _Named] = {}
    for file in known:
        described.update((string.text, string) for string in file.strings)
    for file in files:
        for string in file.strings:
            if _OPERATION.fullmatch(string.text):
                other = described.setdefault(string.text, string)
                if other.source is not file.source:
                    note = Diagnostic("described here", "note", other.source, other.offset)
                    message = f"the custom form of '{string.text}' is described in {other.source.name} already"
                    yield string.error(message, "an operation has one custom form: leave it out here", note)


def _undefined(known: Sequence[_File], files: Sequence[_File]) -> Iterator[Diagnostic]:
    defined: Mapping[str, _Named] = _first((*known, *files))
    reported: set[str] = set()
    for file in files:
        for name in (*file.uses, *file.extensions):
            if name.text not in defined and name.text not in reported:
                reported.add(name.text)
                close = get_close_matches(name.text, defined, n=1)
                hint = f"did you mean '{close[0]}'?" if close else "frontend/syntax/core.lark lists those there are"
                yield name.error(f"there is no rule or terminal '{name.text}'", hint)


def _filled_wrongly(known: Sequence[_File], files: Sequence[_File]) -> Iterator[Diagnostic]:
    """Rules that take others in braces, with none or another number of them."""
    defined = _first((*known, *files))
    for file in files:
        for name in file.uses:
            definition = defined.get(name.text)
            if definition is not None and definition.parts != name.parts:
                many = definition.parts
                takes = plural(many, "rule") if many else "nothing"
                message = f"'{name.text}' takes {takes} in braces, and has {name.parts or 'none'} here"
                written = "{" + ", ".join(["operand"] * many) + "}" if many else ""
                note = Diagnostic("defined here", "note", definition.source, definition.offset)
                yield name.error(message, f"write it as {name.text}{written}", note)


def _never_matched(files: Sequence[_File]) -> Iterator[Diagnostic]:
    """Strings that the lexer would never give as one token."""
    for file in files:
        for string in file.strings:
            match = lexer.LEXEME(string.text)
            if match is None or match.end() != len(string.text) or match.lastindex not in _LEXEMES:
                pieces = []
                at = 0
                while (part := lexer.LEXEME(string.text, at)) is not None and part.end() > at:
                    pieces.append(part[part.lastindex or 0])
                    at = part.end()
                rest = string.text[at:].strip()
                hint = "keywords are words, and punctuation is that of MLIR"
                if len(pieces) > 1 and not rest:
                    listed = " ".join('"' + piece + '"' for piece in pieces)
                    hint = f"write {listed}"
                yield string.error(f'"{string.text}" is not a token of MLIR text, and would never match', hint)


def _parts(text: str, at: int) -> int:
    """How many things, with commas between them, stand in braces at `at`."""
    depth = parts = 0
    for match in _TOKEN.finditer(text, at):
        if not depth and match[0] != "{":
            break
        depth += (match[0] == "{") - (match[0] == "}")
        parts += depth == 1 and match[0] in ("{", ",")
        if not depth:
            break
    return parts


def _unescaped(literal: str) -> str:
    return re.sub(r"\\(.)", r"\1", literal.removesuffix("i")[1:-1])
