"""Relations that are a file's own: what other files may not do with them, and how two files have one of a name each."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.engine import load, solve
from dealog.engine.extending import as_one_file, extended
from tests.support.engines import ENGINES

EDGES = """\
// edge(a, b): from `a`, `b` follows.
.decl edge(a: symbol, b: symbol)
edge("a", "b"). edge("b", "c").
"""
PATHS = """\
#include "edges.dl"
// step(a, b): `b` follows after any number of steps from `a`.
// @own
.decl step(a: symbol, b: symbol)
step(X, Y) :- edge(X, Y).
step(X, Z) :- step(X, Y), edge(Y, Z).
// last(a): from `a` one comes to where no step leads on.
.decl last(a: symbol)
.output last
last(X) :- step(X, Y), !step(Y, _), 1 <= count : { step(X, _) }.
"""
OURS = """\
#include "paths.dl"
// step(a): `a` is a step of ours.
.decl step(a: symbol)
.output step
step(X) :- last(X).
step("x step(y").
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"edges": EDGES, "paths": PATHS, "ours": OURS}.items():
        (tmp_path / f"{name}.dl").write_text(text)
    return tmp_path


@pytest.mark.parametrize("engine", ENGINES)
def test_two_files_may_have_one_of_a_name_each(folder: Path, engine: str) -> None:
    program = load(folder / "ours.dl")
    found = solve(program, {}, engine=engine, outputs=["step", "paths_step", "last"])
    assert found["step"] == [("a",), ("b",), ("x step(y",)]
    assert found["paths_step"] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found["last"] == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("file", "name"),
    [("My-rules.dl", "my_rules_step"), ("2 more.dl", "file_2_more_step"), ("pfäde.dl", "pf_de_step")],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_any_file_has_a_name_that_relations_can_begin_with(folder: Path, engine: str, file: str, name: str) -> None:
    (folder / "ours.dl").write_text(OURS.replace("paths.dl", file))
    (folder / "paths.dl").rename(folder / file)
    program = load(folder / "ours.dl")
    assert solve(program, {}, engine=engine, outputs=[name, "last"])["last"] == [("a",), ("b",)]


def test_a_renamed_file_counts(folder: Path) -> None:
    (folder / "ours.dl").write_text(OURS.replace('#include "paths.dl"\n', ""))
    assert "paths_step" in load([folder / "paths.dl", folder / "ours.dl"]).relations
    (folder / "paths.dl").rename(folder / "roads.dl")
    assert "roads_step" in load([folder / "roads.dl", folder / "ours.dl"]).relations


def test_the_sentence_has_the_name_in_the_program(folder: Path) -> None:
    relation = load(folder / "ours.dl").relations["paths_step"]
    assert relation.documentation == "paths_step(a, b): `b` follows after any number of steps from `a`."


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_added_to_a_program_does_not_clash_either(folder: Path, engine: str) -> None:
    ours = OURS.replace('#include "paths.dl"\n', "").replace(".output step\n", "")
    (folder / "ours.dl").write_text(ours + "last(X) :- step(X).\n")
    whole = load(folder / "paths.dl", extra=[folder / "ours.dl"])
    assert {place.old for place in whole.set_apart} == {"step"}
    base = load(folder / "paths.dl", apart=["step"])
    program = extended(base, whole)
    assert solve(program, {}, engine=engine)["last"] == [("a",), ("b",), ("x step(y",)]
    (folder / "one.dl").write_text(as_one_file(program))
    assert solve(load(folder / "one.dl"), {}, engine=engine)["last"] == [("a",), ("b",), ("x step(y",)]


def test_another_file_may_not_use_it(folder: Path) -> None:
    (folder / "ours.dl").write_text('#include "paths.dl"\n.decl q(a: symbol)\nq(X) :- step(X, _).\n')
    with pytest.raises(DealogError) as caught:
        load(folder / "ours.dl")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == "the relation step is paths.dl's own"
    assert diagnostic.source is not None and diagnostic.source.position(diagnostic.offset or 0) == (3, 9)


def test_another_file_may_not_add_to_it(folder: Path) -> None:
    (folder / "ours.dl").write_text('#include "paths.dl"\nstep("x", "y").\n')
    with pytest.raises(DealogError, match=r"the relation step is paths\.dl's own"):
        load(folder / "ours.dl")


def test_what_comes_out_is_for_all(folder: Path) -> None:
    (folder / "paths.dl").write_text(PATHS.replace(".output last", ".output last, step"))
    with pytest.raises(DealogError, match="step is its file's own, so it cannot be an output"):
        load(folder / "paths.dl")


def test_names_for_all_are_declared_once(folder: Path) -> None:
    (folder / "paths.dl").write_text(PATHS.replace("// @own\n", ""))
    with pytest.raises(DealogError, match="the relation step is declared twice"):
        load(folder / "ours.dl")


def test_documentation_ends_ahead_of_the_mark(folder: Path) -> None:
    relation = load(folder / "paths.dl").relations["step"]
    assert relation.is_own and relation.documentation.endswith("from `a`.")
    assert not load(folder / "paths.dl").relations["last"].is_own
