"""Types, as far as execution looks into them: function types and memref layouts."""

from __future__ import annotations

from functools import lru_cache

from dealog.execution.affine_expressions import affine_map
from dealog.execution.heap import row_major
from dealog.frontend import MemRefType, Operation
from dealog.frontend.layouts import read_strides
from dealog.frontend.lexer import balanced_end, split_list


def function_type(op: Operation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The argument and result types of a function."""
    text = op.attributes.get("function_type", "() -> ()").strip()
    if op.origin is not None:
        text = op.origin.aliases.get(text, text)
    end = balanced_end(text, 0)
    results = text[end:].strip().removeprefix("->").strip()
    if results.startswith("(") and balanced_end(results, 0) == len(results):
        results = results[1:-1]
    return _types(op, text[1 : end - 1]), _types(op, results)


def _types(op: Operation, text: str) -> tuple[str, ...]:
    aliases = {} if op.origin is None else op.origin.aliases
    found = [text[start:end] for start, _, end in split_list(text, 0, len(text))]
    return tuple(aliases.get(type, type) for type in found)


@lru_cache(maxsize=4096)
def layout(
    type: MemRefType, sizes: tuple[int, ...], symbols: tuple[int, ...] = (), map_text: str | None = None
) -> tuple[int, tuple[int, ...]]:
    """Offset and strides of a newly allocated memref of this type; dynamic ones of `strided` are taken from
    `symbols`. `map_text` stands in for a layout that is an alias. Raises `ValueError` for layouts that have
    no strides."""
    text = map_text or type.layout
    if text is None:
        return 0, row_major(sizes)
    if text.startswith("strided"):
        stated = read_strides(text)
        if stated is None:
            raise ValueError(f"the layout {text} has no strides")
        rest = list(symbols)
        strides = [_symbol(rest) if stride is None else stride for stride in stated.strides]
        return _symbol(rest) if stated.offset is None else stated.offset, tuple(strides)
    map = affine_map(text)
    if map.results == map.dimensions and map.evaluate([*range(map.dimensions), *symbols]) == tuple(
        range(map.results)
    ):
        return 0, row_major(sizes)
    if map.results != 1:
        raise ValueError(f"the layout {text} has no strides")
    at = [0] * map.dimensions
    (offset,) = map.evaluate([*at, *symbols])
    found = []
    for dimension in range(map.dimensions):
        at[dimension] = 1
        one = map.evaluate([*at, *symbols])[0] - offset
        at[dimension] = 2
        if map.evaluate([*at, *symbols])[0] - offset != 2 * one:
            raise ValueError(f"the layout {text} has no strides")
        at[dimension] = 0
        found.append(one)
    return offset, tuple(found)


def filled_layout(
    type: MemRefType, sizes: tuple[int, ...], map_text: str | None = None
) -> tuple[int, tuple[int, ...]]:
    """As `layout`; what the layout leaves open is as in the default one."""
    text = map_text or type.layout or ""
    open_strides: tuple[int, ...] = ()
    if text.startswith("strided"):
        stated = read_strides(text)
        written = stated.strides if stated is not None else ()
        open_strides = tuple(d for d, n in zip(row_major(sizes), written, strict=True) if n is None)
    return layout(type, sizes, (*open_strides, 0), map_text)


def _symbol(symbols: list[int]) -> int:
    if not symbols:
        raise ValueError("a layout with dynamic strides cannot be allocated without its symbols")
    return symbols.pop(0)
