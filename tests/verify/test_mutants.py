"""Modules broken at random: what mlir-opt refuses, Dealog refuses, and what it takes, Dealog takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.job import read_module
from dealog.pipeline import Engine
from dealog.splitting import Chunk
from dealog.stopwatch import Stopwatch
from dealog.verification import verify
from tests.support.broken import Mutant
from tests.support.mutants import Verdict, mutants, operations, programs, verdicts
from tests.support.nightly import NIGHTLY, nightly, one_in

SHARE = 0.98  # of what mlir-opt refuses
SHARE_OF_OTHERS = 0.98  # the same, of dialects beside memrefs


def errors(text: str, *, memory: bool = False) -> list[tuple[int, str]]:
    """The line and the text of each error of Dealog's; none for what it takes."""
    try:
        module = read_module(Chunk(text, 1), "mutant.mlir", Stopwatch(show=False), False, False)
        verify(module, Engine("embedded"), memory=memory)
    except DealogError as error:
        return [(d.position[0] if d.position else 0, d.message) for d in error.diagnostics]
    return []


def wrongly_refused(made: Sequence[Mutant], said: Sequence[Verdict]) -> list[str]:
    return [
        f"{mutant.origin}, {mutant.kind}: {found[0]}"
        for mutant, verdict in zip(made, said, strict=True)
        if not verdict.refused and not verdict.crashed and (found := errors(mutant.text))
    ]


def wrongly_taken(made: Sequence[Mutant], said: Sequence[Verdict]) -> list[str]:
    return [
        f"{mutant.origin}, {mutant.kind}: {verdict.errors[0]}"
        for mutant, verdict in zip(made, said, strict=True)
        if verdict.refused and not errors(mutant.text)
    ]


def sample(count: int) -> tuple[list[Mutant], list[Verdict]]:
    made = list(mutants(count, programs()))
    return made, verdicts([mutant.text for mutant in made])


def test_a_few_mutants() -> None:
    made, said = sample(80)
    made, said = zip(*[(m, v) for m, v in zip(made, said, strict=True) if len(m.text) < 6000][:60], strict=True)
    refused = sum(verdict.refused for verdict in said)
    assert refused > 30
    assert wrongly_refused(made, said) == []
    assert len(wrongly_taken(made, said)) <= 1


def test_what_was_valid_before_hides_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Mutants of a program whose operations, all of them, are remembered as valid."""
    monkeypatch.setenv("DEALOG_CACHE", str(tmp_path))
    cases = [case for case in programs() if len(case.text) < 3000][::9]
    for case in cases:
        assert errors(case.text, memory=True) == []
    made = list(mutants(40, cases))
    said = verdicts([mutant.text for mutant in made])
    taken = [m for m, v in zip(made, said, strict=True) if v.refused and not errors(m.text, memory=True)]
    assert len(taken) <= 1
    assert [m for m in made if errors(m.text, memory=True) != errors(m.text)] == []


@nightly
def test_two_thousand_refused_mutants() -> None:
    made, said = sample(2400)
    refused = sum(verdict.refused for verdict in said)
    assert refused >= 2000
    assert wrongly_refused(made, said) == []
    taken = wrongly_taken(made, said)
    assert len(taken) <= (1 - SHARE) * refused, "\n".join(taken)


@nightly
def test_mutants_of_one_of_each_operation() -> None:
    made = list(mutants(1500, operations()))
    said = verdicts([mutant.text for mutant in made])
    refused = sum(verdict.refused for verdict in said)
    assert refused >= 1200
    assert wrongly_refused(made, said) == []
    taken = wrongly_taken(made, said)
    assert len(taken) <= (1 - SHARE_OF_OTHERS) * refused, "\n".join(taken)


def test_one_of_each_operation_is_taken() -> None:
    cases = [case for case in operations() if '"test.' not in case.text]  # that dialect is not registered
    # what mlir-opt prints of these, it does not take itself: the type of a graph is printed as that of a function
    strange = [case for case in cases if case.name in ("spirv-5, generic", "spirv-6, generic")]
    assert {case.name: found for case in one_in(4, cases) if case not in strange and (found := errors(case.text))} == {}
    texts = [case.text for case in strange]
    assert len(texts) == 2 and all(map(errors, texts)) and all(verdict.refused for verdict in verdicts(texts))


def test_valid_programs_are_taken() -> None:
    cases = [case for case in programs() if NIGHTLY or len(case.text) < 3000]
    refused = {case.name: found for case in cases[:: 1 if NIGHTLY else 12] if (found := errors(case.text))}
    assert refused == {}


# ---- the same words ------------------------------------------------------------------------------------------

MEMREF = "memref<4xf32>"
INVALID = [
    "  %x = memref.load %m[] : memref<4xf32>",
    "  memref.store %v, %m[%i, %i] : memref<4xf32>",
    "  memref.store %i, %m[%i] : memref<4xf32>",
    "  %a = memref.alloc() : memref<?xf32>",
    "  %x = memref.load %m[%v] : memref<4xf32>",
    '  %x = "memref.load"(%m, %v) : (memref<4xf32>, f32) -> f32',
    "  %x = arith.addi %v, %v : f32",
    "  %x = arith.addf %v, %i : f32",
    "  %x = arith.extsi %j : i32 to i16",
    "  %x = arith.trunci %j : i32 to i64",
    "  %x = arith.index_cast %j : i32 to i64",
    '  %x = "arith.constant"() {value = 1 : i32} : () -> i64',
    "  %x = arith.select %c, %v, %i : f32",
    "  %x = memref.cast %m : memref<4xf32> to memref<5xf32>",
    "  %x = memref.get_global @nothing : memref<4xf32>",
    "  call @nothing() : () -> ()",
    "  call @g(%i) : (index) -> i32",
    "  %x = call @g(%j) : (i32) -> f32",
    "  call @g(%j, %j) : (i32, i32) -> ()",
    "  scf.if %v {\n  }",
    "  %x = scf.if %c -> i32 {\n    scf.yield %j : i32\n  }",
    "  %x = scf.if %c -> i32 {\n    scf.yield %v : f32\n  } else {\n    scf.yield %j : i32\n  }",
    "  %x = scf.if %c -> i32 {\n    scf.yield %j, %j : i32, i32\n  } else {\n    scf.yield %j : i32\n  }",
    "  scf.for %k = %i to %i step %j {\n  }",
    "  cf.br ^bb1(%j : i32)\n^bb1(%y: f32):",
    "  cf.br ^bb1\n^bb1(%y: f32):",
    "  %x = arith.addi %y, %j : i32\n  %y = arith.addi %j, %j : i32",
    "  return %j : i32",
    "  memref.copy %m, %m : memref<4xf32> to memref<5xf32>",
    "  linalg.fill ins(%v : f32) outs(%m : memref<4xf32>) {undefined = 1 : i32",
    "  memref.dealloc %j : i32",
    "  %x = memref.dim %j, %i : memref<4xf32>",
    "  %x = math.exp %j : i32",
    "  affine.store %j, %m[0] : memref<4xf32>",
    "  %x = memref.realloc %m : memref<4xf32> to memref<?xf32>",
]


def test_messages_are_those_of_mlir_opt() -> None:
    """For each of these, one error at the same line, and mostly in the same words."""
    head = "func.func private @g(i32) -> i32\nfunc.func @f(%m: memref<4xf32>, %v: f32, %i: index, %j: i32, %c: i1) {\n"
    texts = [f"{head}{body}\n  return\n}}\n" for body in INVALID]
    same_words = 0
    for text, verdict in zip(texts, verdicts(texts), strict=True):
        found = errors(text)
        assert verdict.refused and found, text
        lines = {line for line, _ in verdict.errors}
        assert lines & {line for line, _ in found}, (verdict.errors, found)
        same_words += bool(set(verdict.errors) & set(found))
    assert same_words >= 0.8 * len(INVALID), (same_words, len(INVALID))
