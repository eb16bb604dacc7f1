"""Uses of aliases that nothing before them defines.

MLIR reads a text once, so that an alias is known from its definition on; only those of locations may be defined later.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dealog.frontend.lexer import COMMENT, skip

_NAME = r"(?<![\w$.\-%])[#!][A-Za-z0-9_$][\w$\-]*+(?![\w$.<])"
_USE = re.compile(_NAME, re.ASCII)
_PARTS = re.compile(
    rf'"(?:[^"\\\n]|\\.)*"|{COMMENT}|(?P<location>\bloc\()|(?P<body>[#!][A-Za-z_$][\w$.\-]*+<)|(?P<use>{_NAME})',
    re.ASCII,
)
_INSIDE = re.compile(rf'"(?:[^"\\\n]|\\.)*"|{COMMENT}|->|(?P<open>[<(])|(?P<close>[>)])')


def first_undefined(text: str, definitions: Mapping[str, int], operations: int) -> tuple[int, int] | None:
    """Where `text` uses an alias first that is not defined before: where the use begins and ends.

    `definitions` says at which offset the definition of each alias ends; the first operation begins at the offset
    `operations`. What stands in types and attributes of dialects, and in locations, is not looked at.
    """
    if all(end <= operations for end in definitions.values()) and definitions.keys() >= set(
        _USE.findall(text, operations)
    ):
        stop = operations  # as mlir-opt prints: definitions come first, so that only these can be out of order
    else:
        stop = len(text)
    at = 0
    while found := _PARTS.search(text, at, stop):
        at = found.end()
        if found["location"] or found["body"]:
            at = _behind(text, at)
        elif (use := found["use"]) and definitions.get(use, len(text) + 1) > found.start() and not _defines(text, at):
            return found.start(), at
    return None


def _defines(text: str, at: int) -> bool:
    """Whether the alias that ends at the offset `at` is defined there."""
    following = skip(text, at)
    return text.startswith("=", following) and not text.startswith("==", following)


def _behind(text: str, at: int) -> int:
    """Where what is open at the offset `at`, in one pair of brackets, has ended."""
    depth = 1
    while depth and (found := _INSIDE.search(text, at)):
        at = found.end()
        depth += bool(found["open"]) - bool(found["close"])
    return at if not depth else len(text)
