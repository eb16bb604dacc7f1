"""Time and memory as programs grow: Dealog beside mlir-opt, and the power of N that each grows with."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bench import contenders, table
from bench.contenders import DEALOG, MLIR, SOUFFLE
from bench.measure import NOT_RUN, Measurement, in_turns
from bench.settings import Settings
from bench.table import Column, Exponent, Table

Program = tuple[str, int | None, str]  # of which family, how large, and the text
Point = tuple[int, float | None]  # a size, and the time it took; None where it did not end in time

_EMPTY = "module {\n}\n"
# A time is taken for the growth when it is so many times what the command takes for an empty module.
_ABOVE_START = 1.3


def growth(
    name: str, title: str, flag: str, programs: Iterable[Program], settings: Settings, *, souffle: bool
) -> list[Table]:
    """Measures a pass or pipeline on programs, sizes of one family in rising order: times, and exponents.

    After a contender has not ended in time, the larger programs of the family are not tried with it.
    """
    souffle = souffle and contenders.has_souffle()
    names = [DEALOG, *([SOUFFLE] if souffle else []), MLIR]
    times = Table(
        name,
        title,
        [
            Column("program", left=True),
            Column("N", "{:,}".format),
            *(Column(who, table.seconds) for who in names),
            Column("time ratio", table.ratio),
            *(Column(f"{who} memory", table.memory) for who in names),
            Column("memory ratio", table.ratio),
        ],
        notes=[
            "Ratios are Dealog, with its embedded engine, to mlir-opt. 'not run': it did not end in time on a"
            " smaller one of the family."
        ],
    )
    points: dict[tuple[str, str], list[Point]] = {}
    late: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"

        def measured(text: str, left_out: Sequence[str] = ()) -> dict[str, Measurement]:
            path.write_text(text)
            commands = contenders.passes(flag, path, souffle=souffle)
            for who in left_out:
                del commands[who]
            taken = in_turns(commands, settings.timeout, settings.rounds)
            return {who: taken.get(who, NOT_RUN) for who in names}

        start = measured(_EMPTY)
        times.rows.append(_row("(empty module)", None, start, names))
        for family, size, text in programs:
            settings.progress(f"{name}: {family}" + (f", N = {size:,}" if size else ""))
            taken = measured(text, [who for who in names if (family, who) in late])
            late |= {(family, who) for who in names if taken[who].outcome == "timeout"}
            times.rows.append(_row(family, size, taken, names))
            for who, it in taken.items():
                if size is not None and it.outcome in ("ok", "timeout"):
                    points.setdefault((family, who), []).append((size, it.seconds))
    exponents = Table(
        f"{name}-exponents",
        f"{title}: growth",
        [Column("family", left=True), *(Column(who, table.exponent) for who in names)],
        notes=[
            "The time without start-up grows with this power of N: fitted to the largest sizes, three at"
            f" most, that took more than {_ABOVE_START:g} times the start-up; '>' from the step to the size"
            " that did not end in time; a dash where the times do not tell."
        ],
    )
    for family in dict.fromkeys(family for family, _ in points):
        fitted = (
            power(points.get((family, who), []), start[who].seconds or 0.0, settings.timeout) for who in names
        )
        exponents.rows.append([family, *fitted])
    return [times, exponents] if exponents.rows else [times]


def _row(
    family: str, size: int | None, taken: Mapping[str, Measurement], names: Sequence[str]
) -> list[object]:
    ours, theirs = taken[DEALOG], taken[MLIR]
    return [
        family,
        size,
        *(taken[who] for who in names),
        _quotient(ours.seconds, theirs.seconds),
        *(taken[who] for who in names),
        _quotient(ours.peak, theirs.peak),
    ]


def _quotient(ours: float | None, theirs: float | None) -> float | None:
    return ours / theirs if ours is not None and theirs else None


def power(points: Sequence[Point], start: float, timeout: float) -> Exponent | None:
    """The exponent of the power law that the times without the start-up follow; None where they do not tell.

    It is fitted (least squares of the logarithms) over the last three sizes that take clearly longer than the
    start-up. Where the next size did not end in time, what that step needs at least is given if it is more.
    """
    ended = [(n, t) for n, t in points if t is not None]
    grown = [(math.log(n), math.log(t - start)) for n, t in ended if t > _ABOVE_START * start][-3:]
    fitted = None
    if len(grown) > 1:
        x_mean = sum(x for x, _ in grown) / len(grown)
        y_mean = sum(y for _, y in grown) / len(grown)
        slope = sum((x - x_mean) * (y - y_mean) for x, y in grown) / sum((x - x_mean) ** 2 for x, _ in grown)
        fitted = Exponent(slope)
    late = next((n for n, t in points if t is None), None)
    if late is None or not ended:
        return fitted
    size, seconds = ended[-1]
    before = max(seconds - start, (_ABOVE_START - 1) * start)
    least = math.log((timeout - start) / before) / math.log(late / size)
    return fitted if fitted is not None and fitted.power >= least else Exponent(least, at_least=True)


def of_families(
    families: Mapping[str, Callable[[int], str]], sizes: Mapping[str, Sequence[int]], settings: Settings
) -> Iterable[Program]:
    """The programs of the families chosen, in their sizes, made as they are asked for."""
    for family in sizes:
        if settings.wants(family):
            for size in sizes[family]:
                if settings.largest is None or size <= settings.largest:
                    yield family, size, families[family](size)
