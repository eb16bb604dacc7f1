"""Locations and file metadata that are none are refused, at the place where mlir-opt refuses them."""

from __future__ import annotations

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import parse
from tests.support import tools

WRONG = [
    # (text, line:column, message)
    ("func.func @f() { return } loc(#l)", (1, 31), "operation location alias was never defined"),
    ("func.func @f() { return loc(#l) }\n#l = 1 : i32", (1, 29), "expected location, but found '1 : i32'"),
    ("#l = loc(#l)\nfunc.func @f() { return } loc(#l)", (1, 12), "undefined symbol alias id 'l'"),
    ('func.func @f() { return loc(fused[#l]) }\n#l = loc("x")', (1, 37), "undefined symbol alias id 'l'"),
    ("func.func @f() { return } loc(fused[1])", (1, 37), "expected location instance"),
    ('func.func @f() { return } loc(fused<"m">["a" "b"])', (1, 45), "expected ']' in fused location"),
    ('func.func @f() { return } loc(callsite("a" "b"))', (1, 43), "expected 'at' in callsite location"),
    ('func.func @f() { return loc("a":"b":1) }', (1, 33), "expected integer line number in FileLineColRange"),
    ('func.func @f() { return loc("a":-1:2) }', (1, 33), "expected integer line number in FileLineColRange"),
    ('func.func @f() { return loc("a":4294967296:2) }', (1, 33), "expected integer line number in FileLineColRange"),
    ('func.func @f() { return loc("a":1:) }', (1, 35), "expected integer column number in FileLineColRange"),
    ("func.func @f() { return loc(unknown 1) }", (1, 36), "expected ')' in location"),
    ("func.func @f() { return loc() }", (1, 29), "expected location instance"),
    ("func.func @f(%a: i32 loc(1)) { return }", (1, 26), "expected location instance"),
    ('"t.t"() : () -> () loc(foo)', (1, 24), "expected location instance"),
    ('func.func @f() { return loc("x"("y" "z")) }', (1, 36), "expected ')' after child location of NameLoc"),
    ("{-# foo: {} #-}", (1, 5), "unknown key 'foo' in file metadata dictionary"),
    ("{-# 1: {} #-}", (1, 5), "expected identifier key in file metadata dictionary"),
    ("{-# dialect_resources {} #-}", (1, 22), "expected ':'"),
    ("{-# dialect_resources: {} external_resources: {} #-}", (1, 26), "expected ',' or '#-}'"),
    ('{-# dialect_resources: {builtin: {x: "0x0"}} #-}', (1, 38), "expected hex string blob for key 'x'"),
    ('{-# dialect_resources: {builtin: {x: true}} #-}', (1, 38), "expected hex string blob for key 'x'"),
    (
        '{-# dialect_resources: {builtin: {x: "0x0400"}} #-}',
        (1, 38),
        "expected hex string blob for key 'x' to encode alignment in first 4 bytes",
    ),
    (
        '{-# dialect_resources: {builtin: {x: "0x03000000"}} #-}',
        (1, 38),
        "expected hex string blob for key 'x' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3",
    ),
    (
        '{-# dialect_resources: {builtin: {1: "0x04000000"}} #-}',
        (1, 35),
        "expected identifier key for 'resource' entry",
    ),
]

RIGHT = [
    'func.func @f(%x: i32 loc(#l)) { return loc(#l) } loc(#m)\n#l = loc("x":1:2)\n#m = loc(callsite(#l at unknown))\n',
    'func.func @f() { return loc( "a" : 1 : 2 ) } loc("a":1)\n',
    'func.func @f() { return loc("a":1:2 to 3:4) } loc("a":0x1:2 to :4)\n',
    'func.func @f() { return loc("x"("y"("z":1:2))) } loc(fused<{a = 1}>["a", unknown])\n',
    "#0 = loc(fused[])\n#l$ = #0\nfunc.func @loc(%loc: i32) {\n call @loc(%loc) : (i32) -> () loc(#0)\n return\n} "
    "loc(#l$)\n",
    'func.func @f() attributes {a.b = "loc(1)", a.c = #foo.t<loc(1)>} { return } // loc(1)\n',
    "{-# #-}\n",
    "func.func private @f()\n{-# #-}\n",
    "llvm.mlir.global internal @g() : i64\n{-# #-}\n",
    '{-# // blobs\n dialect_resources: {builtin: {"x y": "0x04000000", i32: "0x0400000001"}}, '
    "external_resources: {} #-}\n",
    '{-# external_resources: {mlir_reproducer: {pipeline: "builtin.module()", verify_each: false}} #-}\n',
    """module @patterns {
  pdl_interp.func @matcher(%arg0: !pdl.operation) {
    pdl_interp.record_match @rewriters::@r(%arg0 : !pdl.operation) : benefit(1), loc([%arg0]) -> ^bb1
  ^bb1:
    pdl_interp.finalize
  }
  module @rewriters {
    pdl_interp.func @r(%arg0: !pdl.operation) {
      pdl_interp.finalize
    }
  }
}
""",
]


@pytest.mark.parametrize(("text", "position", "message"), WRONG)
def test_what_is_wrong(text: str, position: tuple[int, int], message: str) -> None:
    with pytest.raises(DealogError) as raised:
        parse(text)
    (error,) = raised.value.diagnostics
    assert (error.position, error.message) == (position, message)


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right(text: str) -> None:
    assert parse(text)


def test_mlir_opt_is_of_the_same_opinion() -> None:
    for text, (line, column), message in WRONG:
        (run,) = tools.run_mlir_opt([text], "-allow-unregistered-dialect")
        assert f":{line}:{column}: error: {message}" in run.errors
    assert [run.errors for run in tools.run_mlir_opt(RIGHT, "-allow-unregistered-dialect") if not run.ok] == []
