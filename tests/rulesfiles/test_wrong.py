"""Wrong rule files: each fault has one message, at its place; and what is right for Dealog is right for Soufflé."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from dealog import rules
from dealog.engine import load
from dealog.extensions import Extensions
from dealog.rulebook.check import check
from tests.support.engines import needs_souffle, run_souffle
from tests.support.nightly import one_in

from .wrong import OWN, WRONG, Wrong


@pytest.mark.parametrize("wrong", one_in(6, WRONG), ids=lambda wrong: wrong.name)
def test_one_message_at_its_place(wrong: Wrong, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mydb.dl").write_text(wrong.text + "\n")
    report = check([Path("mydb.dl")], Extensions())
    rendered = [d.render() for d in report.diagnostics]
    assert len(rendered) == 1, "\n".join(rendered)
    lines = rendered[0].split("\n")
    assert lines[0].startswith(f"mydb.dl:{wrong.place}: error: {wrong.message}"), rendered[0]
    row, column = map(int, wrong.place.split(":"))
    assert lines[1:3] == [f"  {wrong.text.splitlines()[row - 1]}", "  " + " " * (column - 1) + "^"]
    assert wrong.hint is None or wrong.hint in rendered[0]
    assert report.wrong and report.summary == "1 error"


def test_the_list_is_long_and_varied() -> None:
    assert len(WRONG) >= 40
    assert len({wrong.message for wrong in WRONG}) >= 60
    assert len({wrong.name for wrong in WRONG}) == len(WRONG)


# ---- Soufflé --------------------------------------------------------------------------------------------

_SHIPPED = ("schema", "vocabulary", "alias", "deallocation")
"""Rule files that have every relation which the texts speak of."""


@cache
def shipped() -> str:
    """Those of Dealog's rules that the texts speak of, as one text."""
    program = load([rules.program(name) for name in _SHIPPED])
    return "\n".join(segment.text for segment in program.segments)


def souffle_takes_the_rules(text: str, folder: Path) -> tuple[bool, str]:
    """Whether Soufflé takes a rule file that goes with Dealog's, and what it says."""
    return souffle_takes(f"{shipped()}\n{text}\n", folder)


def souffle_takes(text: str, folder: Path) -> tuple[bool, str]:
    """Whether Soufflé takes a program, and what it says; its own preprocessor reads the file."""
    (folder / "p.dl").write_text(text)
    done = run_souffle("-F", ".", "p.dl", "--show=transformed-ast", cwd=folder)
    return done.returncode == 0, done.stderr


ASKED = [wrong for wrong in WRONG if wrong.souffle != "not asked"]


@needs_souffle
@pytest.mark.parametrize("wrong", ASKED, ids=[wrong.name for wrong in ASKED])
def test_souffle_on_the_same_text(wrong: Wrong, tmp_path: Path) -> None:
    takes, said = souffle_takes_the_rules(wrong.text, tmp_path)
    assert takes == (wrong.souffle == "takes"), said


RIGHT = {
    "a relation of one's own": OWN + "mine(V, I) :- operand(_, I, V), buffer(V).",
    "more about a relation that ships": 'known_effects("mydb.scan"). allocates("mydb.scan", 0).',
    "negation, comparison, aggregate": OWN
    + "mine(V, N) :- buffer(V), N = count : { operand(_, _, V) }, N > 1, !may_alias(V, V).",
    "recursion": "// near(v, w): `v` `w`.\n.decl near(v: Value, w: Value)\nnear(V, W) :- comes_from(V, W).\n"
    "near(V, W) :- near(V, U), comes_from(U, W).",
    "types": ".type Pool <: symbol // a pool\n// pool(p, v): `p` `v`.\n.decl pool(p: Pool, v: Value)\n"
    'pool(P, V) :- buffer(V), P = cat("pool ", "0").',
    "several heads and alternatives": OWN + "mine(V, 1), mine(V, 2) :- buffer(V), (unranked(V) ; !manual(V)).",
    "a guard": "#ifndef MYDB\n#define MYDB\n" + OWN + "mine(V, 1) :- buffer(V).\n#endif",
    "strings": r'known_effects("mydb.\"scan\"").',
}


EACH_RIGHT = pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)


@EACH_RIGHT
def test_what_is_right(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mydb.dl"
    file.write_text(text + "\n")
    assert check([file], Extensions()).diagnostics == ()


@needs_souffle
@EACH_RIGHT
def test_what_is_right_is_right_for_souffle(text: str, tmp_path: Path) -> None:
    takes, said = souffle_takes_the_rules(text, tmp_path)
    assert takes, said


# ---- many faults, warnings ------------------------------------------------------------------------------


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    """Statements that cannot be read, and those that can and are wrong, in the order of the text."""
    alone = ("negates-itself", "record")
    faults = [w for w in WRONG if w.place == "3:26" and w.text.startswith(OWN) and w.name not in alone]
    file = tmp_path / "mydb.dl"
    file.write_text(OWN + "".join(wrong.text.removeprefix(OWN) + "\n" for wrong in faults))
    report = check([file], Extensions())
    assert len(faults) >= 6 and report.summary == f"{len(faults)} errors"
    told = [(d.position, d.message) for d in report.diagnostics]
    assert [place for place, _ in told] == [(row, 26) for row in range(3, 3 + len(faults))]
    assert all(message.startswith(wrong.message) for wrong, (_, message) in zip(faults, told, strict=True))


def test_a_declaration_that_cannot_be_read_is_not_missed_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "mydb.dl"
    file.write_text(".decl p(v Value)\np(V) :- buffer(V).\nq(V) :- p(V).\n")
    messages = [d.message for d in check([file], Extensions()).diagnostics]
    assert messages == ["the column v has no type", "the relation q is not declared"]


def test_files_are_checked_together_and_on_top_of_others(tmp_path: Path) -> None:
    for name, text in {
        "base.dl": "// p(v): `v`.\n.decl p(v: Value)\np(V) :- buffer(V).",
        "more.dl": "// q(v): `v`.\n.decl q(v: Value)\nq(V) :- p(V).",
    }.items():
        (tmp_path / name).write_text(text)
    base, more = tmp_path / "base.dl", tmp_path / "more.dl"
    assert check([more], Extensions()).wrong
    assert check([base, more], Extensions()).summary == "2 files, 2 relations, 2 clauses: no errors"
    assert check([more], Extensions(rules=(base,))).summary == "1 file, 1 relation, 1 clause: no errors"


WARNED = (
    (".decl p(v: Value)\np(V) :- buffer(V).", "1:7", "the relation p has no documentation", "// p(v): `v` …"),
    (OWN, "2:7", "the relation mine is always empty", "add a rule or a fact"),
    (OWN + "mine(V, 1) :- buffer(V), operand(_, Indx, V).", "3:37", "Indx stands in this rule only once", "write _"),
    (OWN + "mine(Val, 1) :- buffer(Val), unranked(Valu).", "3:39", "Valu stands in this rule only once",
     "did you mean Val?"),
    (OWN + "mine(V, 1) :- buffer(V).\nmine(W, 1) :- buffer(W).", "4:1", "this rule is there twice",
     "mydb.dl:3:1: note"),
    ('known_effects("memref.alloc").', "1:1", "this is stated twice", "stated here before"),
    (OWN + "mine(V, 1) :- buffer(V).\nmine(V, N) :- mine(V, N), unranked(V).", "4:15",
     "this rule derives nothing new", None),
    ('// p(name): so.\n.decl p(name: symbol)\np("a").\np(cat("a", X)) :- p(X), operation(_, "mydb.a", _, _).', "4:3",
     "each text that this makes leads to a longer one", "add a condition"),
    ("// p(number): so.\n.decl p(number: number)\np(0).\np(N + 1) :- p(N).", "4:3",
     "each number that this makes leads to a further one", "add a condition"),
    ('freed_by("mydb.open", "mydb.close").', "1:1", "nothing says that mydb.open allocates", '"mydb.open", 0)'),
    ('allocates("db.open", 0).\nfreed_by("db.open", "db.close").\nfreed_by("db.open", "memref.dealloc").', "2:1",
     "more than one operation is said to free what db.open allocates", "frees("),
)  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message", "more"), WARNED, ids=[w[2] for w in WARNED])
def test_warnings(
    text: str, place: str, message: str, more: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mydb.dl").write_text(text + "\n")
    report = check([Path("mydb.dl")], Extensions())
    (warning,) = report.diagnostics
    assert warning.render().startswith(f"mydb.dl:{place}: warning: {message}")
    assert more is None or more in warning.render()
    assert not report.wrong and report.summary.endswith(": no errors, 1 warning")


MEANT = (
    'allocates("mydb.open", 0).\nfreed_by("mydb.open", "mydb.close").\nfrees("mydb.drop", 0).',
    OWN + "mine(V, 1) :- buffer(V), operand(_, _index, V).",  # a name that says that it is not used
    OWN + "mine(V, N) :- buffer(V), N = count : { operand(O, I, V), result(O, K, V) }.",  # `_` is not portable there
    OWN + "mine(V, 1) :- buffer(V).\nmine(V, 2) :- buffer(V).",
    '// p(name): so.\n.decl p(name: symbol)\np("a").\np(cat("a", X)) :- p(X), X != "aaaa".',
)


@pytest.mark.parametrize("text", MEANT)
def test_what_is_meant_gives_no_warning(text: str, tmp_path: Path) -> None:
    (tmp_path / "mydb.dl").write_text(text)
    assert check([tmp_path / "mydb.dl"], Extensions()).diagnostics == ()


def test_the_rules_that_ship_give_no_warning() -> None:
    found = check(sorted(rules.folder().rglob("*.dl")), Extensions()).diagnostics
    # for passes of others: no pass that ships makes each edit that there is
    found = tuple(d for d in found if not str(d.source.name).endswith("rules/edits.dl"))
    # for dialects of others: none that ships has an operation that takes a buffer over; and for what users choose
    chosen = {
        "takes", "boundary_form", "appends_result", "keeps_result", "makes_tuple", "reads_tuple", "makes_tensor",
        "makes_buffer", "conversion_says",
    }
    assert {d.message for d in found} == {f"the relation {name} is always empty: nothing derives it" for name in chosen}
    assert len(found) == len(chosen)
