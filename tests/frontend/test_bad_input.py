"""Whatever is wrong with a text is reported at its place, in finite time."""

from __future__ import annotations

import random

import pytest

from dealog.diagnostics import DealogError
from dealog.frontend import parse, print_module

BAD = [
    # (text, line:column, message)
    ("func.func @f() {\n^bb0:\n}", (2, 1), "empty block: expect at least a terminator"),
    ("func.func @f() {\n}", (1, 16), "expected non-empty function body"),
    (
        "func.func @f(%n: index) {\n  memref.alloc() : memref<4xf32>\n}",
        (2, 3),
        "block with no terminator, has 'memref.alloc'",
    ),
    ("func.func @f() {\n  return %a : i32\n}", (2, 10), "use of undeclared SSA value name"),
    (
        "func.func @f(%c: i1) {\n  scf.if %c {\n    scf.yield\n    scf.yield\n  }\n  return\n}",
        (3, 5),
        "'scf.yield' op must be the last operation in the parent block",
    ),
    (
        "func.func @f(%a: i32) {\n  %a = arith.constant 1 : i32\n  return\n}",
        (2, 3),
        "redefinition of SSA value '%a'",
    ),
    ('%a, %a = "t"() : () -> (i1, i1)', (1, 5), "redefinition of SSA value '%a'"),
    ('%a:2, %a:2 = "t"() : () -> (i1, i1, i1, i1)', (1, 7), "redefinition of SSA value '%a'"),
    ("func.func @f() {\n  cf.br ^bb1\n}", (2, 9), "reference to an undefined block"),
    ("func.func @f() {\n  cf.br ^a\n^a:\n  return\n^a:\n  return\n}", (5, 1), "redefinition of block '^a'"),
    ("func.func @f(%a: i1) {\n^a:\n  return\n}", (2, 1), "invalid block name in region with named arguments"),
    (
        "func.func @f(%a: i32) {\n  cf.br ^bb1(%a : i32)\n^bb1(%b: i64):\n  return\n}",
        (2, 3),
        "type mismatch for bb argument #0 of successor #0",
    ),
    (
        "func.func @f(%a: i32) {\n  cf.br ^bb1(%a : i32)\n^bb1:\n  return\n}",
        (2, 3),
        "branch has 1 operands for successor #0, but target block has 0",
    ),
    (
        'func.func @f(%a: memref<2xf32>, %c: i1) {\n'
        '  "bufferization.dealloc"(%a, %c) <{operandSegmentSizes = array<i32: 1, -1, 2>}> : (memref<2xf32>, i1) -> ()\n'
        "  return\n}",
        (2, 3),
        "'bufferization.dealloc' op 'operandSegmentSizes' attribute cannot have negative elements",
    ),
    (
        'func.func @f(%a: memref<2xf32>, %c: i1) {\n'
        '  "bufferization.dealloc"(%a, %c) <{operandSegmentSizes = array<i32: 2, 2, 0>}> : (memref<2xf32>, i1) -> ()\n'
        "  return\n}",
        (2, 3),
        "'bufferization.dealloc' op operand count (2) does not match with the total size (4) specified in attribute "
        "'operandSegmentSizes'",
    ),
    ('%0:2 = "t"() : () -> i1', (1, 1), "operation defines 1 results but was provided 2 to bind"),
    ('%0 = "t"() : () -> ()', (1, 1), "cannot name an operation with no results"),
    ("func.func @f(%a: i1) {\n  %0:3 = call @g() : () -> i1\n  return\n}", (2, 3), "defines 1 results"),
    ('%0 = "t"() : () -> i1\n"u"(%0#1) : (i1) -> ()', (2, 5), "reference to invalid result number"),
    ('%0:2 = "t"() : () -> (i1, i1)\n"u"(%0#2) : (i1) -> ()', (2, 5), "reference to invalid result number"),
    (
        'func.func @f(%a: i32) {\n  "t"(%a) : (i64) -> ()\n  return\n}',
        (2, 7),
        "expects different type than prior uses",
    ),
    ("func.func @f(%a: i32) {\n  return %a : i64\n}", (2, 10), "'i64' vs 'i32'"),
    (
        'func.func @f(%a: i32) {\n  "t"(%a) : (i32, i32) -> ()\n  return\n}',
        (2, 13),
        "expected 1 operand types but had 2",
    ),
    ("func.func @f() {\n  %0 = mydb.scan %x : i1\n}", (2, 8), "unknown custom form of 'mydb.scan'"),
    ("func.func @f() {\n  scf.for %i to\n}", (2, 14), "expected '=', found 'to'"),
    ("func.func @f( {\n}", (1, 15), "expected"),
    ("func.func @f() {\n  return\n", (3, 1), "found end of file"),
    ("func.func @f() }", (1, 16), "'}'"),
    ('"t"() <{a = [1, 2}> : () -> ()', (1, 18), "unbalanced '}' character"),
    ('"t"() {a = dense<"0x00> : () -> ()', (1, 18), "string literal"),
    ('"t"() {a = "no end : () -> ()', (1, 12), "string literal"),
    ('"t', (1, 1), "string literal"),
    ("{-# dialect_resources: {", (1, 1), "never closed"),
    ('"t"() : () -> !t', (1, 15), "undefined symbol alias id 't'"),
    ("!t = i32\n!t = i64", (2, 1), "redefinition of type alias id 't'"),
    ("#a = 1 : i32\n#a = 2 : i32", (2, 1), "redefinition of attribute alias id 'a'"),
    ("func.func @f(%m: memref<4xf32) {\n}", (1, 30), "unbalanced"),
    ('"t"() : () -> (i1, memref<4>)', (1, 28), "expected 'x' in dimension list"),
    ("func.func private @f(memref<-1xf32>)", (1, 29), "expected non-function type"),
    ("%0:" + "9" * 5000 + ' = "t"() : () -> i1', (1, 1), "operation defines 1 results"),
    ('"t"()[^a] <{operandSegmentSizes < = 1}> : () -> ()', (1, 38), "unbalanced"),
    ("\x01\x02", (1, 1), "unexpected character 'U+0001'"),
    (f'"t"() : () -> {"tuple<" * 2000}i1{">" * 2000}', (1, 15), "types whose brackets are nested more than 80 deep"),
    (f'func.func private @f({"(i1) -> (" * 200}i1{")" * 200})', (1, 22), "types whose brackets are nested more than"),
    (
        '"t"() ({\n  "a.b"()[^x] : () -> ()\n^y:\n  "a.c"() : () -> ()\n}) : () -> ()',
        (2, 11),
        "undefined block",
    ),
    ('"cf.br"(%x)[^b] : (i32) -> ()', (1, 13), "undefined block"),
    (
        '%c = "t"() : () -> i1\n"t"() ({\n "func.func"() ({\n "u"(%c) : (i1) -> ()\n}) : () -> ()\n'
        "}) : () -> ()",
        (4, 6),
        "use of undeclared",
    ),
]


@pytest.mark.parametrize(("text", "position", "message"), BAD)
def test_diagnostics_have_a_place_and_say_what_is_wrong(
    text: str, position: tuple[int, int], message: str
) -> None:
    with pytest.raises(DealogError) as caught:
        parse(text, "bad.mlir")
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
    assert diagnostic.position == position
    assert f"bad.mlir:{position[0]}:{position[1]}: error: " in diagnostic.render()


def test_unknown_forms_come_with_advice() -> None:
    with pytest.raises(DealogError) as caught:
        parse("func.func @f() {\n  memref.aloc() : memref<4xf32>\n  return\n}")
    hint = caught.value.diagnostics[0].hint
    assert hint is not None
    assert "did you mean 'memref.alloc'" in hint and "generic form" in hint and "--normalize" in hint


def test_legal_oddities_are_no_errors() -> None:
    for text in (
        "",
        "// nothing\n",
        "\0\0",
        '%0 = "t"(%0) : (i1) -> i1',  # a use of itself is left to dominance
        '"a"() ({\n%0 = "t"() : () -> i1\n}, {\n%0 = "t"() : () -> i64\n}) : () -> ()',
        '%0 = "a"() ({\n%0 = "t"() : () -> i1\n}) : () -> i64',
        '%0:1 = "t"() : () -> i1\n"u"(%0#0, %0) : (i1, i1) -> ()',
        '"u"(%0#1, %0#0, %0) : (i1, i2, i2) -> ()\n%0:2 = "t"() : () -> (i2, i1)',
        '"t"(){a=1:i32,"b c"=[{x},@y::@z,#t<a>b"">]}:()->()'.replace('#t<a>b"">', '#t.a<">">'),
        '"t"()({^bb0(%x:i1):"u"()[^bb1]:()->()^bb1:"v"(%x):(i1)->()}):()->()loc("x":1:2)',
        "module {} module @a {}",
        '"t"() : () -> () // no line end',
        '#s = affine_set<(d0)[s0] : (d0 - 1 >= 0, s0 - d0 <= 5, d0 == 0)>\n"t"() {a = #s} : () -> ()',
        '"t"() {a = affine_set<(d0) : (d0 >= 0)>, b = affine_map<(d0) -> (d0 - 1)>, c = "{"} : () -> ()',
    ):
        assert print_module(parse(text)) == text


TEXT = """
#map = affine_map<(d0) -> (d0)>
module @m attributes {a.b = "x"} {
  func.func @f(%m: memref<4xf32, #map>, %c: i1) -> memref<4xf32, #map> {
    %0:2 = scf.if %c -> (memref<4xf32, #map>, i1) {
      scf.yield %m, %c : memref<4xf32, #map>, i1
    } else {
      %x = "test.make"() <{n = dense<"0xFF"> : tensor<1xi8>}> : () -> memref<4xf32, #map>
      scf.yield %x, %c : memref<4xf32, #map>, i1
    } loc("a.c":1:2)
    cf.cond_br %0#1, ^bb1(%0#0 : memref<4xf32, #map>), ^bb1(%m : memref<4xf32, #map>)
  ^bb1(%r: memref<4xf32, #map>):
    return %r : memref<4xf32, #map>
  }
}
"""


def test_truncated_files_and_rubbish_never_give_anything_but_diagnostics() -> None:
    parse(TEXT)
    for end in range(len(TEXT)):
        _parse_or_refuse(TEXT[:end])
    pick = random.Random(0)
    for _ in range(400):
        at, length = pick.randrange(len(TEXT)), pick.randrange(4)
        rubbish = "".join(pick.choice('{}()<>[]"%^#!@:,= \0\xffax0-/\n') for _ in range(pick.randrange(4)))
        _parse_or_refuse(TEXT[:at] + rubbish + TEXT[at + length :])
    for seed in range(50):
        _parse_or_refuse(random.Random(seed).randbytes(2000).decode("latin-1"))
        _parse_or_refuse(random.Random(seed).randbytes(2000).decode("utf-8", "replace"))


def _parse_or_refuse(text: str) -> None:
    try:
        module = parse(text)
    except DealogError as error:
        assert all(d.position is not None for d in error.diagnostics)
        assert str(error)
    else:
        assert print_module(module) == text


def test_a_line_of_ten_megabytes() -> None:
    line = '"t"() {a = dense<"0x' + "F" * 10_000_000 + '"> : tensor<1xi8>} : () -> ()'
    assert len(list(parse(line).walk())) == 2
    for text in (line[:-9], line.replace('"> :', " :"), "x" * 10_000_000, "%" * 1_000_000, "(" * 10_000_000):
        with pytest.raises(DealogError) as caught:
            parse(text)
        assert max(map(len, str(caught.value).splitlines())) < 1000


@pytest.mark.parametrize("depth", [1_000, 10_000])
def test_regions_nest_without_limit(depth: int) -> None:
    generic = '"a"() ({\n' * depth + "}) : () -> ()\n" * depth
    custom = "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth + "return\n}\n"
    for text, count in ((generic, depth + 1), (custom, 2 * depth + 3)):
        module = parse(text)
        assert sum(1 for _ in module.walk()) == count
        assert print_module(module) == text
    with pytest.raises(DealogError):
        parse(custom[: -len("}\nreturn\n}\n")])


ALIASES = {
    "func.func @f(%m: memref<4xf32, #map>)\n#map = affine_map<(d0) -> (d0)>\n": (1, "map"),
    "func.func @f(%m: !t)\n!t = memref<4xf32>\n": (1, "t"),
    "#a = [#b]\n#b = 3 : i32\nfunc.func private @f()\n": (1, "b"),
    "func.func private @f() attributes {a = #b}\n": (1, "b"),
    "// #b\nfunc.func private @f() attributes {a = \"#b\", c = #b}\n#b = 1 : i32\n": (2, "b"),
    "func.func private @f() attributes {a = #b, c = loc(#l)} loc(#l)\n#b = 1 : i32\n#l = loc(\"x\":1:1)\n": (1, "b"),
}


@pytest.mark.parametrize("text", ALIASES)
def test_an_alias_is_defined_before_it_is_used(text):
    line, name = ALIASES[text]
    with pytest.raises(DealogError) as raised:
        parse(text)
    (error,) = raised.value.diagnostics
    assert (error.message, error.position[0]) == (f"undefined symbol alias id '{name}'", line)


@pytest.mark.parametrize(
    "text",
    [
        '#b = 1 : i32\n#a = [#b]\nfunc.func private @f() attributes {a = #a}\n',
        'func.func private @f() attributes {a = #x.y<#b>, b = #x<"#c" -> (#d)>} loc(#loc)\n#loc = loc("x":1:1)\n',
        "func.func @f(%m: i1) {\n  %0:2 = \"a.b\"() : () -> (i1, i1)\n  \"a.c\"(%0#1) : (i1) -> ()\n  return\n}\n",
    ],
)
def test_what_is_no_use_of_an_alias(text):
    assert parse(text)
