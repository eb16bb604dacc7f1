"""Arguments that are returned where callers own the result, with the static deallocation."""

from __future__ import annotations

import pytest

from dealog.checking.run import find
from dealog.deallocation import Deallocation, PipelineName
from dealog.extensions import NO_EXTENSIONS
from dealog.frontend import parse
from dealog.pipeline import Engine
from tests.support.engines import ENGINES

from .derive import derive, kinds
from .test_returned_argument import CHOICE, NONE, T, function

NAMES = ("cloned_argument", "perhaps_cloned_argument")


def lines(text: str, names: tuple[str, ...] = NAMES, pipeline: PipelineName = "static") -> list[str]:
    """What is found by these names, each as `line: message`."""
    chosen, steps = [kinds()[name] for name in names], Deallocation(pipeline).steps()
    found, refused = find(parse(text, "test.mlir"), chosen, steps, Engine("embedded"), NO_EXTENSIONS)
    assert refused == ()
    return [f"{one.spot.source.position(one.spot.offset)[0]}: {one.message}" for one in found]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_argument_and_a_view_of_one(engine):
    view = f"  %w = memref.cast %m : {T} to memref<?xf32>"
    text = function(view, "%o, %w", f"{T}, memref<?xf32>")
    found, perhaps, returned = derive(text, *NAMES, "clone_returned", engine=engine)
    op = "func.return#4"
    assert found == {(op, 0, "@f", "%o"), (op, 1, "@f", "%m")} and perhaps == set()
    assert returned == {(op, 0, "%o"), (op, 1, "%w")}
    assert lines(text) == [
        "5: @f returns its argument %m as result number 1: each call makes a clone",
        "5: @f returns its argument %o as result number 0: each call makes a clone",
    ]
    assert lines(text, pipeline="mlir") == []
    assert lines(text, ("returned_argument",)) == [] and len(lines(text, ("returned_argument",), "mlir")) == 2


def test_a_value_that_may_be_one():
    text = function(CHOICE, "%r")
    found, perhaps, traced = derive(text, *NAMES, "cloned_source")
    ((op, *rest),) = perhaps
    assert op.startswith("func.return#") and rest == [0, "@f", "%r", "%m"] and found == set()
    assert traced == {("%r", "%r"), ("%r", "%a"), ("%r", "%m")}
    assert lines(text) == ["11: %r, result number 0 of @f, is cloned where it is the argument %m"]


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_what_is_no_argument(text):
    assert derive(text, *NAMES) == (set(), set())


@pytest.mark.parametrize("text", [function("", "%m"), function(CHOICE, "%r")], ids=["always", "at times"])
def test_private_functions_make_no_clone(text):
    assert len(lines(text)) == 1
    assert lines(text.replace("func.func @f", "func.func private @f")) == []
