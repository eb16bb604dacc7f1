"""Views that start elsewhere, addresses, and memory that holds buffers: the output runs clean, or is refused by name.

The programs are those of ``tests/corpus/sound`` and generated ones (:mod:`tests.support.hazards`). Beside each stands
the verdict on MLIR's own pipeline: in the comments of the corpus, and in ``mlir_verdicts.toml`` for generated programs.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from dealog.pipeline import EngineName
from tests.support import carried, hazards, rounds, sanitized
from tests.support.cases import corpus
from tests.support.engines import needs_souffle
from tests.support.nightly import NIGHTLY, nightly, one_in
from tests.support.soundness import DYNAMIC, Verdict, cases, deallocated, judge, judge_mlir

COUNT = 300 if NIGHTLY else 4
VERDICTS = tomllib.loads(Path(__file__).with_name("mlir_verdicts.toml").read_text())
LOWER = "convert-bufferization-to-memref"
# The pipelines, each with the options that it is run with.
PIPELINES = {
    "abi": ("buffer-deallocation-pipeline", LOWER),
    "dynamic": (f"buffer-deallocation-pipeline={DYNAMIC}", LOWER),
    "static": ("static-buffer-deallocation", LOWER),
}
pipelines = pytest.mark.parametrize("passes", PIPELINES.values(), ids=list(PIPELINES))
kinds = pytest.mark.parametrize("kind", list(hazards.KINDS))
# Every day only programs that have all of it.
every_day = pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[] if kind == "all" else nightly) for kind in hazards.KINDS]
)
# What the programs by hand are about, as the files of the corpus are called.
KINDS = (
    "shifted_views", "pointers", "containers", "elements", "reductions", "unnamed", "by_hand", "symbols", "unreachable",
    "later_in_the_text",
)  # fmt: skip
# What programs may be refused for.
MESSAGES = {
    "what is made from this buffer is needed where the buffer cannot be",
    "what is made from this buffer is returned, but not the buffer",
    "this buffer is kept in memory that is read where the buffer cannot be",
    "this buffer is kept in memory that outlives it",
    "what is called here frees a buffer that it is given, and that is freed here, too",
    "what is read from memory here is freed, and may be a buffer that is freed anyway",
}
LOOPS = "Only structured control-flow loops are supported."
"""What MLIR's pass, and Dealog's that is like it, say of loops of blocks."""


@functools.cache
def _generated(kind: str) -> dict[str, str]:
    return {f"{kind}-{seed}": hazards.program(kind, seed) for seed in range(COUNT)}


def _some(programs: dict[str, str], passes: tuple[str, ...]) -> dict[str, str]:
    """All of the programs for the static deallocation; at night, one in ten of them for MLIR's passes."""
    return programs if passes is PIPELINES["static"] or not NIGHTLY else dict(list(programs.items())[::10])


def _corpus() -> dict[str, str]:
    return {case.name: case.text for case in cases()}


def _wrong(verdicts: dict[str, Verdict]) -> list[str]:
    """What is wrong with programs that need not be clean, but may only be refused by name."""
    wrong = [f"{name}: {fault}" for name, verdict in verdicts.items() for fault in verdict.faults]
    unnamed = {name: set(v.refused) - MESSAGES - {LOOPS} for name, v in verdicts.items()}
    return wrong + [f"{name}: {messages}" for name, messages in unnamed.items() if messages]


@pipelines
def test_the_corpus_runs_clean_or_is_refused(passes: tuple[str, ...]) -> None:
    chosen = one_in(4 if passes is PIPELINES["static"] else 8, cases())
    verdicts = judge({case.name: case.text for case in chosen}, passes)
    assert not _wrong(verdicts), "\n".join(_wrong(verdicts))
    static = "static" if passes is PIPELINES["static"] else "dealog"
    said = {case.name: case.says(static) or case.says("dealog") or "clean" for case in chosen}
    expected = {name: () if message == "clean" else (message,) for name, message in said.items()}
    found = {name: (LOOPS,) if LOOPS in verdict.refused else verdict.refused for name, verdict in verdicts.items()}
    assert found == expected


@nightly
@pytest.mark.parametrize("setting", ["abi", "dynamic", "static"])
def test_the_corpus_runs_clean_under_address_sanitizer(setting: str) -> None:
    if reason := sanitized.missing():
        pytest.skip(reason)
    programs = dict(one_in(3, list(_corpus().items())))
    verdicts = judge(programs, PIPELINES[setting], sanitize=True)
    assert not _wrong(verdicts), "\n".join(_wrong(verdicts))


@nightly
def test_what_mlir_makes_of_the_corpus() -> None:
    verdicts = judge_mlir(_corpus())
    assert {name: v.word for name, v in verdicts.items()} == {case.name: case.says("mlir") for case in cases()}


def test_each_kind_has_its_programs() -> None:
    """Ten at least of each: views, addresses, memory; and of what is rare, for which `test_odd_programs.py` stands."""
    names = [case.name.partition("-")[0] for case in (*cases(), *corpus("odd"))]
    counted = {kind: sum(name.startswith(kind) for name in names) for kind in KINDS}
    assert all(count >= 10 for count in counted.values()), counted


@every_day
@pipelines
def test_generated_programs_run_clean_or_are_refused(kind: str, passes: tuple[str, ...]) -> None:
    programs = _some(_generated(kind), passes)
    verdicts = judge(programs, passes)
    assert not _wrong(verdicts), "\n".join(_wrong(verdicts))
    assert sum(not verdict.refused for verdict in verdicts.values()) >= len(programs) // 4


@pipelines
@pytest.mark.parametrize(("kind", "of_kind"), [("round", rounds.program), ("carried", carried.program)])
def test_what_goes_round_a_loop_is_read_in_time_or_refused(
    kind: str, of_kind: Callable[[int], str], passes: tuple[str, ...]
) -> None:
    programs = {f"{kind}-{seed}": of_kind(seed) for seed in range(300 if NIGHTLY else 5)}
    verdicts = judge(_some(programs, passes), passes)
    messages = MESSAGES if passes is PIPELINES["static"] else MESSAGES | {LOOPS}
    wrong = {name: v for name, v in verdicts.items() if v.faults or set(v.refused) - messages}
    assert not wrong
    assert any(not verdict.refused for verdict in verdicts.values())


@nightly
@kinds
@pytest.mark.parametrize("setting", list(PIPELINES))
def test_generated_programs_run_clean_under_address_sanitizer(kind: str, setting: str) -> None:
    if reason := sanitized.missing():
        pytest.skip(reason)
    verdicts = judge(_some(_generated(kind), PIPELINES[setting]), PIPELINES[setting], sanitize=True)
    assert not _wrong(verdicts), "\n".join(_wrong(verdicts))


@every_day
def test_what_mlir_makes_of_generated_programs(kind: str) -> None:
    """The programs that are not in the table are clean."""
    verdicts = judge_mlir(_generated(kind))
    expected = VERDICTS.get(kind, {})
    found = {name.partition("-")[2]: verdict.word for name, verdict in verdicts.items() if verdict.word != "clean"}
    assert found == {seed: word for seed, word in expected.items() if int(seed) < COUNT}


@needs_souffle
@pytest.mark.parametrize("name", ["corpus", *(hazards.KINDS if NIGHTLY else ())])
@pytest.mark.parametrize("setting", ["abi", *(pytest.param(s, marks=nightly) for s in ("dynamic", "static"))])
def test_both_engines_decide_alike(name: str, setting: str) -> None:
    programs = _corpus() if name == "corpus" else dict(list(_generated(name).items())[:20])
    engines: tuple[EngineName, ...] = ("embedded", "souffle")
    for text in list(programs.values())[::4]:
        one, other = (deallocated(text, PIPELINES[setting], engine) for engine in engines)
        assert one == other
