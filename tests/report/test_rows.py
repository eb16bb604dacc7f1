"""The text on the page: the output, line by line, beside the source that it was made of."""

import pytest

from dealog.frontend import parse, print_module
from dealog.passes import DEALLOCATION
from dealog.pipeline import Engine, expand, run
from dealog.stopwatch import Stopwatch
from tests.support.nightly import one_in

from .page import CORPUS, EXAMPLES, SELECT, report, report_of


def output(text: str) -> str:
    module = parse(text)
    run(module, expand(DEALLOCATION), Engine("embedded"), Stopwatch(show=False))
    return print_module(module)


def lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


@pytest.mark.parametrize("path", one_in(3, [*EXAMPLES, *CORPUS]), ids=lambda p: p.stem)
def test_the_rows_are_the_output_and_the_source(path):
    text, rows = path.read_text(), report_of(path).rows
    assert [row.text for row in rows if row.number is not None] == lines(output(text))
    assert [row.number for row in rows if row.number is not None] == list(range(1, len(lines(output(text))) + 1))
    source = [row for row in rows if row.kind in ("same", "removed")]
    assert [row.text for row in source] == lines(text)
    assert [row.source for row in source] == list(range(1, len(lines(text)) + 1))


def kinds(text: str) -> str:
    signs = {"same": " ", "added": "+", "removed": "-", "changed": "~"}
    return "".join(f"{signs[row.kind]}{row.text}\n" for row in report(text).rows)


def test_inserted_changed_and_unchanged_lines():
    text = """\
func.func @f(%c: i1, %m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^next(%a : memref<4xf32>), ^next(%m : memref<4xf32>)
^next(%r: memref<4xf32>):
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
"""
    found = kinds(text).splitlines()
    assert [line[0] for line in found] == list(" + +++++-~-~ ++++  ")
    assert found[8:12] == [
        "-  cf.cond_br %c, ^next(%a : memref<4xf32>), ^next(%m : memref<4xf32>)",
        "~  cf.cond_br %c, ^next(%a, %c : memref<4xf32>, i1), ^next(%m, %false : memref<4xf32>, i1)",
        "-^next(%r: memref<4xf32>):",
        "~^next(%r: memref<4xf32>, %own: i1):",
    ]


def test_a_line_that_is_cut_in_two():
    copied = "memref.copy %m, %a : memref<2xf32> to memref<2xf32>"
    rows = report(f"func.func @f(%m: memref<2xf32>) {{ %a = memref.alloc() : memref<2xf32> {copied} return }}\n").rows
    assert [row.kind for row in rows] == ["removed", "changed", "added", "changed"]
    assert [row.source for row in rows] == [1, 1, None, 1]
    assert rows[2].text.strip() == "memref.dealloc %a : memref<2xf32>" and rows[2].decisions
    assert rows[3].text.strip() == "return }"


def test_lines_that_are_gone_stand_where_they_were():
    text = """\
func.func @f() {
  // a comment stays
  %a = memref.alloc() : memref<2xf32>
  return
}
"""
    rows = report(text).rows
    assert [row.kind for row in rows] == ["same", "same", "removed", "same", "same"]
    assert rows[2].text == "  %a = memref.alloc() : memref<2xf32>" and rows[2].decisions  # nothing uses it


def test_other_line_ends_and_no_line_end():
    text = SELECT.replace("\n", "\r\n")
    assert [r.kind for r in report(text).rows] == [r.kind for r in report(SELECT).rows]
    assert not any("\r" in row.text for row in report(text).rows)
    assert [r.text for r in report(SELECT.removesuffix("\n")).rows] == [r.text for r in report(SELECT).rows]


def test_a_module_of_nothing():
    assert report("").rows == ()
    assert [row.kind for row in report("// nothing\n\n").rows] == ["same", "same"]


def test_what_looks_like_a_mark_of_ours_is_text():
    mark = "\N{SYMBOL FOR SHIFT OUT}"
    text = SELECT.replace("  return", f"  // {mark}0{mark}\n  return")
    assert any(row.text == f"  // {mark}0{mark}" and row.kind == "same" for row in report(text).rows)


def test_reasons_are_those_of_the_comments():
    reasons = {row.text.strip(): row.reason for row in report(SELECT).rows if row.kind == "added"}
    freed = "%alloc is freed at the end of the entry block of @f unless retained"
    assert reasons["memref.dealloc %alloc : memref<?xi8>"].startswith(freed)
    says = "%br_cond says where control goes from the entry block of @f"
    assert reasons["%not = arith.xori %br_cond, %true : i1"].startswith(says)
