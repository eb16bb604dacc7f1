"""MLIR texts with as little between their lexemes as can be, and with as much."""

from __future__ import annotations

import re

_LEXEME = re.compile(r'(?:\s|//[^\n]*)+|"(?:[^"\\]|\\.)*"|[\w$.\-]+|.', re.DOTALL)
_NAME = re.compile(r"[\w$.\-]")
COMMENT = '  // a "comment" {(<, : -> %c)}\n'


def _lexemes(text: str) -> list[str]:
    return _LEXEME.findall(text)


def _is_space(lexeme: str) -> bool:
    return lexeme.isspace() or lexeme.startswith("//") or lexeme[0].isspace()


def minified(text: str) -> str:
    """`text` without the blanks, line ends and comments that it can do without."""
    lexemes = _lexemes(text)
    out = []
    for number, lexeme in enumerate(lexemes):
        if not _is_space(lexeme):
            out.append(lexeme)
        elif out and number + 1 < len(lexemes) and _NAME.match(out[-1][-1]) and _NAME.match(lexemes[number + 1]):
            out.append(" ")
    return "".join(out)


def commented(text: str) -> str:
    """`text` with a comment, and a line end, wherever it has blanks, line ends or comments."""
    return "".join(COMMENT if _is_space(lexeme) else lexeme for lexeme in _lexemes(text))
