"""`--mlir-print-debuginfo`: every operation of the output says where it comes from.

An operation that was read keeps the location it has, or gets its place in the input. One that was inserted gets the
location of the operation that it stands in front of, as mlir-opt has it: a deallocation that of the terminator.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dealog.frontend import lexer

if TYPE_CHECKING:
    from dealog.frontend import Module
    from dealog.frontend.ir import Operation

_ESCAPED = {byte: f"\\{byte:02X}" for byte in (*range(0x20), ord('"'), *range(0x7F, 0x100))} | {ord("\\"): "\\\\"}
_WORD = re.compile(r"(?<![\w$.\-@#!%^])loc\Z", re.ASCII)


def add_locations(module: Module) -> None:
    """Have `module` print with the locations of all its operations; those of block arguments stay as they are."""
    stack = [(module.operation, _location(module, module.operation))]
    while stack:
        parent, outer = stack.pop()
        for region in parent.regions:
            for block in region.blocks:
                following = outer
                for op in reversed(block.operations):
                    if op.inserted:
                        own = following if not parent.inserted else outer
                        op.location = own
                    else:
                        own = following = _location(module, op)
                        if written_location(module.source.text, op) is None:
                            op.location = own
                    if op.regions:
                        stack.append((op, own))


def _location(module: Module, op: Operation) -> str:
    source = module.source
    if op.offset < 0:
        return _at(source.name, 0, 0)
    if (written := written_location(source.text, op)) is not None:
        return written
    offset = op.offset
    results = lexer.RESULTS(source.text, offset)  # a location is that of the name, not of the results in front of it
    if results is not None:
        offset = lexer.skip(source.text, results.end())
    return _at(source.name, *source.position(offset))


def _at(name: str, line: int, column: int) -> str:
    escaped = "".join(_ESCAPED.get(byte) or chr(byte) for byte in name.encode("utf-8", "surrogateescape"))
    return f'loc("{escaped}":{line}:{column})'


def written_location(text: str, op: Operation) -> str | None:
    """The `loc(…)` after an operation that was read, None where it has none."""
    if op.end < 0 or text[op.end - 1 : op.end] != ")":
        return None
    at = op.end
    while (at := text.rfind("loc", op.offset, at)) >= 0:
        opening = lexer.skip(text, at + 3)
        if text[opening : opening + 1] != "(" or _WORD.search(text, max(at - 1, 0), at + 3) is None:
            continue
        try:
            if lexer.balanced_end(text, opening) == op.end:
                return text[at : op.end]
        except lexer.Unbalanced:  # inside of a string
            continue
        if text.find("\n", at, op.end) >= 0:
            return None
    return None
