"""The chart of live ranges: a row for each buffer, over the lines of the output."""

from __future__ import annotations

from collections.abc import Callable

from dealog.report.model import LiveRange, Timeline
from dealog.report.shapes import Path, Picture, Rectangle, Shape, Text, width_of

_ROW, _CHART, _TOP, _BOTTOM = 18, 720, 26, 24
_NAME = 26  # characters of a name that are shown
_TICKS = 12


def draw(timeline: Timeline) -> Picture:
    """The chart: names on the left, blocks on top, numbers of lines below."""
    ranges = timeline.ranges
    left = max((width_of(_shown(r)) for r in ranges), default=0.0) + 16
    count = max(1, timeline.last - timeline.first + 1)
    bottom = _TOP + len(ranges) * _ROW

    def x(line: float) -> float:
        return left + (line - timeline.first) * _CHART / count

    shapes: list[Shape] = []
    for i in range(0, len(ranges), 2):
        shapes.append(Rectangle(0, _TOP + i * _ROW, left + _CHART, _ROW, "stripe"))
    free = 0.0  # from where on there is room for another label
    for line, label in timeline.blocks:
        at = x(line)
        shapes.append(Path(f"M0,{_TOP - 4} V{bottom}", "block-start", label, x=at))
        if at >= free:
            shapes.append(Text(at + 3, 14, label, "small role"))
            free = at + width_of(label, True) + 12
    step = _step(count)
    first = -(-timeline.first // step) * step
    for line in range(first, timeline.last + 1, step):
        at = x(line + 0.5)
        shapes.append(Path(f"M0,{bottom} V{bottom + 4}", "tick", x=at))
        shapes.append(Text(at - width_of(str(line), True) / 2, bottom + 17, str(line), "small tick-label"))
    sizes = [_size(each) for each in ranges]
    for i, each in enumerate(ranges):
        shapes += _range(each, _TOP + i * _ROW, x, _CHART / count)
        shapes.append(Text(left + _CHART + 8, _TOP + i * _ROW + 13, sizes[i], "small tick-label"))
    right = max((width_of(size, True) for size in sizes), default=0.0)
    return Picture(left + _CHART + right + 24, bottom + _BOTTOM, tuple(shapes))


def _size(each: LiveRange) -> str:
    return f"{each.bytes} B" if each.bytes is not None else "? B"


def _shown(each: LiveRange) -> str:
    name = each.name if len(each.name) <= _NAME else f"{each.name[: _NAME - 1]}…"
    views = f" +{len(each.views)}" if each.views else ""
    return name + views


def _range(each: LiveRange, top: float, x: Callable[[float], float], unit: float) -> list[Shape]:
    views = f", with its views {', '.join(each.views)}" if each.views else ""
    size = f", {each.bytes} bytes" if each.bytes is not None else ""
    title = f"{each.name} : {each.type}{size}{views}. {each.says[0].upper()}{each.says[1:]}."
    shapes: list[Shape] = [Text(4, top + 13, _shown(each), f"name-{each.ownership}", title, each.row)]
    for span in each.spans:
        start, end = x(span.start), x(span.end) + max(unit, 3)
        state = "live" if span.live else "held, not used any more,"
        says = f"{each.name}: {state} in lines {span.start} to {span.end}"
        kind = f"own-{span.ownership} {'live' if span.live else 'held'}"
        shapes.append(Rectangle(start, top + 4, end - start, _ROW - 8, kind, says, 2))
    middle = top + _ROW / 2
    for line, kind in each.marks:
        at = x(line + 0.5)
        title = f"{each.name}: {_SAYS[kind]} in line {line}"
        shapes.append(Path(_GLYPHS[kind], f"mark {kind}", title, at, middle))
    return shapes


_SAYS = {"alloc": "allocated", "use": "used", "free": "freed", "free-if": "freed on a condition"}
_GLYPHS = {
    "alloc": "M-3.5,0 A3.5,3.5 0 1 0 3.5,0 A3.5,3.5 0 1 0 -3.5,0 Z",
    "use": "M0,-3 V3",
    "free": "M-4,-4 L4,4 M-4,4 L4,-4",
    "free-if": "M-4,-4 L4,4 M-4,4 L4,-4",
}


def _step(count: int) -> int:
    """The distance between the lines that are numbered: 1, 2 or 5 times a power of ten."""
    step = 1
    while count / step > _TICKS:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return step
