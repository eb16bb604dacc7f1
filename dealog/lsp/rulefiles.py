"""What an editor shows about a rule file: what is wrong with it, and what relations mean.

Nothing here knows of the protocol; places are offsets in the text.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dealog import rules
from dealog.diagnostics import DealogError, Diagnostic
from dealog.engine import Program, load
from dealog.engine.program import Relation
from dealog.extensions import Extensions

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Place:
    """Where something is declared: a file and a stretch of it."""

    path: str
    line: int
    column: int
    length: int


class RuleFile:
    """The text of a rule file, as it is edited, read together with all rules that it builds upon."""

    def __init__(self, text: str, path: str, extensions: Extensions, known: Program | None = None) -> None:
        """`known` is a program to look names up in where this text is wrong."""
        self.text, self.path = text, path
        self.program = known
        self.diagnostics: list[Diagnostic] = []
        with tempfile.TemporaryDirectory(prefix="dealog-") as folder:
            copy = Path(folder) / os.path.basename(path)
            copy.write_text(text, "utf-8")
            self._copy = str(copy)
            try:
                self._read(copy, extensions)
            except DealogError as error:
                self.diagnostics = [d for d in error.diagnostics if d.source is None or self._is_own(d.source.name)]

    def _read(self, copy: Path, extensions: Extensions) -> None:
        from dealog.checking.findings import declared
        from dealog.engine.lint import warnings

        real = os.path.realpath(self.path)
        shipped = rules.programs()
        others = [file for file in extensions.rule_files if os.path.realpath(file) != real]
        include = [Path(self.path).parent, *rules.folders()]
        if any(os.path.realpath(file) == real for file in shipped):
            # a file of Dealog's own is read alone, with what it includes: others include it from where it stands
            program = load(copy, include_dirs=include)
        else:
            program = load(shipped, extra=[*others, copy], include_dirs=include)
        self.program = program
        declared(program)
        own = {source.name for source in program.sources if self._is_own(source.name)}
        self.diagnostics = list(warnings(program, own))

    def _is_own(self, name: str) -> bool:
        return os.path.realpath(name) == os.path.realpath(self._copy)

    # ---- asking

    def relation_at(self, offset: int) -> tuple[Relation, int, int] | None:
        """The relation whose name stands at `offset`, and where the name begins and ends."""
        if self.program is None:
            return None
        for match in _WORD.finditer(self.text, max(0, self.text.rfind("\n", 0, offset) + 1)):
            if match.start() > offset:
                break
            if offset <= match.end() and (relation := self.program.relations.get(match[0])) is not None:
                return relation, match.start(), match.end()
        return None

    def described(self, relation: Relation) -> str:
        """What there is to say about a relation, in Markdown."""
        assert self.program is not None
        where = os.path.basename(self.declared(relation).path)
        clauses = len(self.program.rules_of[relation.name])
        stated = sum(fact.relation == relation.name for fact in self.program.facts)
        kind = "a fact about the module" if relation.is_input else f"{clauses} rules, {stated} facts"
        said = relation.documentation.partition("):")[2].strip() or relation.documentation
        return f"```\n{relation.signature}\n```\n{said}\n\n*{where}*: {kind}"

    def declared(self, relation: Relation) -> Place:
        """Where a relation is declared."""
        position = relation.position
        line, column = position.source.position(position.offset)
        path = self.path if self._is_own(position.source.name) else os.path.realpath(position.source.name)
        return Place(path, line, column, len(relation.name))

    @property
    def relations(self) -> Mapping[str, Relation]:
        """All relations that can be used here, by their names."""
        return self.program.relations if self.program is not None else {}
