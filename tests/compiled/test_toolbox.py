"""What the passes on allocations make of generated programs runs clean once deallocated, and computes the same."""

from __future__ import annotations

import pytest

from tests.support import generate
from tests.support.nightly import NIGHTLY
from tests.support.soundness import judge

COUNT = 100 if NIGHTLY else 4
DEALLOCATED = ("buffer-deallocation-pipeline", "convert-bufferization-to-memref")
PASSES = ("promote-buffers-to-stack", "buffer-hoisting", "buffer-loop-hoisting")


@pytest.mark.parametrize("name", PASSES)
def test_generated_programs_run_clean(name: str) -> None:
    programs = {f"structured-{s}": generate.program(s, size=8 + s % 24) for s in range(COUNT)}
    verdicts = judge(programs, (name, *DEALLOCATED))
    wrong = [f"{case}: {fault}" for case, v in verdicts.items() for fault in (*v.faults, *v.refused)]
    assert not wrong, "\n".join(wrong)
