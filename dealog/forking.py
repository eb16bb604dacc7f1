"""A question that a process of its own answers, while this one goes on."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable


def may_fork() -> bool:
    """Whether a process can be forked off, and has a processor for itself. Beside threads, it might wait forever."""
    if not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity"):
        return False
    return threading.active_count() == 1 and len(os.sched_getaffinity(0)) > 1


def forked(question: Callable[[], bool]) -> Callable[[], bool]:
    """Begin to answer `question` in a process that is forked off, and that ends with this one, however that ends. What
    is given back waits for the answer; it is `False`, too, where there is none."""
    try:
        reader, writer = os.pipe()
    except OSError:
        return lambda: False
    try:
        child = os.fork()
    except OSError:  # there are too many processes, or too little memory for one more
        os.close(reader)
        os.close(writer)
        return lambda: False
    if child == 0:
        os.close(writer)
        _answer(question, reader)
    os.close(reader)

    def answer() -> bool:
        try:
            _, status = os.waitpid(child, 0)
        except ChildProcessError:  # nobody is told, where SIGCHLD is ignored
            status = -1
        os.close(writer)
        return status == 0

    return answer


def _answer(question: Callable[[], bool], reader: int) -> None:
    """End this process, with 0 where the answer is yes; it ends at once when nobody can write any more to what `reader`
    reads."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # it is the parent that tells of an interruption
    threading.Thread(target=lambda: os.read(reader, 1) or os._exit(2), daemon=True).start()
    try:
        status = 0 if question() else 1
    except BaseException:
        status = 2
    os._exit(status)
