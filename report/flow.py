"""The picture of control flow: blocks as boxes in layers, the ways between them with what happens there, and
regions inside the blocks of their operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from dealog.explain.layered import arrange
from dealog.report.model import FlowBlock, FlowEdge, FlowRegion, Item, Leaving
from dealog.report.shapes import Path, Picture, Rectangle, Shape, Text, width_of

MANY = 400
"""A region with more blocks than this is not drawn."""
_LINE, _PAD, _GAP = 18, 10, 14
_LEAST, _LABEL = 150, 64
_NAMES = 4  # of the buffers in a list, this many are named
_OWNED = 6
_BESIDE = 900  # regions stand side by side up to this width


def draw(region: FlowRegion) -> Picture:
    """The blocks of `region` and all that is inside."""
    blocks = [_block(block) for block in region.blocks]
    if len(blocks) == 1 and not region.edges:
        return blocks[0]
    back = _back_edges(region)
    labels = [_label(edge, edge in back, region) for edge in region.edges]
    pictures = [*blocks, *labels]
    arrows: list[tuple[int, int]] = []
    for i, edge in enumerate(region.edges, len(blocks)):
        arrows.append((edge.start, i))
        if edge not in back:
            arrows.append((i, edge.end))
    arranged = arrange([(p.width, p.height) for p in pictures], arrows)
    shapes: list[Shape] = []
    for (_, end), way in zip(arrows, arranged.ways, strict=True):
        ends = end < len(blocks)
        shapes.append(Path(way, "way arrow" if ends else "way"))
    for picture, (x, y) in zip(pictures, arranged.places, strict=True):
        shapes += picture.moved(x - picture.width / 2, y)
    return Picture(arranged.width, arranged.height, tuple(shapes))


def _back_edges(region: FlowRegion) -> set[FlowEdge]:
    """The edges that close circles, as a walk from the entry meets them."""
    leaving: dict[int, list[FlowEdge]] = {}
    for edge in region.edges:
        leaving.setdefault(edge.start, []).append(edge)
    back: set[FlowEdge] = set()
    done: set[int] = set()
    for entry in range(len(region.blocks)):
        open_: dict[int, list[FlowEdge]] = {}
        if entry not in done:
            open_[entry] = list(leaving.get(entry, ()))
        while open_:
            at, waiting = next(reversed(open_.items()))
            if not waiting:
                done.add(at)
                del open_[at]
                continue
            edge = waiting.pop(0)
            if edge.end in open_:
                back.add(edge)
            elif edge.end not in done:
                open_[edge.end] = list(leaving.get(edge.end, ()))
    return back


# ---------------------------------------------------------------------------------------------- blocks


def _block(block: FlowBlock) -> Picture:
    rows: list[tuple[float, tuple[Shape, ...], float]] = []  # height, shapes, width
    if block.label:
        lines = wrap(block.label, _LABEL, subsequent_indent="    ") or [block.label]
        for line in lines:
            rows.append(_line(line, "label", row=block.row))
    for item in block.items:
        rows.append(_line(_MARKS.get(item.kind, "  ") + item.text, item.kind, item.full, item.row))
        if item.regions:
            inner = _regions(item)
            rows.append((inner.height + _GAP, inner.moved(2 * _PAD, _GAP / 2), inner.width + 2 * _PAD))
    footer: list[tuple[float, tuple[Shape, ...], float]] = []
    for owned in block.owned[:_OWNED]:
        dot = Rectangle(1, 5, 9, 9, f"own-{owned.ownership}", round=4.5)
        height, shapes, width = _line(f"  {owned.name} {_OWNS[owned.ownership]}", "small", owned.says)
        footer.append((height, (dot, *shapes), width))
    if len(block.owned) > _OWNED:
        names = ", ".join(o.name for o in block.owned[_OWNED:])
        footer.append(_line(f"  and {len(block.owned) - _OWNED} more", "small", names))
    if block.leaving is not None:
        footer += [_line(text, kind, title) for text, kind, title in _says(block.leaving)]
    width = max([_LEAST, *(w for _, _, w in (*rows, *footer))]) + 2 * _PAD
    shapes_: list[Shape] = []
    y = float(_PAD)
    for height, row, _ in rows:
        shapes_ += [shape.moved(_PAD, y) for shape in row]
        y += height
    if footer:
        y += 5
        shapes_.append(Path(f"M0,0 H{width:.0f}", "rule", y=y))
        y += 4
        for height, row, _ in footer:
            shapes_ += [shape.moved(_PAD, y) for shape in row]
            y += height
    box = Rectangle(0, 0, width, y + _PAD, "block", round=6)
    return Picture(width, y + _PAD, (box, *shapes_))


_MARKS = {"inserted": "+ ", "frees": "+ ", "allocates": "◦ "}
_OWNS = {"owned": "owned", "run-time": "owned or not: run time", "unknown": "unknown", "never": "never owned"}


def _line(
    text: str, kind: str, title: str = "", row: int | None = None
) -> tuple[float, tuple[Shape, ...], float]:
    return _LINE, (Text(0, 13, text, kind, title, row),), width_of(text, kind == "small")


def _regions(item: Item) -> Picture:
    """The regions of an operation, each in a frame: side by side as long as there is room."""
    frames = [_frame(region) for region in item.regions]
    beside = sum(frame.width + _GAP for frame in frames) - _GAP
    shapes: list[Shape] = []
    if beside <= _BESIDE:
        x = 0.0
        for frame in frames:
            shapes += frame.moved(x, 0)
            x += frame.width + _GAP
        return Picture(beside, max((f.height for f in frames), default=0), tuple(shapes))
    y = 0.0
    for frame in frames:
        shapes += frame.moved(0, y)
        y += frame.height + _GAP
    return Picture(max(f.width for f in frames), y - _GAP, tuple(shapes))


def _frame(region: FlowRegion) -> Picture:
    inner = draw(region)
    width = max(inner.width, width_of(region.role)) + 2
    caption = Text(2, 13, region.role, "role")
    return Picture(width, inner.height + _LINE + 2, (caption, *inner.moved(0, _LINE + 2)))


# ---------------------------------------------------------------------------------------------- ways


def _label(edge: FlowEdge, back: bool, region: FlowRegion) -> Picture:
    lines = [(edge.leaving.condition, "condition", "")] if edge.leaving.condition else []
    lines += _says(edge.leaving)
    if back:
        lines.append((f"↺ back to {region.blocks[edge.end].label.partition('(')[0]}", "condition", ""))
    if not lines:
        return Picture(2, 2, (Path("M1,0 V2", "way"),))
    width = max(width_of(text, True) for text, _, _ in lines) + 2 * _PAD
    height = len(lines) * _LINE + _PAD
    shapes: list[Shape] = [Rectangle(0, 0, width, height, "edge-label", round=4)]
    for i, (text, kind, title) in enumerate(lines):
        shapes.append(Text(_PAD, i * _LINE + 13 + _PAD / 2, text, f"small {kind}", title))
    return Picture(width, height, tuple(shapes))


def _says(leaving: Leaving) -> list[tuple[str, str, str]]:
    """What is freed and kept, in lines, each with its kind and the whole list where it is cut."""
    out = []
    for verb, names, kind in (("frees", leaving.frees, "freed"), ("keeps", leaving.keeps, "kept")):
        if names:
            shown = _listed(names)
            title = ", ".join(names) if len(names) > _NAMES else ""
            for i, line in enumerate(wrap(f"{verb} {shown}", 40, subsequent_indent="      ", break_on_hyphens=False)):
                out.append((line, kind, title if i == 0 else ""))
    return out


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMES
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_NAMES])} and {more} more"


def blocks_in(region: FlowRegion) -> int:
    """The number of blocks in `region` and all inside."""
    inner: Iterable[FlowRegion] = (r for b in region.blocks for i in b.items for r in i.regions)
    return len(region.blocks) + sum(map(blocks_in, inner))
