"""What is wrong with the text of attributes is found, and nothing else is."""

from __future__ import annotations

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import parse
from dealog.frontend.attribute_texts import fault
from tests.support import tools

PARAMETERS = {"llvm.loop_unroll": "disable|count", "nvvm.shape": "m#|n#|k#"}

WRONG = [
    ("{a = 1 : f32}", "unexpected decimal integer literal for a floating point value"),
    ("{a = 1.0 : i32}", "floating point value not valid for specified type"),
    ("{a = 1 : tensor<4xi32>}", "integer literal not valid for specified type"),
    ("{a = 300 : i8}", "integer constant out of range for attribute"),
    ("{a = -200 : i8}", "integer constant out of range for attribute"),
    ("{a = dense<300> : tensor<2xi8>}", "integer constant out of range for type"),
    ("{a = dense<1> : tensor<2xf32>}", "unexpected decimal integer literal for a floating point value"),
    ("{a = dense<1.5> : vector<2xi8>}", "expected integer elements, but parsed floating-point"),
    ("{a = array<f32: 1>}", "unexpected decimal integer literal for a floating point value"),
    ("{a = true, }", "expected an attribute"),
    ("{a = @1}", "@ identifier expected to start with letter or '_'"),
    ("{a = arith.addi}", "expected attribute value"),
    ("{a = word}", "expected attribute value"),
    ("{a = -1 : i0}", "integer constant out of range for attribute"),
    ("{a = 1 : si0}", "integer constant out of range for attribute"),
    ("{a = [word, 1]}", "expected attribute value"),
    ("{a = 12x}", "expected '}' in attribute dictionary"),
    ("{a b = 1}", "expected '}' in attribute dictionary"),
    ("{a = #llvm.loop_unroll<disabled = true>}", "duplicate or unknown struct parameter name: disabled"),
    ("{a = #nvvm.shape<m = 1, m = 2>}", "duplicate or unknown struct parameter name: m"),
    ('{a = #nvvm.shape<m = "1">}', "expected integer value"),
    ("{a = 0x123456789 : f32}", "hexadecimal float constant out of range for type"),
    ("{a = 0x1FFFFFFFF : i32}", "integer constant out of range for attribute"),
    ("{a = 18446744073709551615 : index}", "integer constant out of range for attribute"),
    ("{a = true : i1}", "expected '}' in attribute dictionary"),
    ("{a = 1e5}", "expected '}' in attribute dictionary"),
    ("{a = -true}", "expected constant integer or floating point value"),
    ("{a = array<i32:>}", "expected integer literal"),
    ("{a = dense<true> : tensor<2xi32>}", "expected i1 type for 'true' or 'false' values"),
    (r'{a = "\q"}', "unknown escape in string literal"),
    ("{a = affine_map<(d0) -> (d1)>}", "use of undeclared identifier"),
    (
        "{a = affine_map<(d0) -> (d0 * d0)>}",
        "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic",
    ),
    (
        "{a = affine_map<(d0)[s0] -> (s0 mod d0)>}",
        "non-affine expression: right operand of mod has to be either a constant or symbolic",
    ),
]

RIGHT = [
    "{a = 0 : si0, b = 0 : i0, c = 0x0 : ui0}",
    "{a = [i32, f8E4M3FN, bf16], b, c = unit, d = 0x1F : i64, e = 1.0e-5 : f64, f = index}",
    '{a = 1.0 : f32, b = 0x7F800000 : f32, c = "x, ]", d = [1, 2 : i8, true], e = unit, f = i32, g}',
    "{a = dense<[[1, -1], [255, 0]]> : tensor<2x2xi8>, b = dense<> : tensor<0xi8>, c = dense<true> : tensor<2xi1>}",
    "{a = 1 : i1, b = -1 : i1, c = 255 : i8, d = -128 : i8, e = 18446744073709551615 : i64, f = -1 : index}",
    '{a = dense<"0x00"> : tensor<1xi8>, b = dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>}',
    "{a = array<i32>, b = array<f32: 1.0, -2.0e+3>, c = affine_map<(d0, d1) -> (d0)>}",
    "{a = #llvm.loop_unroll<count = 4 : i32>}",
    r'{a = "\n\t\\q\0A\"", b = 0xFFFFFFFF : f32, c = 0xFF : i8, d = 9223372036854775807 : index, e = 1.0e5 : f32}',
    "{a = affine_map<(d0)[s0] -> (d0 * s0 * 2 mod s0, -d0 floordiv 2, (d0 + s0) ceildiv (s0 * 2))>}",
    "{a = @f::@g, b = !quant.uniform<i8:f32, 2.0:1>}",
    "{a = affine_set<()[s0] : (s0 - 1 >= 0)>, b = affine_set<(d0)[s0] : (d0 == 0, s0 <= 3)>}",
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong(text: str, message: str) -> None:
    assert fault(text, PARAMETERS, True) == message


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right(text: str) -> None:
    assert fault(text, PARAMETERS, True) is None


def test_words_deep_inside_of_attributes_of_a_dialect_are_its_own() -> None:
    assert fault("{a = #x.a<[word], b = #x.b<c = #x.c<d = #x.d<e = <f = <g>>>>>>}", PARAMETERS, True) is None


def test_mlir_opt_is_of_the_same_opinion() -> None:
    texts = [text for text, _ in WRONG] + RIGHT
    runs = tools.run_mlir_opt([f"func.func private @f() attributes {text}\n" for text in texts])
    assert [run.ok for run in runs] == [text in RIGHT for text in texts]


def test_aliases_are_looked_at_where_they_are_defined() -> None:
    with pytest.raises(DealogError, match="unknown struct parameter name: scoped"):
        parse("#f = #llvm.di_namespace<scoped = #f, exportSymbols = false>\nfunc.func private @f()\n")
