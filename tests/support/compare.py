"""Compares two texts of one module function by function."""

from __future__ import annotations

import difflib
import itertools
import re

_FUNCTION = re.compile(r'^( *)func\.func .*?@("[^"]*"|[\w$.-]+)')


def functions(text: str) -> dict[str, str]:
    """The functions of a module that ``mlir-opt`` printed in custom form; what is outside them is under ''.

    Functions of the same name, in different modules, are numbered.
    """
    found: dict[str, list[str]] = {"": []}
    current, end = "", ""
    for line in text.splitlines():
        match = _FUNCTION.match(line) if not current else None
        if match:
            name = match[2].strip('"')
            while name in found:
                name += "'"
            found[name] = [line]
            if line.endswith("{"):
                current, end = name, f"{match[1]}}}"
            continue
        found[current].append(line)
        if current and (line == end or line.startswith(f"{end} ")):
            current = ""
    return {name: "\n".join(_constants_sorted(lines)) for name, lines in found.items()}


def _constants_sorted(lines: list[str]) -> list[str]:
    """The lines with every run of constants in alphabetical order.

    In which order the canonicalizer leaves constants depends on where it first met them.
    """
    ordered: list[str] = []
    for constants, run in itertools.groupby(lines, lambda line: " = arith.constant " in line):
        ordered += sorted(run) if constants else run
    return ordered


def differences(expected: str, actual: str) -> dict[str, str]:
    """The functions in which two printed modules differ, each with a readable difference."""
    ours, theirs = functions(actual), functions(expected)
    found = {}
    for name in [*theirs, *(name for name in ours if name not in theirs)]:
        one, other = theirs.get(name, "").splitlines(), ours.get(name, "").splitlines()
        if one != other:
            found[name] = "\n".join(difflib.unified_diff(one, other, "mlir-opt", "dealog", lineterm="", n=2))
    return found
