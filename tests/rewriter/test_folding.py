"""What is left of inserted code once it is folded: the text itself, and what the canonicalizer still finds."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import replace
from textwrap import dedent

import pytest

from dealog import rules
from dealog.asking.stage import stages
from dealog.engine import load, solve
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse, print_module
from dealog.frontend.facts import export_facts
from dealog.passes import FOLD_INSERTED_CODE, PIPELINES
from dealog.pipeline import Engine, Step, expand, make_steps, run
from dealog.stopwatch import Stopwatch
from tests.support import joined, tools
from tests.support.cases import corpus, generated
from tests.support.compare import differences
from tests.support.dealog import OWNERSHIP
from tests.support.execute import Program, execute, references
from tests.support.families import FAMILIES
from tests.support.nightly import NIGHTLY, nightly, one_in

SIMPLIFY = "buffer-deallocation-simplification"
LOWER = "bufferization-lower-deallocations"
DEALLOCATION_PIPELINE = PIPELINES["buffer-deallocation-pipeline"]
SILENT = Stopwatch(show=False)
DYNAMIC = "private-function-dynamic-ownership=true"


def folded(text: str, *passes: str, folds: bool = True) -> str:
    """The output of the passes, each followed by the folding of what was inserted."""
    module = parse(text, "test.mlir")
    steps: list[Step] = []
    for flag in passes:
        name, _, options = flag.partition("=")
        steps += make_steps(name, options)
        steps += [Step(FOLD_INSERTED_CODE, {})] * folds
    run(module, steps, Engine("embedded"), Stopwatch(show=False))
    return print_module(module)


def body(text: str, *passes: str) -> list[str]:
    """The lines of the function `@f` in the output, which mlir-opt takes, in either form of the input."""
    outputs = [folded(form, *passes) for form in (dedent(text), _generic(text))]
    custom, generic = (output.unwrap() for output in tools.run_mlir_opt(outputs, "-mlir-print-local-scope"))
    assert custom == generic
    lines = outputs[0].split("\n")
    start = next(i for i, line in enumerate(lines) if "func.func @f" in line)
    return [line.strip() for line in lines[start + 1 : lines.index("}", start)]]


def _generic(text: str) -> str:
    return tools.run_mlir_opt([text], "-mlir-print-op-generic")[0].unwrap()


def test_nothing_is_inserted_in_a_text_that_was_read():
    text = """
    func.func @f(%c: i1) -> i1 {
      %true = arith.constant true
      %true_0 = arith.constant true
      %both = arith.andi %c, %true : i1
      %unused = arith.andi %c, %c : i1
      return %both : i1
    }
    """
    assert folded(text) == folded(text, SIMPLIFY, LOWER) == text


def test_a_result_that_tells_which_region_ran():
    assert body(
        """
        func.func @f(%c: i1, %m: memref<2xf32>, %x: f32, %i: index) {
          %r = scf.if %c -> (memref<2xf32>) {
            %a = memref.alloc() : memref<2xf32>
            scf.yield %a : memref<2xf32>
          } else {
            scf.yield %m : memref<2xf32> // given
          }
          memref.store %x, %r[%i] : memref<2xf32>
          return
        }
        """,
        OWNERSHIP,
        SIMPLIFY,
    ) == [
        "%r = scf.if %c -> (memref<2xf32>) {",
        "%a = memref.alloc() : memref<2xf32>",
        "scf.yield %a : memref<2xf32>",
        "} else {",
        "scf.yield %m : memref<2xf32> // given",
        "}",
        "memref.store %x, %r[%i] : memref<2xf32>",
        "%base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %r "
        ": memref<2xf32> -> memref<f32>, index, index, index",
        "bufferization.dealloc (%base_buffer : memref<f32>) if (%c)",
        "return",
    ]


def test_a_result_that_tells_which_region_did_not_run():
    text = """
        func.func @f(%c: i1, %m: memref<2xf32>, %x: f32, %i: index) {
          %r = scf.if %c -> (memref<2xf32>) {
            scf.yield %m : memref<2xf32>
          } else {
            %a = memref.alloc() : memref<2xf32>
            scf.yield %a : memref<2xf32>
          }
          memref.store %x, %r[%i] : memref<2xf32>
          return
        }
        """
    lines = body(text, OWNERSHIP, SIMPLIFY)
    assert lines[:3] == [
        "%true = arith.constant true",
        "%not = arith.xori %c, %true : i1",
        "%r = scf.if %c -> (memref<2xf32>) {",
    ]
    assert lines[-2] == "bufferization.dealloc (%base_buffer : memref<f32>) if (%not)"


def test_what_goes_round_a_loop():
    """The buffer of the caller stays the buffer of the caller, however often it goes round."""
    text = """
        func.func @f(%n: index, %m: memref<2xf32>, %c: i1) {
          %r:2 = scf.while (%a = %m, %i = %n) : (memref<2xf32>, index) -> (memref<2xf32>, index) {
            scf.condition(%c) %a, %i : memref<2xf32>, index
          } do {
          ^bb0(%a: memref<2xf32>, %i: index):
            %s = scf.for %j = %n to %n step %n iter_args(%b = %a) -> (memref<2xf32>) {
              scf.yield %b : memref<2xf32>
            }
            scf.yield %s, %i : memref<2xf32>, index
          }
          memref.copy %m, %r#0 : memref<2xf32> to memref<2xf32>
          return
        }
        """
    module = dedent(text)
    assert "bufferization.dealloc" in folded(module, OWNERSHIP, folds=False)
    assert folded(module, OWNERSHIP) == module


def test_branches_forget_what_nobody_needs():
    text = """
        func.func @f(%c: i1, %m: memref<2xf32>, %i: index) -> f32 {
          cf.cond_br %c, ^left, ^right
        ^left: // allocates
          %a = memref.alloc() : memref<2xf32>
          memref.copy %m, %a : memref<2xf32> to memref<2xf32>
          cf.br ^end(%a : memref<2xf32>)
        ^right: // allocates, too
          %b = memref.alloc() : memref<2xf32>
          memref.copy %m, %b : memref<2xf32> to memref<2xf32>
          cf.br ^end(%b : memref<2xf32>)
        ^end(%p: memref<2xf32>):
          %x = memref.load %p[%i] : memref<2xf32>
          return %x : f32
        }
        """
    lines = body(text, OWNERSHIP, SIMPLIFY)
    assert "cf.br ^end(%b : memref<2xf32>)" in lines
    assert "^end(%p: memref<2xf32>):" in lines
    assert "bufferization.dealloc (%base_buffer : memref<f32>) if (%true)" in lines


def test_a_clone_that_is_never_made():
    text = """
        func.func @f(%c: i1) -> memref<2xf32> {
          %a = memref.alloc() : memref<2xf32>
          %r = scf.if %c -> (memref<2xf32>) {
            %b = memref.alloc() : memref<2xf32>
            scf.yield %b : memref<2xf32>
          } else {
            %d = memref.alloc() : memref<2xf32>
            memref.copy %a, %d : memref<2xf32> to memref<2xf32>
            scf.yield %d : memref<2xf32>
          }
          return %r : memref<2xf32>
        }
        """
    assert "bufferization.clone" in folded(dedent(text), OWNERSHIP, folds=False)
    lines = body(text, OWNERSHIP, SIMPLIFY)
    assert not [line for line in lines if "bufferization.clone" in line]
    assert lines[-1] == "return %r : memref<2xf32>"


def test_checks_that_always_hold():
    text = """
        func.func @f(%c: i1, %m: memref<2xf32>) {
          %r = scf.if %c -> (memref<2xf32>) {
            scf.yield %m : memref<2xf32>
          } else {
            scf.yield %m : memref<2xf32>
          }
          memref.dealloc %r {bufferization.manual_deallocation} : memref<2xf32>
          return
        }
        """
    assert "cf.assert" in folded(dedent(text), OWNERSHIP, folds=False)
    assert not [line for line in body(text, OWNERSHIP) if "assert" in line or "i1" in line]


def test_what_functions_return_stays():
    text = """
        func.func private @g(%m: memref<2xf32>) -> memref<2xf32> {
          return %m : memref<2xf32>
        }
        func.func @f(%m: memref<2xf32>) {
          %r = call @g(%m) : (memref<2xf32>) -> memref<2xf32>
          return
        }
        """
    output = folded(dedent(text), f"{OWNERSHIP}={DYNAMIC}")
    assert "return %m, %false : memref<2xf32>, i1" in output
    assert "%r, %own = call @g(%m)" in output
    assert body(text, f"{OWNERSHIP}={DYNAMIC}")


# ---- on the corpus ---------------------------------------------------------------------------------


@functools.cache
def _together() -> str:
    return joined.join((*corpus(), *generated()))


@functools.cache
def _ownership(options: str, folds: bool) -> str:
    return folded(_together(), f"{OWNERSHIP}={options}" if options else OWNERSHIP, folds=folds)


# MLIR's own simplification settles what deallocations return, its -sccp what constants blocks hand round.
SETTLED = (
    *("-canonicalize", "-sccp", "-canonicalize", f"-{SIMPLIFY}"),
    *("-canonicalize", "-sccp", "-canonicalize", "-cse", "-canonicalize", "-mlir-print-local-scope"),
)

# What is known of an i1 that goes round in a loop, or that a deallocation returns for the very buffer that it
# frees, saves clones, deallocations, and i1s in loops that mlir-opt keeps.
KNOWS_MORE = {
    "affine": {"if_yields"},
    "branches": {"forwarded_and_returned"},
    "globals_and_stack": {"clone_of_own"},
    "printed": {"main_path"},
    "recursion": {"direct"},
    "scf_for": {"ping_pong", "rotation", "yields_captured"},
}
KNOWS_MORE_OF_CALLS = {"calls": {"hands_on"}, "modules": {"h'"}}  # where functions return i1s


@pytest.mark.parametrize(
    ("options", "knows_more"),
    [
        pytest.param("", KNOWS_MORE, id="abi", marks=nightly),
        pytest.param(DYNAMIC, KNOWS_MORE | KNOWS_MORE_OF_CALLS, id="dynamic"),
    ],
)
def test_folding_changes_no_more_than_the_canonicalizer_would(options, knows_more):
    plain, ours = (
        joined.split(tools.run_mlir_opt([_ownership(options, folds)], *SETTLED)[0].unwrap()) for folds in (False, True)
    )
    found = {case.name: set(differences(plain[case.name], ours[case.name])) for case in corpus()}
    assert {case: functions for case, functions in found.items() if functions} == knows_more
    assert _size("\n".join(ours.values())) < _size("\n".join(plain.values()))


def _size(text: str) -> int:
    return sum(1 for _ in parse(text).walk())


@nightly
def test_little_is_left_for_the_canonicalizer():
    """Operations of the kinds that only Dealog makes here, before and after the clean-up by mlir-opt."""
    kinds = ("arith.andi", "arith.ori", "arith.xori", "arith.select")
    clean = ("-canonicalize", "-cse", "-canonicalize")
    left = {}
    for folds in (False, True):
        output = folded(_together(), OWNERSHIP, SIMPLIFY, LOWER, folds=folds)
        cleaned = tools.run_mlir_opt([output], *clean)[0].unwrap()
        before, behind = (Counter(op.name for op in parse(text).walk()) for text in (output, cleaned))
        left[folds] = sum(before[kind] - behind[kind] for kind in kinds)
    assert left[True] * 3 < left[False]


def test_passes_on_call_are_called_wherever_they_change_something():
    waits = 0
    for case in one_in(16, corpus()):
        steps = expand(DEALLOCATION_PIPELINE, case.pass_options)
        always = [replace(step, pass_=replace(step.pass_, on_call=False)) for step in steps]
        outputs = set()
        for chosen in (steps, always):
            module = parse(case.text, "test.mlir")
            run(module, chosen, Engine("embedded"), SILENT)
            outputs.add(print_module(module))
        assert len(outputs) == 1, case.name
        for stage in stages(parse(case.text, "test.mlir"), steps, Engine("embedded")):
            waits += stage.idle and stage.name in ("fold-inserted-code", f"{SIMPLIFY}:2")
    assert waits > (5 if NIGHTLY else 0)


def test_buffers_that_a_loop_swaps_are_not_compared():
    """That their conditions never hold is known by folding; which buffers are left to compare, after it."""
    text = """
        func.func @f(%n: index) -> f32 {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          %v = arith.constant 1.0 : f32
          memref.store %v, %a[%c0] : memref<4xf32>
          memref.store %v, %b[%c0] : memref<4xf32>
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<4xf32>, memref<4xf32>) {
            scf.yield %q, %p : memref<4xf32>, memref<4xf32>
          }
          %x = memref.load %r#0[%c0] : memref<4xf32>
          return %x : f32
        }"""
    module = parse(text, "test.mlir")
    run(module, expand(DEALLOCATION_PIPELINE), Engine("embedded"), SILENT)
    names = [op.name for op in module.walk()]
    assert names.count("memref.dealloc") == 2 and names.count("memref.alloc") == 2
    assert not {"func.call", "arith.cmpi", "scf.if"} & set(names)


def test_buffers_that_a_branch_swaps_are_not_compared():
    """On either way, both are owned, and they are two."""
    text = """
        func.func @f(%c: i1, %v: f32) -> f32 {
          %c0 = arith.constant 0 : index
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xf32>
          memref.store %v, %a[%c0] : memref<4xf32>
          memref.store %v, %b[%c0] : memref<4xf32>
          cf.cond_br %c, ^bb1(%a, %b : memref<4xf32>, memref<4xf32>), ^bb1(%b, %a : memref<4xf32>, memref<4xf32>)
        ^bb1(%x: memref<4xf32>, %y: memref<4xf32>):
          %p = memref.load %x[%c0] : memref<4xf32>
          %q = memref.load %y[%c0] : memref<4xf32>
          %r = arith.subf %p, %q : f32
          return %r : f32
        }"""
    module = parse(text, "test.mlir")
    run(module, expand(DEALLOCATION_PIPELINE), Engine("embedded"), SILENT)
    names = [op.name for op in module.walk()]
    assert names.count("memref.dealloc") == 2 and names.count("memref.alloc") == 2
    assert not {"func.call", "arith.cmpi", "scf.if"} & set(names)


def test_runs_clean():
    cases = [case for case in (*corpus()[:: 3 if NIGHTLY else 16], *generated(4)) if case.executable]
    passes = (OWNERSHIP, SIMPLIFY, LOWER)
    runs = execute([Program(case.name, folded(case.text, *passes)) for case in cases])
    assert [fault for done in runs for fault in done.faults] == []
    for done, reference in zip(runs, references(cases).values(), strict=True):
        assert done.calls
        assert done.values == reference.values


@pytest.mark.parametrize("name", ["ifs_in_a_row", "fors_in_a_row", "block_arguments", "diamonds", "rotation"])
def test_the_relations_grow_with_the_program(name):
    program = load([rules.program(FOLD_INSERTED_CODE.program)])
    derived = [name for name, relation in program.relations.items() if not relation.is_input]
    tuples = []
    for number in (40, 80):
        module = parse(FAMILIES[name](number), "test.mlir")
        run(module, make_steps(OWNERSHIP), Engine("embedded"), Stopwatch(show=False))
        facts = export_facts(module, NO_EXTENSIONS.structure, locations=False)
        found = solve(program, facts.relations, engine="embedded", outputs=derived)
        tuples.append(sum(map(len, found.values())))
    assert tuples[1] < 2.1 * tuples[0]
