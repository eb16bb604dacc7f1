"""Reads MLIR text into IR and prints it back; what nobody changed comes out as it went in.

module = parse(text, "model.mlir")
for op in module.walk(): ...
text = print_module(module)
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Sequence

from dealog.diagnostics import SourceText
from dealog.frontend.builder import build
from dealog.frontend.grammar import load_grammar
from dealog.frontend.ir import Block, Module, Operation, Region, Successor, Value
from dealog.frontend.parser import parse_items
from dealog.frontend.printer import print_module
from dealog.frontend.types import MemRefType, is_memref, parse_memref

__all__ = [
    "Block",
    "MemRefType",
    "Module",
    "Operation",
    "Region",
    "Successor",
    "Value",
    "is_memref",
    "parse",
    "parse_memref",
    "print_module",
]


def parse(
    text: str | SourceText,
    name: str = "<stdin>",
    syntax_dirs: Sequence[str | os.PathLike[str]] = (),
    others: Iterable[str] = (),
) -> Module:
    """Read MLIR text, in generic and custom form.

    `name` is what diagnostics call the text; `syntax_dirs` are folders with further `.lark` files, for
    dialects that Dealog does not come with. The module may get operations of the dialects that the texts `others` name,
    in their custom forms. Raises `DealogError` where the text is not MLIR, or has the
    custom form of an operation that no syntax file tells.
    """
    source = text if isinstance(text, SourceText) else SourceText(name, text)
    grammar = load_grammar(syntax_dirs, source.text, others)
    # All that is made here stays alive, so looking for garbage meanwhile only takes time: most of it, for
    # large texts.
    enabled = gc.isenabled()
    gc.disable()
    try:
        return build(source, parse_items(source, grammar), grammar)
    finally:
        if enabled:
            gc.enable()
