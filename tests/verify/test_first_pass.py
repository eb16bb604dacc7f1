"""The input is verified while the engine computes the first pass, and what the verifier says comes first."""

from __future__ import annotations

import multiprocessing

import pytest

from dealog import pipeline
from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine import embedded
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
    with pytest.raises(DealogError, match="did not finish within"):
        output(VALID, timeout=1e-9)
    with pytest.raises(DealogError, match=WRONG):
        output(INVALID, timeout=1e-9)


def test_a_module_is_verified_once_before_and_once_after(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert seen == ["first", "the passes"]
    assert beside == [int(where != "here" and FORKING), 0]
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
