"""Text to IR in megabytes per second: Dealog's parser beside xDSL's and MLIR's own, on generic-form text."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import contenders, table
from bench.measure import in_turns
from bench.settings import Settings
from bench.table import Column, Table
from tests.support import tools
from tests.support.cases import examples

_PARSE_ONCE = Path(__file__).with_name("parse_once.py")
_XDSL = ("--allow-unregistered-dialect", "--disable-verify", "--print-op-generic")
_WALL = re.compile(r"([\d.]+) \([^)]*\)\s+Parser")


def parsing(settings: Settings) -> list[Table]:
    """Parses each example, repeated up to a size, in process and by the command that reads and writes it."""
    table_ = Table(
        "parsing",
        "Parsing generic-form text",
        [
            Column("text", left=True),
            Column("MB", "{:.2f}".format),
            Column("Dealog parser", table.rate),
            Column("xDSL parser", table.rate),
            Column("mlir-opt parser", table.rate),
            Column("Dealog to xDSL", table.ratio),
            Column("dealog opt", table.seconds),
            Column("xdsl-opt", table.seconds),
            Column("mlir-opt", table.seconds),
            Column("dealog opt to xdsl-opt", table.ratio),
        ],
        notes=[
            "The rates are of the parser alone, in process, where xDSL takes every operation as unregistered;"
            " mlir-opt's is what -mlir-timing says. The commands read the text and write it; xdsl-opt does"
            " without its checks, which refuse some of it."
        ],
    )
    size = 300_000 if settings.quick else 2_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.mlir"
        for case in examples():
            if not settings.wants(case.name):
                continue
            settings.progress(f"parsing: {case.name}")
            text = repeated(_generic(case.text), size)
            path.write_text(text)
            table_.rows.append(_row(case.name, len(text.encode()) / 1e6, path, settings))
    return [table_]


def _generic(text: str) -> str:
    """The module in generic form, without aliases, and without the contents of its resources."""
    (output,) = tools.run_mlir_opt([text], "-mlir-print-op-generic", "-mlir-print-local-scope")
    return output.unwrap().split("\n{-#")[0].rstrip() + "\n"


def repeated(module: str, size: int) -> str:
    """A module that holds `module`, in generic form, as often as it takes to come to `size` characters."""
    copies = max(1, -(-size // len(module)))
    return f'"builtin.module"() ({{\n{module * copies}}}) : () -> ()\n'


def _row(name: str, megabytes: float, path: Path, settings: Settings) -> list[object]:
    seconds: dict[str, list[float]] = {"dealog": [], "xdsl": [], "mlir-opt": []}
    for _ in range(settings.rounds):
        for parser in ("dealog", "xdsl"):
            seconds[parser].append(_in_process(parser, path))
        seconds["mlir-opt"].append(_mlir(path))
    rates = {parser: megabytes / statistics.median(taken) for parser, taken in seconds.items()}
    commands = {
        "dealog": [*contenders.command("dealog"), "opt", "--allow-unregistered-dialect", str(path)],
        "xdsl": [*contenders.command("xdsl-opt"), *_XDSL, str(path)],
        "mlir-opt": [contenders.mlir_opt(), str(path)],
    }
    whole = in_turns(commands, settings.timeout, settings.rounds)
    ours, theirs = whole["dealog"].seconds, whole["xdsl"].seconds
    return [
        name,
        megabytes,
        *(rates[parser] for parser in ("dealog", "xdsl", "mlir-opt")),
        rates["dealog"] / rates["xdsl"],
        *(whole[parser] for parser in ("dealog", "xdsl", "mlir-opt")),
        ours / theirs if ours is not None and theirs else None,
    ]


def _in_process(parser: str, path: Path) -> float:
    command = [sys.executable, str(_PARSE_ONCE), parser, str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the parser of {parser} failed on {path.name}:\n{done.stderr[-2000:]}")
    return float(done.stdout)


def _mlir(path: Path) -> float:
    command = [contenders.mlir_opt(), "-mlir-timing", str(path), "-o", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    found = _WALL.search(said)
    if found is None:
        raise RuntimeError("mlir-opt -mlir-timing names no time for the parser")
    return float(found[1])
