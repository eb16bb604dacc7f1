"""Regular expressions keep to what every Python that is supported matches right."""

import re
from pathlib import Path

import pytest

from .house import ROOT, modules

POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")
FILES = sorted(modules().values())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_possessive_quantifier_stands_after_a_group(path: Path) -> None:
    """Before Python 3.11.5 they match too little where the group backtracks (python/cpython 106052): `(?>(?:...)*)` is
    the same, and right everywhere."""
    assert not POSSESSIVE_GROUP.findall(path.read_text(encoding="utf-8"))


def test_the_search_finds_them() -> None:
    assert POSSESSIVE_GROUP.search(r"(?:ab)*+") and not POSSESSIVE_GROUP.search(r"[ab]*+(?>(?:ab)*)\)?+")
