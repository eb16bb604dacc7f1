"""What a user adds to Dealog: rule files (`--rules`) and dialects of two files (`--dialect`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dealog import rules

if TYPE_CHECKING:
    from dealog.engine import Program


@dataclass(frozen=True)
class Extensions:
    """Rule files, and folders of dialects.

    A dialect is one or two files in its folder: `<dialect>.lark`, how its operations are written, and
    `<dialect>.dl`, what they mean. There may be several in a folder.
    """

    rules: tuple[Path, ...] = ()
    dialects: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.rules or self.dialects)

    @property
    def syntax_dirs(self) -> tuple[Path, ...]:
        """The folders in which `dealog.frontend.parse` finds how further dialects are written."""
        return self.dialects

    @cached_property
    def rule_files(self) -> tuple[Path, ...]:
        """All rule files, those of dialects first."""
        meanings = [file for folder in self.dialects for file in sorted(folder.glob("*.dl"))]
        return (*meanings, *self.rules)

    def program(self, name: str) -> Program:
        """The rule program called `name`, with the added rules that matter to its outputs.

        Raises `DealogError` for rule files that are wrong.
        """
        from dealog.engine import load

        return load(rules.program(name), extra=self.rule_files, include_dirs=[rules.folder()])

    def everything(self) -> Program:
        """All rules that come with Dealog and all added ones.

        Raises `DealogError` for rule files that are wrong.
        """
        from dealog.engine import load

        return load(rules.programs(), extra=self.rule_files, include_dirs=[rules.folder()])

    def dialect_names(self) -> frozenset[str]:
        """The dialects whose syntax or meaning is added."""
        files = (file for folder in self.dialects for file in folder.iterdir())
        return frozenset(file.stem for file in files if file.suffix in (".lark", ".dl"))


NO_EXTENSIONS = Extensions()
