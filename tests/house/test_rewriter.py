"""The rewriter carries out edits, and decides nothing: it knows no relation but these, puts nothing in an order but
that of their columns or of the text, and reads nothing out of names."""

import ast

import pytest

from dealog.extensions import relation_names

from .house import ROOT
from .test_relations import relations

FILES = sorted((ROOT / "rewriter").glob("*.py"))
OF_THE_TEXT = {"_place"}  # functions that say where something stands


def faults(text: str) -> list[str]:
    """What in the Python `text` is more than carrying out."""
    found = []
    decided = relations().keys() - set(relation_names("edits"))
    looked_up = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Subscript) and "relations" in ast.unparse(node.value):
            looked_up |= {n.value for n in ast.walk(node.slice) if isinstance(n, ast.Constant)}
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called == "get" and "relations" in ast.unparse(node.func):
            looked_up |= {n.value for n in ast.walk(node.args[0]) if isinstance(n, ast.Constant)}
        if called in ("startswith", "endswith", "removeprefix", "removesuffix"):
            found += [ast.unparse(node)] if ast.unparse(node.args[0]) != "'%'" else []
        if called in ("sort", "sorted"):
            keys = [keyword.value for keyword in node.keywords if keyword.arg == "key"]
            found += [ast.unparse(node) for key in keys if not _by_columns(key)]
    return found + sorted(looked_up & decided)


def _by_columns(key: ast.expr) -> bool:
    """Whether the `key` of an order is made of columns, or of the place in the text."""
    calls = [n for n in ast.walk(key) if isinstance(n, ast.Call)]
    named = {getattr(call.func, "id", "") for call in calls}
    plain = not any(isinstance(n, ast.Attribute | ast.Compare | ast.IfExp) for n in ast.walk(key))
    return plain and isinstance(key, ast.Lambda) and named <= OF_THE_TEXT


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_decides_nothing(path):
    assert faults(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "self.relations['freed_if']",
        "relations.get('retained', ())",
        "name.startswith('own ')",
        "sorted(values, key=lambda value: value.name)",
        "found.sort(key=lambda op: 0 if op.inserted else 1)",
        "found.sort(key=by_meaning)",
    ],
)
def test_what_decides_is_noticed(text):
    assert faults(text)
