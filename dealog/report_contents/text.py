"""The text of a report: the lines of the output beside those of the source that they were made of."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

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
    return _rows(module, lines, inserted, re.compile(f"  // {mark}([0-9]+){mark}"), reasons)


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


def _rows(
    module: Module, lines: list[_Line], inserted: list[Operation], mark: re.Pattern[str], reasons: dict[Operation, str]
) -> Text:
    source = module.source
    first = source.position(0)[0]
    last = first + source.text.count("\n") - source.text.endswith("\n") if source.text else first - 1
    kept = {number for line in lines for number, _ in line.sources}
    out = Text([], {}, {}, {})
    following = first  # the next line of the source

    def removed(upto: int) -> None:
        nonlocal following
        while following < upto:
            if following not in kept:
                out.source[following] = len(out.rows)
                out.rows.append(Row("removed", None, following, source.line(following).rstrip("\r")))
            following += 1

    open_: list[tuple[str, Operation]] = []  # the inserted operations by whose braces a line may stand
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip("\r")
        if not line.sources:
            while following <= last and following not in kept:
                removed(following + 1)
            found = mark.search(text)
            text = mark.sub("", text)
            indent = text[: len(text) - len(text.lstrip())]
            op: Operation | None
            if found is not None:
                op = inserted[int(found[1])]
                out.made[op] = len(out.rows)
                open_ = [*(o for o in open_ if len(o[0]) < len(indent)), (indent, op)]
            else:
                op = next((o for i, o in reversed(open_) if i == indent), open_[-1][1] if open_ else None)
            if op is not None:
                out.operations[len(out.rows)] = op
            reason = reasons.get(op, "") if op is not None and found is not None else ""
            out.lines.append(len(out.rows))
            out.rows.append(Row("added", number, None, text, reason=reason))
            continue
        open_ = []
        of = line.sources[0][0]
        removed(of)
        whole = line.text.rstrip("\r") == source.line(of) and following <= of
        if not whole:
            for each in dict.fromkeys(n for n, _ in line.sources):
                if each >= following:
                    out.rows.append(Row("removed", None, each, source.line(each).rstrip("\r")))
            following = max(following, line.sources[-1][0] + 1)
        else:
            following = of + 1
        for each, offset in line.sources:
            out.source.setdefault(each, len(out.rows))
            out.starts.append(offset)
            out.parts.append(len(out.rows))
        out.lines.append(len(out.rows))
        out.rows.append(Row("same" if whole else "changed", number, of, text))
    removed(last + 1)
    for op in inserted:  # what is not printed stands with what is around it
        around = op.parent
        while op not in out.made and around is not None and around in out.made:
            out.made[op] = out.made[around]
    for number, row in enumerate(out.rows):  # what is gone is found where its line is shown as removed
        if row.kind == "removed" and row.source is not None:
            out.source.setdefault(row.source, number)
    return out
