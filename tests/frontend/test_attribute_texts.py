"""What is wrong with the text of attributes is found, and nothing else is."""

from __future__ import annotations

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import parse
from dealog.frontend.attribute_texts import fault
from dealog.pipeline import Engine
from dealog.verification import verify
from tests.support import tools

PARAMETERS = {"llvm.loop_unroll": "disable|count", "nvvm.shape": "m#|n#|k#"}

RAGGED = "tensor literal is invalid; ranks are not consistent between elements"
DIGITS = "expected string containing hex digits starting with `0x`"
SIZE = "elements hex data size is invalid for provided type: "
PRODUCT = "non-affine expression: at least one of the multiply operands has to be either a constant or symbolic"

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
    ("{a = true, }", "expected attribute name"),
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
    ("{a = affine_map<(d0) -> (d0 * d0)>}", PRODUCT),
    (
        "{a = affine_map<(d0)[s0] -> (s0 mod d0)>}",
        "non-affine expression: right operand of mod has to be either a constant or symbolic",
    ),
    ("{a = {x = 1, x = 2}}", "duplicate key 'x' in dictionary attribute"),
    ('{a = [{x = 1, "x" = 2}]}', "duplicate key 'x' in dictionary attribute"),
    ("{a = {1 = 1}}", "expected attribute name"),
    ('{a = {"" = 1}}', "expected valid attribute name"),
    ("{a = +1}", "expected attribute value"),
    ("{a = .5}", "expected three consecutive dots for an ellipsis"),
    ("{a = unit : i32}", "expected '}' in attribute dictionary"),
    ("{a = [1 2]}", "expected ',' or ']'"),
    ("{a = [1, ]}", "expected attribute value"),
    ("{a = 1 : none}", "integer literal not valid for specified type"),
    ("{a = 1 : () -> i32}", "integer literal not valid for specified type"),
    ("{a = 1.0 : none}", "floating point value not valid for specified type"),
    ("{a = 18446744073709551616}", "integer constant out of range for attribute"),
    ("{a = -9223372036854775809}", "integer constant out of range for attribute"),
    ("{a = -0}", "integer constant out of range for attribute"),
    ("{a = -1 : ui8}", "negative integer literal not valid for unsigned integer type"),
    ('{a = "x" : foo}', "expected non-function type"),
    ("{a = 1 : tensor}", "expected '<' in tensor type"),
    ("{a = (i32)}", "expected '->' in function type"),
    ("{a = @x::y}", "expected nested symbol reference identifier"),
    ("{a = distinct<1>}", "expected '[' after 'distinct'"),
    ("{a = distinct[x]<>}", "expected distinct ID"),
    ("{a = distinct[0]<1, 2>}", "expected '>' to close distinct attribute"),
    ("{a = array<i32 1>}", "expected ':' after dense array type"),
    ("{a = array<1>}", "expected non-function type"),
    ("{a = array<i7: 1>}", "element type bitwidth must be a multiple of 8"),
    ("{a = array<none: 1>}", "expected integer or float type, got: 'none'"),
    ("{a = array<i8: 300>}", "integer constant out of range"),
    ("{a = array<i32: 1 2>}", "expected '>' to close an array attribute"),
    ("{a = array<i32: 1.5>}", "expected integer literal"),
    ("{a = dense<[[1, 2], [3]]> : tensor<2x2xi32>}", RAGGED),
    ("{a = dense<[1, [2]]> : tensor<2xi32>}", RAGGED),
    (
        "{a = dense<[[1, 2], [3, 4]]> : tensor<2x3xi32>}",
        "inferred shape of elements literal ([2, 2]) does not match type ([2, 3])",
    ),
    ("{a = dense<[1, 2, ]> : tensor<2xi32>}", "expected element literal of primitive type"),
    ("{a = dense<> : tensor<2xi32>}", "parsed zero elements, but type ('tensor<2xi32>') expected at least 1"),
    ("{a = dense<1>}", "expected ':'"),
    ("{a = dense<1> : i32}", "elements literal must be a shaped type"),
    ("{a = dense<1> : tensor<?xi32>}", "elements literal type must have static shape"),
    ('{a = dense<"0x0102"> : tensor<2xi32>}', SIZE + "'tensor<2xi32>'"),
    ('{a = dense<"0x0102"> : tensor<9x2xi1>}', SIZE + "'tensor<9x2xi1>'"),
    ('{a = dense<"0x01020304"> : tensor<1xcomplex<f32>>}', SIZE + "'tensor<1xcomplex<f32>>'"),
    ('{a = dense<"0x010"> : tensor<2xi8>}', DIGITS),
    ('{a = dense<"0xzz"> : tensor<2xi8>}', DIGITS),
    ('{a = dense<"x"> : tensor<2xi8>}', DIGITS),
    ("{a = dense<(1.0, 2.0, 3.0)> : tensor<2xcomplex<f32>>}", "expected ')' after complex elements"),
    ("{a = dense<(1.0)> : tensor<2xcomplex<f32>>}", "expected ',' between complex elements"),
    (
        "{a = dense<1.0> : tensor<2xcomplex<f32>>}",
        "parsed 1 elements, but type ('complex<f32>') expected 2 elements",
    ),
    ("{a = dense<0x1FFFF> : tensor<2xf16>}", "hexadecimal float constant out of range for type"),
    ("{a = dense_resource<> : tensor<2xi32>}", "expected identifier key for 'resource' entry"),
    ("{a = dense_resource<x> : i32}", "`dense_resource` expected a shaped type"),
    (
        "{a = sparse<[[0, 1], [0, 5]], [1, 2]> : tensor<2x2xi32>}",
        "sparse index #1 is not contained within the value shape, with index=[0, 5], and type='tensor<2x2xi32>'",
    ),
    (
        "{a = sparse<[[0, 1]], [1, 2]> : tensor<2x2xi32>}",
        "expected shape ([2, 2]); inferred shape of indices literal ([1, 2]); inferred shape of values literal ([2])",
    ),
    ("{a = sparse<[[0]], [[1]]> : tensor<2xi32>}", "expected 1-d tensor for sparse element values"),
    ("{a = affine_map<(d0) (d0)>}", "expected '->' or ':'"),
    ("{a = affine_map<(d0, d0) -> (d0)>}", "redefinition of identifier 'd0'"),
    ("{a = affine_map<(d0)[d0] -> (d0)>}", "redefinition of identifier 'd0'"),
    ("{a = affine_map<(d0) : (d0 >= 0)>}", "expected AffineMap, but got IntegerSet"),
    ("{a = affine_map<(d0) -> (d0 * 1.5)>}", "missing right operand of binary operator"),
    ("{a = affine_map<(d0) -> (d0 + 9223372036854775808)>}", "constant too large for index"),
    ("{a = affine_map<(d0) -> (d0 d0)>}", "expected ')' in affine map range"),
    ("{a = affine_map<(d0, d1)[s0] -> ((d0 floordiv s0) * d1)>}", PRODUCT),
    ("{a = affine_set<(d0) (d0 >= 0)>}", "expected '->' or ':'"),
    ("{a = affine_set<(d0) -> (d0)>}", "expected IntegerSet, but got AffineMap"),
    ("{a = affine_set<(d0) : (d0 * d0 >= 0)>}", PRODUCT),
    (
        "{a = affine_set<(d0) : (d0)>}",
        "expected '== affine-expr' or '>= affine-expr' at end of affine constraint",
    ),
    ("{a = affine_set<(d0) : (d0 >= 0 and d0 == 1)>}", "expected ')' in integer set constraint list"),
    ("{a = loc(1)}", "expected location instance"),
    ("{a = loc}", "expected '(' in inline location"),
]

RIGHT = [
    "{a = affine_map<(d0, d1)[s0] -> ((d0 - d0) * d1, (d0 mod 1) * d1, (d0 * (s0 - s0)) * d1, d0 mod (d1 - d1 + 3))>}",
    "{a = affine_map<(mod, i32)[dense] -> (mod mod 3, - - i32, dense, 0x10)>, b = affine_set<(d0) : ()>}",
    "{a = array<ui8: -1>, b = array<i1: true>, c = array<f32: 0x7F800000>, d = array<f80: 1.0>}",
    "{a = [], b = {}, c = {i32 = 1, true = 2, \"x y\" = 3}, d = distinct[0]<>, e = (i32) -> (), f = () -> i32}",
    '{a = "x" : (i32) -> (), b = @x:: @y, c = 0xFF, d = -9223372036854775808, e = 1., f = #foo.bar : i32}',
    '{a = dense<"0x01"> : tensor<3xi1>, b = dense<"0x0F01"> : tensor<9xi1>, c = dense<"0x"> : tensor<0xi8>}',
    '{a = dense<"0x0102"> : tensor<2xi4>, b = dense<"0x010203"> : tensor<1xtf32>, c = dense<"0x01"> : tensor<2x3xi8>}',
    "{a = dense<[]> : tensor<0xi32>, b = dense<(1.0, 2.0)> : tensor<2xf32>, c = dense<1> : vector<[4]xi32>}",
    '{a = dense<["x", "y"]> : tensor<2x!foo.bar>, b = dense_resource<"x"> : tensor<?xi32>}',
    "{a = sparse<> : tensor<2xi32>, b = sparse<0, 1> : tensor<2x2xi32>, c = sparse<[1, 0], [1, 2]> : tensor<2xi32>}",
    "{a = sparse<[[0, 1]], (1.0, 2.0)> : tensor<2x2xcomplex<f32>>}",
    '{b = sparse<[[0, 0]], "0x01000000"> : tensor<2x2xi32>}',
    '{a = #foo.t<affine_map<(d0, d0) -> (d0)>>, b = [loc("x"), loc(unknown), loc("a":1:2 to 3:4)]}',
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
    found = fault(text, PARAMETERS, True)
    assert found is not None and found[0] == message


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right(text: str) -> None:
    assert fault(text, PARAMETERS, True) is None


def test_words_deep_inside_of_attributes_of_a_dialect_are_its_own() -> None:
    assert fault("{a = #x.a<[word], b = #x.b<c = #x.c<d = #x.d<e = <f = <g>>>>>>}", PARAMETERS, True) is None


def test_mlir_opt_is_of_the_same_opinion() -> None:
    texts = [text for text, _ in WRONG] + RIGHT
    modules = [f"func.func private @f() attributes {text}\n" for text in texts]
    runs = tools.run_mlir_opt(modules, "-allow-unregistered-dialect")
    assert [run.ok for run in runs] == [text in RIGHT for text in texts]


def test_aliases_are_looked_at_where_they_are_defined() -> None:
    with pytest.raises(DealogError, match="unknown struct parameter name: scoped"):
        parse("#f = #llvm.di_namespace<scoped = #f, exportSymbols = false>\nfunc.func private @f()\n")


PLACED = [
    # (text, line:column, message)
    ("func.func @f() attributes {a.b = {x = 1,\n  x}} { return }", (2, 3), "duplicate key 'x' in dictionary attribute"),
    ('"t.t"() <{a = 1}> {b = array<i32 1>} : () -> ()', (1, 33), "expected ':' after dense array type"),
    ("#m = affine_map<(d0, d0) -> (d0)>\nmodule {}", (1, 22), "redefinition of identifier 'd0'"),
    ("func.func @f() {\n  %c = arith.constant dense<[[1], 2]> : tensor<2xi32>\n  return\n}", (2, 36), RAGGED),
    (
        "func.func @f(%n: index) {\n  affine.if affine_set<(d0) : (d0 * d0 >= 0)>(%n) {\n  }\n  return\n}",
        (2, 35),
        PRODUCT,
    ),
    (
        "func.func @f(%m: memref<2xf32>, %n: index) {\n  %v = affine.load %m[%n] : memref<2xf32>\n"
        "  %w = affine.load %m[%n * %n] : memref<2xf32>\n  return\n}",
        (3, 26),
        PRODUCT,
    ),
]

TAKEN = [
    "func.func @f(%m: memref<2xf32>, %n: index) {\n  %v = affine.load %m[(%n - %n) * %n + %n mod 2] : memref<2xf32>\n"
    "  return\n}\n",
    "func.func @f() {\n  %c = ub.poison <#ub.poison> : f32\n  return\n}\n",
    'memref.global @g : memref<2xf32> = dense<"0x0000000000000000">\n',
    "func.func private @f() attributes {a.b = dense_resource<x> : tensor<?xi32>, a.c = array<ui8: 255>}\n",
]


@pytest.mark.parametrize(("text", "position", "message"), PLACED)
def test_what_is_wrong_is_shown_where_it_stands(text: str, position: tuple[int, int], message: str) -> None:
    with pytest.raises(DealogError) as raised:
        verify(parse(text), Engine("embedded"), memory=False)
    (error,) = raised.value.diagnostics
    assert (error.position, error.message) == (position, message)


@pytest.mark.parametrize("text", TAKEN)
def test_what_is_taken(text: str) -> None:
    verify(parse(text), Engine("embedded"), memory=False)


def test_mlir_opt_shows_the_same_places() -> None:
    for text, (line, column), message in PLACED:
        (run,) = tools.run_mlir_opt([text], "-allow-unregistered-dialect")
        assert f":{line}:{column}: error: {message}" in run.errors
    assert all(run.ok for run in tools.run_mlir_opt(TAKEN))
