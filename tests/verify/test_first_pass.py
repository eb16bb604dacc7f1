"""The input is verified while the engine computes the first pass, and what the verifier says comes first."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dealog import pipeline, verification
from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine import embedded, remembered
from dealog.extensions import Extensions
from dealog.frontend import Module
from dealog.job import Job, transform
from dealog.pipeline import Engine, EngineName, PassRun, make_steps
from dealog.stopwatch import Stopwatch
from dealog.verification import Verdict, Verifier
from tests.support.engines import needs_souffle

pytestmark = pytest.mark.usefixtures("computes_here")

VALID = """func.func @f(%x: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  return
}
"""
INVALID = VALID.replace("%a[%i]", "%a[%i, %i]")
FORKING = "fork" in multiprocessing.get_all_start_methods()
WRONG = "operand count not equal to memref rank"
STATIC = make_steps("static-buffer-deallocation")


def output(text: str, engine: EngineName = "embedded", timeout: float | None = None, **options: object) -> str:
    job = Job(steps=STATIC, engine=Engine(engine, timeout=timeout), **options)  # type: ignore[arg-type]
    return transform(text, "in.mlir", job, Stopwatch(show=False), report=lambda _: None)


@pytest.fixture(params=["here", "process of its own"])
def where(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the engine computes."""
    if request.param != "here":
        monkeypatch.setattr(embedded, "_MANY", 0)
    return str(request.param)


@pytest.fixture(params=["verified here", "begun"], autouse=True)
def is_begun(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a process of its own begins to verify. It knows of no kind of operation, as for a model that is new."""
    begun: bool = request.param == "begun"
    monkeypatch.setattr(verification, "may_fork", lambda: begun)
    monkeypatch.setattr(verification, "ordinary_kinds", lambda **_: set())
    monkeypatch.setattr(remembered, "remembered", lambda _: set())
    return begun


def nothing_is_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PassRun, "carry_out", lambda *_: pytest.fail("something is carried out"))


@pytest.mark.parametrize("verification", ["around", "each"])
def test_what_is_invalid_is_refused(where: str, verification: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_is_carried_out(monkeypatch)
    with pytest.raises(DealogError, match=WRONG):
        output(INVALID, verification=verification)


def test_unless_nothing_is_verified(where: str) -> None:
    assert "memref.dealloc %a" in output(INVALID, verification="none")


@needs_souffle
def test_what_is_invalid_is_refused_with_souffle(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing_is_carried_out(monkeypatch)
    with pytest.raises(DealogError, match=WRONG):
        output(INVALID, engine="souffle")


@pytest.mark.parametrize("error", [DealogError(Diagnostic("the pass does not like it")), KeyError("a fault")])
def test_the_verdict_comes_before_what_a_pass_says(
    where: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(pipeline, "_derived", refuse)
    with pytest.raises(type(error), match=str(error)):
        output(VALID)
    with pytest.raises(DealogError, match=WRONG):
        output(INVALID)


def test_the_verdict_comes_before_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    verify = Verifier.verify

    def with_time(self: Verifier, module: Module, after: str | None = None) -> None:
        verify(Verifier(Engine("embedded"), self.extensions, self.stopwatch), module, after)

    monkeypatch.setattr(Verifier, "verify", with_time)
    monkeypatch.setattr(embedded, "_child", lambda *_: time.sleep(60))
    with pytest.raises(DealogError, match="did not finish within"):
        output(VALID, timeout=1e-9)
    with pytest.raises(DealogError, match=WRONG):
        output(INVALID, timeout=1e-9)


def test_a_module_is_verified_once_before_and_once_after(
    where: str, is_begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    beside: list[int] = []
    verify = Verifier.verify
    before = len(multiprocessing.active_children())

    def noted(self: Verifier, module: Module, after: str | None = None) -> None:
        seen.append(after or "first")
        beside.append(len(multiprocessing.active_children()) - before)
        verify(self, module, after)

    monkeypatch.setattr(Verifier, "verify", noted)
    assert "memref.dealloc %a" in output(VALID)
    assert seen == (["the passes"] if is_begun else ["first", "the passes"])
    assert beside == ([0] if is_begun else [int(where != "here" and FORKING), 0])
    seen.clear()
    assert "memref.dealloc %a" in output(VALID, verification="each")
    assert seen == ["first", "static-buffer-deallocation"]


def test_a_verdict_stays_what_it_was() -> None:
    from dealog.extensions import NO_EXTENSIONS
    from dealog.frontend import parse

    module = parse(INVALID)
    verdict = Verdict(Verifier(Engine("embedded"), NO_EXTENSIONS, Stopwatch(show=False)), module)
    errors = []
    for _ in range(2):
        with pytest.raises(DealogError) as caught:
            verdict()
        errors.append(caught.value)
        module = parse(VALID)
    assert errors[0] is errors[1]
    Verdict(None, parse(INVALID))()


def found_valid(text: str) -> bool:
    from dealog.frontend import parse

    return Verifier(Engine("embedded"), stopwatch=Stopwatch(show=False)).begin(parse(text))()


def test_what_a_process_of_its_own_finds(is_begun: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It computes what this one need not; and if it ends without an answer, this one looks itself."""
    begun: list[int] = []
    fork = os.fork

    def noted() -> int:
        begun.append(fork())
        return begun[-1]

    monkeypatch.setattr(os, "fork", noted)
    assert found_valid(VALID) is is_begun
    assert not found_valid(INVALID)
    monkeypatch.setattr(Verifier, "_diagnosed", lambda *_: os._exit(3))
    assert not found_valid(VALID)
    monkeypatch.setattr(Verifier, "_diagnosed", lambda *_: 1 / 0)
    assert not found_valid(VALID)
    assert len(begun) == 4 * is_begun
    for process in begun:
        with pytest.raises(ChildProcessError):  # it is not left behind
            os.waitpid(process, os.WNOHANG)


@pytest.mark.parametrize("call", ["fork", "pipe"])
def test_without_a_process_more_this_one_verifies(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise BlockingIOError

    monkeypatch.setattr(os, call, refuse)
    assert not found_valid(VALID)
    assert "memref.dealloc %a" in output(VALID)


def test_where_nobody_says_how_a_process_ended_this_one_verifies() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert not found_valid(VALID)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_an_answer_is_remembered(is_begun: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[set[bytes]] = []
    monkeypatch.setattr(remembered, "remember", lambda _, kinds: kept.append(kinds))
    assert found_valid(VALID) is is_begun
    assert [len(kinds) > 3 for kinds in kept] == [True] * is_begun


def test_nothing_is_begun_where_another_engine_a_time_limit_or_own_rules_may_decide(tmp_path: Path) -> None:
    from dealog.frontend import parse

    assert not Verifier(Engine("embedded", timeout=100.0)).begin(parse(VALID))()
    assert not Verifier(Engine("souffle")).begin(parse(VALID))()
    rules = tmp_path / "own.dl"
    rules.write_text('invalid(Op, 1, "no a.b") :- operation(Op, "a.b", _, _).\n')
    assert not Verifier(Engine("embedded"), Extensions((rules,))).begin(parse(VALID))()


ENDING = """
import os, signal, sys, time
from dealog.forking import forked
def question():
    print(os.getpid(), flush=True)
    time.sleep(60)
    return True
answer = forked(question)
if sys.argv[1] == "wait":
    answer()
time.sleep(60)
"""


@pytest.mark.parametrize("state", ["wait", "work"])
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_process_that_answers_ends_with_the_one_that_asks(end: signal.Signals, state: str) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDING, state], stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        child = int(asking.stdout.readline())
        asking.send_signal(end)
        assert asking.wait(30) == -end
        deadline = time.monotonic() + 30
        while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.01)
