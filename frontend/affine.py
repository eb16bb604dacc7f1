"""Affine maps and integer sets, as text says them: the one reader for layouts, facts and execution.

The grammar is that of MLIR's affine dialect: sums, products with a constant or symbol, `floordiv`, `ceildiv` and `mod`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

Step = int | tuple[int] | str
Expression = tuple[Step, ...]
"""An expression in postfix notation: an integer, a value by its number (`(0,)` is the first dimension, symbols come
after the dimensions), or an operator: `+`, `-`, `*`, `floordiv`, `ceildiv`, `mod`, `negate`."""

T = TypeVar("T")

_TOKEN = re.compile(r"\s*(floordiv\b|ceildiv\b|mod\b|symbol\b|->|>=|<=|==|[\w$.]+|\S)")
_BINDING = {"(": 0, "+": 1, "-": 1, "*": 2, "floordiv": 2, "ceildiv": 2, "mod": 2, "negate": 3}
_RELATIONS = (">=", "<=", "==")


@dataclass(frozen=True, slots=True)
class AffineMap:
    """`(d0, d1)[s0] -> (...)`: how many dimensions and symbols there are, and the results."""

    dimensions: int
    symbols: int
    results: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class IntegerSet:
    """`(d0)[s0] : (...)`: the constraints are two sides, and `>=`, `<=` or `==` between them."""

    dimensions: int
    symbols: int
    constraints: tuple[tuple[Expression, str, Expression], ...]


@lru_cache(maxsize=4096)
def read_map(text: str) -> AffineMap:
    """Read `affine_map<...>`. Raises `ValueError` where it is none."""
    reader = _Reader(_inside(text, "affine_map"))
    dimensions, symbols = reader.names("(", ")"), reader.symbols()
    reader.expect("->")
    results = reader.listed(reader.expression)
    reader.end()
    return AffineMap(dimensions, symbols, tuple(results))


@lru_cache(maxsize=4096)
def read_set(text: str) -> IntegerSet:
    """Read `affine_set<...>`. Raises `ValueError` where it is none."""
    reader = _Reader(_inside(text, "affine_set"))
    dimensions, symbols = reader.names("(", ")"), reader.symbols()
    reader.expect(":")
    constraints = reader.listed(reader.constraint)
    reader.end()
    return IntegerSet(dimensions, symbols, tuple(constraints))


def worked_out(
    expression: Expression,
    leaf: Callable[[int | tuple[int]], T],
    apply: Callable[[str, list[T]], T],
) -> T:
    """What comes of an expression when integers and values are what `leaf` says; `apply` gets an operator and its one
    or two operands. There is no recursion: expressions may be nested deeply."""
    values: list[T] = []
    for step in expression:
        if isinstance(step, str):
            count = 1 if step == "negate" else 2
            operands = values[-count:]
            del values[-count:]
            values.append(apply(step, operands))
        else:
            values.append(leaf(step))
    return values[0]


# ---- linear forms

_DIVISIONS = ("floordiv", "ceildiv", "mod")

Linear = dict[int, int | None]
"""By the number of the value its coefficient, and under `REST` what is added; None for what only the run knows."""
REST = -1


def linear(expression: Expression, known: int | None = None) -> Linear | None:
    """An expression as a linear form; None where it is none. Values from number `known` on (the symbols, say) count as
    constants that nobody knows."""

    def leaf(step: int | tuple[int]) -> Linear | None:
        if isinstance(step, int):
            return {REST: step}
        return {REST: None} if known is not None and step[0] >= known else {step[0]: 1}

    return worked_out(expression, leaf, _applied)


def _applied(operator: str, operands: list[Linear | None]) -> Linear | None:
    left, right = operands[0], operands[-1]
    if left is None or right is None:
        return None
    if operator == "negate":
        return _scaled(left, -1)
    if operator == "+":
        return _sum(left, right)
    if operator == "-":
        return _sum(left, _scaled(right, -1))
    if operator != "*":
        return _divided(operator, left, right.get(REST, 0)) if not set(right) - {REST} else None
    if set(left) - {REST} and set(right) - {REST}:
        return None
    form, factor = (right, left) if set(right) - {REST} else (left, right)
    return _scaled(form, factor.get(REST, 0))


def _divided(operator: str, form: Linear, divisor: int | None) -> Linear | None:
    """A quotient without remainder, or that remainder, 0; None for others."""
    if divisor is None or divisor <= 0 or any(factor is None or factor % divisor for factor in form.values()):
        return None
    return {REST: 0} if operator == "mod" else {name: (factor or 0) // divisor for name, factor in form.items()}


def rounds(expression: Expression, known: int) -> bool:
    """Whether some division in an expression surely leaves a remainder for some values, so that the expression is no
    linear form. Values from number `known` on are constants that nobody knows."""

    def leaf(step: int | tuple[int]) -> tuple[Linear | None, bool]:
        return linear((step,), known), False

    def apply(operator: str, operands: list[tuple[Linear | None, bool]]) -> tuple[Linear | None, bool]:
        forms = [form for form, _ in operands]
        within = any(rounded for _, rounded in operands)
        if operator in _DIVISIONS and (divisor := (forms[1] or {}).get(REST)) is not None:
            factors = [factor for value, factor in (forms[0] or {}).items() if value != REST and factor is not None]
            within = within or (divisor > 1 and any(factor % divisor for factor in factors))
        return _applied(operator, forms), within

    return worked_out(expression, leaf, apply)[1]


def adds_quotient(expression: Expression) -> bool:
    """Whether one of the terms that an expression adds up surely is a quotient or a remainder, as `s0 floordiv 2` is,
    and `(s0 floordiv 2) * 3` is not. (Several divisions may leave something simpler together.)"""
    if sum(step in _DIVISIONS for step in expression) != 1:
        return False

    def leaf(step: int | tuple[int]) -> tuple[Linear | None, bool]:
        return linear((step,)), False

    def apply(operator: str, operands: list[tuple[Linear | None, bool]]) -> tuple[Linear | None, bool]:
        forms, added = [form for form, _ in operands], [is_added for _, is_added in operands]
        if operator in _DIVISIONS:
            return None, _has_remainder(*forms)
        return _applied(operator, forms), operator in ("+", "-") and (added[0] or (operator == "+" and added[1]))

    return worked_out(expression, leaf, apply)[1]


def strided_form(expression: Expression, known: int) -> Linear | None:
    """The linear form of an expression, in which a quotient of values from number `known` on is a constant that nobody
    knows, too; None where it is none."""

    def leaf(step: int | tuple[int]) -> Linear | None:
        return linear((step,), known)

    def apply(operator: str, operands: list[Linear | None]) -> Linear | None:
        found = _applied(operator, operands)
        is_unknown = operator in _DIVISIONS and all(form is not None and not set(form) - {REST} for form in operands)
        return {REST: None} if found is None and is_unknown else found

    return None if adds_quotient(expression) else worked_out(expression, leaf, apply)


def _has_remainder(divided: Linear | None, divisor: Linear | None) -> bool:
    """Whether a division by a number, or by other values, surely leaves a remainder for some values."""
    factors = {value: factor for value, factor in (divided or {}).items() if value != REST and factor}
    values = {value for value, factor in (divisor or {}).items() if value != REST and factor}
    if values:
        return bool(factors) and not values & factors.keys()
    number = (divisor or {}).get(REST) or 0
    return number > 1 and any(factor % number for factor in factors.values())


def _scaled(form: Linear, factor: int | None) -> Linear:
    return {name: None if value is None or factor is None else value * factor for name, value in form.items()}


def _sum(left: Linear, right: Linear) -> Linear:
    result = dict(left)
    for name, value in right.items():
        other = result.get(name, 0)
        result[name] = None if value is None or other is None else value + other
    return result


# ---- reading


def _inside(text: str, keyword: str) -> str:
    text = text.strip()
    if not (text.startswith(keyword) and text.endswith(">")):
        raise ValueError(f"'{text}' is not an {keyword}")
    return text[len(keyword) :].strip()[1:-1]


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = [*_TOKEN.findall(text), ""]
        self.at = 0
        self.numbers: dict[str, int] = {}

    def next(self) -> str:
        token = self.tokens[self.at]
        self.at += bool(token)
        return token

    def expect(self, token: str) -> None:
        if self.next() != token:
            raise ValueError(f"expected '{token}' in '{self.text}'")

    def end(self) -> None:
        if self.tokens[self.at]:
            raise self.unexpected()

    def unexpected(self) -> ValueError:
        return ValueError(f"unexpected '{self.tokens[self.at]}' in '{self.text}'")

    def names(self, opening: str, closing: str) -> int:
        """The names of dimensions or symbols; how many there are."""
        self.expect(opening)
        before = len(self.numbers)
        while self.tokens[self.at] != closing:
            if not re.fullmatch(r"[\w$.]+", name := self.next()):
                raise ValueError(f"expected '{closing}' in '{self.text}'")
            self.numbers[name] = len(self.numbers)
            if self.tokens[self.at] != closing:
                self.expect(",")
        self.expect(closing)
        return len(self.numbers) - before

    def symbols(self) -> int:
        return self.names("[", "]") if self.tokens[self.at] == "[" else 0

    def listed(self, element: Callable[[], T]) -> list[T]:
        """A comma list in parentheses."""
        self.expect("(")
        elements = []
        while self.tokens[self.at] != ")":
            elements.append(element())
            if self.tokens[self.at] != ")":
                self.expect(",")
        self.expect(")")
        return elements

    def constraint(self) -> tuple[Expression, str, Expression]:
        left, relation = self.expression(), self.next()
        if relation not in _RELATIONS:
            raise ValueError(f"expected a comparison in '{self.text}'")
        return left, relation, self.expression()

    def expression(self) -> Expression:
        """An expression, up to what cannot be part of it.

        Source: Dijkstra's shunting yard.
        """
        output: list[Step] = []
        operators: list[str] = []
        depth = 0  # of parentheses that are open
        after_operand = False
        while True:
            token = self.tokens[self.at]
            if not after_operand:
                if token == "-":
                    operators.append("negate")
                elif token == "(":
                    operators.append("(")
                    depth += 1
                elif token.isdecimal():
                    output.append(int(token))
                    after_operand = True
                elif token in self.numbers:
                    output.append((self.numbers[token],))
                    after_operand = True
                elif token != "symbol":
                    raise self.unexpected()
            elif token == ")" and depth:
                self._pop(operators, output, 1)
                operators.pop()
                depth -= 1
            elif token in _BINDING and token != "(":
                self._pop(operators, output, _BINDING[token])
                operators.append(token)
                after_operand = False
            elif depth:
                raise self.unexpected()
            else:
                break
            self.at += 1
        self._pop(operators, output, 1)
        return tuple(output)

    @staticmethod
    def _pop(operators: list[str], output: list[Step], binding: int) -> None:
        while operators and _BINDING[operators[-1]] >= binding:
            output.append(operators.pop())


def evaluator(expression: Expression) -> Callable[[Sequence[int]], int]:
    """A function from the numbers of dimensions and symbols, one after the other, to that of an expression.

    Divisions round towards minus infinity (`ceildiv` up), as MLIR's and Python's do.
    """
    form = linear(expression)
    if form is None:
        return worked_out(expression, _leaf, _operation)
    rest = form.pop(REST, 0) or 0
    terms = [(number, factor or 0) for number, factor in form.items()]
    if not terms:
        return lambda values: rest
    if len(terms) == 1:
        ((number, factor),) = terms
        if factor == 1 and rest == 0:
            return lambda values: values[number]
        return lambda values: values[number] * factor + rest
    if len(terms) == 2:
        (first, factor), (second, other) = terms
        return lambda values: values[first] * factor + values[second] * other + rest
    return lambda values: sum([values[number] * factor for number, factor in terms], rest)


_Function = Callable[[Sequence[int]], int]


def _leaf(step: int | tuple[int]) -> _Function:
    if isinstance(step, int):
        return lambda values: step
    (number,) = step
    return lambda values: values[number]


def _operation(operator: str, operands: list[_Function]) -> _Function:
    left, right = operands[0], operands[-1]
    return {
        "negate": lambda values: -left(values),
        "+": lambda values: left(values) + right(values),
        "-": lambda values: left(values) - right(values),
        "*": lambda values: left(values) * right(values),
        "floordiv": lambda values: left(values) // right(values),
        "ceildiv": lambda values: -(-left(values) // right(values)),
        "mod": lambda values: left(values) % right(values),
    }[operator]
