"""The engines that tests run on: the embedded one everywhere, Soufflé where the machine has it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from dealog.engine.souffle import find, usable

needs_souffle = pytest.mark.skipif(
    not usable(), reason="needs Soufflé 2.3 or newer, on PATH or named in DEALOG_SOUFFLE"
)
"""For a test of Soufflé itself, or of both engines against each other."""

ENGINES = ["embedded", pytest.param("souffle", marks=needs_souffle)]
"""The values of a parameter `engine`, for a test that each engine passes."""


def run_souffle(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Soufflé as users do by hand, with its preprocessor; for tests with `needs_souffle`."""
    done = subprocess.run([find(), *arguments], cwd=cwd, capture_output=True, text=True, timeout=60, check=False)
    if "failed to locate mcpp" in done.stderr:
        pytest.skip("Soufflé finds neither mcpp nor gcc, which it reads programs through")
    return done
