"""Arguments that are returned, and cost a clone."""

import pytest

from tests.support.engines import ENGINES

from .derive import derive, findings, told

T = "memref<4xf32>"


def function(body: str, returned: str, results: str = T) -> str:
    return f"""\
func.func @f(%m: {T}, %o: {T}, %k: i1, %n: index, %v: f32) -> ({results}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
{body}
  return {returned} : {results}
}}
"""


CHOICE = f"""\
  %a = memref.alloc() : {T}
  linalg.fill ins(%v : f32) outs(%a : {T})
  %r = scf.if %k -> ({T}) {{
    scf.yield %a : {T}
  }} else {{
    scf.yield %m : {T}
  }}"""


def test_an_argument_and_a_view_of_one():
    view = f"  %w = memref.cast %m : {T} to memref<?xf32>"
    text = function(view, "%o, %w", f"{T}, memref<?xf32>")
    op = "func.return#4"
    assert derive(text, "returned_argument") == {(op, 0, "@f", "%o"), (op, 1, "@f", "%m")}
    assert derive(text, "perhaps_returned_argument") == set()
    assert told(text, "returned_argument") == [
        "5: @f returns its argument %m as result number 1: each call makes a clone; 1: the argument is this one",
        "5: @f returns its argument %o as result number 0: each call makes a clone; 1: the argument is this one",
    ]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_value_that_may_be_one(engine):
    text = function(CHOICE, "%r")
    perhaps, traced = derive(text, "perhaps_returned_argument", "clone_of", engine=engine)
    ((op, result, name, value, argument),) = perhaps
    assert op.startswith("func.return#") and (result, name, value, argument) == (0, "@f", "%r", "%m")
    assert traced == {("%r", "%r"), ("%r", "%a"), ("%r", "%m")}
    assert derive(text, "returned_argument", engine=engine) == set()


def test_both_arguments_of_a_select():
    found = derive(function(f"  %s = arith.select %k, %m, %o : {T}", "%s"), "perhaps_returned_argument")
    assert {row[4] for row in found} == {"%m", "%o"}


NONE = {
    "an allocation": function(f"  %a = memref.alloc() : {T}\n  linalg.fill ins(%v : f32) outs(%a : {T})", "%a"),
    "a copy of the argument": function(
        f"  %a = memref.alloc() : {T}\n  memref.copy %m, %a : {T} to {T}", "%a"
    ),
    "a global": f'memref.global "private" @g : {T}\n' + function(f"  %g = memref.get_global @g : {T}", "%g"),
    "no buffer": function("", "%v", "f32"),
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_what_is_no_argument(text):
    assert derive(text, "returned_argument", "perhaps_returned_argument") == (set(), set())


def test_the_places():
    (finding,) = findings(function(CHOICE, "%r"), "perhaps_returned_argument")
    stretches = [s.source.text[s.offset : s.end] for s in (finding.spot, *(spot for spot, _ in finding.notes))]
    assert stretches == [f"return %r : {T}", "%r", "%m"]


def test_private_functions_that_hand_ownership_back_make_no_clone():
    from dealog.checking.run import find
    from dealog.extensions import NO_EXTENSIONS
    from dealog.frontend import parse
    from dealog.passes import DEALLOCATION
    from dealog.pipeline import Engine, expand

    from .derive import kinds

    text = function("", "%m").replace("func.func @f", "func.func private @f")
    steps = expand(DEALLOCATION, "private-function-dynamic-ownership")
    chosen = [kinds()["returned_argument"]]
    assert find(parse(text, "x.mlir"), chosen, steps, Engine("embedded"), NO_EXTENSIONS) == ([], ())
    assert len(find(parse(text, "x.mlir"), chosen, expand(DEALLOCATION), Engine("embedded"), NO_EXTENSIONS)[0]) == 1
