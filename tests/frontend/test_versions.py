"""The versions of MLIR whose text Dealog reads, and that read what it writes: those the readme names.

mlir-opt of each version prints the examples and the corpus in both forms, with and without locations. Dealog has to
read that and print it back to the byte, and mlir-opt has to accept what Dealog's pipeline makes of it.
"""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from dealog.frontend import parse, print_module
from tests.support import tools
from tests.support.cases import CORPUS, ROOT
from tests.support.dealog import run_dealog
from tests.support.nightly import NIGHTLY

VERSIONS = ("19", "22")
FORMS = {
    "custom": (),
    "generic": ("-mlir-print-op-generic",),
    "custom-locations": ("-mlir-print-debuginfo",),
    "generic-locations": ("-mlir-print-op-generic", "-mlir-print-debuginfo"),
}
WITH_LOCATIONS = ("custom-locations", "generic-locations")  # there is nothing without them that is not with them
AT_LEAST = 90  # programs that each version takes
STRIDE = 4 if NIGHTLY else 96  # of so many programs one goes through the pipeline, in each form another


def tool(version: str) -> Path:
    """The mlir-opt of a version; skips the test where there is none."""
    if version == tools.VERSION:
        return tools.mlir_opt()
    found = tools.older_mlir_opt(version)
    if found is None:
        pytest.skip(f"there is no mlir-opt {version}, which is optional: Debian's package mlir-{version}-tools has it")
    return found


@functools.cache
def programs(version: str) -> tuple[tuple[str, str], ...]:
    """The modules of the examples and the corpus that mlir-opt of this version takes, with their names."""
    found = []
    for path in (*sorted(ROOT.glob("examples/*.mlir")), *sorted(CORPUS.rglob("*.mlir"))):
        parts = tools.split(path.read_text())
        found += [(f"{path.relative_to(ROOT)}#{number}", part) for number, part in enumerate(parts)]
    outputs = tools.run_mlir_opt([part for _, part in found], "-allow-unregistered-dialect", tool=tool(version))
    return tuple(program for program, output in zip(found, outputs, strict=True) if output.ok)


@functools.cache
def printed(version: str, form: str) -> dict[str, str]:
    """What mlir-opt of this version prints for them."""
    flags = ("-allow-unregistered-dialect", *FORMS[form])
    outputs = tools.run_mlir_opt([text for _, text in programs(version)], *flags, tool=tool(version))
    return {name: output.unwrap() for (name, _), output in zip(programs(version), outputs, strict=True)}


@pytest.mark.parametrize("form", FORMS if NIGHTLY else WITH_LOCATIONS)
@pytest.mark.parametrize("version", VERSIONS)
def test_what_mlir_opt_prints_is_read_and_printed_back(version: str, form: str) -> None:
    texts = printed(version, form)
    assert len(texts) >= AT_LEAST
    changed = [name for name, text in texts.items() if print_module(parse(text, name)) != text]
    assert not changed


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("version", VERSIONS)
def test_what_the_pipeline_writes_is_accepted(version: str, form: str) -> None:
    texts = printed(version, form)
    first = list(FORMS).index(form) * STRIDE // len(FORMS)
    outputs = {
        name: run_dealog(texts[name], ["buffer-deallocation-pipeline"], allow_unregistered=True).text
        for name in list(texts)[first::STRIDE]
    }
    written = {name: text for name, text in outputs.items() if text is not None}
    assert len(written) > len(outputs) // 3  # the others are among the programs of the corpus that are to be refused
    accepted = tools.run_mlir_opt(list(written.values()), "-allow-unregistered-dialect", tool=tool(version))
    problems = {name: output.errors for name, output in zip(written, accepted, strict=True) if not output.ok}
    assert not problems


def test_the_readme_names_the_versions() -> None:
    assert f"MLIR {' and '.join(VERSIONS)}" in (ROOT / "README.md").read_text("utf-8")
