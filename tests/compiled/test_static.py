"""What the static deallocation makes of programs runs clean, and computes what they compute without deallocation.

The programs: those of ``tests/corpus``, the families, structured and wild ones of :mod:`tests.support.generate`, graphs
of blocks of :mod:`tests.support.unstructured`, functions with several returns of :mod:`tests.support.returns`, and
those of :mod:`tests.support.medley` and :mod:`tests.support.composed`, where all of it meets. They are run on the
checked heap, under AddressSanitizer and by ``dealog exec``. (Memory that holds buffers, pointers and shifted views:
``test_soundness.py``.)
"""

from __future__ import annotations

import functools
import re
from collections import Counter

import pytest

from dealog import rules
from dealog.execution import run
from dealog.extensions import Extensions
from dealog.frontend import parse
from tests.support import composed, exchanges, generate, medley, returns, sanitized, tools, unstructured
from tests.support.cases import corpus
from tests.support.engines import needs_souffle
from tests.support.execute import Program, execute
from tests.support.families import FAMILIES
from tests.support.nightly import NIGHTLY, nightly, one_in
from tests.support.soundness import deallocated, deallocated_all, judge
from tests.support.unreached import with_unreached

COUNT = 300 if NIGHTLY else 20
PASSES = ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref=strided-clones")
GENERATED = ("structured", "wild", "exchanges", "medley", "composed", "returns", *unstructured.KINDS)
COMPARED_AGAIN = "copied_on_condition-returned_twice"
"""A second run compares the addresses of its two results once more, and does the same."""
CHANGED_AGAIN = {"medley": 0.01, "returns": 0.02}
"""The share of programs that a second run may refuse, or make something else of."""
AGAIN_BY_DAY = ("private", "medley", "returns")
SANITIZED_BY_DAY = ("wild", "private")
GENERIC_BY_DAY = ("medley",)
UNREACHED_BY_DAY = ("medley",)
TRUSTING = Extensions(rules=(rules.option("trust-external-results"),))
"""What the corpus declares returns new buffers (`tests/support/heap.mlir`), which this pass has to know."""
kinds = pytest.mark.parametrize("kind", GENERATED)


@functools.cache
def _programs(kind: str) -> dict[str, str]:
    if kind in unstructured.KINDS:
        return {f"{kind}-{seed}": unstructured.program(kind, seed, 3 + seed % 7) for seed in range(COUNT)}
    if kind == "exchanges":
        return {f"{kind}-{seed}": exchanges.program(seed, 3 + seed % 7) for seed in range(COUNT)}
    if kind == "medley":
        return {f"{kind}-{seed}": medley.program(seed, 3 + seed % 6) for seed in range(COUNT)}
    if kind == "composed":
        return {f"{kind}-{seed}": composed.program(seed, 3 + seed % 5) for seed in range(COUNT)}
    if kind == "returns":
        return {f"{kind}-{seed}": returns.program(seed, 2 + seed % 4) for seed in range(COUNT)}
    if kind in ("structured", "wild"):
        wild = kind == "wild"
        return {f"{kind}-{s}": generate.program(s, size=8 + s % 24, wild=wild) for s in range(COUNT)}
    if kind == "families":
        return {name: family(4) for name, family in FAMILIES.items()}
    cases = corpus() if kind == "corpus" else corpus(kind)
    return {case.name: case.text for case in cases if case.executable and case.says("no reference") is None}


def _not_clean(programs: dict[str, str], *, sanitize: bool = False) -> list[str]:
    verdicts = judge(programs, PASSES, sanitize=sanitize, extensions=TRUSTING)
    return [f"{name}: {fault}" for name, v in verdicts.items() for fault in (*v.faults, *v.refused)]


@pytest.mark.parametrize("kind", ["corpus", "across_blocks", "beyond", "static", "families"])
def test_what_is_written_by_hand_runs_clean(kind: str) -> None:
    wrong = _not_clean(dict(one_in(8 if kind == "corpus" else 5, list(_programs(kind).items()))))
    assert not wrong, "\n".join(wrong)


@kinds
def test_generated_programs_run_clean(kind: str) -> None:
    wrong = _not_clean(_programs(kind))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", [pytest.param(k, marks=[] if k in UNREACHED_BY_DAY else nightly) for k in GENERATED])
def test_blocks_that_control_never_comes_to_change_nothing(kind: str) -> None:
    programs = list(_programs(kind).items())[:: 6 if NIGHTLY else 2]
    wrong = _not_clean({name: with_unreached(text, seed) for seed, (name, text) in enumerate(programs)})
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", [pytest.param(k, marks=[] if k in GENERIC_BY_DAY else nightly) for k in GENERATED])
def test_in_generic_form_the_same_is_freed(kind: str) -> None:
    texts = list(_programs(kind).values())[:: 20 if NIGHTLY else 8]
    read = []
    for flags in ((), ("-mlir-print-op-generic",)):
        forms = {str(i): each.unwrap() for i, each in enumerate(tools.run_mlir_opt(texts, *flags))}
        outputs = [output or "" for output, _ in deallocated_all(forms, PASSES).values()]
        assert all(outputs)
        lines = [each.unwrap().splitlines() for each in tools.run_mlir_opt(outputs)]
        # two i1 that are worked out at one place may come in another order, which shifts the numbers of values
        read.append([Counter(re.sub(r"%\w+(#\d+)?", "%", line) for line in each) for each in lines])
    assert read[0] == read[1]


@pytest.mark.skipif(sanitized.missing() is not None, reason=str(sanitized.missing()))
@pytest.mark.parametrize("kind", [pytest.param(k, marks=[] if k in SANITIZED_BY_DAY else nightly) for k in GENERATED])
def test_generated_programs_run_clean_under_address_sanitizer(kind: str) -> None:
    names = list(_programs(kind))[:: 1 if NIGHTLY else 10]
    wrong = _not_clean({name: _programs(kind)[name] for name in names}, sanitize=True)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", ["structured", pytest.param("wild", marks=nightly)])
def test_generated_programs_run_clean_in_the_interpreter(kind: str) -> None:
    programs = dict(list(_programs(kind).items())[::3])
    lowered = tools.run_mlir_opt(list(programs.values()), "-convert-linalg-to-loops")
    loops = {name: output.unwrap() for name, output in zip(programs, lowered, strict=True)}
    for name, (output, refused) in deallocated_all(loops, PASSES).items():
        expected = run(parse(loops[name]), check_ownership=False)
        assert output is not None, (name, refused)
        outcome = run(parse(output), check_ownership=True)
        assert outcome.ok, (name, outcome.faults[0].diagnostic.render())
        assert outcome.written == expected.written, name
        assert outcome.statistics.frees == outcome.statistics.allocations


@pytest.mark.parametrize("kind", [pytest.param(k, marks=[] if k in AGAIN_BY_DAY else nightly) for k in GENERATED])
def test_nothing_is_left_to_do_for_a_second_run(kind: str) -> None:
    """Of programs in which everything meets a few are refused or freed otherwise then, but never wrongly."""
    programs = dict(list(_programs(kind).items())[: COUNT // 6 if NIGHTLY else 3])
    first = deallocated_all(programs, PASSES[:-1])
    assert [(name, refused) for name, (_, refused) in first.items() if refused] == []
    outputs = {name: output for name, (output, _) in first.items() if output is not None}
    again = deallocated_all(outputs, PASSES[:-1])
    changed = {name: text for name, text in outputs.items() if (again[name][0] or "").strip() != text.strip()}
    assert len(changed) <= CHANGED_AGAIN.get(kind, 0) * len(programs), list(changed)
    faults = {name: v.faults for name, v in judge(changed, PASSES, extensions=TRUSTING).items() if v.faults}
    assert not faults


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(
    "kind", ["structured", pytest.param("private", marks=nightly), pytest.param("exchanges", marks=nightly)]
)
def test_what_mlir_has_deallocated_is_left_as_it_is(kind: str, dynamic: bool) -> None:
    """Between private functions some of that is refused, and attributes are added; nothing goes wrong. (What MLIR frees
    and reads after that is refused, or left as it is.)"""
    programs = dict(list(_programs(kind).items())[: COUNT // 10 if NIGHTLY else 6])
    option = "=private-function-dynamic-ownership" if dynamic else ""
    freed = tools.run_mlir_opt(
        list(programs.values()), f"-buffer-deallocation-pipeline{option}", "-convert-bufferization-to-memref"
    )
    texts = {name: output.text for name, output in zip(programs, freed, strict=True) if output.text is not None}
    own = judge(texts, PASSES[1:], extensions=TRUSTING)
    again = {name: output for name, (output, _) in deallocated_all(texts, PASSES[:-1]).items() if output is not None}
    right = [name for name in texts if not own[name].faults]
    assert sum(name in again for name in right) >= len(right) * (0.99 if kind != "exchanges" else 0.65)
    if kind == "structured":  # MLIR gives callers one buffer twice; they own each result, so one is copied.
        changed = [name for name, output in again.items() if output.strip() != texts[name].strip()]
        assert [name for name in changed if not re.search(r"return (%\w+), \1[ ,]", texts[name])] == []
    ours = judge({name: texts[name] for name in again}, PASSES, extensions=TRUSTING)
    assert {name: v.faults for name, v in ours.items() if v.faults and not own[name].faults} == {}


@pytest.mark.parametrize("kind", [pytest.param(k, marks=[] if k == "private" else nightly) for k in GENERATED])
def test_what_it_freed_is_left_as_it_is_once_lowered_to_blocks(kind: str) -> None:
    """`scf.if` around deallocations becomes `cf.cond_br`. Some graphs are refused then; nothing goes wrong."""
    programs = dict(list(_programs(kind).items())[: COUNT // 10 if NIGHTLY else 6])
    first = {name: output for name, (output, _) in deallocated_all(programs, PASSES[:-1]).items() if output is not None}
    lowered = tools.run_mlir_opt(list(first.values()), "-convert-scf-to-cf")
    texts = {name: output.text for name, output in zip(first, lowered, strict=True) if output.text is not None}
    again = deallocated_all(texts, PASSES[:-1])
    taken = {name: texts[name] for name, (output, _) in again.items() if output is not None}
    assert len(taken) >= len(texts) * 0.8
    faults = {name: v.faults for name, v in judge(taken, PASSES, extensions=TRUSTING).items() if v.faults}
    assert not faults


def test_nothing_is_left_to_do_in_what_is_written_by_hand() -> None:
    first = deallocated_all(dict(one_in(8, list(_programs("static").items())[::-1])), PASSES[:-1])
    assert [(name, refused) for name, (_, refused) in first.items() if refused] == []
    outputs = {name: (output or "").strip() for name, (output, _) in first.items()}
    again = deallocated_all(outputs, PASSES[:-1])
    assert [(name, refused) for name, (_, refused) in again.items() if refused] == []
    changed = {name: text for name, text in outputs.items() if (again[name][0] or "").strip() != text}
    assert changed.keys() <= {COMPARED_AGAIN}
    assert {name: v.faults for name, v in judge(changed, PASSES, extensions=TRUSTING).items() if v.faults} == {}


@needs_souffle
@kinds
def test_both_engines_decide_alike(kind: str) -> None:
    for name, text in list(_programs(kind).items())[:: 15 if NIGHTLY else 10]:  # Soufflé takes seconds for each
        assert deallocated(text, PASSES) == deallocated(text, PASSES, "souffle"), name


def test_a_free_too_many_and_one_too_few_are_seen() -> None:
    """The judge of all of the above is no rubber stamp."""
    output, _ = deallocated(unstructured.program("loops", 0), PASSES)
    assert output is not None
    lines = output.splitlines(keepends=True)
    places = [i for i, line in enumerate(lines) if "memref.dealloc" in line]
    twice = execute([Program(str(i), "".join((*lines[:i], lines[i], *lines[i:]))) for i in places])
    never = execute([Program(str(i), "".join((*lines[:i], *lines[i + 1 :]))) for i in places])
    assert any("freed twice" in fault for each in twice for fault in each.faults)
    assert any("leaked" in fault for each in never for fault in each.faults)
