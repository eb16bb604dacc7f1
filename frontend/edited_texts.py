"""Whether a text that an edit brings can stand in a module: one type, or one attribute."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from dealog.frontend.aliases import first_undefined
from dealog.frontend.attributes import dictionary_entries
from dealog.frontend.described_types import describe
from dealog.frontend.lexer import STRING, Unbalanced, split_list

_STRINGS = re.compile(STRING)
_SURELY_DESCRIBED = re.compile(r"(?:memref|tensor|vector)\s*<|\w+\Z", re.ASCII).match


@lru_cache(maxsize=4096)
def is_type(text: str) -> bool:
    """Whether `text`, without aliases, may be a type; one that cannot be read may."""
    return _is_one(text) and not (_SURELY_DESCRIBED(text) and describe(text) is None)


def is_attribute(text: str, aliases: Mapping[str, str]) -> bool:
    """Whether `text` may be an attribute; what is wrong with it besides, the verifier reports."""
    return _is_one(text) and first_undefined(text, dict.fromkeys(aliases, 0), len(text)) is None


def _is_one(text: str) -> bool:
    """Whether `text` is one element of a list."""
    if '"' in _STRINGS.sub("", text):
        return False
    try:
        (entry,) = dictionary_entries(f"{{a = {text}}}", (0, len(text) + 6))
        return len(list(split_list(text, 0, len(text)))) == 1 and entry[0] == "a"
    except (ValueError, Unbalanced):
        return False
