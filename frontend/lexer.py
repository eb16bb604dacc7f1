"""Lexemes of MLIR text, and balanced scans over what nobody needs to look into.

The patterns here follow MLIR's language reference. Types, attributes and dictionaries are taken whole: their
inside matters to few readers, and megabytes of weights may stand in them. Patterns are possessive, so that
no input, however broken, makes them backtrack.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

STRING = r'"[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)"'
VALUE_NAME = r"%(?:[0-9]++|[A-Za-z_$.\-][\w$.\-]*+)"
SYMBOL_NAME = rf"@(?:[A-Za-z_][\w$.]*+|{STRING})"

# `<...>` up to three levels deep, all of it at the regex engine's speed; what is deeper, or has comments
# inside, is left to `balanced_end`. `<=` and `>=` are comparisons of affine sets, no brackets.
_FLAT = rf'[^<>"/\-]++|->|-(?!>)|{STRING}'
_ANGLE_1 = rf"<(?!=)(?>(?:{_FLAT})*)>(?!=)"
_ANGLE_2 = rf"<(?!=)(?>(?:{_FLAT}|{_ANGLE_1})*)>(?!=)"
ANGLE = rf"<(?!=)(?>(?:{_FLAT}|{_ANGLE_2})*)>(?!=)"

COMMENT = r"//[^\r\n]*+"  # a carriage return alone ends a line, too
SPACE = rf"(?>(?:[ \t\r\n\0]++|{COMMENT})*)"

TYPE_CONSTRUCTORS = frozenset(("memref", "tensor", "vector", "complex", "tuple"))
ATTRIBUTE_CONSTRUCTORS = frozenset(
    (
        "dense",
        "dense_resource",
        "sparse",
        "array",
        "affine_map",
        "affine_set",
        "strided",
        "opaque",
        "distinct",
    )
)
FLOAT = r"(?:f(?:16|32|64|80|128|[0-9]{1,2}E[0-9]M[0-9]\w*)|bf16|tf32)"
# A bare word that is a builtin type: `i32`, `index`, `f8E4M3FN`, ...
SIMPLE_TYPE = re.compile(rf"(?:[su]?i[0-9]+|{FLOAT}|index|none)\Z", re.ASCII).match

# One group per kind of lexeme, in this order.
(VALUE, TYPE, WORD, PUNCTUATION, SYMBOL, BLOCK, EXCLAMATION, HASH, QUOTED, NUMBER) = range(1, 11)

LEXEME = re.compile(
    rf"{SPACE}(?:"
    rf"({VALUE_NAME}(?>(?:#[0-9]++)?))"
    rf"|((?:memref|tensor|vector|complex|tuple){ANGLE}|!(?:[\w$.\-]++)(?:{ANGLE}|(?!<)))"
    r"|([A-Za-z_][\w$.]*+)"
    r"|(->|::|==|\.\.\.|[()\[\]{}<>,:=?+*/|\-])"
    rf"|({SYMBOL_NAME}(?>(?:::{SYMBOL_NAME})*))"
    r"|(\^[\w$.\-]++)"
    r"|(![\w$.\-]++)"
    rf"|(\#(?:[\w$.]++)(?>(?:{ANGLE})?))"
    rf"|({STRING})"
    r"|([0-9][\w.]*+(?>(?:(?<=[eE])[+\-][0-9]++)?))"
    r")",
    re.ASCII,
).match
_SKIP = re.compile(SPACE).match

NUMBER_AFTER_MINUS = re.compile(rf"-{SPACE}[0-9][\w.]*+(?>(?:(?<=[eE])[+\-][0-9]++)?)", re.ASCII).match

# A location of the usual forms.
LOCATION = re.compile(
    rf"loc\((?:(?P<alias>\#\w++)|unknown|{STRING}(?>(?::[0-9]{{1,9}}:[0-9]{{1,9}})?))\)", re.ASCII
).match

# The results in front of an operation: `%a, %b:2 =`, and one of them.
_GROUP = rf"({VALUE_NAME})(?>(?:{SPACE}:{SPACE}([0-9]++))?)"
RESULTS = re.compile(
    rf"(?>{_GROUP}){SPACE}(?>(?:,{SPACE}(?>{_GROUP}){SPACE})*)=(?!=)", re.ASCII
).match
RESULT_GROUP = re.compile(_GROUP, re.ASCII).match

# An alias definition's name: `#map =`, `!t =`.
ALIAS = re.compile(rf"([#!][\w$\-]++){SPACE}=(?!=)", re.ASCII).match

# Tells an attribute dictionary from a region where the grammar allows both.
DICTIONARY_START = re.compile(rf"\{{{SPACE}(?:(?:[A-Za-z_][\w$.]*+|{STRING}){SPACE}[=,}}])", re.ASCII).match

# Properties: `<{...}>`.
PROPERTIES_START = re.compile(rf"<{SPACE}\{{", re.ASCII).match

RESOURCES = re.compile(rf'\{{-#(?>(?:[^"#]++|{STRING}|"|#(?!-\}}))*)#-\}}').match

_BODY = rf'[^{{}}"/]++|{STRING}'
_DICTIONARY = rf"(?>(?:{_BODY}|\{{(?>(?:{_BODY}|\{{(?>(?:{_BODY})*)\}})*)\}})*)"
_TYPES = rf'(?>(?:[^()"/<>\-\{{]++|{ANGLE})*)'
_VALUE_USE = rf"{VALUE_NAME}(?>(?:#[0-9]++)?)"

# A whole operation in generic form without regions, successors or comments in it: by far the most
# frequent thing in generic text. Everything else in generic form goes through the grammar.
# Groups: results, name, operands, properties, attributes, operand types, lone result type, result types.
GENERIC_OPERATION = re.compile(
    rf"(?>({VALUE_NAME}(?>(?::[0-9]++)?)(?>(?:, ?+{VALUE_NAME}(?>(?::[0-9]++)?))*))?)(?>(?:(?<=\w) ?+= ?+)?)"
    rf'"([\w$.]++)"\(((?>(?:{_VALUE_USE}(?>(?:, ?+{_VALUE_USE})*))?))\)'
    rf"(?>(?: ?+<(\{{{_DICTIONARY}\}})>)?)(?>(?: ?+(\{{{_DICTIONARY}\}}))?)"
    rf" ?+: ?+\(({_TYPES})\) ?+-> ?+(?:([\w!.$]++(?>(?:{ANGLE})?))|\(({_TYPES})\))"
    r"(?>(?: ?+loc\((?:#[\w$.]++|unknown)\))?)(?![ \t\r\n]*+(?:loc\b|[<.\-/]))",
    re.ASCII,
).match

# The end of a lexeme, and the start of one that would run together with it if nothing stood between them.
_NAME_END = re.compile(r"[\w$.\-]\Z", re.ASCII).search
_NAME_START = re.compile(r"[\w$.\-]", re.ASCII).match

# The uses and definitions of values in an operation.
NAMES = re.compile(_VALUE_USE, re.ASCII)

# A line, no long one, that begins with an operation; after it another one or the end of a region follows for sure.
OPERATION_LINE = re.compile(
    rf'([^\r\n"/]{{1,400}}+)[\r\n][ \t\r\n]*+'
    rf"(?=\}}|{VALUE_NAME}(?>(?::[0-9]++)?) ?+=(?!=)|[A-Za-z_][\w$]*+\.[A-Za-z_]|return\b)",
    re.ASCII,
).match

_OPEN = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BRACKETS = re.compile(rf'{STRING}|{COMMENT}|->|<=|["()\[\]{{}}<>]')


class Unbalanced(Exception):
    """A bracket that opens at `offset` and is not closed properly; `message` says what is wrong."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


def skip(text: str, start: int, end: int = sys.maxsize) -> int:
    """The offset of the first thing at or after `start` that is neither space nor comment."""
    match = _SKIP(text, start, end)
    assert match is not None  # it matches the empty text
    return match.end()


_MOST_DIGITS = 4000  # a number of more is as good as any of as many


def integer(text: str) -> int:
    """The number that `text` spells in MLIR: hexadecimal after `0x`, else decimal, whatever zeros stand in front.

    Raises `ValueError` where it spells none.
    """
    digits = text.removeprefix("-").lstrip()
    number = int(digits, 16) if digits.startswith("0x") else int(digits.lstrip("0")[:_MOST_DIGITS] or digits[:1])
    return -number if text.startswith("-") else number


def result_groups(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """What `RESULT_GROUP` matches in the results that stand at `[start, end)`, one after the other."""
    while (match := RESULT_GROUP(text, start, end)) is not None:
        yield match
        start = skip(text, skip(text, match.end(), end) + 1, end)  # after the comma


def run_together(ahead: str, behind: str) -> bool:
    """Whether the last lexeme of `ahead` and the first of `behind` would be others if nothing stood between them."""
    return _NAME_START(behind) is not None and _NAME_END(ahead) is not None


def line_start(text: str, offset: int) -> int:
    """Where the line around `offset` starts."""
    start = text.rfind("\n", 0, offset) + 1
    return text.rfind("\r", start, offset) + 1 or start


_LINE_END = re.compile(r"\r\n?|\n")


def line_end(text: str, offset: int) -> str:
    """What ends the line around `offset`; at the end of the text, what ends the first one."""
    match = _LINE_END.search(text, offset) or _LINE_END.search(text)
    return match[0] if match is not None else "\n"


_COMMENTS = re.compile(rf"({STRING})|{COMMENT}")


def without_comments(text: str) -> str:
    """`text` with nothing in the place of comments; the line ends after them stay."""
    return _COMMENTS.sub(lambda match: match[1] or "", text) if "//" in text else text


def balanced_end(text: str, start: int) -> int:
    """The offset after the bracket that closes the one at `start`, respecting strings and comments.

    Raises `Unbalanced` where brackets do not match or the text ends before.
    """
    closers = [_OPEN[text[start]]]
    for match in _BRACKETS.finditer(text, start + 1):
        token = match[0]
        if token in _OPEN:
            closers.append(_OPEN[token])
            continue
        if token not in ")]}>":
            if token == '"':
                raise Unbalanced("expected '\"' in string literal", match.start())
            continue
        if token == ">" and closers[-1] != ">" and text.startswith("=", match.end()):
            continue  # a comparison inside an affine set
        if closers.pop() != token:
            raise Unbalanced(f"unbalanced '{token}' character", match.start())
        if not closers:
            return match.end()
    raise Unbalanced(f"'{text[start]}' is never closed", start)


_SEPARATORS = re.compile(rf'{STRING}|{COMMENT}|->|<=|["()\[\]{{}}<>,=]')


def split_list(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Split `text[start:end]` at its outermost commas: `(start, offset of the outermost '=' or -1, end)` of
    each element, spaces and comments around it left out. An empty list has no element."""
    position = start
    element, equals = start, -1
    while True:
        match = _SEPARATORS.search(text, position, end)
        token = match[0] if match else ","
        at = match.start() if match else end
        if token == ",":
            first = skip(text, element, at)
            if first < at:
                yield first, equals, behind_last(text, first, at)
            elif match or element > start:
                raise Unbalanced("expected a list element", at)
            if not match:
                return
            element, equals, position = at + 1, -1, at + 1
        elif token == "=":
            if equals < 0:
                equals = at
            position = at + 1
        elif token in _OPEN:
            position = balanced_end(text, at)
        else:
            position = at + len(token)


_COMMENT = re.compile(rf'{STRING}|{COMMENT}|[^ \t\r\n\0"/]++|["/]')


def behind_last(text: str, start: int, end: int) -> int:
    """The offset after the last thing in `text[start:end]` that is neither space nor comment; `start` where there is
    none. `start` is neither in a string nor in a comment."""
    while True:
        line = max(line_start(text, end), start)  # neither strings nor comments go over several
        if text.find("//", line, end) < 0:
            last = line + len(text[line:end].rstrip(" \t\r\n\0"))
        else:
            ends = [match.end() for match in _COMMENT.finditer(text, line, end) if not match[0].startswith("//")]
            last = ends[-1] if ends else line
        if last > line or line <= start:
            return last
        end = line - 1
