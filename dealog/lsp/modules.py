"""What an editor shows about an MLIR text: findings, buffers, and the deallocations that would be inserted.

Nothing here knows of the protocol; places are offsets in the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from dealog.asking.annotate import annotate
from dealog.asking.reasons import Reasons, origin
from dealog.asking.stage import stages
from dealog.checking.batch import Task, check_text, read
from dealog.checking.run import Finding
from dealog.diagnostics import DealogError, Diagnostic
from dealog.frontend import Block, Module, Operation, Value, is_memref
from dealog.report_contents.functions import Analysis, analyse, says_ownership
from dealog.report_contents.sizes import bytes_of, in_words

_NAME = re.compile(r"%[\w$.-]+(?:#\d+)?")
_BEHIND_NAME = re.compile(r"[\w$.#-]")
_OTHERS_INSERTED = ("memref.copy", "func.call")


@dataclass(frozen=True)
class Spot:
    """A stretch of the text."""

    start: int
    end: int


@dataclass(frozen=True)
class Freed:
    """Where a buffer is freed: in front of what stands at `spot`, or, `written`, by the operation there."""

    spot: Spot
    condition: str | None
    reason: str | None
    written: bool = False


@dataclass(frozen=True)
class Hint:
    """What would be inserted in front of `offset`, and why."""

    offset: int
    label: str
    reasons: tuple[str, ...]


@dataclass
class Buffer:
    """A buffer with its views: where it is allocated, used and freed."""

    name: str
    type: str
    allocations: list[Spot]
    uses: list[Spot] = field(default_factory=list)
    freed: list[Freed] = field(default_factory=list)
    owner: str = ""
    views: list[str] = field(default_factory=list)


class Document:
    """An MLIR text, looked at once."""

    def __init__(self, text: str, name: str, task: Task) -> None:
        """Raises `DealogError` where the rules of `task` are wrong; what is wrong with the text is in `errors`."""
        self.text, self.name = text, name
        checked = check_text(text, name, task)
        self.findings: Sequence[Finding] = checked.findings
        self.errors: Sequence[Diagnostic] = checked.errors
        self.warnings: Sequence[Diagnostic] = checked.warnings
        self.hints: list[Hint] = []
        self._buffers: dict[Value, Buffer] = {}
        self._root: dict[Value, Value] = {}
        self._operations: list[Operation] = []
        try:
            module = read(text, name, task)
        except DealogError:
            return
        self._operations = [op for op in module.walk() if op.offset >= 0]
        operands = {op: tuple(op.operands) for op in self._operations}  # as they are before passes change them
        analysis = self._run(module, task)
        self._collect(module, operands, analysis)

    def _run(self, module: Module, task: Task) -> Analysis:
        """Run the deallocation on `module`, and take down what the rules say on the way."""
        analysis, reasons = Analysis(), Reasons(module)
        try:
            for stage in reasons.follow(stages(module, task.deallocation.steps(), task.engine, task.extensions)):
                analysis = analyse(stage, task.extensions) or analysis
        except DealogError:  # the check has reported it
            pass
        annotate(module, reasons)
        return analysis

    # ---- collecting

    def _collect(self, module: Module, operands: dict[Operation, tuple[Value, ...]], analysis: Analysis) -> None:
        root = self._root = {}
        for value in _values(self._operations):
            if is_memref(value.type):
                root[value] = analysis.first.get(value, value)
        sites = _sites(analysis)
        for value, first in root.items():
            buffer = self._buffers.get(first)
            if buffer is None:
                allocations = [spot for site in sites.get(first, (first,)) if (spot := self._named(site)) is not None]
                buffer = self._buffers[first] = Buffer(first.name, first.type, allocations)
                buffer.owner = _owner(first, analysis)
            if value is not first:
                buffer.views.append(value.name)
        for op, used in operands.items():
            for value in dict.fromkeys(used):
                first = root.get(value, value)
                if first in self._buffers:
                    spot = Spot(op.offset, self._first_line_end(op))
                    self._buffers[first].uses.append(spot)
                    if value in analysis.text_frees.get(op, ()):
                        self._buffers[first].freed.append(Freed(spot, None, None, written=True))
        self._freed(module, analysis.freeing)

    def _freed(self, module: Module, freeing: Collection[str]) -> None:
        """What was inserted: the frees of each buffer, and the hints."""
        hints: dict[int, list[tuple[str, str | None]]] = defaultdict(list)
        for op in module.walk():
            if not op.inserted or (op.name not in freeing and op.name not in _OTHERS_INSERTED) or _in_helper(op):
                continue
            at = self._anchor(op)
            if at is None:
                continue
            offset, end = at
            condition = _condition(op)
            under = f" if {condition}" if condition else ""
            if op.name in freeing:
                buffer = origin(op.operands[0])
                first = self._root.get(buffer, buffer)
                if first in self._buffers:
                    reason = _reason(op)
                    self._buffers[first].freed.append(Freed(Spot(offset, end), condition, reason))
                hints[offset].append((f"dealloc {buffer.name}{under}", _reason(op)))
            elif op.name == "memref.copy":
                hints[offset].append((f"clone {op.operands[0].name}{under}", _reason(op)))
            else:
                hints[offset].append((f"dealloc by comparing at run time{under}", _reason(op)))
        for offset, rows in sorted(hints.items()):
            label = ", ".join(dict.fromkeys(label for label, _ in rows))
            self.hints.append(Hint(offset, label, tuple(dict.fromkeys(why for _, why in rows if why))))

    def _anchor(self, op: Operation) -> tuple[int, int] | None:
        """The operation of the text that stands after what was inserted, or the end of the block."""
        at = op
        while at.parent is not None and at.parent.inserted:
            at = at.parent
        block = at.block
        if block is None:
            return None
        following = block.operations[block.operations.index(at) + 1 :]
        for other in following:
            if other.offset >= 0:
                return other.offset, self._first_line_end(other)
        end = block.end if block.end >= 0 else at.parent.end if at.parent is not None else -1
        if block.region.end > 0:
            end = block.region.end - 1
        return (end, end + 1) if end >= 0 else None

    def _first_line_end(self, op: Operation) -> int:
        line_end = self.text.find("\n", op.offset)
        end = op.end if op.end >= 0 else len(self.text)
        return min(end, line_end) if line_end >= 0 else end

    def _named(self, value: Value) -> Spot | None:
        """Where `value` is defined."""
        if value.offset < 0:
            return None
        match = _NAME.match(self.text, value.offset)
        return Spot(value.offset, match.end() if match is not None else value.offset + 1)

    # ---- asking

    def value_at(self, offset: int) -> tuple[Value, Spot] | None:
        """The value whose name stands at `offset`."""
        start = offset
        while start > 0 and (self.text[start - 1] == "%" or _BEHIND_NAME.match(self.text, start - 1)):
            start -= 1
            if self.text[start] == "%":
                break
        match = _NAME.match(self.text, start)
        if match is None or not start <= offset <= match.end():
            return None
        found = self._resolve(match[0], start)
        return (found, Spot(start, match.end())) if found is not None else None

    def _resolve(self, name: str, offset: int) -> Value | None:
        """The value called `name` at `offset`: of the innermost operations around, the first that knows it."""
        around = [op for op in self._operations if op.offset <= offset < (op.end if op.end >= 0 else len(self.text))]
        for op in reversed(around):
            for value in (*op.results, *op.operands):
                if value.name == name:
                    return value
            arguments = [a for region in op.regions for block in region.blocks for a in block.arguments]
            inside = [value for value in arguments if value.name == name and value.offset <= offset]
            if inside:
                return inside[-1]
        return None

    def buffer_at(self, offset: int) -> tuple[Buffer, Value, Spot] | None:
        """The buffer whose name, or the name of whose view, stands at `offset`."""
        found = self.value_at(offset)
        if found is None:
            return None
        value, spot = found
        buffer = self._buffers.get(self._root.get(value, value))
        return (buffer, value, spot) if buffer is not None else None

    def definition_at(self, offset: int) -> list[Spot]:
        """The allocations that the buffer at `offset` may lie in; of what is not a buffer, where it is defined."""
        found = self.buffer_at(offset)
        if found is not None and found[0].allocations:
            return found[0].allocations
        value = self.value_at(offset)
        spot = self._named(value[0]) if value is not None else None
        return [spot] if spot is not None else []

    def line(self, offset: int) -> int:
        """The number of the line at `offset`, from 1."""
        return self.text.count("\n", 0, offset) + 1

    def described(self, buffer: Buffer, value: Value) -> str:
        """What there is to say about a buffer, in Markdown."""
        size = bytes_of(buffer.type)
        lines = [f"**`{value.name}`** : `{value.type}`", ""]
        if value.name != buffer.name:
            lines += [f"- a view of `{buffer.name}` : `{buffer.type}`"]
        elif buffer.views:
            lines += [f"- views: {', '.join(f'`{name}`' for name in buffer.views)}"]
        lines.append(f"- size: {in_words(size) if size is not None else 'known when the program runs'}")
        if buffer.owner:
            lines.append(f"- owner: {buffer.owner}")
        if buffer.allocations:
            places = [str(self.line(spot.start)) for spot in buffer.allocations]
            lines.append(f"- comes from line{'s' * (len(places) > 1)} {', '.join(places)}")
        for freed in buffer.freed:
            where = f"line {self.line(freed.spot.start)}"
            if freed.written:
                lines.append(f"- freed in {where}, by the program itself")
            else:
                condition = f" if `{freed.condition}`" if freed.condition else ""
                reason = f": {freed.reason}" if freed.reason else ""
                lines.append(f"- freed before {where}{condition}{reason}")
        if not buffer.freed:
            lines.append("- not freed by this name in this function")
        if buffer.uses:
            used = [self.line(spot.start) for spot in buffer.uses]
            first = min([*(self.line(spot.start) for spot in buffer.allocations), *used])
            lines.append(f"- live in lines {first} to {max(used)}")
        else:
            lines.append("- never used")
        return "\n".join(lines)


def _values(operations: Sequence[Operation]) -> Iterator[Value]:
    for op in operations:
        yield from (value for value in op.results if value.offset >= 0)
        for region in op.regions:
            for block in region.blocks:
                yield from (value for value in block.arguments if value.offset >= 0)


def _sites(analysis: Analysis) -> dict[Value, list[Value]]:
    """For each buffer, the values that allocations it may lie in were made as."""
    found: dict[Value, list[Value]] = defaultdict(list)
    for classes in analysis.sites.values():
        for site, buffers in classes.items():
            value = analysis.site_values.get(site)
            if value is not None:
                for buffer in buffers:
                    found[buffer].append(value)
    return found


def _owner(value: Value, analysis: Analysis) -> str:
    block = value.owner if isinstance(value.owner, Block) else value.owner.block
    if block is None or not analysis.functions:
        return ""
    return says_ownership(value, analysis.ownership.get((value, block)))


def _condition(op: Operation) -> str | None:
    parent = op.parent
    if parent is None or not parent.inserted or parent.name != "scf.if":
        return None
    name = parent.operands[0].name
    return name if op.block is parent.regions[0].blocks[0] else f"not {name}"


def _reason(op: Operation) -> str | None:
    at: Operation | None = op
    while at is not None and at.inserted:
        if at.comment is not None:
            return at.comment
        at = at.parent
    return None


def _in_helper(op: Operation) -> bool:
    at: Operation | None = op
    while at is not None:
        if at.inserted and at.name == "func.func":
            return True
        at = at.parent
    return False
