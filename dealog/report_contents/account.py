"""Collects a report on a run of the deallocation: text, decisions with their proofs, functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dealog.asking.annotate import annotate
from dealog.asking.reasons import Decision, Entity, Reasons
from dealog.asking.stage import Stage, stages
from dealog.checking.findings import every_kind
from dealog.checking.run import find
from dealog.explain.proof import Aggregated, Derivation, GroundAtom, faults, walk
from dealog.explain.words import where
from dealog.extensions import Extensions
from dealog.frontend import Block, Module, Operation, Value
from dealog.pipeline import Engine, Step
from dealog.report import model
from dealog.report_contents.functions import COUNTED, Analysis, analyse, counted, tell
from dealog.report_contents.plans import placed, planned
from dealog.report_contents.text import Text, lay_out

_RANGED = 8  # of what an aggregate ranges over, this many facts are shown


def report_on(module: Module, steps: Sequence[Step], engine: Engine, extensions: Extensions) -> model.Report:
    """Run `steps` on `module`, in place, and collect what was decided and why.

    Raises `DealogError` as `dealog.pipeline.run` does.
    """
    found, proofs = Reasons(module), _Proofs()
    analysis = Analysis()
    plans: dict[Operation, model.Plan] = {}
    listed: list[model.Stage] = []
    goals: list[tuple[int, int]] = []  # of each decision, its stage and step
    documented: dict[str, str] = {}
    lines: dict[int, list[int]] = defaultdict(list)  # decisions by the line of the source
    for number, stage in enumerate(found.follow(stages(module, steps, engine, extensions), every=True)):
        analysis = analyse(stage, extensions) or analysis
        plans |= planned(stage)
        proofs.enter(stage)
        decided = found.decisions[len(goals) :]
        goals += [(number, step) for step in proofs.prove([decision.fact for decision in decided])]
        for decision in decided:
            for line in _lines(decision, module):
                lines[line].append(decision.number)
        documented |= {r.name: r.doc for r in stage.program.relations.values() if r.name in proofs.relations}
        listed.append(_stage(stage, steps[number]))
    annotate(module, found)
    comments = {op: op.comment for op in module.walk() if op.inserted and op.comment is not None}
    text = lay_out(module, comments)
    functions = dict(tell(analysis, text))
    for op, plan in plans.items():
        if op in functions:
            functions[op] = replace(functions[op], plan=placed(plan, text))
    numbers = {op: i for i, op in enumerate(functions)}
    decisions = tuple(
        model.Decision(stage, step, decision.carrying, _function(decision, numbers))
        for decision, (stage, step) in zip(found.decisions, goals, strict=True)
    )
    return model.Report(
        name=module.source.name,
        rows=tuple(_rows(module, text, found, lines)),
        stages=tuple(listed),
        decisions=decisions,
        steps=tuple(proofs.steps),
        counts=_counts(module, analysis, text),
        extensions=tuple(path.name for path in (*extensions.dialects, *extensions.rules)),
        relations=dict(sorted(documented.items())),
        functions=tuple(functions.values()),
    )


def findings_in(
    module: Module, steps: Sequence[Step], engine: Engine, extensions: Extensions, shown: model.Report
) -> list[model.Finding]:
    """What `dealog check` finds in `module`, with the rows where that stands in the report `shown` on the same text.

    It runs `steps` on `module`, in place. Raises `DealogError` as `dealog.checking.run.find` does.
    """
    rows = {row.source: i for i, row in reversed(list(enumerate(shown.rows))) if row.source is not None}
    found, _ = find(module, every_kind(extensions), steps, engine, extensions)
    out = []
    for finding in found:
        line = module.source.position(finding.spot.offset)[0]
        out.append(model.Finding(finding.kind.level, finding.kind.name, finding.message, line, rows.get(line)))
    return out


def _stage(stage: Stage, step: Step) -> model.Stage:
    return model.Stage(stage.name, step.pass_.summary, tuple(sorted(step.options.items())), stage.idle)


# --------------------------------------------------------------------------------------------- proofs


class _Proofs:
    """The steps of all proofs; what several need stands there once."""

    def __init__(self) -> None:
        self.steps: list[model.Step] = []
        self.relations: set[str] = set()
        self._numbers: dict[GroundAtom, int] = {}  # of this stage

    def enter(self, stage: Stage) -> None:
        """What is proved next is proved at `stage`."""
        self._stage = stage
        self._numbers = {}
        self._stated = {(fact.relation, fact.values): fact.position for fact in stage.program.facts}

    def prove(self, facts: Sequence[GroundAtom]) -> list[int]:
        """The numbers of the steps that prove `facts`. Every step is looked at again before it is shown."""
        if not facts:
            return []
        found = self._stage.prover.prove_all(facts)
        for fault in faults(found, self._stage.program, self._stage.database):
            raise AssertionError(f"a proof that is none: {fault}")
        for each in walk(found):
            self._numbers[each] = len(self.steps)
            self.steps.append(self._step(each, found.steps[each]))
            self.relations.add(each.relation)
        return [self._numbers[fact] for fact in facts]

    def _step(self, fact: GroundAtom, derivation: Derivation | None) -> model.Step:
        words = self._stage.words.within([fact.values])
        says = words.fact(*fact)
        if derivation is None:
            if fact in self._stated:
                return model.Step(fact.relation, says, False, where(self._stated[fact]))
            place = words.place(fact.values)
            if place is None:
                return model.Step(fact.relation, says, False)
            return model.Step(fact.relation, says, False, "", place.line, place.made_by or "")
        premises: list[int | model.Premise] = []
        for premise in derivation.premises:
            if isinstance(premise, GroundAtom):
                premises.append(self._numbers[premise])
            elif isinstance(premise, Aggregated):
                over = tuple(self._numbers[f] for f in premise.facts[:_RANGED])
                premises.append(model.Premise(words.premise(premise), over))
            else:
                premises.append(model.Premise(words.premise(premise)))
        return model.Step(
            fact.relation, says, True, where(derivation.clause.rule.position), premises=tuple(premises)
        )


# ----------------------------------------------------------------------------------------------- rows


def _lines(decision: Decision, module: Module) -> list[int]:
    """The lines of the source that a decision is about something on."""
    found: set[int] = set()
    for entity in decision.entities:
        found.update(module.source.position(offset)[0] for offset in _offsets(entity) if offset >= 0)
    return sorted(found)


def _offsets(entity: Entity) -> list[int]:
    """Where an entity stands; a block at its label and where it is left, what was added to something there."""
    if isinstance(entity, Value):
        return [entity.offset] if entity.offset >= 0 else _offsets(entity.owner)
    if isinstance(entity, Block):
        last = entity.operations[-1] if entity.operations else None
        return [entity.offset if entity.label else -1, last.offset if last is not None else -1]
    return [entity.offset if entity.parent is not None else -1]


def _rows(
    module: Module, text: Text, reasons: Reasons, lines: Mapping[int, Sequence[int]]
) -> list[model.Row]:
    """The rows with the decisions about each; how a decision was carried out is only shown where nothing else is."""
    every = reasons.decisions
    headed: dict[int, int] = {}  # lines of operations that have changed: the first line of the innermost
    position = module.source.position
    for op in module.walk():
        if op.edits is not None:
            first = position(op.offset)[0]
            headed.update((line, first) for line in range(first + 1, position(op.end)[0] + 1))
    out = []
    for number, row in enumerate(text.rows):
        if number in text.operations:
            found = [d.number for d in reasons.of.get(text.operations[number], ())]
        else:
            found = list(lines.get(row.source, ())) if row.source is not None else []
            if not found and row.kind != "same" and row.source in headed:
                found = list(lines.get(headed[row.source], ()))
            found = [n for n in found if not every[n].carrying] or (found if row.kind != "same" else [])
        out.append(replace(row, decisions=tuple(dict.fromkeys(found))))
    return out


def _function(decision: Decision, functions: Mapping[Operation, int]) -> int | None:
    """The number of the function that a decision is about."""
    for entity in decision.entities:
        op: Operation | None
        owner = entity.owner if isinstance(entity, Value) else entity
        op = owner.parent_op if isinstance(owner, Block) else owner
        while op is not None and op not in functions:
            op = op.parent
        if op is not None:
            return functions[op]
    return None


# -------------------------------------------------------------------------------------------- summary


def _counts(module: Module, analysis: Analysis, text: Text) -> tuple[model.Count, ...]:
    found = counted(module.walk(), analysis)
    return tuple(
        model.Count(name, len(ops), COUNTED[name][1], tuple(r for op in ops if (r := text.of(op)) is not None))
        for name, ops in found.items()
    )
