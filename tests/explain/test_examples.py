"""Explanation on the real models and on functions that grow: what it looks at is what the answer needs."""

import re

import pytest

from dealog.asking.stage import input_stage
from dealog.explain.absence import Inquirer, Question
from dealog.explain.database import Database
from dealog.explain.proof import GroundAtom, Prover, faults
from dealog.frontend import parse
from dealog.pipeline import Engine

from . import answers
from .relations import EXAMPLES

EMBEDDED = Engine("embedded")


@pytest.mark.parametrize(("name", "every"), [("mlp", 1), ("transformer", 11)])
def test_what_does_not_hold_has_a_reason(name, every):
    stage = input_stage(parse((EXAMPLES / f"{name}.mlir").read_text()), {}, EMBEDDED)
    stage.require(["freed_if", "retained"])
    inquirer = Inquirer(stage.program, stage.database)
    buffers = [value for (value,) in stage.database.tuples("buffer")][::every]
    asked = 0
    for value in buffers:
        for question in (Question("retained", (None, None, value)), Question("freed_if", (None, value, None))):
            if not any(True for _ in inquirer.evaluator.having(question.relation, question.pattern)):
                answer = inquirer.ask(question, 2)
                assert list(answers.faults(answer, stage.program, stage.database)) == []
                asked += 1
    assert asked > 10


def chain(blocks: int) -> str:
    """A buffer that lives through a chain of blocks, in a function that grows with it."""
    lines = ["func.func @f() {", "  %a = memref.alloc() : memref<2xf32>"]
    for i in range(blocks):
        lines += [f"  cf.br ^bb{i + 1}", f"^bb{i + 1}:", f"  %b{i} = memref.alloc() : memref<2xf32>"]
    return "\n".join([*lines, "  memref.copy %a, %a : memref<2xf32> to memref<2xf32>", "  return", "}"])


def test_looking_grows_with_the_proof(monkeypatch):
    seen = []
    lookup = Database.lookup
    monkeypatch.setattr(Database, "lookup", lambda *a: (rows := list(lookup(*a)), seen.append(len(rows)))[0])
    work = []
    for blocks in (20, 80):
        stage = input_stage(parse(chain(blocks)), {}, EMBEDDED)
        stage.require(["live_in"])
        seen.clear()
        stage.prover.prove(GroundAtom("live_in", ("@f/^bb1", "@f/%a")))
        work.append(len(seen) + sum(seen))
    assert work[1] < 5 * work[0]  # with the wrong condition looked up first, 16 times


@pytest.mark.parametrize(
    ("fact", "growth"),
    [
        (("freed_if", ("@f/^bb1", "@f/%b0", "true")), 1.0),  # what is decided in one block asks of no other
        (("live_in", ("@f/^bb1", "@f/%a")), 4.2),  # the proof is as long as the chain
    ],
)
def test_work_grows_with_the_proof_and_not_with_the_function(fact, growth):
    looked_at = []
    for blocks in (20, 80):
        stage = input_stage(parse(chain(blocks)), {}, EMBEDDED)
        stage.require([fact[0]])
        prover = Prover(stage.program, stage.database)
        proof = prover.prove(GroundAtom(*fact))
        assert list(faults(proof, stage.program, stage.database)) == []
        looked_at.append(len(prover._derivations))
    assert looked_at[1] <= growth * looked_at[0]


def test_long_proofs_are_told(dealog, tmp_path):
    path = tmp_path / "chain.mlir"
    path.write_text(chain(300))
    run = dealog("why", path, "live_in(^bb1, %a)", "--depth", 1000)
    assert len(run.out.splitlines()) > 900
    assert re.search(r"rests on \d+ more", dealog("why", path, "live_in(^bb1, %a)").out)
    assert dealog("why", path, "live_in(^bb1, %a)", "--format", "json").status == 0
