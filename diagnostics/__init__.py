"""Diagnostics: what every package of Dealog reports when something is wrong.

A leaf that all packages share. A `Diagnostic` knows a severity, a message and, where there is one, a
position in a source text; `render` gives the form compilers use::

    model.mlir:12:5: error: ops with unknown memory side effects are not supported
        %0 = "mydb.scan"(%m) : (memref<4xf32>) -> memref<4xf32>
        ^

Errors travel as `DealogError`, which carries one diagnostic or several.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "remark", "note"]

_EXCERPT_WIDTH = 160
_HINTED = 3  # names that a hint tells, at most
_ALIKE = 0.6  # how much of two names has to be the same for one to be meant by the other


@dataclass(eq=False)
class SourceText:
    """A source text under the name that users know it by (a path, or `<stdin>`)."""

    name: str
    text: str
    first_line: int = 1
    _line_starts: list[int] = field(default_factory=list, repr=False)

    def position(self, offset: int) -> tuple[int, int]:
        """Turn a character offset (0-based) into `(line, column)`, both 1-based."""
        starts = self._starts()
        row = bisect_right(starts, offset) - 1
        return row + self.first_line, offset - starts[row] + 1

    def line(self, number: int) -> str:
        """The text of the 1-based line `number`, without its line end; empty when there is no such line."""
        starts = self._starts()
        row = number - self.first_line
        if not 0 <= row < len(starts):
            return ""
        end = starts[row + 1] - 1 if row + 1 < len(starts) else len(self.text)
        return self.text[starts[row] : end].rstrip("\r")

    def extent(self, number: int) -> tuple[int, int]:
        """The character offsets of the 1-based line `number`, from its first to after its line end; an empty
        stretch in front of the text when there is no such line."""
        starts = self._starts()
        row = number - self.first_line
        if not 0 <= row < len(starts):
            return -1, -1
        return starts[row], starts[row + 1] if row + 1 < len(starts) else len(self.text) + 1

    def _starts(self) -> list[int]:
        if not self._line_starts:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._line_starts = starts
        return self._line_starts


@dataclass(frozen=True, eq=False)
class Diagnostic:
    """One message to the user: `offset` (0-based, in characters) points into `source` when both are given."""

    message: str
    severity: Severity = "error"
    source: SourceText | None = None
    offset: int | None = None
    notes: tuple[Diagnostic, ...] = ()
    hint: str | None = None

    @property
    def position(self) -> tuple[int, int] | None:
        """`(line, column)`, 1-based, or None where the message belongs to no place."""
        if self.source is None or self.offset is None:
            return None
        return self.source.position(self.offset)

    def render(self) -> str:
        """The message in compiler form, with the source line, a caret, the hint and the notes."""
        out = [f"{self._where()}{self.severity}: {self.message}", *self._excerpt()]
        if self.hint:
            out.append(f"  help: {self.hint}")
        out.extend(note.render() for note in self.notes)
        return "\n".join(out)

    def _where(self) -> str:
        if self.source is None:
            return ""
        if self.position is None:
            return f"{self.source.name}: "
        line, column = self.position
        return f"{self.source.name}:{line}:{column}: "

    def _excerpt(self) -> list[str]:
        if self.source is None or self.position is None:
            return []
        line, column = self.position
        first, behind = self.source.extent(line)
        width, at = behind - 1 - first, column - 1
        start, tail = 0, ""
        if width > _EXCERPT_WIDTH:  # a window round the caret; the line may be all of a large text
            start = max(0, min(at - _EXCERPT_WIDTH // 2, width - _EXCERPT_WIDTH))
            width, tail = _EXCERPT_WIDTH, "..." if start + _EXCERPT_WIDTH < width else ""
        head = "..." if start else ""
        text = self.source.text[first + start : first + start + width].rstrip("\r").replace("\t", " ")
        text, at = head + text + tail, at - start + len(head)
        text = "".join(c if c.isprintable() else "?" for c in text)
        return [f"  {text}", "  " + " " * at + "^"]


def plural(count: int, noun: str) -> str:
    """`count` things, in words: `1 file`, `2 files`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint with the names of `known` that are closest to `word`, or None when there is nothing like it."""
    from difflib import get_close_matches  # late: the command has to start fast

    close = get_close_matches(word, sorted(set(known)), n=_HINTED, cutoff=_ALIKE)
    return "did you mean " + " or ".join(f"'{name}'" for name in close) + "?" if close else None


class DealogError(Exception):
    """Something the user has to know and act on; `diagnostics` holds at least one `Diagnostic`."""

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic] | str) -> None:
        if isinstance(diagnostics, str):
            diagnostics = Diagnostic(diagnostics)
        if isinstance(diagnostics, Diagnostic):
            diagnostics = (diagnostics,)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(d.render() for d in self.diagnostics)


def not_utf8(name: str, fault: UnicodeDecodeError) -> DealogError:
    """The error that says at which byte the file that users know as `name` is not UTF-8, as its decoder found."""
    read = fault.object
    source = SourceText(name, read.decode("utf-8", "replace"))
    offset = len(read[: fault.start].decode("utf-8"))
    return DealogError(Diagnostic(f"byte 0x{read[fault.start]:02x} is not UTF-8", source=source, offset=offset))
