"""Affine maps and integer sets as Python functions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dealog.frontend.affine import evaluator, read_map, read_set

_COMPARED = {">=": operator.ge, "<=": operator.le, "==": operator.eq}


@dataclass(frozen=True, slots=True)
class AffineMap:
    """`evaluate` takes dimensions and symbols, one after the other, to the results."""

    dimensions: int
    symbols: int
    results: int
    evaluate: Callable[[Sequence[int]], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class IntegerSet:
    """`contains` takes dimensions and symbols, one after the other, to whether all constraints hold."""

    dimensions: int
    symbols: int
    contains: Callable[[Sequence[int]], bool]


@lru_cache(maxsize=1024)
def affine_map(text: str) -> AffineMap:
    """Read `affine_map<...>`. Raises `ValueError` where it is none."""
    read = read_map(text)
    functions = [evaluator(result) for result in read.results]
    return AffineMap(read.dimensions, read.symbols, len(functions), _together(functions))


def _together(functions: list[Callable[[Sequence[int]], int]]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    if len(functions) == 1:
        (only,) = functions
        return lambda values: (only(values),)
    if len(functions) == 2:
        first, second = functions
        return lambda values: (first(values), second(values))
    return lambda values: tuple([function(values) for function in functions])


@lru_cache(maxsize=1024)
def integer_set(text: str) -> IntegerSet:
    """Read `affine_set<...>`. Raises `ValueError` where it is none."""
    read = read_set(text)
    constraints = [
        (evaluator(left), _COMPARED[relation], evaluator(right)) for left, relation, right in read.constraints
    ]

    def contains(values: Sequence[int]) -> bool:
        return all(compare(left(values), right(values)) for left, compare, right in constraints)

    return IntegerSet(read.dimensions, read.symbols, contains)
