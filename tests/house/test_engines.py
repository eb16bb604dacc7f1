"""What needs Soufflé says so, so that every test passes or is skipped on a machine that has none.

A test that names this engine, or goes through a helper or a fixture that does, has the mark `needs_souffle`, unless
the name comes from `ENGINES`. It is read from the text, as a machine that has Soufflé would not show it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
FILES = {
    str(path.relative_to(TESTS)): path.read_text("utf-8")
    for path in sorted(TESTS.rglob("*.py"))
    if path.parent != TESTS / "support" and path != Path(__file__)
}
ABSENT = {
    "cli/test_facts_and_engines.py: test_no_souffle_is_a_clear_message",
    "extensions/test_settings.py: test_unregistered_dialects_and_engines",
    "verify/test_first_pass.py: test_nothing_is_begun_where_another_engine_a_time_limit_or_own_rules_may_decide",
}
"""Tests of what is said where there is no Soufflé, or of what is not done with it."""

STAND_IN = "pretend"
"""The fixture that puts a command of the test's own in the place of Soufflé."""

_NAMED = re.compile(r"souffle|.*\bengine\b\W+souffle\b.*", re.DOTALL)
_START = {"run_souffle", "'souffle'"}


def unmarked(files: Mapping[str, str]) -> set[str]:
    """The tests that need Soufflé and do not say so, each with its file; or the line, outside of functions."""
    parts = [(file, name, set(_names(node))) for file, text in files.items() for name, node in _parts(ast.parse(text))]
    leading = set(_START)
    while True:
        found = {(file, name) for file, name, names in parts if names & leading}
        helpers = {name for _, name in found if name.isidentifier() and not name.startswith("test")}
        if helpers <= leading:
            return {f"{file}: {name}" for file, name in found if name not in helpers}
        leading |= helpers


def _parts(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.stmt]]:
    """The functions and methods of a file, by name, and its other statements, as `line 1`."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from _parts(node)
        else:
            yield (node.name if isinstance(node, ast.FunctionDef) else f"line {node.lineno}"), node


def _names(node: ast.AST) -> Iterator[str]:
    """The names in a part, fixtures among them, and `'souffle'` for that engine; not what a mark stands above."""
    if _is_marked(node):
        return
    match node:
        case ast.Constant(value=str(text)) if _NAMED.fullmatch(text):
            yield "'souffle'"
        case ast.Name(id=name) | ast.arg(arg=name):
            yield name
    for child in ast.iter_child_nodes(node):
        yield from _names(child)


def _is_marked(node: ast.AST) -> bool:
    match node:
        case ast.FunctionDef(name=name, args=ast.arguments(args=arguments), decorator_list=marks):
            stands_in = STAND_IN in {name, *(argument.arg for argument in arguments)}
            return stands_in or any(_is_the_mark(mark) for mark in marks)
        case ast.Call(keywords=keywords):
            return any(keyword.arg == "marks" and _is_the_mark(keyword.value) for keyword in keywords)
    return False


def _is_the_mark(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "needs_souffle"


def test_what_needs_souffle_says_so() -> None:
    assert unmarked(FILES) == ABSENT


MISSED = {
    "a test": 'def test_a():\n    solve(p, engine="souffle")',
    "an option": 'def test_a():\n    dealog("opt", "--engine=souffle")',
    "an option in two words": 'def test_a():\n    run(f"dealog check {path} --engine souffle")',
    "a setting": "def test_a(path):\n    path.write_text('engine = \"souffle\"')",
    "one parameter of several": '@parametrize("engine", ["embedded", "souffle"])\ndef test_a(engine):\n    run(engine)',
    "a parameter with another mark": '@parametrize("engine", [param("souffle", marks=nightly)])\ndef test_a(e): pass',
    "a mark of one's own": '@skipif(which("souffle") is None)\ndef test_a():\n    pass',
    "a helper": 'def ask():\n    return solve(p, engine="souffle")\ndef test_a():\n    assert ask()',
    "a fixture": '@fixture\ndef real():\n    return run_souffle("p.dl")\ndef test_a(real):\n    assert real',
    "a helper of a helper": "def b():\n    return c()\ndef c():\n    run_souffle()\ndef test_a():\n    b()",
}
FINE = {
    "a mark": '@needs_souffle\ndef test_a():\n    assert ask("souffle")',
    "a mark beside others": "@nightly\n@needs_souffle\n@EACH\ndef test_a(name):\n    run_souffle(name)",
    "a parameter with the mark": '@parametrize("e", [(), param("souffle", marks=needs_souffle)])\ndef test_a(e): pass',
    "ENGINES": '@parametrize("engine", ENGINES)\ndef test_a(engine):\n    solve(p, engine=engine)',
    "a stand-in": 'def test_a(pretend):\n    solve(p, engine="souffle")',
    "another word": 'def test_a():\n    assert "souffle -F facts" in run()',
}


@pytest.mark.parametrize("text", MISSED.values(), ids=MISSED)
def test_it_is_seen_where_it_is_missing(text: str) -> None:
    assert unmarked({"a.py": text}) == {"a.py: test_a"}


def test_helpers_are_seen_from_other_files() -> None:
    assert unmarked({"conftest.py": "def ask():\n    run_souffle()", "a.py": "def test_a(ask):\n    pass"}) == {
        "a.py: test_a"
    }


def test_it_is_seen_outside_of_functions() -> None:
    assert unmarked({"a.py": 'import os\nENGINES = ["embedded", "souffle"]'}) == {"a.py: line 2"}


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_what_says_so_is_fine(text: str) -> None:
    assert unmarked({"a.py": text}) == set()
