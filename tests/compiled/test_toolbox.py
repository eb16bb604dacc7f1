"""What the passes on allocations make of generated programs runs clean once deallocated, and computes the same."""

from __future__ import annotations

import pytest

from tests.support import generate
from tests.support.nightly import NIGHTLY
from tests.support.soundness import judge
from tests.support.toolbox import ON_ALLOCATIONS

COUNT = 100 if NIGHTLY else 4
DEALLOCATED = ("buffer-deallocation-pipeline", "convert-bufferization-to-memref")
PASSES = (
    *ON_ALLOCATIONS,
    "plan-memory=arena=argument",
    "plan-memory=arena=global",
    "buffer-results-to-out-params",
    "buffer-results-to-out-params=hoist-static-allocs hoist-dynamic-allocs",
)
REFUSED = "cannot create out param for dynamically shaped result"


@pytest.mark.parametrize("name", PASSES)
def test_generated_programs_run_clean(name: str) -> None:
    programs = {f"structured-{s}": generate.program(s, size=8 + s % 24) for s in range(COUNT)}
    verdicts = judge(programs, (name, *DEALLOCATED))
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not [fault for fault in wrong if not fault.endswith(REFUSED)], "\n".join(wrong)
    assert len(wrong) < COUNT


@pytest.mark.parametrize("name", ["clone-removal", "copy-removal"])
def test_what_is_deallocated_stays_clean(name: str) -> None:
    """Copies that the deallocation inserted go, with the deallocations that this makes one too many."""
    programs = {f"structured-{s}": generate.program(s, size=8 + s % 24) for s in range(100, 100 + COUNT)}
    verdicts = judge(programs, (DEALLOCATED[0], name, DEALLOCATED[1]))
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", ["copy-removal", "plan-memory"])
def test_generated_programs_run_clean_under_asan(name: str) -> None:
    programs = {f"structured-{s}": generate.program(s, size=12 + s % 24) for s in range(200, 200 + COUNT // 2)}
    verdicts = judge(programs, (DEALLOCATED[0], name, DEALLOCATED[1]), sanitize=True)
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not wrong, "\n".join(wrong)
