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
    for constants, group in itertools.groupby(lines, _is_constant):
        run = list(group)
        ordered += sorted(run) if constants else run
    return ordered


def _is_constant(line: str) -> bool:
    return " = arith.constant " in line


_DEALLOC = re.compile(
    r"^(?P<head> *(?:%(?P<name>\w+)(?::\d+)? = )?bufferization\.dealloc) "
    r"\((?P<freed>[^()]*) : (?P<freed_types>.*)\) if \((?P<conditions>[^()]*)\)"
    r"(?: retain \((?P<kept>[^()]*) : (?P<kept_types>.*)\))?$"
)


def with_operands_sorted(text: str) -> str:
    """A printed function with what each dealloc frees and retains in the order of the names.

    A dealloc means the same in every order; its results follow the order of what it retains.
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        match = _DEALLOC.match(line)
        if match is None:
            continue
        freed = sorted(
            zip(_list(match["freed"]), _list(match["freed_types"]), _list(match["conditions"]), strict=True)
        )
        names, types, conditions = (", ".join(column) for column in zip(*freed, strict=True))
        kept = ""
        if match["kept"]:
            before = list(zip(_list(match["kept"]), _list(match["kept_types"]), strict=True))
            after = sorted(before)
            kept = (
                f" retain ({', '.join(name for name, _ in after)} : {', '.join(type_ for _, type_ in after)})"
            )
            moved = {
                f"%{match['name']}#{old}": f"%{match['name']}#{after.index(item)}"
                for old, item in enumerate(before)
            }
            end = _end_of_region(lines, number)
            lines[number:end] = [_renamed(later, match["name"], moved) for later in lines[number:end]]
        lines[number] = f"{match['head']} ({names} : {types}) if ({conditions}){kept}"
    return "\n".join(lines)


def _end_of_region(lines: list[str], number: int) -> int:
    """Where the region ends in which a line stands: another one may use the same names."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    for later in range(number, len(lines)):
        stripped = lines[later].lstrip()
        if stripped.startswith("}") and len(lines[later]) - len(stripped) < indent:
            return later
    return len(lines)


def _renamed(line: str, name: str, moved: dict[str, str]) -> str:
    """The line with the results of the op called ``name`` under their new numbers."""
    return re.sub(rf"%{name}#\d+", lambda use: moved[use[0]], line)


def _list(text: str) -> list[str]:
    """The parts of a printed list of names or types."""
    return re.split(r", (?=%|memref<)", text)


def differences(expected: str, actual: str, *, ordered: bool = True) -> dict[str, str]:
    """The functions in which two printed modules differ, each with a readable difference.

    Without ``ordered``, the order of what deallocs free and retain makes none.
    """
    ours, theirs = functions(actual), functions(expected)
    found = {}
    for name in [*theirs, *(name for name in ours if name not in theirs)]:
        one, other = theirs.get(name, ""), ours.get(name, "")
        if not ordered:
            one, other = with_operands_sorted(one), with_operands_sorted(other)
        if one != other:
            lines = difflib.unified_diff(
                one.splitlines(), other.splitlines(), "mlir-opt", "dealog", lineterm="", n=2
            )
            found[name] = "\n".join(lines)
    return found


def clones_less(difference: str) -> bool:
    """Whether of the two sides of `difference`, Dealog's has fewer clones. Execution shows that none is missing.

    What a loop carries around unchanged is no copy here. And Dealog frees outright what MLIR frees under
    `scf.if %true`: the canonicalizer may come to the clone first, and leave it where the deallocation still stands in
    a region.
    """
    clones = [line[0] for line in difference.splitlines() if "bufferization.clone" in line and line[0] in "+-"]
    return clones.count("-") > clones.count("+")
