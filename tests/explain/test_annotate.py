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


@pytest.mark.parametrize(
    "command", [["dealloc"], ["dealloc", "--pipeline=mlir"], ["opt", "--ownership-based-buffer-deallocation"]]
)
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
    assert deallocs[0].startswith("%alloc is freed at the end of the entry block of @f unless retained, and ")
    assert deallocs[2].startswith("%select is freed at the end of ^bb1 unless retained, and %bbarg is freed at ")
    for pipeline, said in (
        ("mlir", "%alloc is freed at the end of the entry block of @f unless retained"),
        ("static", "%alloc is not used after memref.copy in line 8"),
    ):
        lowered = dealog("dealloc", path, "--annotate", "--engine", "embedded", f"--pipeline={pipeline}").out
        frees = [_COMMENT.search(x)[1] for x in lowered.splitlines() if "dealloc" in x and "%alloc :" in x]
        assert frees and all(said in comment for comment in frees)
        assert not any("%select" in comment or "%bbarg" in comment for comment in frees)


def test_clones_and_results_of_calls(dealog, two):
    out = dealog("opt", "--ownership-based-buffer-deallocation", two, "--annotate", "--engine", "embedded").out
    assert "  // %s is returned but may not be owned here" in out
    assert "%a is freed at the end of @f unless retained" in out


def test_many_buffers_are_counted(dealog):
    path = EXAMPLES / "transformer.mlir"
    out = dealog("opt", "--ownership-based-buffer-deallocation", path, "--annotate", "--engine", "embedded").out
    (comment,) = re.findall(r"bufferization.dealloc .*  // (.*)$", out, re.MULTILINE)
    assert re.fullmatch(r"%alloc is freed .*, and %alloc_\d+ is freed .*, and \d+ more", comment)


def test_refusals_are_the_same(dealog, tmp_path):
    path = tmp_path / "refused.mlir"
    path.write_text('func.func @f(%m: memref<2xf32>) {\n  "func.odd"(%m) : (memref<2xf32>) -> ()\n  return\n}\n')
    assert dealog("dealloc", path, "--annotate") == dealog("dealloc", path)
