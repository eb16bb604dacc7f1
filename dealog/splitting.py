"""`-split-input-file`: several modules in one file, a marker line between them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dealog.diagnostics import Diagnostic, SourceText

DEFAULT_MARKER = "// -----"
_LINE_END = re.compile(r"[ \t]*[\r\n]")
_TOLERANCE = 2  # a marker that lacks up to this many characters of its end is a near miss


@dataclass(frozen=True)
class Chunk:
    """A part of the input; `first_line` is the number, in the whole file, of the line that it starts on."""

    text: str
    first_line: int


def split(text: str, name: str, marker: str) -> tuple[list[Chunk], list[Diagnostic]]:
    """Cut `text` wherever a line ends with `marker`.

    Returns the chunks and a warning for each line that looks like a marker but is not one. As in mlir-opt, a
    chunk starts right after its marker and keeps the line numbers of the file.
    """
    chunks: list[Chunk] = []
    warnings: list[Diagnostic] = []
    source = SourceText(name, text)
    stem = marker[:-_TOLERANCE] or marker
    start = 0
    for match in re.finditer(re.escape(stem) + r"([^\r\n]*)", text):
        if match.group(0).rstrip() == marker:
            chunks.append(Chunk(text[start : match.start()], source.position(start)[0]))
            start = match.start() + len(marker)
        else:
            message = "near miss with file split marker"
            warnings.append(Diagnostic(message, "warning", source, match.start()))
    chunks.append(Chunk(text[start:], source.position(start)[0]))
    return chunks, warnings


def join(texts: Iterable[str], marker: str) -> str:
    """Put the outputs together: each starts where its marker ends, as the chunks did."""
    out = ""
    for i, text in enumerate(texts):
        if i:
            out += ("" if not out or out.endswith(("\n", "\r")) else "\n") + marker
            out += "" if _LINE_END.match(text) else "\n"
        out += text
    return out
