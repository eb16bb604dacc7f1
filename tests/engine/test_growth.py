"""What the grounder holds grows with the program: joins of a rule's body that are kept for themselves, too.

Counted are the atoms of the static deallocation, on the families that `bench` measures, at three sizes. What a doubling
adds is at most somewhat more than twice what the one before added; were it a product of two numbers that grow, it would
be four times as much.
"""

from __future__ import annotations

import clingo
import pytest

from bench.programs import STATIC
from tests.support.dealog import run_dealog

SIZES = (64, 128, 256)
OUTPUT_GROWS_FASTER = {"exits", "deep_uses"}  # what is written does: each of many paths frees what the others keep
FAMILIES = sorted(STATIC.keys() - OUTPUT_GROWS_FASTER)


def _atoms(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    total = 0

    class Counting(clingo.Control):
        def ground(self, *arguments: object, **named: object) -> None:
            nonlocal total
            super().ground(*arguments, **named)  # type: ignore[arg-type]
            total += len(self.symbolic_atoms)

    with monkeypatch.context() as patched:
        patched.setattr(clingo, "Control", Counting)
        assert run_dealog(text, ("static-buffer-deallocation",), verify=False).text is not None
    return total


@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_grounder_holds_grows_with_the_program(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small, middle, large = (_atoms(STATIC[family](size), monkeypatch) for size in SIZES)
    assert small > 0 and large - middle < 2.5 * (middle - small), (small, middle, large)
