"""Types of MLIR, as far as Dealog looks into them: which are buffers, and what a memref type says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dealog.frontend.lexer import split_list

_SHAPED = re.compile(r"\s*(memref|tensor|vector)\s*<")
_DIMENSION = re.compile(r"\s*(?:(\?|[0-9]+)|\*)\s*x")
_ELEMENT_END = re.compile(r"[^\s,<>]+")


def is_memref(type: str) -> bool:
    """Whether `type` is a memref, ranked or unranked."""
    return type.startswith("memref") and type[6:7] in ("<", " ")


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
    match = _SHAPED.match(type)
    if match is None or match[1] != "memref" or not type.rstrip().endswith(">"):
        raise ValueError(f"'{type}' is no memref type")
    inside = len(type.rstrip()) - 1
    parts = [type[start:end] for start, _, end in split_list(type, match.end(), inside)]
    if not parts:
        raise ValueError(f"'{type}' is no memref type")
    shape, element = _dimensions(parts[0])
    layout: str | None = None
    space: str | None = None
    for part in parts[1:]:
        # An alias may stand for either; the layout comes first, and mlir-opt calls the alias of a map `#map`.
        is_layout = part.startswith(("strided", "affine_map", "#map")) or (
            part.startswith("#") and len(parts) == 3
        )
        if is_layout and layout is None and space is None:
            layout = part
        else:
            space = part
    return MemRefType(shape, element, layout, space)


def _dimensions(text: str) -> tuple[tuple[int | None, ...] | None, str]:
    sizes: list[int | None] = []
    position = 0
    while True:
        match = _DIMENSION.match(text, position)
        if match is None:
            break
        position = match.end()
        if match[0].lstrip().startswith("*"):
            return None, text[position:].strip()
        sizes.append(None if match[1] == "?" else int(match[1]))
    return tuple(sizes), text[position:].strip()


@lru_cache(maxsize=4096)
def element_type(type: str) -> str:
    """The element type of a memref, tensor or vector type; `""` for anything else."""
    match = _SHAPED.match(type)
    if match is None or not type.rstrip().endswith(">"):
        return ""
    for start, _, end in split_list(type, match.end(), len(type.rstrip()) - 1):
        text = type[start:end]
        if match[1] == "vector":
            text = text.replace("[", "").replace("]", "")  # scalable dimensions
        return _dimensions(text)[1]
    return ""


@lru_cache(maxsize=4096)
def predicate_type(type: str) -> str:
    """`i1` in the shape of `type`: what a comparison of two values of this type yields."""
    element = element_type(type)
    if not element:
        return "i1" if re.fullmatch(r"index|[a-z]+[0-9]\w*", type) else ""
    at = type.index(element, type.index("<"))
    return f"{type[:at]}i1{type[at + len(element) :]}"
