"""Views that start elsewhere than their allocation are refused where they are compared at run time."""

from __future__ import annotations

import pytest

from dealog.diagnostics import DealogError
from dealog.execution import run as execute
from dealog.frontend import Operation, parse
from dealog.passes import CHECK_COMPARED_VIEWS, DEALLOCATION
from dealog.pipeline import Engine, expand, run
from dealog.stages import Stages
from tests.support import tools

from .derive import Rows
from .derive import derive as derive_by

BYTES, T = "memref<64xi8>", "memref<4xf32>"
MESSAGE = "comparisons at run time would take this view for another buffer, as the shift changes its address"
CHOSEN = f"""
func.func @f(%c: i1, %d: i1) -> f32 {{
  %zero = arith.constant 0 : index
  %none = index.constant 0
  %four = arith.constant 4 : index
  %x = arith.constant 2.0 : f32
  %bytes = memref.alloc() : {BYTES}
  %v = memref.view %bytes[%four][] : {BYTES} to {T}
  memref.store %x, %v[%zero] : {T}
  %r = scf.if %c -> {T} {{
    scf.yield %v : {T}
  }} else {{
    %n = memref.alloc() : {T}
    memref.store %x, %n[%zero] : {T}
    scf.yield %n : {T}
  }}
  cf.cond_br %d, ^bb1(%r : {T}), ^bb2
^bb1(%p: {T}):
  %y = memref.load %p[%zero] : {T}
  return %y : f32
^bb2:
  return %x : f32
}}
"""


def derive(text: str, *relations: str) -> Rows | tuple[Rows, ...]:
    return derive_by(text, *relations, rules=(CHECK_COMPARED_VIEWS.program,))


def freed(values: str, retained: str = "") -> str:
    """The function with such a deallocation at the end of `^bb1`."""
    types = ", ".join([T] * len(values.split(",")))
    kept = f" retain ({retained} : {T})" if retained else ""
    result = "%own = " if retained else ""
    conditions = ", ".join(["%c"] * len(values.split(",")))
    text = f"%bytes_as_floats = memref.view %bytes[%zero][] : {BYTES} to {T}\n"
    text += f"{result}bufferization.dealloc ({values} : {types}) if ({conditions}){kept}\n  return %y"
    return CHOSEN.replace("return %y", text, 1)


def test_which_views_start_elsewhere() -> None:
    zero, made, shifted, starts_at = derive(CHOSEN, "zero", "makes_shifted", "shifted", "starts_at")
    assert zero == {("%zero",), ("%none",)}
    assert made == {("memref.view#6", "%v")} and shifted == {("%v",)}
    assert starts_at == {("%bytes", "%bytes"), ("%v", "%v"), ("%n", "%n")} | {
        (value, place) for value in ("%r", "%p") for place in ("%v", "%n")
    }
    for constant in ("%zero", "%none"):
        assert derive(CHOSEN.replace("[%four]", f"[{constant}]"), "shifted") == set()


def test_the_pass_looks_for_what_the_dialects_say_shifts() -> None:
    names = [str(name) for name, _ in derive(CHOSEN, "shifts")]
    assert names and all(CHECK_COMPARED_VIEWS.concerns(Operation(name, True)) for name in names)


def test_places_in_one_allocation() -> None:
    lies_in, beside = derive(CHOSEN, "lies_in", "beside")
    assert lies_in == {("%bytes", "%bytes"), ("%n", "%n"), ("%v", "%bytes")}
    assert beside == {("%v", "%bytes"), ("%bytes", "%v")}


def test_views_are_followed_through_calls() -> None:
    text = f"""
        func.func private @same(%m: {T}) -> {T} {{
          return %m : {T}
        }}
        func.func @g(%bytes: {BYTES}, %i: index) {{
          %v = memref.view %bytes[%i][] : {BYTES} to {T}
          %w = call @same(%v) : ({T}) -> {T}
          return
        }}"""
    starts_at, may_become = derive(text, "starts_at", "may_become")
    assert {value for value, place in starts_at if place == "@g/%v"} == {"@g/%v", "@g/%w", "@same/%m"}
    assert {("@g/%v", "@same/%m"), ("@same/%m", "@g/%w")} <= may_become


def test_what_is_compared_with_what_is_retained_is_refused() -> None:
    refused, misjudged = derive(freed("%bytes_as_floats", "%p"), "refused", "misjudged")
    assert refused == {("memref.view#6", 0, MESSAGE)}
    assert misjudged == {("%v",), ("%bytes",)}
    assert derive(freed("%p", "%bytes_as_floats"), "misjudged") == misjudged
    for fine in (freed("%p, %bytes_as_floats"), freed("%p"), freed("%p", "%v")):
        assert derive(fine, "refused", "misjudged") == (set(), set())


def test_the_pipeline_refuses_what_mlir_frees_too_early() -> None:
    (output,) = tools.run_mlir_opt([CHOSEN], "-buffer-deallocation-pipeline")
    (fault,) = execute(parse(output.unwrap(), "mlir.mlir"), "@f", (True, True)).faults
    assert fault.kind == "use-after-free"
    module = parse(CHOSEN, "test.mlir")
    with pytest.raises(DealogError) as refusal:
        run(module, expand(DEALLOCATION), Engine("embedded"), Stages(show=False))
    (diagnostic,) = refusal.value.diagnostics
    assert (diagnostic.message, diagnostic.position) == (MESSAGE, (8, 3))


AT_THE_END = CHOSEN.replace(f"^bb1(%r : {T})", "^bb1").replace(f"^bb1(%p: {T})", "^bb1").replace("%p[", "%v[")


@pytest.mark.parametrize(
    "text",
    [
        CHOSEN.replace("scf.yield %v", f"%k = bufferization.clone %v : {T} to {T}\n scf.yield %k"),  # the advice
        CHOSEN.replace("[%four]", "[%zero]"),
        AT_THE_END,  # what the scf.if yields is the view itself, or in another allocation
    ],
)
def test_what_needs_no_such_comparison_runs_clean(text: str) -> None:
    module = parse(text, "test.mlir")
    run(module, expand(DEALLOCATION), Engine("embedded"), Stages(show=False))
    for arguments in ((True, True), (False, True), (True, False)):
        outcome = execute(module, "@f", arguments)
        assert (outcome.faults, outcome.results) == ([], [2.0])
