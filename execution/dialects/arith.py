"""arith: integers that wrap at their width, floats that round to their type. On vectors, element by element.

What MLIR calls poison (a shift by the width or more, a float out of range made an integer) is 0 here.
Division by zero and the one signed division that overflows are undefined behaviour, and faults.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import add, mul, sub
from typing import Any

from dealog.execution.compiler import FunctionCompiler, step
from dealog.execution.elements import read_elements
from dealog.execution.faults import Stop, unsupported
from dealog.execution.machine import Registers, Step
from dealog.execution.numbers import Pointer, Scalar, read_scalar, vector
from dealog.frontend import Operation

Binary = Callable[[Any, Any], Any]


def apply(c: FunctionCompiler, op: Operation, function: Callable[..., Any]) -> Step:
    """A step that puts `function` of the operands into the result; of each element where they are vectors."""
    sources = c.registers(op.operands)
    target = c.register(op.results[0])
    if vector(op.operands[-1].type) is not None:
        scalar_function = function

        def function(*vectors: Any) -> Any:
            return tuple(map(scalar_function, *vectors))

    elif op.operands[-1].type.startswith(("vector", "tensor", "memref")):
        raise unsupported(op, f"'{op.name}' on '{op.operands[-1].type}' is not interpreted")
    if len(sources) == 1:
        (source,) = sources

        def unary(registers: Registers) -> None:
            registers[target] = function(registers[source])

        return unary
    if len(sources) == 2:
        left, right = sources

        def binary(registers: Registers) -> None:
            registers[target] = function(registers[left], registers[right])

        return binary

    def any_number(registers: Registers) -> None:
        registers[target] = function(*(registers[i] for i in sources))

    return any_number


# ------------------------------------------------------------------------------------------------- integers


def divide(a: int, b: int) -> int:
    """The quotient, rounded towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _checked(kind: Scalar, function: Binary) -> Binary:
    """A signed division, made from one on Python's integers."""
    signed, mask, least = kind.signed, kind.mask, kind.sign

    def division(a: int, b: int) -> int:
        if a == least and b == mask and kind.width > 1:
            raise Stop("undefined-behaviour", "the signed division overflows")
        return int(function(signed(a), signed(b))) & mask

    return division


def integer_operations(kind: Scalar) -> dict[str, Binary]:
    """The operations that the dialects arith and index have in common, on integers of one width."""
    signed, mask, sign, width = kind.signed, kind.mask, kind.sign, kind.width
    return {
        "add": lambda a, b: (a + b) & mask,
        "sub": lambda a, b: (a - b) & mask,
        "mul": lambda a, b: (a * b) & mask,
        "divs": _checked(kind, divide),
        "divu": lambda a, b: a // b,
        "ceildivs": _checked(kind, lambda a, b: -(-a // b)),
        "ceildivu": lambda a, b: -(-a // b),
        "floordivs": _checked(kind, lambda a, b: a // b),
        "rems": _checked(kind, lambda a, b: a - b * divide(a, b)),
        "remu": lambda a, b: a % b,
        "and": lambda a, b: a & b,
        "or": lambda a, b: a | b,
        "xor": lambda a, b: a ^ b,
        "shl": lambda a, b: (a << b) & mask if b < width else 0,
        "shru": lambda a, b: a >> b if b < width else 0,
        "shrs": lambda a, b: (signed(a) >> b) & mask if b < width else 0,
        "maxs": lambda a, b: a if (a ^ sign) >= (b ^ sign) else b,
        "mins": lambda a, b: a if (a ^ sign) <= (b ^ sign) else b,
        "maxu": max,
        "minu": min,
    }


_INTEGER_NAMES = {
    "arith.addi": "add",
    "arith.subi": "sub",
    "arith.muli": "mul",
    "arith.divsi": "divs",
    "arith.divui": "divu",
    "arith.ceildivsi": "ceildivs",
    "arith.ceildivui": "ceildivu",
    "arith.floordivsi": "floordivs",
    "arith.remsi": "rems",
    "arith.remui": "remu",
    "arith.andi": "and",
    "arith.ori": "or",
    "arith.xori": "xor",
    "arith.shli": "shl",
    "arith.shrui": "shru",
    "arith.shrsi": "shrs",
    "arith.maxsi": "maxs",
    "arith.minsi": "mins",
    "arith.maxui": "maxu",
    "arith.minui": "minu",
}


@step(*_INTEGER_NAMES)
def _integer(c: FunctionCompiler, op: Operation) -> Step:
    kind = c.scalar(op, op.results[0].type)
    return apply(c, op, integer_operations(kind)[_INTEGER_NAMES[op.name]])


@step("arith.addui_extended", "arith.mulsi_extended", "arith.mului_extended")
def _extended(c: FunctionCompiler, op: Operation) -> Step:
    kind = c.scalar(op, op.operands[0].type)
    signed, mask, width = kind.signed, kind.mask, kind.width
    pairs: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "arith.addui_extended": lambda a, b: ((a + b) & mask, (a + b) >> width),
        "arith.mulsi_extended": lambda a, b: ((a * b) & mask, (signed(a) * signed(b) >> width) & mask),
        "arith.mului_extended": lambda a, b: ((a * b) & mask, a * b >> width),
    }
    pair = pairs[op.name]
    is_vector = vector(op.operands[0].type) is not None
    left, right = c.registers(op.operands)
    low, high = c.registers(op.results)

    def extended(registers: Registers) -> None:
        a, b = registers[left], registers[right]
        if is_vector:
            found = [pair(x, y) for x, y in zip(a, b, strict=True)]
            registers[low], registers[high] = tuple(p[0] for p in found), tuple(p[1] for p in found)
        else:
            registers[low], registers[high] = pair(a, b)

    return extended


def integer_comparisons(kind: Scalar) -> dict[str, Binary]:
    """The predicates of `cmpi`, in the order of their numbers."""
    sign = kind.sign
    return {
        "eq": lambda a, b: int(a == b),
        "ne": lambda a, b: int(a != b),
        "slt": lambda a, b: int((a ^ sign) < (b ^ sign)),
        "sle": lambda a, b: int((a ^ sign) <= (b ^ sign)),
        "sgt": lambda a, b: int((a ^ sign) > (b ^ sign)),
        "sge": lambda a, b: int((a ^ sign) >= (b ^ sign)),
        "ult": lambda a, b: int(a < b),
        "ule": lambda a, b: int(a <= b),
        "ugt": lambda a, b: int(a > b),
        "uge": lambda a, b: int(a >= b),
    }


def _float_comparisons() -> dict[str, Binary]:
    def unordered(a: float, b: float) -> bool:
        return a != a or b != b

    return {
        "false": lambda a, b: 0,
        "oeq": lambda a, b: int(a == b),
        "ogt": lambda a, b: int(a > b),
        "oge": lambda a, b: int(a >= b),
        "olt": lambda a, b: int(a < b),
        "ole": lambda a, b: int(a <= b),
        "one": lambda a, b: int(a != b and not unordered(a, b)),
        "ord": lambda a, b: int(not unordered(a, b)),
        "ueq": lambda a, b: int(a == b or unordered(a, b)),
        "ugt": lambda a, b: int(not a <= b),
        "uge": lambda a, b: int(not a < b),
        "ult": lambda a, b: int(not a >= b),
        "ule": lambda a, b: int(not a > b),
        "une": lambda a, b: int(a != b),
        "uno": lambda a, b: int(unordered(a, b)),
        "true": lambda a, b: 1,
    }


def chosen(c: FunctionCompiler, op: Operation, text: str, choices: dict[str, Binary]) -> Binary:
    """The entry that an enumeration attribute names: by its word, or by its number as in `2 : i64`."""
    word = text.partition(":")[0].strip().strip('"')
    if word.isdigit() and int(word) < len(choices):
        return list(choices.values())[int(word)]
    if word not in choices:
        raise unsupported(op, f"'{op.name}' with '{word}' is not interpreted")
    return choices[word]


@step("arith.cmpi")
def _cmpi(c: FunctionCompiler, op: Operation) -> Step:
    kind = c.scalar(op, op.operands[0].type)
    compare = chosen(c, op, c.attribute(op, "predicate"), integer_comparisons(kind))
    if op.operands[0].type != "index":
        return apply(c, op, compare)
    statistics = c.heap.statistics

    def counting(a: int, b: int) -> int:
        if type(a) is Pointer and type(b) is Pointer:
            statistics.alias_checks += 1
        return int(compare(a, b))

    return apply(c, op, counting)


@step("arith.cmpf")
def _cmpf(c: FunctionCompiler, op: Operation) -> Step:
    c.scalar(op, op.operands[0].type)
    return apply(c, op, chosen(c, op, c.attribute(op, "predicate"), _float_comparisons()))


# --------------------------------------------------------------------------------------------------- floats


def divide_floats(a: float, b: float) -> float:
    """IEEE division."""
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def _remainder(a: float, b: float) -> float:
    if b == 0 or math.isinf(a) or a != a or b != b:
        return math.nan
    return math.fmod(a, b)


def _is_less(a: float, b: float) -> bool:
    """Whether `a` comes before `b`, where -0 comes before +0."""
    return a < b or (a == b and math.copysign(1.0, a) < math.copysign(1.0, b))


def _maximum(a: float, b: float) -> float:
    if a != a or b != b:
        return math.nan
    return b if _is_less(a, b) else a


def _minimum(a: float, b: float) -> float:
    if a != a or b != b:
        return math.nan
    return a if _is_less(a, b) else b


def _maximum_number(a: float, b: float) -> float:
    return b if a != a else a if b != b else _maximum(a, b)


def _minimum_number(a: float, b: float) -> float:
    return b if a != a else a if b != b else _minimum(a, b)


_FLOATS = ("addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf")
_FLOAT_NAMES = {f"arith.{name}": name for name in _FLOATS}


def float_operations(kind: Scalar) -> dict[str, Binary]:
    """The operations on floats of one type."""
    rounded = kind.round
    if kind.name == "f64":
        return {
            "addf": add,
            "subf": sub,
            "mulf": mul,
            "divf": divide_floats,
            "remf": _remainder,
        } | _SELECTIONS
    return {
        "addf": lambda a, b: rounded(a + b),
        "subf": lambda a, b: rounded(a - b),
        "mulf": lambda a, b: rounded(a * b),
        "divf": lambda a, b: rounded(divide_floats(a, b)),
        "remf": lambda a, b: rounded(_remainder(a, b)),
    } | _SELECTIONS


_SELECTIONS: dict[str, Binary] = {
    "maximumf": _maximum,
    "minimumf": _minimum,
    "maxnumf": _maximum_number,
    "minnumf": _minimum_number,
}


@step(*_FLOAT_NAMES)
def _float(c: FunctionCompiler, op: Operation) -> Step:
    kind = c.scalar(op, op.results[0].type)
    return apply(c, op, float_operations(kind)[_FLOAT_NAMES[op.name]])


@step("arith.negf")
def _negf(c: FunctionCompiler, op: Operation) -> Step:
    c.scalar(op, op.results[0].type)
    return apply(c, op, lambda a: -a)


# ------------------------------------------------------------------------------------- constants, conversions


@step("arith.constant")
def _constant(c: FunctionCompiler, op: Operation) -> None:
    type = op.results[0].type
    text = c.attribute(op, "value").strip()
    if (shape := vector(type)) is not None:
        (value,) = read_elements(text, 1, type, op.origin.source.text if op.origin else "")
        if len(value) != shape[0]:
            raise op.error(f"the constant has {len(value)} elements and its type {shape[0]}")
        c.constant(op.results[0], value)
        return
    if not type:  # the text leaves the default out
        type = "i1" if text in ("true", "false") else "f64" if "." in text else "i64"
    c.scalar(op, type)
    literal = text.rpartition(":")[0] if ":" in text else text
    try:
        c.constant(op.results[0], read_scalar(literal, type))
    except ValueError as error:
        raise op.error(f"the constant is not read: {error}") from None


@step("arith.select")
def _select(c: FunctionCompiler, op: Operation) -> Step:
    condition, true, false = c.registers(op.operands)
    target = c.register(op.results[0])
    if vector(op.operands[0].type) is not None:
        return apply(c, op, lambda choice, a, b: a if choice else b)

    def select(registers: Registers) -> None:
        registers[target] = registers[true] if registers[condition] else registers[false]

    return select


def _to_integer(value: float, low: int, high: int, mask: int) -> int:
    if value != value or math.isinf(value):
        return 0
    truncated = int(value)
    return truncated & mask if low <= truncated <= high else 0


_CASTS = (
    *(
        "arith.extui",
        "arith.extsi",
        "arith.trunci",
        "arith.index_cast",
        "arith.index_castui",
        "arith.bitcast",
    ),
    *("arith.extf", "arith.truncf", "arith.convertf"),
    *("arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui"),
    *("index.casts", "index.castu"),
)


@step(*_CASTS)
def _cast(c: FunctionCompiler, op: Operation) -> Step:
    source, target = c.scalar(op, op.operands[0].type), c.scalar(op, op.results[0].type)
    signed, bits = source.signed, source.bits
    mask, rounded, from_bits = target.mask, target.round, target.from_bits
    if op.attributes.get("roundingmode", "0 : i32").partition(":")[0].strip() not in ("0", "to_nearest_even"):
        raise unsupported(op, "rounding modes other than to_nearest_even are not interpreted")
    casts: dict[str, Callable[[Any], Any]] = {
        "extui": lambda a: a,
        "castu": lambda a: a & mask,
        "index_castui": lambda a: a & mask,
        "trunci": lambda a: a & mask,
        "extsi": lambda a: signed(a) & mask,
        "casts": lambda a: signed(a) & mask,
        "index_cast": lambda a: signed(a) & mask,
        "extf": lambda a: a,
        "truncf": lambda a: rounded(a),
        "convertf": lambda a: rounded(a),
        "sitofp": lambda a: _rounded_integer(signed(a), target),
        "uitofp": lambda a: _rounded_integer(a, target),
        "fptosi": lambda a: _to_integer(a, -target.sign, target.sign - 1, mask),
        "fptoui": lambda a: _to_integer(a, 0, mask, mask),
        "bitcast": lambda a: from_bits(bits(a)),
    }
    return apply(c, op, casts[op.name.partition(".")[2]])


def _rounded_integer(value: int, target: Scalar) -> float:
    """`value` rounded once: by way of f64 it could be rounded twice."""
    magnitude = abs(value)
    excess = magnitude.bit_length() - 53
    if excess > 0 and target.name != "f64":
        # The bits that f64 would round off become one sticky bit.
        kept = magnitude >> excess
        magnitude = (kept | (kept << excess != magnitude)) << excess
    return float(target.round(math.copysign(float(magnitude), value) if value else 0.0))
