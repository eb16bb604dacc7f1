"""Lowering what is not interpreted, with the help of `mlir-opt`: linalg to loops, parallel affine loops to
scf.

The passes change as little else as can be; still, what nobody uses (a read whose value goes nowhere) is
dropped on the way, and faults in it are not seen. The locations that `mlir-opt` keeps lead from the lowered
operations back to the text that the user wrote.
"""

from __future__ import annotations

import re
import subprocess

from dealog.diagnostics import DealogError, SourceText
from dealog.frontend import Module, Operation, parse

PASSES = ("-convert-linalg-to-loops", "-lower-affine")
_LOCATION = re.compile(r'"(?:[^"\\]|\\.)*":([0-9]+):([0-9]+)')
_ALIAS = re.compile(r"loc\((#[\w$.]+)\)\s*\Z")
_LOCATION_WIDTH = 400  # a location stands at the end of an operation


def lower(source: SourceText, mlir_opt: str) -> Module:
    """Lower the text `source` with the program `mlir_opt` and read the result, in generic form.

    Raises `DealogError` with what the program says when it does not accept the text.
    """
    command = [mlir_opt, *PASSES, "-mlir-print-op-generic", "-mlir-print-debuginfo", "-"]
    try:
        data = source.text.encode("utf-8", "surrogateescape")
        done = subprocess.run(command, input=data, capture_output=True, check=False)
    except OSError as error:
        raise DealogError(f"cannot run '{mlir_opt}': {error.strerror}") from error
    if done.returncode != 0:
        said = re.sub(
            r"^(<stdin>|-)(?=:\d)", lambda _: source.name, done.stderr.decode(errors="replace"), flags=re.M
        )
        raise DealogError(f"{mlir_opt} does not lower '{source.name}':\n{said.rstrip()}")
    return parse(SourceText(f"{source.name} (lowered)", done.stdout.decode()))


def original_position(op: Operation, original: SourceText) -> int | None:
    """Where in `original` the lowered operation `op`, or what it is in, comes from."""
    around: Operation | None = op
    while around is not None and around.origin is not None and around.offset >= 0:
        text = around.origin.source.text
        tail = text[max(around.offset, around.end - _LOCATION_WIDTH) : around.end]
        if (alias := _ALIAS.search(tail)) is not None:
            tail = _expanded(alias[1], around.origin.aliases)
        else:
            tail = tail[tail.rfind("loc(") :] if "loc(" in tail else ""
        if (match := _LOCATION.search(tail)) is not None:
            return _offset(original, int(match[1]), int(match[2]))
        around = around.parent
    return None


def _expanded(alias: str, aliases: dict[str, str]) -> str:
    """The text of a location, with the locations that it refers to."""
    text = aliases.get(alias, "")
    for _ in range(8):
        nested = re.search(r"#[\w$.]+", text)
        if nested is None or _LOCATION.search(text) is not None:
            break
        text = text.replace(nested[0], aliases.get(nested[0], ""))
    return text


def _offset(original: SourceText, line: int, column: int) -> int | None:
    lines = original.text.split("\n", line)
    if line > len(lines):
        return None
    return sum(len(before) + 1 for before in lines[: line - 1]) + column - 1
