"""The rules: the analysis, in Datalog. The only Python here is what finds the files.

Source: the package data of this package, which is the folder that this file stands in.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def folder() -> Path:
    """Where the rule files are."""
    return _FOLDER


def program(name: str) -> Path:
    """The file of the rule program `name`, such as `"ownership_based_buffer_deallocation"`.

    Raises `FileNotFoundError` for a name that no program has.
    """
    path = _FOLDER / f"{name}.dl"
    if not path.is_file():
        raise FileNotFoundError(path)
    return path


def programs() -> list[Path]:
    """Every rule file but those of dialects: together, all that can be asked about a module."""
    return [*sorted(_FOLDER.glob("*.dl")), *sorted((_FOLDER / "findings").glob("*.dl"))]


def dialects() -> frozenset[str]:
    """The names of the dialects whose meaning is described in `dialects/`."""
    return frozenset(path.stem for path in (_FOLDER / "dialects").glob("*.dl")) - {"all"}
