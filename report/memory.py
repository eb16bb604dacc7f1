"""The chart of memory: what a function holds on the heap over its lines, with deallocations and without."""

from __future__ import annotations

from dataclasses import dataclass

from dealog.report.model import LiveRange, Timeline
from dealog.report.shapes import Path, Picture, Shape, Text, width_of

_CHART, _HEIGHT, _TOP = 720, 110, 22


@dataclass(frozen=True)
class Course:
    """How many bytes are held behind each line where that changes: `after` with deallocations, `before` without.

    Each allocation counts once, for as long as it is there. `unknown` are those whose size is only known when the
    program runs; they are left out.
    """

    before: tuple[tuple[int, int], ...]
    after: tuple[tuple[int, int], ...]
    unknown: int

    @property
    def peak_before(self) -> tuple[int, int]:
        """The line at which the most is held without deallocations, and how much."""
        return _peak(self.before)

    @property
    def peak_after(self) -> tuple[int, int]:
        """The line at which the most is held, and how much."""
        return _peak(self.after)


def course(timeline: Timeline) -> Course | None:
    """The course of a function's memory; None where it allocates nothing of known size."""
    heap = [each for each in timeline.ranges if each.heap]
    known = [each for each in heap if each.bytes is not None]
    if not known:
        return None
    starts = [(each.spans[0].start, each.bytes or 0) for each in known]
    ends = [(end, -(each.bytes or 0)) for each in known if (end := _freed(each)) is not None]
    return Course(_steps(starts), _steps([*starts, *ends]), len(heap) - len(known))


def _freed(each: LiveRange) -> int | None:
    return max((line for line, kind in each.marks if kind in ("free", "free-if")), default=None)


def _steps(changes: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    held, out = 0, []
    for line, change in sorted(changes, key=lambda row: (row[0], -row[1])):  # what is freed in a line was there in it
        held += change
        out.append((line, held))
    return tuple(out)


def _peak(steps: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    return max(steps, key=lambda step: (step[1], -step[0]))


def draw(timeline: Timeline, course: Course) -> Picture:
    """The chart: lines of the output to the right, bytes upwards, both peaks marked."""
    count = max(1, timeline.last - timeline.first + 1)
    most = max(course.peak_before[1], 1)
    bottom = _TOP + _HEIGHT

    def x(line: float) -> float:
        return (line - timeline.first) * _CHART / count

    def y(held: int) -> float:
        return bottom - held * _HEIGHT / most

    def area(steps: tuple[tuple[int, int], ...]) -> str:
        parts = [f"M{x(timeline.first):.1f},{bottom}"]
        for line, held in steps:
            parts.append(f"H{x(line):.1f} V{y(held):.1f}")
        return " ".join([*parts, f"H{_CHART} V{bottom} Z"])

    shapes: list[Shape] = [
        Path(area(course.before), "memory-before", f"without deallocations: {course.peak_before[1]} bytes at the end"),
        Path(area(course.after), "memory-after", "with deallocations"),
    ]
    for kind, (line, held) in (("before", course.peak_before), ("after", course.peak_after)):
        label = f"{held} bytes {'without deallocations' if kind == 'before' else f'at the peak, in line {line}'}"
        at = min(x(line), _CHART - width_of(label, True))
        shapes.append(Path("M-3,0 H3 M0,-3 V3", f"mark peak-{kind}", label, x(line), y(held)))
        if kind == "after" or course.peak_before != course.peak_after:
            above = y(held) - 6 if kind == "before" or y(held) - y(course.peak_before[1]) > 16 else y(held) + 14
            shapes.append(Text(max(0.0, at), above, label, f"small peak-{kind}"))
    return Picture(_CHART + 24, bottom + 10, tuple(shapes))
