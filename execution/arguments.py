"""Arguments and results as text and as Python values.

    [TYPE=]VALUE, [TYPE=]VALUE, ...

VALUE is a scalar (`3`, `-1.5`, `true`, `0x7F800000`), for a memref a list nested to its rank (`[[1, 2], [3,
4]]`), one scalar for all elements, or `uninitialized`; `random` is a value, or elements, drawn from the seed.
TYPE is needed where the parameter's type leaves sizes open and the value does not tell them
(`memref<4x4xf32>=random`). `random` alone, as all that is given, makes every argument random.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dealog.diagnostics import DealogError
from dealog.execution.heap import Buffer, Heap, MemRef, extent
from dealog.execution.numbers import Scalar, read_scalar, scalar, size_of, vector, write_scalar
from dealog.execution.types import filled_layout
from dealog.frontend import MemRefType, Operation, is_memref, parse_memref
from dealog.frontend.lexer import Unbalanced, split_list

Argument = str | int | float | bool | Sequence[Any]
_RANDOM_INTEGERS = 8  # random integers are small: they are sizes, subscripts and trip counts as often as data


@dataclass(frozen=True)
class Contents:
    """What a memref holds: its elements in row-major order, None for one that nobody has written."""

    shape: tuple[int, ...]
    element: str
    values: tuple[Any, ...]

    def __str__(self) -> str:
        sizes = "".join(f"{size}x" for size in self.shape)
        return f"memref<{sizes}{self.element}>={self._nested(0, 0, len(self.values))}"

    def _nested(self, dimension: int, start: int, count: int) -> str:
        if dimension == len(self.shape):
            return write_value(self.values[start], self.element)
        size = self.shape[dimension]
        each = count // size if size else 0
        parts = (self._nested(dimension + 1, start + i * each, each) for i in range(size))
        return f"[{', '.join(parts)}]"


def write_value(value: Any, type: str) -> str:
    """A scalar, vector or element as text; `_` for an element that nobody has written."""
    if value is None:
        return "_"
    if isinstance(value, Contents):
        return str(value)
    if (shape := vector(type)) is not None:
        return f"<{', '.join(write_value(part, shape[1]) for part in value)}>"
    if isinstance(value, complex):
        element = type.removeprefix("complex<").removesuffix(">")
        return f"({write_value(value.real, element)}, {write_value(value.imag, element)})"
    return write_scalar(value, type) if scalar(type) is not None else f"<{type}>"


def split_arguments(text: str) -> list[str]:
    """Cut the text of a list of arguments at its commas. Raises `DealogError` for brackets that do not
    match."""
    try:
        return [text[start:end] for start, _, end in split_list(text, 0, len(text))]
    except Unbalanced as error:
        raise DealogError(f"the arguments '{text}' are not read: {error.message}") from None


class ArgumentReader:
    """Makes values for the parameters of a function."""

    def __init__(self, heap: Heap, seed: int) -> None:
        self.heap = heap
        self.random = random.Random(seed)

    def read(self, function: Operation, types: Sequence[str], given: Sequence[Argument]) -> list[Any]:
        """Values for parameters of these types. Raises `DealogError` where they do not go together."""
        if list(given) == ["random"]:
            given = ["random"] * len(types)
        if len(given) != len(types):
            name = function.attributes.get("sym_name", "").strip('"')
            wanted = ", ".join(types) or "none"
            arguments = "argument" if len(types) == 1 else "arguments"
            error = function.error(
                f"@{name} takes {len(types)} {arguments} and is given {len(given)}",
                f"its parameter types: {wanted}; '--args random' makes values up",
            )
            raise error
        values = []
        for number, (type, argument) in enumerate(zip(types, given, strict=True)):
            try:
                values.append(self._value(function, number, type, argument))
            except ValueError as error:
                raise DealogError(f"argument {number}, of type {type}: {error}") from None
        return values

    def _value(self, function: Operation, number: int, type: str, argument: Argument) -> Any:
        if isinstance(argument, str):
            stated, equals, rest = argument.partition("=")
            if equals and not stated.strip().startswith(("[", '"')):
                argument = rest.strip()
                if not _goes_with(stated.strip(), type):
                    raise ValueError(f"a value of type {stated.strip()} is given")
                type = stated.strip() if is_memref(type) else type
        if not is_memref(type):
            return self._scalar(type, argument)
        return self._memref(function, number, parse_memref(type), argument)

    def _scalar(self, type: str, argument: Argument) -> Any:
        kind = scalar(type)
        if kind is None:
            raise ValueError("values of this type cannot be given")
        if argument == "random":
            return self._draw(kind)()
        if isinstance(argument, str):
            return read_scalar(argument, type)
        if isinstance(argument, (int, float)):
            return kind.round(float(argument)) if kind.is_float else read_scalar(str(int(argument)), type)
        raise ValueError("a list is given for a scalar")

    def _draw(self, kind: Scalar) -> Callable[[], Any]:
        if kind.is_float:
            return lambda: kind.round(self.random.uniform(-1, 1))
        bound = min(_RANDOM_INTEGERS, kind.mask + 1)
        return lambda: self.random.randrange(bound)

    def _memref(self, function: Operation, number: int, type: MemRefType, argument: Argument) -> MemRef:
        values: list[Any]
        kind = scalar(type.element)
        if isinstance(argument, str) and argument.startswith("["):
            argument = _parse_nested(argument)
        if isinstance(argument, Sequence) and not isinstance(argument, str):
            shape, flat = _flatten(argument)
            if shape == (0,) and type.shape is not None and len(type.shape) > 1 and 0 in type.shape:
                shape = tuple(n or 0 for n in type.shape)
            values = [None if v == "_" else self._scalar(type.element, v) for v in flat]
            if type.shape is not None and not _fits(type.shape, shape):
                raise ValueError(f"a list of shape {'x'.join(map(str, shape))} is given")
        else:
            if type.shape is None or None in type.shape:
                raise ValueError(
                    "the sizes are open: write a list, or the type, as in 'memref<4xf32>=random'"
                )
            shape = tuple(n or 0 for n in type.shape)
            count = math.prod(shape)
            if argument == "uninitialized":
                values = [None] * count
            elif kind is None:
                raise ValueError(f"elements of type {type.element} cannot be given, only 'uninitialized'")
            elif argument == "random":
                draw = self._draw(kind)
                values = [draw() for _ in range(count)]
            else:
                values = [self._scalar(type.element, argument)] * count
        aliases = function.origin.aliases if function.origin is not None else {}
        map_text = None if type.layout is None else aliases.get(type.layout, type.layout)
        offset, strides = filled_layout(type, shape, map_text)
        return self._place(function, number, type.element, MemRefShape(offset, shape, strides), values)

    def _place(
        self, function: Operation, number: int, element: str, shape: MemRefShape, values: Sequence[Any]
    ) -> MemRef:
        low, high = extent(shape.sizes, shape.strides)
        count = shape.offset + high + 1 if low <= high else 0
        size = count * size_of(element)
        buffer = Buffer("argument", self.heap.reserve(size), [None] * count, element, size, function)
        buffer.name = str(number)
        memref = MemRef(buffer, shape.offset, shape.sizes, shape.strides, True)
        for position, value in zip(memref.positions(), values, strict=True):
            buffer.cells[position] = value
        return memref


@dataclass(frozen=True)
class MemRefShape:
    """Where the elements of an argument stand in its buffer."""

    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


def _goes_with(stated: str, type: str) -> bool:
    if not is_memref(type) or not is_memref(stated):
        return stated == type
    one, other = parse_memref(stated), parse_memref(type)
    if one.element != other.element:
        return False
    return other.shape is None or one.shape is None or _fits(other.shape, one.shape)


def _fits(wanted: Sequence[int | None], given: Sequence[int | None]) -> bool:
    return len(wanted) == len(given) and all(w is None or w == g for w, g in zip(wanted, given, strict=True))


def _parse_nested(text: str) -> list[Any]:
    end = len(text.rstrip()) - 1
    try:
        parts = [text[start:stop] for start, _, stop in split_list(text, 1, end)]
    except Unbalanced as error:
        raise ValueError(error.message) from None
    return [_parse_nested(part) if part.startswith("[") else part for part in parts]


def _flatten(nested: Sequence[Any]) -> tuple[tuple[int, ...], list[Any]]:
    """Shape and elements of a nested list. Raises `ValueError` for a ragged one."""
    level: list[Any] = list(nested)
    shape = [len(level)]
    while level and all(isinstance(part, Sequence) and not isinstance(part, str) for part in level):
        sizes = {len(part) for part in level}
        if len(sizes) > 1:
            raise ValueError("the rows of the list have different lengths")
        shape.append(sizes.pop())
        level = [value for part in level for value in part]
    return tuple(shape), level
