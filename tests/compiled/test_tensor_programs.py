"""Tensor programs, bufferized, deallocated by Dealog, lowered and run: they print what they should, and do
not leak.

The programs in ``tensor_programs/`` say in comments what they print. The same way leads from them to the
output whether Dealog or MLIR's own pipeline stands in the middle, and wherever in the middle Dealog stands.
All programs are one, which prints what they print one after the other.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support import sanitized, tools
from tests.support.cases import Case
from tests.support.dealog import command, run_dealog
from tests.support.execute import Program, execute_one, lowerable
from tests.support.nightly import nightly, one_in

FOLDER = Path(__file__).with_name("tensor_programs")
PRINTED_HERE = "-mlir-print-local-scope"
BUFFERIZE = (
    "-one-shot-bufferize=bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops"
)
PIPELINE = "buffer-deallocation-pipeline"
CONVERT = "convert-bufferization-to-memref"
TO_LOOPS = ("-convert-linalg-to-loops", "-scf-forall-to-for", PRINTED_HERE, "-mlir-print-op-generic")
TO_LLVM = (
    "-lower-affine",
    "-convert-scf-to-cf",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-math-to-libm",
    "-convert-index-to-llvm",
    "-finalize-memref-to-llvm",
    "-convert-arith-to-llvm",
    "-convert-cf-to-llvm",
    "-convert-func-to-llvm",
    "-reconcile-unrealized-casts",
)

# What may come between bufferization and deallocation.
BETWEEN = {
    "bufferization": (),
    "canonicalization": ("-canonicalize", "-cse"),
    "out-parameters": ("-buffer-results-to-out-params=modify-public-functions=1 hoist-static-allocs=1",),
    "hoisting": ("-buffer-hoisting", "-buffer-loop-hoisting"),
    "loops": ("-convert-linalg-to-loops", "-scf-forall-to-for"),
    "affine-loops": ("-convert-linalg-to-affine-loops", "-fold-memref-alias-ops"),
    "stack": ("-promote-buffers-to-stack", "-canonicalize"),
    "metadata": ("-convert-linalg-to-loops", "-expand-strided-metadata", "-lower-affine"),
}
# MLIR's pass cannot make parameters of results whose sizes are open.
NO_OUT_PARAMETERS = {"generated_and_reduced", "padding", "softmax"}


@functools.cache
def _cases(between: str = "bufferization") -> tuple[Case, ...]:
    cases = (Case(path.stem, path.read_text()) for path in sorted(FOLDER.glob("*.mlir")))
    return tuple(case for case in cases if between != "out-parameters" or case.name not in NO_OUT_PARAMETERS)


def _expected(cases: Iterable[Case]) -> list[str]:
    """What the programs print, each line with the name of the program."""
    return [
        f"{case.name}: {line}"
        for case in cases
        for line in re.findall(r"^// prints: (.*)$", case.text, re.MULTILINE)
    ]


_PRINTER = r"printMemref\w+"
_DECLARATION = re.compile(rf"^func\.func private @{_PRINTER}\(.*\n", re.MULTILINE)
_ALIAS = re.compile(r"^#\w+ = .*\n", re.MULTILINE)


def _together(cases: Iterable[Case]) -> str:
    """The programs as one: under names of their own, with a main function that calls theirs."""
    aliases, bodies, calls, printers = [], [], [], set()
    for case in cases:
        text = re.sub(rf"@(?!{_PRINTER})|(?<!\w)#(?=\w)", lambda sign: f"{sign[0]}{case.name}_", case.text)  # noqa: B023
        printers |= set(_DECLARATION.findall(text))
        aliases += _ALIAS.findall(text)
        bodies.append(_ALIAS.sub("", _DECLARATION.sub("", text)))
        calls.append(f"  call @{case.name}_main() : () -> ()\n")
    main = ["func.func @main() {\n", *calls, "  return\n}\n"]
    return "".join([*aliases, *sorted(printers), *bodies, *main])


@functools.cache
def _bufferized(between: str) -> str:
    """The programs when it is Dealog's turn."""
    text = _together(_cases(between))
    return tools.run_mlir_opt([text], BUFFERIZE, *BETWEEN[between])[0].unwrap()


@functools.cache
def _deallocated(between: str) -> str:
    """The programs after Dealog."""
    return run_dealog(_bufferized(between), [PIPELINE, CONVERT]).unwrap()


def _runner_libraries() -> list[str]:
    runner = tools.find("mlir-runner")
    folders = (runner.parent.parent / "lib", runner.resolve().parent.parent / "lib")
    names = ("libmlir_runner_utils", "libmlir_c_runner_utils")
    return [
        next(str(path) for folder in folders for path in sorted(folder.glob(f"{name}.so*"))) for name in names
    ]


# The address apart, and how the elements lie in memory: that is not for the program to say.
_PRINTED = re.compile(r"^Unranked Memref base@ = .* sizes = (\[.*?\]) strides = .* data = *$")


def _printed(output: str) -> list[str]:
    """What the runner printed, a line for each tensor."""
    lines: list[str] = []
    for line in output.splitlines():
        if match := _PRINTED.match(line):
            lines.append(match[1])
        elif lines:
            lines[-1] += f" {line}"
    return [re.sub(r"\s+", " ", line).strip() for line in lines]


def _run(deallocated: str, cases: Iterable[Case]) -> list[str]:
    """What ``@main`` prints, each line with the name of the program that should print it."""
    runner = tools.find("mlir-runner")
    loops = tools.run_mlir_opt([deallocated], *TO_LOOPS)[0].unwrap()
    lowered = tools.run_mlir_opt([lowerable(loops)], *TO_LLVM)[0].unwrap()
    options = ("-e", "main", "-entry-point-result=void", f"-shared-libs={','.join(_runner_libraries())}")
    lines = _printed(tools.run([runner, *options], lowered).unwrap())
    names = [line.split(": ")[0] for line in _expected(cases)]
    assert len(lines) == len(names)
    return [f"{name}: {line}" for name, line in zip(names, lines, strict=True)]


def test_by_mlir() -> None:
    """The programs and what they print are right without Dealog."""
    assert len(_cases()) >= 12 and all(_expected([case]) for case in _cases())
    output = tools.run_mlir_opt([_bufferized("bufferization")], f"-{PIPELINE}", f"-{CONVERT}")[0].unwrap()
    assert _run(output, _cases()) == _expected(_cases())


@pytest.mark.parametrize("between", one_in(3, list(BETWEEN)))
def test_prints_the_same_after(between: str) -> None:
    cases = _cases(between)
    assert _run(_deallocated(between), cases) == _expected(cases)


@pytest.mark.parametrize("between", one_in(3, list(BETWEEN)))
def test_runs_clean_after(between: str) -> None:
    """All of it, and every function by itself."""
    run = execute_one(_deallocated(between))
    assert not run.faults, "\n".join(run.faults)
    assert {f"{case.name}_main" for case in _cases(between)} < {call.function for call in run.calls}
    assert sum(call.allocations > 0 for call in run.calls) > len(run.calls) // 2


# Bodies are bufferized after the conversion of signatures: as nothing writes to what a tensor is made of, MLIR may
# be told so. It leaves what branches hand to blocks alone then.
RESTRICT = '#include "vocabulary.dl"\nconversion_says("bufferization.to_tensor", "restrict", "").\n'


@pytest.mark.parametrize(
    ("results", "between"), [pytest.param("keep", "bufferization", marks=nightly), ("append", "out-parameters")]
)
def test_runs_clean_with_converted_signatures(results: str, between: str, tmp_path: Path) -> None:
    (tmp_path / "restrict.dl").write_text(RESTRICT)
    cases = [case for case in _cases(between) if not re.search(r"^ *cf\.", case.text, re.MULTILINE)]
    flags = ("--rules", tmp_path / "restrict.dl", f"--convert-signatures=results={results}")
    converted = command("opt", *flags, stdin=_together(cases))
    assert not converted.err and "(%which: index, %x: memref" in converted.out
    bufferized = tools.run_mlir_opt([converted.out], "-one-shot-bufferize=allow-return-allocs-from-loops")[0].unwrap()
    assert "bufferization.to_" not in bufferized and len(cases) > 10
    deallocated = run_dealog(bufferized, [PIPELINE, CONVERT]).unwrap()
    assert _run(deallocated, cases) == _expected(cases)
    run = execute_one(deallocated)
    assert run.calls and not run.faults, "\n".join(run.faults)
    assert sum(call.allocations > 0 for call in run.calls) > len(run.calls) // 2


def test_runs_clean_under_address_sanitizer() -> None:
    if reason := sanitized.missing():
        pytest.skip(reason)
    (run,) = sanitized.execute_sanitized([Program("programs", _deallocated("bufferization"))])
    assert run.calls and not run.faults, "\n".join(run.faults)


def test_leaks_without_deallocation() -> None:
    """The programs do leak when nobody deallocates anything: that they do not afterwards says something."""
    run = execute_one(_bufferized("bufferization"))
    mains = [call for call in run.calls if call.function.endswith("_main")]
    assert len(mains) == len(_cases()) and all(call.leaks > 0 for call in mains)


@pytest.mark.parametrize("between", one_in(2, ["bufferization", "loops"]))
def test_in_a_pipe(between: str) -> None:
    """``mlir-opt | dealog opt | mlir-opt``, by standard input and output."""
    dealog = [sys.executable, "-m", "dealog", "opt", f"--{PIPELINE}", f"--{CONVERT}", "-"]
    done = subprocess.run(dealog, input=_bufferized(between), capture_output=True, text=True, check=True)
    assert not done.stderr
    assert _run(done.stdout, _cases()) == _expected(_cases())
