"""The rules: the analysis, in Datalog. The only Python here is what finds the files.

The folders are the stages: `schema.dl` and `vocabulary.dl` (what a program is, and what operations mean), `dialects/`,
`analysis/` (what is true), `passes/` (what each pass decides; its entry file is named like its rule program), and
`findings/`, which hang on the analysis. `packs/` and `options/` take part where they are asked for. A file has a name
of its own, whatever folder it is in.

Source: the package data of this package, which is the folder that this file stands in.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent
_DIALECTS = _FOLDER / "dialects"
_PACKS = _FOLDER / "packs"
_OPTIONS = _FOLDER / "options"


def folder() -> Path:
    """Where the rule files are."""
    return _FOLDER


def folders() -> list[Path]:
    """The folders in which a file of Dealog's is found by its name, those of dialects left out."""
    return sorted({path.parent for path in programs()})


@cache
def files() -> tuple[str, ...]:
    """The paths of all rule files that come with Dealog."""
    paths = (os.path.join(folder, name) for folder, _, names in os.walk(_FOLDER) for name in names)
    return tuple(sorted(path for path in paths if path.endswith(".dl")))


def program(name: str) -> Path:
    """The rule file called `name`, without its ending, such as `"ownership_based_buffer_deallocation"` or `"alias"`.

    Raises `FileNotFoundError` for a name that no file has.
    """
    path = _by_name().get(name)
    if path is None:
        raise FileNotFoundError(_FOLDER / f"{name}.dl")
    return path


def programs() -> list[Path]:
    """Every rule file but those of dialects, packs and options: together, all that can be asked about a module."""
    return list(_by_name().values())


def passes() -> list[Path]:
    """The entry files of the passes: those right in `passes/`."""
    return sorted((_FOLDER / "passes").glob("*.dl"))


@cache
def _by_name() -> dict[str, Path]:
    paths = [path for path in map(Path, files()) if path.parent not in (_DIALECTS, _PACKS, _OPTIONS)]
    return {path.stem: path for path in sorted(paths)}


def dialects() -> frozenset[str]:
    """The names of the dialects whose meaning is described in `dialects/`."""
    return frozenset(path.stem for path in _DIALECTS.glob("*.dl")) - {"all"}


def packs() -> dict[str, Path]:
    """The packs, by name: rule files about dialects of other projects, which take part where they are asked for."""
    return {path.stem: path for path in sorted(_PACKS.glob("*.dl"))}


def option(name: str) -> Path:
    """The rule file that stands for the option of the command line called `name`: it takes part where that is given."""
    return _OPTIONS / f"{name.replace('-', '_')}.dl"
