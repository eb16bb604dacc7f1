"""Every inserted operation rests on decisions about it, and each of these has a proof down to what is given."""

import json
import re

import pytest

from dealog.asking.reasons import Reasons, origin
from dealog.asking.stage import stages
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import Operation, parse
from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, expand
from dealog.report.model import Premise
from tests.support.dealog import command
from tests.support.nightly import nightly, one_in

from .page import CORPUS, EXAMPLES, PAGES, SELECT, data, page_of, report, report_of, text_of

DYNAMIC = "private-function-dynamic-ownership"
EMBEDDED = Engine("embedded")


def reasons(text: str, options: str = "") -> tuple[Reasons, list[Operation]]:
    """What operations rest on, and what the passes inserted."""
    module = parse(text)
    found = Reasons(module)
    for _ in found.follow(stages(module, expand(DEALLOCATION, options), EMBEDDED, NO_EXTENSIONS)):
        pass
    return found, [op for op in module.walk() if op.inserted]


@pytest.mark.parametrize("options", ["", pytest.param(DYNAMIC, marks=nightly)])
@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES, *CORPUS]), ids=lambda p: p.stem)
def test_every_line_that_was_inserted_changed_or_removed_has_a_decision(path, options):
    shown = report_of(path, options)
    rows = [row for row in shown.rows if row.kind != "same"]
    assert rows, "nothing happens here"
    assert [row.text for row in rows if not row.decisions] == []
    assert all(0 <= number < len(shown.decisions) for row in shown.rows for number in row.decisions)


@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES, *CORPUS]), ids=lambda p: p.stem)
def test_proofs_go_down_to_what_is_given(path):
    shown = report_of(path)
    lines = len(path.read_text().splitlines())
    for number, step in enumerate(shown.steps):
        assert step.says and step.relation in shown.relations
        assert step.line is None or 1 <= step.line <= lines
        if step.derived:
            assert re.fullmatch(r"\w+\.dl:\d+", step.rule)
        else:
            assert not step.premises
        for premise in step.premises:
            below = premise.steps if isinstance(premise, Premise) else (premise,)
            assert all(0 <= each < number for each in below)  # so no proof rests on itself
    assert all(shown.steps[d.step].derived for d in shown.decisions)


@pytest.mark.parametrize("path", one_in(3, PAGES), ids=lambda p: p.stem)
def test_the_data_of_the_page_is_the_report(path):
    shown, loaded = report_of(path), data(page_of(path))
    assert [text_of(loaded, step[1]) for step in loaded["steps"]] == [step.says for step in shown.steps]
    assert [text_of(loaded, step[2]) for step in loaded["steps"] if step[2] >= 0] == [
        step.rule for step in shown.steps if step.rule
    ]
    assert [d[1] for d in loaded["decisions"]] == [d.step for d in shown.decisions]
    rows = {i: list(row.decisions) for i, row in enumerate(shown.rows) if row.decisions}
    assert {int(i): loaded["lists"][k] for i, k in loaded["rows"].items()} == rows
    premises = [
        [p if isinstance(p, int) else (p.says, *p.steps) for p in step.premises] for step in shown.steps if step.derived
    ]
    encoded = [
        [p if isinstance(p, int) else (text_of(loaded, p[0]), *p[1:]) for p in step[5]]
        for step in loaded["steps"]
        if len(step) > 5
    ]
    assert encoded == premises


@pytest.mark.parametrize("name", ["mlp", "resnet_small", "transformer"])
def test_a_deallocation_rests_on_what_was_decided_about_its_buffer_alone(name):
    (path,) = (p for p in EXAMPLES if p.stem == name)
    found, inserted = reasons(path.read_text())
    deallocs = [op for op in inserted if op.name == "memref.dealloc"]
    assert deallocs
    for op in deallocs:
        (freed,) = (d for d in found.of[op] if d.fact.relation == "freed_if")
        assert freed.fact.values[1] == f"@forward/{op.operands[0].name}"
        assert op.operands[0] in {b for d in found.of[op] for b in d.buffers}


def relations(text: str, name: str) -> list[tuple[list[str], set[str]]]:
    """Of each inserted operation called `name`: its operands' buffers, and the relations that it rests on."""
    found, inserted = reasons(text)
    return [
        ([origin(v).name for v in op.operands], {d.fact.relation for d in found.of[op] if not d.carrying})
        for op in inserted
        if op.name == name and op.parent.name == "func.func" and not op.parent.inserted
    ]


def test_what_run_time_checks_rest_on():
    for buffers, rests_on in relations(SELECT, "arith.cmpi"):
        assert buffers == ["%alloc", "%select"]
        assert rests_on >= {"freed_if", "retained", "retains_for", "lowering"}
    ((_, negation),) = relations(SELECT, "arith.xori")
    assert negation == {"edge_condition", "freed_if"}
    ((_, choice),) = relations(SELECT, "arith.select")
    assert choice >= {"ends_with_choice", "retained"}


def test_conditions_of_other_blocks_are_left_out():
    text = """\
func.func @f(%c: i1) {
  %z = arith.constant 0 : index
  %v = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<1xf32>
  cf.cond_br %c, ^l0, ^r0
^l0:
  %b = memref.alloc() : memref<1xf32>
  cf.br ^j(%b : memref<1xf32>)
^r0:
  cf.br ^j(%a : memref<1xf32>)
^j(%p: memref<1xf32>):
  memref.store %v, %p[%z] : memref<1xf32>
  cf.cond_br %c, ^l1, ^r1
^l1:
  cf.br ^e
^r1:
  memref.store %v, %p[%z] : memref<1xf32>
  cf.br ^e
^e:
  return
}
"""
    found, inserted = reasons(text)
    negations = [op for op in inserted if op.name == "arith.xori"]
    assert negations
    for op in negations:
        blocks = {d.fact.values[0] for d in found.of[op] if d.fact.relation == "edge_condition"}
        assert len(blocks) == 1


def test_clones_rest_on_what_is_returned():
    text = "func.func @f(%m: memref<2xf32>) -> memref<2xf32> {\n  return %m : memref<2xf32>\n}\n"
    found, inserted = reasons(text)
    assert {op.name for op in inserted} == {"memref.alloc", "memref.copy"}
    for op in inserted:
        assert {d.fact.relation for d in found.of[op]} >= {"cloned", "clone_lowering"}


def test_the_helper_function_is_decided_as_a_whole_and_its_calls_one_by_one():
    found, inserted = reasons(SELECT)
    (helper,) = (op for op in inserted if op.name == "func.func")
    assert all({d.fact.relation for d in found.of[op]} == {"helper_function"} for op in helper.walk() if not op.elided)
    calls = [op for op in inserted if op.name == "func.call"]
    assert calls and all("needs_helper" in {d.fact.relation for d in found.of[op]} for op in calls)


def test_proofs_are_those_of_why(tmp_path):
    path = tmp_path / "select.mlir"
    path.write_text(SELECT)
    shown = report(SELECT)
    run = command("why", path, "freed_if(^bb0, %alloc, _)", "--format", "json")
    ((proof,),) = [stage["proofs"] for stage in json.loads(run.out)]
    (goal,) = (
        d.step
        for d in shown.decisions
        if shown.steps[d.step].relation == "freed_if" and "%alloc is freed" in shown.steps[d.step].says
    )
    below, work = set(), [goal]
    while work:
        step = work.pop()
        if step not in below:
            below.add(step)
            for premise in shown.steps[step].premises:
                work += premise.steps if isinstance(premise, Premise) else [premise]
    assert {shown.steps[i].says for i in below} == {step["says"] for step in proof["steps"]}
    assert shown.steps[goal].rule == proof["steps"][0]["rule"]


def test_what_is_proved_together_is_proved_as_it_is_alone():
    from dealog.explain.proof import GroundAtom, faults

    for stage in stages(parse(SELECT), expand(DEALLOCATION), EMBEDDED, NO_EXTENSIONS):
        outputs = [relation.name for relation in stage.program.outputs]
        stage.require(outputs)
        facts = [GroundAtom(name, row) for name in outputs for row in stage.database.tuples(name)]
        together = stage.prover.prove_all(facts)
        assert list(faults(together, stage.program, stage.database)) == []
        for fact in facts:
            assert together.heights[fact] == stage.prover.prove(fact).height


def test_what_does_not_hold_is_not_proved():
    from dealog.explain.proof import GroundAtom

    stage = next(iter(stages(parse(SELECT), expand(DEALLOCATION)[1:], EMBEDDED, NO_EXTENSIONS)))
    stage.require(["freed_if"])
    holds = GroundAtom("freed_if", ("@f/^bb0", "@f/%alloc", "true"))
    with pytest.raises(ValueError, match="does not hold"):
        stage.prover.prove_all([holds, GroundAtom("freed_if", ("@f/^bb0", "@f/%alloc", "false"))])
