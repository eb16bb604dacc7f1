"""What a text says before anything is looked up: what the reader hands to the checker."""

from __future__ import annotations

from dataclasses import dataclass, field

from dealog.diagnostics import Diagnostic, SourceText
from dealog.engine.program import Directive, Position, Rule, Segment, SetApart


@dataclass(frozen=True)
class TypeStatement:
    """`.type name <: parent`, as it is written."""

    name: str
    parent: str
    doc: str
    position: Position
    parent_position: Position


@dataclass(frozen=True)
class ColumnStatement:
    """A column of a declaration, as it is written."""

    name: str
    type: str
    position: Position
    type_position: Position


@dataclass(frozen=True)
class RelationStatement:
    """`.decl name(columns)`, as it is written; `is_own` is the line `@own` of the comment, which is not in `doc`."""

    name: str
    columns: tuple[ColumnStatement, ...]
    doc: str
    position: Position
    is_own: bool


@dataclass
class Statements:
    """The statements of a program, by kind; a fact is a rule with the one empty alternative.

    `added` are those of `sources` that are there because of files added to the program. `set_apart` is where relations
    have other names in the program than in the texts. `faults` are what could not be read; `unread` names what is
    declared there, and `incomplete` says that any declaration may be among it.
    """

    sources: list[SourceText] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    types: list[TypeStatement] = field(default_factory=list)
    relations: list[RelationStatement] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    added: list[SourceText] = field(default_factory=list)
    set_apart: list[SetApart] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)
    unread: set[str] = field(default_factory=set)
    incomplete: bool = False

    def extend(self, other: Statements) -> None:
        """Take in the statements of `other`, which is a part of the same program."""
        self.types += other.types
        self.relations += other.relations
        self.directives += other.directives
        self.rules += other.rules
        self.faults += other.faults
        self.unread |= other.unread
