"""How a run of the benchmarks is set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """`families` and `largest` cut the run down; `progress` is called with what is being measured."""

    quick: bool
    timeout: float
    rounds: int
    families: tuple[str, ...] = ()
    largest: int | None = None
    progress: Callable[[str], None] = lambda _: None

    def wants(self, family: str) -> bool:
        """Whether a family, or the program of that name, is to be measured."""
        return not self.families or family in self.families


def doubled(first: int, last: int) -> tuple[int, ...]:
    """`first`, twice that, and so on up to `last`."""
    sizes = [first]
    while sizes[-1] * 2 <= last:
        sizes.append(sizes[-1] * 2)
    return tuple(sizes)
