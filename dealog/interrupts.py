"""Ctrl-C while modules are imported: there is nothing to tell of yet, and no traceback to show."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

STATUS = 130  # 128 + SIGINT, as shells have it


@contextmanager
def quiet() -> Iterator[None]:
    """Let an interruption end the process at once, where Python would raise `KeyboardInterrupt`."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: os._exit(STATUS))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
