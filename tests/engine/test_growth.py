"""What the grounder holds grows with the program: joins of a rule's body that are kept for themselves, too.

Counted are the atoms of the static deallocation, by predicate, on the families that `bench` measures, at two sizes. Of
a program twice as large there are some twice as many; were they a product of two numbers that grow, there would be four
times as many.
"""

from __future__ import annotations

from collections import Counter

import clingo
import pytest

from bench.programs import STATIC
from tests.support.dealog import run_dealog
from tests.support.nightly import one_in

SIZE = 128  # joins of few facts are not split up
FEW = 2000
OUTPUT_GROWS_FASTER = {"exits", "deep_uses"}  # what is written does: each of many paths frees what the others keep
CALLS = {"chained_functions", "functions_in_a_cycle"}
FAMILIES = sorted(CALLS | set(one_in(4, sorted(STATIC.keys() - OUTPUT_GROWS_FASTER))))


def _atoms(text: str, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    found: Counter[str] = Counter()

    class Counting(clingo.Control):
        def ground(self, *arguments: object, **named: object) -> None:
            super().ground(*arguments, **named)  # type: ignore[arg-type]
            found.update(atom.symbol.name for atom in self.symbolic_atoms)

    with monkeypatch.context() as patched:
        patched.setattr(clingo, "Control", Counting)
        assert run_dealog(text, ("static-buffer-deallocation",), verify=False).text is not None
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_grounder_holds_grows_with_the_program(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once, twice = (_atoms(STATIC[family](size), monkeypatch) for size in (SIZE, 2 * SIZE))
    assert sum(once.values()) > 0
    assert {name: (once[name], count) for name, count in twice.items() if count > max(FEW, 3 * once[name])} == {}
