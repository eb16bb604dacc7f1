"""Layouts of memref types: how indices become an offset into the buffer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dealog.frontend.affine import REST, AffineMap, Linear, adds_quotient, linear, read_map, rounds, strided_form
from dealog.frontend.lexer import integer, split_list
from dealog.frontend.types import MemRefType

_NUMBER = r"(?:\?|-?\s*(?:0x[0-9a-fA-F]+|[0-9]+))"
STRIDED = re.compile(
    rf"strided\s*<\s*\[((?:\s*{_NUMBER}\s*(?:,\s*{_NUMBER}\s*)*)?\s*)\]\s*(?:,\s*offset\s*:\s*({_NUMBER})\s*)?>"
)
"""A strided layout: the strides, and the offset."""


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
    map = _map(type.layout)
    if map is None:
        return False
    if map.dimensions == type.rank and map.results == tuple(((dimension,),) for dimension in range(map.dimensions)):
        return True
    return map.dimensions == 1 and strides(type) == Strides((1,), 0)


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
    wanted = row_major(type.shape or ())
    return all(a is None or b is None or a == b for a, b in zip(stated.strides, wanted, strict=True))


@lru_cache(maxsize=4096)
def strides(type: MemRefType) -> Strides | None:
    """The strides that the layout of the ranked `type` states; None without a layout, or with one that is not
    strided."""
    found = read_strides(type.layout or "")
    return found if found is not None and len(found.strides) == type.rank else None


def rank_of_layout(layout: str) -> int | None:
    """How many dimensions the buffers have that the text of a layout is for; None where the layout is not known."""
    if match := STRIDED.fullmatch(layout):
        return len(_names(match[1]))
    map = _map(layout)
    return map.dimensions if map is not None else None


def symbols_of_layout(layout: str) -> int | None:
    """How many numbers the text of a layout leaves open, each of which an allocation takes; None where the layout is
    not known."""
    if match := STRIDED.fullmatch(layout):
        return [*_names(match[1]), (match[2] or "0").strip()].count("?")
    map = _map(layout)
    return map.symbols if map is not None else None


def read_strides(layout: str) -> Strides | None:
    """The strides that the text of a layout states; None where it is not strided."""
    if match := STRIDED.fullmatch(layout):
        found = tuple(_number(part) for part in _names(match[1]))
        return Strides(found, 0 if match[2] is None else _number(match[2].strip()))
    map = _map(layout)
    if map is None or len(map.results) != 1:
        return None
    form = strided_form(map.results[0], map.dimensions)
    if form is None:
        return None
    found = tuple(form.get(dimension, 0) for dimension in range(map.dimensions))
    return Strides(found, form.get(REST, 0))


def is_unstrided(layout: str) -> bool:
    """Whether the text of a layout is an affine map that surely no strides stand for: one that rounds, or that has
    several results and is not the identity.

    Source: what mlir-opt 22.1 calls a strided memref.
    """
    map = _map(layout)
    if map is None:
        return False
    if len(map.results) == 1:
        return rounds(map.results[0], map.dimensions) or adds_quotient(map.results[0])
    forms = [linear(result, map.dimensions) for result in map.results]
    return (
        len(forms) != map.dimensions
        or any(rounds(result, map.dimensions) for result in map.results)
        or any(_is_other(form, i) for i, form in enumerate(forms))
    )


def _is_other(form: Linear | None, dimension: int) -> bool:
    """Whether a linear form is known, and not just this dimension."""
    if form is None or None in form.values():
        return False
    return {value: factor for value, factor in form.items() if factor} != {dimension: 1}


def _map(layout: str) -> AffineMap | None:
    try:
        return read_map(layout) if layout.startswith("affine_map") else None
    except ValueError:
        return None


def row_major(shape: Sequence[int | None]) -> list[int | None]:
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
    return None if text == "?" else integer(text)
