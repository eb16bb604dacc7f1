"""What the packs are: rule files about dialects of other projects."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from dealog import rules
from dealog.engine import load


@dataclass(frozen=True)
class Pack:
    """A pack: its name, what it is about, the number of operations that it describes, and where its file is."""

    name: str
    about: str
    operations: int
    path: str

    def as_data(self) -> dict[str, str | int]:
        """It as an object of JSON."""
        return asdict(self)


def described() -> list[Pack]:
    """All packs, by name."""
    return [_described(name, path) for name, path in rules.packs().items()]


@cache
def _described(name: str, path: Path) -> Pack:
    program = load(path, include_dirs=rules.folders())
    stated = [fact for fact in program.facts if fact.position.file == str(path)]
    names = {str(fact.values[0]) for fact in stated if program.relations[fact.relation].columns[0].name == "name"}
    about = path.read_text("utf-8").partition("\n")[0].removeprefix("// ").rstrip(".")
    return Pack(name, about, len(names), str(path))
