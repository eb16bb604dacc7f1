"""Mutants of the programs that tests have, and what mlir-opt says of each."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from tests.frontend.structure import parts
from tests.support import tools
from tests.support.broken import Mutant, mutate
from tests.support.cases import Case, corpus, examples, generated

_ERROR = re.compile(r"^(?:<stdin>:(\d+):\d+|<unknown>:0): error: (.*)$", re.MULTILINE)
_WRONG = "%wrong\n"
_CHUNK = 200
_INPUTS = Path(__file__).parents[1] / "frontend" / "inputs"
_PLAIN = ("affine", "arith", "bufferization", "cf", "func", "memref", "scf")  # their mutants are those of programs
_LARGE = 20_000


@dataclass(frozen=True)
class Verdict:
    """What mlir-opt says of a module: the line and the text of each error, 0 for one without a place. There is none
    where it takes the module; where it `crashed`, those that it said before."""

    errors: tuple[tuple[int, str], ...]
    crashed: bool = False

    @property
    def refused(self) -> bool:
        return bool(self.errors)


def programs() -> tuple[Case, ...]:
    """What is mutated: the corpus in both forms, generated programs, and the examples."""
    cases = [case for folder in ("", "across_blocks", "beyond", "lowering") for case in corpus(folder)]
    generic = tools.run_mlir_opt([case.text for case in cases], "-mlir-print-op-generic", "-mlir-print-local-scope")
    printed = [
        Case(f"{case.name}, generic", output.text) for case, output in zip(cases, generic, strict=True) if output.text
    ]
    return (*cases, *printed, *generated(24), *generated(16, wild=True), *examples())


def operations(*, plain: bool = False) -> tuple[Case, ...]:
    """Programs with one of each operation of the dialects that stand beside memrefs, in both forms; where they are to
    be `plain`, of the dialects of programs, instead."""
    files = [file for file in sorted(_INPUTS.glob("*.mlir")) if (file.stem in _PLAIN) == plain]
    texts = [(file.stem, enumerate(parts(file.read_text("utf-8")))) for file in files]
    cases = [Case(f"{name}-{number}", text) for name, numbered in texts for number, text in numbered]
    generic = tools.run_mlir_opt([case.text for case in cases], "-mlir-print-op-generic", "-mlir-print-local-scope")
    printed = [
        Case(f"{case.name}, generic", output.text) for case, output in zip(cases, generic, strict=True) if output.text
    ]
    return (*cases, *printed)


def mutants(count: int, cases: Sequence[Case]) -> Iterator[Mutant]:
    """`count` mutants of `cases`, the same for the same count and cases, no two alike; few of large programs."""
    seen: set[str] = set()
    for number in range(50 * count):
        case = cases[number % len(cases)]
        if len(case.text) > _LARGE and number // len(cases) % 8:
            continue
        mutant = mutate(case.name, case.text, number // len(cases))
        if mutant is not None and mutant.text not in seen:
            seen.add(mutant.text)
            yield mutant
            if len(seen) == count:
                return


def verdicts(texts: Sequence[str]) -> list[Verdict]:
    """What mlir-opt says of each text. Many go into one process, and one on which it crashes says nothing."""
    found: list[Verdict] = []
    while len(found) < len(texts):
        found += _verdicts(texts[len(found) : len(found) + _CHUNK])
    return found


def _verdicts(texts: Sequence[str]) -> list[Verdict]:
    """The verdicts on the first of `texts`: on all of them, or up to one on which mlir-opt crashes. Behind each stands
    a module that is wrong: where mlir-opt says so it has done with the text before."""
    parts_ = [part for text in texts for part in (text, _WRONG)]
    command = [tools.mlir_opt(), "-split-input-file", "-mlir-print-op-on-diagnostic=false"]
    # not `-o /dev/null`: a process that crashes takes its output file away, even that one where it may
    done = subprocess.run(
        command, input=tools.join(parts_), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300
    )
    ends = list(accumulate(part.count("\n") + (not part.endswith("\n")) + 1 for part in parts_))
    errors: list[list[tuple[int, str]]] = [[] for _ in (*texts, "")]
    passed = 0
    for line, message in _ERROR.findall(done.stderr):
        part = bisect_left(ends, int(line)) if line else 2 * passed
        if part % 2:
            passed = part // 2 + 1
        else:
            errors[part // 2].append((int(line) - (ends[part - 1] if part else 0) if line else 0, message))
    found = [Verdict(_of_one(each)) for each in errors[:passed]]
    if passed < len(texts):
        assert done.returncode not in (0, 1), done.stderr
        found.append(Verdict(tuple(each for each in errors[passed] if not each[0]), crashed=True))
    return found


def _of_one(errors: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """The errors in a text; those without a place, if there are any."""
    return tuple(each for each in errors if not each[0]) or tuple(errors)
