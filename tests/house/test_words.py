"""The documentation says things in the words of the field."""

import re

import pytest

from .house import ROOT

WORDS = re.compile(
    r"\b(?:(?:be|is|are|was|were) told|than which|rooms|(?:every|each|other|another|this) room|face)\b", re.IGNORECASE
)
_FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
NAMES = re.compile(r"\w*told\w*", re.IGNORECASE)
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_plain_words(path):
    prose = _FENCE.sub("", path.read_text("utf-8"))
    assert [prose[max(0, m.start() - 40) : m.end() + 20] for m in WORDS.finditer(prose)] == []


def test_names_of_relations_state_facts():
    """A relation is named for what holds, not for what is said of it."""
    texts = {path: path.read_text("utf-8") for path in (ROOT / "rules").rglob("*.dl")}
    assert len(texts) > 100
    assert {path: found for path, text in texts.items() if (found := NAMES.findall(text))} == {}


def test_the_search_finds_them():
    assert NAMES.search("freed_as_told(op)")
    assert WORDS.search("All faults of a file are told in one run.") and not WORDS.search("There is room for one.")
