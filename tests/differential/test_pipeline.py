"""Dealog's simplification and its whole pipeline against MLIR's own: the same text after canonicalization.

Simplification gets what MLIR's ownership pass and canonicalizer leave. The pipeline gets the programs as
MLIR's pipeline sees them when the ownership pass starts: it canonicalizes the user's code first, which Dealog
never touches. All cases go through in one module, and are compared one by one, function by function. The passes
that MLIR's pipeline has are compared for the same text; the pipeline as Dealog runs it also folds what it inserted,
and knows more of the conditions than MLIR's canonicalizer: it may only leave less.

Where Dealog knows more than MLIR, its output has fewer run-time checks. For the corpus these functions are
listed in ``better_outputs.toml``, with reasons; of the generated programs it is asked that they check less.
In both cases the output has to run clean, and to compute what the program computes without deallocation.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from dealog.pipeline import EngineName
from tests.support import joined, tools
from tests.support.cases import Case, corpus, examples, generated
from tests.support.compare import differences, functions
from tests.support.dealog import OWNERSHIP, run_dealog
from tests.support.engines import needs_souffle
from tests.support.execute import Program, execute, references
from tests.support.nightly import nightly, one_in

BETTER = Path(__file__).with_name("better_outputs.toml")
LOCAL = "-mlir-print-local-scope"
DYNAMIC = "=private-function-dynamic-ownership=true"
PIPELINE = "buffer-deallocation-pipeline"

# The first canonicalization finds what Dealog's output leaves to others, or shows that there is nothing; the
# second one is for what the elimination of common subexpressions makes possible, and MLIR's pipeline ends
# like this. In what order the canonicalizer leaves constants depends on where it meets them first, which is
# not the same in a text in which somebody else has put other constants: ``differences`` sorts them.
CLEAN_UP = ("-canonicalize", "-cse", "-canonicalize", LOCAL)


@dataclass(frozen=True)
class Compared:
    """A pass or pipeline: its flag, what MLIR runs before it, and whether it takes the ownership option."""

    flag: str
    before: tuple[str, ...]

    def preparation(self, options: str) -> tuple[str, ...]:
        return tuple(f"{flag}{options}" if flag.endswith(OWNERSHIP) else flag for flag in self.before)

    def full_flag(self, options: str) -> str:
        return self.flag if any(flag.endswith(OWNERSHIP) for flag in self.before) else f"{self.flag}{options}"

    def passes(self, options: str) -> list[str]:
        """The passes of Dealog that MLIR's flag stands for, without the folding in between."""
        if self.flag != PIPELINE:
            return [self.flag]
        return [
            "expand-realloc=emit-deallocs=false",
            f"{OWNERSHIP}{options}",
            "buffer-deallocation-simplification",
            "bufferization-lower-deallocations",
        ]


COMPARED = {
    # MLIR's simplification also simplifies the control flow of the user's code as its rewriting driver goes:
    # the canonicalizer does that beforehand.
    "simplification": Compared(
        "buffer-deallocation-simplification", (f"-{OWNERSHIP}", "-canonicalize=region-simplify=aggressive")
    ),
    "pipeline": Compared(PIPELINE, ("-expand-realloc=emit-deallocs=false", "-canonicalize")),
}
# Simplification has no options of its own: what the ownership pass makes of one more is for the nightly run.
EACH = pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("simplification", "", id="simplification-abi"),
        pytest.param("simplification", DYNAMIC, id="simplification-dynamic", marks=nightly),
        pytest.param("pipeline", "", id="pipeline-abi"),
        pytest.param("pipeline", DYNAMIC, id="pipeline-dynamic"),
    ],
)


def _mlir(text: str, *flags: str) -> str:
    return tools.run_mlir_opt([text], *flags)[0].unwrap()


NOT_TAKEN = {"generated-44", "generated-256"}
"""Programs that MLIR's pipeline crashes on, or refuses."""

TIDIED = {("generated-147", "f0")}
"""Functions of which MLIR's simplification also takes out the values that loops and blocks pass on and nobody reads,
and with these what they would be compared for."""


@functools.cache
def _cases() -> tuple[Case, ...]:
    return (*corpus(), *examples(), *(case for case in generated() if case.name not in NOT_TAKEN))


@nightly
def test_what_mlir_does_not_take_is_listed() -> None:
    cases = [case.text for case in generated() if case.name in NOT_TAKEN]
    texts = [output.unwrap() for output in tools.run_mlir_opt(cases, *COMPARED["pipeline"].before)]
    assert not any(output.ok for output in tools.run_mlir_opt(texts, f"-{PIPELINE}"))


@functools.cache
def _input(name: str, options: str) -> str:
    return _mlir(joined.join(_cases()), *COMPARED[name].preparation(options), LOCAL)


@functools.cache
def _expected(name: str, options: str) -> dict[str, str]:
    flag = f"-{COMPARED[name].full_flag(options)}"
    return joined.split(_mlir(_mlir(_input(name, options), flag), *CLEAN_UP))


@functools.cache
def _actual(name: str, options: str, engine: EngineName = "embedded") -> dict[str, str]:
    output = run_dealog(_input(name, options), COMPARED[name].passes(options), engine).unwrap()
    return joined.split(_mlir(output, *CLEAN_UP))


@functools.cache
def _folded(options: str) -> dict[str, str]:
    """What the pipeline makes as users run it."""
    output = run_dealog(_input("pipeline", options), [f"{PIPELINE}{options}"]).unwrap()
    return joined.split(_mlir(output, *CLEAN_UP))


@functools.cache
def _differences(name: str, options: str) -> dict[tuple[str, str], str]:
    """What differs, by case and function. A helper function that nobody calls any more does not count."""
    found = {}
    for case, text in _expected(name, options).items():
        for function, difference in differences(text, _actual(name, options).get(case, "")).items():
            if not function.startswith("dealloc_helper"):
                found[case, function] = difference
    return found


def _better(name: str) -> dict[tuple[str, str], str]:
    rows = tomllib.loads(BETTER.read_text())["better"]
    rows = [row for row in rows if row.get("only", name) == name]
    return {(row["case"], function): row["reason"] for row in rows for function in row["functions"]}


_DEALLOC = re.compile(r"bufferization\.dealloc (?:\((.*?) : .*?\) if \([^()]*\))?(?: retain \((.*?) : .*\))?")


def _comparisons(text: str) -> int:
    """How many pairs of buffers the deallocs of a printed function compare, or have already lowered."""
    count = text.count("memref.extract_aligned_pointer_as_index")
    for match in _DEALLOC.finditer(text):
        freed, kept = (len((group or "").split(", ")) if group else 0 for group in match.groups())
        count += freed * (freed - 1) // 2 + freed * kept
    return count


@EACH
def test_same_as_mlir(name: str, options: str) -> None:
    assert list(_expected(name, options)) == [case.name for case in _cases()]
    found = _differences(name, options)
    better = _better(name)
    wrong = [
        f"{case} @{function}\n{difference}"
        for (case, function), difference in found.items()
        if not case.startswith("generated-") and (case, function) not in better
    ]
    wrong += [f"{case} @{function}: does not differ any more" for case, function in set(better) - set(found)]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("name", list(COMPARED))
def test_same_as_mlir_without_assertions(name: str) -> None:
    """Where a build of MLIR with assertions stops, see the corpus; the order of operands apart."""
    tool = tools.mlir_opt_without_assertions()
    if tool is None:
        pytest.skip("no mlir-opt without assertions is installed")
    compared = COMPARED[name]
    for case in corpus("across_blocks"):
        text = tools.run_mlir_opt([case.text], *compared.before, LOCAL, tool=tool)[0].unwrap()
        output = tools.run_mlir_opt([text], f"-{compared.flag}", tool=tool)[0].unwrap()
        actual = run_dealog(text, compared.passes("")).unwrap()
        found = differences(_mlir(output, *CLEAN_UP), _mlir(actual, *CLEAN_UP), ordered=False)
        assert not found, "\n\n".join(found.values())


@EACH
def test_what_differs_compares_less(name: str, options: str) -> None:
    for case, function in _differences(name, options):
        texts = [functions(found(name, options)[case])[function] for found in (_actual, _expected)]
        ours, theirs = (_comparisons(text) for text in texts)
        if case.startswith("generated-") and (name == "pipeline" or ours == theirs or (case, function) in TIDIED):
            continue  # folded, below; or a deallocation's parts in another order; or the user's code differs
        less = ours < theirs or (ours == theirs and _calls(texts[0]) < _calls(texts[1]))
        assert less, f"{case} @{function}: {ours} comparisons, {theirs} in MLIR's output"


@EACH
def test_what_differs_runs_clean(name: str, options: str) -> None:
    differing = {case for case, _ in _differences(name, options)}
    cases = one_in(3, [case for case in _cases() if case.name in differing])
    assert cases and all(case.executable and not case.says("no reference") for case in cases)
    runs = execute([Program(case.name, _actual(name, options)[case.name]) for case in cases])
    for run, reference in zip(runs, references(cases).values(), strict=True):
        assert run.calls and not reference.error
        assert not run.faults, f"{run.program.name}: {run.faults}"
        assert run.values == reference.values, run.program.name


WITH_OPTIONS = pytest.mark.parametrize(
    "options", [pytest.param("", id="abi"), pytest.param(DYNAMIC, id="dynamic", marks=nightly)]
)


@nightly
@WITH_OPTIONS
def test_folding_leaves_less(options: str) -> None:
    """Function by function: no more comparisons, helper calls, clones and conditional operations than MLIR leaves."""
    more = []
    for case, text in _expected("pipeline", options).items():
        ours = functions(_folded(options)[case])
        for function, theirs in functions(text).items():
            if function.startswith("dealloc_helper"):
                continue
            for counted in (_comparisons, _calls, _clones, _conditionals):
                if counted(ours[function]) > counted(theirs):
                    more.append(f"{case} @{function}: {counted.__name__[1:]}")
    assert not more, "\n".join(more)


def _calls(text: str) -> int:
    return text.count("call @dealloc_helper")


def _clones(text: str) -> int:
    return text.count("bufferization.clone")


def _conditionals(text: str) -> int:
    return text.count("scf.if")


@WITH_OPTIONS
def test_folded_runs_clean(options: str) -> None:
    changed = {case for case, text in _actual("pipeline", options).items() if text != _folded(options)[case]}
    cases = one_in(6, [c for c in _cases() if c.name in changed and c.executable and not c.says("no reference")])
    assert cases
    runs = execute([Program(case.name, _folded(options)[case.name]) for case in cases])
    for run, reference in zip(runs, references(cases).values(), strict=True):
        assert run.calls and not reference.error
        assert not run.faults, f"{run.program.name}: {run.faults}"
        assert run.values == reference.values, run.program.name


@nightly
@needs_souffle
@EACH
def test_both_engines_agree(name: str, options: str) -> None:
    assert _actual(name, options, "souffle") == _actual(name, options)


@pytest.mark.parametrize("name", list(COMPARED))
def test_comparison_can_fail(name: str) -> None:
    """One dealloc less, or under another condition, is a difference."""
    (text,) = (text for case, text in _actual(name, "").items() if case == "scf_if")
    op = "memref.dealloc" if name == "pipeline" else "bufferization.dealloc"
    lines = text.splitlines()
    number = next(number for number, line in enumerate(lines) if line.lstrip().startswith(op))
    assert differences(text, "\n".join([*lines[:number], *lines[number + 1 :]]))


def test_counts_comparisons() -> None:
    assert _comparisons("bufferization.dealloc (%a : memref<2xf32>) if (%c)") == 0
    assert _comparisons("bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d)") == 1
    kept = "(%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%x, %y : memref<f32>, memref<f32>)"
    assert _comparisons(f"%0:2 = bufferization.dealloc {kept}") == 5


def test_every_better_output_names_a_function() -> None:
    assert {row.get("only", "pipeline") for row in tomllib.loads(BETTER.read_text())["better"]} == set(COMPARED)
    for (case, function), reason in (_better("pipeline") | _better("simplification")).items():
        (text,) = (text for name, text in _expected("pipeline", "").items() if name == case)
        assert function in functions(text)
        assert reason.strip()
