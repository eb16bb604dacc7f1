"""Whatever the passes do to a module was decided by them, and whatever they decide has a proof.

Nothing is sampled: all that a pass decided is proved, and every step of the proofs is looked at again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from dealog.asking.provenance import Decision, Entity
from dealog.asking.stage import decisions, on_line, stages
from dealog.explain.proof import faults
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend import Block, parse
from dealog.passes import DEALLOCATION, INSIDE_PIPELINES, PASSES
from dealog.pipeline import Engine, Step, expand, make_steps, parse_pipeline
from tests.support.cases import corpus, examples
from tests.support.decisions import Change, Done, Passes
from tests.support.joined import join

from .relations import rules

EMBEDDED = Engine("embedded")
DYNAMIC = "private-function-dynamic-ownership"
SIMPLIFY, LOWER, CONVERT = (
    "buffer-deallocation-simplification", "bufferization-lower-deallocations", "convert-bufferization-to-memref",
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """A module, the passes that it goes through, and relations that decide something about it, by pass."""

    text: Callable[[], str]
    steps: list[Step]
    shows: dict[str, str]
    rules: str = ""


def model(name: str) -> Callable[[], str]:
    (text,) = (case.text for case in examples() if case.name == name)
    return lambda: text


def files(names: str, folder: str = "") -> Callable[[], str]:
    """What is in some files of the corpus, as one module."""
    return lambda: join(c for name in names.split() for c in corpus(folder) if c.name in (name, *_parts(folder, name)))


def _parts(folder: str, stem: str) -> list[str]:
    return [case.name for case in corpus(folder) if case.name.startswith(f"{stem}-")]


def text(text: str) -> Callable[[], str]:
    return lambda: text


PIPELINE = expand(DEALLOCATION)
ALONE = """\
func.func @same(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) -> (i1, i1) {
  %own:2 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%n, %n : memref<2xf32>, memref<2xf32>)
  return %own#0, %own#1 : i1, i1
}
func.func @never(%m: memref<2xf32>, %n: memref<2xf32>) -> i1 {
  %false = arith.constant false
  %own = bufferization.dealloc (%m : memref<2xf32>) if (%false) retain (%n : memref<2xf32>)
  return %own : i1
}
"""
GIVEN_BACK = """\
func.func private @g(%m: memref<4xf32>, %n: memref<2xf32>) -> (memref<?xf32>, memref<2xf32>) {
  %v = memref.cast %m : memref<4xf32> to memref<?xf32>
  return %v, %n : memref<?xf32>, memref<2xf32>
}
func.func @f(%m: memref<4xf32>, %n: memref<2xf32>) -> (memref<?xf32>, memref<2xf32>) {
  %r:2 = call @g(%m, %n) : (memref<4xf32>, memref<2xf32>) -> (memref<?xf32>, memref<2xf32>)
  return %r#0, %r#1 : memref<?xf32>, memref<2xf32>
}
"""
MANY = """\
func.func @f(%m: memref<2xf32>, %n: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m, %n : memref<2xf32>, memref<2xf32>) if (%c, %c)
  return
}
"""
SHIFTED = """\
func.func @f(%m: memref<2xf32>, %c: i1, %d: i1, %shift: index) {
  %bytes = memref.alloc() : memref<64xi8>
  %v = memref.view %bytes[%shift][] : memref<64xi8> to memref<2xf32>
  memref.copy %m, %v : memref<2xf32> to memref<2xf32>
  %n = memref.alloc() : memref<2xf32>
  memref.copy %m, %n : memref<2xf32> to memref<2xf32>
  %r = arith.select %c, %v, %n : memref<2xf32>
  cf.cond_br %d, ^bb1(%r : memref<2xf32>), ^bb2
^bb1(%p: memref<2xf32>):
  memref.copy %p, %m : memref<2xf32> to memref<2xf32>
  return
^bb2:
  return
}
"""
GIVES = """\
func.func @f(%m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  memref.copy %m, %a : memref<2xf32> to memref<2xf32>
  "db.give"(%a) : (memref<2xf32>) -> ()
  "db.give"(%m) : (memref<2xf32>) -> ()
  return
}
"""

RUNS = {
    "mlp": Run(model("mlp"), PIPELINE, {}),
    "resnet_small": Run(model("resnet_small"), PIPELINE, {}),
    "transformer": Run(model("transformer"), PIPELINE, {}),
    "branches": Run(
        files("branches cond_branches select"),
        PIPELINE,
        {
            "ownership-based-buffer-deallocation": (
                "freed_if retained forwards leaves starts_allocation edge_condition ends_with ends_with_choice selected"
                " cloned grows_argument passes_ownership made_at_start made_behind made_late"
                " argument_appended operand_appended constant_inserted not_inserted and_inserted select_inserted"
                " base_inserted clone_inserted clone_unless_inserted deallocation_inserted deallocation_frees"
                " deallocation_retains"
                " operand_set"
            ),
            SIMPLIFY: (
                "calls_for changes freed freed_always freed_alone left retains_for adds_condition"
                " operation_erased value_replaced constant_inserted any_inserted any_of deallocation_inserted"
                " deallocation_frees deallocation_retains"
            ),
            "fold-inserted-code": (
                "calls_for becomes negated negated_in makes_constant used_constant wants_constant taken_region spared"
                " dropped dropped_operand erased"
                " argument_dropped constant_inserted operand_dropped operation_erased value_replaced xor_inserted"
            ),
            LOWER: (
                "lowering guard result_used needs_helper helper_function"
                " allocation_inserted and_inserted call_inserted call_takes cast_inserted compare_inserted"
                " constant_inserted dealloc_helper_inserted free_if_inserted free_inserted load_inserted name_kept"
                " operation_erased pointer_inserted store_inserted value_replaced"
            ),
            CONVERT: "clone_lowering allocation_inserted copy_inserted name_kept operation_erased value_replaced",
        },
    ),
    "loops": Run(
        files("scf_for scf_while nested"),
        PIPELINE,
        {"ownership-based-buffer-deallocation": "grows_entry grows_result grows_argument result_appended"},
    ),
    "regions": Run(files("scf_if scf_index_switch shape_and_scope"), PIPELINE, {}),
    "calls": Run(
        files("calls returns recursion indirect_calls"),
        PIPELINE,
        {"ownership-based-buffer-deallocation": "made_before"},
    ),
    "private functions": Run(
        files("calls returns recursion"),
        expand(DEALLOCATION, DYNAMIC),
        {
            "ownership-based-buffer-deallocation": (
                "dynamic_ownership grows_function_result function_result_appended"
            ),
        },
    ),
    "memory": Run(
        files("manual_deallocation globals_and_stack unranked_returned views"),
        PIPELINE,
        {
            "ownership-based-buffer-deallocation": "must_not_own assert_inserted",
            "fold-inserted-code": "operation_moved result_dropped",
        },
    ),
    "clones and reallocations": Run(
        files("clones reallocations", "lowering"),
        PIPELINE,
        {
            "expand-realloc": (
                "expansion same_type allocation_inserted allocation_takes compare_inserted constant_inserted"
                " copy_inserted dim_inserted if_inserted name_kept operation_erased resized_inserted subview_inserted"
                " value_replaced"
            ),
            CONVERT: (
                "clone_lowering clone_size allocation_takes cast_inserted constant_inserted dim_inserted"
                " unranked_allocation_inserted"
            ),
        },
    ),
    "taken over": Run(
        text(GIVES),
        PIPELINE,
        {"ownership-based-buffer-deallocation": "moved cloned_for"},
        'known_effects("db.give"). takes("db.give", 0).\n',
    ),
    "refused": Run(lambda: join(corpus("refused")), PIPELINE, {"ownership-based-buffer-deallocation": "refused"}),
    "a shifted view": Run(text(SHIFTED), PIPELINE, {"ownership-based-buffer-deallocation": "retained"}),
    # what only passes meet that are run by themselves
    "freed by the pass": Run(
        files("reallocations", "lowering"),
        make_steps("expand-realloc"),
        {"expand-realloc": "frees_source free_inserted"},
    ),
    "deallocations of the text": Run(
        files("deallocations", "lowering"), make_steps(SIMPLIFY), {SIMPLIFY: "freed_twice unused_allocation"}
    ),
    "retained twice": Run(text(ALONE), make_steps(SIMPLIFY), {SIMPLIFY: "retained_twice"}),
    "never": Run(text(ALONE), make_steps(LOWER), {LOWER: "never_frees"}),
    "never, to memref": Run(text(ALONE), make_steps(CONVERT), {CONVERT: "never_frees"}),
    "to memref": Run(
        files("deallocations", "lowering"),
        make_steps(CONVERT),
        {
            CONVERT: (
                "lowering guard result_used needs_helper helper_function"
                " and_inserted call_inserted call_takes compare_inserted dealloc_helper_inserted free_if_inserted"
                " free_inserted load_inserted pointer_inserted store_inserted"
            )
        },
    ),
    "on the stack": Run(
        files("sizes", "toolbox/promotion"),
        parse_pipeline("builtin.module(builtin.module(func.func(promote-buffers-to-stack)))"),
        {"promote-buffers-to-stack": "operation_renamed"},
    ),
    "hoisted": Run(
        files("blocks", "toolbox/hoisting"),
        parse_pipeline("builtin.module(builtin.module(func.func(buffer-hoisting)))"),
        {"buffer-hoisting": "operation_moved"},
    ),
    "hoisted out of loops": Run(
        files("regions", "toolbox/hoisting"),
        parse_pipeline("builtin.module(builtin.module(func.func(buffer-loop-hoisting)))"),
        {"buffer-loop-hoisting": "operation_moved"},
    ),
    "freed earlier": Run(
        files("freed", "toolbox/freed"),
        parse_pipeline("builtin.module(builtin.module(func.func(optimize-allocation-liveness)))"),
        {"optimize-allocation-liveness": "operation_moved"},
    ),
    "given back": Run(
        text(GIVEN_BACK),
        make_steps("drop-equivalent-buffer-results"),
        {
            "drop-equivalent-buffer-results": "function_result_dropped operand_dropped result_dropped value_replaced"
            " cast_inserted"
        },
    ),
    "in a function": Run(text(MANY), parse_pipeline(f"builtin.module(func.func({LOWER}))"), {LOWER: "refused"}),
    "in a function, to memref": Run(
        text(MANY), parse_pipeline(f"builtin.module(func.func({CONVERT}))"), {CONVERT: "refused"}
    ),
}

DECIDED_BY = {
    "operand added": {"grows_entry", "passes_ownership"},
    "operand dropped": {"operand_dropped"},
    "operand replaced": {
        "value_replaced", "cloned", "cloned_for", "becomes", "negated", "wants_constant",
        "expansion", "changes", "lowering", "clone_lowering",
    },
    "result added": {"grows_result"},
    "result dropped": {"result_dropped"},
    "argument added": {"grows_argument"},
    "argument dropped": {"argument_dropped"},
    "type grown": {"function_result_dropped", "grows_function_result", "grows_argument"},
    "moved": {"taken_region", "operation_moved"},
    "renamed": {"operation_renamed"},
    "removed": {"expansion", "unused_allocation", "changes", "lowering", "clone_lowering", "erased", "spared"},
}  # fmt: skip
"""For each kind of change to what is there, the relations by which it is decided."""
COUNTED = ("operand added", "operand dropped", "result added", "result dropped", "argument added", "argument dropped")
"""What is decided for each one by itself."""


def unexplained(done: Done, run: Passes) -> list[str]:
    """The changes of a pass for which it has no decision."""
    about: dict[Entity, list[Decision]] = defaultdict(list)
    for decision in done.decisions:
        for entity in decision.entities:
            about[entity].append(decision)
    removed = {change.op for change in done.changes if change.kind == "removed"}
    counted: Counter[tuple[str, tuple[Entity, ...]]] = Counter()
    missing = []
    for change in done.changes:
        key = change.kind, change.about
        counted[key] += 1
        if change.kind == "inserted":
            deciding = [d for d in run.provenance.of[change.op] if d.stage is done.stage]
        else:
            deciding = [d for e in change.about for d in about[e] if d.fact.relation in DECIDED_BY[change.kind]]
        within = change.kind == "removed" and removed.intersection(change.about[1:])
        if len(deciding) < (counted[key] if change.kind in COUNTED else 1) and not within:
            missing.append(str(change))
    return missing


def passes(run: Run, folder: Path) -> Passes:
    extensions = NO_EXTENSIONS
    if run.rules:
        (folder / "added.dl").write_text(run.rules)
        extensions = Extensions((folder / "added.dl",))
    return Passes(parse(run.text(), "test.mlir"), run.steps, extensions)


@pytest.mark.parametrize("name", RUNS)
def test_what_is_done_was_decided_and_what_was_decided_is_proved(name, tmp_path):
    run = passes(RUNS[name], tmp_path)
    decided: dict[str, set[str]] = defaultdict(set)
    changes = 0
    for done in run:
        stage = done.stage
        assert unexplained(done, run) == [], stage.name
        facts = [decision.fact for decision in done.decisions]
        assert set(facts) == {(r.name, row) for r in stage.program.outputs for row in stage.database.tuples(r.name)}
        proofs = stage.prover.prove_all(facts)  # raises for one that has no proof
        assert list(faults(proofs, stage.program, stage.database)) == []
        assert all(proofs.steps[fact] is not None or stage.database.is_given(*fact) for fact in facts)
        decided[stage.name.partition(":")[0]] |= {fact.relation for fact in facts}
        changes += len(done.changes)
    assert [op for op in run.module.walk() if op.inserted and not run.provenance.of[op]] == []
    assert changes or done.refused or name == "freed earlier"  # moves within a block are not counted
    for pass_name, relations in RUNS[name].shows.items():
        assert decided[pass_name] >= set(relations.split())


def test_every_output_relation_is_shown():
    every = {(p.name, r.name) for p in (*PASSES.values(), *INSIDE_PIPELINES) for r in rules(p.program).outputs}
    # The static deallocation derives edits, and no run of the pipeline has it. No run is refused.
    every = {(name, relation) for name, relation in every if name != "static-buffer-deallocation"}
    every -= {("expand-realloc", "refused")}
    shown = {
        (pass_name, relation)
        for run in RUNS.values()
        for pass_name, relations in run.shows.items()
        for relation in relations.split()
    }
    assert shown == every


@pytest.mark.parametrize("name", ["mlp", "resnet_small", "transformer", "branches", "private functions", "regions"])
def test_why_tells_something_of_every_line_at_which_something_is_done(name):
    run = RUNS[name]
    module = parse(run.text(), "test.mlir")
    offsets: list[int] = []
    for done in Passes(module, run.steps):
        places = done.stage.places
        offsets += [offset(change) for change in done.changes]
    offsets += [places.anchor(op) for op in module.walk() if op.inserted]
    lines = {module.source.position(offset)[0] for offset in offsets if offset >= 0}
    told: set[int] = set()
    for stage in stages(parse(run.text(), "test.mlir"), run.steps, EMBEDDED):
        if not stage.idle:
            here = {line: on_line(stage, line) for line in lines - told}
            told |= {line for line, found in here.items() if decisions(stage, found)}
            told |= {line for line, found in here.items() if decisions(stage, found, bookkeeping=True)}
    assert lines and [module.source.line(line) for line in lines - told] == []


@pytest.mark.parametrize(
    "relation",
    ["grows_result", "passes_ownership", "grows_argument", "changes", "result_dropped", "erased", "lowering"],
)
def test_what_was_not_decided_is_noticed(relation, tmp_path):
    run = passes(RUNS["regions"], tmp_path)
    assert any(unexplained(without(done, relation), run) for done in run)


def test_what_was_decided_once_too_seldom_is_noticed(tmp_path):
    run = passes(RUNS["regions"], tmp_path)
    done = next(done for done in run if any(d.fact.relation == "grows_result" for d in done.decisions))
    one = next(d for d in done.decisions if d.fact.relation == "grows_result")
    assert len(unexplained(replace(done, decisions=tuple(d for d in done.decisions if d is not one)), run)) == 1


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


def without(done: Done, relation: str) -> Done:
    return replace(done, decisions=tuple(d for d in done.decisions if d.fact.relation != relation))
