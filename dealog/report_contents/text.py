"""The text of a report: the lines of the output beside those of the source that they were made of."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from dealog.diagnostics import SourceText
from dealog.frontend import Block, Module, Operation, Value
from dealog.frontend.printer import splices
from dealog.report.model import Row


@dataclass
class Text:
    """The rows of a report, and where in them the operations of a module stand."""

    rows: list[Row]
    made: dict[Operation, int]  # the row of each inserted operation
    operations: dict[int, Operation]  # and back: the operation that an inserted row belongs to
    source: dict[int, int]  # the row of each line of the source
    starts: list[int] = field(default_factory=list)  # where parts of the source start that the output has
    parts: list[int] = field(default_factory=list)  # their rows
    lines: list[int] = field(default_factory=list)  # the row of each line of the output

    def of(self, entity: Operation | Block | Value) -> int | None:
        """The row at which an operation, a block or a value stands; of what is not printed, that around it."""
        if isinstance(entity, Value):
            if isinstance(entity.owner, Block) and not entity.owner.label:
                return self.of(entity.owner.parent_op)
            return self.of(entity.owner)
        if isinstance(entity, Block):
            if entity.offset < 0 or not entity.label:
                return self.of(entity.parent_op)
            return self._at(entity.offset)
        if entity in self.made:
            return self.made[entity]
        if entity.offset < 0:
            return self.of(entity.parent) if entity.parent is not None else None
        return self._at(entity.offset)

    def _at(self, offset: int) -> int | None:
        at = bisect_right(self.starts, offset) - 1
        return self.parts[at] if at >= 0 else None


@dataclass
class _Line:
    text: str = ""
    sources: list[tuple[int, int]] = field(default_factory=list)  # line and offset of what was copied


def lay_out(module: Module, reasons: dict[Operation, str]) -> Text:
    """The text of `module` after its passes, beside the text it was read from.

    `reasons` are what the inserted operations are there for. The comments of the inserted operations are used
    to find them in the text, and are gone afterwards.
    """
    inserted = [op for op in module.walk() if op.inserted]
    mark = "\N{SYMBOL FOR SHIFT OUT}"
    while mark in module.source.text:
        mark += mark[0]
    for number, op in enumerate(inserted):
        op.comment = f"{mark}{number}{mark}"
    lines = _lines(module)
    for op in inserted:
        op.comment = None
    return _Rows(module.source, lines, inserted, re.compile(f"  // {mark}([0-9]+){mark}"), reasons).make()


def _lines(module: Module) -> list[_Line]:
    """The lines of the output, and what of the source each is made of."""
    text, position = module.source.text, module.source.position
    lines = [_Line()]

    def copy(start: int, end: int) -> None:
        at = start
        for i, piece in enumerate(text[start:end].split("\n")):
            if i:
                lines.append(_Line())
            line = lines[-1]
            starts, ends = at == 0 or text[at - 1] == "\n", text[at + len(piece) : at + len(piece) + 1] in ("", "\n")
            if piece.strip() or (starts and ends and not line.text):  # what is blank counts as a line, not in one
                line.sources.append((position(at)[0], at))
            line.text += piece
            at += len(piece) + 1

    def put(made: str) -> None:
        for i, piece in enumerate(made.split("\n")):
            if i:
                lines.append(_Line())
            lines[-1].text += piece

    at = 0
    for start, end, made in splices(module):
        copy(at, start)
        put(made)
        at = end
    copy(at, len(text))
    if not lines[-1].text:
        lines.pop()
    return lines


class _Rows:
    """The rows of a text, as they are made of the lines of the source and of the output, in order."""

    def __init__(
        self, source: SourceText, lines: list[_Line], inserted: list[Operation], mark: re.Pattern[str],
        reasons: dict[Operation, str],
    ) -> None:  # fmt: skip
        self.source = source
        self.lines = lines
        self.inserted = inserted
        self.mark = mark
        self.reasons = reasons
        self.kept = {number for line in lines for number, _ in line.sources}
        self.out = Text([], {}, {}, {})
        self.following = source.position(0)[0]  # the next line of the source
        count = source.text.count("\n") - source.text.endswith("\n") if source.text else -1
        self.last = self.following + count
        self.open: list[tuple[str, Operation]] = []  # the inserted operations by whose braces a line may stand

    def make(self) -> Text:
        """All rows, and where operations stand in them."""
        out = self.out
        for number, line in enumerate(self.lines, 1):
            if line.sources:
                self._kept(number, line)
            else:
                self._added(number, line)
        self._removed(self.last + 1)
        for op in self.inserted:  # what is not printed stands with what is around it
            around = op.parent
            while op not in out.made and around is not None and around in out.made:
                out.made[op] = out.made[around]
        for number, row in enumerate(out.rows):  # what is gone is found where its line is shown as removed
            if row.kind == "removed" and row.source is not None:
                out.source.setdefault(row.source, number)
        return out

    def _removed(self, upto: int) -> None:
        while self.following < upto:
            if self.following not in self.kept:
                self.out.source[self.following] = len(self.out.rows)
                self._remove(self.following)
            self.following += 1

    def _remove(self, line: int) -> None:
        self.out.rows.append(Row("removed", None, line, self.source.line(line).rstrip("\r")))

    def _added(self, number: int, line: _Line) -> None:
        out = self.out
        while self.following <= self.last and self.following not in self.kept:
            self._removed(self.following + 1)
        text = line.text.rstrip("\r")
        found = self.mark.search(text)
        text = self.mark.sub("", text)
        indent = text[: len(text) - len(text.lstrip())]
        op: Operation | None
        if found is not None:
            op = self.inserted[int(found[1])]
            out.made[op] = len(out.rows)
            self.open = [*(o for o in self.open if len(o[0]) < len(indent)), (indent, op)]
        else:
            op = next((o for i, o in reversed(self.open) if i == indent), self.open[-1][1] if self.open else None)
        if op is not None:
            out.operations[len(out.rows)] = op
        reason = self.reasons.get(op, "") if op is not None and found is not None else ""
        out.lines.append(len(out.rows))
        out.rows.append(Row("added", number, None, text, reason=reason))

    def _kept(self, number: int, line: _Line) -> None:
        out = self.out
        self.open = []
        of = line.sources[0][0]
        self._removed(of)
        text = line.text.rstrip("\r")
        whole = text == self.source.line(of) and self.following <= of
        if not whole:
            for each in dict.fromkeys(n for n, _ in line.sources):
                if each >= self.following:
                    self._remove(each)
            self.following = max(self.following, line.sources[-1][0] + 1)
        else:
            self.following = of + 1
        for each, offset in line.sources:
            out.source.setdefault(each, len(out.rows))
            out.starts.append(offset)
            out.parts.append(len(out.rows))
        out.lines.append(len(out.rows))
        out.rows.append(Row("same" if whole else "changed", number, of, text))
