"""What the static deallocation leaves to the run in programs of which MLIR's tests say that more could be known.

Each function of ``tests/corpus/static/precision.mlir`` has a comment that says what is left: what is not named there is
not needed. That the outputs run clean is looked at in ``test_static.py``.
"""

from __future__ import annotations

import re

import pytest

from bench.quality import Count
from dealog.frontend import parse
from tests.support.cases import Case, corpus
from tests.support.dealog import run_dealog

CASES = [case for case in corpus("static") if case.name.startswith("precision-")]
_LEFT = re.compile(r"^// left:(.*)$", re.MULTILINE)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_more_is_left_to_the_run(case: Case) -> None:
    (said,) = _LEFT.findall(case.text)
    expected = dict(re.findall(r"(i1s|conditionals|clones) (\d+)", said))
    output = run_dealog(case.text, ["static-buffer-deallocation"]).unwrap()
    count = Count()
    count.look(parse(output, "output.mlir"), 1)
    count.look(parse(case.text, "input.mlir"), -1)
    found = {"i1s": count.bits, "conditionals": count.conditionals, "clones": output.count("bufferization.clone")}
    assert found == {what: int(expected.get(what, 0)) for what in found}
    assert "extract_aligned_pointer" not in output and "call @dealloc_helper" not in output
