"""Parses a file with one parser and prints the seconds it took: `parse_once.py PARSER FILE`.

The parser has a small text first, so that what it loads once is loaded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

_FIRST = '"builtin.module"() ({\n}) : () -> ()\n'


def _dealog() -> Callable[[str], object]:
    from dealog.frontend import parse

    return lambda text: parse(text, "text.mlir")


def _xdsl() -> Callable[[str], object]:
    from xdsl.context import Context
    from xdsl.dialects.builtin import Builtin
    from xdsl.parser import Parser

    def parse(text: str) -> object:
        context = Context(allow_unregistered=True)
        context.load_dialect(Builtin)
        return Parser(context, text).parse_module()

    return parse


PARSERS: dict[str, Callable[[], Callable[[str], object]]] = {"dealog": _dealog, "xdsl": _xdsl}


def main(parser: str, path: str) -> None:
    """Print how many seconds `parser` takes for the file at `path`, once it is loaded."""
    parse = PARSERS[parser]()
    parse(_FIRST)
    text = Path(path).read_text()
    started = time.perf_counter()
    parse(text)
    print(time.perf_counter() - started)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
