"""math: computed in f64 and rounded to the type; out of a function's domain the result is NaN."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from dealog.execution.compiler import FunctionCompiler, step
from dealog.execution.dialects.arith import apply, divide_floats
from dealog.execution.machine import Step
from dealog.frontend import Operation


def _power(a: float, b: float) -> float:
    odd = b == math.floor(b) and b % 2 == 1 if not math.isinf(b) and b == b else False
    if a == 0 and b < 0:
        return math.copysign(math.inf, a) if odd else math.inf
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and odd else math.inf


def _fma(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return float(exact) if exact else a * b + c
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _round(a: float) -> float:
    """To the nearest integer, ties away from zero."""
    if not math.isfinite(a):
        return a
    below = float(math.floor(abs(a)))
    return math.copysign(below + (abs(a) - below >= 0.5), a)


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    def whole(a: float) -> float:
        return math.copysign(float(function(a)), a) if a == a and not math.isinf(a) else a

    return whole


def _logarithm(function: Callable[[float], float], pole: float = 0.0) -> Callable[[float], float]:
    return lambda a: -math.inf if a == pole else function(a)


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "math.absf": abs,
    "math.acos": math.acos,
    "math.acosh": math.acosh,
    "math.asin": math.asin,
    "math.asinh": math.asinh,
    "math.atan": math.atan,
    "math.atan2": math.atan2,
    "math.atanh": math.atanh,
    "math.cbrt": math.cbrt,
    "math.ceil": _whole(math.ceil),
    "math.copysign": math.copysign,
    "math.cos": math.cos,
    "math.cosh": math.cosh,
    "math.erf": math.erf,
    "math.erfc": math.erfc,
    "math.exp": math.exp,
    "math.exp2": math.exp2,
    "math.expm1": math.expm1,
    "math.floor": _whole(math.floor),
    "math.fma": _fma,
    "math.log": _logarithm(math.log),
    "math.log10": _logarithm(math.log10),
    "math.log1p": _logarithm(math.log1p, -1.0),
    "math.log2": _logarithm(math.log2),
    "math.powf": _power,
    "math.round": _round,
    "math.roundeven": _whole(round),
    "math.rsqrt": lambda a: divide_floats(1.0, math.sqrt(a)),
    "math.sin": math.sin,
    "math.sinh": math.sinh,
    "math.sqrt": math.sqrt,
    "math.tan": math.tan,
    "math.tanh": math.tanh,
    "math.trunc": _whole(math.trunc),
}
_ODD = frozenset(("math.sinh",))


@step(*_FUNCTIONS)
def _function(c: FunctionCompiler, op: Operation) -> Step:
    rounded = c.scalar(op, op.results[0].type).round
    function = _FUNCTIONS[op.name]

    def computed(*arguments: float) -> Any:
        try:
            return rounded(function(*arguments))
        except ValueError:
            return math.nan
        except OverflowError:  # of the functions that grow so fast, some are odd
            return math.copysign(math.inf, arguments[0]) if op.name in _ODD else math.inf

    return apply(c, op, computed)


@step("math.fpowi")
def _fpowi(c: FunctionCompiler, op: Operation) -> Step:
    rounded = c.scalar(op, op.results[0].type).round
    signed = c.scalar(op, op.operands[1].type).signed

    return apply(c, op, lambda a, b: rounded(_power(a, float(signed(b)))))


@step("math.isnan", "math.isinf", "math.isfinite")
def _class(c: FunctionCompiler, op: Operation) -> Step:
    tests = {"math.isnan": math.isnan, "math.isinf": math.isinf, "math.isfinite": math.isfinite}
    test = tests[op.name]
    return apply(c, op, lambda a: int(test(a)))


@step("math.absi", "math.ctlz", "math.cttz", "math.ctpop", "math.ipowi")
def _integer(c: FunctionCompiler, op: Operation) -> Step:
    kind = c.scalar(op, op.results[0].type)
    signed, mask, width = kind.signed, kind.mask, kind.width

    def power(a: int, b: int) -> int:
        base, exponent = signed(a), signed(b)
        if exponent >= 0:
            return pow(base, exponent, mask + 1)
        if base == 0:
            raise ZeroDivisionError
        return (base if exponent % 2 else 1) & mask if abs(base) == 1 else 0

    functions: dict[str, Callable[..., int]] = {
        "math.absi": lambda a: abs(signed(a)) & mask,
        "math.ctlz": lambda a: width - a.bit_length(),
        "math.cttz": lambda a: (a & -a).bit_length() - 1 if a else width,
        "math.ctpop": int.bit_count,
        "math.ipowi": power,
    }
    return apply(c, op, functions[op.name])
