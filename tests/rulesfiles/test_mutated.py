"""Rule files with random slips in them: messages, each with a place, and never more than Soufflé would take."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from dealog import rules
from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine import loads
from tests.support.engines import needs_souffle
from tests.support.nightly import NIGHTLY

from .test_wrong import souffle_takes

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


def program(seed: int) -> str:
    """Rule files with a few slips in the last one."""
    *before, last = texts()
    return "".join(before) + mutated(last, random.Random(seed))


@cache
def faults(seed: int) -> Sequence[Diagnostic]:
    """What Dealog says about `program(seed)`."""
    try:
        loads(program(seed), "mutated.dl")
    except DealogError as error:
        return error.diagnostics
    return ()


SEEDS = pytest.mark.parametrize("seed", range(400 if NIGHTLY else 20))


@SEEDS
def test_each_message_has_its_place(seed: int) -> None:
    places = [fault.position for fault in faults(seed)]
    assert None not in places
    assert places == sorted(places, key=lambda place: place or (0, 0))


@needs_souffle
@SEEDS
def test_what_souffle_refuses_is_refused(seed: int, tmp_path: Path) -> None:
    takes, said = souffle_takes(program(seed), tmp_path)
    assert takes or faults(seed), said
