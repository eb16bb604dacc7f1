"""Each operation that a pass made or changed holds the edits that did it, and each of these has a proof.

What a pass did is found by looking at the module before and after. To see that this can fail, each output relation of
each pass, and each relation by which it decides, is hidden once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import pytest

from dealog.asking.reasons import decisions_of
from dealog.asking.stage import decisions, on_line, stages
from dealog.explain.proof import GroundAtom, Proofs, faults
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend import Block, parse
from dealog.passes import INSIDE_PIPELINES, PASSES
from tests.support.decisions import Change, Done, Passes
from tests.support.nightly import NIGHTLY, nightly, one_in

from .relations import rules
from .runs import EMBEDDED, PIPELINE, RUNS

MADE_BY = {
    "operand added": {"operand_appended"},
    "operand dropped": {"operand_dropped", "block_inserted"},
    "operand replaced": {"operand_set", "value_replaced", "operand_appended"},
    "result added": {"result_appended"},
    "result dropped": {"result_dropped"},
    "argument added": {"argument_appended", "argument_listed"},
    "argument dropped": {"argument_dropped", "argument_listed"},
    "type grown": {
        "function_result_appended", "argument_appended", "function_result_dropped", "argument_listed",
        "function_result_listed",
    },
    "moved": {"operation_moved"},
    "reordered": {"operation_moved"},
    "renamed": {"operation_renamed"},
    "removed": {"operation_erased"},
}
"""For each kind of change to what is there, the edits that do it; what is inserted may be so by any."""
COUNTED = ("operand added", "result added", "argument added")
GOALS = ("refused", "calls_for")
"""What a pass decides without an edit."""
NO_EDIT = {
    ("ownership-based-buffer-deallocation", "moved_into"),
    ("static-buffer-deallocation", "given_to_taker"),
    ("static-buffer-deallocation", "returned_by_owner"),
    ("buffer-results-to-out-params", "allocated_by_callee"),
    ("buffer-deallocation", "left_by_classic"),
}
"""What is decided where nothing is done: an operation takes the buffer itself, nothing is cloned, an
allocation stays where it is."""


@dataclass(frozen=True)
class Ran:
    """A pass that has run, with the edits that operations hold, proved."""

    done: Done
    proofs: Proofs

    @cached_property
    def resting(self) -> dict[str, list[GroundAtom]]:
        """By relation, the steps of the proofs that have it, or need it."""
        found: dict[str, dict[GroundAtom, None]] = defaultdict(dict)
        for fact, derivation in self.proofs.steps.items():
            for name in {fact.relation, *(f.relation for f in (derivation.needed if derivation else ()))}:
                found[name][fact] = None
        return {name: list(facts) for name, facts in found.items()}

    def missing(self, hidden: str = "") -> Iterator[str]:
        """What is not explained, where the tuples of the relation `hidden` are not known."""
        done = self.done
        if done.refused and hidden == "refused":
            yield "refused"
        removed = {change.op for change in done.changes if change.kind == "removed"}
        counted: Counter[tuple[str, object]] = Counter()
        for change in done.changes:
            if change.kind == "removed" and removed.intersection(change.about[1:]):
                continue  # with what it was part of
            reasons = [name for name, _ in change.edits if name != hidden]
            if change.kind != "inserted":
                reasons = [name for name in reasons if name in MADE_BY[change.kind]]
            counted[change.kind, change.op] += 1
            if len(reasons) < (counted[change.kind, change.op] if change.kind in COUNTED else 1):
                yield str(change)
        yield from self._faults(hidden)

    def _faults(self, hidden: str) -> Iterator[str]:
        """What is wrong with the proofs. Where a relation is hidden, only what has to do with it can be."""
        stage, proofs = self.done.stage, self.proofs
        if not hidden:
            yield from faults(proofs, stage.program, stage.database)
            return
        steps = {fact: proofs.steps[fact] for fact in self.resting.get(hidden, ())}
        kept = list(stage.database.tuples(hidden))
        stage.database.put(hidden, ())
        try:
            yield from faults(Proofs(proofs.goals, steps, proofs.heights), stage.program, stage.database)
        finally:
            stage.database.put(hidden, kept)


@cache
def ran(name: str, folder) -> list[Ran]:
    """Each pass of a run that had something to do."""
    run = RUNS[name]
    extensions = NO_EXTENSIONS
    if run.rules:
        (folder / "added.dl").write_text(run.rules)
        extensions = Extensions((folder / "added.dl",))
    passes = Passes(parse(run.text(), "test.mlir"), run.steps, extensions)
    found = []
    for done in passes:
        if not done.stage.idle:
            held = {GroundAtom(*edit): None for change in done.changes for edit in change.edits}
            for goal in {relation.name for relation in done.stage.program.outputs}.intersection(GOALS):
                held |= {GroundAtom(goal, row): None for row in done.stage.database.tuples(goal)}
            found.append(Ran(done, done.stage.prover.prove_all(list(held))))
    assert [op for op in passes.module.walk() if op.inserted and not op.elided and not passes.reasons.of[op]] == []
    return found


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("rules")


def everyday(names):
    return [pytest.param(name, marks=nightly) if RUNS[name].long else name for name in names]


@pytest.mark.parametrize("name", one_in(8, everyday(RUNS)))
def test_every_change_holds_the_edits_that_made_it(name, folder):
    runs = ran(name, folder)
    assert [missing for run in runs for missing in run.missing()] == []
    assert any(run.done.changes or run.done.refused for run in runs)


DECIDING = (*PASSES.values(), *INSIDE_PIPELINES)
EVERY_DAY = ("static-buffer-deallocation", "ownership-based-buffer-deallocation")


@cache
def outputs() -> list[tuple[str, str]]:
    """Each pass with each of its outputs and of what else it decides. (They are no parameters of a test: every process
    would read all rules for that, before it runs any.)"""
    return [
        (pass_.name, relation)
        for pass_ in DECIDING
        for relation in dict.fromkeys(
            [*(r.name for r in rules(pass_.program).outputs), *decisions_of(rules(pass_.program))]
        )
        if (pass_.name, relation) not in NO_EDIT and relation not in ("advice", "noted")  # words beside a refusal
    ]


@pytest.mark.parametrize("name", [pass_.name for pass_ in DECIDING if NIGHTLY or pass_.name in EVERY_DAY])
def test_what_is_hidden_is_missed(name, folder):
    runs = [key for key, run in RUNS.items() if name in {step.pass_.name for step in run.steps}]
    passes = [each for key in runs if NIGHTLY or not RUNS[key].long for each in ran(key, folder)]
    decided = [each for each in passes if each.done.stage.name.partition(":")[0] == name]
    relations = [relation for pass_, relation in one_in(3, outputs()) if pass_ == name]
    assert [r for r in relations if not any(True for each in decided for _ in each.missing(r))] == []


@pytest.mark.parametrize(
    "name", everyday(["mlp", "resnet_small", "transformer", "branches", "private functions", "regions"])
)
def test_why_has_a_decision_on_every_line_at_which_something_is_done(name):
    run = RUNS[name]
    module = parse(run.text(), "test.mlir")
    offsets: list[int] = []
    for done in Passes(module, run.steps):
        places = done.stage.places
        offsets += [offset(change) for change in done.changes]
    offsets += [places.anchor(op) for op in module.walk() if op.inserted]
    lines = {module.source.position(offset)[0] for offset in offsets if offset >= 0}
    found: set[int] = set()
    for stage in stages(parse(run.text(), "test.mlir"), run.steps, EMBEDDED):
        if not stage.idle:
            here = {line: on_line(stage, line) for line in lines - found}
            found |= {line for line, names in here.items() if decisions(stage, names)}
            found |= {line for line, names in here.items() if decisions(stage, names, bookkeeping=True)}
    assert lines and [module.source.line(line) for line in lines - found] == []


def test_anchors_are_the_same_one_by_one():
    inserted = 0
    for stage in stages(parse(RUNS["regions"].text(), "test.mlir"), PIPELINE, EMBEDDED):
        anchors = stage.places.anchors()
        assert anchors == {op: stage.places.anchor(op) for op in stage.module.walk()}
        inserted = sum(op.inserted for op in anchors)
    assert inserted > 50


def offset(change: Change) -> int:
    """Where that stands in the text which was changed; -1 for what was inserted."""
    first = change.about[0]
    return first.offset if isinstance(first, Block) and first.label else change.op.offset
