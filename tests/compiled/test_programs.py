"""Programs after deallocation run clean and compute what they computed without it.

The reference is the program with no deallocation at all, on the same heap. MLIR's own output is held to the
same rule, which is what the comparison in ``tests/differential`` rests on; where MLIR fails the rule
(``corpus/beyond``), a test shows it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest

from tests.support import tools
from tests.support.cases import GENERATED, Case, corpus, generated
from tests.support.dealog import OWNERSHIP, run_dealog
from tests.support.execute import Execution, Program, execute, execute_one, references
from tests.support.families import FAMILIES
from tests.support.nightly import nightly, one_in

# To run a program costs several times what it costs to compare its text.
EXECUTED = max(1, GENERATED // 4)
OPTIONS = ("", "private-function-dynamic-ownership=true")
EVERY_DAY = [pytest.param(OPTIONS[0], id="abi"), pytest.param(OPTIONS[1], id="dynamic", marks=nightly)]


def _flag(options: str) -> str:
    return f"{OWNERSHIP}={options}" if options else OWNERSHIP


@functools.cache
def _cases(kind: str) -> tuple[Case, ...]:
    found = {
        "corpus": lambda: (*corpus(), *corpus("across_blocks")),
        "generated": lambda: generated(EXECUTED),
        "wild": lambda: generated(EXECUTED, wild=True),
        "families": lambda: tuple(Case(name, family(4)) for name, family in FAMILIES.items()),
        "beyond": lambda: corpus("beyond"),
    }[kind]()
    return tuple(case for case in found if case.executable)


@functools.cache
def _reference(kind: str) -> dict[str, Execution]:
    """Every case run without any deallocation."""
    return references(case for case in _cases(kind) if case.says("no reference") is None)


def _wrong(kind: str, outputs: Sequence[tuple[Case, str]]) -> list[str]:
    """What is wrong with the cases after deallocation, in words."""
    found = []
    for run in execute([Program(case.name, text) for case, text in outputs]):
        found += [f"{run.program.name}: {fault}" for fault in run.faults]
        if not run.error and not run.calls:
            found.append(f"{run.program.name}: nothing to run")
        reference = _reference(kind).get(run.program.name)
        if reference is None:
            continue
        if reference.error:
            found.append(f"{run.program.name}: without deallocation: {reference.error}")
        found += [
            f"{run.program.name}: @{call[0]}({call[1]}) gives {values}, {reference.values.get(call)} expected"
            for call, values in run.values.items()
            if values != reference.values.get(call)
        ]
    return found


@pytest.mark.parametrize("options", EVERY_DAY)
@pytest.mark.parametrize("kind", [pytest.param("corpus", marks=nightly), "generated"])
def test_mlir_runs_clean(kind: str, options: str) -> None:
    across = {case.name for case in corpus("across_blocks")}
    cases = [case for case in _cases(kind) if case.name not in across]
    outputs = tools.run_mlir_opt([case.text for case in cases], f"-{_flag(options)}")
    wrong = _wrong(kind, [(case, output.unwrap()) for case, output in zip(cases, outputs, strict=True)])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("options", EVERY_DAY)
@pytest.mark.parametrize("kind", ["corpus", "generated", "wild", "families"])
def test_dealog_runs_clean(kind: str, options: str) -> None:
    cases = one_in(6, _cases(kind))
    outputs = [(case, run_dealog(case.text, [_flag(options)]).unwrap()) for case in cases]
    wrong = _wrong(kind, outputs)
    assert not wrong, "\n".join(wrong)


BEYOND = corpus("beyond")


@pytest.mark.parametrize(
    "case", [case for case in BEYOND if case.says("unstable") is None], ids=lambda c: c.name
)
def test_mlir_fails_beyond(case: Case) -> None:
    """MLIR's pass crashes on the case, refuses it, or makes a program with a fault of it."""
    output = tools.run_mlir_opt([case.text], f"-{_flag(case.pass_options)}")[0]
    assert output.text is None or execute_one(output.text).faults, "MLIR gets this right now"


@pytest.mark.parametrize("options", EVERY_DAY)
def test_dealog_goes_beyond(options: str) -> None:
    chosen = one_in(2, BEYOND)
    outputs = [(case, run_dealog(case.text, [_flag(options)]).unwrap()) for case in chosen]
    for (case, _), output in zip(outputs, tools.run_mlir_opt([text for _, text in outputs]), strict=True):
        assert output.ok, f"{case.name}: {output.errors}"
    wrong = _wrong("beyond", [(case, text) for case, text in outputs if case.executable])
    assert not wrong, "\n".join(wrong)
