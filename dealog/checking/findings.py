"""Findings: relations that a rule file marks as something to report about a module.

A relation is marked in the comment above its declaration, after the sentence that documents it::

    // never_read(value): the buffer `value` is allocated here, and nothing reads it.
    // @finding warning at `value`: the buffer `value` is never read
    // @help: without it the program does the same
    .decl never_read(value: Value)

`@finding` has a severity (error, warning, note), the column that says where, and a message; `before PASS` after
the column has the relation derived for the module as that pass of `dealog dealloc` gets to see it, instead of
the module as it was read. `@note at `column`: message` (any number) adds a note at another place, `@help` advice.
`@fix erases: relation` and `@fix moves: relation` (any number) name relations that say how the text can be mended:
their tuples start with the tuple of the finding, and go on with the operation that goes, or with the operation that
moves and the one that it moves to in front of. Where there is no tuple, there is no mending it.
A column's name in backticks stands for what the user calls the entity in that column. A message may go on on
the next lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from dealog.cache import key_of_files
from dealog.diagnostics import DealogError, Diagnostic, did_you_mean
from dealog.engine.program import Annotation, Position, Program, Relation

if TYPE_CHECKING:
    from dealog.engine.divided import Divided
    from dealog.extensions import Extensions

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""The severities, the worst first."""

INPUT = "input"
"""The stage of findings about the module as it was read; other stages have the names of passes."""

_ENTITIES = frozenset({"Operation", "Block", "Value", "Function"})
_CONTINUED = re.compile(r"\n[ \t]*//+!?")
COLUMN = re.compile(r"`(\w+)`")
"""A column in a message."""


@dataclass(frozen=True)
class NoteKind:
    """A message at the place of the entity in the column number `place`."""

    place: int
    message: str


FixKind = Literal["erases", "moves"]
_FIX_COLUMNS: dict[FixKind, int] = {"erases": 1, "moves": 2}


@dataclass(frozen=True)
class Fix:
    """How findings are mended: by erasing or by moving the operations that the tuples of `relation` name."""

    kind: FixKind
    relation: str


@dataclass(frozen=True)
class FindingKind:
    """A relation that is marked as a finding. Messages have column names in backticks.

    `stage` is `INPUT`, or the name of the pass before which the relation is derived.
    """

    relation: Relation
    level: Level
    place: int
    message: str
    stage: str = INPUT
    notes: tuple[NoteKind, ...] = ()
    help: str | None = None
    fixes: tuple[Fix, ...] = ()

    @property
    def name(self) -> str:
        """The stable name of the finding: that of the relation."""
        return self.relation.name

    @property
    def description(self) -> str:
        """What the documentation says of a tuple, without the relation's signature."""
        text = " ".join(self.relation.documentation.split())
        return re.sub(rf"^{re.escape(self.name)}\([^)]*\):\s*", "", text)

    @property
    def summary(self) -> str:
        """The first sentence of the description."""
        return re.split(r"(?<=\.)\s", self.description, maxsplit=1)[0]


_MARKS = ("finding", "note", "help", "fix", "decision", "same_buffer")


# ---- reading the marks ----------------------------------------------------------------------------------------------


def declared(program: Program) -> list[FindingKind]:
    """The findings that `program` declares, in the order of their declarations.

    Raises:
        DealogError: with every mark that is wrong.
    """
    faults: list[Diagnostic] = []
    found: list[FindingKind] = []
    for relation in program.relations.values():
        if relation.documentation != relation.doc:
            kind = _Marks(relation, program, faults).read()
            if kind is not None:
                found.append(kind)
    if faults:
        raise DealogError(faults)
    return found


def every_kind(extensions: Extensions) -> list[FindingKind]:
    """The findings that the rules that come with Dealog and those of `extensions` declare.

    Raises:
        DealogError: rule files are wrong, or with every mark that is wrong.
    """
    return extensions.made(_stands_for("kinds"), declared)


def reduced(extensions: Extensions) -> Divided:
    """All rules, reduced to what finds and mends.

    Raises:
        DealogError: as `every_kind` does.
    """

    def outputs(program: Program) -> list[str]:
        return relations_of(declared(program))

    return extensions.reduced(_stands_for("findings"), outputs)


def relations_of(kinds: Iterable[FindingKind]) -> list[str]:
    """The relations that hold the findings of `kinds`, and what mends them."""
    return list(dict.fromkeys(name for kind in kinds for name in (kind.name, *(fix.relation for fix in kind.fixes))))


def _stands_for(what: str) -> str:
    """Changes with the code that reads the marks."""
    from dealog import deallocation, passes

    return f"{what}-{key_of_files([__file__, passes.__file__, deallocation.__file__])}"


class _Marks:
    """Reads the annotations of one relation."""

    def __init__(self, relation: Relation, program: Program, faults: list[Diagnostic]) -> None:
        self.relation, self.program, self.faults = relation, program, faults
        self.columns = [column.name for column in relation.columns]

    def fault(self, place: Position, message: str, hint: str | None = None) -> None:
        self.faults.append(place.error(message, hint))

    def read(self) -> FindingKind | None:
        relation, marks = self.relation, self.relation.annotations
        before = len(self.faults)
        if not marks:
            self.fault(relation.position, f"the marks of {relation.name} have to stand in // lines above it")
        if not relation.documentation:
            hint = f"begin with a sentence: // {relation.name}({', '.join(self.columns)}): ..."
            place = marks[0].position if marks else relation.position
            self.fault(place, "nothing is said of what a tuple means", hint)
        findings = [mark for mark in marks if mark.name == "finding"]
        for mark in marks:
            if mark.name not in _MARKS:
                meant = did_you_mean(f"@{mark.name}", [f"@{name}" for name in _MARKS])
                hint = meant or "there are @finding, @note, @help, @fix and @decision"
                self.fault(_start(mark), f"there is no mark @{mark.name}", hint)
            elif mark.name == "decision":
                self._decision(mark)
            elif mark.name == "same_buffer":
                continue  # for explanations, of the edits alone
            elif not findings:
                self.fault(_start(mark), f"@{mark.name} goes with a @finding, and there is none here")
        once = (("finding", "a relation is one finding, not several"), ("help", "there is a @help before"))
        for what, message in once:
            for mark in [mark for mark in marks if mark.name == what][1:]:
                self.fault(_start(mark), message)
        if not findings:
            return None
        messages = [_Message(self, mark) for mark in marks if mark.name in ("finding", "note", "help")]
        stage = next((x.stage for x in messages if x.mark.name == "finding"), INPUT)
        fixes = tuple(fix for mark in marks if mark.name == "fix" and (fix := self._fix(mark, stage)))
        if len(self.faults) > before:
            return None
        (first,) = (x for x in messages if x.mark.name == "finding")
        notes = tuple(NoteKind(x.place, x.message) for x in messages if x.mark.name == "note")
        help_ = next((x.message for x in messages if x.mark.name == "help"), None)
        return FindingKind(relation, first.level, first.place, first.message, first.stage, notes, help_, fixes)

    def _decision(self, mark: Annotation) -> None:
        """Look at a mark `@decision` or `@decision: TEXT`; see `dealog.asking.reasons`."""
        text = _CONTINUED.sub(lambda m: " " * len(m[0]), mark.position.text)
        said = text.removeprefix("@decision").strip()
        if said and not (said.startswith(":") and said[1:].strip()):
            self.fault(_start(mark), "expected nothing, or a colon and a text", "write @decision: what was decided")
        for match in COLUMN.finditer(text):
            if match[1] not in self.columns:
                hint = did_you_mean(match[1], self.columns) or f"its columns are {', '.join(self.columns)}"
                start, position = match.start(1), mark.position
                place = Position(position.source, position.offset + start, position.offset + match.end(1))
                self.fault(place, f"{self.relation.name} has no column {match[1]}", hint)

    def _fix(self, mark: Annotation, stage: str) -> Fix | None:
        """What a mark `@fix KIND: RELATION` says."""
        match = re.fullmatch(r"@fix\s+(\w+)\s*:\s*(\w+)\s*", _CONTINUED.sub(" ", mark.position.text))
        hint: str | None
        if match is None or match[1] not in get_args(FixKind):
            hint = "write @fix erases: RELATION or @fix moves: RELATION"
            self.fault(_start(mark), "this does not say how the finding is mended", hint)
            return None
        kind: FixKind = "erases" if match[1] == "erases" else "moves"
        relation = self.program.relations.get(match[2])
        if relation is None:
            hint = did_you_mean(match[2], self.program.relations)
            self.fault(_start(mark), f"there is no relation {match[2]}", hint)
            return None
        own, other = self.relation.columns, relation.columns
        further = other[len(own) :]
        fits = [c.type for c in other[: len(own)]] == [c.type for c in own] and len(further) == _FIX_COLUMNS[kind]
        if not fits or any(column.type != "Operation" for column in further):
            more = "an operation" if kind == "erases" else "two operations: what moves, and to in front of what"
            hint = f"its columns are those of {self.relation.name}, and {more}"
            self.fault(_start(mark), f"the tuples of {relation.name} do not say what {kind}", hint)
            return None
        if stage != INPUT:
            self.fault(_start(mark), "only what is found in the module as it was read can be mended in its text")
            return None
        return Fix(kind, relation.name)

    def is_entity(self, column: int) -> bool:
        """Whether the values of a column have a place in the module."""
        name: str | None = self.relation.columns[column].type
        while name is not None and name not in _ENTITIES:
            stated = self.program.types.get(name)
            name = stated.parent if stated is not None else None
        return name is not None


class _Message:
    """What one mark says: `@finding LEVEL at `column` before PASS: message`, and less for the others."""

    def __init__(self, marks: _Marks, mark: Annotation) -> None:
        self.marks, self.mark = marks, mark
        self.level: Level = "note"
        self.place = 0
        self.stage = INPUT
        self.message = ""
        # signs of comments within it are blanked out, so that places in it are places in the file
        self.text = _CONTINUED.sub(lambda m: " " * len(m[0]), mark.position.text)
        self.at = len(f"@{mark.name}")
        self.read()

    def read(self) -> None:
        name, columns = self.mark.name, self.marks.columns
        if name == "finding":
            level = self.take(r"\w+")
            if level is None or level[0] == "at":
                return self.fault("the severity is missing", f"it is one of {', '.join(LEVELS)}")
            if level[0] not in LEVELS:
                hint = did_you_mean(level[0], LEVELS) or f"it is one of {', '.join(LEVELS)}"
                return self.fault(f"there is no severity {level[0]}", hint, level)
            self.level = next(known for known in LEVELS if known == level[0])
        if name != "help":
            column = self.take(r"at\s+`([^`]*)`")
            if column is None:
                example = next((c for i, c in enumerate(columns) if self.marks.is_entity(i)), "column")
                return self.fault("it is not said where this is", f"name the column: at `{example}`")
            if column[1] not in columns:
                hint = did_you_mean(column[1], columns) or f"its columns are {', '.join(columns)}"
                return self.fault(f"{self.marks.relation.name} has no column {column[1]}", hint, column, 1)
            self.place = columns.index(column[1])
            if not self.marks.is_entity(self.place):
                type_ = self.marks.relation.columns[self.place].type
                hint = "an Operation, a Block, a Value or a Function has one"
                return self.fault(f"the column {column[1]} is a {type_}, which has no place", hint, column, 1)
        if name == "finding" and (before := self.take(r"before\s+([\w:-]+[\w-])")) is not None:
            passes = _pass_names()
            if before[1] not in passes:
                hint = did_you_mean(before[1], passes) or f"its passes are {', '.join(passes)}"
                return self.fault(f"'dealog dealloc' has no pass {before[1]}", hint, before, 1)
            self.stage = before[1]
        if self.take(":") is None:
            return self.fault("expected a colon and a message")
        self.message = " ".join(self.text[self.at :].split())
        if not self.message:
            return self.fault("the message is missing")
        for match in COLUMN.finditer(self.text, self.at):
            if match[1] not in columns or name == "help":
                hint = did_you_mean(match[1], columns) or f"its columns are {', '.join(columns)}"
                if name == "help":
                    hint = "it is the same for all findings of its kind"
                message = f"{self.marks.relation.name} has no column {match[1]}"
                self.fault(message if name != "help" else "a @help cannot speak of a column", hint, match, 1)

    def take(self, pattern: str) -> re.Match[str] | None:
        """What comes next, if it is `pattern`."""
        match = re.compile(rf"\s*(?:{pattern})").match(self.text, self.at)
        if match is None:
            return None
        start = match.start() + len(match[0]) - len(match[0].lstrip())
        match = re.compile(pattern).match(self.text, start)
        assert match is not None
        self.at = match.end()
        return match

    def fault(self, message: str, hint: str | None = None, at: re.Match[str] | None = None, group: int = 0) -> None:
        """Report a fault at a group of the match `at`, or else where reading has come to."""
        if at is not None:
            start, end = at.span(group)
        else:
            start = end = self.at
            if (rest := re.compile(r"\s*(?=\S)").match(self.text, self.at)) is not None:
                start = end = rest.end()
        position = self.mark.position
        self.marks.fault(Position(position.source, position.offset + start, position.offset + end), message, hint)


def _start(mark: Annotation) -> Position:
    position = mark.position
    return Position(position.source, position.offset, position.offset + len(mark.name) + 1)


def _pass_names() -> list[str]:
    from dealog.asking.stage import stage_names
    from dealog.deallocation import every_deallocation

    return list(dict.fromkeys(name for each in every_deallocation() for name in stage_names(each.steps())))
