"""`--annotate`: inserted operations carry their reason, and nothing else changes."""

import re

import pytest

from .conftest import TWO
from .relations import EXAMPLES
from .test_docs import example

LOOP = """\
func.func @f(%n: index, %m: memref<2xf32>, %own: i1) -> memref<2xf32> {
  %z = arith.constant 0 : index
  %h = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  %r = scf.for %i = %z to %n step %n iter_args(%x = %m) -> (memref<2xf32>) {
    %y = memref.alloc() : memref<2xf32>
    memref.copy %x, %y : memref<2xf32> to memref<2xf32>
    scf.yield %y : memref<2xf32>
  }
  memref.dealloc %h {bufferization.manual_deallocation} : memref<2xf32>
  return %r : memref<2xf32>
}
"""
INPUTS = {"two": TWO, "loop": LOOP, "branches": None}
_COMMENT = re.compile(r"  // (.*)$", re.MULTILINE)


def text_of(name: str) -> str:
    return INPUTS[name] or example()


@pytest.mark.parametrize("command", [["dealloc"], ["opt", "--ownership-based-buffer-deallocation"]])
@pytest.mark.parametrize("name", INPUTS)
def test_every_inserted_operation_has_a_comment_and_nothing_else_changes(dealog, tmp_path, name, command):
    path = tmp_path / "in.mlir"
    path.write_text(text_of(name))
    plain = dealog(*command, path, "--engine", "embedded")
    annotated = dealog(*command, path, "--engine", "embedded", "--annotate")
    assert plain.status == annotated.status == 0
    assert _COMMENT.sub("", annotated.out) == plain.out
    source = {line.split("(")[0].strip() for line in text_of(name).splitlines()}
    helper = False
    for line in annotated.out.splitlines():
        helper = helper or "func.func private @dealloc_helper" in line
        inserted = line.strip() and not helper and line.split("(")[0].strip() not in source
        is_operation = not re.match(r"\s*(\}|\^|scf\.yield|func\.func|return|cf\.|\s*%r(:\d|,))", line)
        if inserted and is_operation:
            assert "  // " in line, line


def test_the_reasons(dealog, tmp_path):
    path = tmp_path / "in.mlir"
    path.write_text(example())
    out = dealog("opt", "--ownership-based-buffer-deallocation", path, "--annotate", "--engine", "embedded").out
    deallocs = [_COMMENT.search(line)[1] for line in out.splitlines() if "bufferization.dealloc" in line]
    assert deallocs == [
        "frees %alloc (allocated in line 3) unless that is %alloc or %select, still needed",
        "frees %alloc (allocated in line 3) unless that is %memref or %select, still needed",
        "frees %select if owned (live into ^bb1) and %bbarg if owned (an argument of ^bb1)",
    ]
    lowered = dealog("dealloc", path, "--annotate", "--engine", "embedded").out
    frees = [_COMMENT.search(x)[1] for x in lowered.splitlines() if "dealloc" in x and "%alloc :" in x]
    assert set(frees) == {"frees %alloc (allocated in line 3)"}


def test_clones_and_results_of_calls(dealog, two):
    out = dealog("opt", "--ownership-based-buffer-deallocation", two, "--annotate", "--engine", "embedded").out
    assert "  // %s is returned, and may be somebody else's" in out
    assert "frees %a (allocated in line 2)" in out.replace(", %b (allocated in line 3)", "")


def test_many_buffers_are_counted(dealog):
    path = EXAMPLES / "transformer.mlir"
    out = dealog("opt", "--ownership-based-buffer-deallocation", path, "--annotate", "--engine", "embedded").out
    (comment,) = re.findall(r"bufferization.dealloc .*  // (.*)$", out, re.MULTILINE)
    assert re.fullmatch(r"frees %alloc.*, %alloc.* and \d+ more unless that is .*, still needed", comment)


def test_refusals_are_the_same(dealog, tmp_path):
    path = tmp_path / "refused.mlir"
    path.write_text('func.func @f(%m: memref<2xf32>) {\n  "func.odd"(%m) : (memref<2xf32>) -> ()\n  return\n}\n')
    assert dealog("dealloc", path, "--annotate") == dealog("dealloc", path)
