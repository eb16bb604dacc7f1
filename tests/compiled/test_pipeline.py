"""What ``dealog dealloc`` makes of a program runs: compiled, it computes what the program computes without
any deallocation, leaks nothing, frees nothing twice and uses nothing late; and so does every stage on the
way.

Three judges look at it: the checked heap of :mod:`tests.support.execute`, AddressSanitizer with its leak
checker, and the interpreter of :mod:`dealog.execution`. That they would notice is shown on outputs that were
tampered with.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

import pytest

from dealog.diagnostics import SourceText
from dealog.execution import Limits, Outcome, lower, run
from dealog.frontend import parse
from dealog.passes import DEALLOCATION
from dealog.pipeline import expand
from tests.support import generate, joined, sanitized, tools
from tests.support.cases import GENERATED, Case, corpus, examples
from tests.support.dealog import run_stages
from tests.support.execute import TOGETHER, Execution, Program, execute, references
from tests.support.families import FAMILIES
from tests.support.nightly import NIGHTLY, one_in

DYNAMIC = "private-function-dynamic-ownership=true"

# The passes of the main job; folding comes twice.
NAMES = tuple(step.pass_.name for step in expand(DEALLOCATION))
STAGES = tuple(f"{name}-{NAMES[:n].count(name)}" if NAMES.count(name) > 1 else name for n, name in enumerate(NAMES))
FIRST_THAT_FREES = NAMES.index("ownership-based-buffer-deallocation")


@functools.cache
def _cases(kind: str) -> tuple[Case, ...]:
    if kind in ("generated", "wild"):
        # Of the wild ones MLIR gets some wrong. The sizes are those of the differential tests.
        count = min(GENERATED, 100) if kind == "generated" or NIGHTLY else GENERATED // 3
        return tuple(
            Case(f"{kind}-{seed}", generate.program(seed, size=8 + seed % 24, wild=kind == "wild"))
            for seed in range(count)
        )
    if kind == "families":
        return tuple(Case(name, family(4)) for name, family in FAMILIES.items())
    if kind == "examples":
        return examples()
    cases = [case for case in corpus("" if kind == "corpus" else kind) if case.executable]
    return tuple(one_in(3, cases) if kind == "corpus" else cases)


@functools.cache
def _outputs(kind: str, options: str) -> list[list[str]]:
    """What Dealog makes of the programs, several in each text: a list of these texts for each stage."""
    cases = _cases(kind)
    if kind == "examples":  # their weights stand behind the module
        texts = [case.text for case in cases]
    else:
        texts = [joined.join(cases[start : start + TOGETHER]) for start in range(0, len(cases), TOGETHER)]
    steps = expand(DEALLOCATION, options)
    return [list(stage) for stage in zip(*(run_stages(text, steps) for text in texts), strict=True)]


@functools.cache
def _stage(kind: str, number: int, options: str) -> list[tuple[str, str]]:
    """The programs after the passes up to ``number``, by name."""
    texts = _outputs(kind, options)[number]
    if kind == "examples":
        return [(case.name, text) for case, text in zip(_cases(kind), texts, strict=True)]
    found: dict[str, str] = {}
    for output in tools.run_mlir_opt(texts, "-mlir-print-local-scope"):
        found |= joined.split(output.unwrap())
    assert list(found) == [case.name for case in _cases(kind)]
    return list(found.items())


@functools.cache
def _deallocated(kind: str, options: str) -> list[Program]:
    """The programs after all of ``dealog dealloc``."""
    return [Program(name, text) for name, text in _stage(kind, len(STAGES) - 1, options)]


@functools.cache
def _reference(kind: str) -> dict[str, Execution]:
    """Every program run without any deallocation."""
    runs = references(case for case in _cases(kind) if case.says("no reference") is None)
    assert not [run.error for run in runs.values() if run.error]
    return runs


def _wrong(kind: str, runs: Sequence[Execution]) -> list[str]:
    """What is wrong with programs that were run, in words."""
    found = []
    for run_ in runs:
        name = run_.program.name
        found += [f"{name}: {fault}" for fault in run_.faults]
        if not run_.calls:
            found.append(f"{name}: nothing to run")
        reference = _reference(kind).get(name)
        if reference is not None and run_.values != reference.values:
            found.append(f"{name}: gives {run_.values}, {reference.values} expected")
    return found


KINDS = ["examples", "corpus", "across_blocks", "families", "generated", "wild", "beyond"]


@pytest.mark.parametrize("kind", KINDS)
def test_runs_clean(kind: str) -> None:
    wrong = _wrong(kind, execute(one_in(4 if kind == "corpus" else 8, _deallocated(kind, ""))))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if NIGHTLY or kind in ("across_blocks", "families", "beyond")])
def test_runs_clean_with_dynamic_ownership(kind: str) -> None:
    wrong = _wrong(kind, execute(_deallocated(kind, DYNAMIC)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if NIGHTLY or kind in ("examples", "generated", "beyond")])
def test_runs_clean_under_address_sanitizer(kind: str) -> None:
    if reason := sanitized.missing():
        pytest.skip(reason)
    wrong = _wrong(kind, sanitized.execute_sanitized(_deallocated(kind, "")))
    assert not wrong, "\n".join(wrong)


def test_nothing_of_dealog_is_left() -> None:
    """The output takes none of the bufferization passes any more."""
    for kind in ("examples", "corpus", "generated"):
        for program in _deallocated(kind, ""):
            left = re.findall(r"\bbufferization\.(?!manual_deallocation\b)\w+", program.text)
            assert not left, program.name


# ---- every stage, interpreted -----------------------------------------------------------------------------


def _interpreted(texts: Sequence[str], frees: bool) -> list[Outcome]:
    """The outcome of ``@main`` in each; linalg is lowered first."""
    outputs = tools.run_mlir_opt(texts, "-convert-linalg-to-loops", "-mlir-print-op-generic")
    return [run(parse(output.unwrap()), check_ownership=frees) for output in outputs]


@functools.cache
def _meaning(kind: str) -> list[Outcome]:
    """What the programs mean as they are written."""
    outcomes = _interpreted([case.text for case in _cases(kind)], frees=False)
    assert all(outcome.ok and outcome.written for outcome in outcomes)
    return outcomes


@pytest.mark.parametrize("kind", ["generated", "wild"] if NIGHTLY else ["generated"])
@pytest.mark.parametrize("options", ["", DYNAMIC] if NIGHTLY else [""], ids=lambda options: options or "abi")
@pytest.mark.parametrize("number", range(len(STAGES)), ids=STAGES)
def test_means_the_same_after(number: int, options: str, kind: str) -> None:
    frees = number >= FIRST_THAT_FREES
    stage = _stage(kind, number, options)
    outcomes = _interpreted([text for _, text in stage], frees)
    for (name, _), outcome, meaning in zip(stage, outcomes, _meaning(kind), strict=True):
        assert outcome.ok, f"{name}: {outcome.faults[0].diagnostic.render()}"
        assert outcome.written == meaning.written, name
        if frees:
            assert outcome.statistics.frees == outcome.statistics.allocations, name


@pytest.mark.parametrize("name", [case.name for case in examples() if NIGHTLY or case.name == "mlp"])
def test_models_mean_the_same_after_every_stage(name: str) -> None:
    (text,) = (case.text for case in examples() if case.name == name)
    tool = str(tools.mlir_opt())
    meaning = run(lower(SourceText(name, text), tool), "@forward", ["random"], check_ownership=False)
    assert meaning.ok and meaning.written
    for number, output in enumerate(run_stages(text, expand(DEALLOCATION))):
        frees = number >= FIRST_THAT_FREES
        outcome = run(lower(SourceText(name, output), tool), "@forward", ["random"], check_ownership=frees)
        assert outcome.ok, outcome.faults[0].diagnostic.render()
        assert outcome.written == meaning.written, STAGES[number]
        assert not frees or outcome.statistics.frees == outcome.statistics.allocations


def test_compiled_and_interpreted_compute_the_same() -> None:
    for case, outcome in zip(_cases("generated"), _meaning("generated"), strict=True):
        (written,) = (
            values for (name, _), values in _reference("generated")[case.name].values.items() if name == "main"
        )
        (value,) = outcome.results
        assert float(written[0]) == pytest.approx(value, rel=1e-6), case.name


# ---- tampered with ----------------------------------------------------------------------------------------

DEALLOC = re.compile(r"^ *memref\.dealloc (%\w+) : .*\n", re.MULTILINE)


def _dropped(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + text[match.end() :]


def _doubled(text: str, match: re.Match[str]) -> str:
    return text[: match.end()] + match[0] + text[match.end() :]


def _moved_up(text: str, match: re.Match[str]) -> str | None:
    """The dealloc right after the allocation of its buffer, where that is in the same block and is used."""
    indent = len(match[0]) - len(match[0].lstrip())
    allocations = re.finditer(rf"^ {{{indent}}}{match[1]} = memref\.alloc\(.*\n", text[: match.start()], re.MULTILINE)
    for allocation in reversed(list(allocations)):
        between = text[allocation.end() : match.start()]
        same_block = all(len(line) - len(line.lstrip()) >= indent for line in between.splitlines())
        if same_block and re.search(rf"{match[1]}\b", between):
            return text[: allocation.end()] + match[0] + between + text[match.end() :]
    return None


TAMPERED = {
    "dropped": (_dropped, {"leak"}, ("leaked", "LeakSanitizer")),
    "doubled": (_doubled, {"double-free"}, ("freed twice", "double-free")),
    "moved up": (_moved_up, {"use-after-free", "double-free"}, ("after free", "use-after-free")),
}


def _tampered(how: str) -> Iterator[str]:
    """The generated programs with one dealloc tampered with: all of them in turn, for some programs."""
    tamper = TAMPERED[how][0]
    for program in _deallocated("generated", "")[: 60 if NIGHTLY else 3]:
        for match in DEALLOC.finditer(program.text):
            text = tamper(program.text, match)
            if text is not None:
                yield text


@pytest.mark.parametrize("how", one_in(3, list(TAMPERED)))
def test_tampering_is_noticed(how: str) -> None:
    """The judges agree on every mutant: at fault, or the dealloc is on a path that is not taken."""
    _, kinds, words = TAMPERED[how]
    texts = list(_tampered(how))
    texts = texts[:: len(texts) // (200 if NIGHTLY else 16)]
    programs = [Program(str(number), text) for number, text in enumerate(texts)]
    judges = [execute(programs)]
    if not sanitized.missing():
        judges.append(sanitized.execute_sanitized(programs))
    limits = Limits(steps=1_000_000)
    lowered = tools.run_mlir_opt(texts, "-convert-linalg-to-loops", "-mlir-print-op-generic")
    noticed = 0
    for number, output in enumerate(lowered):
        outcome = run(parse(output.unwrap()), limits=limits)
        assert set(outcome.kinds) <= kinds
        noticed += not outcome.ok
        for judge in judges:
            (call,) = (call for call in judge[number].calls if call.function == "main")
            assert bool(call.faults) == (not outcome.ok), f"{call}\n{texts[number]}"
            assert not call.faults or any(word in fault for word in words for fault in call.faults), call
    assert noticed >= len(texts) // 4 > 3
