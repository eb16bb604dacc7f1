"""The passes of the older documents against MLIR's own: the same text after canonicalize and cse.

All cases go through in one module, each in a module of its own, and are compared function by function. Where Dealog
means to do something else, `toolbox_differences.toml` says why.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from dealog.job import Job, transform
from dealog.pipeline import Engine, EngineName, parse_pipeline
from dealog.stopwatch import Stopwatch
from tests.support import joined, tools
from tests.support.cases import Case, corpus, examples, generated
from tests.support.compare import differences, functions
from tests.support.engines import ENGINES
from tests.support.nightly import NIGHTLY, nightly

KNOWN = Path(__file__).with_name("toolbox_differences.toml")
CLEAN_UP = ("-canonicalize", "-cse", "-mlir-print-local-scope")


@dataclass(frozen=True)
class Compared:
    """A pass with options for both, and what only Dealog is given; `folder` holds the cases written for it."""

    name: str
    folder: str
    options: str = ""
    ours: str = ""
    on_module: bool = False
    before: tuple[str, ...] = ()  # what mlir-opt does to the cases first
    crashing: tuple[str, ...] = ()  # the names of cases that mlir-opt does not survive start so
    refuses: bool = False  # some cases, which are left out

    def pipeline(self, options: str) -> str:
        """The pass on every module in the module, or on the functions of each."""
        inner = f"{self.name}{{{options.strip()}}}" if options.strip() else self.name
        inner = inner if self.on_module else f"func.func({inner})"
        return f"builtin.module(builtin.module({inner}))"

    @property
    def id(self) -> str:
        return f"{self.name} {self.options}".strip()


PROMOTION = Compared(
    "promote-buffers-to-stack", "promotion", ours="loops-free-their-stack=true", crashing=("memref_of_memref",)
)

OUT_PARAMS = Compared("buffer-results-to-out-params", "out_params", on_module=True, refuses=True)

COMPARED = (
    PROMOTION,
    replace(PROMOTION, options="max-alloc-size-in-bytes=16 max-rank-of-allocated-memref=2"),
    Compared("buffer-hoisting", "hoisting", crashing=("small",)),
    Compared("buffer-loop-hoisting", "hoisting", crashing=("small",)),
    Compared("optimize-allocation-liveness", "freed", before=("-buffer-deallocation-pipeline",)),
    Compared("drop-equivalent-buffer-results", "results", on_module=True),
    OUT_PARAMS,
    replace(OUT_PARAMS, options="modify-public-functions=true hoist-static-allocs=true hoist-dynamic-allocs=true"),
    replace(OUT_PARAMS, options="add-result-attr=true hoist-dynamic-allocs=true"),
)


@functools.cache
def _cases(folder: str, without: tuple[str, ...] = ()) -> tuple[Case, ...]:
    further = (*examples(), *generated()) if NIGHTLY else generated(2)
    cases = (*corpus(f"toolbox/{folder}"), *corpus(), *further)
    return tuple(case for case in cases if not case.name.startswith(without or "-"))


@functools.cache
def _taken(compared: Compared) -> tuple[Case, ...]:
    """The cases that mlir-opt takes."""
    cases = _cases(compared.folder, compared.crashing)
    if not compared.refuses:
        return cases
    pipeline = f"--pass-pipeline=builtin.module({compared.name}{{{compared.options}}})"
    # Each by itself: of all in one process, mlir-opt does not come to an end with some options.
    command = [tools.mlir_opt(), "-mlir-disable-threading", pipeline]
    outputs = [tools.run(command, case.text, timeout=5) for case in cases]
    taken = [case for case, output in zip(cases, outputs, strict=True) if output.text]
    # Printed, they all have a module around them: the pass runs on the modules that stand right in the joined one.
    printed = tools.run_mlir_opt([case.text for case in taken], "-mlir-print-local-scope")
    return tuple(replace(c, text=_inner(p.unwrap())) for c, p in zip(taken, printed, strict=True))


@functools.cache
def _together(compared: Compared, form: str) -> str:
    cases = _taken(compared)
    text = joined.join(cases)
    if compared.before:  # what mlir-opt refuses, which is freed by hand mostly, stays as it is
        outputs = tools.run_mlir_opt([case.text for case in cases], *compared.before, "-mlir-print-local-scope")
        made = zip(cases, outputs, strict=True)
        text = joined.join(replace(case, text=_inner(output.text)) if output.text else case for case, output in made)
    if form == "generic":
        text = tools.run_mlir_opt([text], "-mlir-print-op-generic")[0].unwrap()
    return text


def _inner(text: str) -> str:
    """What stands in the module that mlir-opt printed."""
    return re.sub(r"\A\s*module[^\n]*\{\n|\}\s*\Z", "", text.split("\n{-#")[0])


def _cleaned(text: str) -> str:
    return tools.run_mlir_opt([text], *CLEAN_UP)[0].unwrap()


def run_dealog(text: str, pipeline: str, engine: EngineName = "embedded") -> str:
    job = Job(parse_pipeline(pipeline), Engine(engine))
    return transform(text, "<stdin>", job, Stopwatch(show=False), lambda _: None)


def _known() -> dict[tuple[str, str, str], str]:
    table = tomllib.loads(KNOWN.read_text()).get("difference", [])
    return {(row["pass"], row["case"], row["function"]): row["reason"] for row in table}


@functools.cache
def _expected(compared: Compared) -> str:
    text = _together(compared, "custom")
    pipeline = f"--pass-pipeline={compared.pipeline(compared.options)}"
    return _cleaned(tools.run_mlir_opt([text], pipeline)[0].unwrap())


@pytest.mark.parametrize("compared", COMPARED, ids=lambda compared: compared.id)
@pytest.mark.parametrize("form", ["custom", pytest.param("generic", marks=nightly)])
@pytest.mark.parametrize("engine", ENGINES if NIGHTLY else ["embedded"])
def test_same_as_mlir(compared: Compared, form: str, engine: EngineName) -> None:
    pipeline = compared.pipeline(f"{compared.options} {compared.ours}")
    actual = joined.split(_cleaned(run_dealog(_together(compared, form), pipeline, engine)))
    known, wrong, changed = _known(), [], 0
    before = joined.split(_cleaned(_together(compared, "custom")))
    for case, text in joined.split(_expected(compared)).items():
        changed += text != before[case]
        for function, difference in differences(text, actual.get(case, "")).items():
            if (compared.id, case, function) not in known and (compared.name, case, function) not in known:
                wrong.append(f"{case} @{function}\n{difference}")
    assert not wrong, "\n\n".join(wrong)
    assert changed > 3


@pytest.mark.parametrize("folder", sorted({compared.folder for compared in COMPARED}))
def test_the_corpus_is_large_enough(folder: str) -> None:
    """At least 60 functions are compared, of which some are written for the pass."""
    assert len(corpus(f"toolbox/{folder}")) > 0
    assert sum(len(functions(case.text)) - 1 for case in _cases(folder)) >= 60


@functools.cache
def _texts(compared: Compared) -> dict[str, str]:
    text = tools.run_mlir_opt([_together(compared, "custom")], "-mlir-print-local-scope")[0].unwrap()
    return joined.split(text)


@nightly
def test_known_differences_are_there() -> None:
    """A reason stands for something that does differ."""
    gone = []
    for (name, case, function), reason in _known().items():
        assert reason.strip()
        if not any(name in (compared.id, compared.name) for compared in COMPARED):
            continue  # another test compares that pass
        found = False
        for compared in COMPARED:
            if name not in (compared.id, compared.name):
                continue
            texts = _texts(compared)
            assert case in texts, f"there is no case {case}"
            text = f'module {{\n  module @"{case}" {{\n{texts[case]}  }}\n}}\n'
            pipeline = f"--pass-pipeline={compared.pipeline(compared.options)}"
            expected = _cleaned(tools.run_mlir_opt([text], pipeline)[0].unwrap())
            actual = _cleaned(run_dealog(text, compared.pipeline(f"{compared.options} {compared.ours}")))
            both = joined.split(expected)[case], joined.split(actual)[case]
            found = found or function in differences(*both)
        if not found:
            gone.append((name, case, function))
    assert not gone
