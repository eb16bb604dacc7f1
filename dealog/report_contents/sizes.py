"""How many bytes a buffer has, where its type says."""

from __future__ import annotations

from math import prod

from dealog.diagnostics import plural
from dealog.frontend import parse_memref


def bytes_of(type: str) -> int | None:
    """The bytes of the elements of a memref type; None where sizes are not known before the program runs. An element of
    a type that is not known counts as a pointer."""
    from dealog.execution.numbers import size_of

    try:
        memref = parse_memref(type)
    except ValueError:
        return None
    if memref.shape is None or None in memref.shape:
        return None
    count = prod(size for size in memref.shape if size is not None)
    return count * size_of(memref.element)


def in_words(count: int | None) -> str:
    """A number of bytes as people say it: `12 bytes`, `1.5 KiB`; `?` for None."""
    if count is None:
        return "?"
    if count < 1024:
        return plural(count, "byte")
    units = ("KiB", "MiB", "GiB", "TiB")
    power = 1
    while count >= 1024 ** (power + 1) and power < len(units):
        power += 1
    return f"{count / 1024**power:.1f}".removesuffix(".0") + f" {units[power - 1]}"
