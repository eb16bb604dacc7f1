"""Layouts of memref types: how indices become an offset into the buffer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dealog.frontend.lexer import split_list
from dealog.frontend.types import MemRefType

_STRIDED = re.compile(r"strided\s*<\s*\[([^\]]*)\]\s*(?:,\s*offset\s*:\s*([^>]*))?>")
_AFFINE = re.compile(r"affine_map\s*<\s*\(([^)]*)\)\s*(?:\[([^\]]*)\])?\s*->\s*\((.*)\)\s*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Strides:
    """A strided layout: the distance of neighbours in each dimension, and where the first element is. None
    stands for what is only known at run time."""

    strides: tuple[int | None, ...]
    offset: int | None


def is_identity(type: MemRefType) -> bool:
    """Whether the ranked `type` has the row-major layout that is meant where a type states none.
    (`strided<[1]>` is not that: it makes another type.)"""
    if type.layout is None:
        return True
    match = _AFFINE.fullmatch(type.layout)
    if match is None:
        return False
    dimensions = _names(match[1])
    results = _names(match[3])
    if results == dimensions:
        return True
    return len(dimensions) == 1 and strides(type) == Strides((1,), 0)


def is_castable_from_identity(type: MemRefType) -> bool:
    """Whether `memref.cast` takes a buffer with the row-major layout to the ranked `type` of the same sizes:
    no stride and no offset that the type states may be another than the row-major one.

    Source: the rules of `memref.cast`, as mlir-opt 22.1 applies them.
    """
    if is_identity(type):
        return True
    stated = strides(type)
    if stated is None or stated.offset not in (None, 0):
        return False
    wanted = _row_major(type.shape or ())
    return all(a is None or b is None or a == b for a, b in zip(stated.strides, wanted, strict=True))


@lru_cache(maxsize=4096)
def strides(type: MemRefType) -> Strides | None:
    """The strides that the layout of the ranked `type` states; None without a layout, or with one that is not
    strided."""
    layout = type.layout or ""
    if match := _STRIDED.fullmatch(layout):
        found = tuple(_number(part) for part in _names(match[1]))
        offset = 0 if match[2] is None else _number(match[2].strip())
        return Strides(found, offset) if len(found) == type.rank else None
    if match := _AFFINE.fullmatch(layout):
        return _affine_strides(_names(match[1]), _names(match[2] or ""), _names(match[3]))
    return None


def _row_major(shape: Sequence[int | None]) -> list[int | None]:
    """Strides of the row-major layout; those of an empty buffer do not matter, and are None."""
    result: list[int | None] = []
    running: int | None = 1
    for size in reversed(shape):
        result.append(running or None)
        running = None if running is None or size is None else running * size
    return result[::-1]


def _names(text: str) -> list[str]:
    return [text[start:end].strip() for start, _, end in split_list(text, 0, len(text))]


def _number(text: str) -> int | None:
    return None if text == "?" else int(text)


# ---- affine maps --------------------------------------------------------------------------------------

_Linear = dict[str, int | None]  # by dimension, "" for the rest: coefficient, None where symbols are in it
_TOKEN = re.compile(r"\d+|[^\W\d][\w$.]*|\S")
_BINDING = {"(": 0, "+": 1, "-": 1, "*": 2, "negate": 3}


def _affine_strides(dimensions: list[str], symbols: list[str], results: list[str]) -> Strides | None:
    """The strides of an affine map with one result that is linear in the dimensions."""
    if len(results) != 1:
        return None
    leaves: dict[str, _Linear] = {symbol: {"": None} for symbol in symbols}
    leaves |= {dimension: {dimension: 1} for dimension in dimensions}
    form = _linear(results[0], leaves)
    if form is None:
        return None
    found = tuple(form.get(dimension, 0) for dimension in dimensions)
    return None if 0 in found else Strides(found, form.get("", 0))


def _linear(text: str, leaves: Mapping[str, _Linear]) -> _Linear | None:
    """An affine expression as a linear form; None where it is none (`floordiv`, `ceildiv`, `mod`).

    Source: Dijkstra's shunting yard; it needs no recursion, as expressions may be nested deeply.
    """
    values: list[_Linear] = []
    operators: list[str] = []

    def apply(binding: int) -> bool:
        while operators and _BINDING[operators[-1]] >= binding:
            form = _applied(operators.pop(), values)
            if form is None:
                return False
            values.append(form)
        return True

    after_operand = False
    for token in _TOKEN.findall(text):
        if not after_operand:
            if token in ("-", "("):
                operators.append("negate" if token == "-" else token)
                continue
            if token.isdecimal():
                values.append({"": int(token)})
            elif token in leaves:
                values.append(leaves[token])
            else:
                return None
            after_operand = True
        elif token == ")":
            if not apply(1) or not operators:
                return None
            operators.pop()
        else:
            if token not in ("+", "-", "*") or not apply(_BINDING[token]):
                return None
            operators.append(token)
            after_operand = False
    return values[0] if after_operand and apply(1) and not operators else None


def _applied(operator: str, values: list[_Linear]) -> _Linear | None:
    """What `operator` makes of the last of the `values`, which it takes away; None where that is not linear."""
    right = values.pop()
    if operator == "negate":
        return _scaled(right, -1)
    left = values.pop()
    if operator == "+":
        return _sum(left, right)
    if operator == "-":
        return _sum(left, _scaled(right, -1))
    if set(left) - {""} and set(right) - {""}:
        return None
    form, factor = (right, left) if set(right) - {""} else (left, right)
    return _scaled(form, factor.get("", 0))


def _scaled(form: _Linear, factor: int | None) -> _Linear:
    return {name: None if value is None or factor is None else value * factor for name, value in form.items()}


def _sum(left: _Linear, right: _Linear) -> _Linear:
    result = dict(left)
    for name, value in right.items():
        other = result.get(name, 0)
        result[name] = None if value is None or other is None else value + other
    return result
