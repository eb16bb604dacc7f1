"""Places things in one stretch of memory, so that it is as short as can be: a search, which Datalog cannot make.

What lies where is a question to clingo's solver: things that must lie apart lie one below the other, and nothing
reaches beyond the end. It is asked for one end after the other. As a solver it gives no reasons: whoever asks has to
look at what it says, and the program of Datalog that it is asked for does (`rules/placements.dl`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from time import monotonic
from typing import Any

_CONFLICTS = 10_000
"""The search for one end is given up after this many conflicts: where the time suffices, any machine finds the same."""

_LARGEST = 300_000
"""Questions of more constraints are not asked."""

_PROGRAM = """
% below(I, J): the thing I ends where J starts, or before.   from(I, K): I starts at the place number K, or after that.
1 { below(I,J); below(J,I) } 1 :- apart(I,J).
from(I,0) :- size(I,_,_).
{ from(I,1..T) } :- size(I,_,T).
:- from(I,K), K > 1, not from(I,K-1).
:- below(I,J), from(I,K), size(I,S,_), ends(S,K,L), not from(J,L).
"""


@dataclass(frozen=True)
class Placement:
    """What was found: where each thing starts, if that is better than what was known, and the least end that there can
    be as far as it is proven."""

    starts: Mapping[int, int]
    least: int


def place(
    sizes: Mapping[int, int], apart: Collection[tuple[int, int]], least: int, most: int, seconds: float
) -> Placement:
    """Find places that end before `most`, as low as can be.

    Args:
        sizes: how many units each thing takes.
        apart: the pairs of things that must not overlap.
        least: an end below which there cannot be any.
        most: an end that is known to be possible.
        seconds: how long it may take.
    """
    until = monotonic() + seconds
    unit = gcd(*sizes.values())
    low, high = -(-least // unit), most // unit
    search = _Search({i: size // unit for i, size in sizes.items()}, apart, high)
    starts: Mapping[int, int] = {}
    at = low  # mostly that is it
    floor = low
    while floor < high and search.possible and monotonic() < until:
        found, proven = search.ending(at, until - monotonic())
        if found:
            starts = found
            high = max(found[i] + size for i, size in search.sizes.items())
        else:
            floor = at + 1
            low = floor if proven else low
        at = (floor + high - 1) // 2
    return Placement({i: start * unit for i, start in starts.items()}, low * unit)


class _Search:
    def __init__(self, sizes: Mapping[int, int], apart: Collection[tuple[int, int]], high: int) -> None:
        self.sizes = sizes
        pairs = sorted({(min(pair), max(pair)) for pair in apart})
        sums = 1
        for size in sizes.values():
            sums |= (sums << size) & ((1 << high) - 1)
        self.places = [at for at in range(high) if sums >> at & 1]  # what is pushed down ends up on others
        self.possible = 2 * len(pairs) * len(self.places) <= _LARGEST
        self.pairs, self.high = pairs, high

    @cached_property
    def control(self) -> Any:
        import clingo

        pairs, high = self.pairs, self.high

        control = clingo.Control(["--warn=none"], message_limit=0)
        facts = [f"apart({i},{j})." for i, j in pairs]
        tops = {}
        for i, size in self.sizes.items():
            tops[i] = bisect_left(self.places, high - size) - 1
            facts.append(f"size({i},{size},{tops[i]}).")
        for size in set(self.sizes.values()):
            ends = (bisect_left(self.places, at + size) for at in self.places)
            facts += [f"ends({size},{k},{end})." for k, end in enumerate(ends)]
        control.add("base", [], _PROGRAM + "\n".join(facts))
        control.ground([("base", [])])
        solving: Any = control.configuration.solve
        solving.solve_limit = str(_CONFLICTS)
        return control

    def ending(self, high: int, seconds: float) -> tuple[dict[int, int], bool]:
        """Where things start so that all end at `high` or before; nothing where that cannot be, and it is said whether
        that is proven."""
        import clingo

        beyond = {i: bisect_left(self.places, high - size + 1) for i, size in self.sizes.items()}
        assumed = [(clingo.Function("from", [clingo.Number(i), clingo.Number(k)]), False) for i, k in beyond.items()]
        starts: dict[int, int] = {}
        with self.control.solve(assumed, lambda model: starts.update(self._read(model)), async_=True) as handle:
            if not handle.wait(seconds):
                handle.cancel()
            return starts, bool(handle.get().unsatisfiable)

    def _read(self, model: Any) -> dict[int, int]:
        last = dict.fromkeys(self.sizes, 0)
        for symbol in model.symbols(atoms=True):
            if symbol.name == "from":
                i, k = (argument.number for argument in symbol.arguments)
                last[i] = max(last[i], k)
        return {i: self.places[k] for i, k in last.items()}
