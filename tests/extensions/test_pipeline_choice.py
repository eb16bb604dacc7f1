"""Whatever asks or reports takes the pipeline of `dealog dealloc` that is chosen: on the command line, by the settings,
in Python, or in an editor."""

from __future__ import annotations

import re

import pytest

from dealog import DealogError, Module
from dealog.checking.batch import Task
from dealog.deallocation import Deallocation
from dealog.extensions import NO_EXTENSIONS
from dealog.lsp.modules import Document
from dealog.pipeline import Engine
from tests.support.dealog import command

TEXT = """\
func.func @f(%c: i1, %n: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %a, %n : memref<4xf32>
  memref.copy %n, %r : memref<4xf32> to memref<4xf32>
  %v = memref.load %r[%c0] : memref<4xf32>
  %w = arith.addf %v, %v : f32
  return %w : f32
}
"""
LOOP = """\
func.func @f(%n: index, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m) -> (memref<4xf32>) {
    %next = memref.alloc() : memref<4xf32>
    memref.copy %x, %next : memref<4xf32> to memref<4xf32>
    scf.yield %next : memref<4xf32>
  }
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "in.mlir"
    file.write_text(TEXT)
    return file


def freed_after(output: str) -> str:
    """The line in front of the deallocation."""
    lines = output.splitlines()
    (at,) = (number for number, line in enumerate(lines) if "memref.dealloc %a" in line)
    return lines[at - 1].strip()


def test_the_settings_choose(path):
    for name, before in (("static", "%v = memref.load"), ("mlir", "%w = arith.addf")):
        (path.parent / "dealog.toml").write_text(f'pipeline = "{name}"\n')
        run = command("dealloc", path, "--engine", "embedded", cwd=path.parent)
        assert run.status == 0 and freed_after(run.out).startswith(before)
        other = "mlir" if name == "static" else "static"
        run = command("dealloc", path, "--engine", "embedded", f"--pipeline={other}", cwd=path.parent)
        assert run.status == 0 and not freed_after(run.out).startswith(before)
    (path.parent / "dealog.toml").write_text('pipeline = "fast"\n')
    run = command("dealloc", path, cwd=path.parent)
    assert run.status == 1 and '\'pipeline\' is "static" or "mlir"' in run.err


def test_options_of_the_other_pipeline_are_refused(path):
    for name in ("dealloc", "check"):
        run = command(name, path, "--private-function-dynamic-ownership")
        assert run.status and "--private-function-dynamic-ownership belongs to --pipeline=mlir" in run.err


def test_the_report(path):
    path.write_text(LOOP)
    run = command("report", path, "-o", "-")
    assert run.status == 0, run.err
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", run.out))
    assert "static-buffer-deallocation" in text and "ownership-based-buffer-deallocation" not in text
    assert "an i1 tells whether %r is owned" in text


def test_every_row_of_a_report_that_changes_has_a_decision():
    from dealog.frontend import parse
    from dealog.report_contents.account import report_on

    for text in (TEXT, LOOP):
        told = report_on(parse(text, "x.mlir"), Deallocation("static").steps(), Engine("embedded"), NO_EXTENSIONS)
        rows = [row for row in told.rows if row.kind != "same"]
        assert rows and [row.text for row in rows if not row.decisions] == []


def test_findings(path):
    for name in ("static", "mlir"):
        run = command("check", path, f"--pipeline={name}", "--no-settings")
        assert run.status in (0, 1), run.err


def test_facts(path, tmp_path):
    run = command("facts", path, "-o", tmp_path / "facts")
    assert run.status == 0 and "static_buffer_deallocation.dl" in run.err + run.out


def test_python():
    static, mlir = (Module.parse(TEXT, pipeline=name) for name in ("static", "mlir"))
    assert freed_after(static.dealloc().text).startswith("%v = memref.load")
    assert freed_after(mlir.run("dealloc").text).startswith("%w = arith.addf")
    assert static.why("freed_after(%a, _)") and mlir.why("freed_if(_, %a, _)")
    with pytest.raises(DealogError, match="no pipeline 'statik'"):
        Module.parse(TEXT, pipeline="statik")  # type: ignore[arg-type]


def test_an_editor_shows_where_buffers_are_freed():
    task = Task(Engine("embedded"), NO_EXTENSIONS, deallocation=Deallocation("static"))
    (hint,) = Document(TEXT, "in.mlir", task).hints
    assert hint.label == "dealloc %a" and TEXT[hint.offset :].startswith("%w = arith.addf")
    assert hint.reasons == ("%a is not used after memref.load in line 6",)


def test_tests_of_rules_name_a_pass_of_either_pipeline(tmp_path):
    (tmp_path / "a.mlir").write_text(f"// pass: static-buffer-deallocation\n// expect: freed_after(%a, _)\n{TEXT}")
    said = "// pass: ownership-based-buffer-deallocation\n// expect: freed_if(_, %a, _)\n"
    (tmp_path / "b.mlir").write_text(said + TEXT)
    run = command("rules", "test", tmp_path)
    assert run.status == 0, run.out + run.err
