"""A stopwatch for the stages of a run (`--time-passes`), which also shows the current one on a terminal."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.status import Status

_QUIET_SECONDS = 2.0


class Stopwatch:
    """Times named stages, and shows the current one on stderr once the work has taken more than two seconds.

    Use as a context manager around the work, and call it for each stage: `with stopwatch("parse"): …`. A stage
    that comes again (as with split input) adds to its time; one inside another takes from that one's time. Nothing
    is shown unless `show` is set.
    """

    def __init__(self, show: bool) -> None:
        self.seconds: dict[str, float] = {}
        self._inside = 0.0  # of the current stage, in others
        self._current = "starting"
        self._status: Status | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._timer = threading.Timer(_QUIET_SECONDS, self._appear) if show else None

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        with self._lock:
            self._current = name
            if self._status is not None:
                self._status.update(name)
        start, outside, self._inside = time.perf_counter(), self._inside, 0.0
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds - self._inside
            self._inside = outside + seconds

    def say(self, text: str) -> None:
        """Show `text` as what is under way."""
        with self._lock:
            self._current = text
            if self._status is not None:
                self._status.update(text)

    def __enter__(self) -> Stopwatch:
        self._start = time.perf_counter()
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.total = time.perf_counter() - self._start
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._status is not None:
                self._status.stop()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.status import Status

        with self._lock:
            if not self._closed:
                self._status = Status(self._current, console=Console(stderr=True))
                self._status.start()

    def table(self) -> str:
        """The times as a table, one line for each stage in the order of the run, and the total."""
        rest = max(0.0, self.total - sum(self.seconds.values()))
        rows = [*self.seconds.items(), ("rest", rest), ("total", self.total)]
        whole = self.total or 1.0
        lines = [f"  {seconds:8.4f} ({100 * seconds / whole:5.1f}%)  {name}" for name, seconds in rows]
        return "\n".join(["  -- wall time --   -- stage --", *lines])
