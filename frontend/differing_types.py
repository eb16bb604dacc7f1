"""Whether two types are different, however they are spelled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dealog.frontend.described_types import describe
from dealog.frontend.types import numbers_differ, surely_differ

if TYPE_CHECKING:
    from dealog.frontend.grammar import Grammar

_ALIAS = re.compile(r"[#!][\w$\-]+(?![\w$.<\-])", re.ASCII)
_DEEPEST = 100  # aliases of aliases


def expanded(type: str, aliases: Mapping[str, str]) -> str:
    """`type` with the aliases inside of it resolved, too."""
    for _ in range(_DEEPEST):
        text = _ALIAS.sub(lambda match: aliases.get(match[0], match[0]), type)
        if text == type:
            break
        type = text
    return type


def differ(one: str, other: str, grammar: Grammar) -> bool:
    """Whether two types, without aliases in them, are different; where that cannot be said, they are not. `grammar`
    says which dialects spell their types out."""
    known, known_other = describe(one), describe(other)
    if known is None or known_other is None:
        unreadable = known is not None and other.startswith("vector<")  # all vectors that there are can be read
        return unreadable or surely_differ(one, other)
    if known.vague or known_other.vague:
        if known.outline != known_other.outline or surely_differ(one, other):
            return True
        if numbers_differ(one, other, grammar.numbers_spelled_out):
            return True
        contents = known.content, known_other.content
        return known.dialect in grammar.spelled_out and "" not in contents and contents[0] != contents[1]
    return known.text != known_other.text
