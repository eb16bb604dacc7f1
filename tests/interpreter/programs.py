"""Helpers: run small programs, and compare where a fault is reported with comments in the program."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from dealog.execution import Outcome, run
from dealog.frontend import parse


def execute(text: str, *args: Any, entry: str = "@main", **options: Any) -> Outcome:
    """Run a program."""
    return run(parse(text, "program.mlir"), entry, args, **options)


def body(code: str, parameters: str = "", results: str = "") -> str:
    """A program of one function `@main`, with a few constants."""
    arrow = f" -> {results}" if results else ""
    return (
        f"func.func @main({parameters}){arrow} {{\n"
        "  %c0 = arith.constant 0 : index\n"
        "  %c1 = arith.constant 1 : index\n"
        "  %c4 = arith.constant 4 : index\n"
        "  %f1 = arith.constant 1.0 : f32\n"
        "  %true = arith.constant true\n"
        "  %false = arith.constant false\n"
        f"{textwrap.indent(textwrap.dedent(code), '  ')}\n}}\n"
    )


def marked(text: str, marker: str) -> list[int]:
    """The numbers of the lines that end with the comment `// marker`."""
    return [number for number, line in enumerate(text.split("\n"), 1) if line.endswith(f"// {marker}")]


def assert_fault(text: str, kind: str, *args: Any, says: str = "", **options: Any) -> None:
    """That the program has one fault, of this kind, reported at the line that ends with `// fault`, with
    notes at those that end with `// note`."""
    outcome = execute(text, *args, **options)
    assert [fault.kind for fault in outcome.faults] == [kind], [f.diagnostic.render() for f in outcome.faults]
    (fault,) = outcome.faults
    assert says in fault.diagnostic.message
    assert [_line(fault.diagnostic)] == marked(text, "fault"), fault.diagnostic.render()
    assert sorted(_line(note) for note in fault.diagnostic.notes) == marked(text, "note"), (
        fault.diagnostic.render()
    )


def _line(diagnostic: Any) -> int:
    position = diagnostic.position
    assert position is not None
    return int(position[0])


def clean(outcome: Outcome) -> Outcome:
    """`outcome`, in which nothing may have been wrong."""
    said: Sequence[str] = [fault.diagnostic.render() for fault in (*outcome.faults, *outcome.warnings)]
    assert not said, "\n".join(said)
    return outcome
