"""Processes and clusters whose workers die in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dealog.checking import batch
from dealog.diagnostics import DealogError
from dealog.extensions import NO_EXTENSIONS
from dealog.pipeline import Engine
from dealog.processes import pool
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


LEAVES = """
import os, signal, sys
from dealog.extensions import NO_EXTENSIONS
from dealog.pipeline import Engine
from dealog.processes import pool
processes = pool(2)
print(*{processes.submit(os.getpid).result() for _ in range(20)}, flush=True)
%s
"""


@pytest.mark.parametrize("ends", ["os._exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_processes_end_with_the_one_that_started_them(ends: str) -> None:
    """They hold its pipes open: who reads these would wait for ever."""
    done = subprocess.run([sys.executable, "-c", LEAVES % ends], capture_output=True, timeout=30, check=False)
    assert done.stdout and not done.stderr


def test_ctrl_c_is_left_to_the_one_that_started_them() -> None:
    with pool(1) as processes:
        process = processes.submit(os.getpid).result()
        os.kill(process, signal.SIGINT)
        assert processes.submit(os.getpid).result() == process


def die_at(path: str, task: batch.Task) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_checker_whose_processes_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "check_path", die_at)
    with pytest.raises(DealogError, match="a process died"):
        list(batch.check_all(["a.mlir", "b.mlir"], batch.Task(Engine("embedded"), NO_EXTENSIONS), 2))


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
            cwd=tmp_path, env=clean_environment(), stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        victim = None
        while victim is None and time.monotonic() < deadline and running.poll() is None:
            busy = [address for address, tasks in client.processing().items() if tasks]
            victim = workers[busy[0]] if busy else None
            time.sleep(0.01)
        assert victim is not None, "no worker was at work"
        os.kill(victim, signal.SIGKILL)
        _, said = running.communicate(timeout=300)
        assert running.returncode == 0, said
        assert victim not in client.run(os.getpid).values()
    alone = [*COMMAND, *arguments, "-o", "alone.mlir"]
    subprocess.run(alone, cwd=tmp_path, env=clean_environment(), timeout=300, check=True)
    assert (tmp_path / "cluster.mlir").read_bytes() == (tmp_path / "alone.mlir").read_bytes()
