"""The whole command on texts with a few random changes: what comes out is what went in with deallocations, or messages.

No traceback, no internal error, nothing that takes long; and what mlir-opt takes as input it takes as output, too.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from tests.support import generate, oddities, tools
from tests.support.apart import apart
from tests.support.cases import CORPUS
from tests.support.dealog import run_dealog
from tests.support.mutate import mutated
from tests.support.nightly import NIGHTLY

SECONDS = 20
TEXTS = 20_000 if NIGHTLY else 60
PARTS = 40 if NIGHTLY else 2
TOGETHER = 50
PASSES = (
    ("expand-realloc",),
    ("ownership-based-buffer-deallocation",),
    ("ownership-based-buffer-deallocation=private-function-dynamic-ownership=true",),
    ("buffer-deallocation-pipeline", "convert-bufferization-to-memref"),
    ("buffer-deallocation-pipeline=private-function-dynamic-ownership=true", "convert-bufferization-to-memref"),
    ("buffer-deallocation-simplification", "bufferization-lower-deallocations", "convert-bufferization-to-memref"),
)
_LONGEST = 6000  # bytes of a text: more of them say more than longer ones
_INTERNAL = re.compile("internal error|was not added|were added to|arguments? (?:was|were) added")


@cache
def sources() -> tuple[str, ...]:
    """What is changed: the corpus and generated programs, in custom and in generic form."""
    inputs = CORPUS.parent / "frontend" / "inputs"
    files = [*sorted(CORPUS.rglob("*.mlir")), *(sorted(inputs.rglob("*.mlir")) if NIGHTLY else ())]
    texts = [part for file in files for part in tools.split(file.read_text("utf-8", "surrogateescape"))]
    for seed in range(40 if NIGHTLY else 4):
        texts += [generate.program(seed, size=10, wild=seed % 2 == 0), oddities.odd_program(seed, 12)]
    texts = [text for text in texts if len(text) < _LONGEST and text.isascii()]
    generic = tools.run_mlir_opt(texts, "-allow-unregistered-dialect", "-mlir-print-op-generic") if NIGHTLY else []
    return (*texts, *(output.text for output in generic if output.text is not None))


def all_faults(seeds: Sequence[int]) -> list[str]:
    return [fault for seed in seeds for fault in faults(seed)]


def faults(seed: int) -> Iterator[str]:
    """What goes wrong with the text number `seed`."""
    chance = random.Random(f"mutated/{seed}")
    text, passes = mutated(chance.choice(sources()), seed), chance.choice(PASSES)
    about = f"seed {seed}, {', '.join(passes)}"
    start = time.monotonic()
    try:
        output = run_dealog(text, passes, allow_unregistered=True, verify=True)
    except Exception as error:
        yield f"{about}: {type(error).__name__}: {error}"
        return
    if (taken := time.monotonic() - start) > SECONDS:
        yield f"{about}: took {taken:.0f} s"
    for diagnostic in output.diagnostics:
        if _INTERNAL.search(diagnostic.message):
            yield f"{about}: {diagnostic.message}"
    if output.text is not None:
        flags = [tools.mlir_opt(), "-allow-unregistered-dialect"]
        if not tools.run(flags, output.text).ok and tools.run(flags, text).ok:
            yield f"{about}: mlir-opt does not take the output"


@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_texts_end_in_output_or_messages(part: int) -> None:
    seeds = range(part, TEXTS, PARTS)
    parts = [seeds[start : start + TOGETHER] for start in range(0, len(seeds), TOGETHER)]
    found = [fault for some in parts for fault in apart(all_faults, some)]
    assert not found, "\n".join(found)
