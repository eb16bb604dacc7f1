"""Which dialects Dealog knows: those that it has the syntax or the meaning of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING

from dealog import rules
from dealog.diagnostics import Diagnostic
from dealog.extensions import NO_EXTENSIONS, Extensions
from dealog.frontend.lexer import COMMENT, STRING

if TYPE_CHECKING:
    from dealog.frontend import Module

_NAMED = re.compile(rf"{STRING}|{COMMENT}|[!#](?P<dialect>[A-Za-z_][\w$]*+)(?:(?P<dot>\.)|<)", re.ASCII)


def known_dialects() -> frozenset[str]:
    """The dialects that have a file in `frontend/syntax/` or in `rules/dialects/`."""
    syntax = resources.files("dealog.frontend.syntax").iterdir()
    written = {file.name.removesuffix(".lark") for file in syntax if file.name.endswith(".lark")}
    return (frozenset(written) | rules.dialects()) - {"core"}


def unregistered(module: Module, extensions: Extensions = NO_EXTENSIONS) -> list[Diagnostic]:
    """An error for each dialect in `module` that is neither known here nor added by `extensions`, at its first
    operation; where it has none, at its first type or attribute."""
    known = known_dialects() | extensions.dialect_names()
    seen: dict[str, Diagnostic] = {}
    for dialect, what, offset in (*_operations(module), *_types_and_attributes(module.source.text)):
        if dialect not in known and dialect not in seen:
            seen[dialect] = Diagnostic(
                f"{what} with an unregistered dialect, '{dialect}'",
                source=module.source,
                offset=offset,
                hint="if this is intended, allow it with --allow-unregistered-dialect, or teach the dialect by --rules "
                "or --dialect",
            )
    return list(seen.values())


def _operations(module: Module) -> Iterator[tuple[str, str, int]]:
    first: dict[str, int] = {}
    for op in module.walk():
        if op.name not in first:
            first[op.name] = op.offset
    for name, offset in first.items():
        yield name.partition(".")[0], "operation being parsed", offset


def _types_and_attributes(text: str) -> Iterator[tuple[str, str, int]]:
    """Dialects by the names of types and attributes; an alias has neither a dot nor parameters."""
    if "!" not in text and "#" not in text:
        return
    for match in _NAMED.finditer(text):
        if match["dialect"]:
            what = "type created" if match[0].startswith("!") else "attribute created"
            yield match["dialect"], what, match.end() if match["dot"] else match.start()
