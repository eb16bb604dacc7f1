"""What relations there are: their declarations, what derives and what uses them, and which passes they are part of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dealog import rules
from dealog.diagnostics import DealogError, Diagnostic, did_you_mean
from dealog.engine.program import body_relations
from dealog.extensions import Extensions
from dealog.files import shown
from dealog.passes import INSIDE_PIPELINES, PASSES

if TYPE_CHECKING:
    from dealog.engine import Fact, Position, Program, Relation, Rule

Kind = Literal["input", "stated", "derived", "output"]
KINDS: Mapping[Kind, str] = {
    "input": "a fact about the module",
    "stated": "stated in the rule files",
    "derived": "derived",
    "output": "derived, and carried out",
}


def place(position: Position) -> str:
    """`position` as a user can open it: files that come with Dealog by their name in `rules/`, others by their
    path."""
    return f"{file_name(position.file)}:{position.line}"


def file_name(path: str) -> str:
    """The name of a rule file; for one that comes with Dealog, within its folder `rules/`."""
    try:
        return f"rules/{Path(path).resolve().relative_to(rules.folder().resolve()).as_posix()}"
    except ValueError:
        return shown(path)


@dataclass(frozen=True)
class Entry:
    """A relation and its surroundings.

    `stratum` counts from 0 in the order of evaluation; `circle` are the relations that it is recursive with,
    itself included (empty, if it is not recursive). `takes_part` names the passes whose outputs rest on it,
    `output_of` those that it is an output of.
    """

    relation: Relation
    kind: Kind
    rules: tuple[Rule, ...]
    facts: tuple[Fact, ...]
    reads: tuple[str, ...]
    used_by: tuple[str, ...]
    takes_part: tuple[str, ...]
    output_of: tuple[str, ...]
    stratum: int
    circle: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the relation."""
        return self.relation.name

    @property
    def file(self) -> str:
        """The rule file that declares it."""
        return file_name(self.relation.position.file)

    @property
    def sentence(self) -> str:
        """The documentation without the signature that it starts with, on one line."""
        text = " ".join(self.relation.documentation.split())
        columns = ", ".join(column.name for column in self.relation.columns)
        return text.removeprefix(f"{self.name}({columns}):").strip()


class Catalog:
    """Every relation of the rules that come with Dealog and of `extensions`, in the order of the files.

    Raises `DealogError` for rule files that are wrong.
    """

    def __init__(self, extensions: Extensions) -> None:
        self.extensions = extensions
        self.program: Program = extensions.everything()
        self._every = (*PASSES.values(), *INSIDE_PIPELINES, *extensions.passes.values())

    def pass_program(self, name: str) -> Program:
        """The rules of the pass `name`. Raises `DealogError` for a pass that does not exist."""
        for pass_ in self._every:
            if pass_.name == name:
                return self.extensions.program(pass_.program)
        names = [pass_.name for pass_ in self._every]
        hint = did_you_mean(name, names) or f"the passes are: {', '.join(names)}"
        raise DealogError(Diagnostic(f"there is no pass '{name}'", hint=hint))

    def known(self, name: str) -> str:
        """`name`, if it is a relation. Raises `DealogError` if it is not."""
        if name not in self.program.relations:
            hint = did_you_mean(name, self.program.relations) or "'dealog rules list' shows all"
            raise DealogError(Diagnostic(f"there is no relation {name}", hint=hint))
        return name

    def entry(self, name: str) -> Entry:
        """The relation `name`. Raises `DealogError` if there is none."""
        program = self.program
        relation = program.relations[self.known(name)]
        derived_by = program.rules_of[name]
        facts = self._facts.get(name, ())
        takes_part = tuple(pass_ for pass_, (needed, _) in self._passes.items() if name in needed)
        output_of = tuple(pass_ for pass_, (_, outputs) in self._passes.items() if name in outputs)
        kind: Kind = "derived"
        if relation.is_input:
            kind = "input"
        elif output_of:
            kind = "output"
        elif facts and not derived_by:
            kind = "stated"
        stratum, members = self._strata[name]
        recursive = len(members) > 1 or program.dependencies.has_edge(name, name)
        return Entry(
            relation,
            kind,
            derived_by,
            facts,
            tuple(dict.fromkeys(used for rule in derived_by for used, _, _ in body_relations(rule))),
            tuple(self._users.get(name, ())),
            takes_part,
            output_of,
            stratum,
            tuple(sorted(members)) if recursive else (),
        )

    def matching(self, pattern: str | None) -> list[Entry]:
        """The relations whose names match `pattern`, as in a shell; a pattern without `*`, `?` and `[` may be any part
        of the name of a relation or of its file. Raises `DealogError` if there are none."""
        found = []
        for name, relation in self.program.relations.items():
            file = Path(relation.position.file).name
            if pattern is None:
                chosen = True
            elif set(pattern) & set("*?["):
                chosen = fnmatchcase(name, pattern)
            else:
                chosen = pattern in name or pattern in file
            if chosen:
                found.append(self.entry(name))
        if not found:
            hint = did_you_mean(str(pattern), self.program.relations) or "'dealog rules list' shows all"
            raise DealogError(Diagnostic(f"no relation and no file matches '{pattern}'", hint=hint))
        return found

    @cached_property
    def _passes(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """For each pass, the relations it rests on and its outputs."""
        found = {}
        for pass_ in self._every:
            program = self.extensions.program(pass_.program)
            outputs = [relation.name for relation in program.outputs]
            found[pass_.name] = (program.needed_for(outputs), frozenset(outputs))
        return found

    @cached_property
    def _facts(self) -> dict[str, tuple[Fact, ...]]:
        found: dict[str, list[Fact]] = {}
        for fact in self.program.facts:
            found.setdefault(fact.relation, []).append(fact)
        return {name: tuple(facts) for name, facts in found.items()}

    @cached_property
    def _users(self) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        for rule in self.program.rules:
            for used, _, _ in body_relations(rule):
                found.setdefault(used, {}).update(dict.fromkeys(head.relation for head in rule.heads))
        return found

    @cached_property
    def _strata(self) -> dict[str, tuple[int, frozenset[str]]]:
        return {name: (i, stratum) for i, stratum in enumerate(self.program.strata) for name in stratum}

    def heading(self, path: str) -> str:
        """What the comment at the top of a rule file says, up to its first full stop or empty line."""
        (text,) = (source.text for source in self.program.sources if source.name == path)
        lines: list[str] = []
        for line in text.split("\n"):
            stripped = line.strip()
            if not stripped.startswith("//") or (lines and not stripped.strip("/ ")):
                break
            lines.append(stripped.lstrip("/ "))
        head, stop, _ = " ".join(lines).partition(". ")
        return head + stop.strip()


def by_file(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """`entries` by the file that declares them, in their order."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.relation.position.file, []).append(entry)
    return found
