"""Compares the IR read from two texts of the same program: one in custom form, one in generic form.

From the command line, `python -m tests.frontend.structure FILE... [--syntax DIR]` lets mlir-opt print every
part of every file (parts are separated by `// -----`; those that mlir-opt refuses are left out) in generic
and in custom form, and reports where what Dealog reads differs between them, and between them and the file
itself.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
from collections.abc import Iterator

from dealog.diagnostics import DealogError
from dealog.frontend import Block, Module, Operation, Region, Value, is_memref, parse, print_module
from tests.support import tools

OPAQUE = {
    "irdl.dialect",
    "transform.named_sequence",
    "transform.sequence",
    "transform.with_pdl_patterns",
}
"""Operations whose regions are only read in generic form."""


def mlir_opt(text: str, *flags: str) -> str | None:
    """What mlir-opt prints for `text`, None where it refuses it."""
    return tools.run([tools.mlir_opt(), "--allow-unregistered-dialect", *flags], text).text


def differences(one: Module, other: Module, exact_types: bool = True) -> list[str]:
    """How the IR of two modules differs: operations, operands, results, regions, blocks, successors, and the
    types that `one` tells (with `exact_types` false, only whether a value is a buffer). Regions that a custom form
    leaves out, and what is in them in the other module, are not compared."""
    found: list[str] = []
    numbers: tuple[dict[Value, int], dict[Value, int]] = ({}, {})
    uses: list[tuple[str, Operation, Operation]] = []
    work: list[tuple[Operation, Operation, str]] = [(one.operation, other.operation, one.operation.name)]

    def define(mine: list[Value], theirs: list[Value], where: str) -> None:
        if len(mine) != len(theirs):
            found.append(f"{where}: {len(mine)} values against {len(theirs)}")
        for a, b in zip(mine, theirs, strict=False):
            numbers[0][a] = numbers[1][b] = len(numbers[0])
            buffers = is_memref(a.type), is_memref(b.type)
            if buffers[0] != buffers[1] or (exact_types and not _same_type(a.type, b.type)):
                found.append(f"{where}: {a.name} has type '{a.type}' against '{b.type}'")

    while work:
        a, b, where = work.pop()
        if a.name != b.name:
            found.append(f"{where}: operation '{a.name}' against '{b.name}'")
            continue
        define(a.results, b.results, f"{where}: results of {a.name}")
        uses.append((where, a, b))
        if a.name in OPAQUE and a.generic != b.generic:
            continue
        if len(a.regions) != len(b.regions):
            found.append(f"{where}: {a.name} has {len(a.regions)} regions against {len(b.regions)}")
        for mine, theirs in zip(a.regions, b.regions, strict=False):
            if _is_implied(mine) or _is_implied(theirs):
                continue
            if len(mine.blocks) != len(theirs.blocks):
                counts = f"{len(mine.blocks)} blocks against {len(theirs.blocks)}"
                found.append(f"{where}: region {mine.index} of {a.name}: {counts}")
            for block, twin in zip(mine.blocks, theirs.blocks, strict=False):
                at = f"{where}/{mine.index}.{block.index}"
                define(block.arguments, twin.arguments, f"{at}: arguments in {a.name}")
                names = [op.name for op in block.operations], [op.name for op in twin.operations]
                if names[0] != names[1]:
                    found.append(f"{at}: {_first_difference(*names)} in {a.name}")
                pairs = zip(block.operations, twin.operations, strict=False)
                work.extend((x, y, f"{at}:{i} {x.name}") for i, (x, y) in enumerate(pairs))
    for where, a, b in uses:
        operands = [numbers[0].get(v, -1) for v in a.operands], [numbers[1].get(v, -1) for v in b.operands]
        if operands[0] != operands[1]:
            found.append(f"{where}: operands {_names(a)} against {_names(b)}")
        branches = [_branches(a), _branches(b)]
        if branches[0] != branches[1]:
            found.append(f"{where}: successors {branches[0]} against {branches[1]}")
    return found


def _same_type(one: str, other: str) -> bool:
    """Whether `one` is the type `other`, as far as the custom form tells it: maybe nothing, or its parameters only."""
    if one.startswith("<"):
        return _plain(other).endswith(_plain(one))
    return not one or _plain(one) == _plain(other)


def _plain(type: str) -> str:
    return re.sub(r"\s", "", type)


def _is_implied(region: Region) -> bool:
    owner = region.owner
    return region.start < 0 and bool(region.blocks) and not owner.generic and owner.offset >= 0


def _first_difference(mine: list[str], theirs: list[str]) -> str:
    for index, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if a != b:
            return f"operation {index} is '{a}' against '{b}'"
    return (
        f"{len(mine)} operations against {len(theirs)}: {(mine + theirs)[min(len(mine), len(theirs)) :][:3]}"
    )


def _names(op: Operation) -> str:
    return f"({', '.join(value.name for value in op.operands)})"


def _branches(op: Operation) -> list[tuple[int, int, int]]:
    return [(_number(s.block), s.start, s.end) for s in op.successors]


def _number(block: Block) -> int:
    return block.region.blocks.index(block)


FORMS = (("-mlir-print-op-generic", "-mlir-print-local-scope"), ("-mlir-print-local-scope",))
"""The flags by which mlir-opt prints the generic form and the custom form."""


def check(text: str, name: str = "<text>", syntax_dirs: tuple[str, ...] = ()) -> list[str] | None:
    """What is wrong with how Dealog reads `text` and what mlir-opt prints for it; None where mlir-opt
    refuses the text."""
    generic, custom = (mlir_opt(text, *flags) for flags in FORMS)
    return None if generic is None or custom is None else compare(text, generic, custom, name, syntax_dirs)


def compare(
    text: str, generic: str, custom: str, name: str = "<text>", syntax_dirs: tuple[str, ...] = ()
) -> list[str]:
    """What is wrong with how Dealog reads `text`, and what mlir-opt prints for it in generic and in custom form."""
    problems = []
    modules = []
    for what, form in (("generic", generic), ("printed", custom), ("written", text)):
        try:
            module = parse(form, f"{name} ({what})", syntax_dirs)
        except DealogError as error:
            problems.append(str(error))
            continue
        if print_module(module) != form:
            problems.append(f"{name}: {what} form is not printed as it was read")
        modules.append((what, module))
    if modules and modules[0][0] == "generic":
        for what, module in modules[1:]:
            problems += [
                f"{name} ({what}): {line}"
                for line in differences(module, modules[0][1], exact_types=what == "printed")
            ]
    return problems


def parts(text: str) -> Iterator[str]:
    """The parts of a file that holds several programs."""
    yield from re.split(r"^// -----.*$", text, flags=re.MULTILINE)


def main() -> int:
    """See the head of this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--syntax", action="append", default=[], help="folder with further syntax files")
    parser.add_argument("--unknown", action="store_true", help="show each unknown operation, not only counts")
    parser.add_argument("--limit", type=int, default=3, help="problems shown for one part")
    arguments = parser.parse_args()
    count: collections.Counter[str] = collections.Counter()
    for path in arguments.files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for number, part in enumerate(parts(text)):
            problems = check(part, f"{path}#{number}", tuple(arguments.syntax))
            if problems is None:
                count["refused by mlir-opt"] += 1
            elif problems:
                count["bad"] += 1
                unknown = [re.search(r"unknown custom form of '.*?'", problem) for problem in problems]
                if arguments.unknown or not all(unknown):
                    shown = [p for p, u in zip(problems, unknown, strict=True) if arguments.unknown or not u]
                    print("\n".join(shown[: arguments.limit]))
                else:
                    count.update({match[0] for match in unknown if match})
            else:
                count["good"] += 1
    for what, number in count.most_common():
        print(f"{number:6} {what}")
    return 1 if count["bad"] else 0


if __name__ == "__main__":
    sys.exit(main())
