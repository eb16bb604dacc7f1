"""Dealog's ownership-based deallocation against MLIR's own: the same text after canonicalize and cse.

Both outputs take the same way: printed, read again by ``mlir-opt``, canonicalized. (The canonicalizer's result depends on
the order in which it meets an operation's users, which printing and reading settle.)
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support import tools
from tests.support.cases import CORPUS, Case, corpus, examples, generated
from tests.support.compare import differences
from tests.support.dealog import OWNERSHIP, run_dealog, souffle_is_missing

KNOWN = Path(__file__).with_name("known_differences.toml")
OPTIONS = ("", "private-function-dynamic-ownership=true")
CLEAN_UP = ("-canonicalize", "-cse", "-mlir-print-local-scope")
FORMS = ("custom", "generic")


def _flag(options: str) -> str:
    return f"{OWNERSHIP}={options}" if options else OWNERSHIP


def _unwrap(outputs: Sequence[tools.Output]) -> list[str]:
    return [output.unwrap() for output in outputs]


@functools.cache
def _cases() -> dict[str, Case]:
    return {case.name: case for case in (*corpus(), *examples(), *generated())}


@functools.cache
def _in_form(form: str) -> dict[str, str]:
    """Every case as it is written, or in MLIR's generic form."""
    texts = [case.text for case in _cases().values()]
    if form == "generic":
        texts = _unwrap(tools.run_mlir_opt(texts, "-mlir-print-op-generic"))
    return dict(zip(_cases(), texts, strict=True))


@functools.cache
def _expected(options: str) -> dict[str, str]:
    """What MLIR's pass makes of every case."""
    passed = _unwrap(tools.run_mlir_opt([case.text for case in _cases().values()], f"-{_flag(options)}"))
    return dict(zip(_cases(), _unwrap(tools.run_mlir_opt(passed, *CLEAN_UP)), strict=True))


def _known(case: str, options: str) -> dict[str, str]:
    """The functions of a case that are known to differ, with the reasons."""
    table = tomllib.loads(KNOWN.read_text()).get("difference", [])
    return {
        row["function"]: row["reason"]
        for row in table
        if row["case"] == case and row.get("options", options) == options
    }


def _check(case: str, options: str, expected: str, actual: str) -> None:
    found = differences(expected, tools.run_mlir_opt([actual], *CLEAN_UP)[0].unwrap())
    known = _known(case, options)
    unexpected = [text for function, text in found.items() if function not in known]
    assert not unexpected, "\n".join(unexpected)
    vanished = [function for function in known if function not in found]
    assert not vanished, f"{KNOWN.name} lists functions that do not differ: {', '.join(vanished)}"


@pytest.mark.parametrize("options", OPTIONS, ids=["abi", "dynamic"])
@pytest.mark.parametrize("name", [case.name for case in (*corpus(), *examples(), *generated())])
def test_same_as_mlir(name: str, options: str) -> None:
    outputs = {}
    for form in FORMS:
        output = run_dealog(_in_form(form)[name], [_flag(options)]).unwrap()
        outputs[form] = tools.run_mlir_opt([output], "-mlir-print-local-scope")[0].unwrap()
        _check(name, options, _expected(options)[name], output)
    assert not differences(outputs["generic"], outputs["custom"]), "the form of the input changes the output"


@pytest.mark.parametrize("options", OPTIONS, ids=["abi", "dynamic"])
@pytest.mark.parametrize("case", corpus("across_blocks"), ids=lambda case: case.name)
def test_same_as_mlir_without_assertions(case: Case, options: str) -> None:
    tool = tools.mlir_opt_without_assertions()
    if tool is None:
        pytest.skip("no mlir-opt without assertions is installed")
    passed = tools.run_mlir_opt([case.text], f"-{_flag(options)}", tool=tool)[0].unwrap()
    expected = tools.run_mlir_opt([passed], *CLEAN_UP)[0].unwrap()
    _check(case.name, options, expected, run_dealog(case.text, [_flag(options)]).unwrap())


@pytest.mark.parametrize("options", OPTIONS, ids=["abi", "dynamic"])
@pytest.mark.parametrize("form", FORMS)
def test_both_engines_agree(form: str, options: str) -> None:
    """One module that holds all cases: the engines are started once, and give the same text."""
    reason = souffle_is_missing()
    if reason:
        pytest.skip(reason)
    texts = [case.text for case in _cases().values()]
    generic = ("-mlir-print-op-generic",) if form == "generic" else ()
    modules = _unwrap(tools.run_mlir_opt(texts, "-mlir-print-local-scope", *generic))
    together = "\n".join(["module {", *(_without_resources(module) for module in modules), "}\n"])
    embedded = run_dealog(together, [_flag(options)], "embedded").unwrap()
    souffle = run_dealog(together, [_flag(options)], "souffle").unwrap()
    assert embedded == souffle
    tools.run_mlir_opt([souffle])[0].unwrap()


def _without_resources(module: str) -> str:
    """A module without the resources behind it, which may stand only at the end of a file."""
    return module.split("\n{-#")[0]


# ---- what is refused ----------------------------------------------------------------------------------------


def _expectations(text: str) -> list[tuple[int, str]]:
    """The line and the text of every diagnostic that comments of the form expected-error@below expect."""
    marker = "// expected-error@below {{"
    lines = text.splitlines()
    return [
        (number + 2, line.split(marker, 1)[1].rsplit("}}", 1)[0])
        for number, line in enumerate(lines)
        if marker in line
    ]


REFUSED = corpus("refused")


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_mlir_refuses(case: Case) -> None:
    """The comments in the corpus say what mlir-opt says."""
    assert _expectations(case.text)
    options = [option for option in (case.says("options") or "").split() if option.startswith("-")]
    output = tools.run_mlir_opt([case.text], f"-{OWNERSHIP}", "-verify-diagnostics", *options)[0]
    assert output.ok, output.errors


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_dealog_refuses(case: Case) -> None:
    """The same message at the same line. Where MLIR stops at the first function that it refuses, Dealog goes on."""
    output = run_dealog(case.text, [OWNERSHIP], allow_unregistered=case.says("options") is not None)
    assert output.text is None, "not refused"
    errors = [(d.position[0] if d.position else 0, d.message) for d in output.diagnostics]
    expected = _expectations(case.text)
    assert errors[: len(expected)] == expected


def test_every_known_difference_names_a_case() -> None:
    names = {*_cases(), *(case.name for case in corpus("across_blocks"))}
    for row in tomllib.loads(KNOWN.read_text()).get("difference", []):
        assert row["case"] in names
        assert row["reason"].strip()


def test_the_corpus_is_what_it_says() -> None:
    """Every file is valid MLIR, and there are at least 200 functions for the comparison."""
    count = 0
    for folder in ("", "across_blocks", "beyond", "refused"):
        cases = corpus(folder)
        assert cases, CORPUS / folder
        for case, output in zip(
            cases, tools.run_mlir_opt([c.text for c in cases], "-allow-unregistered-dialect"), strict=True
        ):
            assert output.ok, f"{case.name}: {output.errors}"
            count += (output.text or "").count("func.func") if folder in ("", "across_blocks") else 0
    assert count >= 200
