"""Arithmetic does what compiled code does, bit for bit."""

import itertools
import math
import re

import pytest

from dealog.execution import run
from dealog.execution.numbers import read_scalar, round_bf16, round_f16, round_f32, scalar, write_scalar
from dealog.frontend import parse
from tests.support import tools
from tests.support.nightly import one_in

from . import compiled

INTEGER_OPERATIONS = [
    "addi",
    "subi",
    "muli",
    "divui",
    "divsi",
    "ceildivui",
    "ceildivsi",
    "floordivsi",
    "remui",
    "remsi",
    "andi",
    "ori",
    "xori",
    "shli",
    "shrui",
    "shrsi",
    "maxsi",
    "maxui",
    "minsi",
    "minui",
]
PREDICATES = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
FLOAT_OPERATIONS = ["addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf"]
FLOAT_PREDICATES = [
    "false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "uno",
    "true",
]
INTEGERS = {
    "i1": ["false", "true"],
    "i8": ["0", "1", "-1", "7", "-128", "127"],
    "i13": ["1", "-1", "4000", "-4096"],
    "i32": ["1", "3", "-7", "2147483647"],
    "i64": ["5", "-3", "9223372036854775807"],
    "index": ["5", "-3", "4611686018427387904"],
}
FLOATS = {
    "f64": ["0.0", "-0.0", "1.1", "-3.25", "1.0e308", "0x7FF0000000000000", "0x7FF8000000000000"],
    "f32": ["0.0", "-0.0", "1.1", "-3.25", "3.0e38", "0x7F800000", "0x7FC00000"],
    "f16": ["1.1", "-3.25", "60000.0", "6.1e-5"],
    "bf16": ["1.1", "-3.25", "3.0e38"],
}


class Program:
    """Functions that each compute one value and return its bits."""

    def __init__(self):
        self.functions = []

    def add(self, code, result, type):
        body = compiled.as_bits(code, result, type)
        self.functions.append(f"func.func @f{len(self.functions)}() -> i64 {{\n{body}\n}}\n")

    @property
    def text(self):
        return "".join(self.functions)


def interpreted(program):
    module = parse(program.text)
    found = []
    for number in range(len(program.functions)):
        outcome = run(module, f"@f{number}")
        assert outcome.ok, (program.functions[number], outcome.faults[0].diagnostic.render())
        found.append(outcome.results[0])
    return found


def assert_as_compiled(program):
    names = tuple(f"f{number}" for number in range(len(program.functions)))
    expected = compiled.results(program.text, names)
    differing = [
        f"{function}compiled {want:#x}, interpreted {got:#x}"
        for function, want, got in zip(program.functions, expected, interpreted(program), strict=True)
        if want != got and not (_is_nan(function, want) and _is_nan(function, got))
    ]
    assert not differing, "\n".join(differing[:10])


def _is_nan(function, bits):
    match = re.search(r"bitcast %\w+ : (\w+) to", function)
    if match is None:
        return False
    value = scalar(match[1]).from_bits(bits & (1 << scalar(match[1]).width) - 1)
    return value != value


def constants(type, *values):
    names = ["%a", "%b", "%c"]
    return [
        f"{name} = arith.constant {_literal(value, type)}" for name, value in zip(names, values, strict=False)
    ]


def _literal(value, type):
    return value if value in ("true", "false") else f"{value} : {type}"


@pytest.mark.parametrize("type", one_in(2, list(INTEGERS)))
def test_integers(type):
    program = Program()
    kind = scalar(type)
    for operation, (a, b) in itertools.product(
        INTEGER_OPERATIONS, itertools.product(INTEGERS[type], repeat=2)
    ):
        left, right = read_scalar(a, type), read_scalar(b, type)
        if re.search("div|rem", operation) and (right == 0 or (left == kind.sign and right == kind.mask)):
            continue
        if type == "i1" and operation in ("divsi", "ceildivsi", "floordivsi", "remsi"):
            continue  # -1 / -1 overflows one bit
        if operation.startswith("sh") and right >= kind.width:
            continue  # poison
        program.add([*constants(type, a, b), f"%r = arith.{operation} %a, %b : {type}"], "%r", type)
    assert_as_compiled(program)


@pytest.mark.parametrize("type", one_in(2, list(INTEGERS)))
def test_integer_comparisons(type):
    program = Program()
    for predicate, (a, b) in itertools.product(PREDICATES, itertools.product(INTEGERS[type], repeat=2)):
        program.add([*constants(type, a, b), f"%r = arith.cmpi {predicate}, %a, %b : {type}"], "%r", "i1")
    assert_as_compiled(program)


@pytest.mark.parametrize("type", FLOATS)
def test_floats(type):
    program = Program()
    for operation, (a, b) in itertools.product(FLOAT_OPERATIONS, itertools.product(FLOATS[type], repeat=2)):
        if operation in ("maxnumf", "minnumf") and {a, b} == {"0.0", "-0.0"}:
            continue  # either zero will do
        program.add([*constants(type, a, b), f"%r = arith.{operation} %a, %b : {type}"], "%r", type)
    for a in FLOATS[type]:
        program.add([*constants(type, a), f"%r = arith.negf %a : {type}"], "%r", type)
    assert_as_compiled(program)


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_float_comparisons(type):
    program = Program()
    for predicate, (a, b) in itertools.product(FLOAT_PREDICATES, itertools.product(FLOATS[type], repeat=2)):
        program.add([*constants(type, a, b), f"%r = arith.cmpf {predicate}, %a, %b : {type}"], "%r", "i1")
    assert_as_compiled(program)


def test_predicates_by_name_and_by_number():
    lines = [f"%i{p} = arith.cmpi {p}, %a, %b : i8" for p in PREDICATES]
    lines += [f"%f{p} = arith.cmpf {p}, %x, %y : f32" for p in FLOAT_PREDICATES]
    names = ", ".join([f"%i{p}" for p in PREDICATES] + [f"%f{p}" for p in FLOAT_PREDICATES])
    types = ", ".join(["i1"] * len(lines))
    head = f"func.func @main(%a: i8, %b: i8, %x: f32, %y: f32) -> ({types}) {{"
    text = "\n".join([head, *lines, f"return {names} : {types}", "}"])
    generic = tools.run([tools.mlir_opt(), "-mlir-print-op-generic", "-"], text).unwrap()
    assert "slt" not in generic
    for arguments in ((1, 2, 1.0, 2.0), (-1, 2, 2.0, 1.0), (3, 3, 1.0, 1.0), (3, -3, 1.0, math.nan)):
        assert run(parse(generic), "@main", arguments).results == run(parse(text), "@main", arguments).results


CASTS = [
    ("extui", "i8", "i32"), ("extsi", "i8", "i32"), ("extsi", "i1", "i8"), ("extui", "i1", "i64"),
    ("trunci", "i32", "i8"), ("trunci", "i64", "i13"), ("trunci", "i32", "i1"),
    ("index_cast", "i8", "index"), ("index_castui", "i8", "index"), ("index_cast", "index", "i32"),
    ("sitofp", "i32", "f32"), ("uitofp", "i32", "f32"), ("sitofp", "i64", "f32"), ("uitofp", "i64", "f64"),
    ("sitofp", "i8", "f16"), ("sitofp", "i1", "f32"),
    ("extf", "f32", "f64"), ("extf", "f16", "f32"), ("extf", "bf16", "f32"),
    ("truncf", "f64", "f32"), ("truncf", "f32", "f16"), ("truncf", "f32", "bf16"),
    ("bitcast", "f32", "i32"), ("bitcast", "i32", "f32"),
    ("bitcast", "f64", "i64"), ("bitcast", "i64", "f64"),
]  # fmt: skip


@pytest.mark.parametrize(("cast", "source", "target"), CASTS)
def test_casts(cast, source, target):
    program = Program()
    for a in (INTEGERS | FLOATS)[source]:
        program.add([*constants(source, a), f"%r = arith.{cast} %a : {source} to {target}"], "%r", target)
    assert_as_compiled(program)


def test_floats_to_integers():
    program = Program()
    for cast, a in itertools.product(("fptosi", "fptoui"), ("0.0", "1.9", "100.5", "-0.5", "127.9")):
        program.add([*constants("f32", a), f"%r = arith.{cast} %a : f32 to i8"], "%r", "i8")
    program.add([*constants("f64", "-1.9e9"), "%r = arith.fptosi %a : f64 to i32"], "%r", "i32")
    assert_as_compiled(program)


def test_extended_arithmetic():
    program = Program()
    for operation, a, b in itertools.product(("addui", "mulsi", "mului"), INTEGERS["i32"], INTEGERS["i32"]):
        for number, type in enumerate(("i32", "i1" if operation == "addui" else "i32")):
            types = "i32, i1" if operation == "addui" else "i32"
            line = f"%r:2 = arith.{operation}_extended %a, %b : {types}"
            program.add([*constants("i32", a, b), line], f"%r#{number}", type)
    assert_as_compiled(program)


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_selection_and_constants(type):
    program = Program()
    for a, b in itertools.permutations(FLOATS[type], 2):
        line = f"%r = arith.select %c, %a, %b : {type}"
        program.add([*constants(type, a, b), "%c = arith.constant true", line], "%r", type)
    assert_as_compiled(program)


def test_index():
    program = Program()
    operations = [
        "add",
        "sub",
        "mul",
        "divs",
        "divu",
        "ceildivs",
        "ceildivu",
        "floordivs",
        "rems",
        "remu",
        "and",
        "or",
        "xor",
        "maxs",
        "maxu",
        "mins",
        "minu",
    ]
    for operation, (a, b) in itertools.product(operations, itertools.product(INTEGERS["index"], repeat=2)):
        a, b = (f"%{name} = index.constant {value}" for name, value in zip("ab", (a, b), strict=True))
        program.add([a, b, f"%r = index.{operation} %a, %b"], "%r", "index")
    text = tools.run([tools.mlir_opt(), "-mlir-print-op-generic", "-"], program.text).unwrap()
    module = parse(text)
    names = tuple(f"f{number}" for number in range(len(program.functions)))
    expected = compiled.results(program.text, names)
    assert [run(module, f"@{name}").results[0] for name in names] == expected


@pytest.mark.parametrize(
    ("function", "values"),
    [
        ("sqrt", "0.0 2.0 1.0e-40"),
        ("absf", "-0.0 -2.5"),
        ("floor", "-2.5 2.5"),
        ("ceil", "-2.5 -0.5"),
        ("round", "0.5 -2.5 2.4"),
        ("roundeven", "0.5 -2.5 3.5"),
        ("trunc", "-2.5 0.5"),
        ("rsqrt", "0.0 4.0"),
    ],
)
def test_exact_functions(function, values):
    program = Program()
    for a in values.split():
        program.add([*constants("f32", a), f"%r = math.{function} %a : f32"], "%r", "f32")
    module = parse(tools.run([tools.mlir_opt(), "-mlir-print-op-generic", "-"], program.text).unwrap())
    names = tuple(f"f{number}" for number in range(len(program.functions)))
    expected = compiled.results(program.text, names)
    assert [run(module, f"@{name}").results[0] for name in names] == expected


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("exp", "1.0", math.e),
        ("exp", "1000.0", math.inf),
        ("log", "0.0", -math.inf),
        ("log", "-1.0", math.nan),
        ("tanh", "0.5", math.tanh(0.5)),
        ("powf", "2.0 0.5", math.sqrt(2)),
        ("powf", "0.0 -1.0", math.inf),
        ("atan2", "1.0 -1.0", math.atan2(1, -1)),
        ("fma", "2.0 3.0 1.0", 7.0),
        ("fma", "1.0000000001 1.0000000001 -1.0000000002", 1.0000000082740371e-20),
        ("sinh", "-1.0e4", -math.inf),
        ("erf", "0.5", math.erf(0.5)),
        ("cbrt", "-27.0", -3.0),
    ],
)
def test_functions(function, arguments, value):
    assert computed(function, arguments) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("function", "arguments", "value"),
    [
        ("cbrt", "64.0", 4.0),
        ("exp2", "-1074.0", 5e-324),
        ("fma", "-1.0e308 10.0 1.0", -math.inf),
        ("round", "0.49999999999999994", 0.0),
        ("round", "-2.5", -3.0),
        ("round", "4503599627370497.0", 4503599627370497.0),
    ],
)
def test_functions_to_the_last_bit(function, arguments, value):
    assert computed(function, arguments) == value


def computed(function, arguments):
    values = arguments.split()
    names = ", ".join(["%a", "%b", "%c"][: len(values)])
    types = ", ".join(["f64"] * len(values))
    names_of = constants("f64", *values)
    text = "\n".join(
        ["func.func @main() -> f64 {", *names_of, f'%r = "math.{function}"({names}) : ({types}) -> f64']
    )
    return run(parse(text + "\nreturn %r : f64\n}\n")).results[0]


def test_integer_functions():
    text = """
func.func @main(%a: i8, %b: i8) -> (i8, i8, i8, i8, i8) {
  %0 = "math.absi"(%a) : (i8) -> i8
  %1 = "math.ctlz"(%a) : (i8) -> i8
  %2 = "math.cttz"(%a) : (i8) -> i8
  %3 = "math.ctpop"(%a) : (i8) -> i8
  %4 = "math.ipowi"(%a, %b) : (i8, i8) -> i8
  return %0, %1, %2, %3, %4 : i8, i8, i8, i8, i8
}
"""
    assert run(parse(text), "@main", [-12, 2]).results == [12, 0, 2, 5, -112]
    assert run(parse(text), "@main", [0, 3]).results == [0, 8, 8, 0, 0]


def test_vectors_are_computed_element_by_element():
    text = """
func.func @main(%x: f32) -> vector<2xf32> {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %b = arith.constant dense<0.5> : vector<2xf32>
  %c = arith.cmpf ogt, %a, %b : vector<2xf32>
  %s = arith.addf %a, %b : vector<2xf32>
  %r = arith.select %c, %s, %a : vector<2xi1>, vector<2xf32>
  return %r : vector<2xf32>
}
"""
    assert run(parse(text), "@main", [0.0]).results == [(1.5, 2.5)]


@pytest.mark.parametrize("type", ["f32", "f16", "bf16", "f64"])
def test_floats_are_written_as_short_as_can_be_read_back(type):
    kind = scalar(type)
    for value in (0.1, 1.0, -2.5, 3.0e-5, 1.0e30, 65504.0, math.inf, -math.inf):
        rounded = kind.round(value)
        assert kind.round(read_scalar(write_scalar(rounded, type), type)) == rounded
    assert write_scalar(kind.round(0.1), type) == "0.1"
    assert write_scalar(math.nan, type) == "nan"


def test_rounding():
    assert round_f32(0.1) == 0.10000000149011612
    assert round_f32(1e39) == math.inf
    assert round_f16(65520.0) == math.inf
    assert round_f16(2049.0) == 2048.0  # ties go to even
    assert round_bf16(1.00390625) == 1.0
    assert round_bf16(1.01171875) == 1.015625
    assert math.isnan(round_bf16(math.nan))
