"""Reads builtin types as MLIR does, to find the first thing that is wrong with their text.

What types are made of, such as whether a memref can have such elements, is left to rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dealog.frontend.lexer import SPACE, integer

if TYPE_CHECKING:
    from dealog.frontend.attribute_grammar import Reader

_SIZE = re.compile(rf"{SPACE}(\[?){SPACE}([0-9]++|\?)(?!\.)", re.ASCII).match
_CLOSED = re.compile(rf"{SPACE}\]", re.ASCII).match
_BY = re.compile(rf"{SPACE}x", re.ASCII).match
_LARGEST_SIZE = (1 << 63) - 1
_LAYOUTS = ("affine_map", "strided")


def _sizes(reader: Reader, is_vector: bool = False) -> None:
    """`4x?x`, and what else stands in front of the type of elements."""
    text, end = reader.text, reader.behind
    while (match := _SIZE(text, end)) is not None:
        is_scalable, size = bool(match[1]), match[2]
        if (is_scalable and not is_vector) or (is_vector and size == "?"):
            break
        at, end = match.start(2), match.end()
        if size != "?" and integer(size) > _LARGEST_SIZE:
            reader.jump(at)
            raise reader.fault("invalid dimension", at)
        if is_scalable:
            closed = _CLOSED(text, end)
            if closed is None:
                reader.jump(end)
                raise reader.wrong("missing ']' closing scalable dimension")
            end = closed.end()
        by = _BY(text, end)
        if by is None:
            reader.jump(end)
            raise reader.wrong("expected 'x' in dimension list")
        end = by.end()
    reader.jump(end)


def _memref(reader: Reader) -> None:
    is_unranked = _unranked(reader)
    at = reader.at
    reader.type()
    if reader.text[at] == "(":
        raise reader.fault("invalid memref element type", at)
    if reader.take(">"):
        return
    reader.expect(",", "expected ',' or '>' in memref type")
    if reader.token == ">":
        raise reader.wrong("expected list element")
    spaces = 0
    while True:
        is_layout, is_alias = reader.token in _LAYOUTS, reader.kind == "named"
        reader.attribute()
        if is_layout and is_unranked:
            raise reader.fault("cannot have affine map for unranked memref type")
        if is_layout and spaces:
            raise reader.fault("expected memory space to be last in memref type")
        if not is_layout and not is_alias:
            spaces += 1
            if spaces > 1:
                raise reader.fault("multiple memory spaces specified in memref type")
        if not reader.take(","):
            break
    reader.expect(">", "expected ',' or '>'")


def _tensor(reader: Reader) -> None:
    is_unranked = _unranked(reader)
    reader.type()
    has_encoding = reader.take(",") and reader.has_attribute()
    if has_encoding:
        reader.attribute()
    reader.expect(">", "expected '>' in tensor type")
    if has_encoding and is_unranked:
        raise reader.fault("cannot apply encoding to unranked tensor")


def _unranked(reader: Reader) -> bool:
    """Reads the sizes of a memref or a tensor; returns whether it has no rank."""
    if reader.token != "*":
        _sizes(reader)
        return False
    reader.next()
    by = _BY(reader.text, reader.behind)
    if by is None:
        raise reader.wrong("expected 'x' in dimension list")
    reader.jump(by.end())
    return True


def _vector(reader: Reader) -> None:
    _sizes(reader, is_vector=True)
    reader.type()
    reader.expect(">", "expected '>' in vector type")


def _complex(reader: Reader) -> None:
    at = reader.at
    element = reader.type()
    reader.expect(">", "expected '>' in complex type")
    if element.kind not in ("int", "float", "unknown"):
        raise reader.fault("invalid element type for complex", at)


def _tuple(reader: Reader) -> None:
    if reader.take(">"):
        return
    reader.type()
    while reader.take(","):
        reader.type()
    reader.expect(">", "expected '>' in tuple type")


_READ: Mapping[str, Callable[[Reader], None]] = {
    "memref": _memref, "tensor": _tensor, "vector": _vector, "complex": _complex, "tuple": _tuple,
}  # fmt: skip


def read_constructed(reader: Reader, constructor: str) -> None:
    """Read what stands after the `constructor` of a type."""
    reader.expect("<", f"expected '<' in {constructor} type")
    _READ[constructor](reader)


def read_strided(reader: Reader) -> None:
    """Read `strided<...>`."""
    reader.expect("strided", "")
    reader.expect("<", "expected '<' after 'strided'")
    reader.listed("[]", lambda: _stride(reader), "expected '['", "expected ']'")
    if reader.take(","):
        reader.expect("offset", "expected 'offset' after comma")
        reader.expect(":", "expected ':' after 'offset'")
        _stride(reader)
    reader.expect(">", "expected '>'")


def _stride(reader: Reader) -> None:
    at = reader.at
    if reader.take("?"):
        return
    reader.take("-")
    if reader.kind != "number" or not reader.token.isalnum():
        raise reader.fault("expected a 64-bit signed integer or '?'", at)
    reader.next()
