"""What functions return that are only declared: by default, it may be a buffer that they are given."""

from __future__ import annotations

from pathlib import Path

import pytest

import dealog
from tests.support.dealog import command
from tests.support.nightly import one_in

DECLARED = "func.func private @ext(memref<4xf32>) -> memref<4xf32>"
TEXT = f"""{DECLARED}
func.func @f(%v: f32) -> f32 {{
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%c0] : memref<4xf32>
  %r = call @ext(%a) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %r[%c0] : memref<4xf32>
  return %x : f32
}}
"""
GIVES_BACK = "func.func private @ext(%m: memref<4xf32>) -> memref<4xf32> {\n  return %m : memref<4xf32>\n}"
TRUST = "--trust-external-results"
MLIR = "--pipeline=mlir"


def ends(output: str) -> int:
    """How a run ends where the function turns out to return what it is given."""
    return command("exec", "--entry", "@f", "--args", "1.0", "-", stdin=output.replace(DECLARED, GIVES_BACK)).status


def test_by_default_it_is_compared() -> None:
    run = command("dealloc", MLIR, stdin=TEXT)
    assert "call @dealloc_helper" in run.out and ends(run.out) == 0


def test_where_it_is_trusted_it_is_freed_without_a_look() -> None:
    run = command("dealloc", MLIR, TRUST, stdin=TEXT)
    assert run.status == 0 and "helper" not in run.out and "scf.if" not in run.out
    assert ends(run.out) == 1  # which is what trusting the wrong functions comes to
    assert dealog.Module.parse(TEXT, trust_external_results=True, pipeline="mlir").dealloc().text == run.out


@pytest.mark.parametrize("said", one_in(2, ['returns_fresh("@ext").', 'returns_fresh("@other").']))
def test_a_rule_says_it_of_one_function(said: str, tmp_path: Path) -> None:
    (tmp_path / "abi.dl").write_text(said)
    run = command("dealloc", MLIR, "--rules", tmp_path / "abi.dl", stdin=TEXT)
    assert run.status == 0 and ("helper" in run.out) == ("other" in said)


def test_of_functions_that_are_called_by_their_address() -> None:
    text = TEXT.replace(DECLARED, "").replace("@f(%v: f32)", "@f(%v: f32, %g: (memref<4xf32>) -> memref<4xf32>)")
    text = text.replace("call @ext(%a)", "call_indirect %g(%a)")
    assert "call @dealloc_helper" in command("dealloc", MLIR, stdin=text).out
    assert "helper" not in command("dealloc", MLIR, TRUST, stdin=text).out


def test_the_settings_say_it(tmp_path: Path) -> None:
    (tmp_path / "dealog.toml").write_text("trust-external-results = true\n")
    assert "helper" not in command("dealloc", MLIR, stdin=TEXT, cwd=tmp_path).out
    run = command("dealloc", MLIR, "--no-trust-external-results", stdin=TEXT, cwd=tmp_path)
    assert "helper" in run.out


def test_the_static_deallocation_compares() -> None:
    run = command("dealloc", stdin=TEXT)
    assert run.status == 0 and run.out.count("arith.cmpi ne") == 1 and "helper" not in run.out
    run = command("dealloc", TRUST, stdin=TEXT)
    assert run.status == 0 and run.out.count("memref.dealloc") == 2 and "arith.cmpi" not in run.out
