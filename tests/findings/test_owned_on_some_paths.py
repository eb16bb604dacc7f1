"""What the static deallocation leaves to run time is found where that pipeline is chosen."""

from __future__ import annotations

from dealog.checking.run import find
from dealog.deallocation import Deallocation, PipelineName
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.pipeline import Engine

from .derive import derive, kinds

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


def lines(text: str, pipeline: PipelineName) -> list[int]:
    """The lines at which it is found."""
    kind, steps = kinds()["owned_on_some_paths"], Deallocation(pipeline).steps()
    found, refused = find(parse(text, "test.mlir"), [kind], steps, Engine("embedded"), NO_EXTENSIONS)
    assert refused == ()
    return [finding.spot.source.position(finding.spot.offset)[0] for finding in found]


def test_a_loop_that_may_not_run() -> None:
    assert derive(LOOP, "owned_on_some_paths") == {("%x",), ("%r",)}
    assert lines(LOOP, "static") == [4, 4]


def test_the_other_pipeline_has_findings_of_its_own() -> None:
    assert lines(LOOP, "mlir") == []


def test_a_loop_that_replaces_its_own_buffer() -> None:
    text = LOOP.replace("iter_args(%x = %m)", "iter_args(%x = %a)").replace(
        "  %r = ", "  %a = memref.alloc() : memref<4xf32>\n  %r = "
    )
    assert lines(text, "static") == []
