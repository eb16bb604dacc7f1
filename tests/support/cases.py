"""The programs that tests and benchmarks run on: the corpus, the examples, and generated ones.

A corpus file may say things about itself in comments at its top:

``// not executable: <why>``   its functions cannot be lowered and run ``// no reference: <why>``     without
any deallocation it computes something else ``// unstable: <why>``         what MLIR's pass does with it
changes from run to run ``// options: <options>``      the pass is run with these options
(``-allow-unregistered-dialect`` is the tool's)
"""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass
from pathlib import Path

from tests.support import generate, tools

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests" / "corpus"

# How many generated programs the tests take; set DEALOG_GENERATED for a longer run.
GENERATED = int(os.environ.get("DEALOG_GENERATED", "16"))


@dataclass(frozen=True)
class Case:
    """One module, and what its comments say about it."""

    name: str
    text: str
    directives: tuple[tuple[str, str], ...] = ()

    def says(self, directive: str) -> str | None:
        return dict(self.directives).get(directive)

    @property
    def pass_options(self) -> str:
        """The options of the ownership pass that the case asks for."""
        options = self.says("options") or ""
        return "" if options.startswith("-") else options

    @property
    def executable(self) -> bool:
        return self.says("not executable") is None


def _directives(text: str) -> tuple[tuple[str, str], ...]:
    found = re.findall(r"^// (not executable|no reference|unstable|options): (.*)$", text, re.MULTILINE)
    return tuple((name, value) for name, value in found)


@functools.cache
def corpus(folder: str = "") -> tuple[Case, ...]:
    """The cases of a folder of the corpus; by default those on which MLIR and Dealog are to agree.

    Where a file holds several modules, each is a case of its own; the first module's comments hold for all.
    """
    cases = []
    for path in sorted((CORPUS / folder).glob("*.mlir")):
        text = path.read_text()
        parts = tools.split(text)
        for part in parts:
            function = re.search(r"func\.func @(\w+)", part)
            name = path.stem if len(parts) == 1 or function is None else f"{path.stem}-{function[1]}"
            cases.append(Case(name, part, _directives(text)))
    return tuple(cases)


@functools.cache
def examples() -> tuple[Case, ...]:
    """The models in ``examples/``; they need inputs to run on."""
    directives = (("not executable", "needs weights and inputs"),)
    return tuple(
        Case(path.stem, path.read_text(), directives) for path in sorted(ROOT.glob("examples/*.mlir"))
    )


@functools.cache
def generated(count: int = GENERATED, *, wild: bool = False) -> tuple[Case, ...]:
    """The first ``count`` generated programs."""
    kind = "wild" if wild else "generated"
    return tuple(
        Case(f"{kind}-{seed}", generate.program(seed, size=8 + seed % 24, wild=wild)) for seed in range(count)
    )
