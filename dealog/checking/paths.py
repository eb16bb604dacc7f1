"""Which files `dealog check` looks at: those that are named, and the MLIR in folders, as the settings have it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dealog.diagnostics import DealogError, Diagnostic

STDIN = "-"
DEFAULT_INCLUDE = ("*.mlir",)


@dataclass(frozen=True)
class Selection:
    """The patterns `include` and `exclude` of the settings, as .gitignore writes them, seen from the folder `root`."""

    root: Path
    include: tuple[str, ...] = DEFAULT_INCLUDE
    exclude: tuple[str, ...] = ()


def collect(paths: Sequence[str], selection: Selection) -> list[str]:
    """The files that `paths` name, each once, in order: a file as it is, a folder as what is selected in it.

    Raises:
        DealogError: for a path where there is nothing, and for a folder in which nothing is selected, or that cannot
            be looked into.
    """
    from dealog.files import absent

    found: dict[str, str] = {}
    faults = []
    for given in paths:
        if given != STDIN and os.path.isdir(given):
            files = list(_selected(Path(given), selection))
            if not files:
                hint = f"what is looked for: {', '.join(selection.include)}"
                faults.append(Diagnostic(f"there are no files to read in the folder '{given}'", hint=hint))
        elif given != STDIN and (why := absent(given)):
            faults.append(Diagnostic(f"cannot open input file '{given}': {why}"))
            continue
        else:
            files = [given]
        for file in files:
            found.setdefault(STDIN if file == STDIN else os.path.realpath(file), file)
    if faults:
        raise DealogError(faults)
    return list(found.values())


def _selected(folder: Path, selection: Selection) -> Iterator[str]:
    """What is selected in `folder` and below, hidden folders left out, in the order of the names.

    Raises `DealogError` for a folder that cannot be looked into.
    """
    from pathspec import GitIgnoreSpec

    include = GitIgnoreSpec.from_lines(selection.include)
    exclude = GitIgnoreSpec.from_lines(selection.exclude)
    root = os.path.realpath(selection.root)

    def fail(error: OSError) -> None:
        raise DealogError(f"cannot look into the folder '{error.filename}': {error.strerror}") from error

    for parent, folders, names in os.walk(folder, onerror=fail):
        place = os.path.relpath(os.path.realpath(parent), root)
        inside = "" if place == "." else f"{place}/"
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and not exclude.match_file(f"{inside}{name}/")
        )
        for name in sorted(names):
            if include.match_file(f"{inside}{name}") and not exclude.match_file(f"{inside}{name}"):
                yield os.path.normpath(os.path.join(parent, name))
