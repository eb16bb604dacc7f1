"""Processes and clusters whose workers die in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.scale.workers import Cluster, Processes
from tests.cli.command import COMMAND, clean_environment
from tests.scale.programs import plain
from tests.support.nightly import nightly


def square(number: int) -> int:
    return number * number


def square_or_die(given: tuple[int, str]) -> int:
    """The square; the first process that is asked for that of 3 dies."""
    number, folder = given
    if number == 3:
        try:
            (Path(folder) / "died").touch(exist_ok=False)
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die(_: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    with Processes(2) as processes:
        for number in range(6):
            processes.submit(number, (square_or_die, (number, str(tmp_path))))
        assert sorted(processes.next_done() for _ in range(6)) == [(n, n * n) for n in range(6)]
    assert (tmp_path / "died").exists()


def test_processes_that_keep_dying_are_an_error() -> None:
    with pytest.raises(DealogError, match="processes died 3 times"), Processes(1) as processes:
        processes.submit(0, (die, 0))
        processes.next_done()


def test_no_cluster() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(DealogError, match="no Dask scheduler at nowhere"):
        Cluster("nowhere")


@nightly
def test_a_cluster_of_which_a_worker_is_killed(tmp_path: Path) -> None:
    """The command on a real cluster: one of three workers is killed while all are at work."""
    distributed = pytest.importorskip("distributed")
    text = plain(300)
    (tmp_path / "in.mlir").write_text(text)
    arguments = ["dealloc", "in.mlir"]
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        workers = client.run(os.getpid)
        running = subprocess.Popen(
            [*COMMAND, *arguments, "-o", "cluster.mlir", "--cluster", cluster.scheduler_address],
            cwd=tmp_path, env=clean_environment(),
        )  # fmt: skip
        deadline = time.monotonic() + 60
        victim = None
        while victim is None and time.monotonic() < deadline and running.poll() is None:
            busy = [address for address, tasks in client.processing().items() if tasks]
            victim = workers[busy[0]] if busy else None
            time.sleep(0.01)
        assert victim is not None, "no worker was at work"
        os.kill(victim, signal.SIGKILL)
        assert running.wait(timeout=300) == 0
        assert victim not in client.run(os.getpid).values()
    alone = [*COMMAND, *arguments, "-o", "alone.mlir"]
    subprocess.run(alone, cwd=tmp_path, env=clean_environment(), timeout=300, check=True)
    assert (tmp_path / "cluster.mlir").read_bytes() == (tmp_path / "alone.mlir").read_bytes()
