"""Programs that nobody canonicalized: what Dealog makes of them runs clean, and leaves hardly more to run time than
MLIR's pipeline, which canonicalizes them first."""

from __future__ import annotations

import functools

import pytest

from tests.support import tools
from tests.support.cases import Case
from tests.support.execute import Program, execute, references
from tests.support.nightly import NIGHTLY
from tests.support.soundness import deallocated_all
from tests.support.untidy import untidy_program

PIPELINE = "buffer-deallocation-pipeline"
PASSES = {
    "": (PIPELINE, "convert-bufferization-to-memref"),
    "static": ("static-buffer-deallocation", "convert-bufferization-to-memref"),
}


@functools.cache
def _cases() -> tuple[Case, ...]:
    return tuple(Case(f"untidy-{seed}", untidy_program(seed)) for seed in range(100 if NIGHTLY else 10))


@functools.cache
def _outputs(setting: str) -> tuple[str, ...]:
    found = deallocated_all({case.name: case.text for case in _cases()}, PASSES[setting])
    assert [(name, refused) for name, (_, refused) in found.items() if refused] == []
    return tuple(output or "" for output, _ in found.values())


@pytest.mark.parametrize("setting", PASSES, ids=["mlir", "static"])
def test_untidy_programs_run_clean(setting: str) -> None:
    programs = [Program(case.name, text) for case, text in zip(_cases(), _outputs(setting), strict=True)]
    for run, reference in zip(execute(programs), references(_cases()).values(), strict=True):
        assert run.calls and not run.faults, f"{run.program.name}: {run.faults}"
        assert run.values == reference.values, run.program.name


def _helper_calls(text: str) -> int:
    return text.count("call @dealloc_helper")


def test_hardly_more_is_left_to_the_helper_than_mlir_leaves() -> None:
    """In all of the programs together: MLIR canonicalizes the code of the text, too (it takes loops out that never run,
    say), and so knows more of some; Dealog leaves the user's code as it is, and knows more of others."""
    tool = tools.mlir_opt_without_assertions()
    cases = _cases()[:100]
    theirs = tools.run_mlir_opt([case.text for case in cases], f"-{PIPELINE}", tool=tool)
    pairs = [
        (_helper_calls(ours), _helper_calls(output.text))
        for ours, output in zip(_outputs(""), theirs, strict=False)
        if output.text is not None
    ]
    assert len(pairs) > 0.8 * len(cases)
    left, by_mlir = (sum(column) for column in zip(*pairs, strict=True))
    assert 0 < left <= 1.2 * by_mlir, f"{left} helper calls, {by_mlir} in MLIR's output"
