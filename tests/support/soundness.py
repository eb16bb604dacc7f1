"""What a deallocation pipeline makes of programs, judged by running them: clean, at fault, or refused, and why.

Whoever brings a pipeline gives the flags that it is run by, and gets a verdict for each program.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.pipeline import EngineName
from tests.support import tools
from tests.support.cases import CORPUS, Case
from tests.support.dealog import run_dealog
from tests.support.execute import Execution, Program, execute, references
from tests.support.sanitized import execute_sanitized

TOGETHER = 20
"""How many programs are deallocated as one."""
DYNAMIC = "private-function-dynamic-ownership=true"
_IN_MODULES = ("static", "buffer-deallocation-pipeline")


@dataclass(frozen=True)
class Verdict:
    """What became of one program: what it was ``refused`` for, or its ``faults`` when it was run. Clean: neither."""

    refused: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The verdict in a word: clean, refused, leaked, freed twice, used after free, …"""
        if self.refused:
            return "refused"
        found = [kind for kind, sign in KINDS.items() if any(re.search(sign, fault) for fault in self.faults)]
        return found[0] if found else "at fault" if self.faults else "clean"


KINDS = {
    "used after free": "after free|use-after-free|died of SIG",
    "freed twice": "freed twice|double-free|freed without",
    "leaked": "leak",
    "wrong": "expected$",
}


def cases() -> list[Case]:
    """The programs of `tests/corpus/sound`. Their comments say what each is refused for, and what MLIR's verdict is.

    ``static:`` is what the static deallocation says, where that is something else than ``dealog:``; clean, perhaps.
    """
    found = []
    for path in sorted((CORPUS / "sound").glob("*.mlir")):
        for part in tools.split(path.read_text()):
            functions = re.findall(r"func\.func (?:private )?@(\w+)", part)
            said = re.findall(r"^// (dealog|static|mlir): (.*)$", part, re.MULTILINE)
            found.append(Case(f"{path.stem}-{functions[-1]}", part, tuple(said)))
    return found


Output: TypeAlias = "tuple[str | None, tuple[str, ...]]"  # the text, and what the program is refused for


@lru_cache(maxsize=1024)
def deallocated(
    text: str, passes: tuple[str, ...], engine: EngineName = "embedded", extensions: Extensions = NO_EXTENSIONS
) -> Output:
    """The program after the passes and pipelines, written as flags without dashes, or what it is refused for. The last
    ones are remembered: the same programs are run on the checked heap and under AddressSanitizer."""
    return _run(text, passes, engine, extensions)


def _run(text: str, passes: tuple[str, ...], engine: EngineName, extensions: Extensions) -> Output:
    output = run_dealog(text, passes, engine, extensions=extensions, verify=False)  # mlir-opt reads what is run
    return output.text, tuple(sorted({diagnostic.message for diagnostic in output.diagnostics}))


@lru_cache(maxsize=256)
def _deallocated_together(
    texts: tuple[str, ...], passes: tuple[str, ...], engine: EngineName, extensions: Extensions
) -> tuple[Output, ...]:
    """What `deallocated` gives for each program. They are modules in one module, which takes a third of the time of as
    many runs; where some are refused, these are run alone, and the others once more."""
    if len(texts) == 1:
        return (deallocated(texts[0], passes, engine, extensions),)
    modules = [f"module @together_{i} {{\n{text}\n}}\n" for i, text in enumerate(texts)]
    given = run_dealog("".join(modules), passes, engine, extensions=extensions, verify=False)
    if given.text is None:
        ends = list(accumulate(text.count("\n") for text in modules))
        lines = [diagnostic.position[0] for diagnostic in given.diagnostics if diagnostic.position is not None]
        refused = {bisect_left(ends, line) for line in lines} or set(range(len(texts)))
        rest = tuple(text for i, text in enumerate(texts) if i not in refused)
        others = iter(_deallocated_together(rest, passes, engine, extensions) if rest else ())
        return tuple(
            deallocated(text, passes, engine, extensions) if i in refused else next(others)
            for i, text in enumerate(texts)
        )
    output = given.text
    parts = re.split(r"^module @together_\d+ \{\n", output, flags=re.MULTILINE)[1:]
    assert len(parts) == len(texts)
    return tuple((part.rstrip().removesuffix("}"), ()) for part in parts)


def deallocated_all(
    programs: Mapping[str, str], passes: tuple[str, ...], engine: EngineName = "embedded",
    extensions: Extensions = NO_EXTENSIONS,
) -> dict[str, Output]:
    """What becomes of each of the programs. Where it is known of the passes that they do the same in a module inside,
    programs go together; but aliases cannot stand in one."""
    has_aliases = any(re.search(r"^[#!]", text, re.MULTILINE) for text in programs.values())
    if not passes[0].startswith(_IN_MODULES) or has_aliases:
        return {name: deallocated(text, passes, engine, extensions) for name, text in programs.items()}
    names = list(programs)
    found: dict[str, Output] = {}
    for start in range(0, len(names), TOGETHER):
        some = names[start : start + TOGETHER]
        texts = tuple(programs[name] for name in some)
        found.update(zip(some, _deallocated_together(texts, passes, engine, extensions), strict=True))
    return found


def judge(
    programs: Mapping[str, str], passes: tuple[str, ...], engine: EngineName = "embedded", *, sanitize: bool = False,
    extensions: Extensions = NO_EXTENSIONS,
) -> dict[str, Verdict]:
    """The verdicts on Dealog's output for the programs, on the checked heap or under AddressSanitizer."""
    outputs = deallocated_all(programs, passes, engine, extensions)
    return _verdicts(programs, outputs, sanitize=sanitize)


def judge_mlir(programs: Mapping[str, str], options: str = "") -> dict[str, Verdict]:
    """The verdicts on the output of MLIR's own pipeline."""
    pipeline = f"-buffer-deallocation-pipeline={options}" if options else "-buffer-deallocation-pipeline"
    outputs = tools.run_mlir_opt(list(programs.values()), pipeline, "-convert-bufferization-to-memref")
    found = {
        name: (output.text, () if output.text else (str(output.errors),))
        for name, output in zip(programs, outputs, strict=True)
    }
    return _verdicts(programs, found, sanitize=False)


def _verdicts(
    programs: Mapping[str, str], outputs: Mapping[str, Output], *, sanitize: bool
) -> dict[str, Verdict]:
    made = {name: text for name, (text, _) in outputs.items() if text is not None}
    expected = references(Case(name, programs[name]) for name in made)
    run_all = execute_sanitized if sanitize else execute
    runs = {run.program.name: run for run in run_all([Program(name, text) for name, text in made.items()])}
    return {
        name: Verdict(faults=_faults(runs[name], expected[name])) if name in made else Verdict(refused=why)
        for name, (_, why) in outputs.items()
    }


def _faults(run: Execution, reference: Execution) -> tuple[str, ...]:
    found = list(run.faults)
    if not run.calls:
        found.append("nothing to run")
    if reference.error:
        found.append(f"without deallocation: {reference.error}")
    found += [
        f"@{call[0]}({call[1]}) gives {values}, {reference.values.get(call)} expected"
        for call, values in run.values.items()
        if not _same(values, reference.values.get(call))
    ]
    return tuple(found)


def _same(values: Sequence[str], expected: Sequence[str] | None) -> bool:
    """Whether two runs give the same; the address of a buffer is another one in each."""
    if expected is None or len(values) != len(expected):
        return False
    pairs = zip(values, expected, strict=True)
    return all(a == b or (_is_address(a) and _is_address(b)) for a, b in pairs)


def _is_address(value: str) -> bool:
    """Whether a value may be where a process has its heap or what it maps."""
    return value.isdecimal() and 2**43 <= int(value) < 2**47
