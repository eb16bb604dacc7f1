"""Which dialects Dealog knows: those that it has the syntax or the meaning of."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from dealog import rules
from dealog.diagnostics import Diagnostic
from dealog.extensions import NO_EXTENSIONS, Extensions

if TYPE_CHECKING:
    from dealog.frontend import Module


def known_dialects() -> frozenset[str]:
    """The dialects that have a file in `frontend/syntax/` or in `rules/dialects/`."""
    syntax = resources.files("dealog.frontend.syntax").iterdir()
    written = {file.name.removesuffix(".lark") for file in syntax if file.name.endswith(".lark")}
    return (frozenset(written) | rules.dialects()) - {"core"}


def unregistered(module: Module, extensions: Extensions = NO_EXTENSIONS) -> list[Diagnostic]:
    """An error for each dialect in `module` that is neither known here nor added by `extensions`, at the first
    operation of it."""
    known = known_dialects() | extensions.dialect_names()
    seen: dict[str, Diagnostic] = {}
    for op in module.walk():
        dialect = op.name.partition(".")[0]
        if dialect not in known and dialect not in seen:
            seen[dialect] = Diagnostic(
                f"operation being parsed with an unregistered dialect, '{dialect}'",
                source=module.source,
                offset=op.offset,
                hint="if this is intended, allow it with --allow-unregistered-dialect, or teach the dialect by --rules "
                "or --dialect",
            )
    return list(seen.values())
