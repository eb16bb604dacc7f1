"""Who is measured: Dealog on its engines, MLIR's tools, xDSL; and what they say of their versions."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from datetime import date
from importlib import metadata
from pathlib import Path

from tests.support import tools

DEALOG, SOUFFLE, MLIR = "Dealog", "Dealog on Soufflé", "mlir-opt"
BUSY = 1.5


def mlir_opt() -> str:
    """The mlir-opt to compare with: one built without assertions where there is one, as it is faster.

    Raises FileNotFoundError where there is no mlir-opt 22.
    """
    return str(tools.mlir_opt_without_assertions() or tools.mlir_opt())


def command(name: str) -> list[str]:
    """The console script `name` of this Python environment."""
    script = Path(sys.executable).with_name(name)
    found = str(script) if script.exists() else shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"there is no command '{name}' in this environment")
    return [found]


def passes(flag: str, path: Path, *, souffle: bool, mlir_flag: str | None = None) -> dict[str, list[str]]:
    """The commands that run one pass or pipeline over a file, by contender; mlir-opt's under another flag where it has
    another."""
    commands = {DEALOG: [*command("dealog"), "opt", "--engine", "embedded", f"--{flag}", str(path)]}
    if souffle and has_souffle():
        commands[SOUFFLE] = [*command("dealog"), "opt", "--engine", "souffle", f"--{flag}", str(path)]
    commands[MLIR] = [mlir_opt(), f"-{mlir_flag or flag}", str(path)]
    return commands


def has_souffle() -> bool:
    """Whether there is a Soufflé to measure."""
    return shutil.which(os.environ.get("DEALOG_SOUFFLE", "souffle")) is not None


def load() -> float:
    """How many processes wanted to run during the last minute."""
    return os.getloadavg()[0]


def header() -> list[str]:
    """When, with what and on what kind of machine; nothing that names the machine."""
    versions = [f"{name} {_version(name)}" for name in ("dealog", "clingo", "lark", "xdsl")]
    versions.append(f"Python {platform.python_version()}")
    tool = Path(mlir_opt())
    built = "with" if "with assertions" in tools.version(tool) else "without"
    said = tools.version(tool).split("LLVM version ")[1].split()[0]
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return [
        f"{date.today():%Y-%m-%d}; {', '.join(versions)}; mlir-opt {said}, built {built} assertions",
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB; "
        f"load at the start {load():.1f}",
    ]


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "(not installed)"
