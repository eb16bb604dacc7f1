"""What the passes on allocations save when the models run: allocations, and the most bytes on the heap at once."""

from __future__ import annotations

from collections.abc import Iterable

from bench import contenders
from bench.settings import Settings
from bench.table import Column, Table
from dealog.diagnostics import SourceText
from dealog.execution import Statistics, lower, run
from tests.support.cases import examples
from tests.support.dealog import run_dealog
from tests.support.toolbox import ON_ALLOCATIONS

DEALLOCATED = ("static-buffer-deallocation", "convert-bufferization-to-memref")


def allocations(settings: Settings) -> list[Table]:
    """One row for each model and pass: without it and with it, deallocated in the same way afterwards."""
    table_ = Table(
        "allocations",
        "What passes on allocations save when the models run: without and with the pass",
        [
            Column("model", left=True),
            Column("pass", left=True),
            Column("allocations without", "{:,}".format),
            Column("allocations with", "{:,}".format),
            Column("peak bytes without", "{:,}".format),
            Column("peak bytes with", "{:,}".format),
            Column("live at once", "{:,}".format),
            Column("peak / live", "{:.3f}".format),
        ],
        notes=[
            "Each is deallocated by --static-buffer-deallocation before it runs. Live at once is the most that would be"
            " on the heap without the pass had each buffer been freed right after its last access. What is promoted to"
            " the stack is not on the heap."
        ],
    )
    for case in examples():
        if settings.wants(case.name):
            settings.progress(f"allocations: {case.name}")
            table_.rows += _rows(case.name, case.text)
    return [table_]


def _rows(name: str, text: str) -> Iterable[list[object]]:
    before, expected = measured(text, ())
    for pass_ in ON_ALLOCATIONS:
        after, results = measured(text, (pass_,))
        assert results == expected, f"{pass_} changes what {name} computes"
        least = before.liveness_bytes or 0
        yield [
            name,
            f"`--{pass_}`",
            before.allocations,
            after.allocations,
            before.peak_bytes,
            after.peak_bytes,
            least,
            after.peak_bytes / least if least else None,
        ]


def measured(text: str, passes: Iterable[str]) -> tuple[Statistics, object]:
    """What running the model did after the `passes`, and what it returned."""
    output = run_dealog(text, [*passes, *DEALLOCATED]).unwrap()
    lowered = lower(SourceText("output.mlir", output), contenders.mlir_opt())
    outcome = run(lowered, "@forward", ("random",), check_ownership=False, uninitialized="ignore", liveness=True)
    assert outcome.ok, outcome
    return outcome.statistics, outcome.results
