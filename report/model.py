"""What a report tells: plain data, collected by `dealog.report_contents` and put on a page by `dealog.report.page`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Ownership = Literal["owned", "run-time", "unknown", "never"]
"""Whether a buffer is owned: always, as an i1 tells at run time, as nobody can tell, or never."""


@dataclass(frozen=True)
class Row:
    """A line of the output with its number, or one of the source that is not in the output (`number` is None).

    `source` is the number of the line of the source that it is, or was made of; `decisions` are numbers in
    `Report.decisions`, `reason` says in a few words what an inserted operation is there for.
    """

    kind: Literal["same", "added", "removed", "changed"]
    number: int | None
    source: int | None
    text: str
    decisions: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Premise:
    """What a step rests on that is not a step itself: a comparison, something that does not hold, an aggregate
    over `steps`."""

    says: str
    steps: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """A fact of a proof. Derived, it has the place of its rule in `rule` and rests on `premises` (numbers in
    `Report.steps`, each smaller, or what is not a step); given, it stands on `line` of the source, or the rules
    say it (`rule`), or neither. What a pass made that is named in `made_by` stands beside its line."""

    relation: str
    says: str
    derived: bool
    rule: str = ""
    line: int | None = None
    made_by: str = ""
    premises: tuple[int | Premise, ...] = ()


@dataclass(frozen=True)
class Decision:
    """What the pass number `stage` decided, and the step that proves it. `carrying`: it only tells how another
    decision is carried out. `function` is the number of the one that it is about, None where that is not stated."""

    stage: int
    step: int
    carrying: bool
    function: int | None


@dataclass(frozen=True)
class Stage:
    """A run of a pass, and its options."""

    name: str
    summary: str
    options: tuple[tuple[str, str], ...]
    idle: bool


# ------------------------------------------------------------------------------------------- control flow


@dataclass(frozen=True)
class Item:
    """A line in the picture of a block: an operation or what stands for several; `row` is where it stands."""

    text: str
    kind: Literal["plain", "allocates", "inserted", "frees", "terminator", "more"]
    row: int | None = None
    full: str = ""
    regions: tuple[FlowRegion, ...] = ()


@dataclass(frozen=True)
class Owned:
    """A buffer where a block ends, and its ownership there in words."""

    name: str
    ownership: Ownership
    says: str


@dataclass(frozen=True)
class Leaving:
    """What happens on a way out of a block: the condition that leads there, what is freed and what is kept."""

    condition: str
    frees: tuple[str, ...]
    keeps: tuple[str, ...]


@dataclass(frozen=True)
class FlowBlock:
    """A block: its label with its arguments, its operations, and what is owned where it ends. `leaving` is what
    happens where it leaves its region."""

    label: str
    items: tuple[Item, ...]
    owned: tuple[Owned, ...]
    leaving: Leaving | None
    row: int | None = None


@dataclass(frozen=True)
class FlowEdge:
    """A branch from block number `start` to block number `end` of a region."""

    start: int
    end: int
    leaving: Leaving


@dataclass(frozen=True)
class FlowRegion:
    """The blocks of a region, entry first; `role` says what part it has in its operation (`then`, `body`)."""

    blocks: tuple[FlowBlock, ...]
    edges: tuple[FlowEdge, ...]
    role: str = ""


# -------------------------------------------------------------------------------------------- live ranges


@dataclass(frozen=True)
class Span:
    """Part of a live range, from one line of the output to another: the buffer is still used (`live`), or only
    held until it is freed."""

    start: int
    end: int
    ownership: Ownership
    live: bool


Mark: TypeAlias = tuple[int, Literal["alloc", "use", "free", "free-if"]]


@dataclass(frozen=True)
class LiveRange:
    """A buffer with its views: where it is live, and what happens to it on which line.

    `heap` says that it is allocated here and has to be freed, `bytes` how large it is, where its type says; `inserted`
    that a pass made it, as a clone or to choose one of two buffers.
    """

    name: str
    type: str
    views: tuple[str, ...]
    ownership: Ownership
    says: str
    spans: tuple[Span, ...]
    marks: tuple[Mark, ...]
    row: int | None = None
    bytes: int | None = None
    heap: bool = False
    inserted: bool = False


@dataclass(frozen=True)
class Timeline:
    """The live ranges of a function over the lines of the output from `first` to `last`; `blocks` are the labels
    of its blocks and the line at which each starts."""

    first: int
    last: int
    blocks: tuple[tuple[int, str], ...]
    ranges: tuple[LiveRange, ...]


# -------------------------------------------------------------------------------------------------- plans


@dataclass(frozen=True)
class Planned:
    """A buffer in an arena: the byte at which it starts and how many it takes, when it is allocated (`begin`) and from
    when on it is not needed any more (`end`); the lines of the source of both, and the row of the first."""

    name: str
    type: str
    start: int
    bytes: int
    begin: int
    end: int
    first: int = 0
    last: int = 0
    row: int | None = None


@dataclass(frozen=True)
class Plan:
    """The arena of a function: its `bytes`, the `least` that one can have as far as it is proven, and its buffers. At
    the time `peak` the most is needed, `peak_bytes`. `lines` are the times at which operations run, and their lines."""

    bytes: int
    least: int
    buffers: tuple[Planned, ...]
    peak: int
    peak_bytes: int
    lines: tuple[tuple[int, int], ...] = ()
    peak_line: int = 0


# -------------------------------------------------------------------------------------------------- all


@dataclass(frozen=True)
class Class:
    """An allocation and the buffers in it: those that surely are (with the row each is defined at), and those
    that may be."""

    site: str
    surely: tuple[tuple[str, int | None], ...]
    perhaps: tuple[tuple[str, int | None], ...]
    row: int | None = None


@dataclass(frozen=True)
class Function:
    """A function with a body."""

    name: str
    row: int | None
    counts: tuple[str, ...]
    flow: FlowRegion
    timeline: Timeline
    classes: tuple[Class, ...]
    plan: Plan | None = None


@dataclass(frozen=True)
class Finding:
    """A message about a line of the source, which stands in `row`."""

    severity: str
    name: str
    message: str
    line: int
    row: int | None


@dataclass(frozen=True)
class Count:
    """How many there are of something, where they stand, and what is meant by it."""

    what: str
    number: int
    meant: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Report:
    """All of it. Where there is a row, it is a number in `rows`."""

    name: str
    rows: tuple[Row, ...]
    stages: tuple[Stage, ...]
    decisions: tuple[Decision, ...]
    steps: tuple[Step, ...]
    counts: tuple[Count, ...]
    extensions: tuple[str, ...]  # files of rules and folders of dialects that were added
    relations: dict[str, str]  # the documentation of each relation in `steps`
    functions: tuple[Function, ...]
