"""`dealog report` as a command. Each flag is in a run that is a process of its own (`dealog`)."""

import pytest

from tests.support.dealog import command

from ..cli.command import ALLOC, dealog
from .page import SELECT

REFUSED = 'func.func @f(%m: memref<2xf32>) {\n  "llvm.odd"(%m) : (memref<2xf32>) -> ()\n  return\n}\n'


def test_it_writes_the_page(tmp_path):
    path, out = tmp_path / "select.mlir", tmp_path / "page.html"
    path.write_text(SELECT)
    run = dealog("report", path, "-o", out)
    assert (run.status, run.out, run.err) == (0, "", "")
    page = out.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert command("report", path, "-o", "-").out == page
    assert command("report", "-", "-o", "-", stdin=SELECT).out.replace("&lt;stdin&gt;", str(path)) == page


def test_an_output_has_to_be_given():
    run = command("report", "-", stdin=ALLOC)
    assert run.status == 1 and "-o" in run.err and run.out == ""


@pytest.mark.parametrize("text", [REFUSED, "func.func @f( {\n", "%x"], ids=["refused", "broken", "stray"])
def test_what_is_wrong_is_reported_as_by_dealloc(tmp_path, text):
    path, out = tmp_path / "wrong.mlir", tmp_path / "page.html"
    path.write_text(text)
    out.write_text("as it was")
    run = command("report", path, "-o", out)
    assert run.status == 1 and run.err == command("dealloc", path, "-o", "-", "--engine", "embedded").err != ""
    assert out.read_text() == "as it was"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["page.html", "wrong.mlir"]


def test_a_folder_is_no_output(tmp_path):
    run = command("report", "-", "-o", tmp_path, stdin=ALLOC)
    assert run.status == 1 and "cannot open output file" in run.err


def test_unregistered_dialects_have_to_be_allowed(tmp_path):
    text = 'func.func @f() {\n  "odd.op"() : () -> ()\n  return\n}\n'
    assert "unregistered dialect" in command("report", "-", "-o", "-", stdin=text).err
    run = dealog("report", "-", "-o", "-", "--allow-unregistered-dialect", stdin=text)
    assert run.err == command("dealloc", "-", "--allow-unregistered-dialect", "--engine", "embedded", stdin=text).err


def test_private_functions_with_dynamic_ownership():
    text = """\
func.func private @g(%m: memref<2xf32>) -> memref<2xf32> {
  return %m : memref<2xf32>
}
func.func @f(%m: memref<2xf32>) {
  %r = func.call @g(%m) : (memref<2xf32>) -> memref<2xf32>
  memref.copy %r, %m : memref<2xf32> to memref<2xf32>
  return
}
"""
    run = dealog("report", "-", "-o", "-", "--pipeline=mlir", "--private-function-dynamic-ownership", stdin=text)
    assert "private-function-dynamic-ownership=true" in run.out
    without = command("report", "-", "-o", "-", "--pipeline=mlir", stdin=text)
    assert "private-function-dynamic-ownership=false" in without.out


def test_rules_of_the_user_show_on_the_page(tmp_path):
    rules = tmp_path / "ours.dl"
    rules.write_text(
        "// big(value): the buffer `value` is allocated, and we want to know.\n"
        "// @finding note at `value`: we want to know of `value`\n"
        ".decl big(value: Value)\n"
        "big(V) :- allocation(V, _).\n"
    )
    run = dealog("report", "-", "-o", "-", "--rules", rules, stdin=SELECT)
    assert run.err == "" and "we want to know of %alloc" in run.out and "ours.dl" in run.out
    assert "we want to know" not in command("report", "-", "-o", "-", stdin=SELECT).out


def test_findings_lead_to_their_lines():
    run = command("report", "-", "-o", "-", stdin=ALLOC)
    assert 'id="findings"' in run.out and "is never read" in run.out
    assert 'href="#L3">line 3</a>: the buffer %a is never read' in run.out
