"""Segment sizes: how many of an operation's operands belong to each of its operand lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dealog.frontend.lexer import without_comments

SEGMENTS = ("operandSegmentSizes", "operand_segment_sizes")
"""What the attribute is called that holds them, and what older versions call it."""

_INTEGER = re.compile(r"-?[0-9]{1,18}")


def read_segments(text: str) -> list[int]:
    """The numbers in `array<i32: 1, 2>` or, as older versions write it, `dense<[1, 2]> : vector<2xi32>`."""
    inside = without_comments(text).partition("<")[2].partition(">")[0]
    if text.startswith("array"):
        inside = inside.partition(":")[2]
    return [int(number) for number in _INTEGER.findall(inside)]


def write_segments(like: str, sizes: Sequence[int]) -> str:
    """The attribute that says `sizes`, spelt like `like`."""
    numbers = ", ".join(map(str, sizes))
    if like.startswith("dense"):
        return f"dense<[{numbers}]> : vector<{len(sizes)}xi32>"
    return f"array<i32: {numbers}>" if numbers else "array<i32>"
