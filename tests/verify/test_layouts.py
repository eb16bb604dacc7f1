"""Layouts of views are those that mlir-opt works out."""

from __future__ import annotations

from tests.support import layouts
from tests.support.mutants import verdicts
from tests.support.nightly import NIGHTLY

from .test_mutants import errors

COUNT = 600 if NIGHTLY else 80


def test_views_are_refused_where_mlir_opt_refuses_them() -> None:
    texts = [layouts.program(seed) for seed in range(COUNT)]
    judged = verdicts(texts)
    assert [text for text, v in zip(texts, judged, strict=True) if bool(v.errors) != bool(errors(text))] == []
    assert COUNT // 4 < sum(bool(v.errors) for v in judged) < 3 * COUNT // 4
