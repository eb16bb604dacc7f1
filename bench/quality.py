"""What is left in the output, and what running it costs: Dealog's pipeline beside MLIR's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import contenders, table
from bench.programs import PIPELINE
from bench.settings import Settings
from bench.table import Column, Pair, Table
from dealog.diagnostics import SourceText
from dealog.execution import Outcome, Unsupported, lower, run
from dealog.frontend import Module, Operation, parse
from tests.support import tools
from tests.support.cases import Case, corpus, examples, generated
from tests.support.dealog import run_dealog

_PIPELINE = "buffer-deallocation-pipeline"
_ADDRESS = "memref.extract_aligned_pointer_as_index"
HELPER = "@dealloc_helper"

Call = tuple[str, tuple[str | int, ...]]  # a function to run and its arguments


@dataclass(frozen=True)
class Group:
    """Programs that are counted together; `calls` are what their outputs are run by, where they can be run."""

    name: str
    cases: tuple[Case, ...]
    calls: tuple[Call, ...] = ()


@dataclass
class Count:
    """What was counted in outputs after their clean-up, and when they were run."""

    deallocs: int = 0
    checks: int = 0
    helper_calls: int = 0
    clones: int = 0
    added: int = 0
    peak: int = 0
    executed: int = 0

    def look(self, output: Module, before: Module) -> None:
        """Counts what is in `output`, and how much more than in `before`."""
        self.added -= sum(1 for _ in before.walk())
        for op in output.walk():
            self.added += 1
            self.deallocs += op.name == "memref.dealloc"
            self.clones += op.name == "bufferization.clone"
            self.helper_calls += op.attributes.get("callee", "").startswith(HELPER)
            self.checks += op.name == "arith.cmpi" and any(_is_address(op, i) for i in (0, 1))


_LOOKED_AT = ("deallocs", "checks", "helper_calls", "clones", "added")
_EXECUTED = ("peak", "executed")


def quality(settings: Settings) -> list[Table]:
    """Counts over the examples, the corpus, generated programs and the families, each group together."""
    table_ = Table(
        "quality",
        "What --buffer-deallocation-pipeline leaves in the output: Dealog / mlir-opt",
        [
            Column("programs", left=True),
            Column("number", "{:,}".format),
            Column("deallocs", table.pair),
            Column("alias checks", table.pair),
            Column("helper calls", table.pair),
            Column("clones", table.pair),
            Column("ops added", table.pair),
            Column("run", "{:,}".format),
            Column("peak heap bytes", table.pair),
            Column("checks executed", table.pair),
        ],
        notes=[
            "The input has been through '-canonicalize -cse', which MLIR's pipeline would do itself and"
            " Dealog leaves to others; so have both outputs, before they are counted. Alias checks are"
            " comparisons of addresses outside the helper function. The peaks of the programs that are run"
            " are added up."
        ],
    )
    for group in _groups(settings):
        settings.progress(f"quality: {group.name}")
        table_.rows.append(_row(group, table_.notes))
    return [table_]


def _groups(settings: Settings) -> Iterator[Group]:
    size = 16 if settings.quick else 64
    groups = [
        *(Group(case.name, (case,), (("@forward", ("random",)),)) for case in examples()),
        Group("corpus", tuple(case for case in corpus() if not case.pass_options)),
        Group("generated", generated(12 if settings.quick else 100), (("@main", ()),)),
        *(
            Group(f"{name}, N = {size}", (Case(name, family(size)),), (("@f", (3,)),))
            for name, family in PIPELINE.items()
        ),
    ]
    return (group for group in groups if settings.wants(group.name.split(",")[0]))


def _row(group: Group, notes: list[str]) -> list[object]:
    inputs = cleaned([case.text for case in group.cases])
    theirs = tools.run_mlir_opt(inputs, f"-{_PIPELINE}", tool=Path(contenders.mlir_opt()))
    ours = [run_dealog(text, [_PIPELINE]) for text in inputs]
    both = [
        (case.name, text, mine.text, other.text)
        for case, text, mine, other in zip(group.cases, inputs, ours, theirs, strict=True)
        if mine.text is not None and other.text is not None
    ]
    if len(both) < len(group.cases):
        refused = len(group.cases) - len(both)
        notes.append(f"{group.name}: {refused} more are refused by one of the two and not counted.")
    counts = [Count(), Count()]
    for number, count in enumerate(counts, start=2):
        for (_, text, *_), output in zip(both, cleaned([row[number] for row in both]), strict=True):
            count.look(parse(output, "output.mlir"), parse(text, "input.mlir"))
    executed = 0
    for name, _, *texts in both:
        if not group.calls:
            continue
        outcomes = [execute(group.calls[0], text) for text in texts]
        if all(outcome.ok for outcome in outcomes):
            executed += 1
            for count, outcome in zip(counts, outcomes, strict=True):
                count.peak += outcome.statistics.peak_bytes
                count.executed += outcome.statistics.alias_checks
        else:
            notes.append(f"{name}: run, but not counted: one of the two does not end well.")
    mine, others = counts
    return [
        group.name,
        len(both),
        *(Pair(getattr(mine, what), getattr(others, what)) for what in _LOOKED_AT),
        executed or None,
        *(Pair(getattr(mine, what), getattr(others, what)) if executed else None for what in _EXECUTED),
    ]


def cleaned(texts: Sequence[str]) -> list[str]:
    """The modules after `-canonicalize -cse`."""
    return [output.unwrap() for output in tools.run_mlir_opt(texts, "-canonicalize", "-cse")]


def _is_address(op: Operation, number: int) -> bool:
    """Whether an operand is the address of a memref."""
    defining = op.operands[number].owner
    return isinstance(defining, Operation) and defining.name == _ADDRESS


def execute(call: Call, text: str, *, check_ownership: bool = True) -> Outcome:
    """Runs a function; lowered where something, linalg for example, is not interpreted."""
    entry, arguments = call
    try:
        module = parse(text, "output.mlir")
        return run(module, entry, arguments, check_ownership=check_ownership, uninitialized="ignore")
    except Unsupported:
        lowered = lower(SourceText("output.mlir", text), contenders.mlir_opt())
        return run(lowered, entry, arguments, check_ownership=check_ownership, uninitialized="ignore")
