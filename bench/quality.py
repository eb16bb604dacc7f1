"""What is left in outputs, and what running them takes: the static deallocation beside Dealog's and MLIR's pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench import contenders
from bench.programs import PIPELINE
from bench.settings import Settings
from bench.table import Column, Table
from dealog.diagnostics import SourceText
from dealog.execution import Outcome, Unsupported, lower, run
from dealog.frontend import Module, Operation, Value, parse
from tests.support import tools, unstructured
from tests.support.cases import Case, corpus, examples, generated
from tests.support.dealog import run_dealog

_PIPELINE = "buffer-deallocation-pipeline"
_STATIC = ("static-buffer-deallocation-pipeline",)  # not lowered further: clones still differ from other allocations
HELPER = "@dealloc_helper"

Call = tuple[str, tuple[str | int, ...]]  # a function to run and its arguments


@dataclass(frozen=True)
class Group:
    """Programs that are counted together; `calls` are what their outputs are run by, where they can be run."""

    name: str
    cases: tuple[Case, ...]
    calls: tuple[Call, ...] = ()


_GRAPHS: tuple[Call, ...] = (("@main", (0, "random")), ("@main", (3, "random")))


@dataclass
class Count:
    """What is in outputs that is not in their inputs, and what running them takes."""

    deallocations: int = 0
    operations: int = 0
    bits: int = 0
    conditionals: int = 0
    comparisons: int = 0
    helper_calls: int = 0
    clones: int = 0
    allocations: int = 0
    peak: int = 0
    ran: int = 0

    def look(self, module: Module, sign: int) -> None:
        """Counts what is in `module`; of the helper function and constants, only that they are operations."""
        for op in module.walk():
            self.operations += sign
            if _in_helper(op):
                continue
            values = [*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments)]
            self.bits += sign * sum(_is_bit(value) for value in values)
            self.conditionals += sign * (op.name == "scf.if")
            self.deallocations += sign * (op.name == "memref.dealloc")
            self.helper_calls += sign * op.attributes.get("callee", "").startswith(HELPER)

    def add(self, outcome: Outcome) -> None:
        """Counts what a run took."""
        self.ran += 1
        self.comparisons += outcome.statistics.alias_checks
        self.clones += outcome.statistics.clones
        self.allocations += outcome.statistics.allocations
        self.peak += outcome.statistics.peak_bytes


@dataclass(frozen=True)
class _Line:
    """A line of the table: what is compared, and the most that is aimed at, if anything, as a share of mlir-opt's."""

    what: str
    attribute: str
    share: float | None = None


_LINES = (
    _Line("deallocations", "deallocations"),
    _Line("operations added", "operations"),
    _Line("i1 values", "bits", 1 / 5),
    _Line("conditionals", "conditionals", 1 / 5),
    _Line("pointer comparisons executed", "comparisons", 1 / 10),
    _Line("helper calls", "helper_calls", 1 / 20),
    _Line("clones executed", "clones", 1 / 2),
    _Line("peak heap bytes", "peak", 1),
)


_EXECUTED = ("comparisons", "clones", "peak")


@dataclass
class Counts:
    """The counts over a group: of the programs themselves, and by contender."""

    own: Count = field(default_factory=Count)
    static: Count = field(default_factory=Count)
    pipeline: Count = field(default_factory=Count)
    mlir: Count = field(default_factory=Count)
    programs: int = 0

    def contenders(self) -> tuple[Count, Count, Count]:
        """The counts of the static deallocation, of Dealog's pipeline and of mlir-opt's."""
        return self.static, self.pipeline, self.mlir


def quality(settings: Settings) -> list[Table]:
    """Counts over models, the corpus, generated programs and families."""
    made = Table(
        "quality",
        "What is left in the output, and for the run: dealog dealloc, the same with --pipeline=mlir, mlir-opt",
        [
            Column("programs", left=True),
            Column("number", "{:,}".format),
            Column("what", left=True),
            Column("static", "{:,}".format),
            Column("pipeline", "{:,}".format),
            Column("mlir-opt", "{:,}".format),
            Column("static / mlir-opt", "{:.2f}".format),
            Column("aim", "{:.2f}".format),
        ],
        notes=[
            "The inputs have been through '-canonicalize -cse', and so have all outputs; counted is what is not in the"
            " input. i1 values are results and arguments other than constants, conditionals are scf.if, both outside of"
            " the helper function. Clones are those that the program itself does not make. Allocations beyond: those"
            " executed that are neither the program's own nor clones, as a share of the program's own. Only programs"
            " that all three take and that end well."
        ],
    )
    for group in _groups(settings):
        settings.progress(f"quality: {group.name}")
        counts = counted(group)
        if counts.programs:
            made.rows += _rows(group.name, counts)
    return [made]


def _groups(settings: Settings) -> Iterator[Group]:
    count, size = (12, 16) if settings.quick else (50, 64)
    graphs = (
        Case(f"{kind}-{seed}", unstructured.program(kind, seed, 3 + seed % 7))
        for kind in unstructured.KINDS
        for seed in range(count)
    )
    groups = (
        *(Group(case.name, (case,), (("@forward", ("random",)),)) for case in examples()),
        Group("corpus", tuple(case for case in corpus() if not case.pass_options)),
        Group("structured", generated(count), (("@main", ()),)),
        Group("wild", generated(count, wild=True), (("@main", ()),)),
        Group("graphs", tuple(graphs), _GRAPHS),
        *(
            Group(f"{name}, N = {size}", (Case(name, family(size)),), (("@f", (3,)),))
            for name, family in PIPELINE.items()
        ),
    )
    return (group for group in groups if settings.wants(group.name.split(",")[0]))


def counted(group: Group) -> Counts:
    """Counts over a group, of what all three take and of what ends well."""
    inputs = cleaned([case.text for case in group.cases])
    tool = Path(contenders.mlir_opt())
    theirs = tools.run_mlir_opt(inputs, f"-{_PIPELINE}", tool=tool)
    taken = [
        (text, [static, pipeline, other.text])
        for text, other in zip(inputs, theirs, strict=True)
        if other.text is not None
        if (static := run_dealog(text, _STATIC).text) is not None
        if (pipeline := run_dealog(text, [_PIPELINE]).text) is not None
    ]
    outputs = cleaned([text for _, texts in taken for text in texts])
    counts = Counts()
    for number, (text, _) in enumerate(taken):
        texts = outputs[3 * number : 3 * number + 3]
        own = _outcomes(group.calls, text, freed=False)
        runs = [_outcomes(group.calls, output, freed=True) for output in texts]
        if not all(outcome.ok for each in (own, *runs) for outcome in each):
            continue
        counts.programs += 1
        before = parse(text, "input.mlir")
        for outcome in own:
            counts.own.add(outcome)
        for count, output, each in zip(counts.contenders(), texts, runs, strict=True):
            count.look(parse(output, "output.mlir"), 1)
            count.look(before, -1)
            for outcome in each:
                count.add(outcome)
    return counts


def _outcomes(calls: Sequence[Call], text: str, *, freed: bool) -> list[Outcome]:
    return [execute(call, text, check_ownership=freed) for call in calls]


def _rows(name: str, counts: Counts) -> Iterator[list[object]]:
    own = counts.own
    for line in _LINES:
        if line.attribute in _EXECUTED and not own.ran:
            continue
        values = [getattr(count, line.attribute) for count in counts.contenders()]
        if line.attribute == "clones":
            values = [max(value - own.clones, 0) for value in values]
        share = values[0] / values[2] if values[2] else None
        yield [name, counts.programs, line.what, *values, share, line.share]
    if not own.ran:
        return
    beyond = [c.allocations - max(c.clones - own.clones, 0) - own.allocations for c in counts.contenders()]
    share = beyond[0] / own.allocations if own.allocations else None
    yield [name, counts.programs, "allocations beyond", *beyond, share, 0.05]


def _in_helper(op: Operation) -> bool:
    around: Operation | None = op
    while around is not None:
        if f'@{around.attributes.get("sym_name", "").strip(chr(34))}'.startswith(HELPER):
            return True
        around = around.parent
    return False


def _is_bit(value: Value) -> bool:
    return value.type == "i1" and not (isinstance(value.owner, Operation) and value.owner.name == "arith.constant")


def cleaned(texts: Sequence[str]) -> list[str]:
    """The modules after `-canonicalize -cse`."""
    return [output.unwrap() for output in tools.run_mlir_opt(texts, "-canonicalize", "-cse")]


def execute(call: Call, text: str, *, check_ownership: bool = True) -> Outcome:
    """Runs a function; lowered where something, linalg for example, is not interpreted."""
    entry, arguments = call
    try:
        module = parse(text, "output.mlir")
        return run(module, entry, arguments, check_ownership=check_ownership, uninitialized="ignore")
    except Unsupported:
        lowered = lower(SourceText("output.mlir", text), contenders.mlir_opt())
        return run(lowered, entry, arguments, check_ownership=check_ownership, uninitialized="ignore")
