"""The picture of a plan of memory: time downwards, addresses across."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from dealog.report.model import Plan, Planned
from dealog.report.shapes import Path, Picture, Rectangle, Shape, Text, width_of

_CHART, _TOP = 720, 30
_ROW, _TALLEST = 18.0, 1400.0


def draw(plan: Plan) -> Picture:
    """The picture: a rectangle for each buffer, from its first line down to its last, as wide as it is large."""
    times = sorted({time for each in plan.buffers for time in (each.begin, each.end)})
    height = min(_ROW, _TALLEST / len(times))
    lines = [f"line {each.first}" for each in plan.buffers]
    left = max(width_of(line, True) for line in lines) + 10

    def x(at: int) -> float:
        return left + at * _CHART / plan.bytes

    def y(time: int) -> float:
        return _TOP + bisect_left(times, time) * height

    bottom = y(times[-1])
    shapes: list[Shape] = [Rectangle(left, _TOP, _CHART, bottom - _TOP, "plan-ground")]
    free = _TOP + 0.0
    for each in plan.buffers:
        if y(each.begin) >= free:
            shapes.append(Text(0, y(each.begin) + 12, f"line {each.first}", "small tick-label"))
            free = y(each.begin) + 16
    for each in plan.buffers:
        shapes += _buffer(each, x, y)
    shapes += _addresses(plan, x, bottom)
    peak = y(plan.peak)
    label = f"{plan.peak_bytes} bytes at once"
    title = f"the peak: {label} when line {plan.peak_line} has run"
    shapes.append(Path(f"M0,0 H{_CHART} M-8,-4 L0,0 L-8,4", "mark plan-peak", title, left, peak + height - 3))
    shapes.append(Text(left + _CHART + 8, peak + height + 1, label, "small peak-after"))
    return Picture(left + _CHART + width_of(label, True) + 24, bottom + 10, tuple(shapes))


def _addresses(plan: Plan, x: Callable[[int], float], bottom: float) -> list[Shape]:
    shapes: list[Shape] = [Text(x(0), 12, "0", "small tick-label")]
    marks = [(plan.bytes, "plan-end", f"{plan.bytes} bytes")]
    if plan.least < plan.bytes:
        marks.append((plan.least, "plan-least", f"at least {plan.least}"))
    free = x(plan.bytes) + width_of(marks[0][2], True)
    for at, kind, label in marks:
        start = min(x(at), free - width_of(label, True)) if kind == "plan-end" else x(at) - width_of(label, True) - 8
        if kind == "plan-end" or start > x(0) + 16:
            shapes.append(Text(start, 12 if kind == "plan-end" else 26, label, "small tick-label"))
        shapes.append(Path(f"M0,{_TOP - 10} V{bottom:.1f}", kind, label, x=x(at)))
    return shapes


def _buffer(each: Planned, x: Callable[[int], float], y: Callable[[int], float]) -> list[Shape]:
    start, end = x(each.start), x(each.start + each.bytes)
    top, bottom = y(each.begin), y(each.end)
    says = f"bytes {each.start} to {each.start + each.bytes}, needed in lines {each.first} to {each.last}"
    title = f"{each.name} : {each.type}: {says}"
    shapes: list[Shape] = [Rectangle(start, top, end - start, bottom - top, "planned", title, 2)]
    if width_of(each.name, True) + 6 <= end - start and bottom - top >= 14:
        shapes.append(Text(start + 3, top + 12, each.name, "small", title, each.row))
    return shapes
