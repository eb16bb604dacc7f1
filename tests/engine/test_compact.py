"""Compact programs: less to read, the same tuples."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from dealog.engine import loads, solve
from dealog.engine.compact import compact, load_compact

TEXT = """
.decl operation(op: symbol, name: symbol)
.input operation
.decl like(name: symbol, other: symbol)
like("b", "a"). like("c", "b").
.decl arity(name: symbol, operands: number)
arity("a", 1).
arity(N, K) :- like(N, M), arity(M, K).
.decl takes(op: symbol, operands: number)
.output takes
takes(O, K) :- operation(O, N), arity(N, K).
.decl other(op: symbol)
other(O) :- operation(O, "a").
"""


def test_what_follows_from_the_program_alone_is_worked_out() -> None:
    program, stated = compact(loads(TEXT), ["takes"])
    assert stated == {"arity": [("a", 1), ("b", 1), ("c", 1)]}
    assert [rule.heads[0].relation for rule in program.rules] == ["takes"]
    assert set(program.relations) == {"operation", "arity", "takes"}


def test_the_tuples_are_the_same() -> None:
    facts = {"operation": [("x", "c"), ("y", "d"), ("z", "a")]}
    program, stated = pickle.loads(pickle.dumps(compact(loads(TEXT), ["takes"])))
    found = solve(program, {**facts, **stated}, engine="embedded", outputs=["takes"])
    assert found["takes"] == solve(loads(TEXT), facts)["takes"] == [("x", 1), ("z", 1)]


def test_it_is_kept_as_long_as_the_files_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "cache"))
    file, other = tmp_path / "main.dl", tmp_path / "included.dl"
    file.write_text(TEXT + '#include "included.dl"\n')
    other.write_text("")
    assert load_compact(file, ["takes"], [file, other])[1]["arity"][-1] == ("c", 1)
    other.write_text('like("d", "c").')
    assert load_compact(file, ["takes"], [file, other])[1]["arity"][-1] == ("d", 1)
    monkeypatch.setattr("dealog.engine.compact.compact", None)  # which is not needed again
    assert load_compact(file, ["takes"], [file, other])[1]["arity"][-1] == ("d", 1)
