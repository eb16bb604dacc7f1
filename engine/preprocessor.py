"""The preprocessor's part of reading: includes, conditions, comments.

`#include "file"`, `#ifndef`, `#ifdef`, `#define NAME`, `#undef`, `#else`, `#endif` mean what they mean to the C
preprocessor that Soufflé runs; there are no macros with a value.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dealog.diagnostics import DealogError, Diagnostic, SourceText, not_utf8
from dealog.engine.program import Position, Segment

_MAX_INCLUDE_DEPTH = 200
_KEPT = 256  # files that are kept in mind within a run

_LEXEME = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|"(?:\\.|[^"\\\n])*\"|\#""", re.DOTALL)
_REST = re.compile(r"(?:\\\r?\n|[^\n])*", re.DOTALL)
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


class Scanner:
    """Follows includes and conditionals; collects the segments that make up the program.

    `faults` are what was wrong on the way; `incomplete` says that they hide a part of the program.
    """

    def __init__(self, include_dirs: Sequence[Path]) -> None:
        self.include_dirs = include_dirs
        self.sources: dict[Hashable, SourceText] = {}  # by what stands for the file, whichever path leads to it
        self.segments: list[Segment] = []
        self.defined: dict[str, Position] = {}
        self.guards: dict[SourceText, str] = {}  # of what holds nothing where this name is defined
        self.depth = 0
        self.faults: list[Diagnostic] = []
        self.incomplete = False

    def copy(self) -> Scanner:
        """A scanner that has taken in what this one has."""
        made = Scanner(self.include_dirs)
        made.sources, made.segments = dict(self.sources), list(self.segments)
        made.defined, made.guards = dict(self.defined), dict(self.guards)
        made.faults, made.incomplete = list(self.faults), self.incomplete
        return made

    def fault(self, place: Position, message: str, hint: str | None = None, hides: bool = False) -> None:
        """Note an error. `hides` says that text is missing because of it."""
        self.faults.append(place.error(message, hint))
        self.incomplete |= hides

    def knows(self, path: Path) -> bool:
        """Whether the file at `path` was taken in."""
        try:
            return _identity(path) in self.sources
        except (OSError, ValueError):
            return False

    def file(self, path: Path, included_at: Position | None) -> None:
        """Take in the file at `path`, and what it includes.

        Raises:
            DealogError: it cannot be read, or is one of files that include each other without end.
        """
        try:
            identity = _identity(path)
            source = self.sources.get(identity)
            if source is None:
                source = self.sources[identity] = source_text(str(path), path.read_text("utf-8-sig"))
        except UnicodeDecodeError as fault:
            raise not_utf8(str(path), fault) from None
        except (OSError, ValueError) as fault:
            message = f"cannot read {path}: {getattr(fault, 'strerror', None) or fault}"
            raise DealogError(included_at.error(message) if included_at else Diagnostic(message)) from None
        if self.guards.get(source) not in self.defined:
            self.text(source, path.parent, included_at)

    def text(self, source: SourceText, folder: Path, included_at: Position | None) -> None:
        """Like `file`, for a text at hand; `folder` is where its includes are looked for first."""
        if self.depth > _MAX_INCLUDE_DEPTH:
            assert included_at is not None
            raise DealogError(
                included_at.error(
                    "files include each other without end",
                    hint="guard each file with #ifndef NAME / #define NAME / ... / #endif",
                )
            )
        if self.guards.get(source) in self.defined:
            return
        if not any(source is known for known in self.sources.values()):
            self.sources[source.name] = source
        self.depth += 1
        guard, faults = _guard(source.text), len(self.faults)
        conditions: list[_Condition] = []
        pieces: list[str] = []
        stripped = _stripped(source.text)
        text, done, begin = stripped.text, 0, 0

        def keep(until: int) -> None:
            stretch = text[done:until]
            active = not conditions or conditions[-1].active
            pieces.append(stretch if active else _blank(stretch))

        def cut(until: int) -> None:
            blanked = "".join(pieces)
            pieces.clear()
            if blanked.strip():
                self.segments.append(Segment(Position(source, begin, until), blanked))

        for start, end in stripped.directives:
            keep(start)
            line = source.text[start:end]
            place = Position(source, end - len(line.lstrip()), end)
            included = self.directive(place, line, conditions, folder)
            if included is not None:
                cut(start)
                self.file(included, place)
                begin = start
            pieces.append(text[start:end])
            done = end
        if stripped.unclosed is not None:
            self.fault(Position(source, stripped.unclosed, len(text)), "this comment is never closed", hides=True)
        keep(len(text))
        cut(len(text))
        self.depth -= 1
        if conditions:
            self.fault(conditions[-1].position, "this condition has no #endif")
        if guard is not None and len(self.faults) == faults:
            self.guards[source] = guard

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
                self.fault(place, f"#{word} takes one name")
            holds = (rest in self.defined) == (word == "ifdef")
            conditions.append(_Condition(place, active and holds, active))
        elif word in ("else", "endif"):
            if not conditions:
                self.fault(place, f"#{word} without #ifdef or #ifndef")
            elif word == "endif":
                conditions.pop()
            else:
                conditions[-1].active = conditions[-1].parent_active and not conditions[-1].active
        elif not active:
            pass
        elif word == "define":
            macro = _MACRO.match(rest)
            if macro is None:
                self.fault(place, "#define takes one name")
            elif macro[2]:
                hint = "state it as a relation with one fact, or write it out"
                self.fault(place, "macros with a value are not portable", hint)
            else:
                self.defined[macro[1]] = place
        elif word == "undef":
            self.defined.pop(rest, None)
        elif word == "include":
            return self.included(place, rest, folder)
        elif word not in ("", "line"):
            hint = "there are #include, #ifdef, #ifndef, #else, #endif, #define and #undef"
            self.fault(place, f"#{word} is not portable", hint)
            if word == "if":  # so that its #endif is at home
                conditions.append(_Condition(place, True, True))
        return None

    def included(self, place: Position, rest: str, folder: Path) -> Path | None:
        """The file that an `#include` names; None, and an error, where there is none."""
        quoted = re.match(r'"([^"\n]+)"', rest)
        if quoted is None:
            self.fault(place, 'write #include "file"', hides=True)
            return None
        for place_to_look in (folder, *self.include_dirs):
            path = place_to_look / quoted[1]
            if os.path.isfile(path):  # one name for a file, whichever way leads to it; links stay as they are
                return Path(os.path.normpath(path))
        looked = ", ".join(str(p) for p in (folder, *self.include_dirs))
        message = f'there is no file "{quoted[1]}" to include'
        self.fault(place, message, f"looked in {looked}", hides=True)
        return None


@lru_cache(maxsize=_KEPT)
def _lexemes(text: str) -> tuple[tuple[bool, int, int], ...]:
    """The comments in `text`, and its preprocessor lines: whether it is a comment, its start and its end."""
    found: list[tuple[bool, int, int]] = []
    at = 0
    while match := _LEXEME.search(text, at):
        start, at = match.span()
        if match["comment"] is not None:
            found.append((True, start, at))
        elif match[0] == "#":
            line = text.rfind("\n", 0, start) + 1
            if not text[line:start].strip(" \t") and (rest := _REST.match(text, at)):
                at = rest.end()
                found.append((False, line, at))
    return tuple(found)


@dataclass(frozen=True)
class _Stripped:
    """A text with its comments and preprocessor lines blanked out, where those lines are, and where a comment starts
    that is never closed."""

    text: str
    directives: tuple[tuple[int, int], ...]
    unclosed: int | None


@lru_cache(maxsize=_KEPT)
def _stripped(text: str) -> _Stripped:
    pieces: list[str] = []
    done, unclosed = 0, None
    for is_comment, start, end in _lexemes(text):
        pieces += (text[done:start], _blank(text[start:end]))
        done = end
        if is_comment and text.startswith("/*", start) and not text.endswith("*/", start + 2, end):
            unclosed = start
    directives = tuple((start, end) for is_comment, start, end in _lexemes(text) if not is_comment)
    return _Stripped("".join((*pieces, text[done:])), directives, unclosed)


@lru_cache(maxsize=_KEPT)
def _guard(text: str) -> str | None:
    """The name in the `#ifndef` that stands around all of `text`, comments apart; None where there is none."""
    guard, depth, done = None, 0, 0
    for is_comment, start, end in _lexemes(text):
        if depth == 0 and text[done:start].strip():
            return None
        done = end
        if is_comment:
            continue
        parsed = _DIRECTIVE.match(text[start:end])
        word = parsed["word"] if parsed is not None else ""
        if depth == 0:
            named = re.match(r"\w+", parsed["rest"]) if parsed is not None else None
            if guard is not None or word != "ifndef" or named is None:
                return None
            guard = named[0]
        if word in ("ifdef", "ifndef"):
            depth += 1
        elif word == "endif":
            depth -= 1
        elif word == "if" or (word == "else" and depth == 1):
            return None
    return guard if depth == 0 and not text[done:].strip() else None


@lru_cache(maxsize=_KEPT)
def source_text(name: str, text: str) -> SourceText:
    """One object for a file, in whatever programs it is, so that what was read of it once is known."""
    return SourceText(name, text)


@lru_cache(maxsize=_KEPT)
def comments(source: SourceText) -> dict[int, Comment]:
    """The comments of a file by the line on which they end."""
    found = (Comment(source, start, end) for is_comment, start, end in _lexemes(source.text) if is_comment)
    return {comment.last_line: comment for comment in found}


def _identity(path: Path) -> tuple[int, int]:
    """What stands for the file at `path`."""
    state = os.stat(path)
    return state.st_dev, state.st_ino


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(lambda m: " " * len(m[0]), text)


class Comment:
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


