"""Types of MLIR, as far as Dealog looks into them: which are buffers, and what a memref type says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dealog.frontend.lexer import Unbalanced, split_list

_SHAPED = re.compile(r"\s*(memref|tensor|vector)\s*<")
_DIMENSION = re.compile(r"\s*(?:(\?|[0-9]+)|\*)\s*x")
_SCALABLE = re.compile(r"\[([0-9]+)\]")
_MAX_DIGITS = 19  # sizes are 64-bit integers
_PLAIN = re.compile(r"[\w*?<>]+", re.ASCII)  # scalars, and shaped types of scalars without attributes


def is_memref(type: str) -> bool:
    """Whether `type` is a memref, ranked or unranked."""
    return type.startswith("memref") and (type[6:7] == "<" or type[6:].lstrip().startswith("<"))


@dataclass(frozen=True, slots=True)
class MemRefType:
    """A memref type: `shape` has None for a dynamic size and is None itself for an unranked memref;
    `layout` and `memory_space` are the text of the attributes, None where there is none."""

    shape: tuple[int | None, ...] | None
    element: str
    layout: str | None = None
    memory_space: str | None = None

    @property
    def rank(self) -> int | None:
        """The number of dimensions, None for an unranked memref."""
        return None if self.shape is None else len(self.shape)

    @property
    def base(self) -> str:
        """The type of the base buffer that `memref.extract_strided_metadata` gives: rank 0, no layout."""
        return str(MemRefType((), self.element, None, self.memory_space))

    def __str__(self) -> str:
        if self.shape is None:
            dimensions = "*x"
        else:
            dimensions = "".join("?x" if size is None else f"{size}x" for size in self.shape)
        parts = [dimensions + self.element]
        if self.layout is not None:
            parts.append(self.layout)
        if self.memory_space is not None:
            parts.append(self.memory_space)
        return f"memref<{', '.join(parts)}>"


@lru_cache(maxsize=4096)
def parse_memref(type: str) -> MemRefType:
    """Take a memref type apart. Raises `ValueError` when `type` is none."""
    parts = _parts(type, "memref")
    if not parts:
        raise ValueError(f"'{type}' is not a memref type")
    shape, element = _dimensions(parts[0])
    if not (element[:1].isalpha() or element[:1] == "!"):
        raise ValueError(f"'{type}' is not a memref type")
    layout: str | None = None
    space: str | None = None
    for place, part in enumerate(parts[1:], 2):
        if space is None and may_be_layout(part, is_last=place == len(parts)):
            layout = part  # of several layouts, MLIR forgets all but the last
        else:
            space = part
    return MemRefType(shape, element, layout, space)


def may_be_layout(part: str, *, is_last: bool) -> bool:
    """Whether what a memref type states after its elements is a layout, and no memory space, which comes last. An alias
    may stand for either; mlir-opt calls that of a map `#map`."""
    return part.startswith(("strided", "affine_map", "#map")) or (part.startswith("#") and not is_last)


def _parts(type: str, *constructors: str) -> list[str]:
    """What stands between the commas of a type like `memref<...>`; nothing where it is another type."""
    match = _SHAPED.match(type)
    if match is None or match[1] not in constructors or not type.rstrip().endswith(">"):
        return []
    try:
        return [type[start:end] for start, _, end in split_list(type, match.end(), len(type.rstrip()) - 1)]
    except Unbalanced:
        return []


def _dimensions(text: str) -> tuple[tuple[int | None, ...] | None, str]:
    sizes: list[int | None] = []
    position = 0
    while True:
        match = _DIMENSION.match(text, position)
        if match is None or len(match[1] or "") > _MAX_DIGITS or (match[1] is None and sizes):
            return tuple(sizes), text[position:].strip()
        position = match.end()
        if match[1] is None:
            return None, text[position:].strip()
        sizes.append(None if match[1] == "?" else int(match[1]))


@lru_cache(maxsize=4096)
def element_type(type: str) -> str:
    """The element type of a memref, tensor or vector type; `""` for anything else."""
    parts = _parts(type, "memref", "tensor", "vector")
    if not parts:
        return ""
    if type.startswith("vector"):  # scalable dimensions stand in brackets
        parts[0] = _SCALABLE.sub(r"\1", parts[0])
    return _dimensions(parts[0])[1]


_HELD = re.compile(r"(?:!async\.value\s*)?<(.*)>\s*", re.DOTALL)


def held_type(type: str) -> str:
    """The type of the value that a value of type `!async.value<...>` (or `<...>`, short) holds; `""` for anything
    else."""
    match = _HELD.fullmatch(type)
    return match[1].strip() if match else ""


@lru_cache(maxsize=4096)
def predicate_type(type: str) -> str:
    """`i1` in the shape of `type`: what a comparison of two values of this type yields."""
    element = element_type(type)
    if not element:
        return "i1" if re.fullmatch(r"index|[a-z]+[0-9]\w*", type) else ""
    at = type.index(element, type.index("<"))
    return f"{type[:at]}i1{type[at + len(element) :]}"


@lru_cache(maxsize=4096)
def surely_differ(one: str, other: str) -> bool:
    """Whether two types, without aliases in them, are different whatever their attributes mean.

    Many types can be spelt in several ways (affine maps, function types, the types of dialects, a memory
    space of zero); those are taken as equal unless their kind or shape already tells them apart.
    """
    one, other = re.sub(r"\s", "", one), re.sub(r"\s", "", other)
    if one == other or "//" in one or "//" in other:
        return False
    if _PLAIN.fullmatch(one) and _PLAIN.fullmatch(other):
        return True
    if is_memref(one) and is_memref(other):
        try:
            mine, theirs = parse_memref(one), parse_memref(other)
        except ValueError:
            return False
        return mine.shape != theirs.shape or surely_differ(mine.element, theirs.element)
    kinds = _kind(one), _kind(other)
    return kinds[0] != kinds[1] and "!" not in kinds


_NUMBERS = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+\-]?\d+)?(?![\w.])")


@lru_cache(maxsize=4096)
def numbers_differ(one: str, other: str, dialects: frozenset[str]) -> bool:
    """Whether two types, without aliases in them, with types or attributes of one of the `dialects` differ in numbers
    alone."""
    names = (f"{mark}{dialect}." for dialect in dialects for mark in "!#")
    if not any(name in one and name in other for name in names):
        return False
    one, other = re.sub(r"\s", "", one), re.sub(r"\s", "", other)
    if _NUMBERS.sub("0", one) != _NUMBERS.sub("0", other):
        return False
    return [float(n) for n in _NUMBERS.findall(one)] != [float(n) for n in _NUMBERS.findall(other)]


def _kind(type: str) -> str:
    if type[:1] in ("!", "("):
        return type[0]
    return type.partition("<")[0]
