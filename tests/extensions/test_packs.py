"""Packs of effects, and what is done with operations that nobody describes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from dealog import rules
from tests.support import tools
from tests.support.dealog import command
from tests.support.nightly import nightly, one_in

BUFFER = "memref<4xf32>"
PROGRAMS = {
    "lmhlo": '"lmhlo.add"(%m, %m, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()',
    "gpu": (
        "%u = memref.cast %a : memref<4xf32> to memref<*xf32>\n"
        '  "gpu.host_register"(%u) : (memref<*xf32>) -> ()'
    ),
    "krnl": '"krnl.memcpy"(%a, %m, %n, %i, %i) : (memref<4xf32>, memref<4xf32>, i64, index, index) -> ()',
    "hal": '"hal.buffer.length"(%a) : (memref<4xf32>) -> ()',
    "xsmm": '"xsmm.unary"(%n, %m, %a) : (i64, memref<4xf32>, memref<4xf32>) -> ()',
    "quantum": '"quantum.state"(%a) : (memref<4xf32>) -> ()',
    "ttnn": '"ttnn.deallocate"(%a) : (memref<4xf32>) -> ()',
}


def program(line: str) -> str:
    return (
        "func.func @f(%m: memref<4xf32>, %n: i64, %i: index) {\n"
        f"  %a = memref.alloc() : memref<4xf32>\n  {line}\n  return\n}}\n"
    )


def test_every_pack_is_tried() -> None:
    assert set(PROGRAMS) == set(rules.packs())


@pytest.mark.parametrize("pack", one_in(4, sorted(PROGRAMS)))
def test_with_its_pack_a_dialect_is_taken(pack: str) -> None:
    text = program(PROGRAMS[pack])
    run = command("dealloc", stdin=text)
    missing = "no rule says what gpu." if pack == "gpu" else f"an unregistered dialect, '{pack}'"
    assert run.status == 1 and missing in run.err
    run = command("dealloc", "--pack", pack, stdin=text)
    assert (run.status, run.err) == (0, "")
    assert "memref.dealloc %a" in run.out


@nightly
def test_a_sequence_is_freed_as_what_it_is() -> None:
    text = program('%s = "krnl.seqalloc"(%i) : (index) -> memref<4xmemref<4xf32>>')
    run = command("dealloc", "--pack", "krnl", stdin=text)
    assert run.status == 0 and "memref.dealloc %s" in run.out


def test_a_pack_that_is_not_there() -> None:
    run = command("dealloc", "--pack", "lmhl", stdin=program(""))
    assert run.status == 1
    assert "there is no pack 'lmhl'" in run.err and "did you mean 'lmhlo'?" in run.err


def test_packs_of_the_settings(tmp_path: Path) -> None:
    (tmp_path / "dealog.toml").write_text('packs = ["xsmm"]\n')
    assert command("dealloc", stdin=program(PROGRAMS["xsmm"]), cwd=tmp_path).status == 0
    (tmp_path / "dealog.toml").write_text('packs = ["xsm"]\n')
    run = command("dealloc", stdin=program(PROGRAMS["xsmm"]), cwd=tmp_path)
    assert run.status == 1 and "there is no pack 'xsm'" in run.err


def test_the_list_of_packs() -> None:
    listed = json.loads(command("rules", "packs", "--format", "json").out)
    assert {pack["name"] for pack in listed} == set(rules.packs())
    assert all(pack["operations"] > 5 and pack["about"] for pack in listed)
    assert "lmhlo" in command("rules", "packs").out


# ---- operations that nobody describes ------------------------------------------------------------------------

SCAN = program('"mydb.scan"(%a) : (memref<4xf32>) -> ()')


def test_unknown_effects_are_refused_unless_said_otherwise() -> None:
    run = command("dealloc", "--allow-unregistered-dialect", stdin=SCAN)
    assert run.status == 1 and "ops with unknown memory side effects are not supported" in run.err
    run = command("dealloc", "--allow-unregistered-dialect", "--unknown-effects=none", stdin=SCAN)
    assert run.status == 0 and "memref.dealloc %a" in run.out


def test_mlir_opt_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tools.mlir_opt().parent}{os.pathsep}{os.environ['PATH']}")
    flags = ["--allow-unregistered-dialect", "--unknown-effects=ask-mlir"]
    run = command("dealloc", *flags, stdin=SCAN)  # mlir-opt does not know it, either
    assert run.status == 1 and "ops with unknown memory side effects are not supported" in run.err
    known = program(
        '%t = "nvvm.read.ptx.sreg.tid.x"() : () -> i32\n  "memref.copy"(%m, %a) : (memref<4xf32>, memref<4xf32>) -> ()'
    )
    run = command("dealloc", *flags, stdin=known)
    assert run.status == 0 and "memref.dealloc %a" in run.out


def test_without_mlir_opt_nobody_can_be_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    run = command("dealloc", "--allow-unregistered-dialect", "--unknown-effects=ask-mlir", stdin=SCAN)
    assert run.status == 1 and "--unknown-effects=ask-mlir needs mlir-opt" in run.err
