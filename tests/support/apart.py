"""Evaluates programs by the thousand, as ``make nightly`` does, in a process that is replaced now and then.

The embedded engine keeps what it has met for as long as its process lasts.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import ParamSpec, TypeVar

from tests.support.nightly import NIGHTLY

TASKS = 200  # of one process

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
is_wanted = [NIGHTLY]
"""Whether there is another process; tests that look into the one that evaluates take it away (`computes_here`)."""


@cache
def _executor() -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(max_workers=1, mp_context=context, max_tasks_per_child=TASKS)


def apart(function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    """What `function` gives for the arguments, all of which can be pickled; at night, from another process."""
    if not is_wanted[0] or multiprocessing.parent_process() is not None:
        return function(*args, **kwargs)
    return _executor().submit(function, *args, **kwargs).result()
