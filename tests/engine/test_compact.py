"""Compact programs: less to read, the same tuples."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from dealog.engine import load, loads, solve
from dealog.engine.compact import compact, load_compact
from dealog.engine.program import Tuple
from dealog.pipeline import Engine
from tests.support import generate
from tests.support.dealog import run_dealog
from tests.support.nightly import nightly

pytestmark = pytest.mark.usefixtures("computes_here")

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


def test_it_is_kept_as_long_as_it_is_made_from_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "main.dl"
    file.write_text(TEXT)

    def arities(made_from: str) -> list[Tuple]:
        return load_compact("main", lambda: load(file), lambda whole: ["takes"], made_from)[1]["arity"]

    assert arities("one")[-1] == ("c", 1)
    file.write_text(TEXT + 'like("d", "c").')
    assert arities("one")[-1] == ("c", 1)
    assert arities("another")[-1] == ("d", 1)
    monkeypatch.setattr("dealog.engine.compact.compact", None)  # which is not needed again
    assert arities("another")[-1] == ("d", 1)


@pytest.mark.parametrize(
    "passes",
    ["static-buffer-deallocation", pytest.param("buffer-deallocation-pipeline", marks=nightly), "plan-memory"],
)
def test_passes_decide_the_same_by_compact_programs(passes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [generate.program(seed, size=20) for seed in range(3)]
    by_compact = [run_dealog(text, [passes]).unwrap() for text in texts]
    monkeypatch.setattr(Engine, "begins_embedded", False)
    assert [run_dealog(text, [passes]).unwrap() for text in texts] == by_compact != texts


def test_what_is_translated_is_kept_beside_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process need not translate, though it knows texts by other numbers."""
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path))
    file = tmp_path / "paths.dl"
    file.write_text(PATHS)
    script = f"""
import sys
from dealog.engine import load, solve, translation
from dealog.engine.compact import load_compact
made = []
lines = translation.Clause.lines
translation.Clause.lines = lambda self: made.append(self) or lines(self)
if sys.argv[1:]:
    other, _ = load_compact("paths", lambda: load({str(file)!r}), lambda _: ["named"], "other")
    solve(other, {{"edge": [("z", "y")]}}, engine="embedded")
program, _ = load_compact("paths", lambda: load({str(file)!r}), lambda _: ["named"], "this")
print(solve(program, {{"edge": [("a", "b"), ("b", "home")]}}, engine="embedded")["named"], len(made))
"""
    first, again, after_another = (
        subprocess.run([sys.executable, "-c", script, *more], capture_output=True, text=True, check=True).stdout
        for more in ((), (), ("other",))
    )
    expected = "[('a to home',), ('b to home',)]"
    assert first.startswith(expected) and not first.endswith(" 0\n")
    assert again == f"{expected} 0\n"
    assert after_another.startswith(expected)


PATHS = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
.decl named(x: symbol)
.output named
named(cat(x, cat(" to ", y))) :- path(x, y), x != "nowhere", y = "home".
"""
