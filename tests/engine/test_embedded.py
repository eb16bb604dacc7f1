"""The embedded engine on its own."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from dataclasses import replace

import pytest

from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine import Relations, embedded, loads, solve, translation
from dealog.engine.embedded import _Run
from tests.support.engines import ENGINES

pytestmark = pytest.mark.usefixtures("computes_here")

CLOSURE = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
.output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""
ENDLESS = ".decl n(x: number) .output n n(0). n(x + 1) :- n(x), x < 2000000000."


def run(text: str, **facts: list[tuple[str | int, ...]]) -> Relations:
    return solve(loads(text), facts, engine="embedded")


def test_results_are_sorted_and_distinct() -> None:
    result = run(CLOSURE, edge=[("b", "c"), ("a", "b"), ("a", "b"), ("ä", "b")])
    assert result["path"] == [("a", "b"), ("a", "c"), ("b", "c"), ("ä", "b"), ("ä", "c")]
    assert list(result) == ["path"] and len(result) == 1


def test_numbers_are_sorted_as_numbers() -> None:
    program = loads(".decl n(x: number) .output n")
    given = [(10,), (9,), (-1,), (2**31 - 1,), (-(2**31),), (0,)]
    assert solve(program, {"n": given}, engine="embedded")["n"] == sorted(given)


def test_a_chain_of_many_steps() -> None:
    size = 300
    result = run(CLOSURE, edge=[(f"n{i}", f"n{i + 1}") for i in range(size)])
    assert len(result["path"]) == size * (size + 1) // 2


def test_only_what_the_outputs_need_is_grounded() -> None:
    program = loads(
        """
        .decl a(x: number) .decl big(x: number) .decl b(x: number) .output b .output big
        big(0). big(x + 1) :- big(x), x < 2000000000.
        b(x) :- a(x).
        """
    )
    assert solve(program, {"a": [(1,)]}, engine="embedded", outputs=["b"])["b"] == [(1,)]
    assert _Run(program, ["b"]).needed == {"a", "b"}


def test_what_only_rules_read_that_cannot_hold_is_not_grounded() -> None:
    program = loads(
        """
        .decl a(x: number) .decl none(x: number) .input none .decl big(x: number) .decl b(x: number) .output b
        big(0). big(x + 1) :- big(x), x < 2000000000.
        b(x) :- a(x), !none(x).
        b(x) :- none(x), big(x).
        """
    )
    assert solve(program, {"a": [(1,)]}, engine="embedded", outputs=["b"])["b"] == [(1,)]


def test_any_relation_can_be_asked_for() -> None:
    program = loads(CLOSURE)
    result = solve(program, {"edge": [("a", "b")]}, engine="embedded", outputs=["edge", "path"])
    assert dict(result) == {"edge": [("a", "b")], "path": [("a", "b")]}
    assert dict(solve(program, {}, engine="embedded", outputs=[])) == {}
    assert dict(solve(program, {}, engine="embedded")) == {"path": []}


def test_facts_of_the_program_and_facts_given_come_together() -> None:
    text = '.decl a(x: symbol, n: number) .output a a("own", -1). a(x, m) :- a(x, n), m = n + 1, m < 1.'
    assert run(text, a=[("given", 0)])["a"] == [("given", 0), ("own", -1), ("own", 0)]


def test_division_by_zero_is_told_at_the_rule() -> None:
    text = ".decl n(x: number)\n.decl r(x: number)\n.output r\nr(y) :- n(x),\n  y = 7 / (x - 1).\n"
    assert run(text, n=[(2,)])["r"] == [(7,)]
    with pytest.raises(DealogError) as caught:
        solve(loads(text, "p.dl"), {"n": [(1,), (2,)]}, engine="embedded")
    assert str(caught.value).startswith("p.dl:4:1: error: division by zero")


def test_division_after_a_guard() -> None:
    text = ".decl n(x: number) .decl r(x: number) .output r r(y) :- n(x), x != 1, y = 7 / (x - 1)."
    assert run(text, n=[(1,), (2,)])["r"] == [(7,)]


@pytest.mark.parametrize(
    "rule", ["r(6 / x)", "r(y) :- y = sum 4 / (z - 1) : n(z)", "r(y) :- y = (6 / x) % (x - x)"]
)
def test_division_by_zero_anywhere(rule: str) -> None:
    head, _, body = rule.partition(" :- ")
    text = f".decl n(x: number) .decl r(x: number) .output r {head} :- n(x){', ' + body if body else ''}."
    with pytest.raises(DealogError, match="division by zero"):
        run(text, n=[(0,), (1,)])


@pytest.mark.parametrize("rule", ["r(x / y)", "r(x % y)", "r(x / -1)", "r(-2147483648 / y)", "r(-2147483648 % -1)"])
def test_the_least_number_divided_by_minus_one(rule: str) -> None:
    """That is an error, as it is to Soufflé, and no end of the process."""
    text = f".decl n(x: number, y: number) .decl r(x: number) .output r {rule} :- n(x, y)."
    with pytest.raises(DealogError, match=r"p\.dl:1:60: error: division by zero, or of -2147483648 by -1"):
        solve(loads(text, "p.dl"), {"n": [(-(2**31), -1)]}, engine="embedded")
    guarded = text.replace("n(x, y).", "n(x, y), y != -1.")
    assert run(guarded, n=[(-(2**31), -1)])["r"] == []


@pytest.mark.parametrize(("x", "y"), [(-(2**31), 1), (-(2**31), 2), (2**31 - 1, -1), (-7, 2), (7, -2), (5, -1)])
def test_other_divisions_have_results(x: int, y: int) -> None:
    text = ".decl n(x: number, y: number) .decl r(x: number, y: number) .output r r(x / y, x % y) :- n(x, y)."
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    assert run(text, n=[(x, y)])["r"] == [(quotient, x - quotient * y)]


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(CLOSURE)["path"] == []
    assert capfd.readouterr() == ("", "")


def test_time_out() -> None:
    with pytest.raises(DealogError, match=r"did not finish within 0\.5 s"):
        solve(loads(ENDLESS), {}, engine="embedded", timeout=0.5)


def test_in_time() -> None:
    facts = {"edge": [("a\n", "b"), ("b", "ü")]}
    expected = [("a\n", "b"), ("a\n", "ü"), ("b", "ü")]
    assert solve(loads(CLOSURE), facts, engine="embedded", timeout=60)["path"] == expected


def test_errors_come_out_of_the_process_with_a_time_limit() -> None:
    text = ".decl n(x: number) .output n n(1 / 0)."
    with pytest.raises(DealogError, match="division by zero"):
        solve(loads(text), {}, engine="embedded", timeout=60)


forking = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="processes cannot be forked here"
)


@forking
def test_many_facts_get_a_process_of_their_own() -> None:
    """Then what the grounder has met goes with it; the tables of what symbols are known by show that."""
    many = [(f"many {i}", f"many {i + 1}") for i in range(embedded._MANY)]
    text = ".decl edge(a: symbol, b: symbol) .input edge .decl last(a: symbol) .output last "
    text += "last(y) :- edge(_, y), !edge(y, _)."
    assert solve(loads(text), {"edge": many}, engine="embedded")["last"] == [(f"many {len(many)}",)]
    assert "many 0" not in embedded._encodings()[1]["symbol"]
    assert solve(loads(text), {"edge": many[:2]}, engine="embedded")["last"] == [("many 2",)]
    assert "many 0" in embedded._encodings()[1]["symbol"]


@forking
def test_after_many_runs_each_gets_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that one that lasts, of a language server, say, does not grow without end."""
    text = ".decl edge(a: symbol, b: symbol) .input edge .decl last(a: symbol) .output last "
    text += "last(y) :- edge(_, y), !edge(y, _)."
    monkeypatch.setattr(embedded, "_met", [0])
    monkeypatch.setattr(embedded, "_ENOUGH", 2)
    for turn, stays in enumerate([True, True, False]):
        edges = [(f"turn {turn}", f"end {turn}")]
        assert solve(loads(text), {"edge": edges}, engine="embedded")["last"] == [(f"end {turn}",)]
        assert (f"turn {turn}" in embedded._encodings()[1]["symbol"]) == stays


@forking
def test_a_process_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_MANY", 0)
    monkeypatch.setattr(embedded._Run, "solve", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(DealogError, match="ended by the signal 9, as happens when memory runs out"):
        run(CLOSURE)


LEAVES = """
import os, signal, sys, time
from dealog.engine import embedded, loads, solve
embedded._MANY = 0
if sys.argv[1] == "computing":
    embedded._Run.solve = lambda *_: time.sleep(60)
else:
    embedded._Run.solve = lambda *_: {"path": [(f"{i:1000}", "b") for i in range(1000)]}  # more than the pipe takes
def leave():
    time.sleep(1)
    print("leaves", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
solve(loads(sys.argv[2]), {"edge": [("a", "b")]}, engine="embedded", meanwhile=leave)
"""


@forking
@pytest.mark.parametrize("state", ["computing", "done"])
def test_a_process_ends_with_the_one_that_waits_for_it(state: str) -> None:
    """It holds the other's pipes open: who reads these would wait for as long."""
    command = [sys.executable, "-c", LEAVES, state, CLOSURE]
    done = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert done.stdout == b"leaves\n" and done.returncode == -signal.SIGKILL


@forking
def test_what_is_done_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a process for the run it is done while that one computes; if it fails, the other is ended."""
    process: list[int] = []
    before = set(multiprocessing.active_children())

    def others() -> set[multiprocessing.process.BaseProcess]:
        return set(multiprocessing.active_children()) - before

    def meanwhile() -> None:
        process.extend(child.pid or 0 for child in others())

    facts = {"edge": [("a", "b")]}
    assert solve(loads(CLOSURE), facts, engine="embedded", meanwhile=meanwhile)["path"] == [("a", "b")]
    assert not process
    monkeypatch.setattr(embedded, "_MANY", 0)
    assert solve(loads(CLOSURE), facts, engine="embedded", meanwhile=meanwhile)["path"] == [("a", "b")]
    assert len(process) == 1 and not others()

    def fail() -> None:
        meanwhile()
        raise KeyError("a fault")

    with pytest.raises(KeyError, match="a fault"):
        solve(loads(ENDLESS), {}, engine="embedded", meanwhile=fail)
    assert len(process) == 2 and not others()


def test_the_time_limit_counts_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(embedded, "time", types.SimpleNamespace(monotonic=lambda: now[0]))

    def slow() -> None:
        now[0] += 3600

    with pytest.raises(DealogError, match="did not finish within 3599 s"):
        solve(loads(ENDLESS), {}, engine="embedded", timeout=3599, meanwhile=slow)


@pytest.mark.parametrize("outputs", [[], None])
@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_to_be_done_meanwhile_is_done_by_every_engine(engine: str, outputs: list[str] | None) -> None:
    done: list[bool] = []
    solve(loads(CLOSURE), {}, engine=engine, outputs=outputs, meanwhile=lambda: done.append(True))  # type: ignore[arg-type]
    assert done == [True]


def test_what_goes_wrong_meanwhile_is_not_taken_for_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is run a second time for it: neither the whole program nor one without Soufflé's help."""
    from dealog.engine import souffle
    from dealog.engine.embedded import TimedOut

    monkeypatch.setattr(souffle, "there", lambda: True)
    monkeypatch.setattr(souffle, "usable", lambda: False)
    program = loads(CLOSURE)
    program = replace(program, added=tuple(program.sources))
    for error in (DealogError(Diagnostic("another's error")), TimedOut(Diagnostic("another's error"))):
        asked: list[bool] = []

        def fail(error: DealogError = error, asked: list[bool] = asked) -> None:
            asked.append(True)
            raise error

        with pytest.raises(type(error), match="another's error"):
            solve(program, {}, meanwhile=fail, whole=lambda: pytest.fail("the whole program is solved"))
        assert len(asked) == 2


def test_the_cycle_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    run(CLOSURE)
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"edges": []}, "there are facts for edges, which the program does not declare"),
        ({"edge": [("a",)]}, r"the fact edge\('a',\) is wrong: 2 columns are declared"),
        ({"edge": [("a", "b"), ("a", 1)]}, r"the fact edge\('a', 1\) is wrong: b is a symbol, str in Python"),
        ({"n": [("1",)]}, r"the fact n\('1',\) is wrong: x is a number, int in Python"),
        ({"n": [(True,)]}, r"the fact n\(True,\) is wrong: x is a number"),
        ({"n": [(2**31,)]}, r"the fact n\(2147483648,\) is wrong: x does not fit into 32 bits"),
    ],
)
def test_wrong_facts(facts: dict[str, list[tuple[str | int, ...]]], message: str) -> None:
    program = loads(CLOSURE + ".decl n(x: number)")
    with pytest.raises(DealogError, match=message):
        solve(program, facts, engine="embedded")


def test_wrong_requests() -> None:
    program = loads(CLOSURE)
    with pytest.raises(DealogError, match="does not declare the relation pat") as caught:
        solve(program, {}, outputs=["pat"])
    assert "did you mean path?" in str(caught.value)
    with pytest.raises(DealogError, match="there is no engine x"):
        solve(program, {}, engine="x")  # type: ignore[arg-type]
    with pytest.raises(DealogError, match="the embedded engine cannot compile"):
        solve(program, {}, engine="embedded", compile=True)


def test_facts_may_be_any_iterable() -> None:
    program = loads(CLOSURE)
    assert solve(program, {"edge": (t for t in [("a", "b")])}, engine="embedded")["path"] == [("a", "b")]
    assert solve(program, {"edge": {("a", "b")}}, engine="embedded")["path"] == [("a", "b")]


def test_clingo_is_not_loaded_before_it_is_needed() -> None:
    import subprocess

    code = "import sys, dealog.engine; print({'clingo', 'lark', 'networkx'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_texts_are_only_put_together_for_what_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    putting = embedded._Functions.putting_together

    def putting_together(self: embedded._Functions, pattern: translation.Pattern) -> Callable[..., object]:
        together = putting(self, pattern)
        return lambda *parts: made.append(parts) or together(*parts)

    monkeypatch.setattr(embedded._Functions, "putting_together", putting_together)
    head = ".decl a(x: symbol, n: number) .input a .decl b(x: symbol) .input b .decl p(x: symbol) .output p "
    given: dict[str, list[tuple[str | int, ...]]] = {
        "a": [(f"x{n}", n) for n in range(50)],
        "b": [(f"x{n}",) for n in range(50) if n != 7],
    }
    for rule in ('p(cat(x, "!")) :- a(x, n), n < 50, !b(x).', 'p(cat(x, "!")) :- a(x, n), a(x, m), a(x, k), !b(x).'):
        made.clear()
        assert run(head + rule, **given)["p"] == [("x7!",)]
        assert len(made) == 1


STEPS = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl two(a: symbol, c: symbol)
.output two
two(x, z) :- edge(x, y), edge(y, z), edge(z, _).
.decl begins(a: symbol)
.output begins
begins(x) :- edge(x, _), !edge(_, x).
"""


def test_a_program_is_translated_once_for_facts_of_one_kind() -> None:
    program, fresh = loads(STEPS), loads(STEPS)
    chain = [(f"n{i}", f"n{i + 1}") for i in range(9)]
    star = [("n0", f"n{i}") for i in range(1, 9)] + [("n1", "n0"), ("n1", "n2")]
    of_chain, of_star = (solve(loads(STEPS), {"edge": edges}, engine="embedded") for edges in (chain, star))
    counts = []
    for edges, expected in ((chain, of_chain), (star, of_star), (chain, of_chain), (star[::-1], of_star)):
        assert solve(program, {"edge": edges}, engine="embedded") == expected
        counts.append(sum(len(found) for found in translation._TRANSLATIONS[id(program)].lines.values()))
    assert counts[0] < counts[1] == counts[2] == counts[3]  # where `_` stands for many, another translation is better
    assert id(fresh) not in translation._TRANSLATIONS


def test_translations_go_with_their_program() -> None:
    program = loads(STEPS)
    solve(program, {"edge": [("a", "b")]}, engine="embedded")
    key = id(program)
    assert key in translation._TRANSLATIONS
    del program
    assert key not in translation._TRANSLATIONS


AGGREGATES = """
.decl ends(f: symbol, i: number, t: symbol)
.input ends
.decl first(f: symbol, t: symbol)
.output first
first(f, t) :- ends(f, i, t), i = min k : { ends(f, k, _) }.
.decl beside(t: symbol, n: number)
.output beside
beside(t, n) :- ends(f, _, t), n = count : { ends(f, _, _) }.
.decl before(f: symbol, i: number, j: number)
.output before
before(f, i, j) :- ends(f, i, t), !beside(t, 1), j = max k : { ends(f, k, _), k < i }, ends(f, j, _).
.decl all(n: number, t: symbol)
.output all
all(n, t) :- ends(_, _, t), n = sum k : { ends(_, k, _) }.
"""


def test_an_aggregate_is_computed_once_for_all_that_it_depends_on() -> None:
    """Not for each of many ways to make the rest of the body true: that grows with their product."""
    program = loads(AGGREGATES)
    facts = [("f", 3, "c"), ("f", 1, "a"), ("f", 2, "b"), ("g", 5, "d")]
    found = solve(program, {"ends": facts}, engine="embedded")
    assert found["first"] == [("f", "a"), ("g", "d")]
    assert found["beside"] == [("a", 3), ("b", 3), ("c", 3), ("d", 1)]
    assert found["before"] == [("f", 2, 1), ("f", 3, 2)]
    assert found["all"] == [(11, t) for t in "abcd"]
    translator = translation.Translator(program, {"ends": facts}, False)
    for relation, depends_on in (("first", "f"), ("beside", "f"), ("before", "fi"), ("all", "")):
        (rule,) = program.rules_of[relation]
        clause = translation.Clause(translator, rule.heads[0], rule.alternatives[0])
        (apart,) = (line for _, line, _ in clause.lines() if "#" in line)
        *group, _ = apart.partition(") :- ")[0].partition("(")[2].split(",")
        assert group == [clause.variable(name) for name in depends_on], relation


PARTS = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
.output path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
.decl loop(a: symbol)
.output loop
loop(x) :- path(x, x).
.decl after_loop(a: symbol, b: symbol)
.output after_loop
after_loop(x, y) :- loop(x), path(x, y), !loop(y).
.decl reached(a: symbol, n: number)
.output reached
reached(x, n) :- edge(x, _), !loop(x), n = count : { path(x, _) }.
.decl named(text: symbol)
.output named
named(cat(x, to_string(n))) :- reached(x, n), n > 1.
.decl share(a: symbol, n: number)
.output share
share(x, 12 / n) :- reached(x, m), n = m - 1.
"""


TEXTS = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl named(text: symbol)
.output named
named(cat(x, "-", y)) :- edge(x, y), x != y.
named(cat(x, "=", y)) :- edge(x, y), x = y.
.decl last(text: symbol)
.output last
last(t) :- named(t), !shorter(t).
.decl shorter(text: symbol)
shorter(cat(t, "!")) :- named(t), edge(t, _).
"""


@pytest.mark.parametrize("edges", [["ab", "bc", "cd"], ["ab", "bc", "ca", "cd", "de", "ef"], ["aa"], []])
def test_rules_that_are_ground_a_few_at_a_time_give_the_same(edges: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"edge": [tuple(edge) for edge in edges]}
    asked = ["path", "loop", "after_loop", "reached", "named"]
    together = solve(loads(PARTS), facts, engine="embedded", outputs=asked)
    monkeypatch.setattr(embedded, "_AT_ONCE", 1)
    assert solve(loads(PARTS), facts, engine="embedded", outputs=asked) == together


def test_of_what_is_empty_by_then_no_rule_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_AT_ONCE", 1)
    counts = []
    for edges in ([("a", "b"), ("b", "c")], [("a", "b"), ("b", "b")]):
        run = _Run(loads(PARTS), ["after_loop"])
        run.solve({"edge": edges})
        counts.append(len(run.lines))
    assert counts == [3, 4]  # without a loop not what is behind it


@pytest.mark.parametrize("few", [0, 100])
def test_texts_are_put_together_after_what_they_are_made_of(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_FEW_WAITING", few)
    run = _Run(loads(TEXTS), ["named", "last"])
    found = run.solve({"edge": [("a", "b"), ("b", "c"), ("c", "a")]})
    assert found["named"] == [("a-b",), ("b-c",), ("c-a",)]
    assert found["last"] == [("a-b",), ("b-c",), ("c-a",)]
    heads = [line for line in run.lines if line.startswith("r_named(@")]
    assert len(heads) == (1 if few == 0 else 2)  # of loops, there is none


def test_a_division_in_a_later_part_is_told_at_its_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_AT_ONCE", 1)
    program = loads(PARTS, "p.dl")
    with pytest.raises(DealogError) as caught:
        solve(program, {"edge": [("a", "b")]}, engine="embedded", outputs=["loop", "share"])
    place = PARTS[: PARTS.index("share(x, 12")].count("\n") + 1
    assert str(caught.value).startswith(f"p.dl:{place}:1: error: division by zero")


def test_a_program_that_was_solved_can_be_sent_elsewhere() -> None:
    """Nothing that is kept with it goes by the identities of what it is made of."""
    program = loads(PARTS)
    solve(program, {"edge": [("a", "b")]}, engine="embedded", outputs=["path"])
    sent = pickle.loads(pickle.dumps(program))
    del program
    found = solve(sent, {"edge": [("a", "b"), ("b", "a")]}, engine="embedded", outputs=["loop", "after_loop"])
    assert found == {"loop": [("a",), ("b",)], "after_loop": []}
