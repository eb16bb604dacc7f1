"""What passes on allocations and findings take on chains: programs in which something takes what came before it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench import contenders, table
from bench.growth import Program, exponents, series
from bench.measure import Command
from bench.settings import Settings
from bench.table import Column, Table

_PASSES = ("copy-removal", "plan-memory", "promote-buffers-to-stack", "buffer-hoisting")
_NAMES = (*_PASSES, "check")
_EMPTY: Program = ("(empty module)", None, "module {\n}\n")


def chains(programs: Iterable[Program], settings: Settings) -> list[Table]:
    """Times and the most memory, all with the embedded engine; exponents."""
    title = "Passes on allocations, and dealog check, on chains, whole command"
    times = Table(
        "chains",
        title,
        [
            Column("program", left=True),
            Column("N", "{:,}".format),
            *(Column(who, table.seconds) for who in _NAMES),
            *(Column(f"{who}: memory", table.memory) for who in _NAMES),
        ],
    )
    found = series("chains", _NAMES, _commands, _EMPTY, programs, settings)
    for family, size, taken in found.rows:
        times.rows.append([family, size, *(taken[who] for who in _NAMES), *(taken[who] for who in _NAMES)])
    return [times, *exponents("chains", title, _NAMES, found, settings)]


def _commands(path: Path, program: Program) -> dict[str, Command]:
    dealog, file, engine = contenders.command("dealog"), str(path), ["--engine", "embedded"]
    passes: dict[str, Command] = {name: [*dealog, "opt", file, f"--{name}", *engine] for name in _PASSES}
    return passes | {"check": [*dealog, "check", file, "--fail-on", "never", *engine]}
