"""Dealog's ownership-based deallocation against MLIR's own: the same text after canonicalize and cse.

Both outputs take the same way: printed, read again by ``mlir-opt``, canonicalized. (The canonicalizer's
result depends on the order in which it meets an operation's users, which printing and reading settle.) All
cases go through in one module, and are compared one by one, function by function.
"""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import pytest

from dealog.pipeline import EngineName
from tests.support import joined, tools
from tests.support.cases import CORPUS, Case, corpus, examples, generated
from tests.support.compare import clones_less, differences
from tests.support.dealog import OWNERSHIP, run_dealog
from tests.support.engines import ENGINES
from tests.support.nightly import NIGHTLY, nightly

KNOWN = Path(__file__).with_name("known_differences.toml")
OPTIONS = pytest.mark.parametrize(
    "options", ["", "private-function-dynamic-ownership=true"], ids=["abi", "dynamic"]
)
CLEAN_UP = ("-canonicalize", "-cse", "-mlir-print-local-scope")


def _flag(options: str) -> str:
    return f"{OWNERSHIP}={options}" if options else OWNERSHIP


def _cleaned(text: str) -> str:
    return tools.run_mlir_opt([text], *CLEAN_UP)[0].unwrap()


@functools.cache
def _cases() -> tuple[Case, ...]:
    return (*corpus(), *examples(), *generated())


@functools.cache
def _together(form: str) -> str:
    """All cases as they are written, or in MLIR's generic form."""
    text = joined.join(_cases())
    if form == "generic":
        text = tools.run_mlir_opt([text], "-mlir-print-op-generic")[0].unwrap()
    return text


@functools.cache
def _expected(options: str) -> dict[str, str]:
    """What MLIR's pass makes of every case."""
    output = tools.run_mlir_opt([_together("custom")], f"-{_flag(options)}")[0].unwrap()
    return joined.split(_cleaned(output))


def _known(case: str, options: str) -> dict[str, str]:
    """The functions of a case that are known to differ, with the reasons."""
    table = tomllib.loads(KNOWN.read_text()).get("difference", [])
    return {
        row["function"]: row["reason"]
        for row in table
        if row["case"] == case and row.get("options", options) == options
    }


def _wrong(case: str, options: str, found: dict[str, str]) -> list[str]:
    """Differences that are not known, and known ones that are not there."""
    known = _known(case, options)
    wrong = [f"{case} @{function}\n{text}" for function, text in found.items() if function not in known]
    gone = [f"{case} @{name}: does not differ any more" for name in known if name not in found]
    return wrong + gone


@OPTIONS
@pytest.mark.parametrize("form", ["custom", pytest.param("generic", marks=nightly)])
@pytest.mark.parametrize("engine", ENGINES)
def test_same_as_mlir(engine: EngineName, form: str, options: str) -> None:
    expected = _expected(options)
    assert list(expected) == [case.name for case in _cases()]
    actual = joined.split(_cleaned(run_dealog(_together(form), [_flag(options)], engine).unwrap()))
    wrong = []
    for case, text in expected.items():
        # In what order a dealloc retains buffers of several regions is a known difference (nested.mlir).
        random = case.startswith("generated-")
        found = differences(text, actual.get(case, ""), ordered=not random)
        if random:  # what a loop carries around unchanged is returned as it is: a known one, too (scf_for.mlir)
            found = {name: found[name] for name in found if not clones_less(found[name])}
        wrong += _wrong(case, options, found)
    assert not wrong, "\n\n".join(wrong)


@OPTIONS
def test_alone_as_together(options: str) -> None:
    """What else is in the input makes no difference to a function."""
    cases = (*corpus()[:: 4 if NIGHTLY else 12], *generated()[::8])
    alone = [run_dealog(joined.join([case]), [_flag(options)]).unwrap() for case in cases]
    together = joined.split(_cleaned(run_dealog(_together("custom"), [_flag(options)]).unwrap()))
    for case, output in zip(cases, tools.run_mlir_opt(alone, *CLEAN_UP), strict=True):
        assert joined.split(output.unwrap()) == {case.name: together[case.name]}


@OPTIONS
@pytest.mark.parametrize("case", corpus("across_blocks"), ids=lambda case: case.name)
def test_same_as_mlir_without_assertions(case: Case, options: str) -> None:
    """The order of the operands apart: MLIR's rests on a comparison that it cannot make, see the corpus."""
    tool = tools.mlir_opt_without_assertions()
    if tool is None:
        pytest.skip("no mlir-opt without assertions is installed")
    output = tools.run_mlir_opt([case.text], f"-{_flag(options)}", tool=tool)[0].unwrap()
    actual = _cleaned(run_dealog(case.text, [_flag(options)]).unwrap())
    wrong = _wrong(case.name, options, differences(_cleaned(output), actual, ordered=False))
    assert not wrong, "\n\n".join(wrong)


# ---- what is refused --------------------------------------------------------------------------------------


def _expectations(text: str) -> list[tuple[int, str]]:
    """The line and the text of every diagnostic that comments of the form expected-error@below expect."""
    marker = "// expected-error@below {{"
    return [
        (number + 2, line.split(marker, 1)[1].rsplit("}}", 1)[0])
        for number, line in enumerate(text.splitlines())
        if marker in line
    ]


REFUSED = pytest.mark.parametrize("case", corpus("refused"), ids=lambda case: case.name)


@REFUSED
def test_mlir_refuses(case: Case) -> None:
    """The comments in the corpus say what mlir-opt says."""
    assert _expectations(case.text)
    options = [option for option in (case.says("options") or "").split() if option.startswith("-")]
    output = tools.run_mlir_opt([case.text], f"-{OWNERSHIP}", "-verify-diagnostics", *options)[0]
    assert output.ok, output.errors


@REFUSED
def test_dealog_refuses(case: Case) -> None:
    """The same message at the same line. Where MLIR stops at the first, Dealog goes on."""
    output = run_dealog(case.text, [OWNERSHIP], allow_unregistered=case.says("options") is not None)
    assert output.text is None, "not refused"
    errors = [(d.position[0] if d.position else 0, d.message) for d in output.diagnostics]
    expected = _expectations(case.text)
    assert errors[: len(expected)] == expected


# ---- the cases themselves ---------------------------------------------------------------------------------


def test_every_known_difference_names_a_case() -> None:
    names = {case.name for case in (*_cases(), *corpus("across_blocks"))}
    for row in tomllib.loads(KNOWN.read_text()).get("difference", []):
        assert row["case"] in names
        assert row["reason"].strip()


def test_the_corpus_is_what_it_says() -> None:
    """Every file is valid MLIR, and there are at least 200 functions to compare."""
    count = 0
    for folder in ("", "across_blocks", "beyond", "refused"):
        cases = corpus(folder)
        assert cases, CORPUS / folder
        outputs = tools.run_mlir_opt([case.text for case in cases], "-allow-unregistered-dialect")
        for case, output in zip(cases, outputs, strict=True):
            assert output.ok, f"{case.name}: {output.errors}"
            if folder in ("", "across_blocks"):
                count += output.unwrap().count("func.func")
    assert count >= 200
