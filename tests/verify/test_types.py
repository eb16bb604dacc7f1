"""Operations of every dialect with other types or attributes than they have, each in a function, beside mlir-opt."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

import pytest

from tests.support.altered import Form, forms, restated, retyped
from tests.support.mutants import Verdict, operations, verdicts
from tests.support.nightly import NIGHTLY, nightly

from .test_mutants import errors

TOGETHER = 50
"""How many functions are verified as one module."""
EACH = 12 if NIGHTLY else 3
"""How often each operation gets other types."""
SHARES = {("types", True): 0.99, ("types", False): 0.97, ("attributes", True): 0.98, ("attributes", False): 0.9}
"""The least share of what mlir-opt refuses, for what is altered, and whether in the dialects of programs."""


def _valid_forms(*, plain: bool) -> list[Form]:
    """The operations of which mlir-opt takes each alone in a function."""
    found = forms([case for case in operations(plain=plain) if case.name.endswith("generic")])
    said = verdicts([form.function() for form in found])
    return [form for form, verdict in zip(found, said, strict=True) if not verdict.refused and not verdict.crashed]


def _refused(made: Sequence[Form]) -> list[bool]:
    """Which of the operations Dealog refuses, each in a function of one module."""
    found: list[bool] = []
    for start in range(0, len(made), TOGETHER):
        functions = [form.function(f"f{i}") for i, form in enumerate(made[start : start + TOGETHER])]
        ends = list(accumulate(function.count("\n") for function in functions))
        wrong = {bisect_left(ends, line) for line, _ in errors("".join(functions))}
        found += [i in wrong for i in range(len(functions))]
    return found


def _judged(made: Sequence[Form], said: Sequence[Verdict], *, refused: bool) -> list[tuple[Form, bool]]:
    """Those that mlir-opt refuses, or takes, and whether Dealog refuses them; where one of a module cannot be read,
    nothing is known of the others, so those that differ are asked for alone."""
    some = [form for form, v in zip(made, said, strict=True) if v.refused == refused and not v.crashed]
    together = zip(some, _refused(some), strict=True)
    return [(form, found if found == refused else bool(errors(form.function()))) for form, found in together]


@pytest.mark.parametrize("what", ["types", "attributes"])
@pytest.mark.parametrize("plain", [True, pytest.param(False, marks=nightly)], ids=["plain", "others"])
def test_operations_with_others(what: str, plain: bool) -> None:
    altered = retyped if what == "types" else restated
    made = list(dict.fromkeys(changed for form in _valid_forms(plain=plain) for changed in altered(form, EACH)))
    said = verdicts([form.function() for form in made])
    invalid = _judged(made, said, refused=True)
    assert len(invalid) > len(made) / 2
    assert [form.function() for form, found in _judged(made, said, refused=False) if found] == []
    taken = [form.function() for form, found in invalid if not found]
    assert len(taken) <= (1 - SHARES[what, plain]) * len(invalid), "".join(taken)


def test_a_type_that_no_rule_speaks_of_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    form = Form("arith.addi", "", ("i32", "i32"), ("i32",))
    changed = [each for each in retyped(form, 20) if len({*each.operands, *each.results}) > 1]
    said = verdicts([each.function() for each in changed])
    assert all(found for _, found in _judged(changed, said, refused=True))
    monkeypatch.setattr(f"{__name__}.errors", lambda _text: [])
    assert not any(found for _, found in _judged(changed, said, refused=True))
