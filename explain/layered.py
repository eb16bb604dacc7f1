"""Pictures of what rests on what: boxes in layers, each above all that it points to, as SVG.

The layout is that of Sugiyama, Tagawa and Toda: boxes in layers by their longest distance from the top; a place
kept free in every layer that an arrow passes through; the order within layers by where the neighbours stand
(barycentres). Boxes are then moved as close to their neighbours as the order allows: least squares under the
constraint that nothing overlaps, which is isotonic regression.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

_LINE, _PAD, _GAP_X, _GAP_Y = 15, 8, 22, 46
_CHARACTER = 6.3  # the width of one, on average and on the safe side
_LANE = 10  # what an arrow takes of a layer that it passes through
_ORDERINGS, _PLACINGS = 24, 24

STYLE = """
  .box { fill: #ffffff; stroke: #57606a; } .given { fill: #eaeef2; }
  .goal { stroke-width: 2.5; } .edge { fill: none; stroke: #8c959f; }
  .negative { stroke: #cf222e; stroke-dasharray: 5 3; }
  text { font: 11px sans-serif; fill: #1f2328; } .source { fill: #57606a; font-style: italic; }
  .name { font-weight: bold; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } .box { fill: #161b22; stroke: #8b949e; } .given { fill: #21262d; }
    .edge { stroke: #6e7681; } .negative { stroke: #ff7b72; } text { fill: #e6edf3; } .source { fill: #8b949e; }
  }
"""


@dataclass(frozen=True)
class Box:
    """A box with lines of text, each with its style (a class of `STYLE`, or empty); `kind` are its own classes."""

    lines: Sequence[tuple[str, str]]
    kind: str = ""
    width: float | None = None  # by default what the longest line takes

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in pixels."""
        longest = max((len(text) + (style == "name") * len(text) / 8 for text, style in self.lines), default=0)
        width = self.width if self.width is not None else longest * _CHARACTER + 2 * _PAD
        return width, len(self.lines) * _LINE + 2 * _PAD


@dataclass(frozen=True)
class Arrow:
    """From the box number `start` down to the box number `end`."""

    start: int
    end: int
    kind: str = ""


@dataclass
class _Point:
    """A place in a layer: that of a box, or of an arrow that passes through."""

    width: float
    box: int | None = None
    above: list[_Point] = field(default_factory=list)
    below: list[_Point] = field(default_factory=list)
    x: float = 0.0


@dataclass(frozen=True)
class Arrangement:
    """Where boxes stand, by the middle of their upper edge, and the way of each arrow as the data of a path,
    from the lower edge of one box to the upper edge of the other; all in a picture of this size."""

    width: float
    height: float
    places: Sequence[tuple[float, float]]
    ways: Sequence[str]


def arrange(sizes: Sequence[tuple[float, float]], arrows: Sequence[tuple[int, int]]) -> Arrangement:
    """Arrange boxes of these widths and heights, with an arrow for each pair of their numbers.

    Raises `ValueError` if arrows go round in a circle.
    """
    layers, ways = _layers(sizes, arrows)
    _order(layers)
    _place(layers)
    left = min((p.x - p.width / 2 for layer in layers for p in layer), default=0.0) - _GAP_X
    right = max((p.x + p.width / 2 for layer in layers for p in layer), default=0.0) + _GAP_X
    heights = [max((sizes[p.box][1] for p in layer if p.box is not None), default=0.0) for layer in layers]
    tops, top = [], float(_GAP_Y) / 2
    for height in heights:
        tops.append(top)
        top += height + _GAP_Y
    row = {id(point): i for i, layer in enumerate(layers) for point in layer}
    paths = []
    for (first, _), way in zip(arrows, ways, strict=True):
        start, *through, end = way
        level = row[id(start)]
        x, at = start.x - left, tops[level] + heights[level]
        path = f"M{x:.0f},{tops[level] + sizes[first][1]:.0f} L{x:.0f},{at:.0f}"  # past taller boxes
        for point in (*through, end):
            level, before, x = row[id(point)], x, point.x - left
            middle = (at + tops[level]) / 2
            path += f" C{before:.0f},{middle:.0f} {x:.0f},{middle:.0f} {x:.0f},{tops[level]:.0f}"
            if point is not end:
                at = tops[level] + heights[level]
                path += f" L{x:.0f},{at:.0f}"
        paths.append(path)
    places = {p.box: (p.x - left, tops[i]) for i, layer in enumerate(layers) for p in layer if p.box is not None}
    return Arrangement(right - left, top - _GAP_Y / 2, [places[i] for i in range(len(sizes))], paths)


def svg(title: str, boxes: Sequence[Box], arrows: Iterable[Arrow], caption: str = "") -> str:
    """The picture as a document of its own; `caption` stands below it.

    Raises `ValueError` if arrows go round in a circle.
    """
    arrows = [arrow for arrow in arrows if arrow.start != arrow.end]
    arranged = arrange([box.size for box in boxes], [(arrow.start, arrow.end) for arrow in arrows])
    out = []
    for arrow, path in zip(arrows, arranged.ways, strict=True):
        kind = f"edge {arrow.kind}".rstrip()
        out.append(f'<path class="{kind}" d="{path}"/>')
    for box, (x, top) in zip(boxes, arranged.places, strict=True):
        out += _drawn(box, x, top)
    width, height = arranged.width, arranged.height
    for k, line in enumerate(caption.splitlines()):
        out.append(f'<text class="source" x="{_GAP_X}" y="{height + (k + 0.8) * _LINE:.0f}">{escape(line)}</text>')
        width = max(width, len(line) * _CHARACTER + 2 * _GAP_X)
    height += len(caption.splitlines()) * _LINE + _PAD
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return "\n".join([head, f"<title>{escape(title)}</title>", f"<style>{STYLE}</style>", *out, "</svg>", ""])


def _drawn(box: Box, x: float, top: float) -> list[str]:
    width, height = box.size
    left = x - width / 2
    kind = f"box {box.kind}".rstrip()
    size = f'width="{width:.0f}" height="{height:.0f}"'
    out = [f'<rect class="{kind}" x="{left:.0f}" y="{top:.0f}" {size} rx="6"/>']
    for k, (text, style) in enumerate(box.lines):
        shown = f' class="{style}"' if style else ""
        base = top + _PAD + (k + 0.8) * _LINE
        out.append(f'<text{shown} x="{left + _PAD:.0f}" y="{base:.0f}">{escape(text)}</text>')
    return out


def _layers(
    sizes: Sequence[tuple[float, float]], arrows: Sequence[tuple[int, int]]
) -> tuple[list[list[_Point]], list[list[_Point]]]:
    """The layers, and for each arrow its way: the places that it goes through, both ends included."""
    import networkx  # type: ignore[import-untyped]

    graph: networkx.DiGraph[int] = networkx.DiGraph()
    graph.add_nodes_from(range(len(sizes)))
    graph.add_edges_from(arrows)
    if not networkx.is_directed_acyclic_graph(graph):
        raise ValueError("the arrows go round in a circle")
    depth = {i: k for k, layer in enumerate(networkx.topological_generations(graph)) for i in layer}
    for i in reversed(list(networkx.topological_sort(graph))):  # what nothing points to comes down to what it needs
        if not graph.in_degree(i) and graph.out_degree(i):
            depth[i] = min(depth[k] for k in graph.successors(i)) - 1
    points = [_Point(width, i) for i, (width, _) in enumerate(sizes)]
    layers: list[list[_Point]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for i, point in enumerate(points):
        layers[depth[i]].append(point)
    ways = []
    for start, end in arrows:
        way = [points[start]]
        for level in range(depth[start] + 1, depth[end]):
            lane = _Point(_LANE)
            layers[level].append(lane)
            way.append(lane)
        way.append(points[end])
        for upper, lower in pairwise(way):
            upper.below.append(lower)
            lower.above.append(upper)
        ways.append(way)
    return layers, ways


def _order(layers: list[list[_Point]]) -> None:
    """Order each layer by the places of the neighbours, down and up in turn; the order with the fewest crossings
    stays."""
    best, fewest = [list(layer) for layer in layers], _crossings(layers)
    for sweep in range(_ORDERINGS):
        downwards = sweep % 2 == 0
        place = {id(point): k - len(layer) / 2 for layer in layers for k, point in enumerate(layer)}
        for layer in layers if downwards else reversed(layers):
            means = []
            for point in layer:
                beside = point.above if downwards else point.below
                means.append(sum(place[id(p)] for p in beside) / len(beside) if beside else place[id(point)])
            layer[:] = [layer[k] for k in sorted(range(len(layer)), key=means.__getitem__)]
            place.update({id(point): k - len(layer) / 2 for k, point in enumerate(layer)})
        if (crossings := _crossings(layers)) < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    for layer, ordered in zip(layers, best, strict=True):
        layer[:] = ordered


def _crossings(layers: list[list[_Point]]) -> int:
    """How often two arrows between neighbouring layers cross: inversions, counted by insertion."""
    total = 0
    for upper, lower in pairwise(layers):
        place = {id(point): k for k, point in enumerate(lower)}
        seen: list[int] = []
        for point in upper:
            ends = sorted(place[id(other)] for other in point.below)
            total += sum(len(seen) - bisect_right(seen, end) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _place(layers: list[list[_Point]]) -> None:
    """Choose `x` for every point: as near to its neighbours as the order and the widths allow."""
    for layer in layers:
        x = 0.0
        for point in layer:
            point.x = x + point.width / 2
            x += point.width + _GAP_X
        for point in layer:
            point.x -= x / 2
    for sweep in range(_PLACINGS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = []
            for point in layer:
                beside = [*point.above, *point.below]
                wanted.append(sum(other.x for other in beside) / len(beside) if beside else point.x)
            _spread(layer, wanted)


def _spread(layer: list[_Point], wanted: list[float]) -> None:
    """Move the points of a layer to where they are `wanted`, in their order and without overlap."""
    offsets, offset = [], 0.0
    for k, point in enumerate(layer):
        if k:
            offset += (layer[k - 1].width + point.width) / 2 + _GAP_X
        offsets.append(offset)
    pools: list[tuple[float, int]] = []  # mean and size, the means rising
    for want, offset in zip(wanted, offsets, strict=True):
        mean, size = want - offset, 1
        while pools and pools[-1][0] >= mean:
            other, count = pools.pop()
            mean, size = (other * count + mean * size) / (count + size), count + size
        pools.append((mean, size))
    means = [mean for mean, size in pools for _ in range(size)]
    for point, mean, offset in zip(layer, means, offsets, strict=True):
        point.x = mean + offset
