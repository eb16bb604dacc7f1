"""Processes that do work of this one, and that end when it ends."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from typing import cast

from dealog.diagnostics import DealogError, Diagnostic


def pool(count: int) -> ProcessPoolExecutor:
    """`count` processes. They do not outlive this one, however it ends, and leave Ctrl-C to it."""
    return ProcessPoolExecutor(count, initializer=_end_with_parent)


def died(times: int) -> DealogError:
    """What to raise where processes of a pool have died `times` times."""
    said = "a process died" if times == 1 else f"processes died {times} times"
    return DealogError(Diagnostic(said, hint="is there too little memory? fewer processes (-j) need less"))


def _end_with_parent() -> None:
    """Watch the process that started this one. A pool only ends its processes where the one that has it ends in order,
    which `os._exit` and SIGKILL are not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = cast(BaseProcess, multiprocessing.parent_process())

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)  # as a build ends a process: Soufflé and its folder go, too

    threading.Thread(target=watch, daemon=True).start()
