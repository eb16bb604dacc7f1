"""Operations that are written like one before, but for the names of values: most of those in a large module.

What was read of the first holds for all of them, with the names in their places: `Pattern`. Only operations on lines of
their own count, in custom form, without regions, successors, strings and comments, whose attributes name no values.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Any

from dealog.frontend import lexer

Item = Any  # see `dealog.frontend.parser`

_PLAIN = frozenset(
    ("attr_dict", "operand", "operands", "type", "types", "all_type", "element_type", "predicate_type", "result_type")
)

Stated = tuple[
    tuple[str, ...], tuple[str, ...], tuple[int, ...], tuple[str, ...], tuple[tuple[str, str], ...],
    tuple[tuple[str, int], ...], tuple[str, ...], tuple[str, int] | None,
]  # fmt: skip
"""What a custom form states: types, types of functions, how many subscripts stand in each pair of brackets,
dictionaries of arguments, words, with the enumerations that they are of, how many operands stand in parentheses after
a word, what the dictionary of a function lists, and what is wrong with its subscripts, and where."""


class Pattern:
    """What all operations have in common that are written like the one that `item` was made of, at `text`.

    Attributes:
        operand_types, result_types: those of the operations, where the checks that a reader does have been done for
            operands of these types; None before.
        attributes: what was read of their attributes; None before.
        stated: what was found of types and subscripts in their text; None before.
    """

    __slots__ = ("attributes", "ends", "item", "name", "operand_types", "result_types", "starts", "stated")

    def __init__(self, text: str, item: Item) -> None:
        self.item = item
        self.name: str = item[4]
        spans = [match.span() for match in lexer.NAMES.finditer(text, item[1], item[2])]
        self.starts, self.ends = [start for start, _ in spans], [end for _, end in spans]
        self.operand_types: list[str] | None = None
        self.result_types: tuple[str, ...] = ()
        self.attributes: dict[str, str] | None = None
        self.stated: Stated | None = None

    def item_at(self, start: int, names: list[str]) -> Item:
        """The item of the operation at `start`, in which these names of values stand, one after the other."""
        lengths = (end - first for first, end in zip(self.starts, self.ends, strict=True))
        longer = [len(name) - length for name, length in zip(names, lengths, strict=True)]
        shifts = list(accumulate(longer, initial=start - self.item[1]))
        ends = self.ends

        def place(at: int) -> int:
            return at + shifts[bisect_right(ends, at)] if at >= 0 else at

        def moved(parts: list[Item] | None) -> list[Item] | None:
            if parts is None:
                return None
            return [(kind, place(first), place(last), moved(inner)) for kind, first, last, inner in parts]

        kind, first, last, parts, name, results_end, is_custom = self.item
        return kind, place(first), place(last), moved(parts), name, place(results_end), is_custom


def pattern_of(text: str, item: Item) -> Pattern | None:
    """The pattern of the operation `item` in `text`; None where others like it may be other than it is."""
    kind, start, _, parts, name, results_end, is_custom = item
    if kind != "op" or not is_custom:
        return None
    if not text.startswith(name, lexer.skip(text, results_end) if results_end >= 0 else start):
        return None  # in another dialect it may be another one
    return Pattern(text, item) if all(_is_plain(text, part) for part in parts) else None


def _is_plain(text: str, part: Item) -> bool:
    kind, start, end, parts = part
    if kind.startswith(("attr_", "unit_", "word_")):
        return "%" not in text[start:end]
    return kind in _PLAIN and all(_is_plain(text, inner) for inner in parts or ())
