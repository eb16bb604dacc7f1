"""What a report tells of a plan of memory: where the buffers of a function lie in its arena, and when."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from dealog.asking.stage import Stage
from dealog.frontend import Operation
from dealog.report.model import Plan, Planned
from dealog.report_contents.text import Text

_UNIT = 64  # bytes of a unit of an arena
_READ = ("arena_of", "in_arena", "lies_at", "buffer_life", "held_units", "runs_at")


def planned(stage: Stage) -> dict[Operation, Plan]:
    """The plans that the rules make at `stage`, for each function that gets an arena."""
    if stage.idle or "arena_of" not in stage.program.relations:
        return {}
    stage.require(_READ)
    tuples, facts = stage.database.tuples, stage.facts
    position = stage.module.source.position
    lines: dict[Operation, dict[int, int]] = defaultdict(dict)
    functions = {op: name for name, op in facts.functions.items()}
    for name, time in tuples("runs_at"):
        operation = facts.operations[str(name)]
        op: Operation | None = operation
        while op is not None and op not in functions:
            op = op.parent
        if op is not None and operation.offset >= 0:
            lines[op][int(time)] = position(operation.offset)[0]
    ends = {(function, begin): int(end) for function, begin, end, _ in tuples("buffer_life")}
    units = {(function, begin): int(size) for function, begin, _, size in tuples("buffer_life")}
    offsets = {value: int(offset) for value, _, offset in tuples("lies_at")}
    held: dict[object, list[tuple[int, int]]] = defaultdict(list)
    for function, begin, size in tuples("held_units"):
        held[function].append((-int(size), int(begin)))
    found: dict[Operation, Plan] = {}
    for function, size, least in tuples("arena_of"):
        buffers = []
        for value, _, begin in (row for row in tuples("in_arena") if row[1] == function):
            buffer = facts.values[str(value)]
            start, length = _UNIT * offsets[value], _UNIT * units[function, begin]
            buffers.append(Planned(buffer.name, buffer.type, start, length, int(begin), ends[function, begin]))
        buffers.sort(key=lambda each: each.begin)
        most, at = min(held[function])
        op = facts.functions[str(function)]
        found[op] = Plan(_UNIT * int(size), _UNIT * int(least), tuple(buffers), at, -_UNIT * most, _steps(lines[op]))
    return found


def _steps(lines: Mapping[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(lines.items()))


def line_at(plan: Plan, time: int) -> int:
    """The line of the source on which an operation runs at `time`."""
    at = bisect_right(plan.lines, (time, 1 << 62)) - 1
    return plan.lines[max(at, 0)][1]


def placed(plan: Plan, text: Text) -> Plan:
    """The plan with the lines of its buffers, and the rows at which they stand in the report."""
    buffers = []
    for each in plan.buffers:
        first, last = line_at(plan, each.begin), line_at(plan, each.end - 1)
        buffers.append(replace(each, first=first, last=last, row=text.source.get(first)))
    return replace(plan, buffers=tuple(buffers), peak_line=line_at(plan, plan.peak))
