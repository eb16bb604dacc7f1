"""Cutting the text of a module at its functions."""

from __future__ import annotations

import pytest

from dealog.scale.cut import NotCut, cut
from tests.scale.programs import PROGRAM

GENERIC = """"builtin.module"() ({
  "memref.global"() <{sym_name = "g", type = memref<2xf32>}> : () -> ()
  "func.func"() <{function_type = (memref<2xf32>, i1) -> memref<2xf32>, sym_name = "f", sym_visibility = "private"}> ({
  ^bb0(%a: memref<2xf32>, %b: i1):
    "func.return"(%a) : (memref<2xf32>) -> ()
  }) {x.y} : () -> () loc("a":1:2)
  "func.func"() <{function_type = (i1) -> (), sym_name = "d", sym_visibility = "private"}> ({
  }) : () -> ()
}) : () -> ()
"""


def test_the_pieces_are_the_text() -> None:
    for text in (PROGRAM, GENERIC):
        found = cut(text)
        assert found.head + "".join(found.of(piece) for piece in found.pieces) + found.tail == text


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends(line_end: str) -> None:
    plain, found = cut(PROGRAM), cut(PROGRAM.replace("\n", line_end))
    assert [plain.of(piece) for piece in plain.pieces] == [
        found.of(piece).replace(line_end, "\n") for piece in found.pieces
    ]


def test_what_functions_declare() -> None:
    pieces = {piece.symbol: piece for piece in cut(PROGRAM).pieces}
    assert len(pieces) == 18
    assert pieces["same"].stub == "\nfunc.func private @same(!buf, !buf) -> !buf"
    assert pieces["same"].private and not pieces["user"].private
    assert pieces["names"].stub.endswith("@names() -> ((memref<4xf32>) -> memref<4xf32>)")
    assert pieces["external"].stub == pieces["weights"].stub == ""
    generic = {piece.symbol: piece for piece in cut(GENERIC).pieces}
    assert generic["f"].stub == "\nfunc.func private @f(memref<2xf32>, i1) -> memref<2xf32> attributes {x.y}"
    assert generic["d"].stub == generic["g"].stub == ""


def test_what_names_a_function() -> None:
    found = cut(PROGRAM)
    pieces = {piece.symbol: piece for piece in found.pieces}
    assert found.named(pieces["through"]) == {"through", "same", "through_other"}
    assert found.named_beside_calls(pieces["through"]) == set()
    assert found.named_beside_calls(pieces["names"]) == {"named"}


@pytest.mark.parametrize(
    "text",
    [
        "func.func @f() { return } func.func @g() { return }",
        "func.func @f() { return }\nfunc.func @f() { return }",
        "module { module { func.func @f() { %a = memref.alloc() : memref<2xf32> return } } }",
        "func.func @f() { return }\n#map = affine_map<(d0) -> (d0)>\nfunc.func @g() { return }",
        "func.func @f() { return",
        "module { func.func @f() { return }",
        "func.func @f() { return } }",
        "%0 = arith.constant 1 : i32",
        '"func.func"() ({}) {sym_name = "f"} : () -> ()',
    ],
)
def test_what_is_left_whole(text: str) -> None:
    with pytest.raises(NotCut):
        cut(text)
