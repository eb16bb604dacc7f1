"""What pictures are made of; `pictures.html.jinja` writes them as SVG."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias


@dataclass(frozen=True)
class Rectangle:
    """A rectangle with its upper left corner at `x`, `y`; lengths are in pixels."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    title: str = ""
    round: float = 0

    def moved(self, dx: float, dy: float) -> Rectangle:
        """The same, so much further to the right and down."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Text:
    """A line of text that starts at `x` with its base line at `y`; a link to `row` where there is one."""

    x: float
    y: float
    text: str
    kind: str = ""
    title: str = ""
    row: int | None = None

    def moved(self, dx: float, dy: float) -> Text:
        """The same, so much further to the right and down."""
        return replace(self, x=self.x + dx, y=self.y + dy)


@dataclass(frozen=True)
class Path:
    """The data of a path, drawn with its origin at `x`, `y`."""

    data: str
    kind: str
    title: str = ""
    x: float = 0
    y: float = 0

    def moved(self, dx: float, dy: float) -> Path:
        """The same, so much further to the right and down."""
        return replace(self, x=self.x + dx, y=self.y + dy)


Shape: TypeAlias = "Rectangle | Text | Path"


@dataclass(frozen=True)
class Picture:
    """Shapes, the first after the others, on a ground of this size."""

    width: float
    height: float
    shapes: tuple[Shape, ...]

    def moved(self, dx: float, dy: float) -> tuple[Shape, ...]:
        """Its shapes at another place."""
        return tuple(shape.moved(dx, dy) for shape in self.shapes)


def width_of(text: str, small: bool = False) -> float:
    """What `text` takes in the fixed-width font of the pictures, on the safe side."""
    return sum(2 if ord(c) > 0x2FFF else 1 for c in text) * (6.9 if small else 7.5)
