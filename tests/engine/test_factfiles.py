"""Fact files: any symbol survives, and Soufflé run by hand reads what is written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealog.diagnostics import DealogError
from dealog.engine import load, loads, read_facts, solve, write_facts
from tests.support.engines import needs_souffle, run_souffle

PROGRAM = """
.decl s(x: symbol, n: number, y: symbol)
.input s
.decl one(x: symbol)
.input one(IO=file, filename="other.txt", delimiter="\\t")
.decl flag()
.input flag
.decl derived(x: symbol)
.output derived
derived(x) :- one(x), !s(x, _, _).
derived(cat(y, "!")) :- s(_, _, y), flag().
"""

SYMBOLS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from('\t\n\r\0\u241b\\"tn,'))
)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(SYMBOLS, st.integers(-(2**31), 2**31 - 1), SYMBOLS)),
    st.lists(st.tuples(SYMBOLS)),
    st.booleans(),
)
def test_round_trip(s: list[tuple[str, int, str]], one: list[tuple[str]], flag: bool) -> None:
    program = loads(PROGRAM)
    facts: dict[str, list[tuple[str | int, ...]]] = {"s": [*s], "one": [*one], "flag": [()] if flag else []}
    with tempfile.TemporaryDirectory() as folder:
        write_facts(program, facts, folder)
        assert read_facts(program, folder) == facts


def test_plain_symbols_stand_for_themselves(tmp_path: Path) -> None:
    write_facts(loads(PROGRAM), {"s": [("a b", -1, "\\t"), ("", 2, '"é"')]}, tmp_path / "new")
    assert (tmp_path / "new" / "s.facts").read_text("utf-8") == 'a b\t-1\t\\t\n\t2\t"é"\n'
    assert (tmp_path / "new" / "other.txt").read_text("utf-8") == ""
    assert (tmp_path / "new" / "flag.facts").read_text("utf-8") == ""
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["flag.facts", "other.txt", "s.facts"]


def test_escapes(tmp_path: Path) -> None:
    write_facts(loads(PROGRAM), {"one": [("a\tb\n\r\0\u241b",)]}, tmp_path)
    assert (tmp_path / "other.txt").read_text("utf-8") == "a\u241btb\u241bn\u241br\u241b0\u241b\u241b\n"


@needs_souffle
def test_souffle_by_hand(tmp_path: Path) -> None:
    (tmp_path / "p.dl").write_text(PROGRAM)
    program = load(tmp_path / "p.dl")
    facts: dict[str, list[tuple[str | int, ...]]] = {
        "s": [("a", 1, "b\tc"), ("x\n", -5, "")],
        "one": [("a",), ("\\",), ("x\n",), ("",)],
        "flag": [()],
    }
    write_facts(program, facts, tmp_path)
    done = run_souffle("-F", ".", "-D", ".", "p.dl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "derived.csv").read_text("utf-8").split("\n")[:-1]
    expected = solve(program, facts, engine="embedded")["derived"]
    assert sorted(lines) == sorted(
        str(x).replace("\t", "\u241bt").replace("\n", "\u241bn") for (x,) in expected
    )


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        ("a\t1\tb\na\t1\n", "2:1", "this is not a tuple of s: 2 fields, not 3"),
        ("a\tone\tb\n", "1:1", "this is not a tuple of s: 'one' in the column n is not a number"),
        ("a\t1\tb\n\n", "2:1", "this is not a tuple of s: 1 fields, not 3"),
        (
            "a\t2147483648\tb\n",
            "1:1",
            "this is not a tuple of s: 2147483648 in the column n does not fit",
        ),
    ],
)
def test_lines_that_do_not_fit(tmp_path: Path, content: str, place: str, message: str) -> None:
    (tmp_path / "s.facts").write_text(content, "utf-8")
    with pytest.raises(DealogError) as caught:
        read_facts(loads(PROGRAM), tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 's.facts'}:{place}: error: {message}")


def test_folders_and_forms_that_cannot_be_used(tmp_path: Path) -> None:
    program = loads(PROGRAM)
    with pytest.raises(DealogError, match="is not a folder"):
        read_facts(program, tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(DealogError, match="cannot write"):
        write_facts(program, {}, tmp_path / "file")
    with pytest.raises(DealogError, match="is not a character"):
        write_facts(program, {"one": [("\ud800",)]}, tmp_path)
    other = loads(".decl a(x: symbol)\n.input a(IO=sqlite)", "p.dl")
    with pytest.raises(DealogError, match=r"p\.dl:2:1: error: IO=sqlite: facts in this form"):
        write_facts(other, {}, tmp_path)
