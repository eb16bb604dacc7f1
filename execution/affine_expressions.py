"""Affine maps and integer sets, from their text to Python functions.

The grammar is that of MLIR's affine dialect: sums, products with a constant or symbol, `floordiv`, `ceildiv`
and `mod` (which rounds towards minus infinity, as Python does).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"\s*(floordiv\b|ceildiv\b|mod\b|symbol\b|->|>=|<=|==|[\w$.]+|[()\[\],:+*\-<>])")


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
    reader = _Reader(_inside(text, "affine_map"))
    dimensions, symbols = reader.space()
    reader.expect("->")
    results = reader.listed(reader.expression)
    reader.end()
    joined = "".join(f"{result}, " for result in results)
    evaluate = eval(f"lambda v: ({joined})", {"__builtins__": {}})
    return AffineMap(dimensions, symbols, len(results), evaluate)


@lru_cache(maxsize=1024)
def integer_set(text: str) -> IntegerSet:
    """Read `affine_set<...>`. Raises `ValueError` where it is none."""
    reader = _Reader(_inside(text, "affine_set"))
    dimensions, symbols = reader.space()
    reader.expect(":")
    constraints = reader.listed(reader.constraint)
    reader.end()
    contains = eval(f"lambda v: {' and '.join(constraints) or 'True'}", {"__builtins__": {}})
    return IntegerSet(dimensions, symbols, contains)


def _inside(text: str, keyword: str) -> str:
    text = text.strip()
    if not (text.startswith(keyword) and text.endswith(">")):
        raise ValueError(f"'{text}' is no {keyword}")
    return text[len(keyword) :].strip()[1:-1]


class _Reader:
    """Recursive descent; the expressions come out as Python source over the list `v`, fully parenthesised."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _TOKEN.findall(text)
        self.at = 0
        self.names: dict[str, int] = {}

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        if self.next() != token:
            raise ValueError(f"expected '{token}' in '{self.text}'")

    def end(self) -> None:
        if self.peek():
            raise ValueError(f"unexpected '{self.peek()}' in '{self.text}'")

    def space(self) -> tuple[int, int]:
        dimensions = self._names("(", ")")
        symbols = self._names("[", "]") if self.peek() == "[" else 0
        return dimensions, symbols

    def _names(self, opening: str, closing: str) -> int:
        self.expect(opening)
        before = len(self.names)
        while self.peek() != closing:
            self.names[self.next()] = len(self.names)
            if self.peek() != closing:
                self.expect(",")
        self.expect(closing)
        return len(self.names) - before

    def listed(self, element: Callable[[], str]) -> list[str]:
        self.expect("(")
        elements = []
        while self.peek() != ")":
            elements.append(element())
            if self.peek() != ")":
                self.expect(",")
        self.expect(")")
        return elements

    def constraint(self) -> str:
        left = self.expression()
        relation = self.next()
        if relation not in (">=", "<=", "=="):
            raise ValueError(f"expected a comparison in '{self.text}'")
        return f"({left} {relation} {self.expression()})"

    def expression(self) -> str:
        terms = [self.term()]
        while self.peek() in ("+", "-"):
            terms += [self.next(), self.term()]
        return terms[0] if len(terms) == 1 else f"({' '.join(terms)})"

    def term(self) -> str:
        result = self.factor()
        while self.peek() in ("*", "floordiv", "ceildiv", "mod"):
            operator = self.next()
            right = self.factor()
            result = {
                "*": f"({result} * {right})",
                "floordiv": f"({result} // {right})",
                "ceildiv": f"(-(-{result} // {right}))",
                "mod": f"({result} % {right})",
            }[operator]
        return result

    def factor(self) -> str:
        token = self.next()
        if token == "-":
            return f"(-{self.factor()})"
        if token == "(":
            result = self.expression()
            self.expect(")")
            return result
        if token == "symbol":
            self.expect("(")
            result = self.expression()
            self.expect(")")
            return result
        if token in self.names:
            return f"v[{self.names[token]}]"
        if token.isdigit():
            return token
        raise ValueError(f"unexpected '{token}' in '{self.text}'")
