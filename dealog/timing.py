"""`--mlir-timing`: how long parsing, each pass and printing took, as mlir-opt reports it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

Display = Literal["tree", "list"]
_LINE = "===" + "-" * 73 + "==="


@dataclass
class _Entry:
    name: str
    seconds: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)


class Timing:
    """Collects times by place in the run; what comes again at the same place (the next chunk of a split input) adds
    to it."""

    def __init__(self) -> None:
        self._entries: dict[tuple[int, str], _Entry] = {}
        self._start = time.perf_counter()

    @contextmanager
    def __call__(self, name: str, place: int, parts: Mapping[str, float] | None = None) -> Iterator[None]:
        """Time what happens inside, under `name`; the entries of the report stand in the order of `place`. `parts`
        are running totals, and what they grow by meanwhile is listed below the entry."""
        entry = self._entries.setdefault((place, name), _Entry(name))
        before = dict(parts or {})
        start = time.perf_counter()
        try:
            yield
        finally:
            entry.seconds += time.perf_counter() - start
            for part, total in (parts or {}).items():
                if (spent := total - before.get(part, 0.0)) > 0:
                    short = part.rpartition(": ")[2]
                    entry.parts[short] = entry.parts.get(short, 0.0) + spent

    def report(self, display: Display = "tree") -> str:
        """The report: a line for each entry in the order of the run with its parts below it, or, as a list, for each
        name, the longest first."""
        total = time.perf_counter() - self._start
        entries = [self._entries[key] for key in sorted(self._entries, key=lambda key: key[0])]
        rest = max(0.0, total - sum(entry.seconds for entry in entries))
        rows: list[tuple[str, float]] = []
        if display == "list":
            by_name: dict[str, float] = {"root": total}
            for entry in entries:
                by_name[entry.name] = by_name.get(entry.name, 0.0) + entry.seconds
            rows = sorted(by_name.items(), key=lambda row: -row[1])
        else:
            for entry in entries:
                rows.append((entry.name, entry.seconds))
                rows += [(f"  {part}", seconds) for part, seconds in entry.parts.items()]
        rows += [("Rest", rest), ("Total", total)]
        lines = [
            _LINE,
            "... Execution time report ...".center(len(_LINE)).rstrip(),
            _LINE,
            f"  Total Execution Time: {total:.4f} seconds",
            "",
            "  ----Wall Time----  ----Name----",
        ]
        lines += [f"  {seconds:8.4f} ({100 * seconds / total:5.1f}%)  {name}" for name, seconds in rows]
        return "\n".join(lines)
