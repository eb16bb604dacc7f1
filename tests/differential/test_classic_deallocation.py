"""The classic deallocation against MLIR 19's pass: the same clones and deallocations, up to the order of neighbours.

MLIR 19 is not everywhere. What it makes of the cases written for the pass is kept in `classic_expected.mlir`, and held
against the tool where there is one.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dealog.diagnostics import DealogError
from dealog.pipeline import EngineName
from tests.differential.test_toolbox import run_dealog
from tests.support import tools
from tests.support.cases import Case, corpus, examples, generated
from tests.support.compare import differences, functions
from tests.support.engines import ENGINES
from tests.support.nightly import NIGHTLY, nightly, one_in

EXPECTED = Path(__file__).with_name("classic_expected.mlir")
PASS = "builtin.module(func.func(buffer-deallocation))"
OLDER = tools.older_mlir_opt("19")
OWN = corpus("toolbox/classic")
BETTER = {
    "used_at_the_end": "MLIR frees the buffer behind the first operation of the last block, ahead of its use.",
    "one_of_two_ways": "MLIR does not free the clone where control takes the other way.",
    "only_a_return": "MLIR does not free where the last block holds nothing but its terminator.",
}
"""Cases that MLIR gets wrong, and how."""

_MOVABLE = re.compile(r"^ *(?:(%\w+) = bufferization\.clone|memref\.dealloc) (%\w+(?:#\d+)?)")
_NAME = re.compile(r"%\w+")
_DEFINED = re.compile(r"^ *(%[\w:, %]+) = ")


def normalised(text: str) -> str:
    """The text with its values numbered in their order, and clones and deallocations that stand side by side sorted."""
    names: dict[str, str] = {}
    lines = []
    waiting: list[str] = []

    def flush() -> None:
        cloned: dict[str, str] = {}
        for line in sorted(waiting, key=lambda line: _key(line, names)):
            match = _MOVABLE.match(line)
            if match is not None and match[1] and match[2] in cloned:  # which clone is which does not matter
                names[match[1]] = cloned[match[2]]
                lines.append(_NAME.sub(lambda name: names.get(name[0], name[0]), line))
                continue
            lines.append(_renamed(line, names))
            if match is not None and match[1]:
                cloned[match[2]] = names[match[1]]
        waiting.clear()

    for line in text.splitlines():
        if _MOVABLE.match(line):
            waiting.append(line)
            continue
        flush()
        if "func.func" in line:
            names = {}
        lines.append(_renamed(line, names))
    flush()
    return "\n".join(lines) + "\n"


def _key(line: str, names: dict[str, str]) -> tuple[str, str]:
    match = _MOVABLE.match(line)
    assert match is not None
    operand = match[2]
    return _NAME.sub(lambda name: names.get(name[0], name[0]), operand), "clone" if match[1] else "dealloc"


def _renamed(line: str, names: dict[str, str]) -> str:
    defined = _DEFINED.match(line)
    for name in _NAME.findall(defined[1]) if defined else ():
        names[name] = f"%v{len(names)}" if name not in names else f"{names[name]}'"
    return _NAME.sub(lambda name: names.setdefault(name[0], f"%v{len(names)}"), line)


def _printed(text: str) -> str:
    return normalised(tools.run_mlir_opt([text], "-mlir-print-local-scope")[0].unwrap())


def kept() -> dict[str, str]:
    """What MLIR 19 makes of the cases, by name."""
    parts = re.split(r"^// case: (\S+)\n", EXPECTED.read_text(), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def older(cases: tuple[Case, ...]) -> dict[str, str]:
    """What the tool makes of the cases that it takes."""
    assert OLDER is not None
    outputs = [tools.run([OLDER, f"--pass-pipeline={PASS}"], case.text) for case in cases]
    return {case.name: output.text for case, output in zip(cases, outputs, strict=True) if output.text}


def wrong(
    expected: dict[str, str], cases: tuple[Case, ...], engine: EngineName = "embedded", without: str = "$^"
) -> list[str]:
    """The functions that differ, but for those in which `without` is found."""
    found = []
    for case in cases:
        if case.name in expected:
            try:
                made = run_dealog(case.text, PASS, engine)
            except DealogError as error:
                assert "no block comes after all its uses" in str(error), case.name
                continue
            theirs, ours = _printed(expected[case.name]), _printed(made)
            texts = functions(theirs)
            for function, difference in differences(theirs, ours).items():
                if not re.search(without, texts.get(function, "")):
                    found.append(f"{case.name} @{function}\n{difference}")
    return found


@pytest.mark.parametrize("engine", ENGINES if NIGHTLY else ["embedded"])
def test_as_mlir_19(engine: EngineName) -> None:
    expected = kept()
    assert {case.name for case in OWN} == {*expected, *(case.name for case in OWN if _better(case))}
    assert not wrong(expected, one_in(3, OWN), engine)
    assert len(expected) > 20


def _better(case: Case) -> bool:
    return any(f"@{name}(" in case.text for name in BETTER)


@pytest.mark.skipif(OLDER is None, reason="there is no mlir-opt 19, which is optional")
def test_what_is_kept_is_what_the_tool_does() -> None:
    made = older(tuple(case for case in OWN if not _better(case)))
    assert {name: normalised(text) for name, text in made.items()} == {
        name: normalised(text) for name, text in kept().items()
    }


CHAIN = "buffer-hoisting,buffer-loop-hoisting,promote-buffers-to-stack,buffer-deallocation"


def test_the_pipeline_is_the_chain_of_its_passes() -> None:
    text = OWN[0].text
    chain = run_dealog(text, f"builtin.module({CHAIN},clone-removal)")
    assert run_dealog(text, "builtin.module(classic-buffer-deallocation-pipeline)") == chain
    assert "memref.alloca" in run_dealog(text, "builtin.module(classic-buffer-deallocation-pipeline)")


@nightly
@pytest.mark.skipif(OLDER is None, reason="there is no mlir-opt 19, which is optional")
def test_on_examples_and_generated_programs() -> None:
    cases = (*examples(), *generated())
    # Between blocks MLIR frees too early, or not at all; numbers that a call returns are names of a buffer to it.
    assert not wrong(older(cases), cases, without=r"\^bb|call |xmemref")
