"""Rule files with random slips in them: messages, each with a place, and never more than Soufflé would take."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from dealog import rules
from dealog.diagnostics import DealogError
from dealog.engine import loads
from tests.support.nightly import NIGHTLY

from .test_wrong import run_souffle

_TOKEN = re.compile(r'//[^\n]*|"[^"\n]*"|\w+|:-|<:|\s+|.')
_SLIPS = ("", *"().,\"'!_x1%={;\n", ":-", "/*", "*/", ".decl ", "not ")
_FILES = ("schema", "vocabulary", "control_flow", "function_boundary", "liveness", "ownership")


@cache
def texts() -> list[str]:
    """Rule files that make up a program in this order."""
    return [re.sub(r"(?m)^#include.*$", "", rules.program(name).read_text()) for name in _FILES]


def mutated(text: str, dice: random.Random) -> str:
    tokens = _TOKEN.findall(text)
    for _ in range(dice.choice((1, 1, 2, 3))):
        at = dice.randrange(len(tokens))
        tokens[at] = dice.choice((*_SLIPS, tokens[at] * 2, tokens[dice.randrange(len(tokens))]))
    return "".join(tokens)


@pytest.mark.parametrize("seed", range(400 if NIGHTLY else 20))
def test_mutated_rules(seed: int, tmp_path: Path) -> None:
    *before, last = texts()
    text = "".join(before) + mutated(last, random.Random(seed))
    try:
        loads(text, "mutated.dl")
    except DealogError as error:
        places = [d.position for d in error.diagnostics]
        assert None not in places
        assert places == sorted(places, key=lambda place: place or (0, 0))
    else:
        takes, said = run_souffle(text, tmp_path)
        assert takes, said
