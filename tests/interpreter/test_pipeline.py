"""Every stage of MLIR's own deallocation pipeline, run here: the same results, nothing leaked, nothing freed
wrongly; and a mutated output is caught."""

import functools
import re
from pathlib import Path

import pytest

from dealog.diagnostics import SourceText
from dealog.execution import Limits, lower, not_interpreted, run
from dealog.frontend import parse
from tests.support import generate, tools
from tests.support.nightly import one_in

STAGES = (
    ("as written",),
    ("expanded", "-expand-realloc=emit-deallocs=false", "-canonicalize"),
    ("owned", "-ownership-based-buffer-deallocation"),
    ("canonical", "-canonicalize"),
    ("simplified", "-buffer-deallocation-simplification"),
    ("lowered", "-bufferization-lower-deallocations"),
    ("done", "-cse", "-canonicalize"),
)
FIRST_THAT_FREES = 2
SEEDS = one_in(6, range(40))
CORPUS = Path(__file__).parents[1] / "corpus"
FILES = [
    "branches",
    "calls",
    "cond_branches",
    "globals_and_stack",
    "indirect_calls",
    "linalg",
    "manual_deallocation",
    "memref_of_memref",
    "nested",
    "recursion",
    "returns",
    "scf_for",
    "scf_if",
    "scf_index_switch",
    "scf_parallel",
    "scf_while",
    "select",
    "shape_and_scope",
    "strided_returned",
    "unranked",
    "unranked_returned",
    "views",
]


def flags(stage):
    return [flag for _, *flags in STAGES[: stage + 1] for flag in flags]


@functools.cache
def texts(stage):
    """The random programs after `stage`, in generic form."""
    tool = tools.mlir_opt_without_assertions() or tools.mlir_opt()
    programs = [generate.program(seed) for seed in SEEDS]
    outputs = tools.run_mlir_opt(
        programs, *flags(stage), "-convert-linalg-to-loops", "-mlir-print-op-generic", tool=tool
    )
    return [output.unwrap() for output in outputs]


@pytest.mark.parametrize("stage", range(1, len(STAGES)), ids=[name for name, *_ in STAGES[1:]])
def test_random_programs_mean_the_same_after(stage):
    for seed, before, after in zip(SEEDS, texts(0), texts(stage), strict=True):
        expected = run(parse(before), check_ownership=False)
        assert expected.ok, (seed, expected.faults[0].diagnostic.render())
        outcome = run(parse(after), check_ownership=stage >= FIRST_THAT_FREES)
        assert outcome.ok, (seed, outcome.faults[0].diagnostic.render())
        assert outcome.written == expected.written, seed
        if stage >= FIRST_THAT_FREES:
            assert outcome.statistics.frees == outcome.statistics.allocations


def test_random_programs_leak_before_deallocation():
    outcomes = [run(parse(text)) for text in texts(0)]
    assert all(outcome.ok == (outcome.statistics.allocations == 0) for outcome in outcomes)
    assert sum(not outcome.ok for outcome in outcomes) > 0.75 * len(outcomes)


def test_lowered_programs_compare_no_more_addresses_than_the_simplified_do():
    """The run-time checks are counted in both forms, and simplification does away with most of them."""
    owned, simplified, done = (
        sum(run(parse(text)).statistics.alias_checks for text in texts(stage)) for stage in (2, 4, 6)
    )
    assert owned > simplified > 0
    assert owned > done > 0


DEALLOC = re.compile(r'^ *"memref\.dealloc"\((%[\w#]+)\).*\n', re.MULTILINE)


def outcomes_of(mutate):
    """Of random programs with each of their deallocations mutated: the frees before, and the outcome."""
    for text in texts(len(STAGES) - 1)[:2]:
        frees = run(parse(text)).statistics.frees
        for match in DEALLOC.finditer(text):
            mutated = mutate(text, match)
            if mutated is not None:
                yield frees, run(parse(mutated), limits=Limits(steps=1_000_000))


@pytest.mark.parametrize(
    ("mutate", "kind"),
    [
        (lambda text, match: text[: match.start()] + text[match.end() :], "leak"),
        (lambda text, match: text[: match.end()] + match[0] + text[match.end() :], "double-free"),
    ],
    ids=["dropped", "doubled"],
)
def test_mutated_deallocations_are_caught(mutate, kind):
    caught = 0
    for frees, outcome in outcomes_of(mutate):
        if outcome.kinds:
            assert set(outcome.kinds) == {kind}
            caught += 1
        else:
            assert outcome.statistics.frees == frees  # it is on a path that is not taken
    assert caught > 15


def moved_up(text, match):
    """The deallocation moved after the allocation of its buffer, where that is in the same block."""
    allocation = None
    for found in re.finditer(
        rf'^( *){re.escape(match[1])} = "memref\.alloc"\(.*\n', text[: match.start()], re.MULTILINE
    ):
        allocation = found
    indent = len(match[0]) - len(match[0].lstrip())
    if allocation is None or len(allocation[1]) != indent:
        return None
    between = text[allocation.end() : match.start()]
    if any(len(line) - len(line.lstrip()) < indent for line in between.split("\n") if line.strip()):
        return None
    return text[: allocation.end()] + match[0] + between + text[match.end() :]


def test_deallocations_moved_up_are_caught():
    kinds = [kind for _, outcome in outcomes_of(moved_up) for kind in outcome.kinds]
    assert set(kinds) <= {"use-after-free", "double-free"}
    assert kinds.count("use-after-free") > 3


@functools.cache
def corpus(name, stage):
    tool = tools.mlir_opt_without_assertions() or tools.mlir_opt()
    source = (CORPUS / f"{name}.mlir").read_text()
    output = tools.run([tool, *flags(stage), "-"], source)
    return lower(SourceText(name, output.unwrap()), str(tool))


def argument(type):
    """A random argument; open sizes are 4, and open layouts dense."""
    if not type.startswith("memref"):
        return "random"
    shape = type.partition(",")[0].rstrip(">") + ">"
    return f"{shape.replace('?', '4').replace('*x', '4x')}=random"


def functions(module):
    for op in module.operation.regions[0].blocks[0].operations:
        is_public = op.attributes.get("sym_visibility") != '"private"'
        if op.name == "func.func" and is_public and op.regions[0].blocks:
            yield op.attributes["sym_name"].strip('"'), [a.type for a in op.regions[0].blocks[0].arguments]


@pytest.mark.parametrize("name", one_in(4, FILES))
def test_corpus_means_the_same_at_every_stage(name):
    before = corpus(name, 0)
    assert not [op.name for op in not_interpreted(before)]
    compared = 0
    for function, types in functions(before):
        arguments = [argument(type) for type in types]
        for seed in (0, 3):
            expected = run(before, function, arguments, seed=seed, check_ownership=False)
            if set(expected.kinds) <= {"external-function", "out-of-bounds"} and expected.kinds:
                continue  # the function asks for more than random arguments
            assert expected.ok, (function, expected.faults[0].diagnostic.render())
            for stage in (2, 4, 6):
                outcome = run(corpus(name, stage), function, arguments, seed=seed)
                assert outcome.ok, (function, stage, outcome.faults[0].diagnostic.render())
                assert outcome.written == expected.written, (function, stage)
                assert outcome.arguments == expected.arguments, (function, stage)
                compared += 1
    assert compared > 0


@pytest.mark.parametrize("name", one_in(2, ["mlp", "transformer"]))
def test_models(name):
    path = Path(__file__).parents[2] / "examples" / f"{name}.mlir"
    tool = str(tools.mlir_opt_without_assertions() or tools.mlir_opt())
    source = SourceText(path.name, path.read_text())
    expected = run(lower(source, tool), "@forward", ["random"], check_ownership=False)
    output = tools.run([tool, "-buffer-deallocation-pipeline", "-"], source.text)
    outcome = run(lower(SourceText(path.name, output.unwrap()), tool), "@forward", ["random"])
    assert expected.ok and outcome.ok
    assert outcome.written == expected.written
    assert outcome.statistics.allocations == outcome.statistics.frees == expected.statistics.allocations
    assert outcome.statistics.peak_bytes <= expected.statistics.peak_bytes
