"""Dealog's lowering passes against MLIR's own: the same text after canonicalize and cse.

The inputs are what MLIR's own passes make of the corpus, and what ``corpus/lowering`` holds. Each becomes a
module in one big module, which both tools lower: that takes few processes, and each module gets a helper
function of its own.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator

import pytest

from dealog.diagnostics import DealogError
from dealog.job import Job, transform
from dealog.pipeline import Engine, parse_pipeline
from dealog.stopwatch import Stopwatch
from tests.support import tools
from tests.support.cases import corpus, examples, generated
from tests.support.compare import clones_less, differences
from tests.support.dealog import OWNERSHIP, run_dealog
from tests.support.engines import needs_souffle
from tests.support.execute import Program, execute, references
from tests.support.nightly import nightly, one_in

LOWER = "bufferization-lower-deallocations"
CONVERT = "convert-bufferization-to-memref"
EXPAND = "expand-realloc"
CLEAN_UP = ("-canonicalize", "-cse", "-mlir-print-local-scope")

BEFORE = {
    "ownership": ("-expand-realloc", f"-{OWNERSHIP}", "-canonicalize"),
    "dynamic": (f"-{OWNERSHIP}=private-function-dynamic-ownership=true", "-canonicalize"),
    "simplified": (f"-{OWNERSHIP}", "-canonicalize", "-buffer-deallocation-simplification"),
}

# MLIR reshapes a buffer of the default memory space to one of another; Dealog allocates it where it belongs.
KNOWN = {"in_a_memory_space"}


@functools.cache
def _inputs(before: str) -> dict[str, str]:
    """What MLIR's earlier passes leave of every program, or the programs written for these passes."""
    if before == "written":
        return {case.name: case.text for case in corpus("lowering") if case.name != "reallocations"}
    if before == "arities":
        return {"arities": _arities()}
    cases = [*corpus(), *examples(), *generated()]
    outputs = tools.run_mlir_opt([case.text for case in cases], *BEFORE[before])
    return {case.name: output.unwrap() for case, output in zip(cases, outputs, strict=True)}


def _arities() -> str:
    """A function for each number of memrefs and retained memrefs, with conditions of every kind."""
    functions = []
    for n, m in itertools.product(range(4), range(4)):
        for number, conditions in enumerate(itertools.product(("%true", "%false", "%c"), repeat=n)):
            memrefs, retained = [f"%m{i}" for i in range(n)], [f"%r{i}" for i in range(m)]
            freed = f" ({', '.join(memrefs)} : {_types(n)}) if ({', '.join(conditions)})" if n else ""
            kept = f" retain ({', '.join(retained)} : {_types(m)})" if m else ""
            used = range(0, m, 2)  # every other result is used
            functions.append(
                f"func.func @f_{n}_{m}_{number}({_arguments(memrefs + retained)}%c: i1) "
                f"-> ({', '.join('i1' for _ in used)}) {{\n"
                "  %true = arith.constant true\n  %false = arith.constant false\n"
                f"  {f'%own:{m} = ' if m else ''}bufferization.dealloc{freed}{kept}\n"
                f"  return {', '.join(f'%own#{i}' for i in used)}"
                f"{' : ' if m else ''}{', '.join('i1' for _ in used)}\n}}\n"
            )
    return "".join(functions)


def _types(count: int) -> str:
    return ", ".join(f"memref<{i}xf32>" for i in range(count))


def _arguments(names: list[str]) -> str:
    return "".join(f"{name}: memref<{name[2:]}xf32>, " for name in names)


@functools.cache
def _refused(before: str) -> set[str]:
    """The inputs with a clone that MLIR does not convert, or with tensors."""
    inputs = _inputs(before)
    outputs = tools.run_mlir_opt(list(inputs.values()), f"-{CONVERT}")
    return {name for name, output in zip(inputs, outputs, strict=True) if not output.ok}


@functools.cache
def _together(before: str, lowering: str, form: str) -> str:
    """All inputs that MLIR lowers, each as a module in one."""
    refused = _refused(before) if lowering == CONVERT else set()
    lowered = [text for name, text in _inputs(before).items() if name not in refused]
    assert lowered
    modules = [output.unwrap() for output in tools.run_mlir_opt(lowered, "-mlir-print-local-scope")]
    text = "\n".join(["module {", *(module.split("\n{-#")[0] for module in modules), "}\n"])
    if form == "generic":
        text = tools.run_mlir_opt([text], "-mlir-print-op-generic", "-mlir-print-local-scope")[0].unwrap()
    return text


def _cleaned(text: str) -> str:
    return tools.run_mlir_opt([text], *CLEAN_UP)[0].unwrap()


def _differences(text: str, flag: str) -> dict[str, str]:
    """The functions that MLIR and Dealog lower differently, printed and read again in both cases."""
    expected = _cleaned(tools.run_mlir_opt([text], f"-{flag}")[0].unwrap())
    return differences(expected, _cleaned(run_dealog(text, [flag], allow_unregistered=True).unwrap()))


def _compared() -> Iterator[object]:
    for before in (*BEFORE, "written", "arities"):
        for lowering, form in itertools.product((LOWER, CONVERT), ("custom", "generic")):
            # Other passes before make other programs, and no other form of them.
            rarely = (form == "generic" and before in BEFORE) or before in ("dynamic", "ownership")
            yield pytest.param(before, lowering, form, marks=[nightly] if rarely else [])


@pytest.mark.parametrize(("before", "lowering", "form"), list(_compared()))
def test_same_as_mlir(before: str, lowering: str, form: str) -> None:
    found = _differences(_together(before, lowering, form), lowering)
    unexpected = {name: text for name, text in found.items() if name not in KNOWN and not clones_less(text)}
    assert not unexpected, "\n".join(unexpected.values())
    if lowering == CONVERT and before in BEFORE:
        assert found, "listed as different, but is not"


@pytest.mark.parametrize("form", ["custom", "generic"])
@pytest.mark.parametrize("flag", [EXPAND, f"{EXPAND}=emit-deallocs=false"])
def test_reallocations_same_as_mlir(flag: str, form: str) -> None:
    (case,) = (case for case in corpus("lowering") if case.name == "reallocations")
    text = case.text
    if form == "generic":
        text = tools.run_mlir_opt([text], "-mlir-print-op-generic")[0].unwrap()
    found = _differences(text, flag)
    assert not found, "\n".join(found.values())


@needs_souffle
@pytest.mark.parametrize("lowering", [LOWER, CONVERT])
def test_both_engines_agree(lowering: str) -> None:
    text = _together("written", lowering, "custom") + _arities()
    embedded = run_dealog(text, [lowering], "embedded", allow_unregistered=True).unwrap()
    assert embedded == run_dealog(text, [lowering], "souffle", allow_unregistered=True).unwrap()


def test_comparison_can_fail() -> None:
    text = _together("written", LOWER, "custom")
    lowered = run_dealog(text, [LOWER]).unwrap()
    freed_less = re.sub(r"\n *memref\.dealloc %alloc_\d+ : [^\n]*", "", lowered, count=1)
    assert freed_less != lowered
    assert differences(_cleaned(lowered), _cleaned(freed_less))


# ---- what is refused -----------------------------------------------------------------------------


FUNCTIONS_ALONE = f"builtin.module(func.func({LOWER}))"

REFUSED = """
func.func @clone(%m: memref<2xf32, strided<[2]>>) {
  %r = bufferization.clone %m : memref<2xf32, strided<[2]>> to memref<2xf32, strided<[2]>>
  return
}
// -----
func.func @offset(%m: memref<2xf32, strided<[1], offset: 3>>) {
  %r = bufferization.clone %m
      : memref<2xf32, strided<[1], offset: 3>> to memref<2xf32, strided<[1], offset: 3>>
  return
}
// -----
#map = affine_map<(i, j) -> (j, i)>
func.func @mapped(%m: memref<2x2xf32, #map>) {
  %r = bufferization.clone %m : memref<2x2xf32, #map> to memref<2x2xf32, #map>
  return
}
// -----
func.func @to_buffer(%t: tensor<2xf32>) {
  %r = bufferization.to_buffer %t : tensor<2xf32> to memref<2xf32>
  return
}
// -----
func.func @to_tensor(%m: memref<2xf32>) {
  %r = bufferization.to_tensor %m : memref<2xf32> to tensor<2xf32>
  return
}
// -----
func.func @alloc_tensor() {
  %r = bufferization.alloc_tensor() : tensor<2xf32>
  return
}
// -----
func.func @destination(%t: tensor<2xf32>, %m: memref<2xf32>) {
  bufferization.materialize_in_destination %t in writable %m : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}
// -----
func.func @dealloc_tensor(%t: tensor<2xf32>) {
  bufferization.dealloc_tensor %t : tensor<2xf32>
  return
}
"""


def _errors(stderr: str) -> set[tuple[int, str]]:
    return {(int(m[1]), m[2]) for m in re.finditer(r"^<stdin>:(\d+):\d+: error: (.*)$", stderr, re.MULTILINE)}


@pytest.mark.parametrize("text", tools.split(REFUSED), ids=lambda text: re.search(r"@(\w+)", text)[1])
def test_refused_like_mlir(text: str) -> None:
    expected = tools.run_mlir_opt([text], f"-{CONVERT}")[0]
    output = run_dealog(text, [CONVERT])
    assert expected.text is None and output.text is None
    told = {(d.position[0] if d.position else 0, d.message) for d in output.diagnostics}
    assert told == _errors(expected.errors)


def test_functions_alone_like_mlir() -> None:
    """On functions, what needs no helper is lowered alike, and what needs one is refused in MLIR's words."""
    job = Job(parse_pipeline(FUNCTIONS_ALONE), Engine("embedded"))
    simple = """
func.func @f(%m: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}
module {
  func.func @nested(%m: memref<2xf32>, %c: i1) {
    bufferization.dealloc (%m : memref<2xf32>) if (%c)
    return
  }
}
"""
    output = transform(simple, "<stdin>", job, Stopwatch(show=False), lambda _: None)
    expected = tools.run_mlir_opt([simple], f"--pass-pipeline={FUNCTIONS_ALONE}")[0].unwrap()
    assert not differences(_cleaned(expected), _cleaned(output))
    assert "bufferization.dealloc" in output  # in the nested module

    one, two = "(%m : memref<2xf32>) if (%c)", "(%m, %m : memref<2xf32>, memref<2xf32>) if (%c, %c)"
    general = simple.replace(one, two)
    with pytest.raises(DealogError) as caught:
        transform(general, "<stdin>", job, Stopwatch(show=False), lambda _: None)
    refused = tools.run_mlir_opt([general], f"--pass-pipeline={FUNCTIONS_ALONE}")[0]
    told = {(d.position[0] if d.position else 0, d.message) for d in caught.value.diagnostics}
    assert told == _errors(refused.errors)


# ---- executed ------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["ownership", "simplified"])
def test_runs_clean(before: str) -> None:
    """Programs that MLIR frees and Dealog lowers neither leak nor free twice, and compute what they did."""
    refused = _refused(before)
    kind = one_in(8, corpus()) if before == "ownership" else generated()
    cases = [case for case in kind if case.executable and case.name not in refused]
    lowered = [
        Program(case.name, run_dealog(_inputs(before)[case.name], [CONVERT]).unwrap()) for case in cases
    ]
    wanted = references(case for case in cases if case.says("no reference") is None)
    for run in execute(lowered):
        assert not run.faults, f"{run.program.name}: {run.faults}"
        assert run.calls, run.program.name
        if run.program.name in wanted:
            assert run.values == wanted[run.program.name].values


EXECUTED = """
func.func @frees(%c: i1, %d: i1) -> (i1, i1, i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %v = memref.subview %b[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %e = arith.select %d, %a, %b : memref<4xf32>
  %true = arith.constant true
  // Retained at first, freed then; %e is one of the two.
  %own:2 = bufferization.dealloc (%a, %b, %e : memref<4xf32>, memref<4xf32>, memref<4xf32>)
      if (%true, %true, %c) retain (%v, %e : memref<2xf32, strided<[1]>>, memref<4xf32>)
  %one = bufferization.dealloc (%b : memref<4xf32>) if (%own#0) retain (%a : memref<4xf32>)
  %kept = arith.select %d, %own#1, %one : i1
  bufferization.dealloc (%a : memref<4xf32>) if (%kept)
  return %own#0, %own#1, %one : i1, i1, i1
}

func.func @grows(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xf32>
  memref.store %x, %m[%c1] : memref<2xf32>
  %k = arith.addi %n, %c1 : index
  %r = memref.realloc %m(%k) : memref<2xf32> to memref<?xf32>
  %s = memref.realloc %r : memref<?xf32> to memref<5xf32>
  memref.store %x, %s[%c0] : memref<5xf32>
  %y = memref.load %s[%c0] : memref<5xf32>
  memref.dealloc %s : memref<5xf32>
  return %y : f32
}
"""


def test_deallocations_and_reallocations_run_clean() -> None:
    text = run_dealog(EXECUTED, [EXPAND, LOWER]).unwrap()
    assert "realloc" not in text and "bufferization" not in text
    (run,) = execute([Program("lowered", text)])
    assert not run.faults, run.faults
    assert {call.function for call in run.calls} == {"frees", "grows"}
    by_mlir = tools.run_mlir_opt([EXECUTED], f"-{EXPAND}", f"-{LOWER}")[0].unwrap()
    assert run.values == execute([Program("by mlir-opt", by_mlir)])[0].values
