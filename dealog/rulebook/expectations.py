"""What the comments of a test expect of the rules.

::

    // pass: ownership-based-buffer-deallocation
    // expect: may_alias(%a, %b)
    // expect-not: may_alias(%a, %c), !fresh(%c)
    // expect-all: may_refer_to(%a, X) { %a, "outside @f" }
    // expect-all: freed_if(B, V, "true") { (^bb0, %a),
    //                                      (^bb1, %b) }

Behind each stands a query as for `dealog query`. `expect` wants an answer, `expect-not` none; `expect-all` wants just
these values of its variables: each a term of a query, in parentheses where there are several variables, `_` for any.
Braces may go on in the next comment lines. Expected diagnostics are written as for `--verify-diagnostics`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from dealog.diagnostics import DealogError, Diagnostic, SourceText

Kind = Literal["expect", "expect-not", "expect-all"]
_COMMENT = re.compile(r"//[ \t]*(?P<word>[A-Za-z][\w-]*)[ \t]*:(?!:)[ \t]*(?P<rest>[^\r\n]*)")
_DIAGNOSTIC = re.compile(r"//.*expected-(?:error|note|remark|warning)(?:-re)? *(?:@\S+)? *\{\{")
_WORDS = ("expect", "expect-not", "expect-all", "pass")
_NEXT = re.compile(r"\r?\n[ \t]*//")
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}(),]|[^"{}(),]+|"')


@dataclass(frozen=True)
class Cell:
    """A term as it is written, and where."""

    text: str
    offset: int


@dataclass(frozen=True)
class Expectation:
    """One expectation: `query` is at `offset` in the source; `rows` are the values that `expect-all` wants."""

    kind: Kind
    query: str
    offset: int
    rows: tuple[tuple[Cell, ...], ...] = ()


@dataclass(frozen=True)
class Expectations:
    """What one test expects. `pass_` is the text after `pass:` and where it is; `diagnostics` says whether there
    are expected diagnostics."""

    queries: tuple[Expectation, ...]
    pass_: Cell | None
    diagnostics: int

    def __len__(self) -> int:
        return len(self.queries) + self.diagnostics


def read(source: SourceText) -> Expectations:
    """The expectations in the comments of `source`.

    Raises `DealogError` for comments that look like one and are none.
    """
    queries: list[Expectation] = []
    passes: list[Cell] = []
    faults: list[Diagnostic] = []
    for match in _COMMENT.finditer(source.text):
        word, at = match["word"], match.start("rest")
        try:
            if word == "pass":
                passes.append(Cell(match["rest"].strip(), at))
            elif word in _WORDS:
                queries.append(_expectation(source, word, match))  # type: ignore[arg-type]
            else:
                faults += _misspelt(source, word, match.start("word"))
        except DealogError as error:
            faults += error.diagnostics
    if len(passes) > 1:
        message = "a test is about one pass: 'pass:' is there before"
        faults.append(Diagnostic(message, source=source, offset=passes[1].offset))
    if faults:
        raise DealogError(faults)
    diagnostics = len(_DIAGNOSTIC.findall(source.text))
    return Expectations(tuple(queries), passes[0] if passes else None, diagnostics)


def _misspelt(source: SourceText, word: str, offset: int) -> Iterator[Diagnostic]:
    """A fault, if `word` is meant to be one of those that start an expectation."""
    plain = word.lower().replace("_", "-")
    if plain.startswith("expected-"):
        hint = f"an expected diagnostic has no colon: {plain} @below {{{{text}}}}"
        yield Diagnostic(f"there is no '{word}:'", source=source, offset=offset, hint=hint)
    elif plain.startswith("expect") or plain in _WORDS:
        close = get_close_matches(plain, _WORDS, n=1)
        hint = f"did you mean '{close[0]}:'?" if close else f"there are {', '.join(f'{w}:' for w in _WORDS)}"
        yield Diagnostic(f"there is no '{word}:'", source=source, offset=offset, hint=hint)


def _expectation(source: SourceText, kind: Kind, match: re.Match[str]) -> Expectation:
    at = match.start("rest")
    if kind != "expect-all":
        text = match["rest"].rstrip()
        if not text:
            raise _fault(source, at, f"'{kind}:' has no query", f"write // {kind}: may_alias(%a, %b)")
        return Expectation(kind, text, at)
    text = _to_closing_brace(source, at)
    brace = next((m.start() for m in _TOKEN.finditer(text) if m[0] == "{"), None)
    query = text if brace is None else text[:brace]
    if brace is None or not query.strip():
        hint = "write // expect-all: may_alias(%a, X) { %a, %b }; { } for no answers"
        raise _fault(source, at, "'expect-all:' has a query, and all its answers in braces", hint)
    return Expectation(kind, query.rstrip(), at, tuple(_rows(source, text, brace + 1, at)))


def _to_closing_brace(source: SourceText, at: int) -> str:
    """The text from `at` to the closing brace, or else to the end of the line; where it goes on in the next comment
    line, with blanks for what is between, so that places in it are places in the file."""
    text = source.text
    end = _line_end(text, at)
    taken = text[at:end]
    while True:
        level = 0
        for token in _TOKEN.finditer(taken):
            level += {"{": 1, "}": -1}.get(token[0], 0)
        more = _NEXT.match(text, end)
        if level <= 0 or more is None:
            return taken
        following = _line_end(text, more.end())
        taken += " " * (more.end() - end) + text[more.end() : following]
        end = following


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    return end - 1 if end > at and text[end - 1] == "\r" else end


def _rows(source: SourceText, text: str, start: int, at: int) -> Iterator[tuple[Cell, ...]]:
    """The rows of values from after the opening brace of `text`, which is at `at` in the source."""
    row: list[Cell] = []
    level, cell = 0, start
    closed = False
    for token in _TOKEN.finditer(text, start):
        sign, here = token[0], token.start()
        if closed:
            if sign.strip():
                raise _fault(source, at + here, "nothing is expected after the closing brace")
            continue
        if sign == "(":
            level += 1
            if level == 1 and not text[cell:here].strip():
                cell = token.end()
        elif sign == ")" and level == 1:
            row += _cell(text, cell, here, at)
            level, cell = 0, token.end()
        elif sign == ")":
            level -= 1
        elif sign == "," and level == 1:
            row += _cell(text, cell, here, at)
            cell = token.end()
        elif sign in ",}" and level == 0:
            row += _cell(text, cell, here, at)
            if row:
                yield tuple(row)
            elif sign == "," or text[start:here].strip():
                raise _fault(source, at + here, "a value is missing before this")
            row, cell, closed = [], token.end(), sign == "}"
        elif sign == '"':
            raise _fault(source, at + here, "this string is not closed")
    if not closed:
        raise _fault(source, at + start - 1, "this brace is not closed")


def _cell(text: str, start: int, end: int, at: int) -> Iterator[Cell]:
    written = text[start:end]
    if written.strip():
        yield Cell(written.strip(), at + start + len(written) - len(written.lstrip()))


def _fault(source: SourceText, offset: int, message: str, hint: str | None = None) -> DealogError:
    return DealogError(Diagnostic(message, source=source, offset=offset, hint=hint))
