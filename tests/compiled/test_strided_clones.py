"""Clones of types that state strides run clean, have the elements of what they copy, and reach over no others."""

from __future__ import annotations

import pytest

from tests.support import sanitized
from tests.support.nightly import NIGHTLY
from tests.support.soundness import judge
from tests.support.strided import program

PASSES = ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref=strided-clones")


def _not_clean(seeds: range, *, sanitize: bool = False) -> list[str]:
    verdicts = judge({str(seed): program(seed) for seed in seeds}, PASSES, sanitize=sanitize)
    return [f"{name}: {fault}" for name, v in verdicts.items() for fault in (*v.faults, *v.refused)]


def test_clones_with_strides_run_clean() -> None:
    wrong = _not_clean(range(300 if NIGHTLY else 12))
    assert not wrong, "\n".join(wrong)


@pytest.mark.skipif(sanitized.missing() is not None, reason=str(sanitized.missing()))
def test_clones_with_strides_run_clean_under_address_sanitizer() -> None:
    wrong = _not_clean(range(1000, 1300 if NIGHTLY else 1004), sanitize=True)
    assert not wrong, "\n".join(wrong)
