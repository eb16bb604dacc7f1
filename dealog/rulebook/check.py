"""Checks rule files: everything that is wrong with them, or else what is probably not meant."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dealog.diagnostics import DealogError, Diagnostic, plural
from dealog.extensions import Extensions

if TYPE_CHECKING:
    from dealog.engine import Program


@dataclass(frozen=True)
class Report:
    """What there is to say about rule files: `diagnostics`, and in one line what is in the files."""

    diagnostics: tuple[Diagnostic, ...]
    summary: str

    @property
    def wrong(self) -> bool:
        """Whether any of it is an error."""
        return any(d.severity == "error" for d in self.diagnostics)


def check(files: Sequence[Path], extensions: Extensions) -> Report:
    """Check `files` together, on top of `extensions` and of the rules that come with Dealog.

    Warnings are given once there are no errors, as a mistake can look like several.
    """
    every = replace(extensions, rules=(*extensions.rules, *files))
    try:
        program = every.everything()
        _check_findings(program)
        for pass_ in every.passes.values():
            every.program(pass_.program)
    except DealogError as error:
        return Report(error.diagnostics, _counted(error.diagnostics))
    from dealog.engine.lint import warnings

    real = {os.path.realpath(file) for file in files}
    names = {source.name for source in program.sources if os.path.realpath(source.name) in real}
    found = (*warnings(program, names), *_doubtful(program, every, names))
    relations = sum(r.position.file in names for r in program.relations.values())
    clauses = sum(rule.position.file in names for rule in program.rules)
    clauses += sum(fact.position.file in names for fact in program.facts)
    inside = f"{plural(len(files), 'file')}, {plural(relations, 'relation')}, {plural(clauses, 'clause')}"
    return Report(found, f"{inside}: {_counted(found)}")


def _check_findings(program: Program) -> None:
    from dealog.checking.findings import declared

    declared(program)


def _doubtful(program: Program, extensions: Extensions, files: Collection[str]) -> Iterator[Diagnostic]:
    """Warnings about what is stated in `files` on operations, as `doubtful_statements.dl` derives them."""
    from dealog.engine import solve

    derived = solve(extensions.program("doubtful_statements"), {}, outputs=("doubtful_statement",))
    for relation, name, message, advice in sorted(derived["doubtful_statement"]):
        facts, rules = program.facts_of.get(str(relation), ()), program.rules_of[str(relation)]
        places = [each.position for each in facts if each.position.file in files and name in each.values]
        places += [each.position for each in rules if each.position.file in files]
        if places:
            yield places[0].warning(str(message), str(advice) or None)


def _counted(diagnostics: Sequence[Diagnostic]) -> str:
    errors = sum(d.severity == "error" for d in diagnostics)
    warnings = sum(d.severity == "warning" for d in diagnostics)
    if errors:
        return plural(errors, "error")
    return f"no errors, {plural(warnings, 'warning')}" if warnings else "no errors"
