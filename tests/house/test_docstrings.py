"""Every public definition says what it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .house import ROOT, modules

FILES = sorted(modules().values())


def undocumented(body: list[ast.stmt]) -> Iterator[str]:
    """The public classes, functions and methods in `body` that have no docstring."""
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not each.name.startswith("_"):
            if ast.get_docstring(each) is None:
                yield each.name
            if isinstance(each, ast.ClassDef):
                yield from (f"{each.name}.{name}" for name in undocumented(each.body))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_public_definitions_have_docstrings(path: Path) -> None:
    assert list(undocumented(ast.parse(path.read_text(encoding="utf-8")).body)) == []


def test_the_search_finds_them() -> None:
    text = 'def f(): pass\nclass A:\n    """An A."""\n    def g(self): pass\n    def _h(self): pass\n'
    assert list(undocumented(ast.parse(text).body)) == ["f", "A.g"]
