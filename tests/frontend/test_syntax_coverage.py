"""No operation whose custom form Dealog claims to read goes without an input that has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dealog.frontend import parse
from dealog.frontend.grammar import load_grammar
from tests.frontend.structure import parts

INPUTS = Path(__file__).parent / "inputs"


UNCOVERED = {"arith"}  # its binary operations and casts are one shape each
DIALECTS = sorted(path.stem for path in INPUTS.glob("*.mlir") if path.stem not in UNCOVERED)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_custom_form_has_an_input(dialect: str) -> None:
    text = (INPUTS / f"{dialect}.mlir").read_text("utf-8")
    written = {op.name for part in parts(text) for op in parse(part).walk() if not op.generic}
    known = {name for name in load_grammar().op_names if name.startswith(f"{dialect}.")}
    assert known
    assert not known - written
