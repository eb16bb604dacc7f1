"""What the grounder holds grows with the program: joins of a rule's body that are kept for themselves, too.

Counted are the atoms of the static deallocation, by predicate, and how often it puts each text together, on the
families that `bench` measures, at two sizes. Of a program twice as large there are some twice as many; were they a
product of two numbers that grow, there would be four times as many. So it is when the output is the input again: then
it is followed what the text frees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import clingo
import pytest

from bench.programs import CHAINS, STATIC
from dealog.checking.findings import declared
from dealog.checking.run import find
from dealog.engine.embedded import _Functions
from dealog.engine.translation import Pattern
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.pipeline import Engine
from tests.support.dealog import run_dealog
from tests.support.nightly import one_in
from tests.support.shapes import SHAPES

pytestmark = pytest.mark.usefixtures("computes_here")

SIZE = 128  # joins of few facts are not split up
FEW = 2000
STATIC_PASS = "static-buffer-deallocation"
PASSES = (
    STATIC_PASS, "buffer-hoisting", "buffer-loop-hoisting", "promote-buffers-to-stack", "sink-allocations",
    "plan-memory", "buffer-deallocation", "copy-removal", "optimize-allocation-liveness", "",
)  # fmt: skip
REFUSED = {("buffer-deallocation", "nested_cycles")}
ALL_SHAPES = [(name, shape) for shape in sorted(SHAPES) for name in PASSES if (name, shape) not in REFUSED]
OUTPUT_GROWS_FASTER = {"exits", "deep_uses"}  # what is written does: each of many paths frees what the others keep
DEEP = {"nested_results"}  # each buffer is looked for in all that is around it
ON_CHAINS = [
    (name, family) for family in sorted(CHAINS.keys() - DEEP) for name in ("copy-removal", "plan-memory", "")
]
CALLS = {"chained_functions", "functions_in_a_cycle", "given_to_calls", "passed_on_by_calls"}
LIVE_IN_MANY_BLOCKS = {"used_in_turn"}  # where a buffer is needed is stated of each block behind a branch
SECOND_RUNS = one_in(18, sorted(STATIC.keys() - OUTPUT_GROWS_FASTER - LIVE_IN_MANY_BLOCKS))
FAMILIES = sorted(CALLS | set(one_in(4, sorted(STATIC.keys() - OUTPUT_GROWS_FASTER - LIVE_IN_MANY_BLOCKS))))


def _atoms(text: str, monkeypatch: pytest.MonkeyPatch, *passes: str) -> Counter[str]:
    """By predicate; of the findings without `passes`."""
    found: Counter[str] = Counter()

    class Counting(clingo.Control):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.counted: Counter[str] = Counter()

        def ground(self, *arguments: object, **named: object) -> None:  # is called for some of the rules at a time
            super().ground(*arguments, **named)  # type: ignore[arg-type]
            found.subtract(self.counted)
            self.counted = Counter(atom.symbol.name for atom in self.symbolic_atoms)
            found.update(self.counted)

    put_together = _Functions.putting_together

    def counting(functions: _Functions, pattern: Pattern) -> Callable[..., Any]:
        function = put_together(functions, pattern)

        def counted(*arguments: Any) -> Any:
            found[f"the text {pattern}"] += 1
            return function(*arguments)

        return counted

    with monkeypatch.context() as patched:
        patched.setattr(clingo, "Control", Counting)
        patched.setattr(_Functions, "putting_together", counting)
        if passes:
            assert run_dealog(text, passes, verify=False).text is not None
        else:
            find(parse(text, "test.mlir"), declared(NO_EXTENSIONS.everything()), (), Engine("embedded"), NO_EXTENSIONS)
    return found


@pytest.mark.parametrize("family", one_in(4, FAMILIES))
def test_what_the_grounder_holds_grows_with_the_program(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once, twice = (_atoms(STATIC[family](size), monkeypatch, STATIC_PASS) for size in (SIZE, 2 * SIZE))
    assert sum(once.values()) > 0
    assert {name: (once[name], count) for name, count in twice.items() if count > max(FEW, 3 * once[name])} == {}


@pytest.mark.parametrize("family", SECOND_RUNS)
def test_so_it_does_where_the_output_is_the_input(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once, twice = (_atoms(_output(STATIC[family](size)), monkeypatch, STATIC_PASS) for size in (SIZE, 2 * SIZE))
    assert sum(once.values()) > 0
    assert {name: (once[name], count) for name, count in twice.items() if count > max(FEW, 3 * once[name])} == {}


def _output(text: str) -> str:
    output = run_dealog(text, (STATIC_PASS,), verify=False).text
    assert output is not None
    return output


@pytest.mark.parametrize(("name", "family"), one_in(7, ON_CHAINS))
def test_buffers_in_chains_are_not_compared_with_all_others(
    name: str, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    once, twice = (_atoms(CHAINS[family](size), monkeypatch, *filter(None, [name])) for size in (SIZE, 2 * SIZE))
    assert sum(once.values()) > 0
    assert {found: (once[found], count) for found, count in twice.items() if count > max(FEW, 3 * once[found])} == {}


@pytest.mark.parametrize(("name", "shape"), one_in(9, ALL_SHAPES))
def test_nothing_is_a_product_of_three(name: str, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep nests are quadratic where each buffer is looked for in all that is around it."""
    atoms = _atoms(SHAPES[shape](2 * SIZE), monkeypatch, *filter(None, [name]))
    assert atoms and {found: count for found, count in atoms.items() if count > 16 * SIZE**2} == {}
