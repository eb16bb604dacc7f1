"""Wrong rule files and wrong flags: one diagnostic each, at its place."""

import pytest

from tests.support.nightly import one_in

IN = 'func.func @f() {\n  %a = "mydb.open"() : () -> memref<4xf32>\n  return\n}\n'
MEANING = 'known_effects("mydb.open"). allocates("mydb.open", 0).\n'

WRONG = {
    "a misspelt relation": (
        'known_efects("mydb.open").', "1:1", "the relation known_efects is not declared", "did you mean known_effects?"
    ),
    "too few columns": ('allocates("mydb.scan").', "1:1", "allocates has 2 columns, not 1", "vocabulary.dl"),
    "a symbol for a number": (
        'allocates("mydb.scan", "0").', "1:24", '"0" is a symbol, and allocates.result is a number', None
    ),
    "an unbound variable": (
        "known_effects(N) :- operation(_, M, _, _).", "1:15", "N has no value: nothing in the body binds it", None
    ),
    "a fact with a variable": ("known_effects(Name).", "1:15", "the fact has the variable Name", 'write "Name"'),
    "a relation there is": (
        ".decl may_alias(a: symbol)", "1:7", "the relation may_alias is declared twice", "alias.dl:"
    ),
    "a misspelt type": (".decl q(v: Vaule)", "1:12", "there is no type Vaule", "did you mean Value?"),
    "one type for another": (
        ".decl q(b: Block)\nq(V) :- buffer(V).", "2:3", "V has the type Value, which is not a Block", None
    ),
    "an absence of itself": (
        ".decl q(v: Value)\nq(V) :- buffer(V), !q(V).", "2:20", "q depends on its own absence", "break the cycle q -> q"
    ),
    "an absence of itself through Dealog's rules": (
        '// Views where nothing aliases.\nviews("mydb.open", 0, 0) :- never_aliases(_, _).', "2:29",
        "views depends on its own absence or on an aggregate of itself", "break the cycle views -> never_aliases -> ",
    ),
    "a fact about the module": ('buffer("@f/%a").', "1:1", "buffer is a fact about the module", "schema.dl:"),
    "a rule for facts about the module": (
        'operand(Op, 0, V) :-\n    result(Op, 0, V).', "1:1", "operand is a fact about the module", None
    ),
    "input": (
        ".decl pools(name: symbol)\n.input pools", "2:1", "the only relations that are read in are the facts", None
    ),
    "a file that is not there": (
        '// So.\n#include "nowhere.dl"', "2:1", 'there is no file "nowhere.dl" to include', "looked in "
    ),
    "no full stop": (MEANING.strip()[:-1], "1:54", "the text ends inside a statement", "is a full stop missing?"),
    "an open string": ('known_effects("mydb.scan).', "1:15", "this string does not end on its line", None),
    "a component": (".comp Pools { }", "1:1", "components (.comp): not in the portable part of Datalog", None),
    "an open comment": ("/* So.", "1:1", "this comment is never closed", None),
    "an edit that cannot be": (
        'operand_set("@f/nothing#1", 0, "true").', "1:1",
        'the edit operand_set("@f/nothing#1", 0, "true") cannot be carried out: there is no operation', None,
    ),
}  # fmt: skip


@pytest.fixture
def files(folder):
    (folder / "in.mlir").write_text(IN)
    (folder / "mydb.dl").write_text(MEANING)
    return folder


@pytest.mark.parametrize("what", one_in(2, list(WRONG)))
def test_a_wrong_rule_file(files, dealog, what):
    text, place, message, more = WRONG[what]
    (files / "wrong.dl").write_text(text)
    run = dealog("dealloc", "in.mlir", "--rules", "mydb.dl", "--rules", "wrong.dl", "-o", "out.mlir")
    assert (run.status, len(run.errors)) == (1, 1), run.err
    assert run.errors[0].startswith(f"wrong.dl:{place}: error: {message}")
    line, column = map(int, place.split(":"))
    assert f"\n  {text.splitlines()[line - 1]}\n  {' ' * (column - 1)}^" in run.err
    assert more is None or more in run.err
    assert not (files / "out.mlir").exists()


@pytest.mark.parametrize("command", [("query", "in.mlir", "buffer(V)"), ("why", "in.mlir", "--value", "%a")])
def test_questions_tell_them_too(files, dealog, command):
    (files / "wrong.dl").write_text('known_efects("mydb.open").')
    run = dealog(*command, "--rules", "mydb.dl", "--rules", "wrong.dl")
    assert run.errors == ["wrong.dl:1:1: error: the relation known_efects is not declared"]


def test_what_is_no_text(files, dealog):
    (files / "wrong.dl").write_bytes(b"ab\xff")
    run = dealog("dealloc", "in.mlir", "--rules", "wrong.dl")
    assert run.errors == ["wrong.dl:1:3: error: byte 0xff is not UTF-8"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--rules", "none.dl"], "there is no rule file 'none.dl'"),
        (["--rules", "."], "'.' is a folder, not a rule file"),
        (["--dialect", "none"], "there is no folder 'none' to read a dialect from"),
        (["--dialect", "mydb.dl"], "'mydb.dl' is not a folder of a dialect"),
        (["--dialect", "empty"], "the folder 'empty' holds no dialect"),
    ],
)
@pytest.mark.parametrize("command", ["dealloc", "exec", "query", "facts"])
def test_wrong_flags(files, dealog, command, flags, message):
    (files / "empty").mkdir()
    needs = {"facts": ["-o", "facts"], "query": ["buffer(V)"]}.get(command, [])
    run = dealog(command, "in.mlir", *needs, *flags)
    assert (run.status, run.errors) == (1, [f"error: {message}"])


def test_rules_that_never_come_to_an_end(files, dealog, monkeypatch):
    """They depend on no fact of the module, so they are worked out before the run that has a time limit."""
    monkeypatch.setattr("dealog.engine.compact._LONGEST", 0.5)
    monkeypatch.setattr("threading.active_count", lambda: 1)  # at night, tests have threads of their own
    endless = '.decl q(n: number)\nq(0).\nq(N + 1) :- q(N).\nviews("mydb.x", N, 0) :- q(N), N > 5.\n'
    (files / "wrong.dl").write_text(endless)
    run = dealog("dealloc", "in.mlir", "--rules", "mydb.dl", "--rules", "wrong.dl", "-o", "out.mlir")
    message = "rules that depend on nothing but other rules did not come to an end within 0.5 s"
    assert run.status == 1 and message in run.err and not (files / "out.mlir").exists()


@pytest.mark.parametrize("name", ["loop", "loop/mine.dl"])
def test_a_rule_file_at_the_end_of_a_circle_of_links(files, dealog, name):
    (files / "loop").symlink_to(files / "back")
    (files / "back").symlink_to(files / "loop")
    run = dealog("rules", "check", name)
    assert run.status == 1 and "Too many levels of symbolic links" in run.err
