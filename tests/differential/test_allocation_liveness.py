"""MLIR's `-optimize-allocation-liveness`, which moves deallocations up, takes whatever Dealog writes."""

from __future__ import annotations

import pytest

from tests.support import tools
from tests.support.cases import CORPUS, examples
from tests.support.dealog import run_dealog
from tests.support.nightly import NIGHTLY

# It takes a memref.realloc for a deallocation, and moves it behind its uses: none of these leave any.
PIPELINES = {
    "mlir": ("buffer-deallocation-pipeline", "convert-bufferization-to-memref"),
    "ownership": ("expand-realloc=emit-deallocs=false", "ownership-based-buffer-deallocation"),
    "static": ("static-buffer-deallocation-pipeline", "convert-bufferization-to-memref"),
}
STRIDE = 1 if NIGHTLY else 12


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_it_takes_what_dealog_writes(pipeline: str) -> None:
    parts = [part for path in sorted(CORPUS.rglob("*.mlir")) for part in tools.split(path.read_text())]
    parts += [case.text for case in examples()] if NIGHTLY else []
    first = list(PIPELINES).index(pipeline)
    outputs = [run_dealog(part, PIPELINES[pipeline], allow_unregistered=True).text for part in parts[first::STRIDE]]
    written = [text for text in outputs if text is not None]
    assert len(written) > len(outputs) // 2
    taken = tools.run_mlir_opt(written, "-allow-unregistered-dialect", "-optimize-allocation-liveness")
    assert [output.errors for output in taken if not output.ok] == []
