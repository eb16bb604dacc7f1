"""Things in one stretch of memory, as low as can be."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from dealog.engine.placing import place
from tests.support.nightly import NIGHTLY

COUNT = 300 if NIGHTLY else 25
Pairs = set[tuple[int, int]]


def problem(seed: int, count: int, largest: int) -> tuple[dict[int, int], Pairs, int]:
    """Sizes of things, which of them meet, and the most of them that meet at once."""
    random = Random(seed)
    times = [*range(count), *range(count)]
    random.shuffle(times)
    lives = [(times.index(i), len(times) - times[::-1].index(i)) for i in range(count)]
    sizes = {i: random.randint(1, largest) for i in range(count)}
    starts, ends = zip(*lives, strict=True)
    pairs = combinations(range(count), 2)
    apart = {(i, j) for i, j in pairs if max(starts[i], starts[j]) < min(ends[i], ends[j])}
    held = (sum(sizes[i] for i in sizes if lives[i][0] <= t < lives[i][1]) for t in range(len(times)))
    return sizes, apart, max(held)


def end_of(sizes: dict[int, int], starts: dict[int, int], apart: Pairs) -> int:
    """Where the last thing ends, nothing overlapping."""
    for i, j in apart:
        assert starts[i] + sizes[i] <= starts[j] or starts[j] + sizes[j] <= starts[i]
    return max(starts[i] + size for i, size in sizes.items())


def shortest(sizes: dict[int, int], apart: Pairs) -> int:
    """The same by going through all ways: of each two that meet, one lies below the other."""
    best = sum(sizes.values())
    pairs = sorted(apart)
    for ways in product((False, True), repeat=len(pairs)):
        below = [(j, i) if way else (i, j) for way, (i, j) in zip(ways, pairs, strict=True)]
        starts = dict.fromkeys(sizes, 0)
        for _ in sizes:
            for i, j in below:
                starts[j] = max(starts[j], starts[i] + sizes[i])
        if all(starts[i] + sizes[i] <= starts[j] for i, j in below):
            best = min(best, end_of(sizes, starts, apart))
    return best


@pytest.mark.parametrize("seed", range(COUNT))
def test_the_end_is_the_least_that_there_is(seed: int) -> None:
    sizes, apart, held = problem(seed, 5, 3)
    most = sum(sizes.values()) + 1
    placed = place(sizes, apart, held, most, 60)
    assert end_of(sizes, dict(placed.starts), apart) == placed.least == shortest(sizes, apart)
    none = place(sizes, apart, held, placed.least, 60)
    assert none.starts == {} and none.least == placed.least


def test_what_cannot_be_is_proven() -> None:
    """Three of two units each, which all meet, do not fit below six, whatever was known."""
    placed = place({0: 2, 1: 2, 2: 2}, {(0, 1), (1, 2), (0, 2)}, 2, 6, 60)
    assert placed.starts == {} and placed.least == 6


def test_dozens() -> None:
    sizes, apart, held = problem(7, 32, 8)
    placed = place({i: 64 * size for i, size in sizes.items()}, apart, 64 * held, 64 * held + 640, 60)
    starts = {i: start // 64 for i, start in placed.starts.items()}
    assert end_of(sizes, starts, apart) == held and placed.least == 64 * held
    assert place({i: 64 * size for i, size in sizes.items()}, apart, 64 * held, 64 * held + 640, 60) == placed


def test_no_time() -> None:
    sizes, apart, held = problem(7, 40, 12)
    placed = place(sizes, apart, held, held + 10, 0)
    assert placed.starts == {} and placed.least == held
