"""`dealog query`: names as the user writes them, answers in three formats, wrong queries."""

import csv
import io
import json
import subprocess
import sys

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from dealog.asking.stage import input_stage
from dealog.asking.terminal import completer, prompt
from dealog.frontend import parse
from dealog.pipeline import Engine
from tests.support.engines import ENGINES

from .conftest import TWO


def rows(run) -> list[dict]:
    assert run.err == ""
    return json.loads(run.out)


def ask(dealog, path, query, *more):
    return rows(dealog("query", path, query, "--format", "json", *more))


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ("may_alias(%s, X)", [{"X": "@f/%a"}, {"X": "@f/%m"}, {"X": "@f/%s"}]),
        ("buffer(%a)", [{"%a": "@f/%a"}, {"%a": "@g/%a"}]),
        ("buffer(@g/%a)", [{}]),
        ("buffer(%a), operand(O, 0, %a)", [{"%a": "@g/%a", "O": "@g/memref.copy#1"}]),
        ("defined_in(line:4, B)", [{"line:4": "@f/%s", "B": "@f/^bb0"}]),
        ("in_function(^bb0, @g)", [{"^bb0": "@g/^bb0"}]),
        ("operand(memref.copy#1, 1, X)", [{"X": "@g/%a"}]),
        ("allocation(V, _), !retained(_, _, V), operand(O, 1, V)", [{"V": "@f/%a", "O": "@f/arith.select#3"}]),
        ("operand(O, I, %m), J = I - 1, J >= 0", [{"O": "@f/arith.select#3", "I": 2, "%m": "@f/%m", "J": 1}]),
        ('operation(O, "memref.copy", _, P), P * 2 - 1 > 3', [{"O": "@f/memref.copy#4", "P": 3}]),
        ('ownership(%s, B, "unknown").', [{"B": "@f/^bb0"}]),
        ('end_ownership(V, "end %s")', [{"V": "@f/%s"}]),
        ("may_free(B), !captured_by_block(B, _), B = @f/^bb0", [{"B": "@f/^bb0"}]),
        ("operand(_, -1, _)", []),
    ],
)
def test_answers(dealog, two, query, answers):
    if "%m" in query:
        answers = [{k: v for k, v in answer.items() if k != "%m"} for answer in answers]
    run = dealog("query", two, query, "--format", "json")
    assert rows(run) == answers
    assert run.status == (0 if answers else 1)


def test_a_name_means_the_same_thing_throughout(dealog, two):
    both = ask(dealog, two, "operand(_, _, %a), block_argument(_, _, %a)")
    assert both == [{"%a": "@g/%a"}]


@pytest.mark.parametrize("engine", ENGINES)
def test_answers_are_those_of_every_engine(dealog, two, engine):
    found = ask(dealog, two, "may_alias(X, Y), ownership(X, ^bb0, O), X != Y", "--engine", engine)
    assert [(row["X"], row["Y"], row["O"]) for row in found] == [
        ("@f/%a", "@f/%s", "true"),
        ("@f/%m", "@f/%s", "false"),
        ("@f/%s", "@f/%a", "unknown"),
        ("@f/%s", "@f/%m", "unknown"),
    ]


def test_a_query_of_very_many_conditions(dealog, two):
    query = ", ".join(["buffer(X)"] * 1500)
    assert ask(dealog, two, query) == ask(dealog, two, "buffer(X)")


def test_a_query_that_is_too_deep_is_an_error(dealog, two):
    run = dealog("query", two, f"X = {'+'.join(['1'] * 3000)}")
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("error: what is given is nested too deep, or has too many parts")


def test_tables(dealog, two):
    run = dealog("query", two, "ownership(V, B, O), allocation(V, _)")
    assert run.out == "V   B     O\n──  ────  ────\n%a  ^bb0  true\n%b  ^bb0  true\n"
    assert dealog("query", two, "operand(O, I, %b), I >= 0").out == (
        "O              I\n─────────────  ─\nmemref.copy#4  0\n"
    )


def test_yes_no_and_nothing(dealog, two):
    assert (dealog("query", two, "buffer(%b)").out, dealog("query", two, "unranked(%b)").out) == ("yes\n", "no\n")
    run = dealog("query", two, "unranked(X)")
    assert (run.status, run.out, run.err) == (1, "no answers\n", "")


def test_csv(dealog, two, tmp_path):
    out = tmp_path / "out.csv"
    assert dealog("query", two, "operand(O, I, %m)", "--format", "csv", "-o", out).status == 0
    found = list(csv.reader(io.StringIO(out.read_text())))
    assert found == [["O", "I"], ["@f/arith.select#3", "2"]]
    assert dealog("query", two, "unranked(X)", "--format", "csv").out == "X\n"


def test_a_pass_is_asked_about_the_module_that_it_sees(dealog, two):
    query = 'operation(O, "bufferization.dealloc", _, _)'
    assert ask(dealog, two, query) == []
    seen = ask(dealog, two, query, "--pass", "buffer-deallocation-simplification")
    assert [row["O"].partition("#")[0] for row in seen] == ["@f/bufferization.dealloc"]


def test_what_is_not_asked_for_is_not_computed():
    stage = input_stage(parse(TWO), {}, Engine("embedded"))
    stage.require(["used_in"])
    assert "used_in" in stage.derived and "may_alias" not in stage.derived


def test_symbols_may_be_in_quotes(dealog, tmp_path):
    file = tmp_path / "quoted.mlir"
    file.write_text('func.func @"a b/%x, (y)"() {\n  %a = memref.alloc() : memref<4xf32>\n  return\n}\n')
    assert dealog("query", file, 'buffer(@"a b/%x, (y)"/%a)').out == "yes\n"
    assert dealog("query", file, 'X = @"a b/%x, (y)"').out.splitlines()[2:] == ["@a b/%x, (y)"]
    assert dealog("why", file, "--value", '@"a b/%x, (y)"/%a').status == 0


def test_queries_from_standard_input(two):
    done = subprocess.run(
        [sys.executable, "-m", "dealog", "query", str(two)],
        input="buffer(%b)\n\n// a remark\nbufer(%b)\nunranked(_)\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "yes\nno\n")
    assert "there is no relation bufer" in done.stderr


WRONG = {
    "bufer(%a)": "1:1: there is no relation bufer",
    "buffer(%aa)": "1:8: the module has no value %aa",
    "buffer(^bb9)": "1:8: the module has no block ^bb9",
    "buffer(@h)": "1:8: the module has no function @h",
    "buffer(@h/%a)": "1:8: the module has no value @h/%a",
    "operand(memref.alloc#77, _, X)": "1:9: the module has no operation memref.alloc#77",
    "buffer(line:99)": "1:8: nothing stands on line 99",
    "buffer(%a, X)": "1:1: buffer has 1 column, not 2",
    "freed_if(@f/%a, X, _)": "1:10: the column block of freed_if holds blocks, and @f/%a is a value",
    "live_in(B, X), live_in(X, _)": "1:24: the column block of live_in holds blocks, but the column value of live_in "
    "holds values: X is not both",
    "operand(%a)": "1:1: operand has 3 columns, not 1",
    "buffer(x)": "1:8: 'x' is neither a value nor a variable",
    "operand(_, %s, _)": "1:12: the column index of operand holds numbers, not names",
    "buffer(3)": "1:8: the column value of buffer holds names, not numbers",
    "operand(_, I, I)": "1:15: the column value of operand holds names, not numbers",
    "!buffer(X)": "1:9: X has no value: nothing that holds names it",
    "buffer(X), Y > 3": "1:12: Y has no value: nothing that holds names it",
    "buffer(X), X < %s": "1:12: < is for numbers; names can be compared with = and != only",
    "operand(_, I, V), I = V": "1:19: a number is compared with a name",
    "operand(O, I, _), I + O > 2": "1:23: '+' is for numbers",
    "buffer(X), _ = X": "1:12: '_' is any value, there is nothing to compare",
    "operand(_, 99999999999, _)": "1:12: 99999999999 does not fit into 32 bits",
    "X = 1 / 0": "1:9: division by zero",
    "operand(_, I, _), I > 7 % 0": "1:27: division by zero",
    "": "1:1: the query is empty",
    "buffer(X": "1:9: the query ends too early",
    'buffer("x)': "1:8: a string is not closed",
    "buffer(X) ; buffer(Y)": "1:11: ';' cannot start anything here",
    "buffer(X) buffer(Y)": "1:11: 'buffer' is not expected here",
    "Buffer(X)": "1:7: '(' is not expected here",
    "buffer(!X)": "1:8: '!' is not expected here",
}


@pytest.mark.parametrize("query", WRONG)
def test_wrong_queries_are_one_error_each(dealog, two, query):
    run = dealog("query", two, query)
    assert (run.status, run.out) == (1, "")
    where, _, what = WRONG[query].partition(": ")
    first = run.err.splitlines()[0]
    assert first == f"<query>:{where}: error: {what}"
    assert run.err.count("error:") == 1
    assert run.err.splitlines()[2].strip() == "^"


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("bufer(%a)", "did you mean 'buffer' or"),
        ("buffer(%aa)", "did you mean '%a'?"),
        ("buffer(@h/%a)", "did you mean '@g/%a' or '@f/%a' or '@f/%s'?"),
        ("buffer(x)", 'a variable starts with a capital, a text stands in quotes: X, "x"'),
    ],
)
def test_wrong_queries_are_answered_with_what_may_be_meant(dealog, two, query, hint):
    assert f"  help: {hint}" in dealog("query", two, query).err


def test_wrong_settings(dealog, two, tmp_path):
    run = dealog("query", two, "buffer(X)", "--pass", "buffer-dealocation-simplification")
    assert run.status == 1 and "did you mean 'buffer-deallocation-simplification'" in run.err
    assert "has to be given" in dealog("query", "-").err
    assert "cannot open input file" in dealog("query", tmp_path / "none.mlir", "buffer(X)").err


def test_the_prompt_remembers_and_ends(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    stage = input_stage(parse(TWO), {}, Engine("embedded"))
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("buffer(%b)\rmay_alias(%b, X)\rquit\r")
        assert list(prompt(stage)) == ["buffer(%b)", "may_alias(%b, X)"]
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("\x1b[A\x1b[A\x1b[A\r\x04")  # three times up, and end of file
        assert list(prompt(stage)) == ["buffer(%b)"]


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("may_al", {"may_alias("}),
        ("buffer(%", {"%a", "%b", "%c", "%m", "%s"}),
        ("buffer(@g/", {"@g/%a"}),
        ("known_relation(@g/", {"@g/%a", "@g/^bb0", "@g/func.return#2", "@g/memref.copy#1", "@g/func.func#0"}),
        ("block_edge(^b", {"^bb0"}),
    ],
)
def test_the_prompt_completes(typed, completed):
    stage = input_stage(parse(TWO), {}, Engine("embedded"))
    found = list(completer(stage).get_completions(Document(typed), CompleteEvent()))
    assert {c.text for c in found} >= completed
    assert {c.text for c in found if not c.text.startswith("@g/func.func#0:")} == completed


def test_everything_is_offered_at_the_start():
    stage = input_stage(parse(TWO), {}, Engine("embedded"))
    found = {c.text: c.display_meta_text for c in completer(stage).get_completions(Document(""), CompleteEvent())}
    assert found["live_in("] == "(block, value)"
    assert len(found) == len(stage.program.relations)
