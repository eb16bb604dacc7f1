"""Which of many short texts Dealog's verifier refuses, in the time of a few runs, and how mlir-opt differs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from dealog.diagnostics import DealogError
from dealog.job import read_module
from dealog.pipeline import Engine
from dealog.splitting import Chunk
from dealog.stopwatch import Stopwatch
from dealog.verification import verify
from tests.support.mutants import verdicts

TOGETHER = 50
"""How many texts are verified as one module."""


def differing(texts: Sequence[str]) -> list[str]:
    """The texts that Dealog or mlir-opt refuses, and the other takes, but those on which mlir-opt crashes. Of all, some
    are to be refused, and some are not."""
    judged = [(text, verdict) for text, verdict in zip(texts, verdicts(texts), strict=True) if not verdict.crashed]
    assert 0 < sum(verdict.refused for _, verdict in judged) < len(judged)
    found = refused([text for text, _ in judged])
    return [text for (text, verdict), ours in zip(judged, found, strict=True) if verdict.refused != ours]


def refused(texts: Sequence[str]) -> list[bool]:
    """For each of `texts`, functions or modules without aliases, whether Dealog refuses it.

    They are verified as modules of one module. Where that cannot be read, each half is tried again; where something is
    wrong, all others once more, so that what is wrong hides nothing.
    """
    return [found for start in range(0, len(texts), TOGETHER) for found in _refused(texts[start : start + TOGETHER])]


def _refused(texts: Sequence[str]) -> list[bool]:
    modules = [f"module {{\n{text}\n}}\n" for text in texts]
    try:
        module = read_module(Chunk("".join(modules), 1), "together.mlir", Stopwatch(show=False), False, False)
    except DealogError:
        middle = len(texts) // 2
        return [*_refused(texts[:middle]), *_refused(texts[middle:])] if middle else [True]
    try:
        verify(module, Engine("embedded"))
    except DealogError as error:
        lines = [diagnostic.position[0] for diagnostic in error.diagnostics if diagnostic.position is not None]
        ends = list(accumulate(text.count("\n") for text in modules))
        wrong = {bisect_left(ends, line) for line in lines}
        assert wrong
        others = iter(_refused([text for i, text in enumerate(texts) if i not in wrong]))
        return [i in wrong or next(others) for i in range(len(texts))]
    return [False] * len(texts)
