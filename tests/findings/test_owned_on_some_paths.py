"""What the static deallocation leaves to run time is found where that pipeline is chosen."""

from __future__ import annotations

from dealog.checking.run import find
from dealog.deallocation import Deallocation, PipelineName
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.pipeline import Engine
from tests.extensions.test_pipeline_choice import LOOP

from .derive import derive, kinds


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
