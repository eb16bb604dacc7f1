"""Finds the stage of the pipeline at which a question about a module is to be answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from dealog.asking.stage import (
    INPUT,
    Stage,
    about_value,
    deciding,
    decisions,
    input_stage,
    on_line,
    stage_called,
    stage_names,
    stages,
    undecided,
)
from dealog.deallocation import DEFAULT_DEALLOCATION, Deallocation, every_deallocation
from dealog.diagnostics import DealogError, Diagnostic, did_you_mean
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.passes import PASSES
from dealog.pipeline import Engine, Step, make_steps

if TYPE_CHECKING:
    from dealog.explain.proof import GroundAtom
    from dealog.explain.tree import Line
    from dealog.frontend import Module


class Collector(Protocol):
    """Takes facts while the stages they belong to last; `shown` is how many it has."""

    @property
    def shown(self) -> int:
        """How many facts are shown so far."""

    def add(self, stage: Stage, facts: list[GroundAtom], limit: int | None = ...) -> None:
        """Take in `facts` that hold at `stage`, `limit` of them at most."""


def steps_for(name: str | None, deallocation: Deallocation, extensions: Extensions) -> list[Step]:
    """The passes of `deallocation`, or of the pipeline that has the pass called `name`; any other pass is alone."""
    steps = deallocation.steps()
    if name is None or name in stage_names(steps):
        return steps
    for other in every_deallocation():
        if name in stage_names(other.steps()):
            return other.steps()
    return make_steps(name, declared=extensions.passes) if name in PASSES or name in extensions.passes else steps


def check_pass(name: str | None, steps: list[Step]) -> None:
    """Raise `DealogError` where none of `steps` is called `name`."""
    names = stage_names(steps)
    if name is not None and name not in names:
        others = [other for each in every_deallocation() for other in stage_names(each.steps())]
        hint = did_you_mean(name, list(dict.fromkeys([*names, *others]))) or f"its passes are: {', '.join(names)}"
        raise DealogError(Diagnostic(f"'dealog dealloc' has no pass '{name}'", hint=hint))


def heading(stage: Stage) -> str:
    """What stands above answers at `stage`."""
    if stage.name == INPUT:
        return "in the input:"
    return f"in the pass {stage.name}{' (it refuses the module, so none of this is done)' if stage.refuses else ''}:"


class Session:
    """A module that is asked about, and the pipeline it goes through. A question about a later stage runs the passes
    on the module, so each session answers one."""

    def __init__(
        self,
        module: Module,
        engine: Engine,
        extensions: Extensions = NO_EXTENSIONS,
        deallocation: Deallocation = DEFAULT_DEALLOCATION,
        pass_name: str | None = None,
    ) -> None:
        """Raises `DealogError` where there is no pass called `pass_name`."""
        self.module, self.engine, self.extensions = module, engine, extensions
        self.steps = steps_for(pass_name, deallocation, extensions)
        self.pass_name = pass_name
        check_pass(pass_name, self.steps)

    def input(self) -> Stage:
        """The module as it is, under all rules."""
        options = {name: value for step in self.steps for name, value in step.options.items()}
        return input_stage(self.module, options, self.engine, self.extensions)

    def chosen(self) -> Stage | None:
        """The stage that --pass names."""
        if self.pass_name is None:
            return None
        return stage_called(self.pass_name, self.module, self.steps, self.engine, self.extensions)

    def _candidates(self, text: str) -> Iterator[Stage]:
        """The stages at which a fact may be asked for: those of the passes that decide by its relation; if
        there is none, the one at which it is a finding, or the module as it is."""
        from dealog.checking.run import stage_for

        chosen = self.chosen()
        if chosen is not None:
            yield chosen
            return
        relation = re.match(r"\s*(\w+)", text)
        found = False
        if relation is not None and self._decides(relation[1]):
            for stage in stages(self.module, self.steps, self.engine, self.extensions):
                if relation[1] in {r.name for r in stage.deciding}:
                    found = True
                    yield stage
        if not found:
            name = relation[1] if relation is not None else ""
            yield stage_for(name, self.module, self.steps, self.engine, self.extensions) or self.input()

    def _decides(self, relation: str) -> bool:
        """Whether some pass decides by `relation`."""
        programs = (self.extensions.program(step.pass_.program, ask=True) for step in self.steps)
        return any(relation in {r.name for r in deciding(program)} for program in programs)

    def holding(self, text: str) -> tuple[Stage, list[GroundAtom]]:
        """The first stage at which the fact `text` holds, and the tuples that it describes."""
        errors: list[DealogError] = []
        asked = False
        for stage in self._candidates(text):
            try:
                facts = stage.matching(stage.fact(text))
            except DealogError as error:
                errors.append(error)
                continue
            if facts:
                return stage, facts
            asked = True
        if not asked:
            raise errors[0]
        raise DealogError(Diagnostic(f"{text} does not hold", hint="'dealog why-not' tells why"))

    def absence(self, text: str, depth: int | None) -> Iterator[Line]:
        """Why the fact `text` does not hold, at the first stage that could have it."""
        from dealog.explain.absence import DEPTH, Question
        from dealog.explain.tree import Line, absence

        errors: list[DealogError] = []
        for stage in self._candidates(text):
            try:
                query = stage.fact(text)
            except DealogError as error:
                errors.append(error)
                continue
            if stage.matching(query):
                raise DealogError(Diagnostic(f"{text} holds", hint="'dealog why' tells why"))
            yield Line("", heading(stage))
            patterns = list(query.patterns())
            words = stage.words.within(patterns)
            for pattern in patterns:
                question = Question(query.atom.relation, pattern)
                answer = stage.inquirer.ask(question, DEPTH if depth is None else depth)
                yield from absence(answer, stage.program, words)
            return
        raise errors[0]

    def decided(self, line: int | None, value: str | None, report: Collector, spare: Collector) -> Collector:
        """Give `report` what each pass decided about a line or a value; where that is nothing, `spare` has how
        decisions were carried out there. The one that has something comes back."""
        what = f"line {line}" if line is not None else f"value {value}"
        known = False
        failed: DealogError | None = None
        hints: list[str] = []
        try:
            for stage in stages(self.module, self.steps, self.engine, self.extensions):
                if line is not None:
                    found = on_line(stage, line)
                else:
                    named = [n for n in stage.entities.named(str(value)) if n in stage.facts.values]
                    if not named and not known:
                        self._unknown_value(stage, str(value))
                    found = about_value(stage, named)
                known = known or bool(found)
                if self.pass_name in (None, stage.name) and not stage.idle:
                    values = line is None
                    report.add(stage, decisions(stage, found, values_only=values), limit=None)
                    if not report.shown:
                        facts = decisions(stage, found, values_only=values, bookkeeping=True)
                        spare.add(stage, facts, limit=None)
                        hints += [] if line is not None else undecided(stage, found)
        except DealogError as error:
            failed = error
        shown = report if report.shown else spare
        if failed is not None and not shown.shown:
            raise failed
        if not known:
            raise DealogError(f"nothing stands on {what}")
        if not shown.shown:
            hint = "; ".join(dict.fromkeys(hints)) or None
            raise DealogError(Diagnostic(f"nothing was decided about {what}", hint=hint))
        return shown

    def _unknown_value(self, stage: Stage, value: str) -> None:
        hint = did_you_mean(value, (n for n in stage.entities.names() if "%" in n))
        raise DealogError(Diagnostic(f"the module has no value {value}", hint=hint))
