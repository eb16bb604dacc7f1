"""Tables: on a terminal by rich, elsewhere as Markdown, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from typing import Any

from bench.measure import Measurement

Format = Callable[[Any], str]


@dataclass(frozen=True)
class Column:
    """A column: its heading and how its values are written; text stands left, all else right."""

    heading: str
    write: Format = str
    left: bool = False


@dataclass
class Table:
    """A table, with what a reader has to know about it in `notes`. A value of None is a dash."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: list[list[Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def cells(self) -> Iterable[list[str]]:
        """The rows, as written."""
        for row in self.rows:
            yield [
                "–" if value is None else column.write(value)
                for column, value in zip(self.columns, row, strict=True)
            ]

    def markdown(self) -> str:
        """The table in Markdown."""
        head = "| " + " | ".join(column.heading for column in self.columns) + " |"
        rule = "|" + "|".join("---" if column.left else "---:" for column in self.columns) + "|"
        body = ["| " + " | ".join(cells) + " |" for cells in self.cells()]
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([f"## {self.title}", "", head, rule, *body, *notes])

    def as_json(self) -> dict[str, Any]:
        """The table as plain data, numbers unrounded."""
        headings = [column.heading for column in self.columns]
        rows = [{h: _plain(value) for h, value in zip(headings, row, strict=True)} for row in self.rows]
        return {"table": self.name, "title": self.title, "rows": rows, "notes": self.notes}


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def show(tables: Sequence[Table], header: Sequence[str]) -> None:
    """Prints tables on the terminal."""
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console()
    console.print("\n".join(header), style="dim", highlight=False)
    for table in tables:
        shown = RichTable(title=table.title, title_justify="left", caption_justify="left")
        for column in table.columns:
            shown.add_column(column.heading, justify="left" if column.left else "right")
        for cells in table.cells():
            shown.add_row(*cells)
        console.print(shown)
        for note in table.notes:
            console.print(note, style="dim", highlight=False)
        console.print()


def to_markdown(tables: Sequence[Table], header: Sequence[str]) -> str:
    """All tables as one Markdown text."""
    return "\n".join([*(f"- {line}" for line in header), "", *(f"{t.markdown()}\n" for t in tables)])


def to_json(tables: Sequence[Table], header: Sequence[str]) -> str:
    """All tables as JSON."""
    data = {"run": list(header), "tables": [table.as_json() for table in tables]}
    return json.dumps(data, indent=2, ensure_ascii=False)


# ---- how values are written -------------------------------------------------------------------------------


def seconds(value: Measurement) -> str:
    """The time, or how it ended instead."""
    if value.outcome == "timeout":
        return value.message
    return f"{value.seconds:.2f} s" if value.seconds is not None else value.outcome


def memory(value: Measurement) -> str:
    """The peak of memory."""
    return f"{value.peak / 2**20:,.0f} MiB" if value.peak is not None else "–"


def ratio(value: float) -> str:
    """A ratio, to two or three figures."""
    if value >= 100:
        return f"{value:,.0f}×"
    return f"{value:.1f}×" if value >= 10 else f"{value:.2f}×"


@dataclass(frozen=True)
class Exponent:
    """The power of N that something grows with, or what it is at least."""

    power: float
    at_least: bool = False


def exponent(value: Exponent) -> str:
    """The power of N."""
    return f"{'> ' if value.at_least else ''}N^{value.power:.1f}"


def rate(value: float) -> str:
    """Megabytes per second."""
    return f"{value:.2f} MB/s"
