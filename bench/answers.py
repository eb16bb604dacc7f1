"""What an answer costs: questions about a program beside the deallocation of the program."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from bench import contenders, table
from bench.growth import Program, exponents, quotient, series
from bench.measure import Command
from bench.settings import Settings
from bench.table import Column, Table

DEALLOC = "dealog dealloc"
LINE, DECISION, LOWERING, ABSENCE, ANALYSIS = (
    "why --line", "why freed_if", "why lowering", "why-not freed_if", "why may_alias",
)  # fmt: skip
_NAMES = (DEALLOC, LINE, DECISION, LOWERING, ABSENCE, ANALYSIS)
_SMALLEST: Program = (
    "(one buffer)",
    None,
    "func.func @f(%m: memref<4xf32>) {\n"
    "  %a = memref.alloc() : memref<4xf32>\n"
    "  memref.copy %m, %a : memref<4xf32> to memref<4xf32>\n"
    "  return\n"
    "}\n",
)
ASKED = {
    "live_to_the_end": "%a",
    "block_arguments": "%p",
    "ifs_in_a_row": "%r",
    "chained_fors": "%r",
    "selects": "%a",
    "block_chain": "%p",
    "live_through": "%a",
}
"""The families, and which of their buffers is asked about: that in the middle of those of the name."""


def answers(programs: Iterable[Program], settings: Settings) -> list[Table]:
    """Times of questions about one buffer, and of `dealog dealloc`, all with the embedded engine; exponents."""
    title = "Answers, whole command"
    times = Table(
        "answers",
        title,
        [
            Column("program", left=True),
            Column("N", "{:,}".format),
            *(Column(who, table.seconds) for who in _NAMES),
            *(Column(f"{who}: ratio", table.ratio) for who in _NAMES[1:]),
        ],
        notes=[
            "All questions are about one buffer in the middle of the program: what was decided on its line; why it is"
            " freed, by the pass that decides it; why deallocations are lowered as they are, by the last pass but two"
            " (ten of the proofs are shown); why it is not freed on the condition false; what it may alias, in the"
            " input (ten are shown). All with --pipeline=mlir, which has most passes to ask about. Ratios are to"
            " 'dealog dealloc'; the embedded engine answers throughout."
        ],
    )
    found = series("answers", _NAMES, _commands, _SMALLEST, programs, settings)
    for family, size, taken in found.rows:
        dealloc = taken[DEALLOC].seconds
        ratios = [quotient(taken[who].seconds, dealloc) for who in _NAMES[1:]]
        times.rows.append([family, size, *(taken[who] for who in _NAMES), *ratios])
    return [times, *exponents("answers", title, _NAMES, found, settings)]


def _commands(path: Path, program: Program) -> dict[str, Command]:
    value, line = asked(program)
    dealog, file = contenders.command("dealog"), str(path)
    engine = ["--engine", "embedded", "--pipeline=mlir"]
    return {
        DEALLOC: [*dealog, "dealloc", file, *engine],
        LINE: [*dealog, "why", file, "--line", str(line), *engine],
        DECISION: [*dealog, "why", file, f"freed_if(_, {value}, _)", *engine],
        LOWERING: [*dealog, "why", file, "lowering(_, _)", *engine],
        ABSENCE: [*dealog, "why-not", file, f'freed_if(_, {value}, "false")', *engine],
        ANALYSIS: [*dealog, "why", file, f"may_alias({value}, _)", *engine],
    }


def asked(program: Program) -> tuple[str, int]:
    """The buffer that is asked about, and the line on which it is defined."""
    family, size, text = program
    if size is None:
        allocated = re.findall(r"^ *(%[\w.-]+) = memref\.alloc\(", text, re.MULTILINE)
        value = allocated[len(allocated) // 2]
    else:
        value = f"{ASKED[family]}{size // 2}"
    defined = re.search(rf"{re.escape(value)}(?: =|:)", text)
    assert defined is not None, f"{value} is not defined in {family}"
    return value, text.count("\n", 0, defined.start()) + 1
