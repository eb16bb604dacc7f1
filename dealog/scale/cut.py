"""Cuts the text of a module at its functions, without parsing them: what large modules are made of is found by its
brackets alone.

A cut is a guess that is verified: whoever parses a part sees whether it is what it was taken for. Whatever is not
understood here means that the module is not cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from dealog.frontend import lexer

_MODULE = re.compile(
    rf"(?:builtin\.)?module\b{lexer.SPACE}(?>(?:@[\w$.-]+|@{lexer.STRING})?){lexer.SPACE}(attributes{lexer.SPACE})?"
).match
_GENERIC_MODULE = re.compile(rf'"builtin\.module"{lexer.SPACE}\({lexer.SPACE}\){lexer.SPACE}').match
_GENERIC_OPEN = re.compile(rf"\({lexer.SPACE}\{{(?:{lexer.SPACE}\^[\w$.-]+{lexer.SPACE}:)?").match
_ALIAS_DEFINITION = re.compile(rf"[#!][\w$\-.]+{lexer.SPACE}=").match
_NAME = re.compile(
    rf"(?:func\.func|func)\b{lexer.SPACE}(public|private|nested)?{lexer.SPACE}@([\w$.-]+)(?={lexer.SPACE}\()"
).match
_GENERIC_NAME = re.compile(rf'"func\.func"{lexer.SPACE}\({lexer.SPACE}\){lexer.SPACE}').match
_PLAIN_OP = re.compile(r"(?:[a-z_]\w*\.[\w.$]+|\"[a-z_]\w*\.[\w.$]+\")(?![\w.])").match
_ATTRIBUTES = re.compile(rf"{lexer.SPACE}attributes{lexer.SPACE}(?=\{{)").match
_ARROW = re.compile(rf"{lexer.SPACE}->{lexer.SPACE}").match
_WORD = re.compile(r"[!#]?[\w$.-]+").match
_LOCATION = re.compile(rf"{lexer.SPACE}loc{lexer.SPACE}(?=\()").match
_SYMBOL = re.compile(r'@([\w$.-]+|"(?:[^"\\]|\\.)*")')
_SYMBOL_OR_CALL = re.compile(
    r'(?:\bcall[ \t]+@[\w$.-]++|\bcallee = @[\w$.-]++)(?!::)|@([\w$.-]+|"(?:[^"\\]|\\.)*")'
)
_ARGUMENT_NAME = re.compile(rf"%[\w$.-]+{lexer.SPACE}:{lexer.SPACE}").match
_STRING = re.compile(lexer.STRING).match
_DEFINED = re.compile(r'sym_name = "([\w$.-]+)"|@([\w$.-]+)')
_LINE = re.compile(r'[^\r\n"/(\[{<]*+')
_LINE_END = re.compile(r"[\r\n]").search
_PRIVATE = "private"


class NotCut(Exception):
    """The text is not cut, and why."""


@dataclass(frozen=True)
class Piece:
    """An operation of the module, with the space and the comments in front of it: `text[start:end]`; the operation
    itself starts at `op`. `symbol` is what it defines, as far as that is known. A function with a body has a `stub`,
    which declares it."""

    start: int
    op: int
    end: int
    symbol: str = ""
    private: bool = False
    stub: str = ""


@dataclass(frozen=True)
class Cut:
    """A text in pieces: it is `text[:body]`, the pieces one after the other, and `text[end:]`."""

    text: str
    body: int
    end: int
    pieces: Sequence[Piece]

    @cached_property
    def head(self) -> str:
        """What stands before the first operation."""
        return self.text[: self.body]

    @cached_property
    def tail(self) -> str:
        """What stands after the last one."""
        return self.text[self.end :]

    def of(self, piece: Piece) -> str:
        """The text of `piece`, with what stands in front of it."""
        return self.text[piece.start : piece.end]

    def named_beside_calls(self, piece: Piece) -> set[str]:
        """The symbols that are named in `piece` elsewhere than in what looks like a call, and than where they are
        defined."""
        found = _SYMBOL_OR_CALL.finditer(self.text, piece.op, piece.end)
        named = [match[1].strip('"') for match in found if match[1] is not None]
        if piece.symbol in named and self.text[piece.op] != '"':
            named.remove(piece.symbol)
        return set(named)

    def returns(self, piece: Piece) -> bool:
        """Whether `piece`, a function, seems to return."""
        return bool(piece.stub) and self.text.find("return", piece.op, piece.end) >= 0

    def named(self, piece: Piece) -> set[str]:
        """The symbols that are named in `piece`."""
        return symbols_in(self.text, piece.op, piece.end)


def symbols_in(text: str, start: int = 0, end: int | None = None) -> set[str]:
    """The symbols that are named in `text[start:end]`, without `@` and quotes."""
    return {name.strip('"') for name in _SYMBOL.findall(text, start, len(text) if end is None else end)}


def cut(text: str) -> Cut:
    """`text` in pieces.

    Raises:
        NotCut: it is not a module of functions, or written in a way that is not known here.
    """
    try:
        body, closed = _opened(text)
        pieces = list(_pieces(text, body, closed))
    except lexer.Unbalanced as error:
        raise NotCut(error.message) from None
    except IndexError:
        raise NotCut("the text ends early") from None
    end = pieces[-1].end if pieces else body
    names = [piece.symbol for piece in pieces if piece.symbol]
    if len(names) != len(set(names)):
        raise NotCut("symbols share a name")
    if any(_LINE_END(text, piece.start, piece.op) is None for piece in pieces[1:]):
        raise NotCut("operations share a line")  # what is inserted is indented like the line that it goes to
    return Cut(text, body, end, pieces)


def _opened(text: str) -> tuple[int, bool]:
    """Where the operations of the module start, and whether a bracket closes them."""
    at = 0
    while True:
        start = lexer.skip(text, at)
        if _ALIAS_DEFINITION(text, start) is None:
            break
        at = _end_of_line(text, start)
    header = _MODULE(text, start)
    if header is not None:
        at = header.end()
        if header[1] is not None:
            at = lexer.skip(text, lexer.balanced_end(text, at))
        if text[at] != "{":
            raise NotCut("no module")
        return at + 1, True
    header = _GENERIC_MODULE(text, start)
    if header is not None:
        at = header.end()
        if text[at] == "<":
            at = lexer.skip(text, lexer.balanced_end(text, at))
        opening = _GENERIC_OPEN(text, at)
        if opening is None:
            raise NotCut("no module")
        return opening.end(), True
    return at, False


def _pieces(text: str, body: int, closed: bool) -> Iterator[Piece]:
    at = body
    while True:
        op = lexer.skip(text, at)
        if op >= len(text) or text[op] == "}":
            if closed != (op < len(text)):
                raise NotCut("brackets do not match")
            return
        if text.startswith("{-#", op) and not closed:
            return
        if not closed and text[op] in "#!":
            raise NotCut("aliases between operations")
        piece = _function(text, at, op) or _generic_function(text, at, op) or _other(text, at, op)
        yield piece
        at = piece.end


def _function(text: str, start: int, op: int) -> Piece | None:
    """The function in its custom form that stands at `op`."""
    name = _NAME(text, op)
    if name is None:
        return None
    opening = lexer.skip(text, name.end())
    at = lexer.balanced_end(text, opening)
    signature = [_declared(text[a:b]) for a, _, b in lexer.split_list(text, opening + 1, at - 1)]
    behind = at
    if (arrow := _ARROW(text, at)) is not None:
        at = arrow.end()
        at = lexer.balanced_end(text, at) if text[at] == "(" else _end_of_type(text, at)
    if (attributes := _ATTRIBUTES(text, at)) is not None:
        at = lexer.balanced_end(text, attributes.end())
    header_end = at
    inner = lexer.skip(text, at)
    has_body = text.startswith("{", inner) and not text.startswith("{-#", inner)
    if has_body:
        at = lexer.balanced_end(text, inner)
    if (location := _LOCATION(text, at)) is not None:
        at = lexer.balanced_end(text, location.end())
    stub = f"\nfunc.func private @{name[2]}({', '.join(signature)}){text[behind:header_end]}" if has_body else ""
    return Piece(start, op, at, name[2], name[1] == _PRIVATE, stub)


def _declared(argument: str) -> str:
    """An argument as a declaration has it: without its name."""
    name = _ARGUMENT_NAME(argument)
    return argument if name is None else argument[name.end() :]


def _end_of_type(text: str, at: int) -> int:
    word = _WORD(text, at)
    if word is None:
        raise NotCut("a type that is not known")
    at = word.end()
    while text[at : at + 1] in ("<", "["):
        at = lexer.balanced_end(text, at)
    return at


def _generic_function(text: str, start: int, op: int) -> Piece | None:
    """The function in generic form that stands at `op`."""
    opening = _GENERIC_NAME(text, op)
    if opening is None:
        return None
    at = opening.end()
    if text[at] != "<":
        raise NotCut("a function without properties")
    properties = at
    at = lexer.balanced_end(text, at)
    entries = {}
    for first, equals, last in lexer.split_list(text, properties + 2, at - 2):
        if equals >= 0:
            entries[text[first:equals].strip()] = text[equals + 1 : last].strip()
    region = lexer.skip(text, at)
    if text[region] != "(":
        raise NotCut("a function without a region")
    at = lexer.balanced_end(text, region)
    is_empty = not re.sub(r"[(){}\s]", "", text[region:at])
    attributes = ""
    following = lexer.skip(text, at)
    if text[following] == "{":
        at = lexer.balanced_end(text, following)
        attributes = f" attributes {text[following:at]}"
        following = lexer.skip(text, at)
    arrow = _ARROW(text, lexer.balanced_end(text, lexer.skip(text, following + 1))) if text[following] == ":" else None
    if arrow is None:
        raise NotCut("a function without a type")
    at = arrow.end()
    at = lexer.balanced_end(text, at) if text[at] == "(" else _end_of_type(text, at)
    if (location := _LOCATION(text, at)) is not None:
        at = lexer.balanced_end(text, location.end())
    name, type = entries.get("sym_name", "").strip('"'), entries.get("function_type", "")
    if not re.fullmatch(r"[\w$.-]+", name) or not type.startswith("("):
        raise NotCut("a function whose name or type is not known")
    private = entries.get("sym_visibility", "").startswith('"private"')
    stub = "" if is_empty else f"\nfunc.func private @{name}{type}{attributes}"
    return Piece(start, op, at, name, private, stub)


def _other(text: str, start: int, op: int) -> Piece:
    """Anything else: what stands on a line, brackets closed, and has neither values nor blocks."""
    if _PLAIN_OP(text, op) is None:
        raise NotCut("something that is not an operation with a name")
    end = _end_of_line(text, op)
    if any(character in text[op:end] for character in "%^"):
        raise NotCut("an operation that is not a function and has a body")
    defined = _DEFINED.search(text, op, end)
    return Piece(start, op, end, (defined[1] or defined[2]) if defined is not None else "")


def _end_of_line(text: str, at: int) -> int:
    """The end of the line on which all brackets that open from `at` on are closed."""
    while True:
        match = _LINE.match(text, at)
        assert match is not None
        at = match.end()
        if at >= len(text) or text[at] in "\r\n":
            return at
        if text.startswith("//", at):
            return at
        if text[at] == "/":
            at += 1
        elif text[at] == '"':
            string = _STRING(text, at)
            if string is None:
                raise NotCut("a string that is not closed")
            at = string.end()
        elif text[at] == "<" and text[at + 1 : at + 2] == "=":
            at += 2
        else:
            at = lexer.balanced_end(text, at)
