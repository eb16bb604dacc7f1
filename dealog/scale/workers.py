"""Where tasks are done: in this process, in processes beside it, or on a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, Protocol, cast

from dealog.diagnostics import DealogError, Diagnostic
from dealog.processes import died, pool

Call = tuple[Callable[[Any], Any], Any]
"""A function of a module and its argument."""

_ATTEMPTS = 3


class Workers(Protocol):
    """Does calls; `count` of them at the same time."""

    count: int

    def submit(self, number: int, call: Call) -> None:
        """Have `call` done, under `number`."""

    def next_done(self) -> tuple[int, Any]:
        """The number and the result of a call that is done, when there is one. What the call raises is raised here."""

    def __enter__(self) -> Workers: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Here:
    """This process, one call at a time."""

    count = 1

    def __init__(self) -> None:
        self.waiting: deque[tuple[int, Call]] = deque()

    def submit(self, number: int, call: Call) -> None:
        """See `Workers`."""
        self.waiting.append((number, call))

    def next_done(self) -> tuple[int, Any]:
        """See `Workers`."""
        number, (function, argument) = self.waiting.popleft()
        return number, function(argument)

    def __enter__(self) -> Here:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.waiting.clear()


class Processes:
    """`count` processes beside this one. When one dies, what was not done is done again in new ones."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.pool: ProcessPoolExecutor | None = None
        self.open: dict[int, Call] = {}
        self.futures: dict[Future[Any], int] = {}
        self.broken = 0

    def submit(self, number: int, call: Call) -> None:
        """See `Workers`."""
        self.open[number] = call
        if self.pool is None:
            self.pool = pool(self.count)
        try:
            self.futures[self.pool.submit(call[0], call[1])] = number
        except BrokenProcessPool:
            self._again()

    def next_done(self) -> tuple[int, Any]:
        """See `Workers`."""
        while True:
            done, _ = wait(self.futures, return_when=FIRST_COMPLETED)
            future = min(done, key=lambda one: self.futures[one])
            try:
                result = future.result()
            except BrokenProcessPool:
                self._again()
                continue
            number = self.futures.pop(future)
            del self.open[number]
            return number, result

    def _again(self) -> None:
        """Start new processes, and have done there what is open."""
        self.broken += 1
        if self.broken >= _ATTEMPTS:
            raise died(_ATTEMPTS)
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = pool(self.count)
        self.futures = {self.pool.submit(call[0], call[1]): number for number, call in self.open.items()}

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait=error is None, cancel_futures=True)


class Cluster:
    """The workers of a Dask cluster, whose scheduler is at `address`. Dask does a call again when its worker dies."""

    def __init__(self, address: str) -> None:
        """Raises `DealogError` where there is no cluster, or no Dask."""
        try:
            from distributed import Client, as_completed
        except ImportError:
            hint = "pip install 'dealog[cluster]'"
            raise DealogError(Diagnostic("--cluster needs Dask, which is not installed", hint=hint)) from None
        try:
            self.client = cast(Any, Client)(address, timeout="10s", set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            hint = "'dask scheduler' starts one, 'dask worker ADDRESS' a worker"
            raise DealogError(Diagnostic(f"there is no Dask scheduler at {address}", hint=hint)) from error
        self.count = max(1, sum(self.client.nthreads().values()))
        self.numbers: dict[str, int] = {}
        self.done = cast(Any, as_completed)(loop=self.client.loop)

    def submit(self, number: int, call: Call) -> None:
        """See `Workers`."""
        future = self.client.submit(call[0], call[1], pure=False, retries=_ATTEMPTS)
        self.numbers[future.key] = number
        self.done.add(future)

    def next_done(self) -> tuple[int, Any]:
        """See `Workers`."""
        from distributed.scheduler import KilledWorker

        future = next(self.done)
        number = self.numbers.pop(future.key)
        try:
            result = future.result()
        except KilledWorker as error:
            hint = "workers that have too little memory are killed"
            raise DealogError(Diagnostic("the workers of the cluster keep dying", hint=hint)) from error
        future.release()
        return number, result

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()


def workers(jobs: int, cluster: str | None) -> Workers:
    """Those that the command line asks for.

    Raises:
        DealogError: there is no such cluster.
    """
    if cluster is not None:
        return Cluster(cluster)
    return Here() if jobs <= 1 else Processes(jobs)
