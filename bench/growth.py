"""Time and memory as programs grow, side by side, and the power of N that each grows with."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import contenders, table
from bench.contenders import DEALOG, MLIR, SOUFFLE
from bench.measure import NOT_RUN, Command, Measurement, in_turns
from bench.settings import Settings
from bench.table import Column, Exponent, Table

Program = tuple[str, int | None, str]  # of which family, how large, and the text
Point = tuple[int, float | None]  # a size, and the time it took; None where it did not end in time
Commands = Callable[[Path, Program], dict[str, Command]]  # by contender, what works on a program that is in a file

_EMPTY: Program = ("(empty module)", None, "module {\n}\n")
# A time is taken for the growth when it is so many times what the command takes for an empty module.
_ABOVE_START = 1.3


@dataclass
class Series:
    """What commands took: `start` for next to nothing, `rows` by program, `points` by family and contender."""

    start: Mapping[str, Measurement]
    rows: list[tuple[str, int | None, Mapping[str, Measurement]]] = field(default_factory=list)
    points: dict[tuple[str, str], list[Point]] = field(default_factory=dict)


def series(
    name: str, names: Sequence[str], commands: Commands, start: Program, programs: Iterable[Program], settings: Settings
) -> Series:
    """Measures commands on programs, sizes of one family in rising order.

    After a contender has not ended in time, the larger programs of the family are not tried with it.
    """
    late: set[tuple[str, str]] = set()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"

        def measured(program: Program) -> dict[str, Measurement]:
            path.write_text(program[2])
            every = {who: it for who, it in commands(path, program).items() if (program[0], who) not in late}
            taken = in_turns(every, settings.timeout, settings.rounds)
            return {who: taken.get(who, NOT_RUN) for who in names}

        found = Series(measured(start))
        found.rows.append((*start[:2], found.start))
        for program in programs:
            family, size, _ = program
            settings.progress(f"{name}: {family}" + (f", N = {size:,}" if size else ""))
            taken = measured(program)
            late |= {(family, who) for who in names if taken[who].outcome == "timeout"}
            found.rows.append((family, size, taken))
            for who, it in taken.items():
                if size is not None and it.outcome in ("ok", "timeout"):
                    found.points.setdefault((family, who), []).append((size, it.seconds))
    return found


def exponents(name: str, title: str, names: Sequence[str], found: Series, settings: Settings) -> list[Table]:
    """The table of the powers of N that the times grow with; none where there are no families."""
    made = Table(
        f"{name}-exponents",
        f"{title}: growth",
        [Column("family", left=True), *(Column(who, table.exponent) for who in names)],
        notes=[
            "The time without start-up grows with this power of N: fitted to the largest sizes, three at"
            f" most, that took more than {_ABOVE_START:g} times the start-up; '>' from the step to the size"
            " that did not end in time; a dash where the times do not tell."
        ],
    )
    for family in dict.fromkeys(family for family, _ in found.points):
        fitted = (
            power(found.points.get((family, who), []), found.start[who].seconds or 0.0, settings.timeout)
            for who in names
        )
        made.rows.append([family, *fitted])
    return [made] if made.rows else []


def growth(
    name: str,
    title: str,
    flag: str,
    programs: Iterable[Program],
    settings: Settings,
    *,
    souffle: bool,
    mlir_flag: str | None = None,
) -> list[Table]:
    """Measures a pass or pipeline on programs, Dealog beside mlir-opt, which may have another flag for what it does:
    times, and exponents."""
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

    def commands(path: Path, _: Program) -> dict[str, Command]:
        return dict(contenders.passes(flag, path, souffle=souffle, mlir_flag=mlir_flag))

    found = series(name, names, commands, _EMPTY, programs, settings)
    times.rows += [_row(family, size, taken, names) for family, size, taken in found.rows]
    return [times, *exponents(name, title, names, found, settings)]


def _row(
    family: str, size: int | None, taken: Mapping[str, Measurement], names: Sequence[str]
) -> list[object]:
    ours, theirs = taken[DEALOG], taken[MLIR]
    return [
        family,
        size,
        *(taken[who] for who in names),
        quotient(ours.seconds, theirs.seconds),
        *(taken[who] for who in names),
        quotient(ours.peak, theirs.peak),
    ]


def quotient(ours: float | None, theirs: float | None) -> float | None:
    """How many times `theirs` `ours` is; None where there is one of them missing."""
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
