"""Splits lines of MLIR into pieces of one colour."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(
    r"""(?P<comment>//.*)
      | (?P<text>"(?:[^"\\]|\\.)*"?)
      | (?P<value>%[\w$.\-]+(?:\#\d+)?)
      | (?P<block>\^[\w$.\-]+)
      | (?P<symbol>@(?:[\w$.\-]+|"[^"]*"))
      | (?P<type>\b(?:memref|tensor|vector|tuple|complex|strided|affine_map|dense)(?=<)
               |\b(?:index|none|[su]?i\d+|b?f\d+\w*)\b | ![\w$.]+)
      | (?P<operation>\b[a-z_]\w*(?:\.[a-z_]\w*)+\b | \b(?:return|module|call)\b)
      | (?P<number>(?<![\w$.])-?\d[\w.]*(?![\w$]))""",
    re.VERBOSE,
)


KINDS = {
    "comment": "c", "text": "x", "value": "v", "block": "b", "symbol": "s", "type": "t", "operation": "o", "number": "n"
}  # fmt: skip
"""What kinds of pieces are called on the page, where there are many."""


def pieces(line: str) -> Iterator[tuple[str, str]]:
    """The pieces of a line, each with its kind (empty where it is of none); joined, they are the line."""
    at = 0
    for match in _PIECE.finditer(line):
        if match.start() > at:
            yield "", line[at : match.start()]
        yield KINDS[match.lastgroup or ""], match[0]
        at = match.end()
    if at < len(line):
        yield "", line[at:]


def javascript_pattern() -> str:
    """What the pieces of a line are known by, for the script of a page that makes its lines itself."""
    plain = "".join(line.strip() for line in _PIECE.pattern.split("\n")).replace(" | ", "|").replace("| ", "|")
    return plain.replace("(?P<", "(?<").replace(r"\#", "#").replace(" (?", "(?").strip()
