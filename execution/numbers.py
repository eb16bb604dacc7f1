"""Scalar types with their exact bit widths: how integers wrap, how floats round, how both are stored and
written.

An integer of width N is a Python int in [0, 2**N), whatever its signedness; `index` is 64 bits wide. A float
is a Python float that its type can represent.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dealog.frontend.lexer import integer
from dealog.frontend.types import element_type, is_memref, parse_memref

INDEX_WIDTH = 64
_INTEGER = re.compile(r"[su]?i([0-9]+)")
_SHAPE = re.compile(r"vector<((?:\[?[0-9]+\]?x)*)")
_DECIMAL_DIGITS = {"f64": 17, "f32": 9, "f16": 5, "bf16": 4}


class Pointer(int):
    """An address taken with `memref.extract_aligned_pointer_as_index`, so that its comparisons can be
    counted."""


def round_f64(value: float) -> float:
    """Nothing to do: Python's floats are f64."""
    return value


def _rounder(format: str) -> Callable[[float], float]:
    pack, unpack = struct.Struct(format).pack, struct.Struct(format).unpack

    def rounded(value: float) -> float:
        try:
            return unpack(pack(value))[0]  # type: ignore[no-any-return]
        except OverflowError:
            return math.copysign(math.inf, value)

    return rounded


round_f32 = _rounder("<f")
round_f16 = _rounder("<e")


def round_bf16(value: float) -> float:
    """Round to the nearest bf16, ties to even, by way of f32 as compiled code does."""
    return _bf16_from_bits(_bf16_bits(value))


def _bf16_bits(value: float) -> int:
    (bits,) = struct.unpack("<I", struct.pack("<f", round_f32(value)))
    if value != value:
        return int(bits >> 16 | 0x40)
    return int((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)


def _bf16_from_bits(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])


def _format_bits(format: str, integer: str) -> tuple[Callable[[float], int], Callable[[int], float]]:
    f, i = struct.Struct(format), struct.Struct(integer)
    return (lambda value: i.unpack(f.pack(value))[0]), (lambda bits: f.unpack(i.pack(bits))[0])


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar type: `bits` and `from_bits` go between a value and its bit pattern."""

    name: str
    width: int
    is_float: bool
    round: Callable[[Any], Any]
    bits: Callable[[Any], int]
    from_bits: Callable[[int], Any]

    @property
    def size(self) -> int:
        """Bytes that an element takes in memory."""
        return (self.width + 7) // 8

    @property
    def mask(self) -> int:
        """All bits of an integer."""
        return (1 << self.width) - 1

    @property
    def sign(self) -> int:
        """The sign bit of an integer."""
        return 1 << (self.width - 1) if self.width else 0

    @property
    def zero(self) -> Any:
        """Its zero."""
        return 0.0 if self.is_float else 0

    def signed(self, value: int) -> int:
        """The value of an integer read as two's complement."""
        return value - (1 << self.width) if value & self.sign else value


_FLOATS: dict[str, Scalar] = {
    "f64": Scalar("f64", 64, True, round_f64, *_format_bits("<d", "<Q")),
    "f32": Scalar("f32", 32, True, round_f32, *_format_bits("<f", "<I")),
    "f16": Scalar("f16", 16, True, round_f16, *_format_bits("<e", "<H")),
    "bf16": Scalar("bf16", 16, True, round_bf16, _bf16_bits, _bf16_from_bits),
}


@lru_cache(maxsize=1024)
def scalar(type: str) -> Scalar | None:
    """The scalar type that `type` spells, or None where it is not a scalar that is modelled here."""
    if type in _FLOATS:
        return _FLOATS[type]
    match = _INTEGER.fullmatch(type)
    if type != "index" and match is None:
        return None
    width = INDEX_WIDTH if match is None else int(match[1])
    mask = (1 << width) - 1
    return Scalar(
        type, width, False, lambda value: value & mask, lambda value: value, lambda bits: bits & mask
    )


@lru_cache(maxsize=1024)
def vector(type: str) -> tuple[int, str] | None:
    """Number and type of the elements of a vector of fixed shape, or None for any other type."""
    match = _SHAPE.match(type)
    if match is None or "[" in match[1]:
        return None
    return math.prod(int(size) for size in match[1].split("x") if size), element_type(type)


@lru_cache(maxsize=1024)
def size_of(type: str) -> int:
    """Bytes that a buffer element of this type takes; what is not modelled counts as a pointer."""
    kind = scalar(type)
    if kind is not None:
        return kind.size
    if (shape := vector(type)) is not None:
        return shape[0] * size_of(shape[1])
    if type.startswith("complex<"):
        return 2 * size_of(type[8:-1].strip())
    if is_memref(type):
        rank = parse_memref(type).rank
        return 16 if rank is None else 24 + 16 * rank  # descriptors as the lowering to LLVM lays them out
    return 8


@lru_cache(maxsize=1024)
def zero_of(type: str) -> Any:
    """The value that an uninitialized element of this type reads as; None where there is no sensible one."""
    kind = scalar(type)
    if kind is not None:
        return kind.zero
    if (shape := vector(type)) is not None:
        zero = zero_of(shape[1])
        return None if zero is None else (zero,) * shape[0]
    if type.startswith("complex<"):
        return complex(0)
    return None


def write_scalar(value: Any, type: str) -> str:
    """`value` as MLIR users write it: signed, `true` and `false`, the shortest decimal that reads back the
    same."""
    kind = scalar(type)
    if kind is None:
        return str(value)
    if kind.is_float:
        return _write_float(value, kind)
    if kind.width == 1:
        return "true" if value else "false"
    return str(value if type.startswith("u") else kind.signed(value))


def _write_float(value: float, kind: Scalar) -> str:
    if value != value or value in (math.inf, -math.inf):
        return "nan" if value != value else ("inf" if value > 0 else "-inf")
    for digits in range(1, _DECIMAL_DIGITS[kind.name] + 1):
        text = f"{value:.{digits}g}"
        if kind.round(float(text)) == value:
            break
    return text if any(c in text for c in ".e") else text + ".0"


def read_scalar(text: str, type: str) -> Any:
    """The value of a literal (`-3`, `true`, `1.5e3`, `0x7F800000`, `inf`). Raises `ValueError` where it is
    none."""
    kind = scalar(type)
    text = text.strip()
    if kind is None:
        raise ValueError(f"values of type '{type}' cannot be written")
    if text in ("true", "false") and not kind.is_float:
        return kind.mask if text == "true" else 0
    try:
        if kind.is_float:
            if text.lower().startswith(("0x", "-0x")):
                return kind.from_bits(int(text, 16))
            return kind.round(float(text))
        value = integer(text)
    except ValueError:
        raise ValueError(f"'{text}' is not {'a number' if kind.is_float else 'an integer'}") from None
    if not -kind.sign <= value <= kind.mask:
        raise ValueError(f"{text} does not fit into {type}")
    return value & kind.mask
