"""Modules of more and more functions: at once, in parts, by two processes, and with all known but one function."""

from __future__ import annotations

import math
import os
import tempfile
from pathlib import Path

from bench import contenders, table
from bench.measure import NOT_RUN, Command, Measurement, in_turns, run
from bench.settings import Settings
from bench.table import Column, Exponent, Table
from tests.scale.programs import plain

SIZES = (1, 10, 100, 1_000, 10_000)
_QUICK = (1, 10, 100)
WHOLE, ONE, TWO, COLD, WARM = "at once", "in parts", "two processes", "incremental, first", "incremental, one changed"


def scale(settings: Settings) -> list[Table]:
    """Time and memory of `dealog dealloc`, by the number of functions."""
    made = Table(
        "scale",
        "dealog dealloc, by the number of functions",
        [
            Column("functions", "{:,}".format),
            *(Column(who, table.seconds) for who in (WHOLE, ONE, TWO, COLD, WARM)),
            Column("speed-up by two", table.ratio),
            Column("memory at once", table.memory),
            Column("in parts", table.memory),
        ],
        notes=[
            "Whole commands, the embedded engine. 'In parts' is one process with an empty store (the same as the first"
            " incremental run, which also keeps what it decides). The memory is that of the largest process. Of two"
            " processes, each has its share where the machine has two processors to spare."
        ],
    )
    points: dict[str, list[tuple[int, Measurement]]] = {}
    late: set[str] = set()
    sizes = [size for size in (_QUICK if settings.quick else SIZES) if size <= (settings.largest or size)]
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            settings.progress(f"scale: N = {size:,}")
            taken = _taken(Path(folder), size, settings, late)
            late |= {who for who, it in taken.items() if it.outcome == "timeout"}
            for who, it in taken.items():
                points.setdefault(who, []).append((size, it))
            ratio = None
            if taken[ONE].seconds is not None and taken[TWO].seconds:
                ratio = (taken[ONE].seconds or 0) / (taken[TWO].seconds or 1)
            made.rows.append([
                size, *(taken[who] for who in (WHOLE, ONE, TWO, COLD, WARM)), ratio, taken[WHOLE], taken[ONE],
            ])  # fmt: skip
    return [made, _growth(points)]


def _taken(folder: Path, size: int, settings: Settings, late: set[str]) -> dict[str, Measurement]:
    path, changed = folder / "functions.mlir", folder / "changed" / "functions.mlir"
    changed.parent.mkdir(exist_ok=True)
    text = plain(size)
    path.write_text(text)
    changed.write_text(text[: text.rindex("  return")] + "  // changed\n" + text[text.rindex("  return") :])
    dealloc = [*contenders.command("dealog"), "dealloc", "--engine", "embedded"]
    cache = folder / f"cache{size}"

    def kept(*command: str) -> Command:
        return ["/usr/bin/env", f"DEALOG_CACHE={cache}", *command]

    commands = {
        WHOLE: [*dealloc, str(path)],
        TWO: [*dealloc, str(path), "-j2"],
    }
    wanted = {who: command for who, command in commands.items() if who not in late}
    taken = dict.fromkeys((WHOLE, ONE, TWO, COLD, WARM), NOT_RUN)
    taken |= in_turns(wanted, settings.timeout, settings.rounds)
    if COLD not in late:
        run(kept(*dealloc, os.devnull), settings.timeout)  # the grammar and the rules are in that cache, too
        taken[COLD] = taken[ONE] = run(kept(*dealloc, str(path), "--incremental"), settings.timeout)
        if taken[COLD].ok:
            os.replace(changed, path)
            taken[WARM] = run(kept(*dealloc, str(path), "--incremental"), settings.timeout)
    return taken


def _growth(points: dict[str, list[tuple[int, Measurement]]]) -> Table:
    made = Table(
        "scale-growth",
        "dealog dealloc, by the number of functions: growth",
        [
            Column("", left=True),
            Column("time per function at the largest", "{:.1f} ms".format),
            Column("power", table.exponent),
        ],
        notes=["Both from the step between the two largest sizes that were done."],
    )
    for who, taken in points.items():
        done = [(size, it.seconds) for size, it in taken if it.seconds is not None]
        if len(done) < 2 or done[-1][1] <= done[-2][1]:
            continue
        (small, short), (large, long) = done[-2:]
        power = math.log(long / short) / math.log(large / small)
        made.rows.append([who, 1000 * (long - short) / (large - small), Exponent(power)])
    return made
