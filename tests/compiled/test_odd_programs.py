"""Programs of kinds that are rare, by hand (``tests/corpus/odd``) and from a generator: what ``dealog dealloc`` makes
of them runs clean and computes what they compute without any deallocation, or they are refused by name.

What MLIR's own pipeline makes of those by hand stands beside each in a comment: ``right``, ``wrong`` (it runs, and
frees something too early, twice or not at all), ``refuses`` or ``crashes``; ``with dynamic ownership``, only then.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import pytest

from tests.support import oddities, sanitized, tools
from tests.support.cases import Case, corpus
from tests.support.dealog import run_dealog
from tests.support.engines import needs_souffle
from tests.support.execute import Execution, Program, execute, references
from tests.support.nightly import NIGHTLY, nightly, one_in

PASSES = {
    "": ("buffer-deallocation-pipeline", "convert-bufferization-to-memref"),
    "dynamic": (
        "buffer-deallocation-pipeline=private-function-dynamic-ownership=true", "convert-bufferization-to-memref",
    ),
    "static": ("expand-realloc=emit-deallocs=false", "static-buffer-deallocation", "convert-bufferization-to-memref"),
}  # fmt: skip
SETTINGS = pytest.mark.parametrize("setting", PASSES, ids=["abi", "dynamic", "static"])
OF_MLIR = pytest.mark.parametrize("setting", ["", "dynamic"], ids=["abi", "dynamic"])
KINDS = pytest.mark.parametrize("kind", ["by hand", "generated"])
_VERDICT = re.compile(r"^// mlir: (right|wrong|refuses|crashes)( with dynamic ownership)?$", re.MULTILINE)


@functools.cache
def _cases(kind: str) -> tuple[Case, ...]:
    if kind == "by hand":
        return tuple(one_in(4, [case for case in corpus("odd") if not _to_be_refused(case)]))
    return tuple(Case(f"odd-{seed}", oddities.odd_program(seed)) for seed in range(100 if NIGHTLY else 2))


def _to_be_refused(case: Case) -> bool:
    return "// refused" in case.text


@functools.cache
def _outputs(kind: str, setting: str) -> dict[str, str]:
    """What comes out, by case; a generated program may be refused for reasons that there are for it."""
    found = {}
    for case in _cases(kind):
        output = run_dealog(case.text, PASSES[setting])
        refusals = {diagnostic.message for diagnostic in output.diagnostics}
        if output.text is not None:
            found[case.name] = output.text
        else:
            assert kind == "generated" and refusals <= oddities.REFUSED, f"{case.name}: {refusals}"
    assert len(found) > 0.9 * len(_cases(kind))
    return found


@functools.cache
def _programs(kind: str, setting: str) -> tuple[Program, ...]:
    """Those that run, as mlir-opt reads them."""
    outputs = _outputs(kind, setting)
    read = tools.run_mlir_opt(list(outputs.values()), "-allow-unregistered-dialect")
    wrong = [f"{name}: {output.errors}" for name, output in zip(outputs, read, strict=True) if not output.ok]
    assert not wrong, "\n".join(wrong)
    runs = {case.name for case in _cases(kind) if case.executable}
    return tuple(Program(name, o.unwrap()) for name, o in zip(outputs, read, strict=True) if name in runs)


@functools.cache
def _reference(kind: str) -> dict[str, Execution]:
    return references(case for case in _cases(kind) if case.executable)


def _wrong(kind: str, runs: Sequence[Execution]) -> list[str]:
    found = []
    for run in runs:
        name, reference = run.program.name, _reference(kind)[run.program.name]
        found += [f"{name}: {fault}" for fault in run.faults]
        if run.error or not run.calls:
            found.append(f"{name}: {run.error or 'nothing to run'}")
        elif run.values != reference.values:
            found.append(f"{name}: gives {run.values}, {reference.values} expected")
    return found


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        pytest.param("by hand", "", marks=nightly),
        pytest.param("by hand", "dynamic", marks=nightly),
        ("by hand", "static"),
        ("generated", "dynamic"),
        ("generated", "static"),
        pytest.param("generated", "", marks=nightly),
    ],
)
def test_odd_programs_run_clean(kind: str, setting: str) -> None:
    wrong = _wrong(kind, execute(_programs(kind, setting)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.skipif(sanitized.missing() is not None, reason=str(sanitized.missing()))
@nightly
@pytest.mark.parametrize("setting", PASSES)
@KINDS
def test_odd_programs_run_clean_under_address_sanitizer(kind: str, setting: str) -> None:
    wrong = _wrong(kind, sanitized.execute_sanitized(_programs(kind, setting)))
    assert not wrong, "\n".join(wrong)


@needs_souffle
@SETTINGS
def test_both_engines_decide_alike(setting: str) -> None:
    for case in (*_cases("by hand"), *_cases("generated")[::6]):
        outputs = [run_dealog(case.text, PASSES[setting], engine).text for engine in ("embedded", "souffle")]
        assert outputs[0] == outputs[1], case.name


REFUSED = [case for case in corpus("odd") if _to_be_refused(case)]


@OF_MLIR
@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_what_nothing_can_free_in_time_is_refused(case: Case, setting: str) -> None:
    output = run_dealog(case.text, PASSES[setting])
    expected = [number for number, line in enumerate(case.text.splitlines(), 1) if "// refused" in line]
    assert [(d.position[0] if d.position else 0, d.message) for d in output.diagnostics] == [
        (number, oddities.TOO_EARLY) for number in expected
    ]


@OF_MLIR
def test_what_is_said_of_mlir(setting: str) -> None:
    """The verdicts that stand beside the cases."""
    cases = corpus("odd")
    tool = tools.mlir_opt_without_assertions()
    if tool is None:
        pytest.skip("no mlir-opt without assertions is installed")
    flags = [f"-{flag}" for flag in PASSES[setting]]
    outputs = tools.run_mlir_opt([c.text for c in cases], *flags, "-allow-unregistered-dialect", tool=tool)
    runs = [
        Program(case.name, output.text)
        for case, output in zip(cases, outputs, strict=True)
        if output.text is not None and case.executable
    ]
    faulty = {run.program.name for run in execute(runs) if run.faults}
    for case, output in zip(cases, outputs, strict=True):
        match = _VERDICT.search(case.text)
        assert match is not None, case.name
        verdict = "right" if match[2] and setting == "" else match[1]
        found = "crashes" if output.crashed else "refuses" if not output.ok else "right"
        assert verdict == ("wrong" if case.name in faulty else found), case.name
