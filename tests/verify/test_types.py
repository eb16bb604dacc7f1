"""Operations of every dialect with other types or attributes than they have, each in a function, beside mlir-opt."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.altered import Form, forms, restated, retyped
from tests.support.mutants import Verdict, operations, verdicts
from tests.support.nightly import NIGHTLY, nightly

from . import together
from .together import refused

EACH = 12 if NIGHTLY else 3
"""How often each operation gets other types."""
SHARES = {("types", True): 0.99, ("types", False): 0.97, ("attributes", True): 0.98, ("attributes", False): 0.9}
"""The least share of what mlir-opt refuses, for what is altered, and whether in the dialects of programs."""


def _valid_forms(*, plain: bool) -> list[Form]:
    """The operations of which mlir-opt takes each alone in a function."""
    found = forms([case for case in operations(plain=plain) if case.name.endswith("generic")])
    said = verdicts([form.function() for form in found])
    return [form for form, verdict in zip(found, said, strict=True) if not verdict.refused and not verdict.crashed]


def _judged(made: Sequence[Form], said: Sequence[Verdict], *, invalid: bool) -> list[tuple[Form, bool]]:
    """Those that mlir-opt refuses, or takes, and whether Dealog refuses them, each in a function."""
    some = [form for form, v in zip(made, said, strict=True) if v.refused == invalid and not v.crashed]
    return list(zip(some, refused([form.function() for form in some]), strict=True))


@pytest.mark.parametrize("what", ["types", "attributes"])
@pytest.mark.parametrize("plain", [True, pytest.param(False, marks=nightly)], ids=["plain", "others"])
def test_operations_with_others(what: str, plain: bool) -> None:
    altered = retyped if what == "types" else restated
    made = list(dict.fromkeys(changed for form in _valid_forms(plain=plain) for changed in altered(form, EACH)))
    said = verdicts([form.function() for form in made])
    invalid = _judged(made, said, invalid=True)
    assert len(invalid) > len(made) / 2
    assert [form.function() for form, found in _judged(made, said, invalid=False) if found] == []
    taken = [form.function() for form, found in invalid if not found]
    assert len(taken) <= (1 - SHARES[what, plain]) * len(invalid), "".join(taken)


def test_a_type_that_no_rule_speaks_of_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    form = Form("arith.addi", "", ("i32", "i32"), ("i32",))
    changed = [each for each in retyped(form, 20) if len({*each.operands, *each.results}) > 1]
    said = verdicts([each.function() for each in changed])
    assert all(found for _, found in _judged(changed, said, invalid=True))
    monkeypatch.setattr(f"{together.__name__}.verify", lambda *_: None)
    assert not any(found for _, found in _judged(changed, said, invalid=True))
