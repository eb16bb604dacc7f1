"""`--normalize`: have `mlir-opt` print the generic form first, for custom forms that are not read here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from dealog.diagnostics import DealogError, Diagnostic

_VERSIONED = re.compile(r"mlir-opt-(\d+)")


def find_mlir_opt() -> str | None:
    """The `mlir-opt` on PATH; failing that, the highest `mlir-opt-<version>`."""
    if found := shutil.which("mlir-opt"):
        return found
    versions: dict[str, int] = {}
    for folder in os.get_exec_path():
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        versions.update({name: int(m[1]) for name in names if (m := _VERSIONED.fullmatch(name))})
    for name in sorted(versions, key=versions.__getitem__, reverse=True):
        if found := shutil.which(name):
            return found
    return None


def normalize(
    text: str, name: str, first_line: int, allow_unregistered: bool, flag: str = "--normalize", implicit: bool = True
) -> str:
    """The generic form of `text`, as `mlir-opt` prints it; `name` and `first_line` say where the text stands, `flag`
    what it is wanted for, `implicit` whether a module may be put around it.

    Raises `DealogError` with what `mlir-opt` says, or when there is none.
    """
    tool = find_mlir_opt()
    if tool is None:
        raise DealogError(
            Diagnostic(
                f"{flag} needs mlir-opt, and none is on PATH",
                hint=f"install MLIR and put its mlir-opt on PATH, or leave {flag} out",
            )
        )
    command = [tool, "--mlir-print-op-generic", "-"]
    if not implicit:
        command.insert(1, "--no-implicit-module")
    if allow_unregistered:
        command.insert(1, "--allow-unregistered-dialect")
    lead = "\n" * (first_line - 1)  # so that its line numbers are those of the file
    try:
        data = (lead + text).encode("utf-8", "surrogateescape")
        done = subprocess.run(command, input=data, capture_output=True, check=False)
    except OSError as error:
        raise DealogError(f"cannot run '{tool}': {error.strerror}") from error
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace")
        said = re.sub(r"^(<stdin>|-)(?=:\d)", lambda _: name, said, flags=re.M)
        raise DealogError(f"{tool} does not accept the input:\n{said.rstrip()}")
    return done.stdout.decode("utf-8", "surrogateescape")
