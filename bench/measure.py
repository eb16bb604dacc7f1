"""Wall time and peak memory of whole commands, taken in turns: A B A B."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Outcome = Literal["ok", "timeout", "crash", "refused", "not run"]
Command = Sequence[str]

_SPAWN = Path(__file__).with_name("spawn.py")
_CRASHED = re.compile(r"PLEASE submit a bug report|Stack dump:|internal error, please report")
# What took longer than this is measured once: the noise is small beside it.
_LONG = 5.0


@dataclass(frozen=True)
class Measurement:
    """What a command took: seconds of wall time and bytes of memory at the peak (the largest of it and its
    children), both medians. They are None where the command did not come to a good end."""

    outcome: Outcome
    seconds: float | None = None
    peak: int | None = None
    message: str = ""

    @property
    def ok(self) -> bool:
        """Whether the command did its work."""
        return self.outcome == "ok"


NOT_RUN = Measurement("not run")


def _environment() -> dict[str, str]:
    """The environment of a command. Python keeps what it has compiled there, as an installation has it."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def run(command: Command, timeout: float) -> Measurement:
    """Runs `command` once, for `timeout` seconds at most; its output is dropped."""
    with tempfile.TemporaryDirectory() as folder:
        errors = Path(folder) / "errors"
        launcher = [sys.executable, "-I", "-S", str(_SPAWN), str(timeout), str(errors)]
        done = subprocess.run([*launcher, *command], capture_output=True, text=True, check=True, env=_environment())
        taken = json.loads(done.stdout)
        said = errors.read_text(errors="replace") if errors.exists() else ""
    if taken["timed_out"]:
        return Measurement("timeout", message=f"> {timeout:g} s")
    if taken["code"] == 127:
        raise FileNotFoundError(command[0])
    if taken["code"] < 0 or _CRASHED.search(said):
        return Measurement("crash", message=said.strip()[-400:])
    if taken["code"] > 0:
        return Measurement("refused", message=said.strip()[:400])
    return Measurement("ok", taken["seconds"], taken["peak"])


def in_turns(commands: Mapping[str, Command], timeout: float, rounds: int) -> dict[str, Measurement]:
    """Runs all commands once, then all once more, `rounds` times, and takes the medians.

    One that does not come to a good end, or takes long, has one turn only.
    """
    turns: dict[str, list[Measurement]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            before = turns[name]
            if not before or (before[-1].ok and (before[-1].seconds or 0) < _LONG):
                before.append(run(command, timeout))
    return {name: _median(all_) for name, all_ in turns.items()}


def _median(turns: Sequence[Measurement]) -> Measurement:
    failed = next((turn for turn in turns if not turn.ok), None)
    if failed is not None:
        return failed
    return Measurement(
        "ok",
        statistics.median(turn.seconds for turn in turns if turn.seconds is not None),
        int(statistics.median(turn.peak for turn in turns if turn.peak is not None)),
    )
